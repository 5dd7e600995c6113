"""Coefficients on items: a forest plot, why the coefficients differ, confusions."""

from __future__ import annotations

import math

from ..columns import each, number, text
from ..page.blocks import Block, Cell, Facts, Fold, Prose, Section, Table
from ..page.page import Page, blocks_by_layer
from ..page.tables import table
from ..page.values import (
    chance_model,
    measure_name,
    measure_table,
    symbol_of,
    value_cell,
    value_in_short,
)
from ..results import ItemAgreement, Universe
from .confusions import confusion_table


def items_section(page: Page) -> Section | None:
    blocks = blocks_by_layer(page, page.results.items, _layer_blocks)
    return page.section("items", blocks, inside=_shown_when_closed(page))


def _shown_when_closed(page: Page) -> str:
    say = page.say
    layer = next((one for one in page.results.items if one.values), None)
    if layer is None:
        return ""
    value, items = value_in_short(say, layer.values[0]), say.counted("item", layer.n_items)
    return say("items.inside", value=value, items=items, n=say.integer(len(layer.values)))


def _layer_blocks(page: Page, layer: ItemAgreement) -> list[Block]:
    say = page.say
    counts = [
        say.counted("item", layer.n_items),
        say.counted("human", len(layer.annotators)),
        *([] if layer.objects else [say.counted("category", len(layer.tagset))]),
    ]
    lead = say("items.lead", layer=layer.layer or say("items.the_items"), counts=say.listed(counts))
    if layer.n_unpaired:
        lead += " " + say("items.unpaired", n=say.counted("item", layer.n_unpaired))
    if layer.n_duplicates:
        lead += " " + say("items.duplicates", n=say.counted("label", layer.n_duplicates))
    blocks: list[Block] = [Prose(lead)]
    if layer.values:
        blocks += [_coefficient_table(page, layer), *_explanation_blocks(page, layer)]
    if layer.universes:
        blocks += [page.heading(say("universe.title")), *_subset_blocks(page, layer)]
    if layer.proposed_distances:
        blocks += [page.heading(say("distances.title")), *_distance_blocks(page, layer)]
    return blocks


def _coefficient_table(page: Page, layer: ItemAgreement) -> Table:
    say = page.say
    threshold = next(
        (
            gate.threshold
            for gate in page.results.gates
            if not gate.is_of_part
            and gate.measure == layer.values[0].measure
            and gate.layer in ("", layer.layer)
        ),
        math.nan,
    )
    caption, note = say("items.forest", layer=layer.layer), say("items.forest_note")
    about = layer.layer or page.results.campaign.name
    return measure_table(page, caption, layer.values, about, threshold=threshold, note=note)


def _explanation_blocks(page: Page, layer: ItemAgreement) -> list[Block]:
    """Describe the chance model of each coefficient in a sentence, with the resulting p_e."""
    say = page.say
    rows: dict[str, str] = {}
    for value in layer.values:
        model = chance_model(say, value)
        if model:
            if math.isfinite(value.expected):
                model += " " + say("items.expected_here", expected=say.number(value.expected))
            rows.setdefault(measure_name(say, value.measure), model)
    if len(rows) < 2:
        return []
    return [Fold(say("items.why"), [Prose(say("items.why_lead")), Facts(list(rows.items()))], True)]


def _subset_blocks(page: Page, layer: ItemAgreement) -> list[Block]:
    """Show the same coefficients on several subsets of items, side by side (Fort et al. 2010)."""
    say = page.say
    universes = layer.universes
    measures = list(dict.fromkeys(v.measure for u in universes for v in u.values))
    kept = next((one.tagset for one in universes if [*one.tagset] != layer.tagset), layer.tagset)
    null = next((one for one in layer.tagset if kept and one not in kept), "")

    def measured(universe: Universe, measure: str) -> Cell | None:
        value = {value.measure: value for value in universe.values}.get(measure)
        about = f"{layer.layer}, {universe.name}"
        return value_cell(page, value, about=about, with_interval=True)

    compared = table(
        say, say("universe.table"), universes,
        text(
            say("universe.universe"),
            lambda universe: Cell(universe.name, language=page.language_of_texts),
        ),
        number(say("table.items"), lambda universe: universe.n_items),
        *each(
            measures,
            lambda one: number(symbol_of(say, one), lambda universe: measured(universe, one)),
        ),
        note=say("universe.without_null", null=null) if null else "",
    )  # fmt: skip
    blocks: list[Block] = [Prose(say("universe.lead")), compared]
    matrices: list[Block] = []
    for universe in universes:
        if universe.confusion is not None:
            names = universe.tagset or layer.tagset
            matrices.append(page.heading(universe.name))
            matrices.append(confusion_table(page, universe.confusion, names))
    if matrices:
        blocks.append(Fold(say("universe.matrices"), matrices))
    return blocks


def _distance_blocks(page: Page, layer: ItemAgreement) -> list[Block]:
    """Show distances computed from the annotations, as proposals that are not used by default."""
    say = page.say
    blocks: list[Block] = [Prose(say("distances.lead"))]
    names = layer.tagset[:16]
    for key, matrix in layer.proposed_distances.items():
        blocks.append(
            table(
                say,
                say(f"distance.{key}") if say.knows(f"distance.{key}") else key,
                zip(names, matrix, strict=False),
                text(say("table.category"), lambda row: row[0]),
                *each(range(len(names)), lambda k: number(names[k], lambda row: row[1][k], "2")),
                css="matrix",
            )
        )
    return [Fold(say("distances.fold"), blocks)]
