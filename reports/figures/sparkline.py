"""A value over runs, drawn at the size of a line of text."""

from __future__ import annotations

import math
from collections.abc import Sequence

from markupsafe import Markup

from .svg import Scale, join_markup, line, path

WIDTH, HEIGHT, _MARGIN = 150.0, 34.0, 4.0


def sparkline(points: Sequence[tuple[float, float]], threshold: float = math.nan) -> Markup:
    """Draw the points (x, y) as a line, the last as a dot, and the threshold if there is one.

    Returns "" for fewer than two points. The picture is hidden from screen readers because the
    numbers are written beside it.
    """
    known = [(x, y) for x, y in points if math.isfinite(y)]
    if len(known) < 2:
        return Markup("")
    heights = [y for _, y in known] + ([threshold] if math.isfinite(threshold) else [])
    across = Scale(known[0][0], known[-1][0], _MARGIN, WIDTH - _MARGIN)
    up = Scale(min(heights), max(heights), HEIGHT - _MARGIN, _MARGIN)
    parts = []
    if math.isfinite(threshold):
        parts.append(line(0, up(threshold), WIDTH, up(threshold), "gate"))
    parts.append(path([(across(x), up(y)) for x, y in known], "curve"))
    x, y = known[-1]
    parts.append(
        Markup('<circle class="point" cx="{:g}" cy="{:g}" r="3.2"/>').format(across(x), up(y))
    )
    return Markup('<svg class="spark" aria-hidden="true" viewBox="0 0 {:g} {:g}">{}</svg>').format(
        WIDTH, HEIGHT, join_markup(parts)
    )
