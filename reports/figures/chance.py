"""The observed disorder in the distribution of disorders of each chance model."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..language import Language
from .axes import BOTTOM, HEIGHT, TOP, frame
from .svg import Chart, join_markup, line, rectangle, text

N_BINS = 24


def histogram(samples: Sequence[float], low: float, high: float, n_bins: int) -> list[int]:
    """Count `samples` in equal bins of [low, high]; the last bin is closed."""
    counts = [0] * n_bins
    for sample in samples:
        position = (sample - low) / (high - low) * n_bins if high > low else 0
        counts[min(n_bins - 1, max(0, int(position)))] += 1
    return counts


def chance_distribution(
    samples: Sequence[float],
    *,
    observed: float,
    expected: float,
    say: Language,
) -> Chart:
    """Draw a histogram of the sampled disorders, marking observed and expected disorder."""
    finite = [s for s in samples if math.isfinite(s)]
    known = [*finite, *(v for v in (observed, expected) if math.isfinite(v))]
    top = max(known) * 1.05 or 1.0
    bins = histogram(finite, min(finite), max(finite), min(N_BINS, max(1, len(finite) // 4)))
    step = (max(finite) - min(finite)) / len(bins)
    axes = frame(
        say,
        x=(0.0, top),
        y=(0.0, max(bins) * 1.34),
        x_title=say("chance.axis_disorder"),
        y_title=say("chance.axis_samples"),
    )
    parts = [axes.body]
    for i, count in enumerate(bins):
        left = axes.x(min(finite) + i * step)
        right = axes.x(min(finite) + (i + 1) * step)
        height = HEIGHT - BOTTOM - axes.y(count)
        parts.append(rectangle(left, axes.y(count), max(right - left - 0.6, 1), height, "bar"))
    for value, css, word, drop in (
        (observed, "observed", say("chance.observed"), 8),
        (expected, "expected", say("chance.expected"), 22),
    ):
        if math.isfinite(value):
            x = axes.x(value)
            anchor = "end" if value > top / 2 else "start"
            parts.append(line(x, TOP, x, HEIGHT - BOTTOM, f"mark {css}"))
            label = f"{word} {say.number(value)}"
            parts.append(text(x + (-5 if anchor == "end" else 5), TOP + drop, label, css, anchor))
    return Chart(400, HEIGHT, join_markup(parts))
