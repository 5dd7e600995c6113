"""Values with their cards: the sentence to quote, the reasons, the forest tables."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from accordeur.data.row_account import RowAccount
from accordeur.metrics.estimate import Estimate
from accordeur.metrics.estimate_detail import Detail
from accordeur.metrics.reason import Reason, ReasonCode
from accordeur.metrics.signature import How
from accordeur.reports.columns import interval, number, text
from accordeur.reports.language import Language
from accordeur.reports.page.page import Page
from accordeur.reports.page.tables import N_FOLDED, table
from accordeur.reports.page.values import forest_table, name_with_variant, value_view
from accordeur.reports.results import Campaign, Named, Results, Run, Validation

ALPHA = Estimate(
    measure="krippendorff_alpha",
    value=0.6412,
    observed=0.787,
    expected=0.4064,
    interval=(0.59, 0.69),
    n_items=240,
    n_annotators=3,
    how=How(measure="krippendorff_alpha", distance="ordinal", seed=7),
)


@pytest.fixture
def page() -> Page:
    results = Results(campaign=Campaign(name="News"), run=Run(version="0", input_hash="0"))
    return Page(results, Language("en"))


@pytest.mark.parametrize(
    ("most", "said"), [(2, "3 annotators, at most 2 per item"), (3, "3 annotators;")]
)
def test_annotators_who_never_meet_on_an_item_are_told(page: Page, most: int, said: str) -> None:
    """One of three left and another one came: no item has three."""
    account = RowAccount(480, measured=480, n_annotators=3, most_annotators=most, per="item")
    checked = Validation(rows_in=480, rows_accepted=480, rows_rejected=0, account=account)
    results = page.results.model_copy(update={"validation": checked})
    view = value_view(Page(results, page.say), ALPHA, about="stance")
    assert said in view.sentence
    assert ("at most" in view.sentence) is (most < 3)


def test_the_sentence_holds_all_that_a_paper_needs(page: Page):
    view = value_view(page, ALPHA, about="stance")
    assert view.sentence == (
        "For stance, Krippendorff’s α (ordinal distance) was 0.641 "
        "(95% CI [0.590, 0.690]; 240 items, 3 annotators; Krippendorff 2004). "
        "Chance model: labels are paired at random, without replacement, from all labels that can "
        "be paired."
    )
    assert list(page.cited) == ["krippendorff2004"]


def test_a_measure_without_a_symbol_is_called_by_its_name(page: Page):
    view = value_view(page, Estimate(measure="holistic", value=0.42), about="units")
    assert view.sentence.startswith("For units, holistic agreement (2011) was 0.420 (")


def test_the_interval_of_one_document_is_not_called_a_confidence_interval(page: Page):
    how = How(measure="gamma", chosen="shuffle")
    detail = Detail(monte_carlo_error=0.1)
    value = Estimate(measure="gamma", value=0.5, n_items=9, how=how, detail=detail)
    assert value_view(page, value, about="units").sentence == (
        "For units, γ (gamma) was 0.500 (Monte Carlo error ± 0.100 at 95%, no confidence "
        "interval; 9 items; Mathet, Widlöcher & Métivier 2015). "
        "Chance model: the mean disorder of random continua (shuffle)."
    )


def test_an_undefined_value_says_why(page: Page):
    value = Estimate(measure="scott_pi", value=math.nan, reason=Reason(ReasonCode.SINGLE_CATEGORY))
    view = value_view(page, value, about="stance")
    assert not view.is_defined
    assert view.number == "undefined"
    assert "0/0" in view.sentence
    assert view.interval == ""


def test_a_distance_is_named_in_the_pages_language():
    assert name_with_variant(Language("fr"), ALPHA) == "α de Krippendorff (distance ordinale)"


def test_worst_first_puts_undefined_values_last(page: Page):
    named = [
        Named(name="b", value=Estimate(measure="gamma", value=0.9)),
        Named(name="u", value=Estimate("gamma", math.nan, Reason(ReasonCode.NO_UNIT))),
        Named(name="a", value=Estimate(measure="gamma", value=-0.2)),
    ]
    table = forest_table(page, "", named, first_column="", about="x", worst_first=True)
    assert [row[0].text for row in table.rows] == ["a", "b", "u"]


def test_worst_first_is_the_highest_value_where_lower_is_better(page: Page):
    named = [
        Named(name="good", value=Estimate(measure="pk", value=0.1)),
        Named(name="undefined", value=Estimate("pk", math.nan, Reason(ReasonCode.NO_UNIT))),
        Named(name="bad", value=Estimate(measure="pk", value=0.6)),
        Named(name="middling", value=Estimate(measure="pk", value=0.3)),
    ]
    table = forest_table(page, "", named, first_column="", about="x", worst_first=True)
    assert [row[0].text for row in table.rows] == ["bad", "middling", "good", "undefined"]


@pytest.mark.parametrize(
    ("n", "shown", "hidden", "more"),
    [(0, 0, 0, False), (16, 16, 0, False), (17, 12, 5, False), (1000, 12, N_FOLDED - 12, True)],
)
def test_long_tables_are_folded_and_capped(page: Page, n, shown, hidden, more):
    made = table(page.say, "", range(n), text("x", str))
    assert (len(made.rows), len(made.folded), bool(made.more)) == (shown, hidden, more)
    if more:
        assert made.more.startswith(f"{n - N_FOLDED}")


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("en", ["1,234", "51.2%", "[0.40, 0.60]"]),
        ("fr", ["1\u202f234", "51,2\u202f%", "[0,40\u202f; 0,60]"]),
    ],
)
def test_a_column_writes_what_it_holds_in_the_language_of_the_page(page: Page, code, shown):
    rows = [(1234, 0.51234, (0.4, 0.6)), (7, math.nan, (math.nan, math.nan))]
    made = table(
        replace(page, say=Language(code)).say, "", rows,
        number("n", lambda row: row[0]),
        number("share", lambda row: row[1], "%"),
        interval("interval", lambda row: row[2], "2"),
        number("never", lambda row: row[0], when=False),
    )  # fmt: skip
    assert [heading.text for heading in made.columns] == ["n", "share", "interval"]
    assert [[cell.text for cell in row] for row in made.rows] == [shown, ["7", "–", "–"]]
    assert [row[1].sort_key for row in made.rows] == [0.51234, "-Infinity"]


@pytest.mark.parametrize(
    ("distance", "shown"),
    [
        ("masi", "Krippendorff’s α (MASI distance)"),
        ("circular/24", "Krippendorff’s α (circular distance, a circle of 24)"),
        ("table-0123456789ab", "Krippendorff’s α (distances of the campaign)"),
        ("nominal", "Krippendorff’s α"),
    ],
)
def test_the_name_says_which_distance(distance: str, shown: str):
    signature = f"krippendorff_alpha|distance:{distance}|version:0.1.0"
    assert name_with_variant(Language("en"), replace(ALPHA, how=How.read(signature))) == shown
