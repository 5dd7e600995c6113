"""What the values mean: sentences read off the grids, and the grids themselves."""

from __future__ import annotations

import math

from reports.figures.curve import Level, Point, curve
from reports.notices import told
from reports.results import GridCurve
from reports.views.blocks import Block, Bullets, Figure, Grid, Prose, Section
from reports.views.page import Page
from reports.views.resampling import reading_table_blocks
from reports.views.values import symbol_of


def reading_section(page: Page) -> Section | None:
    results, say = page.results, page.say
    blocks: list[Block] = []
    sentences = [told(say, one) for reading in results.readings for one in reading.sentences]
    if sentences:
        blocks.append(Bullets(sentences))
    figures = [_figure(page, grid) for grid in results.grids if grid.magnitudes]
    if figures:
        blocks += [Prose(say("reading.grids")), Grid(figures)]
    for table in results.reading_tables:
        blocks += reading_table_blocks(page, table)
    if not blocks:
        return None
    return Section("reading", say("reading.title"), blocks, lead=say("reading.lead"))


def _figure(page: Page, grid: GridCurve) -> Figure:
    say = page.say
    symbol = symbol_of(say, grid.measure)
    key = f"degradation.{grid.degradation}"
    name = say(key) if say.knows(key) else grid.degradation
    nothing = (math.nan, math.nan)
    intervals = grid.intervals or [nothing] * len(grid.magnitudes)
    points = [
        Point(x, y, low, high)
        for x, y, (low, high) in zip(grid.magnitudes, grid.means, intervals, strict=False)
    ]
    current = next((r.value for r in page.results.readings if r.measure == grid.measure), math.nan)
    level = Level(current, say("reading.yours", symbol=symbol, value=say.number(current)))
    lowest = [v for p in points for v in (p.y, p.low) if math.isfinite(v)]
    svg = curve(
        points,
        x_title=say("reading.magnitude"),
        y_title=symbol,
        identifier=page.identifier("f"),
        title=say("reading.figure", symbol=symbol, degradation=name),
        description=_description(page, points, symbol),
        say=say,
        y_range=(min([0.0, *lowest]), 1.0),
        levels=[level],
    )
    caption = say("reading.figure", symbol=symbol, degradation=name)
    return Figure(svg, caption, signature=grid.signature)


def _description(page: Page, points: list[Point], symbol: str) -> str:
    say = page.say
    drawn = [p for p in points if p.drawn]
    if not drawn:
        return say("value.undefined")
    first, last = drawn[0], drawn[-1]
    return say(
        "reading.description",
        symbol=symbol,
        first=say.number(first.y),
        start=say.number(first.x, 2),
        last=say.number(last.y),
        end=say.number(last.x, 2),
    )
