"""Shares of categories from three sources on one axis: humans, a system, both together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ..language import Language
from .axes import WIDTH
from .svg import Chart, Scale, decimals, gutter_for, join_markup, line, short_names, text, ticks

LONGEST = 16  # letters of a category
ROW, APART, TOP, BOTTOM = 12.0, 10.0, 6.0, 40.0
SOURCES = ("humans", "naive", "corrected")  # from top to bottom in each category

Bounds = tuple[float, float]


@dataclass(frozen=True, slots=True)
class ThreeShares:
    """The share of a category by each source; nan where undefined. The system has no interval."""

    name: str
    humans: float
    humans_interval: Bounds
    naive: float
    corrected: float
    corrected_interval: Bounds


def three_shares(
    rows: Sequence[ThreeShares],
    *,
    axis_title: str,
    say: Language,
) -> Chart:
    """Draw three lines per category: humans alone, the system alone (a cross), corrected."""
    gutter = gutter_for([row.name for row in rows], LONGEST)
    scale = Scale(0.0, _highest(rows), gutter, WIDTH - 14)
    height = TOP + len(rows) * (3 * ROW + APART) + BOTTOM
    parts = [_axis(scale, height, axis_title, say)]
    names = short_names([row.name for row in rows], LONGEST)
    for k, (name, row) in enumerate(zip(names, rows, strict=True)):
        y = TOP + k * (3 * ROW + APART) + APART
        parts.append(text(gutter - 8, y + ROW + 4, name, "row-label", "end"))
        of_sources = (
            (row.humans, row.humans_interval),
            (row.naive, (math.nan, math.nan)),
            (row.corrected, row.corrected_interval),
        )
        for j, (source, (value, interval)) in enumerate(zip(SOURCES, of_sources, strict=True)):
            ends = [scale(bound) for bound in interval if math.isfinite(bound)]
            at = scale(value) if math.isfinite(value) else math.nan
            parts.append(_source(source, y + j * ROW, at, ends))
    return Chart(WIDTH, height, join_markup(parts))


def source_key(source: str) -> Markup:
    """Draw the mark of a source, for the legend."""
    ends = [] if source == "naive" else [1.0, 23.0]
    drawing = Markup('<svg class="key" aria-hidden="true" width="24" height="12">{}</svg>')
    return drawing.format(_source(source, 6.0, 12.0, ends))


def _source(source: str, y: float, at: float, ends: Sequence[float]) -> Markup:
    """Draw an interval and its value: an open circle, a cross, or a filled circle."""
    parts = [line(ends[0], y, ends[1], y, f"share-{source}")] if ends else []
    if math.isfinite(at):
        if source == "naive":
            drawing = Markup('<path class="share-naive" d="M{:g} {:g}l8 8m0 -8l-8 8"/>')
            parts.append(drawing.format(at - 4, y - 4))
        else:
            drawing = Markup('<circle class="share-{}" cx="{:g}" cy="{:g}" r="3.6"/>')
            parts.append(drawing.format(source, at, y))
    return join_markup(parts)


def _highest(rows: Sequence[ThreeShares]) -> float:
    """Return the end of the axis: the highest bound, rounded up to a twentieth."""
    ends = [
        end
        for row in rows
        for end in (
            *(row.humans, row.naive, row.corrected),
            *(*row.humans_interval, *row.corrected_interval),
        )
        if math.isfinite(end)
    ]
    return max(math.ceil(max(ends, default=1.0) * 20) / 20, 0.05)


def _axis(scale: Scale, height: float, title: str, say: Language) -> Markup:
    bottom = height - BOTTOM + 6
    marks = ticks(scale.low, scale.high, 5)
    digits = decimals(marks)
    parts = [line(scale.start, bottom, scale.end, bottom, "axis")]
    for mark in marks:
        parts.append(line(scale(mark), TOP, scale(mark), bottom, "grid"))
        label = say.plain(mark, digits)
        parts.append(text(scale(mark), bottom + 13, label, "tick", "middle"))
    parts.append(text(scale.end, height - 2, title, "axis-title", "end"))
    return join_markup(parts)
