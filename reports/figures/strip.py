"""One row of a forest plot: a value and its interval on a scale shared by the table's rows."""

from __future__ import annotations

import math
from collections.abc import Iterable

from markupsafe import Markup

from ...metrics.estimate import Estimate
from ..language import Language
from .svg import Scale, join_markup

START, END = 5.0, 95.0  # per cent of the cell's width


def shared_scale(values: Iterable[Estimate]) -> Scale:
    """From the lowest bound among the values (0 at most, −1 at least) to 1."""
    bounds = [b for v in values for b in (v.value, v.interval[0]) if math.isfinite(b)]
    high = max([1.0, *(v.value for v in values if math.isfinite(v.value))])
    low = min([0.0, *bounds])
    return Scale(max(-1.0, math.floor(low * 5) / 5), high, START, END)


def strip(value: Estimate, scale: Scale, threshold: float = math.nan) -> Markup:
    """The row's picture; the numbers stand beside it in the table, so it is hidden to readers."""
    parts = [_rule(scale(0.0), "zero")]
    if math.isfinite(threshold):
        parts.append(_rule(scale(threshold), "gate"))
    if math.isfinite(value.value):
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


def axis(scale: Scale, say: Language) -> Markup:
    """The scale itself, for the head of the column."""
    marks = sorted({scale.low, 0.0, 0.5, scale.high})
    labels = join_markup(
        Markup('<text x="{:g}%" y="12" text-anchor="middle">{}</text>').format(
            scale(mark), say.plain(mark, 1 if mark % 1 else 0)
        )
        for mark in marks
    )
    return Markup('<svg class="strip" aria-hidden="true" height="18">{}</svg>').format(labels)


def _rule(at: float, css: str) -> Markup:
    return Markup('<line class="{}" x1="{:g}%" x2="{:g}%" y1="0" y2="18"/>').format(css, at, at)
