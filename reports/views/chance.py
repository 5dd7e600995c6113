"""Chance: the observed disorder in the distribution of each process."""

from __future__ import annotations

import math

from ..columns import number, text
from ..figures.chance import chance_distribution
from ..page.blocks import Block, Cell, Figure, Grid, Prose, Section, Table
from ..page.page import Page, blocks_by_layer
from ..page.tables import table
from ..results import ChanceProcess, UnitAgreement
from ..warnings import reason_text


def chance_section(page: Page) -> Section | None:
    layers = [layer for layer in page.results.units if layer.chance]
    blocks = blocks_by_layer(page, layers, _layer_blocks)
    return page.section(
        "chance", blocks, lead=page.say("chance.lead"), inside=_shown_when_closed(page)
    )


def _shown_when_closed(page: Page) -> str:
    """Compare the expected disorder of each layer with the observed one."""
    say = page.say
    named = [
        say(
            "chance.inside",
            layer=layer.layer or say("units.the_units"),
            observed=say.number(layer.observed_disorder),
            expected=say.number(one.mean),
        )
        for layer in page.results.units
        for one in layer.chance
        if one.chosen
    ]
    return say.semicolon_list(named)


def _layer_blocks(page: Page, layer: UnitAgreement) -> list[Block]:
    say = page.say
    per = "document" if layer.chance_per == "document" else "corpus"
    blocks: list[Block] = [Prose(say(f"chance.per_{per}"))]
    figures = [
        _figure(page, layer, process)
        for process in layer.chance
        if any(math.isfinite(sample) for sample in process.samples)
    ]
    if figures:
        blocks.append(Grid(figures))
    blocks.append(_table(page, layer))
    return blocks


def _process_name(page: Page, process: str) -> str:
    key = f"process.{process}.name"
    return page.say(key) if page.say.knows(key) else process


def _figure(page: Page, layer: UnitAgreement, process: ChanceProcess) -> Figure:
    say = page.say
    below = sum(sample <= layer.observed_disorder for sample in process.samples)
    name = _process_name(page, process.process)
    position = say(
        "chance.position",
        below=say.integer(below),
        samples=say.integer(len(process.samples)),
    )
    svg = chance_distribution(
        process.samples,
        observed=layer.observed_disorder,
        expected=process.mean,
        say=say,
    ).named(page.identifier("f"), say("chance.figure", process=name), position)
    compared = process.chosen and len(layer.chance) > 1
    chosen = " " + say("chance.chosen") if compared else ""
    shown = position if math.isfinite(layer.observed_disorder) else ""
    return Figure(svg, f"{name}. {shown}{chosen}".strip())


def _table(page: Page, layer: UnitAgreement) -> Table:
    say = page.say

    def how(one: ChanceProcess) -> str:
        key = f"process.{one.process}.how"
        parts = (say(key) if say.knows(key) else "", reason_text(say, one.reason))
        return " ".join(filter(None, parts))

    return table(
        say, say("chance.table"), layer.chance,
        text(say("chance.column_process"), lambda one: _process_name(page, one.process)),
        text(say("chance.column_how"), how),
        number(say("chance.column_samples"), lambda one: one.n_samples),
        number(say("chance.column_mean"), lambda one: one.mean),
        number(say("chance.column_deviation"), lambda one: one.standard_deviation),
        number(say("chance.column_precision"), lambda one: one.precision, "2%"),
        text(
            say("chance.column_used"),
            lambda one: Cell(say("chance.is_chosen"), kind="pass") if one.chosen else None,
        ),
    )  # fmt: skip
