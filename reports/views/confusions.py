"""Confusion matrices with their marginals, as tables."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..columns import each, number, text
from ..page.blocks import Block, Cell, Fold, Grid, Prose, Table
from ..page.page import Page
from ..page.tables import table
from ..results import Confusion, Disagreement, ItemAgreement
from .disagreements import card_of, disagreements_by_card

N_CATEGORIES = 13  # with more categories, the least confused are merged into one row and column
LONGEST_NAME = 28
N_NARROW = 3  # categories of a matrix that fits half the page
N_OPEN = 3  # matrices shown before the fold
N_SHOWN = 12


def confusion_blocks(page: Page, layer: ItemAgreement) -> list[Block]:
    """Return the matrices of the pairs that differ most, and the coincidences of all annotators."""
    say = page.say
    blocks: list[Block] = []
    if layer.confusions:
        worst = sorted(layer.confusions, key=_agreed_share)[:N_SHOWN]
        tables: list[Block] = [
            confusion_table(page, one, layer.tagset, layer.layer) for one in worst
        ]
        rest = tables[N_OPEN:]
        blocks += [page.heading(say("confusion.title")), Prose(say("confusion.lead"))]
        blocks += _arranged(layer, tables[:N_OPEN])
        if rest:
            fold = say("confusion.fold", n=say.integer(len(rest)))
            blocks.append(Fold(fold, _arranged(layer, rest)))
        left = len(layer.confusions) - len(tables)
        if left > 0:
            blocks.append(Prose(say("table.more", n=say.integer(left)), "note"))
    if len(layer.annotators) > 2 and 0 < len(layer.coincidences) <= N_CATEGORIES:
        table = coincidence_table(page, layer.coincidences, layer.tagset)
        blocks.append(Fold(say("coincidence.fold"), [Prose(say("coincidence.lead")), table]))
    return blocks


def _arranged(layer: ItemAgreement, tables: list[Block]) -> Sequence[Block]:
    """Put small matrices side by side; larger ones need the width of the page."""
    return [Grid(tables)] if len(layer.tagset) <= N_NARROW else tables


def confusion_table(
    page: Page, confusion: Confusion, tagset: Sequence[str], layer: str = ""
) -> Table:
    """Show counts with row and column totals; a long tagset keeps its most confused categories.

    layer  whose disagreements the cells open; "" for none
    """
    say = page.say
    matrix, names = _merged(confusion.matrix, list(tagset), page)
    shown = disagreements_by_card(page) if layer else {}
    largest = max((count for row in matrix for count in row), default=0) or 1
    margins = [sum(column) for column in zip(*matrix, strict=True)]

    def counted(i: int, j: int) -> Cell | str:
        if i == len(matrix):
            return _count(page, margins[j])
        linked = Cell()
        if i != j:
            linked = _linked_count_cell(shown, confusion, layer, (names[i], names[j]))
        kind = "share agreed" if i == j else "share"
        share = round(matrix[i][j] / largest, 3)
        return replace(linked, text=_count(page, matrix[i][j]), kind=kind, share=share)

    agreed = sum(row[i] for i, row in enumerate(confusion.matrix))
    n = sum(sum(row) for row in confusion.matrix)
    caption = say(
        "confusion.caption",
        row=confusion.row_annotator,
        column=confusion.column_annotator,
        agreed=_count(page, agreed),
        n=_count(page, n),
    )
    return table(
        say, caption, range(len(matrix) + 1),
        text(
            say("confusion.corner", row=confusion.row_annotator, column=confusion.column_annotator),
            lambda i: [*names, say("table.total")][i],
        ),
        *each(range(len(names)), lambda j: number(names[j], lambda i: counted(i, j))),
        number(say("table.total"), lambda i: _count(page, sum([*matrix, margins][i]))),
        note=say("confusion.merged") if len(confusion.matrix) > N_CATEGORIES else "",
        css="matrix confusion",
    )  # fmt: skip


def _linked_count_cell(
    shown: Mapping[str, Disagreement], confusion: Confusion, layer: str, categories: tuple[str, str]
) -> Cell:
    """Link a cell to its disagreements if the page shows one."""
    annotators = (confusion.row_annotator, confusion.column_annotator)
    said = dict(zip(annotators, categories, strict=True))
    card = card_of(shown, layer, said)
    if not card:
        return Cell()
    chosen = json.dumps({"layer": layer, "said": said}, ensure_ascii=False)
    return Cell(href=f"#{card}", filter=chosen)


def coincidence_table(
    page: Page, coincidences: Sequence[Sequence[float]], names: Sequence[str]
) -> Table:
    """Show the coincidence matrix with its margins n_c and every category."""
    say = page.say
    short = [_short(name) for name in names]
    return table(
        say, say("coincidence.caption"), zip(short, coincidences, strict=True),
        text(say("coincidence.corner"), lambda row: row[0]),
        *each(
            range(len(short)), lambda k: number(short[k], lambda row: _count(page, row[1][k], "3"))
        ),
        number(say("coincidence.margin"), lambda row: _count(page, sum(row[1]), "3")),
        css="matrix",
    )  # fmt: skip


def _agreed_share(confusion: Confusion) -> float:
    """Return the share of items on the diagonal; 1 without items."""
    n = sum(sum(row) for row in confusion.matrix)
    return sum(row[i] for i, row in enumerate(confusion.matrix)) / n if n else 1.0


def _count(page: Page, count: float, shape: str = "1") -> str:
    """Format a count, which is a sum of weights if labels are missing."""
    whole = abs(count - round(count)) < 1e-9
    return page.say.integer(count) if whole else page.say.figure(count, shape)


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def _merged(
    matrix: Sequence[Sequence[float]], names: list[str], page: Page
) -> tuple[list[list[float]], list[str]]:
    n = len(matrix)
    names = [_short(name) for name in names[:n]] + [f"#{k + 1}" for k in range(len(names), n)]
    if n <= N_CATEGORIES:
        return [list(row) for row in matrix], names
    confused = [sum(matrix[k]) + sum(row[k] for row in matrix) - 2 * matrix[k][k] for k in range(n)]
    kept = sorted(sorted(range(n), key=lambda k: -confused[k])[: N_CATEGORIES - 1])
    place = {k: i for i, k in enumerate(kept)}
    size = len(kept) + 1
    small = [[0.0] * size for _ in range(size)]
    for i, row in enumerate(matrix):
        for j, count in enumerate(row):
            small[place.get(i, size - 1)][place.get(j, size - 1)] += count
    return small, [*(names[k] for k in kept), page.say.counted("other_category", n - len(kept))]
