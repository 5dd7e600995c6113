"""The small pictures of comparisons and of the index, in the styles of the report's figures."""

from __future__ import annotations

import math
from collections.abc import Sequence

from markupsafe import Markup

from ..figures.svg import Scale, join_markup, path

WIDTH, HEIGHT, MARGIN = 132.0, 30.0, 4.0


def sparkline(values: Sequence[float], told: str, *, threshold: float = math.nan) -> Markup:
    """The values in their order as a small line, the last one marked; `told` says it in words.

    Undefined values are left out. The threshold of a gate is drawn where it lies among the values.
    """
    known = [(x, y) for x, y in enumerate(values) if math.isfinite(y)]
    if not known:
        return Markup("")
    heights = [y for _, y in known]
    x = Scale(0, max(1, len(values) - 1), MARGIN, WIDTH - MARGIN)
    y = Scale(min(heights), max(heights), HEIGHT - MARGIN, MARGIN)
    points = [(x(at), y(value)) for at, value in known]
    parts = []
    if min(heights) <= threshold <= max(heights) and min(heights) < max(heights):
        at = y(threshold)
        parts.append(
            Markup('<line class="limit" x1="0" x2="{:g}" y1="{:g}" y2="{:g}"/>').format(
                WIDTH, at, at
            )
        )
    if len(points) > 1:
        parts.append(path(points, "curve"))
    parts.append(Markup('<circle class="point" cx="{:g}" cy="{:g}" r="3.4"/>').format(*points[-1]))
    return Markup(
        '<svg class="chart" viewBox="0 0 {:g} {:g}" role="img" aria-label="{}" '
        'style="max-width:{:g}px">{}</svg>'
    ).format(WIDTH, HEIGHT, told, WIDTH, join_markup(parts))


def effect_strip(effect: float, largest: float) -> Markup:
    """One row of a plot of effects around 0; the numbers stand beside it."""
    scale = Scale(-largest, largest, 5.0, 95.0)
    return Markup(
        '<svg class="strip" aria-hidden="true" height="18">'
        '<line class="zero" x1="50%" x2="50%" y1="0" y2="18"/>'
        '<line class="interval" x1="50%" x2="{0:g}%" y1="9" y2="9"/>'
        '<circle class="point" cx="{0:g}%" cy="9" r="4"/></svg>'
    ).format(scale(effect))
