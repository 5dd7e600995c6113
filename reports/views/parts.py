"""Agreement part by part: categories, pairs, one annotator left out, documents, passes."""

from __future__ import annotations

from reports.results import ItemAgreement, UnitAgreement
from reports.views.blocks import Block
from reports.views.page import Page
from reports.views.values import forest_table, measure_name


def part_tables(page: Page, layer: ItemAgreement | UnitAgreement) -> list[Block]:
    """One forest table for each way of taking the layer apart that has values."""
    say = page.say
    blocks: list[Block] = []
    for key, named, worst_first in (
        ("category", layer.per_category, False),
        ("pair", layer.per_pair, True),
        ("left_out", layer.leave_one_out, False),
        ("document", layer.per_document, True),
        ("pass", layer.intra, True),
    ):
        if not named:
            continue
        measure = measure_name(say, named[0].value.measure)
        about = layer.layer or page.results.campaign.name
        blocks.append(
            forest_table(
                page,
                say(f"parts.{key}", measure=measure),
                named,
                first_column=say(f"parts.{key}_column"),
                about=about,
                worst_first=worst_first,
                note=say(f"parts.{key}_note"),
                counted="unit" if isinstance(layer, UnitAgreement) else "item",
            )
        )
    return blocks
