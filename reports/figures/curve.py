"""Curves with a band: M(k), reading grids, control charts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from ..language import Language
from .axes import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Frame, frame
from .svg import Chart, join_markup, line, path, text

LETTER = 5.6  # for the labels of levels
_LABEL, _CLEAR = 11.0, 3.0  # height of a label, and space around it


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a curve, with its interval if there is one."""

    x: float
    y: float
    low: float = math.nan
    high: float = math.nan

    @property
    def drawn(self) -> bool:
        return math.isfinite(self.y)


@dataclass(frozen=True, slots=True)
class Level:
    """A horizontal line: a control limit, a mean, a campaign's value."""

    y: float
    label: str
    css: str = "level"


def value_range(*heights: float) -> tuple[float, float]:
    """Return an axis range for coefficients, in twentieths; with 0 only if values are near it."""
    known = [height for height in heights if math.isfinite(height)]
    if not known:
        return 0.0, 1.0
    room = max(0.05 * (max(known) - min(known)), 0.02)
    low = max(math.floor((min(known) - room) * 20) / 20, -1.0)
    high = min(math.ceil((max(known) + room) * 20) / 20, max(1.0, *known))
    return (0.0 if 0 < low < 0.5 * (high - low) else low), high


def curve(
    points: Sequence[Point],
    *,
    x_title: str,
    y_title: str,
    say: Language,
    y_range: tuple[float, float] | None = None,
    x_ticks: Sequence[float] | None = None,
    x_labels: Sequence[str] = (),
    marks: Sequence[tuple[float, str]] = (),
    levels: Sequence[Level] = (),
    bounds: Sequence[tuple[float, float]] = (),
    x_percent: bool = False,
    y_percent: bool = False,
    whiskers: bool = False,
    room: float = 0.0,
    shares: bool = False,
) -> Chart:
    """Draw a line through the defined points, its intervals as a band (or whiskers), and levels.

    `room` widens the x axis to the right, for the labels of the levels. `marks` are vertical lines
    with their labels; `x_labels` are labels of the ticks if these are not numbers; `bounds` are
    lower and upper limits at each point, drawn in steps. `shares`: both axes go from 0 to 1, and a
    line shows where they are equal.
    """
    drawn = [p for p in points if p.drawn]
    heights = [v for p in drawn for v in (p.y, p.low, p.high) if math.isfinite(v)]
    heights += [level.y for level in levels if math.isfinite(level.y)]
    low, high = (
        (0.0, 1.0)
        if shares
        else y_range or (min([0.0, *heights]), max([0.0, *heights]) * 1.08 or 1.0)
    )
    xs = [0.0, 1.0] if shares else [p.x for p in points] or [0.0, 1.0]
    axes = frame(
        say,
        x=(min(xs), max(xs) + room),
        y=(low, high),
        x_title=x_title,
        y_title=y_title,
        x_ticks=x_ticks,
        x_labels=x_labels,
        x_percent=x_percent,
        y_percent=y_percent,
    )
    parts = [axes.body, *_levels(levels, axes), *_marks(marks, axes), *_steps(xs, bounds, axes)]
    limits = [
        [Point(x, pair[side]) for x, pair in zip(xs[: len(bounds)], bounds, strict=True)]
        for side in (0, 1)
    ]
    labels = _level_labels(levels, axes, [drawn, *limits])
    if shares:
        parts.append(line(axes.x(0.0), axes.y(0.0), axes.x(1.0), axes.y(1.0), "level"))
    with_interval = [p for p in drawn if math.isfinite(p.low) and math.isfinite(p.high)]
    if whiskers:
        parts += [
            line(axes.x(p.x), axes.y(p.low), axes.x(p.x), axes.y(p.high), "whisker")
            for p in with_interval
        ]
    elif len(with_interval) > 1:
        upper = [(axes.x(p.x), axes.y(p.high)) for p in with_interval]
        lower = [(axes.x(p.x), axes.y(p.low)) for p in reversed(with_interval)]
        parts.append(path(upper + lower, "band", closed=True))
    if len(drawn) > 1:
        parts.append(path([(axes.x(p.x), axes.y(p.y)) for p in drawn], "curve"))
    if len(drawn) <= 40:
        parts += [
            Markup('<circle class="point" cx="{:g}" cy="{:g}" r="3.2"/>').format(
                axes.x(p.x), axes.y(p.y)
            )
            for p in drawn
        ]
    return Chart(WIDTH, HEIGHT, join_markup([*parts, *labels]))


def _levels(levels: Sequence[Level], axes: Frame) -> list[Markup]:
    parts = []
    for level in levels:
        if math.isfinite(level.y):
            y = axes.y(level.y)
            parts.append(line(LEFT, y, WIDTH - RIGHT, y, level.css))
    return parts


def _marks(marks: Sequence[tuple[float, str]], axes: Frame) -> list[Markup]:
    parts: list[Markup] = []
    last, height = -math.inf, 0.0
    for x, label in marks:
        at = axes.x(x)
        height = (height + _LABEL) % (3 * _LABEL) if at - last < LETTER * (len(label) + 2) else 0.0
        last = at
        parts.append(line(at, TOP, at, HEIGHT - BOTTOM, "event"))
        end = at > (LEFT + WIDTH - RIGHT) / 2
        place = (at - 3, "end") if end else (at + 3, "start")
        parts.append(text(place[0], HEIGHT - BOTTOM - 5 - height, label, "level-label", place[1]))
    return parts


def _steps(xs: Sequence[float], bounds: Sequence[tuple[float, float]], axes: Frame) -> list[Markup]:
    """Draw limits that change half-way between points; gaps are left at points without limits."""
    if not bounds:
        return []
    ends = [xs[0], *((a + b) / 2 for a, b in pairwise(xs)), xs[-1]]
    parts = []
    for side in (0, 1):
        steps: list[tuple[float, float]] = []
        for k, pair in enumerate([*bounds, (math.nan, math.nan)]):
            if math.isfinite(pair[side]):
                steps += [(axes.x(end), axes.y(pair[side])) for end in ends[k : k + 2]]
            elif steps:
                parts.append(path(steps, "limit"))
                steps = []
    return parts


def limit_key() -> Markup:
    """Draw the line of the limits, for the legend."""
    return Markup(
        '<svg class="key" aria-hidden="true" width="22" height="14" viewBox="0 0 22 14">'
        '<line class="limit" x1="0" x2="22" y1="7" y2="7"/></svg>'
    )


def _level_labels(
    levels: Sequence[Level], axes: Frame, curves: Sequence[Sequence[Point]]
) -> list[Markup]:
    """Label each level at its right end, above it, or below it where something is in the way.

    A label is in the way of another one always, a curve only if there is another place.
    """
    found = []
    tops: list[float] = []
    for level in sorted(levels, key=lambda one: -one.y):
        if not math.isfinite(level.y):
            continue
        y, first = axes.y(level.y), WIDTH - RIGHT - LETTER * len(level.label)
        lines = [h for one in curves for h in _heights_beyond(first, one, axes)]
        places = [y - _LABEL - _CLEAR]
        places += [y + _CLEAR] if y + _LABEL + _CLEAR < HEIGHT - BOTTOM else []
        places = [top for top in places if all(abs(top - one) >= _LABEL for one in tops)]
        places = places or [max(tops, default=y) + _LABEL]
        free = (
            top for top in places if not any(-_CLEAR <= h - top <= _LABEL + _CLEAR for h in lines)
        )
        top = next(free, places[0])
        tops.append(top)
        found.append(text(WIDTH - RIGHT, top + _LABEL - 1, level.label, "level-label", "end"))
    return found


def _heights_beyond(x: float, drawn: Sequence[Point], axes: Frame) -> list[float]:
    """Return heights of the curve to the right of `x`, a few for each of its lines."""
    heights = []
    known = [point for point in drawn if point.drawn]
    for one, other in pairwise(known):
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            at = one.x + share * (other.x - one.x)
            if axes.x(at) >= x:
                heights.append(axes.y(one.y + share * (other.y - one.y)))
    return heights
