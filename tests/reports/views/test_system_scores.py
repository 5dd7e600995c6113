"""Scores of systems, with what is needed to read them."""

from __future__ import annotations

import pytest

from accordeur.reports.language import Language
from accordeur.reports.page.blocks import Table
from accordeur.reports.page.page import Page
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
