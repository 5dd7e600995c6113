"""What all figures share: safe SVG pieces, linear scales, rounded ticks."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from markupsafe import Markup, escape

N_COLOURS = 8
N_PATTERNS = 4
_LINE = '<line class="%s" x1="%g" y1="%g" x2="%g" y2="%g"/>'
_TEXT = '<text class="%s" x="%g" y="%g" text-anchor="%s">%s</text>'
_RECTANGLE = '<rect class="%s" x="%g" y="%g" width="%g" height="%g"/>'
_PATH = '<path class="%s" d="M%s%s"/>'


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear map from [low, high] to [start, end] (pixels or per cent)."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        span = self.high - self.low
        share = (value - self.low) / span if span else 0.5
        return round(self.start + min(max(share, 0.0), 1.0) * (self.end - self.start), 2)


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Return round values (1, 2 or 5 times a power of ten) within [low, high]."""
    if not high > low:
        return [low]
    rough = (high - low) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = next((power * m for m in (1, 2, 5) if power * m >= rough), power * 10)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(i * step, 10) for i in range(first, last + 1)]


def decimals(values: Sequence[float]) -> int:
    """Return the decimals that distinguish the ticks; 0 for a single whole number."""
    if len(values) < 2:
        return 0 if all(float(value).is_integer() for value in values) else 1
    step = min(abs(b - a) for a, b in itertools.pairwise(values))
    return max(0, -math.floor(math.log10(step) + 1e-9)) if step else 0


def join_markup(parts: Iterable[Markup]) -> Markup:
    return Markup("").join(parts)


def drawn(template: str, *pieces: float | Markup) -> Markup:
    """Fill a constant template with numbers and finished markup.

    A page has tens of thousands of these, and `Markup.__mod__` also escapes the numbers.
    """
    return Markup(template % pieces)  # noqa: S704 - texts are escaped by whoever makes them markup


@dataclass(frozen=True, slots=True)
class Chart:
    """An image that is still to be named: its size in pixels, and its body.

    It shrinks with its column, or keeps its size when `is_fixed` (its box then scrolls). `role` is
    group if it has links.
    """

    width: float
    height: float
    body: Markup
    css: str = "chart"
    is_fixed: bool = False
    role: str = "img"

    def named(self, identifier: str, title: str, description: str) -> Markup:
        """Make the SVG image, named and described for screen readers."""
        return Markup(
            '<svg class="{css}" id="{id}" viewBox="0 0 {w:g} {h:g}" role="{role}" '
            'aria-labelledby="{id}-t {id}-d" style="{fit}:{w:g}px">'
            '<title id="{id}-t">{title}</title><desc id="{id}-d">{description}</desc>{body}</svg>'
        ).format(
            css=self.css,
            role=self.role,
            id=identifier,
            w=self.width,
            h=self.height,
            fit="width" if self.is_fixed else "max-width",
            title=title,
            description=description,
            body=self.body,
        )


@cache
def _css(names: str) -> Markup:
    return escape(names)


def line(x1: float, y1: float, x2: float, y2: float, css: str) -> Markup:
    return drawn(_LINE, _css(css), x1, y1, x2, y2)


def text(x: float, y: float, content: str, css: str = "", anchor: str = "start") -> Markup:
    return drawn(_TEXT, _css(css), x, y, _css(anchor), escape(content))


def rectangle(x: float, y: float, width: float, height: float, css: str) -> Markup:
    return drawn(_RECTANGLE, _css(css), x, y, max(width, 0), max(height, 0))


def path(points: Sequence[tuple[float, float]], css: str, *, closed: bool = False) -> Markup:
    steps = "L".join(f"{x:g} {y:g}" for x, y in points)
    return drawn(_PATH, _css(css), escape(steps), escape("Z" if closed else ""))


def patterns() -> Markup:
    """Return the hatchings laid over colours, defined once per page: colour alone is never used."""
    drawings = (
        "",
        '<path d="M0 6L6 0M-1 1L1 -1M5 7L7 5"/>',
        '<circle cx="3" cy="3" r="1.1"/>',
        '<path d="M0 3H6M3 0V6"/>',
    )
    return join_markup(
        Markup(
            '<pattern id="pattern-{}" width="6" height="6" patternUnits="userSpaceOnUse">{}'
            "</pattern>"
        ).format(i, Markup(drawing))  # noqa: S704 - constants above
        for i, drawing in enumerate(drawings)
        if drawing
    )


def gutter_for(names: Sequence[str], longest: int) -> float:
    """Return the pixels that the row labels need, each cut to `longest` letters."""
    return 18.0 + 6.4 * max((min(len(name), longest) for name in names), default=4)


def shortened(name: str, longest: int) -> str:
    return name if len(name) <= longest else name[: longest - 1] + "…"


def short_names(names: Sequence[str], longest: int) -> list[str]:
    """Cut names to `longest` letters; equal results are cut from where the names differ."""
    short = [shortened(name, longest) for name in names]
    for cut in {one for one in short if short.count(one) > 1}:
        alike = [k for k, one in enumerate(short) if one == cut]
        first, last = min(names[k] for k in alike), max(names[k] for k in alike)
        pairs = zip(first, last, strict=False)
        same = first[: next((i for i, (a, b) in enumerate(pairs) if a != b), len(first))]
        start = max(same.rfind(" ") + 1, len(same) - longest // 2)
        for k in alike:
            short[k] = shortened("…" + names[k][start:], longest)
    return short


def category_marks(tagset: Sequence[str]) -> list[str]:
    """Return a short mark for each category: its shortest beginning that no other has.

    A category whose beginning would be long has its first letter and a number.
    """
    found: list[str] = []
    for k, name in enumerate(tagset):
        others = [other for other in tagset if other != name]
        lengths = (n for n in range(1, len(name) + 1) if not _any_starts(others, name[:n]))
        n = next(lengths, len(name))
        found.append(name[:n] if n <= _LONGEST_MARK else f"{name[0]}{k + 1}")
    return found


def _any_starts(names: Sequence[str], start: str) -> bool:
    return any(name.startswith(start) for name in names)


_LONGEST_MARK = 3


def category_css(code: int) -> str:
    """Return colour and hatching classes of the category with this index; 32 combinations repeat.

    Neighbours differ in both, so that they can be distinguished without colour.
    """
    if code < 0:
        return "c-none"
    return f"c{code % N_COLOURS} h{(code + code // N_COLOURS) % N_PATTERNS}"
