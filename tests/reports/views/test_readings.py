"""What a value means and what fewer annotators change, in sentences."""

from __future__ import annotations

import pytest

from accordeur.reports.language import Language
from accordeur.reports.page.blocks import Prose
from accordeur.reports.page.page import Page
from accordeur.reports.results import (
    Campaign,
    GridReading,
    ModificationPoint,
    Resampling,
    Results,
    Run,
)
from accordeur.reports.views.reading import reading_sentence
from accordeur.reports.views.resampling import resampling_section


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


def notes(*rates: float, **fields: float) -> str:
    points = [ModificationPoint(k=k, modification_rate=r) for k, r in enumerate(rates, 1)]
    base = {"layer": "l", "ties": "random", "n_annotators": len(rates) + 1, "n_items": 9}
    study = Resampling.model_validate({**base, "points": points, **fields})
    section = resampling_section(page_of(resampling=[study]))
    assert section is not None
    return " ".join(block.text for block in section.blocks if isinstance(block, Prose))


def test_a_rate_that_rises_at_an_even_k_is_explained():
    assert "may rise from an odd k to the next" in notes(0.15, 0.16)
    assert "may rise" not in notes(0.16, 0.15)


def test_rates_of_few_labels_an_item_or_of_ties_say_so():
    """Two of twenty annotators label each item; numbers that nobody repeats have no majority."""
    told = notes(0.2, 0.2, labels_per_item=2.0, tied=0.4)
    assert "labels of 2.0 of the 3 annotators on average" in told
    assert "no majority label" not in told
    told = notes(0.2, 0.2, labels_per_item=3.0, tied=0.9)
    assert "on average" not in told
    assert "90% of the items have no majority label" in told
