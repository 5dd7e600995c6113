"""Stacked bars: shares of the categories by annotator, document or batch."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from ..language import Language
from .svg import category_css, join_markup


def stacked_bars(
    names: Sequence[str],
    counts: Sequence[Sequence[int]],
    codes: Sequence[int],
    *,
    title: str,
    say: Language,
) -> Markup:
    """Draw `counts[row][i]` of category `codes[i]`; all bars have the same length (shares).

    A grid of names, bars in per cent and counts: it stretches, and the font size stays the same.
    """
    rows = []
    for name, row in zip(names, counts, strict=True):
        total = sum(row)
        segments: list[Markup] = []
        start = 0.0
        for code, count in zip(codes, row, strict=True):
            if count:
                share = count / total * 100
                segments.append(_segment(start, share, code, 16))
                start += share
        rows.append(
            Markup('<span>{}</span><svg height="16">{}</svg><span class="count">{}</span>').format(
                name, join_markup(segments), say.integer(total)
            )
        )
    return Markup('<div class="bars" role="img" aria-label="{}">{}</div>').format(
        title, join_markup(rows)
    )


def category_key(code: int) -> Markup:
    """Draw a swatch of one category, for the legend."""
    return Markup('<svg class="key" aria-hidden="true" width="18" height="14">{}</svg>').format(
        _segment(0, 100, code, 14)
    )


def _segment(start: float, share: float, code: int, height: float) -> Markup:
    box = Markup('x="{:.2f}%" width="{:.2f}%" height="{:g}"').format(
        start, max(share - 0.15, 0.1), height
    )
    return Markup('<g class="cat {}"><rect {}/><rect class="hatch" {}/></g>').format(
        category_css(code), box, box
    )
