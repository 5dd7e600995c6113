"""Disagreements for a guideline meeting, and the categories the guideline must tell apart."""

from __future__ import annotations

import math
from collections import Counter, defaultdict

from reports.results import Disagreement, Repair, Results
from reports.views.blocks import Block, Cell, DisagreementBlock, Fold, Prose, Section, Table
from reports.views.page import Page, folded_table
from reports.views.values import number_cell

N_OPEN = 8
N_SHOWN = 60
N_PLACES = 3


def disagreements_section(page: Page) -> Section | None:
    say, found = page.say, page.results.disagreements
    if not found:
        return None
    ordered = sorted(found, key=lambda d: _sort_cost(d.cost))[:N_SHOWN]
    cards = [_card(page, disagreement) for disagreement in ordered]
    blocks: list[Block] = list(cards[:N_OPEN])
    if cards[N_OPEN:]:
        n = say.integer(len(cards) - N_OPEN)
        blocks.append(Fold(say("disagreements.fold", n=n), cards[N_OPEN:]))
    if len(found) > len(ordered):
        n = say.integer(len(found) - len(ordered))
        blocks.append(Prose(say("table.more", n=n), "note"))
    lead = say("disagreements.lead_private" if page.is_private else "disagreements.lead")
    return Section("disagreements", say("disagreements.title"), blocks, lead=lead)


def _sort_cost(cost: float) -> float:
    return -cost if math.isfinite(cost) else math.inf


def _card(page: Page, disagreement: Disagreement) -> DisagreementBlock:
    say = page.say
    place = [disagreement.document, disagreement.where, disagreement.layer]
    said = [
        (annotator, category or say("disagreements.nothing"))
        for annotator, category in disagreement.said.items()
    ]
    cost = say("disagreements.cost", cost=say.number(disagreement.cost, 2))
    where = " · ".join(part for part in place if part)
    start, end = disagreement.marked
    text = disagreement.context
    context = (text[:start], text[start:end], text[end:])
    return DisagreementBlock(where, cost, context, page.own_language, said)


def repairs_section(page: Page) -> Section | None:
    """What was confused with what, how often, and where: the agenda of a guideline's revision."""
    repairs = page.results.repairs or repairs_from(page.results)
    if not repairs:
        return None
    say = page.say
    ordered = sorted(repairs, key=lambda r: -r.count)
    blocks: list[Block] = [_table(page, ordered)]
    return Section("repairs", say("repairs.title"), blocks, lead=say("repairs.lead"))


def repairs_from(results: Results) -> list[Repair]:
    """Exchanged categories counted from the confusion matrices, placed by the disagreements."""
    places: dict[tuple[str, frozenset[str]], list[str]] = defaultdict(list)
    for d in results.disagreements:
        said = sorted({category for category in d.said.values() if category})
        for i, first in enumerate(said):
            for second in said[i + 1 :]:
                places[d.layer, frozenset((first, second))].append(f"{d.document}, {d.where}")
    repairs = []
    for layer in results.items:
        counts: Counter[tuple[int, int]] = Counter()
        margins: Counter[int] = Counter()
        for confusion in layer.confusions:
            for i, row in enumerate(confusion.matrix):
                for j, count in enumerate(row):
                    margins[i] += round(count)
                    if i != j:
                        margins[j] += round(count)
                        counts[min(i, j), max(i, j)] += round(count)
        for (i, j), count in counts.items():
            if count and max(i, j) < len(layer.tagset):
                first, second = layer.tagset[i], layer.tagset[j]
                where = places[layer.layer, frozenset((first, second))]
                either = margins[i] + margins[j] - count
                repairs.append(
                    Repair(
                        layer=layer.layer,
                        first=first,
                        second=second,
                        count=count,
                        out_of=either,
                        where=where,
                    )
                )
    return repairs


def _table(page: Page, repairs: list[Repair]) -> Table:
    say = page.say
    rows = []
    for repair in repairs:
        where = "; ".join(repair.where[:N_PLACES])
        if len(repair.where) > N_PLACES:
            where += " …"
        share = repair.count / repair.out_of if repair.out_of else None
        rows.append(
            [
                Cell(text=f"{repair.first} ↔ {repair.second}"),
                Cell(text=repair.layer or "–"),
                number_cell(say, repair.count),
                Cell(
                    text="–" if share is None else say.percent(share),
                    kind="number",
                    sort=share or 0.0,
                ),
                Cell(text=where or "–"),
            ]
        )
    columns = [
        Cell(text=say("repairs.pair")),
        Cell(text=say("validity.layer")),
        Cell(text=say("repairs.count"), kind="number"),
        Cell(text=say("repairs.share"), kind="number"),
        Cell(text=say("repairs.where")),
    ]
    return folded_table(page, say("repairs.table"), columns, rows, css="sortable")
