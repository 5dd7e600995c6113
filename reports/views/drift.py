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
from ..page.blocks import Block, Cell, Figure, Fold, Grid, Section, Table, numeric
from ..page.page import Page, folded_table
from ..page.values import interval_heading, interval_text, symbol_of
from ..results import ItemAgreement, RunPoint, UnitAgreement
from .trend import days, run_number

N_LIMITS = 6
KINDS = ("run", "batch", "time")
_DATES = 3  # on the axis


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


def _point_name(say: Language, point: RunPoint) -> str:
    """`run 7` in the page's language; batches, periods and the present run have their own names."""
    number = run_number(point)
    is_earlier = point.kind == "run" and number.isdigit()
    return say("drift.of_run", n=number) if is_earlier else point.run


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
    blocks: list[Block] = [_changes(page)] if page.results.drift else []
    blocks += [Grid(figures)] if figures else []
    blocks.append(Fold(say("drift.tables"), tables))
    return Section("drift", say("drift.title"), blocks, lead=say("drift.lead"))


def _changes(page: Page) -> Table:
    """Each main value against earlier runs, with its paired interval and its alerts."""
    say = page.say
    rows = []
    for one in page.results.drift:
        run = say("drift.of_run", n=one.since.removeprefix("run "))
        alert = one.fell or one.is_falling
        rows.append(
            [
                Cell(", ".join(part for part in (symbol_of(say, one.measure), one.layer) if part)),
                Cell(run),
                numeric(say.signed(one.difference), one.difference),
                numeric(interval_text(say, one.interval, say.signed) or "–"),
                numeric(say.signed(one.slope) if one.n_runs else "–"),
                numeric(interval_text(say, one.slope_interval, say.signed) or "–"),
                Cell(
                    say("drift.alert" if alert else "drift.no_alert"),
                    kind="fail" if alert else "text",
                ),
            ]
        )
    names = ("value", "since", "difference", "interval", "slope", "interval", "state")
    columns = [
        (Cell if name in ("value", "since", "state") else numeric)(say(f"drift.column_{name}"))
        for name in names
    ]
    return Table(say("drift.changes"), columns, rows, note=say("drift.note"))


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
            started=page.results.run.started,
            guideline=page.results.campaign.guideline,
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
    return series_figure(page, whole, levels, caption, remark)


def series_figure(
    page: Page, whole: Sequence[RunPoint], levels: Sequence[Level], caption: str, remark: str = ""
) -> Figure:
    """A value over its points, which are places in time where they are runs of several days."""
    say = page.say
    places, ticks, labels = _axis(page, whole)
    points = [
        Point(x, p.value, p.interval[0], p.interval[1]) for x, p in zip(places, whole, strict=True)
    ]
    bounds = [v for p in points for v in (p.y, p.low, p.high) if math.isfinite(v)]
    bounds += [level.y for level in levels]
    svg = curve(
        points,
        x_title=say("drift.dates" if labels else "drift.axis"),
        y_title=symbol_of(say, whole[0].measure),
        identifier=page.identifier("f"),
        title=caption,
        description=remark or caption,
        say=say,
        y_range=(math.floor(min(bounds) * 10) / 10, math.ceil(max(bounds) * 10) / 10),
        x_ticks=ticks,
        x_labels=labels,
        marks=_guidelines(page, whole, places),
        levels=levels,
        whiskers=True,
        room=(places[-1] - places[0] or 1.0) * 0.16,
    )
    return Figure(svg, f"{caption}. {remark}" if remark else caption)


def _axis(
    page: Page, whole: Sequence[RunPoint]
) -> tuple[list[float], list[float] | None, list[str]]:
    """Places of the points, ticks and their labels: dates of runs on several days, or the order."""
    in_order = [float(k) for k in range(1, len(whole) + 1)]
    numbered = in_order if len(whole) <= 12 else None
    if whole[0].kind != "run":
        return in_order, numbered, []
    *earlier, last = whole
    places = days(earlier, last.started)
    if not last.started or places[-1] - places[0] < 1:
        return in_order, numbered, []
    dates = [point.started[:10] for point in whole]
    kept = sorted({round(k * (len(whole) - 1) / (_DATES - 1)) for k in range(_DATES)})
    kept = [k for n, k in enumerate(kept) if not n or dates[k] != dates[kept[n - 1]]]
    return places, [places[k] for k in kept], [dates[k] for k in kept]


def _guidelines(
    page: Page, whole: Sequence[RunPoint], places: Sequence[float]
) -> list[tuple[float, str]]:
    """Where the version of the guideline changed."""
    return [
        (place, page.say("drift.guideline", version=now.guideline))
        for before, now, place in zip(whole, whole[1:], places[1:], strict=False)
        if now.guideline and before.guideline != now.guideline
    ]


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
