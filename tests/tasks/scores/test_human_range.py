"""Systems beside annotators, against the same references: an equal system is in the band."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.options import NO_INTERVALS
from accordeur.reports.results import SystemScores
from accordeur.tasks.layers import LayerSpec
from accordeur.tasks.references.reference_settings import ReferenceSettings
from accordeur.tasks.scores.evaluation import Presence
from accordeur.tasks.scores.human_range import (
    HumanRange,
    LeaveOneOut,
    leave_one_out_in_documents,
    leave_one_out_labels,
    score_human_labels,
    score_human_units,
)
from accordeur.tasks.scores.label_scores import LabelSides
from accordeur.tasks.scores.unit_scores import UnitSides

HUMANS = ("anna", "ben", "chloe")
RIGHT = dict(zip((*HUMANS, "system", "gold"), (0.7, 0.8, 0.9, 0.8, 0.97), strict=True))
TAGSET = ("a", "b", "c")
RULE = HumanRange(ReferenceSettings())


def scores(found: Sequence[SystemScores]) -> list[float]:
    """The last value of each: accuracy, or F."""
    return [one.values[-1].value for one in found]


def is_inside(value: float, humans: Sequence[SystemScores]) -> bool:
    return min(scores(humans)) <= value <= max(scores(humans))


def of_labels(seed: int) -> tuple[list[SystemScores], LeaveOneOut, float]:
    """Humans against the reference, leave-one-out, and the system against the reference."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, 600)
    given = {
        name: np.where(rng.random(600) < right, truth, (truth + rng.integers(1, 3, 600)) % 3)
        for name, right in RIGHT.items()
    }
    systems, present = {"system": given["system"]}, {"system": Presence({"d"})}
    documents = np.zeros(600, np.int64)
    sides = LabelSides(given["gold"], systems, present, documents, ["d"], TAGSET)
    layer = LayerSpec("l", "items", TAGSET, HUMANS, ("system",))
    humans = {name: given[name] for name in HUMANS}
    [own] = scores(score_human_labels(sides, systems, layer, NO_INTERVALS))
    same = score_human_labels(sides, humans, layer, NO_INTERVALS)
    return same, leave_one_out_labels(sides, humans, layer, RULE, NO_INTERVALS), own


def of_units(seed: int, n_documents: int = 20) -> tuple[list[SystemScores], LeaveOneOut, float]:
    """Each bound of a unit is right as often as RIGHT says, else off by one position."""
    rng = np.random.default_rng(seed)
    rows: dict[str, dict[str, np.ndarray]] = {name: {} for name in RIGHT}
    continua = []
    for d in range(n_documents):
        starts = 20 * np.arange(6)
        for name, right in RIGHT.items():
            off = np.where(rng.random(6) < right, 0, rng.choice((-1, 1), 6))
            columns = (starts, starts + 5 + off, starts % 3, 0 * starts)
            rows[name][str(d)] = np.stack(columns, axis=1)
        of_all = np.concatenate([rows[name][str(d)] for name in HUMANS])
        owners = np.repeat(np.arange(3), 6)
        order = np.argsort(of_all[:, 0], kind="stable")
        start, end, category, _ = of_all[order].T
        own = owners[order].astype(np.int32)
        units = (start.astype(float), end.astype(float), category.astype(np.int32), own)
        continua.append((str(d), Continuum(*units, HUMANS, TAGSET)))
    systems = {"system": rows["system"]}
    sides = UnitSides(rows["gold"], systems, {"system": Presence(set(rows["gold"]))}, TAGSET)
    layer = LayerSpec("l", "units", TAGSET, HUMANS, ("system",))
    [own] = scores(score_human_units(sides, systems, layer, NO_INTERVALS))
    same = score_human_units(sides, {name: rows[name] for name in HUMANS}, layer, NO_INTERVALS)
    return same, leave_one_out_in_documents(continua, sides, layer, RULE, NO_INTERVALS), own


@pytest.mark.parametrize("simulate", [of_labels, of_units])
def test_a_system_equal_to_the_annotators_lies_in_the_band(simulate):
    found = [simulate(seed) for seed in range(3)]
    for same, out, own in found:
        assert [one.system for one in same] == list(HUMANS)
        assert [one.without for one in out.systems] == list(HUMANS)
        assert is_inside(own, same)
        assert is_inside(np.mean(scores(out.systems)), out.humans)
    # Neither comparison favours the annotators or the system.
    of_out = [(np.mean(scores(out.systems)), np.mean(scores(out.humans))) for _, out, _ in found]
    differences = [system - human for system, human in of_out]
    assert abs(np.mean(differences)) < 0.03


def test_of_units_the_two_kinds_of_reference_must_not_share_an_axis():
    """References made from two annotators lie between their bounds, so every exact F is lower."""
    same, out, own = of_units(1)
    assert max(scores(out.humans)) < own < max(scores(same))


def test_a_system_is_scored_on_the_items_of_the_left_out_human():
    labels = np.array([0, 1, 2, 0, 1, 2])
    humans = {"anna": np.array([0, 1, 2, -1, -1, -1]), "ben": labels, "chloe": labels}
    systems = {"late": np.array([0, 1, -1, -1, -1, -1])}
    sides = LabelSides(
        labels,
        systems,
        {"late": Presence({"d"}, {"e"})},
        np.array([0, 0, 0, 0, 1, 1]),
        ["d", "e"],
        TAGSET,
    )
    layer = LayerSpec("l", "items", TAGSET, HUMANS, ("late",))
    out = leave_one_out_labels(sides, humans, layer, RULE, NO_INTERVALS)
    counted = {one.without: one.values[0].n_items for one in out.systems}
    assert counted == {"anna": 3, "ben": 4, "chloe": 4}  # of d alone
    assert scores(out.systems)[0] == pytest.approx(2 / 3)


def test_a_layer_of_one_human_has_no_reference_without_this_human() -> None:
    given, none = np.tile([0, 1], 10), np.full(20, -1)
    sides = LabelSides(
        given,
        {"system": given},
        {"system": Presence({"d"})},
        np.zeros(20, np.int64),
        ["d"],
        ("a", "b"),
    )
    layer = LayerSpec("l", "items", ("a", "b"), HUMANS, ("system",))
    humans = {"anna": given, "ben": none, "chloe": none}
    rule = HumanRange(ReferenceSettings(rule="consensus"))
    found = leave_one_out_labels(sides, humans, layer, rule, NO_INTERVALS)
    assert [one.system for one in found.humans] == ["ben", "chloe"]
