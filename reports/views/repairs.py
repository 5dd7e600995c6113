"""Guideline repair: the categories that annotators exchange, how often, and where."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations

from ..page.blocks import Block, Cell, Section, Table, numeric_cell
from ..page.page import Page, folded_table
from ..page.values import number_cell
from ..results import ItemAgreement, Repair, Results, UnitAgreement

N_PLACES = 3


def repairs_section(page: Page) -> Section | None:
    """Show which categories were confused, how often, and where: the agenda of a revision."""
    ordered, say = repairs_of(page.results), page.say
    if not ordered:
        return None
    blocks: list[Block] = [_table(page, ordered)]
    return Section("repairs", say("repairs.title"), blocks, lead=say("repairs.lead"))


def repairs_of(results: Results) -> list[Repair]:
    """Return the pairs of categories of all layers, the most frequent exchanges first."""
    return sorted(results.repairs or repairs_from(results), key=lambda repair: -repair.count)


def repairs_from(results: Results) -> list[Repair]:
    """Return exchanged categories, from confusion matrices of items and alignments of units."""
    places: dict[tuple[str, frozenset[str]], list[str]] = defaultdict(list)
    for d in results.disagreements:
        said = sorted({category for category in d.said.values() if category})
        for first, second in combinations(said, 2):
            places[d.layer, frozenset((first, second))].append(f"{d.document}, {d.where}")
    repairs = [
        repair.model_copy(
            update={"where": places[repair.layer, frozenset((repair.first, repair.second))]}
        )
        for layer in results.items
        for repair in _item_repairs(layer)
    ]
    return repairs + [repair for layer in results.units for repair in _unit_repairs(layer)]


def _item_repairs(layer: ItemAgreement) -> list[Repair]:
    counts: Counter[tuple[int, int]] = Counter()
    margins: Counter[int] = Counter()
    for confusion in layer.confusions:
        for i, row in enumerate(confusion.matrix):
            for j, count in enumerate(row):
                margins[i] += round(count)
                if i != j:
                    margins[j] += round(count)
                    counts[min(i, j), max(i, j)] += round(count)
    return [
        Repair(
            layer=layer.layer,
            first=layer.tagset[i],
            second=layer.tagset[j],
            count=count,
            out_of=margins[i] + margins[j] - count,
        )
        for (i, j), count in counts.items()
        if count and max(i, j) < len(layer.tagset)
    ]


def _unit_repairs(layer: UnitAgreement) -> list[Repair]:
    """Count pairs of aligned units of two categories, in the documents whose alignment is shown."""
    counts: Counter[tuple[str, str]] = Counter()
    margins: Counter[str] = Counter()
    where: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for alignment in layer.alignments:
        for unitary in alignment.alignments:
            units = [alignment.units[u] for u in unitary.units]
            for u, v in combinations(units, 2):
                first, second = sorted((u.category, v.category))
                margins.update({first, second})
                if first != second:
                    counts[first, second] += 1
                    start, end = min(u.start, v.start), max(u.end, v.end)
                    where[first, second][f"{alignment.document}, {start:g}–{end:g}"] = None
    return [
        Repair(
            layer=layer.layer,
            first=first,
            second=second,
            count=count,
            out_of=margins[first] + margins[second] - count,
            where=list(where[first, second]),
        )
        for (first, second), count in counts.items()
        if first and second
    ]


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
    drawn = [
        say("repairs.drawn", layer=layer.layer, n=say.counted("document", len(layer.alignments)))
        for layer in page.results.units
        if layer.alignments and len(layer.alignments) < layer.n_documents
    ]
    note = "" if page.results.repairs else " ".join(drawn)
    return folded_table(page, say("repairs.table"), columns, rows, note=note, css="sortable")
