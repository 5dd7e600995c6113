"""Coefficients on items: a forest plot, why the coefficients differ, confusions."""

from __future__ import annotations

import math
from dataclasses import replace

from ...metrics.estimate import Estimate
from ..page.blocks import Block, Cell, Facts, Fold, Prose, Section, Table, numeric_cell
from ..page.page import Page, blocks_by_layer
from ..page.values import (
    chance_model,
    forest_table,
    measure_name,
    name_with_symbol,
    symbol_of,
    value_cell,
    value_view,
)
from ..results import ItemAgreement, Named
from .confusions import confusion_table


def items_section(page: Page) -> Section | None:
    return page.section("items", blocks_by_layer(page, page.results.items, _layer_blocks))


def _layer_blocks(page: Page, layer: ItemAgreement) -> list[Block]:
    say = page.say
    counts = [
        say.counted("item", layer.n_items),
        say.counted("human", len(layer.annotators)),
        say.counted("category", len(layer.tagset)),
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
    named = [Named(name=_title(page, value), value=value) for value in layer.values]
    threshold = next(
        (
            gate.threshold
            for gate in page.results.gates
            if gate.measure == layer.values[0].measure and gate.layer in ("", layer.layer)
        ),
        math.nan,
    )
    return forest_table(
        page,
        say("items.forest", layer=layer.layer),
        named,
        first_column=say("table.measure"),
        about=layer.layer,
        names=[layer.layer or page.results.campaign.name] * len(named),
        threshold=threshold,
        note=say("items.forest_note"),
    )


def _title(page: Page, value: Estimate) -> str:
    return name_with_symbol(page.say, value)


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
    rows = []
    for universe in universes:
        name = Cell(universe.name, language=page.own_language)
        cells = [name, numeric_cell(say.integer(universe.n_items))]
        by_measure = {value.measure: value for value in universe.values}
        for measure in measures:
            value = by_measure.get(measure)
            if value is None:
                cells.append(numeric_cell("–"))
            else:
                view = value_view(page, value, about=f"{layer.layer}, {universe.name}")
                cells.append(replace(value_cell(view), text=view.interval))
        rows.append(cells)
    columns = [
        Cell(say("universe.universe")),
        numeric_cell(say("table.items")),
        *(numeric_cell(symbol_of(say, measure)) for measure in measures),
    ]
    kept = next((one.tagset for one in universes if one.tagset != layer.tagset), layer.tagset)
    null = next((one for one in layer.tagset if kept and one not in kept), "")
    note = say("universe.without_null", null=null) if null else ""
    blocks: list[Block] = [
        Prose(say("universe.lead")),
        Table(say("universe.table"), columns, rows, note=note),
    ]
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
        rows = [
            [Cell(name), *(numeric_cell(say.number(d, 2)) for d in row[:16])]
            for name, row in zip(names, matrix, strict=False)
        ]
        label = say(f"distance.{key}") if say.knows(f"distance.{key}") else key
        columns = [
            Cell(say("table.category")),
            *(numeric_cell(name) for name in names),
        ]
        blocks.append(Table(label, columns, rows, css="matrix"))
    return [Fold(say("distances.fold"), blocks)]
