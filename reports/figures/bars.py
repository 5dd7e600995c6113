"""Stacked bars: how the categories share out among annotators, documents or batches."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from reports.figures.svg import category_css, gutter_for, joined, shortened, text
from reports.language import Language

ROW = 22.0
LONGEST = 17  # letters of a row's name
COUNT = 58.0  # pixels of the count at the right


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
    """`counts[row][i]` of category `codes[i]`; each bar is as long as the others (shares).

    The bars stretch with the page in per cent; the letters keep their size.
    """
    gutter = gutter_for(names, LONGEST)
    labels: list[Markup] = []
    bars: list[Markup] = []
    for r, (name, row) in enumerate(zip(names, counts, strict=True)):
        y = r * ROW + 4
        total = sum(row)
        labels.append(text(gutter - 8, y + 12, shortened(name, LONGEST), "row-label", "end"))
        labels.append(
            Markup('<text class="tick" x="100%" y="{:g}" text-anchor="end">{}</text>').format(
                y + 12, say.integer(total)
            )
        )
        start = 0.0
        for code, count in zip(codes, row, strict=True):
            if count:
                share = count / total * 100
                bars.append(_segment(start, y, share, code))
                start += share
    return Markup(
        '<svg class="bars" id="{id}" height="{h:g}" role="img" '
        'aria-labelledby="{id}-t {id}-d"><title id="{id}-t">{title}</title>'
        '<desc id="{id}-d">{description}</desc>{labels}'
        '<svg x="{gutter:g}" height="{h:g}" style="width:calc(100% - {taken:g}px)">{bars}</svg>'
        "</svg>"
    ).format(
        id=identifier,
        h=len(names) * ROW + 6,
        title=title,
        description=description,
        labels=joined(labels),
        gutter=gutter,
        taken=gutter + COUNT,
        bars=joined(bars),
    )


def category_key(code: int) -> Markup:
    """A swatch of one category, for the legend."""
    return Markup('<svg class="key" aria-hidden="true" width="18" height="14">{}</svg>').format(
        _segment(0, 0, 100, code, height=14)
    )


def _segment(start: float, y: float, share: float, code: int, height: float = 16) -> Markup:
    box = Markup('x="{:.2f}%" y="{:g}" width="{:.2f}%" height="{:g}"').format(
        start, y, max(share - 0.15, 0.1), height
    )
    return Markup('<g class="cat {}"><rect {}/><rect class="hatch" {}/></g>').format(
        category_css(code), box, box
    )
