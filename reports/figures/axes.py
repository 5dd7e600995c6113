"""Axes of a small chart: grid, ticks, axis titles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ..language import Language
from .svg import Scale, decimals, join_markup, line, text, ticks

WIDTH, HEIGHT = 400.0, 246.0
LEFT, RIGHT, TOP, BOTTOM = 48.0, 12.0, 24.0, 42.0
_TITLE_ABOVE = 14.0  # pixels above the highest tick, so that a long title does not overlap it


@dataclass(frozen=True, slots=True)
class Frame:
    """The scales of a chart and the drawing of its frame."""

    x: Scale
    y: Scale
    body: Markup


def frame(
    say: Language,
    *,
    x: tuple[float, float],
    y: tuple[float, float],
    x_title: str,
    y_title: str,
    x_ticks: Sequence[float] | None = None,
    x_labels: Sequence[str] = (),
    y_percent: bool = False,
    x_percent: bool = False,
) -> Frame:
    """Draw axes over the ranges `x` and `y`; percentages are shares in [0, 1].

    x_labels  labels of the x ticks if they are not numbers, such as dates
    """
    x_scale = Scale(*x, LEFT, WIDTH - RIGHT)
    y_scale = Scale(*y, HEIGHT - BOTTOM, TOP)
    xs = list(x_ticks) if x_ticks is not None else ticks(*x, about=6)
    ys = ticks(*y, about=4)
    parts = [text(LEFT - 40, TOP - _TITLE_ABOVE, y_title, "axis-title")]
    for value in ys:
        parts.append(line(LEFT, y_scale(value), WIDTH - RIGHT, y_scale(value), "grid"))
        label = _label(say, value, ys, percent=y_percent)
        parts.append(text(LEFT - 6, y_scale(value) + 3.5, label, "tick", "end"))
    labels = x_labels or [_label(say, value, xs, percent=x_percent) for value in xs]
    for value, label in zip(xs, labels, strict=True):
        parts.append(text(x_scale(value), HEIGHT - BOTTOM + 15, label, "tick", "middle"))
        bottom = HEIGHT - BOTTOM
        parts.append(line(x_scale(value), bottom, x_scale(value), bottom + 4, "axis"))
    parts.append(line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "axis"))
    parts.append(text(WIDTH - RIGHT, HEIGHT - 8, x_title, "axis-title", "end"))
    return Frame(x_scale, y_scale, join_markup(parts))


def _label(say: Language, value: float, among: Sequence[float], *, percent: bool) -> str:
    if percent:
        digits = max(0, decimals(among) - 2)
        return say("value.percent", share=say.plain(value * 100, digits))
    return say.plain(value, decimals(among))
