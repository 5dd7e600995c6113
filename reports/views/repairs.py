"""Guideline repair: the categories that annotators exchange, how often, and where."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

from ..page.blocks import Block, Cell, Section, Table, numeric_cell
from ..page.page import Page, folded_table
from ..page.values import number_cell
from ..results import Repair, Results

N_PLACES = 3


def repairs_section(page: Page) -> Section | None:
    """Show which categories were confused, how often, and where: the agenda of a revision."""
    ordered, say = repairs_of(page.results), page.say
    if not ordered:
        return None
    blocks: list[Block] = [_table(page, ordered)]
    return Section("repairs", say("repairs.title"), blocks, lead=say("repairs.lead"))


def repairs_of(results: Results) -> list[Repair]:
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
    rows = []
    for repair in repairs:
        where = say.semicolon_list(repair.where[:N_PLACES])
        if len(repair.where) > N_PLACES:
            where += " …"
        share = repair.count / repair.out_of if repair.out_of else None
        rows.append(
            [
                Cell(f"{repair.first} ↔ {repair.second}"),
                Cell(repair.layer or "–"),
                number_cell(say, repair.count),
                numeric_cell("–" if share is None else say.percent(share), share or 0.0),
                Cell(where or "–"),
            ]
        )
    columns = [
        Cell(say("repairs.pair")),
        Cell(say("validity.layer")),
        numeric_cell(say("repairs.count")),
        numeric_cell(say("repairs.share")),
        Cell(say("repairs.where")),
    ]
    return folded_table(page, say("repairs.table"), columns, rows, css="sortable")
