"""Numeric ratings: reliability, scale, forecast, limits of agreement and repeatability."""

from __future__ import annotations

from typing import TypeAlias

from ...metrics.estimate import Estimate
from ..columns import Column, interval, number, text
from ..figures.bland_altman import bland_altman
from ..figures.curve import Level
from ..page.blocks import Block, Cell, Figure, Prose, Section, Table
from ..page.page import Page, blocks_by_layer
from ..page.tables import table
from ..page.values import (
    forest_table,
    interval_heading,
    name_with_symbol,
    value_cell,
    value_in_short,
)
from ..ratings import limit_text, repeatability_sentence, scale_sentence
from ..results import ItemAgreement, Named, RatingStudy

_OfK: TypeAlias = tuple[int, list[Estimate]]


def ratings_section(page: Page) -> Section | None:
    layers = [one for one in page.results.items if one.ratings is not None]
    blocks = blocks_by_layer(page, layers, _layer_blocks)
    study = layers[0].ratings if layers else None
    values = study.reliability[:1] if study else []
    return page.section(
        "ratings", blocks, inside=" ".join(value_in_short(page.say, v) for v in values)
    )


def _layer_blocks(page: Page, layer: ItemAgreement) -> list[Block]:
    say, study = page.say, layer.ratings
    if study is None:
        return []
    name = layer.layer or say("items.the_items")
    blocks: list[Block] = [Prose(say("ratings.lead", layer=name), "lead")]
    blocks.append(_value_table(page, layer, study.reliability, "reliability"))
    blocks += [_scale_table(page, layer, study), Prose(scale_sentence(say, study))]
    blocks.append(_forecast_table(page, layer, study.forecast))
    if study.widest:
        blocks.append(_figure(page, study))
    if study.pairs:
        blocks.append(_limit_table(page, layer, study))
    blocks.append(Prose(repeatability_sentence(say, study.repeatability)))
    return blocks


def _value_table(page: Page, layer: ItemAgreement, values: list[Estimate], what: str) -> Table:
    say = page.say
    named = [Named(name=name_with_symbol(say, value), value=value) for value in values]
    return forest_table(
        page,
        say(f"ratings.{what}"),
        named,
        first_column=say("table.measure"),
        about=layer.layer,
        note=say(f"ratings.{what}_note"),
    )


def _scale_table(page: Page, layer: ItemAgreement, study: RatingStudy) -> Table:
    say = page.say
    named = [
        Named(name=say(f"ratings.scale_{one.how.distance}"), value=one) for one in study.scales
    ]
    return forest_table(
        page,
        say("ratings.scales"),
        named,
        first_column=say("ratings.scale"),
        about=layer.layer,
        note=say("ratings.scales_note"),
    )


def _forecast_table(page: Page, layer: ItemAgreement, forecast: list[Estimate]) -> Table:
    """Show a row for each k: Eρ² and Φ with their intervals."""
    say = page.say
    of_k: dict[int, list[Estimate]] = {}
    for value in forecast:
        of_k.setdefault(int(value.detail.k), []).append(value)
    return table(
        say, say("ratings.forecast"), of_k.items(),
        text(say("ratings.k"), lambda row: row[0]),
        *(
            column
            for place, symbol in enumerate(("Eρ²", "Φ"))
            for column in _forecast_columns(page, layer, place, symbol)
        ),
        note=say("ratings.forecast_note"),
    )  # fmt: skip


def _forecast_columns(
    page: Page, layer: ItemAgreement, place: int, symbol: str
) -> tuple[Column[_OfK], Column[_OfK]]:
    def measured(row: _OfK) -> Cell | None:
        return value_cell(page, row[1][place], about=f"{layer.layer}, k = {row[0]}")

    heading = interval_heading(page.say)
    return number(symbol, measured), interval(heading, lambda row: row[1][place].interval)


def _limit_table(page: Page, layer: ItemAgreement, study: RatingStudy) -> Table:
    say = page.say

    def between(pair: Estimate) -> str:
        return f"{pair.detail.first} − {pair.detail.second}"

    return table(
        say, say("ratings.limits"), study.pairs,
        text(say("ratings.pair"), between),
        number(
            say("ratings.difference"),
            lambda pair: value_cell(page, pair, about=f"{layer.layer}, {between(pair)}"),
        ),
        interval(
            interval_heading(say, study.pairs[0].confidence_level), lambda pair: pair.interval
        ),
        number(say("ratings.lower"), lambda pair: limit_text(say, pair, "lower")),
        number(say("ratings.upper"), lambda pair: limit_text(say, pair, "upper")),
        number(say("ratings.items"), lambda pair: pair.n_items),
        note=say("ratings.limits_note"),
    )  # fmt: skip


def _figure(page: Page, study: RatingStudy) -> Figure:
    say = page.say
    known = [pair for pair in study.pairs if pair.reason is None]
    pair = max(known, key=lambda one: one.detail.sd)
    names = {"first": pair.detail.first, "second": pair.detail.second}
    lower, upper = pair.detail.lower, pair.detail.upper
    levels = [
        Level(upper, say.number(upper, 2)),
        Level(pair.value, f"{say('ratings.mean')} {say.number(pair.value, 2)}"),
        Level(lower, say.number(lower, 2)),
    ]
    caption = say("ratings.figure", **names)
    svg = bland_altman(
        [(dot.mean, dot.difference) for dot in study.widest],
        levels,
        x_title=say("ratings.x"),
        y_title=say("ratings.y", **names),
        say=say,
    ).named(page.identifier("bland-altman"), caption, say("ratings.figure_note"))
    return Figure(svg, f"{caption}. {say('ratings.figure_note')}", signature=pair.signature)
