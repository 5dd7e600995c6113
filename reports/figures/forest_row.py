"""One row of a forest plot: a value and its interval on the scale shared by the table's rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from markupsafe import Markup

from ...metrics.estimate import Estimate
from ..language import Language
from .svg import Scale, decimals, join_markup, ticks

START, END = 5.0, 95.0  # per cent of the cell's width
ZOOMED = 0.5  # if all values and bounds are within this range, they fill the scale
CLEAR = 0.02  # margin beyond them


def shared_scale(values: Iterable[Estimate], thresholds: Iterable[float] = ()) -> Scale:
    """Return a scale from the lowest bound (at most 0, at least −1) to the highest, at least 1.

    If intervals and `thresholds` are close together, the scale covers only their range and a
    margin.
    """
    known = list(values)
    points = [v.value for v in known if math.isfinite(v.value)]
    ends = [b for v in known for b in v.interval if math.isfinite(b)]
    near = [*points, *ends, *(t for t in thresholds if math.isfinite(t))]
    if ends and max(near) - min(near) <= ZOOMED:
        low, high = _outward_tenths(min(near) - CLEAR, max(near) + CLEAR)
        return Scale(max(low, -1.0), min(high, max(1.0, *near)), START, END)
    low = min([0.0, *points, *ends])
    return Scale(max(-1.0, math.floor(low * 5) / 5), max([1.0, *points, *ends]), START, END)


def _outward_tenths(low: float, high: float) -> tuple[float, float]:
    return math.floor(low * 10) / 10, math.ceil(high * 10) / 10


def value_and_interval(
    value: Estimate | None,
    scale: Scale,
    threshold: float = math.nan,
    others: Sequence[float] = (),
) -> Markup:
    """Draw the row's picture; it is hidden from screen readers because the table has the numbers.

    value   None: no dot
    others  values to compare the row with, drawn as a band from the lowest to the highest
    """
    parts = [_vertical_line(scale(0.0), "zero")] if scale.low <= 0 <= scale.high else []
    if others:
        low, high = scale(min(others)), scale(max(others))
        parts.append(
            Markup('<rect class="range" x="{:g}%" width="{:g}%" y="0" height="18"/>').format(
                low, round(high - low, 2)
            )
        )
    if scale.low <= threshold <= scale.high:
        parts.append(_vertical_line(scale(threshold), "gate"))
    if value is not None and math.isfinite(value.value):
        low, high = value.interval
        if math.isfinite(low) and math.isfinite(high):
            parts.append(
                Markup('<line class="interval" x1="{:g}%" x2="{:g}%" y1="9" y2="9"/>').format(
                    scale(low), scale(high)
                )
            )
        parts.append(
            Markup('<circle class="point" cx="{:g}%" cy="9" r="4"/>').format(scale(value.value))
        )
    return Markup('<svg class="strip" aria-hidden="true" height="18">{}</svg>').format(
        join_markup(parts)
    )


def range_and_point(low: float, high: float, point: float, scale: Scale) -> Markup:
    """Draw whole numbers from low to high as a band, and one of them as a dot."""
    start, end = scale(low - 0.4), scale(high + 0.4)
    return Markup(
        '<svg class="strip" aria-hidden="true" height="18">'
        '<rect class="range" x="{:g}%" width="{:g}%" y="3" height="12"/>'
        '<circle class="point" cx="{:g}%" cy="9" r="4"/></svg>'
    ).format(start, round(end - start, 2), scale(point))


def difference_scale(intervals: Iterable[tuple[float, ...]]) -> Scale:
    """Return a scale from the lowest to the highest difference or bound, including 0."""
    ends = [0.0, *(end for interval in intervals for end in interval if math.isfinite(end))]
    room = 0.06 * (max(ends) - min(ends)) or 0.01
    return Scale(min(ends) - room, max(ends) + room, START, END)


def difference_bar(difference: float, interval: tuple[float, float], scale: Scale) -> Markup:
    """Draw a bar from 0 to the difference, with its interval; the table has the numbers."""
    zero = scale(0.0)
    parts = [_vertical_line(zero, "zero")]
    if math.isfinite(difference):
        end = scale(difference)
        parts.append(
            Markup('<rect class="bar" x="{:g}%" width="{:g}%" y="4" height="10"/>').format(
                round(min(zero, end), 2), round(abs(end - zero), 2)
            )
        )
    if all(math.isfinite(bound) for bound in interval):
        parts.append(
            Markup('<line class="interval" x1="{:g}%" x2="{:g}%" y1="9" y2="9"/>').format(
                scale(interval[0]), scale(interval[1])
            )
        )
    return Markup('<svg class="strip" aria-hidden="true" height="18">{}</svg>').format(
        join_markup(parts)
    )


def axis(scale: Scale, say: Language) -> Markup:
    """The scale itself, for the head of the column."""
    marks = ticks(scale.low, scale.high, 4)
    digits = decimals(marks)
    labels = join_markup(
        Markup('<text x="{:g}%" y="12" text-anchor="middle">{}</text>').format(
            scale(mark), say.plain(mark, digits if mark % 1 else 0)
        )
        for mark in marks
    )
    return Markup('<svg class="strip" aria-hidden="true" height="18">{}</svg>').format(labels)


def _vertical_line(at: float, css: str) -> Markup:
    return Markup('<line class="{}" x1="{:g}%" x2="{:g}%" y1="0" y2="18"/>').format(css, at, at)
