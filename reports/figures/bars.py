"""Stacked bars: how the categories share out among annotators, documents or batches."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from reports.figures.svg import category_css, joined, line, picture, text
from reports.language import Language

WIDTH = 640.0
GUTTER = 118.0
ROW = 22.0


def stacked_bars(
    names: Sequence[str],
    counts: Sequence[Sequence[int]],
    codes: Sequence[int],
    *,
    identifier: str,
    title: str,
    description: str,
    say: Language,
) -> Markup:
    """`counts[row][i]` of category `codes[i]`; each bar is as long as the others (shares)."""
    parts: list[Markup] = []
    span = WIDTH - GUTTER - 56
    for r, (name, row) in enumerate(zip(names, counts, strict=True)):
        y = r * ROW + 4
        total = sum(row)
        short = name if len(name) <= 17 else name[:16] + "…"
        parts.append(text(GUTTER - 8, y + 12, short, "row-label", "end"))
        x = GUTTER
        for code, count in zip(codes, row, strict=True):
            if not count:
                continue
            width = count / total * span
            parts.append(_segment(x, y, width, code))
            x += width
        if not total:
            parts.append(line(GUTTER, y + 8, GUTTER + span, y + 8, "grid"))
        parts.append(text(WIDTH - 4, y + 12, say.integer(total), "tick", "end"))
    return picture(
        identifier=identifier,
        width=WIDTH,
        height=len(names) * ROW + 6,
        title=title,
        description=description,
        body=joined(parts),
    )


def category_key(code: int) -> Markup:
    """A swatch of one category, for the legend."""
    return Markup('<svg class="key" aria-hidden="true" width="18" height="14">{}</svg>').format(
        _segment(0, 0, 18, code, height=14)
    )


def _segment(x: float, y: float, width: float, code: int, height: float = 16) -> Markup:
    box = Markup('x="{:.2f}" y="{:g}" width="{:.2f}" height="{:g}"').format(
        x, y, max(width - 1, 0.4), height
    )
    return Markup('<g class="cat {}"><rect {}/><rect class="hatch" {}/></g>').format(
        category_css(code), box, box
    )
