"""Agreement within and between groups of annotators."""

from __future__ import annotations

import math

from ...metrics.estimate import Estimate
from ..columns import number, text
from ..page.blocks import Block, Cell, Prose, Table
from ..page.page import Page
from ..page.tables import table
from ..page.values import value_cell
from ..results import AttributeGroups, GroupAgreement, ItemAgreement


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
    least = max((g.least_p for g in found.groups if math.isfinite(g.least_p)), default=math.nan)

    def measured(group: GroupAgreement, value: Estimate) -> Cell | None:
        about = say("groups.about", name=group.name, layer=layer.layer)
        return value_cell(page, value, about=about, with_interval=True)

    return table(
        say, say("groups.table", attribute=found.attribute), found.groups,
        text(found.attribute, lambda group: group.name),
        number(say("groups.annotators"), lambda group: group.n_annotators),
        number(say("groups.within"), lambda group: measured(group, group.within)),
        number(say("groups.between"), lambda group: measured(group, group.between)),
        number(say("groups.normalized"), lambda group: measured(group, group.normalized)),
        number(say("groups.p"), lambda group: group.p_corrected, say.p_value),
        note=say("groups.least_p", p=say.number(least, 3)) if least > 0.01 else "", css="sortable",
    )  # fmt: skip
