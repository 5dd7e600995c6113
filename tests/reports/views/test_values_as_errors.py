"""What a value means and what fewer annotators change, in sentences."""

from __future__ import annotations

import pytest

from accordeur.metrics.coded_warning import CodedWarning
from accordeur.reports.language import Language
from accordeur.reports.page.blocks import Bullets, Grid, Prose, Table
from accordeur.reports.page.page import Page
from accordeur.reports.results import (
    Campaign,
    ErrorCost,
    GridCurve,
    GridReading,
    ModificationPoint,
    Reading,
    Resampling,
    Results,
    Run,
    UnitAgreement,
)
from accordeur.reports.views.resampling import resampling_section
from accordeur.reports.views.values_as_errors import reading_sentence, values_as_errors_section
from accordeur.reports.warnings import in_english
from tests.reports.samples.parts import value


def page_of(**fields: object) -> Page:
    base = {"campaign": Campaign(name="n"), "run": Run(version="0", input_hash="0")}
    return Page(Results.model_validate({**base, **fields}), Language("en"))


@pytest.mark.parametrize(
    ("degradation", "said"),
    [
        ("shift", "move each bound by up to 0.20 of a unit’s length (0.10 to 0.25"),  # ± m/2
        ("omission", "leave out 40% of the units (20% to 50%"),
        ("category", "give 40% of the units another category (20% to 50%"),
    ],
)
def test_a_reading_is_an_error_that_a_person_can_picture(degradation: str, said: str):
    reading = GridReading(value=0.7, magnitude=0.4, interval=(0.2, 0.5))
    told = reading_sentence(page_of(), "gamma", degradation, reading)
    assert told == f"γ = 0.700 corresponds to annotators who {said} for a single campaign)."


def test_a_standard_campaign_is_read_in_one_sentence_without_curves():
    grids = [
        GridCurve(
            layer="l",
            measure="gamma",
            degradation=name,
            magnitudes=[0, 1],
            means=[1, 0],
            trials=6,
            n_units=25,
            reading=GridReading(value=0.7, magnitude=0.3),
        )
        for name in ("omission", "category")
    ]
    section = values_as_errors_section(page_of(grids=grids))
    assert section is not None
    assert not any(isinstance(block, Grid) for block in section.blocks)
    [bullets] = [block for block in section.blocks if isinstance(block, Bullets)]
    [(said, _)] = bullets.items
    assert "leave out 30% of the units or give 30% of the units another category" in said
    assert "25 units per annotator, 6 trials" in said


def test_a_sentence_does_not_repeat_the_layer_of_its_section():
    figures: dict[str, float | int | str] = {
        "layer": "stance", "symbol": "α", "value": 0.64, "share": 0.2
    }  # fmt: skip
    warning = CodedWarning("share_of_guesses", figures)
    reading = Reading(layer="stance", measure="krippendorff_alpha", value=0.64, sentences=[warning])
    section = values_as_errors_section(page_of(readings=[reading]))
    assert section is not None
    [bullets] = [block for block in section.blocks if isinstance(block, Bullets)]
    [(said, _)] = bullets.items
    assert said.startswith("α 0.640 is the value of annotators who guess")
    assert in_english(warning) == f"stance: {said}"


def test_the_most_costly_error_is_named_with_gamma_without_it():
    costs = [
        ErrorCost(cause="missing", share=0.25, disorder=0.1, cost=0.1),
        ErrorCost(cause="boundary", share=0.75, disorder=0.3, cost=0.3),
        ErrorCost(cause="category", share=0, disorder=0, cost=0),
    ]
    layer = UnitAgreement(
        layer="l",
        tagset=["x"],
        annotators=["a", "b"],
        n_units=9,
        n_documents=2,
        values=[value("gamma", 0.6)],
        error_costs=costs,
    )
    section = values_as_errors_section(page_of(units=[layer]))
    assert section is not None
    said = [block.text for block in section.blocks if isinstance(block, Prose)]
    assert any("75% of the disorder" in one and "γ would be 0.900" in one for one in said)
    tables = [block for block in section.blocks if isinstance(block, Table)]
    [table] = [one for one in tables if one.caption.startswith("What each kind of error costs")]
    assert [row[4].text for row in table.rows] == ["0.700", "0.900", "0.600"]


def notes(*rates: float, **fields: float) -> str:
    points = [ModificationPoint(k=k, modification_rate=r) for k, r in enumerate(rates, 1)]
    base = {"layer": "l", "ties": "random", "n_annotators": len(rates) + 1, "n_items": 9}
    study = Resampling.model_validate({**base, "points": points, **fields})
    section = resampling_section(page_of(resampling=[study]))
    assert section is not None
    return " ".join(block.text for block in section.blocks if isinstance(block, Prose))


def test_a_rate_that_rises_at_an_even_k_is_explained():
    assert "may rise from an odd k to the even k after it" in notes(0.15, 0.16)
    assert "may rise" not in notes(0.16, 0.15)


def test_rates_of_few_labels_an_item_or_of_ties_say_so():
    """Two of twenty annotators label each item; numbers that nobody repeats have no majority."""
    told = notes(0.2, 0.2, labels_per_item=2.0, tied=0.4)
    assert "labels of 2.0 of the 3 annotators on average" in told
    assert "no majority label" not in told
    told = notes(0.2, 0.2, labels_per_item=3.0, tied=0.9)
    assert "on average" not in told
    assert "90% of the items have no majority label" in told
