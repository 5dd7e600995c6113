"""Drift: main values over runs, batches and time, on an individuals control chart.

Limits are mean ± 2.66 × mean moving range (Shewhart's chart for individual values: 3 / 1.128),
taken from at least `N_LIMITS` points; with fewer the chart has none and says so.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from ...metrics.estimate import Estimate
from ..figures.curve import Level, Point, curve
from ..language import Language
from ..page.blocks import Block, Cell, Figure, Fold, Grid, Section, numeric
from ..page.page import Page, folded_table
from ..page.values import interval_heading, interval_text, symbol_of
from ..results import ItemAgreement, RunPoint, UnitAgreement

N_LIMITS = 6
KINDS = ("run", "batch", "time")


@dataclass(frozen=True, slots=True)
class Limits:
    mean: float
    lower: float
    upper: float


def control_limits(values: Sequence[float]) -> Limits | None:
    """Limits of an individuals chart, or None with fewer than `N_LIMITS` defined values."""
    known = [value for value in values if math.isfinite(value)]
    if len(known) < N_LIMITS:
        return None
    mean = sum(known) / len(known)
    ranges = [abs(b - a) for a, b in itertools.pairwise(known)]
    spread = 2.66 * sum(ranges) / len(ranges)
    return Limits(mean, mean - spread, mean + spread)


def run_number(point: RunPoint) -> str:
    """`7` of the point of `run 7`."""
    return point.run.removeprefix("run ")


def _point_name(say: Language, point: RunPoint) -> str:
    """`run 7` in the page's language; batches, periods and the present run have their own names."""
    number = run_number(point)
    is_earlier = point.kind == "run" and number.isdigit()
    return f"{say('drift.run')} {number}" if is_earlier else point.run


def drift_section(page: Page) -> Section | None:
    say = page.say
    series: dict[tuple[str, str, str], list[RunPoint]] = {}
    for point in page.results.history:
        series.setdefault((point.kind, point.measure, point.layer), []).append(point)
    figures: list[Block] = []
    tables: list[Block] = []
    for (kind, measure, layer), points in series.items():
        name = say(f"drift.{kind}") if kind in KINDS else kind
        caption = say("drift.caption", symbol=symbol_of(say, measure), layer=layer, kind=name)
        whole = [*points, *_current(page, kind, measure, layer)]
        if any(math.isfinite(point.value) for point in whole):
            figures.append(_figure(page, whole, points, caption))
        tables.append(_table(page, whole, caption))
    if not tables:
        return None
    blocks: list[Block] = [Grid(figures)] if figures else []
    blocks.append(Fold(say("drift.tables"), tables))
    return Section("drift", say("drift.title"), blocks, lead=say("drift.lead"))


def _current(page: Page, kind: str, measure: str, layer: str) -> list[RunPoint]:
    """The present run's value, after the earlier ones: the history holds those only."""
    if kind != "run":
        return []
    layers: list[ItemAgreement | UnitAgreement] = [*page.results.items, *page.results.units]
    values: list[Estimate] = [
        value
        for agreement in layers
        if agreement.layer == layer
        for value in agreement.values
        if value.measure == measure
    ]
    for relations in page.results.relations:
        if relations.layer == layer:
            values += [one.value for one in relations.values if f"relation_{one.name}" == measure]
            values += relations.chains[:1] if measure == "chain_alpha" else []
    return [
        RunPoint(
            run=page.say("drift.now"),
            measure=measure,
            layer=layer,
            value=value.value,
            interval=value.interval,
            level=value.level,
        )
        for value in values[:1]
    ]


def _figure(
    page: Page, whole: Sequence[RunPoint], earlier: Sequence[RunPoint], caption: str
) -> Figure:
    say = page.say
    limits = control_limits([point.value for point in earlier])
    levels: list[Level] = []
    remark = say("drift.no_limits", n=say.integer(N_LIMITS))
    if limits is not None:
        levels = [
            Level(limits.upper, say("drift.upper"), "limit"),
            Level(limits.mean, say("drift.mean"), "level"),
            Level(limits.lower, say("drift.lower"), "limit"),
        ]
        beyond = [p for p in whole if not limits.lower <= p.value <= limits.upper]
        outside = [_point_name(say, p) for p in beyond if p.run]
        remark = say("drift.outside", runs=say.listed(outside)) if outside else say("drift.inside")
    points = [Point(i, p.value, p.interval[0], p.interval[1]) for i, p in enumerate(whole, 1)]
    bounds = [v for p in points for v in (p.y, p.low, p.high) if math.isfinite(v)]
    bounds += [level.y for level in levels]
    few = len(points) <= 12
    svg = curve(
        points,
        x_title=say("drift.axis"),
        y_title=symbol_of(say, whole[0].measure),
        identifier=page.identifier("f"),
        title=caption,
        description=remark,
        say=say,
        y_range=(math.floor(min(bounds) * 10) / 10, math.ceil(max(bounds) * 10) / 10),
        x_ticks=[p.x for p in points] if few else None,
        levels=levels,
        whiskers=True,
        room=len(points) * 0.16,
    )
    return Figure(svg, f"{caption}. {remark}")


def _table(page: Page, points: Sequence[RunPoint], caption: str) -> Block:
    say = page.say
    rows = [
        [
            Cell(_point_name(say, point)),
            numeric(say.number(point.value)),
            numeric(interval_text(say, point.interval) or "–"),
        ]
        for point in reversed(points)
    ]
    columns = [
        Cell(say("drift.point")),
        numeric(say("table.value")),
        numeric(interval_heading(say, points[0].level)),
    ]
    return folded_table(page, caption, columns, rows)
