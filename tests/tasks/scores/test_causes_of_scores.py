"""Causes of low scores: the batch, the category and the position where a system errs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accordeur.metrics.arrays import Flags
from accordeur.metrics.causes.campaign_parts import campaign_parts
from accordeur.metrics.causes.disagreement import Part
from accordeur.metrics.estimate import Estimate
from accordeur.metrics.options import NO_INTERVALS
from accordeur.reports import results as page
from accordeur.reports.causes import action_words, cause_words
from accordeur.reports.language import Language
from accordeur.tasks.options import MeasureSelection
from accordeur.tasks.scores import label_scores, unit_scores
from accordeur.tasks.scores.causes_of_scores import causes_of_scores
from accordeur.tasks.scores.evaluation import Evaluation, Presence
from accordeur.tasks.scores.label_scores import LabelSides, score_labels
from accordeur.tasks.scores.unit_scores import UnitSides

N, TAGSET = 80, ("LOC", "ORG", "PER")
NAMES = [f"d{d:02}" for d in range(N)]
PRESENCE = {"model": Presence(frozenset(NAMES))}


def parts(names: Sequence[str]) -> tuple[tuple[Part, Flags], ...]:
    return campaign_parts(names, ["A" if int(one[1:]) < 60 else "B" for one in names], [""] * N)


def no_texts(names: Sequence[str]) -> dict[str, str]:
    return {}


def scores(*measures: str) -> page.SystemScores:
    values = [Estimate(one, 0.8) for one in measures]
    return page.SystemScores(system="model", layer="entities", kind="items", values=values)


def test_a_batch_in_which_a_system_errs_is_the_cause_of_all_its_scores() -> None:
    rng = np.random.default_rng(3)
    documents = np.repeat(np.arange(N), 10)
    correct = rng.integers(0, 3, documents.size)
    errs = rng.random(documents.size) < np.where(documents >= 60, 0.5, 0.1)
    given = np.where(errs, rng.integers(-1, 3, documents.size), correct)
    sides = LabelSides(correct, {"model": given}, PRESENCE, documents, NAMES, TAGSET)
    fields = causes_of_scores(sides, scores("accuracy", "f"), "gold", parts, no_texts)
    assert fields["causes_of"] == ["accuracy", "f"]
    [cause] = fields["causes"]
    assert (cause.part, cause.part_name) == ("batch", "B")
    assert cause.n == int((given != correct)[documents >= 60].sum())
    assert cause.n_compared == 200
    words = cause_words(Language("en"), cause, system="model")
    assert words == "in batch B, model differs from the reference more than elsewhere"
    action = page.Action(kind=page.ActionKind.cause, cause=cause, of="model")
    assert action_words(Language("en"), action) == "Go through the errors of model (batch B)"


def test_a_system_that_shares_the_errors_of_the_reference_is_said() -> None:
    rng = np.random.default_rng(3)
    documents = np.repeat(np.arange(N), 10)
    truth = rng.integers(0, 3, documents.size)
    reference = np.where(rng.random(truth.size) < 0.05, (truth + 1) % 3, truth)
    system = np.where(rng.random(truth.size) < 0.1, (truth + 2) % 3, reference)
    copy = np.where(reference != truth, reference, system)
    humans = dict.fromkeys(("Ana", "Bruno"), truth)
    for given, expected in ((copy, ["copies_reference"]), (truth, [])):
        sides = LabelSides(reference, {"model": given}, PRESENCE, documents, NAMES, TAGSET)
        found = Evaluation({})
        label_scores.warn_of_copies(found, sides, humans)
        assert [one.code for one in found.notices] == expected
    everything = MeasureSelection(lambda *_: True, lambda _: False)
    for given, expected in ((reference, ["same_as_reference"]), (copy, [])):
        sides = LabelSides(reference, {"model": given}, PRESENCE, documents, NAMES, TAGSET)
        notices = score_labels(sides, NO_INTERVALS, everything).notices
        assert [one.code for one in notices] == expected


def test_units_that_a_system_misses_late_in_documents_are_the_cause_of_its_f() -> None:
    rng = np.random.default_rng(3)
    reference, system = {}, {}
    for name in NAMES:
        starts = np.arange(10) * 100 + rng.integers(0, 50, 10)
        rows = np.column_stack([starts, starts + 20, rng.integers(0, 3, 10), np.zeros(10, int)])
        missed = rng.random(10) < np.where(starts >= 600, 0.6, 0.05)
        reference[name], system[name] = rows, rows[~missed]
    sides = UnitSides(reference, {"model": system}, PRESENCE, TAGSET)
    fields = causes_of_scores(
        sides, scores("exact_f", "exact_recall", "overlap_f"), "gold", parts, no_texts
    )
    assert fields["causes_of"] == ["exact_f", "exact_recall"]
    [other] = fields["searches"]
    for causes in (fields["causes"], other.causes):
        assert causes[0].part == "from_position"
        assert 500 <= int(causes[0].part_name) <= 650


def test_a_system_with_the_units_of_the_reference_that_no_human_has_is_said() -> None:
    rng = np.random.default_rng(3)
    reference, human, system = {}, {}, {}
    for name in NAMES:
        starts = np.arange(10) * 100
        rows = np.column_stack([starts, starts + 20, rng.integers(0, 3, 10), np.zeros(10, int)])
        human[name], errs = rows, rng.random(10) < 0.05
        reference[name] = rows + np.outer(errs, [0, 3, 0, 0])
        system[name] = np.where(errs[:, None], reference[name], rows)[rng.random(10) < 0.8]
    for missed, expected in ((False, ["copies_reference"]), (True, [])):
        own = {
            name: rows if missed else np.unique(np.vstack([rows, reference[name]]), axis=0)
            for name, rows in system.items()
        }
        sides = UnitSides(reference, {"model": own}, PRESENCE, TAGSET)
        found = Evaluation({})
        unit_scores.warn_of_copies(found, sides, {"Ana": human, "Bruno": human})
        assert [one.code for one in found.notices] == expected
