"""A value over runs, batches or time as a figure: dates, dated events, control limits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...metrics.quantiles import two_sided_normal_quantile
from ..columns import text
from ..figures.curve import LETTER, Level, Point, curve, limit_key
from ..language import Language
from ..page.blocks import Figure, LegendEntry, Table
from ..page.page import Page
from ..page.tables import table
from ..page.values import symbol_of
from ..results import Batch, Note, RunPoint
from .control_limits import Limits
from .trend import course_text, day_numbers, days_since

_DATES = 3  # on the axis
_NAMES_WIDTH = 280.0  # pixels for the names of all batches on the axis
_MOST_EVENTS = 26  # one letter each


@dataclass(frozen=True, slots=True)
class Event:
    """A note or a new version of the guideline; `mark` is its letter on the figures."""

    mark: str
    date: str  # ISO 8601
    text: str


def events_of(
    say: Language,
    notes: Iterable[Note],
    batches: Iterable[Batch],
    runs: Iterable[tuple[str, str]],
) -> list[Event]:
    """Return the last events by date.

    A version of the guideline begins with the first run that states it (`runs`: start and version);
    a version that only a batch states begins with the batch's first annotation. The initial version
    is not an event.
    """
    found = [(note.date, note.text) for note in notes]
    known: set[str] = set()
    for dated in (runs, ((b.first, b.guideline) for b in batches if b.first)):
        before = ""
        for date, version in sorted(dated):
            if before and version and version != before and version not in known:
                found.append((date, say("drift.guideline", version=version)))
                known.add(version)
            before = version or before
    last = sorted(found)[-_MOST_EVENTS:]
    return [Event(chr(ord("A") + k), date, text) for k, (date, text) in enumerate(last)]


def events_table(page: Page, events: Sequence[Event]) -> list[Table]:
    """Return the legend of the marks; [] without events."""
    say = page.say
    legend = table(
        say, say("drift.events"), events,
        text(say("drift.mark"), lambda one: one.mark),
        text(say("drift.date"), lambda one: one.date[:10]),
        text(say("drift.event"), lambda one: one.text),
        n_shown=None,
    )  # fmt: skip
    return [legend] if events else []


def standard_errors(points: Iterable[RunPoint]) -> list[float]:
    """Return the standard errors from the points' intervals; nan without an interval."""
    return [
        (p.interval[1] - p.interval[0]) / 2 / two_sided_normal_quantile(p.level) for p in points
    ]


def series_figure(
    page: Page,
    whole: Sequence[RunPoint],
    caption: str,
    *,
    events: Sequence[Event] = (),
    levels: Sequence[Level] = (),
    limits: Limits | None = None,
    remark: str = "",
) -> Figure:
    """Plot a value over its points, on a time axis if they have dates on several days."""
    say = page.say
    places, dates = _places(whole)
    ticks, labels = _ticks(places, dates)
    names = [point.run for point in whole] if whole[0].kind == "batch" else []
    if names and max(map(len, names)) * LETTER * len(names) < _NAMES_WIDTH:
        ticks, labels = places, names
    points = [
        Point(x, p.value, p.interval[0], p.interval[1]) for x, p in zip(places, whole, strict=True)
    ]
    values = [p.y for p in points if p.drawn]
    bounds = [] if limits is None else limits.bounds
    if max(values) <= 1:  # as for all coefficients
        bounds = [(low, min(high, 1.0)) for low, high in bounds]
    heights = [v for p in points for v in (p.y, p.low, p.high) if math.isfinite(v)]
    heights += [v for pair in bounds for v in pair if math.isfinite(v)]
    heights += [level.y for level in levels]
    axis = {"time": "drift.periods", "run": "drift.dates"}.get(whole[0].kind, "drift.axis")
    axis = axis if dates else "drift.batch" if labels else "drift.axis"
    svg = curve(
        points,
        x_title=say(axis),
        y_title=symbol_of(say, whole[0].measure),
        say=say,
        y_range=(math.floor(min(heights) * 10) / 10, math.ceil(max(heights) * 10) / 10),
        x_ticks=ticks,
        x_labels=labels,
        marks=_marks(events, whole, places, dates),
        levels=levels,
        bounds=bounds,
        whiskers=True,
        room=(places[-1] - places[0] or 1.0) * 0.16,
    ).named(page.identifier("f"), caption, remark or caption)
    legend = [LegendEntry(limit_key(), say("drift.limits"))] if limits is not None else []
    said = [f"{caption}.", course_text(page, whole), remark]
    return Figure(svg, " ".join(part for part in said if part), legend)


def _places(whole: Sequence[RunPoint]) -> tuple[list[float], list[str]]:
    """Return positions of the points on the axis, and their dates: days, or ranks without dates."""
    dates = [point.run if point.kind == "time" else point.started for point in whole]
    places = day_numbers(dates) if whole[0].kind != "batch" else []
    if places and places[-1] - places[0] >= 1:
        return places, dates
    return [float(k) for k in range(1, len(whole) + 1)], []


def _ticks(
    places: Sequence[float], dates: Sequence[str]
) -> tuple[Sequence[float] | None, list[str]]:
    """Return ticks of the axis and their labels: some dates, far enough apart to be read."""
    if not dates:
        return (places if len(places) <= 12 else None), []
    kept = [0]
    for k in range(1, len(places)):
        step = (places[-1] - places[0]) / (_DATES - 1)
        is_apart = places[k] - places[kept[-1]] >= 0.8 * step
        leaves_room = k == len(places) - 1 or places[-1] - places[k] >= 0.8 * step
        if is_apart and leaves_room:
            kept.append(k)
    return [places[k] for k in kept], [dates[k][:10] for k in kept]


def _marks(
    events: Sequence[Event], whole: Sequence[RunPoint], places: Sequence[float], dates: list[str]
) -> list[tuple[float, str]]:
    """Return positions and letters of the events between the first point and the last.

    Without dates on the axis an event is placed at the first run that began after it.
    """
    letters: dict[float, str] = {}
    starts = dates or [point.started for point in whole]
    offsets = day_numbers(starts)
    for event in events:
        since = days_since(starts[0], event.date)
        if not offsets or math.isnan(since) or since <= -1 or since >= offsets[-1] + 1:
            continue
        if dates:
            place = min(max(since, places[0]), places[-1])
        else:
            place = next(
                (x for x, day in zip(places, offsets, strict=True) if day >= since), places[-1]
            )
        letters[place] = ", ".join(one for one in (letters.get(place, ""), event.mark) if one)
    return sorted(letters.items())
