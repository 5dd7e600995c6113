"""Documents as points: a value against a size."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ..language import Language
from .axes import HEIGHT, RIGHT, WIDTH, frame
from .curve import LETTER, value_range
from .svg import Chart, join_markup, line, text

N_NAMED = 100  # limit on unlinked dots that each have a hover text; more are drawn as one path
N_SPREAD = 7  # dots drawn side by side at one place; more would leave it
SIZE = 8.0  # radius of a dot, in pixels


@dataclass(frozen=True, slots=True)
class Dot:
    """A point with its name and the target of its link."""

    x: float
    y: float
    name: str
    href: str = ""
    filter: str = ""  # the disagreements that the link shows, as JSON


def scatter(
    dots: Sequence[Dot],
    *,
    level: float,
    level_label: str,
    x_title: str,
    y_title: str,
    say: Language,
) -> Chart:
    """Draw dots over their sizes, and the overall value as a line; linked dots are rings."""
    low, high = value_range(*(dot.y for dot in dots), level)
    widest = max((dot.x for dot in dots), default=1.0)
    axes = frame(say, x=(0.0, widest * 1.04), y=(low, high), x_title=x_title, y_title=y_title)
    parts, above = [axes.body], Markup("")
    placed = _side_by_side([(axes.x(dot.x), axes.y(dot.y)) for dot in dots])
    if math.isfinite(level):
        y, first = axes.y(level), WIDTH - RIGHT - LETTER * len(level_label) - SIZE
        beside = [height for x, height in placed if x > first]
        is_covered = any(y - 2 * SIZE < height < y for height in beside)
        is_free_below = not any(y < height < y + 2 * SIZE for height in beside)
        baseline = y + 12 if is_covered and is_free_below else y - 4
        parts.append(line(axes.x(0.0), y, WIDTH - RIGHT, y, "level"))
        above = text(WIDTH - RIGHT, baseline, level_label, "level-label", "end")
    plain = [place for dot, place in zip(dots, placed, strict=True) if not dot.href]
    if len(plain) > N_NAMED:
        steps = "".join(f"M{x:g} {y:g}h0" for x, y in plain)
        parts.append(Markup('<path class="dots" d="{}"/>').format(steps))
    for dot, (x, y) in zip(dots, placed, strict=True):
        if dot.href:
            chosen = Markup(' data-filter="{}"').format(dot.filter) if dot.filter else Markup("")
            parts.append(
                Markup('<a href="{}" aria-label="{}"{}>{}</a>').format(
                    dot.href, dot.name, chosen, _circle("ring", x, y, dot.name)
                )
            )
        elif len(plain) <= N_NAMED:
            parts.append(_circle("dot", x, y, dot.name))
    return Chart(WIDTH, HEIGHT, join_markup([*parts, above]), role="group")


def _circle(css: str, x: float, y: float, name: str) -> Markup:
    return Markup(
        '<circle class="{}" cx="{:g}" cy="{:g}" r="3.6"><title>{}</title></circle>'
    ).format(css, x, y, name)


def _side_by_side(places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Spread dots that would cover one another to the left and right in turn."""
    taken: Counter[tuple[int, int]] = Counter()
    found = []
    for x, y in places:
        cell = round(x / SIZE), round(y / SIZE)
        n = taken[cell]
        taken[cell] += 1
        shift = SIZE * ((n + 1) // 2) * (-1 if n % 2 else 1) if n < N_SPREAD else 0.0
        found.append((round(x + shift, 2), y))
    return found
