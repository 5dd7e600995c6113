"""Differences of two annotators' ratings against their mean, with limits of agreement."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from ..language import Language
from .axes import HEIGHT, RIGHT, WIDTH, frame
from .curve import Level
from .svg import Chart, join_markup, line, text

_ROOM = 0.06  # space beside the outermost dots


def bland_altman(
    dots: Sequence[tuple[float, float]],
    levels: Sequence[Level],
    *,
    x_title: str,
    y_title: str,
    say: Language,
) -> Chart:
    """Draw dots (mean, difference) and a horizontal line per level, in the unit of the ratings."""
    xs, ys = zip(*dots, strict=True)
    axes = frame(
        say,
        x=_padded_range(xs),
        y=_padded_range([*ys, *(level.y for level in levels)]),
        x_title=x_title,
        y_title=y_title,
    )
    steps = "".join(f"M{axes.x(x):.1f} {axes.y(y):.1f}h0" for x, y in sorted(set(dots)))
    parts = [axes.body, Markup('<path class="dots" d="{}"/>').format(steps)]
    for level in levels:
        y = axes.y(level.y)
        parts.append(line(axes.x(_padded_range(xs)[0]), y, WIDTH - RIGHT, y, level.css))
        parts.append(text(WIDTH - RIGHT, y - 4, level.label, "level-label", "end"))
    return Chart(WIDTH, HEIGHT, join_markup(parts))


def _padded_range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    room = _ROOM * (high - low) or 1.0
    return low - room, high + room
