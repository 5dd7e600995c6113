"""Scores of systems, with what is needed to read them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from accordeur.metrics.estimate_detail import Detail
from accordeur.metrics.results import ReferenceCoverage
from accordeur.reports.language import Code, Language
from accordeur.reports.page.blocks import Prose, Table
from accordeur.reports.page.page import Page
from accordeur.reports.reference_in_words import error_sentence, score_lines
from accordeur.reports.results import Campaign, Results, Run, SystemScores, Validity
from accordeur.reports.views.system_scores import system_scores_section
from tests.reports.samples.parts import value


@pytest.mark.parametrize(("average", "said"), [("micro", False), ("macro", True)])
def test_a_macro_average_says_over_which_categories(average: str, said: bool) -> None:
    scored = value("precision", 0.5, settings=f"match:exact|average:{average}")
    scores = SystemScores(system="tagger", layer="l", kind="items", values=[scored])
    validity = Validity(reference="gold", systems=[scores])
    base = {"campaign": Campaign(name="n"), "run": Run(version="0", input_hash="0")}
    results = Results.model_validate({**base, "validity": [validity]})
    section = system_scores_section(Page(results, Language("en")))
    assert section is not None
    table = next(block for block in section.blocks if isinstance(block, Table))
    assert ("covers the categories where the rate is defined" in table.note) is said


def test_systems_stand_beside_annotators_of_their_layer_and_measure() -> None:
    def scores(name: str, *measures: str, at: float = 0.5) -> SystemScores:
        values = [value(measure, at) for measure in measures]
        return SystemScores(system=name, layer="l", kind="items", values=values)

    people = [scores("a", "accuracy", at=0.7), scores("b", "accuracy", at=0.8)]
    left_out = [scores("a", "accuracy", at=0.3), scores("b", "accuracy", at=0.4)]
    of_system = [scores("tagger", "accuracy", at=0.35), scores("tagger", "accuracy", at=0.45)]
    systems = [scores("tagger", "accuracy", "observed_agreement")]
    validity = Validity(
        reference="gold",
        systems=systems,
        humans=people,
        human_range=left_out,
        leave_one_out=of_system,
    )
    base = {"campaign": Campaign(name="n"), "run": Run(version="0", input_hash="0")}
    results = Results.model_validate({**base, "validity": [validity]})
    section = system_scores_section(Page(results, Language("en")))
    assert section is not None
    tables = [block for block in section.blocks if isinstance(block, Table)]
    same, out = (one for one in tables if one.caption.startswith("Annotators and systems against"))
    assert same.caption == "Annotators and systems against the reference gold, accuracy, l"
    assert [row[0].text for row in same.rows] == ["2 human annotators, range", "tagger"]
    assert [row[2].text for row in same.rows] == ["0.700 – 0.800", "0.500"]
    assert "built without one annotator, accuracy, l" in out.caption
    assert [[cell.text for cell in row[2:]] for row in out.rows] == [
        ["0.350", "0.300 – 0.400"],
        ["0.400", "0.350 – 0.450"],
    ]
    assert all("range" in str(row[1].picture) for row in [*same.rows, *out.rows])


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "10 of 13 audited units, as the others are open; 2 audited documents): 2 missed, 1"),
        ("fr", "10 sur 13 unités auditées, les autres étant encore à décider"),
    ],
)
def test_the_error_of_a_reference_of_units(language: Code, said: str) -> None:
    detail = Detail(missed=2, spurious=1, wrong_category=1, n_documents=2, n_unlabelled=3)
    error = replace(value("slot_error_rate", 0.4, n_items=10, half=0.1), detail=detail)
    assert said in error_sentence(Language(language), error)


OPEN = ReferenceCoverage(338, 600, 262)


def audited_reference() -> Validity:
    error = replace(
        value("reference_error", 0.04, n_items=50, half=0.03), detail=Detail(n_unlabelled=10)
    )
    scores = SystemScores(
        system="tagger", layer="topic", kind="items", values=[value("accuracy", 0.894)]
    )
    return Validity(
        reference="built: adjudicated", layer="topic", kind="items", coverage=OPEN, error=error,
        systems=[scores],
    )  # fmt: skip


EN = """Items that the reference leaves open are not scored. This reference is wrong in 4.0% of
the items (95% CI [1.0%, 7.0%]; 50 of 60 audited items, as the others are open)."""
FR = """Les items que la référence laisse ouverts ne sont pas évalués. Cette référence se trompe sur
4,0 % des items (IC à 95 % [1,0 % ; 7,0 %] ; 50 sur 60 items audités, les autres étant encore à
décider)."""


@pytest.mark.parametrize(
    ("code", "named", "said"),
    [
        ("en", "built: adjudicated (338 of 600 items, 262 open)", EN),
        ("fr", "built: adjudicated (338 sur 600 items, 262 encore à décider)", FR),
    ],
)
def test_scores_name_their_reference_what_it_covers_and_its_error(
    code: Code, named: str, said: str
) -> None:
    base = {"campaign": Campaign(name="n"), "run": Run(version="0", input_hash="0")}
    results = Results.model_validate({**base, "validity": [audited_reference()]})
    section = system_scores_section(Page(results, Language(code)))
    assert section is not None
    assert named in section.inside
    [note] = [block for block in section.blocks if isinstance(block, Prose) and not block.tone]
    assert note.text.split() == said.split()
    table = next(block for block in section.blocks if isinstance(block, Table))
    quoted = [cell.value.sentence for row in table.rows for cell in row if cell.value is not None]
    assert all(named in one for one in quoted)


def test_the_terminal_names_the_reference_of_each_score() -> None:
    base = {"campaign": Campaign(name="n"), "run": Run(version="0", input_hash="0")}
    results = Results.model_validate({**base, "validity": [audited_reference()]})
    score, error = score_lines(results)
    assert score == (
        "accuracy of tagger (topic): 0.894 [0.844, 0.944], "
        "against built: adjudicated (338 of 600 items, 262 open)"
    )
    assert error.startswith("reference built: adjudicated (topic): This reference is wrong in 4.0%")
