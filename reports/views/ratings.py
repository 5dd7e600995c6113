"""Numeric ratings: reliability, scale, forecast, limits of agreement and repeatability."""

from __future__ import annotations

from ...metrics.estimate import Estimate
from ..figures.bland_altman import bland_altman
from ..figures.curve import Level
from ..page.blocks import Block, Cell, Figure, Prose, Section, Table, numeric_cell
from ..page.page import Page, blocks_by_layer, folded_table
from ..page.values import forest_table, name_with_symbol, value_cell, value_view
from ..ratings import limit_text, repeatability_sentence, scale_sentence
from ..results import ItemAgreement, Named, RatingStudy


def ratings_section(page: Page) -> Section | None:
    layers = [one for one in page.results.items if one.ratings is not None]
    blocks = blocks_by_layer(page, layers, _layer_blocks)
    return Section("ratings", page.say("ratings.title"), blocks) if blocks else None


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
        of_k.setdefault(int(value.detail["k"]), []).append(value)
    rows = []
    for k, values in of_k.items():
        cells = [Cell(str(k))]
        for value in values:
            view = value_view(page, value, about=f"{layer.layer}, k = {k}")
            cells += [value_cell(view), numeric_cell(view.interval)]
        rows.append(cells)
    columns = [Cell(say("ratings.k"))]
    for symbol in ("Eρ²", "Φ"):
        columns += [
            numeric_cell(symbol),
            numeric_cell(say("table.interval", level=say.percent(0.95, 0))),
        ]
    note = say("ratings.forecast_note")
    return folded_table(page, say("ratings.forecast"), columns, rows, note=note)


def _limit_table(page: Page, layer: ItemAgreement, study: RatingStudy) -> Table:
    say = page.say
    rows = []
    for pair in study.pairs:
        between = f"{pair.detail['first']} − {pair.detail['second']}"
        view = value_view(page, pair, about=f"{layer.layer}, {between}")
        limits = [numeric_cell(limit_text(say, pair, which)) for which in ("lower", "upper")]
        items = numeric_cell(say.integer(pair.n_items))
        rows.append([Cell(between), value_cell(view), numeric_cell(view.interval), *limits, items])
    columns = [
        Cell(say("ratings.pair")),
        numeric_cell(say("ratings.difference")),
        numeric_cell(say("table.interval", level=say.percent(study.pairs[0].level, 0))),
        numeric_cell(say("ratings.lower")),
        numeric_cell(say("ratings.upper")),
        numeric_cell(say("ratings.items")),
    ]
    note = say("ratings.limits_note")
    return folded_table(page, say("ratings.limits"), columns, rows, note=note)


def _figure(page: Page, study: RatingStudy) -> Figure:
    say = page.say
    known = [pair for pair in study.pairs if pair.reason is None]
    pair = max(known, key=lambda one: float(one.detail["sd"]))
    names = {name: str(pair.detail[name]) for name in ("first", "second")}
    lower, upper = float(pair.detail["lower"]), float(pair.detail["upper"])
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
        identifier=page.identifier("bland-altman"),
        title=caption,
        description=say("ratings.figure_note"),
        say=say,
    )
    return Figure(svg, f"{caption}. {say('ratings.figure_note')}", signature=pair.signature)
