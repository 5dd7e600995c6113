"""Guideline repair: the categories that annotators exchange, how often, and where."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

from ..columns import number, text
from ..page.blocks import Block, Section, Table
from ..page.page import Page
from ..page.tables import table
from ..results import Repair, Results

N_PLACES = 3


def repairs_section(page: Page) -> Section | None:
    """Show which categories were confused, how often, and where: the agenda of a revision."""
    ordered, say = category_pairs_by_frequency(page.results), page.say
    if not ordered:
        return None
    blocks: list[Block] = [_table(page, ordered)]
    first, n = ordered[0], say.integer(ordered[0].count)
    inside = say("repairs.inside", first=first.first, second=first.second, n=n)
    return page.section("repairs", blocks, lead=say("repairs.lead"), inside=inside)


def category_pairs_by_frequency(results: Results) -> list[Repair]:
    """Return the pairs of categories of all layers, the most frequent first, with some places."""
    places: dict[tuple[str, frozenset[str]], list[str]] = defaultdict(list)
    for d in results.disagreements:
        said = sorted({category for category in (d.categories or d.said).values() if category})
        for pair in combinations(said, 2):
            places[d.layer, frozenset(pair)].append(f"{d.document}, {d.where}")
    found = [
        one
        if one.where
        else one.model_copy(update={"where": places[one.layer, frozenset((one.first, one.second))]})
        for one in results.repairs
    ]
    return sorted(found, key=lambda repair: -repair.count)


def _table(page: Page, repairs: list[Repair]) -> Table:
    say = page.say

    def where(one: Repair) -> str:
        more = " …" if len(one.where) > N_PLACES else ""
        return say.semicolon_list(one.where[:N_PLACES]) + more

    return table(
        say, say("repairs.table"), repairs,
        text(say("repairs.pair"), lambda one: f"{one.first} ↔ {one.second}"),
        text(say("validity.layer"), lambda one: one.layer),
        number(say("repairs.count"), lambda one: one.count),
        number(
            say("repairs.share"), lambda one: one.count / one.out_of if one.out_of else None, "%"
        ),
        text(say("repairs.where"), where),
        css="sortable",
    )  # fmt: skip
