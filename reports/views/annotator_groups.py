"""Agreement within and between groups of annotators."""

from __future__ import annotations

import math

from ..page.blocks import Block, Cell, Prose, Table, numeric_cell
from ..page.page import Page, folded_table
from ..page.values import number_cell, value_cell, value_view
from ..results import AttributeGroups, ItemAgreement


def group_blocks(page: Page, layer: ItemAgreement) -> list[Block]:
    """Return a table for each attribute, with a note on what is not shown."""
    say = page.say
    blocks: list[Block] = []
    for found in layer.groups:
        if found.groups:
            blocks.append(_table(page, layer, found))
        else:
            blocks.append(Prose(say("groups.none", attribute=found.attribute), "note"))
        if found.n_hidden:
            hidden = {
                "groups": say.integer(found.n_hidden),
                "n": say.counted("annotator", found.n_hidden_annotators),
            }
            blocks.append(Prose(say("groups.hidden", **hidden), "note"))
        if found.n_unknown:
            n = say.counted("annotator", found.n_unknown)
            blocks.append(Prose(say("groups.unknown", n=n), "note"))
    if any(found.groups for found in layer.groups):
        blocks.append(Prose(say("groups.note"), "note"))
    return blocks


def _table(page: Page, layer: ItemAgreement, found: AttributeGroups) -> Table:
    say = page.say
    rows = []
    for group in found.groups:
        about = say("groups.about", name=group.name, layer=layer.layer)
        cells = [Cell(group.name), number_cell(say, group.n_annotators)]
        for value in (group.within, group.between, group.normalized):
            view = value_view(page, value, about=about)
            cell = value_cell(view)
            cells.append(Cell(value=cell.value, kind="number", sort=view.sort, text=view.interval))
        cells.append(numeric_cell(_p_value(page, group.p_corrected), group.p_corrected))
        rows.append(cells)
    columns = [
        Cell(found.attribute),
        numeric_cell(say("groups.annotators")),
        numeric_cell(say("groups.within")),
        numeric_cell(say("groups.between")),
        numeric_cell(say("groups.normalized")),
        numeric_cell(say("groups.p")),
    ]
    least = max((g.least_p for g in found.groups if math.isfinite(g.least_p)), default=math.nan)
    note = say("groups.least_p", p=say.number(least, 3)) if least > 0.01 else ""
    caption = say("groups.table", attribute=found.attribute)
    return folded_table(page, caption, columns, rows, note=note, css="sortable")


def _p_value(page: Page, p: float) -> str:
    return page.say.plain(p, 3) if math.isfinite(p) else "–"
