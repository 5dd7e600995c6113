"""Drawings of the objects on one item, by kind: trees, aligned texts, rankings, boxes.

What differs is marked by line, sign and weight, and not by colour alone.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ..results import AlignedWord, Arc, DrawnObject, NumberedBox
from .svg import (
    Chart,
    Scale,
    gutter_for,
    join_markup,
    path,
    rectangle,
    short_names,
    text,
)

LONGEST = 16  # letters of a name
_STEP, _LEVEL = 54.0, 17.0  # pixels between tokens, and between arcs
_LETTER, _ROW, _MEASURE = 7.3, 21.0, 640.0  # of aligned words: a letter, a row, a line
_SIGNS = {"missing": "∅", "inserted": "+", "replaced": "≠"}
CHANGES = tuple(_SIGNS)
_ACROSS, _DOWN = 96.0, 26.0  # pixels between annotators and between places of rankings
_FRAME = (460.0, 320.0)  # largest width and height of the frame of boxes
_ANCHORS = (("start", -4.0), ("end", -4.0), ("start", 13.0), ("end", 13.0))  # of a box's label


@dataclass(frozen=True, slots=True)
class Drawing(Chart):
    """Objects, and whose they are if not all of them; keeps its size on a narrow screen."""

    css: str = "chart objects"
    is_fixed: bool = True
    annotator: str = ""


def drawings_of(
    kind: str, drawn: Sequence[DrawnObject], annotators: Sequence[str]
) -> list[Drawing]:
    """Draw the objects of a kind; `annotators` of the layer have the same line on every item."""
    return DRAWINGS[kind](drawn, annotators) if drawn and kind in DRAWINGS else []


def _trees(drawn: Sequence[DrawnObject], _: Sequence[str]) -> list[Drawing]:
    names = [one.annotator for one in drawn]
    gutter, labels = gutter_for(names, LONGEST), short_names(names, LONGEST)
    different = _different_arcs(drawn)
    return [
        _tree(one, tokens, gutter, label)
        for one, tokens, label in zip(drawn, different, labels, strict=True)
    ]


def _different_arcs(drawn: Sequence[DrawnObject]) -> list[set[int]]:
    """Return the tokens, from 1, whose arcs are not those of every annotator."""
    arcs = [{(k, arc.head, arc.relation) for k, arc in enumerate(one.arcs, 1)} for one in drawn]
    common = set.intersection(*arcs)
    return [{k for k, _, _ in own - common} for own in arcs]


def _tree(one: DrawnObject, different: set[int], gutter: float, label: str) -> Drawing:
    def across(token: int) -> float:
        return gutter + _STEP * (token - 0.5)

    levels = _levels(one.arcs)
    base = 22 + _LEVEL * (max(levels.values(), default=0) + 1)
    parts = [text(gutter - 8, base + 14, label, "row-label", "end")]
    for token in sorted(range(1, len(one.arcs) + 1), key=lambda k: k in different):
        arc, x = one.arcs[token - 1], across(token)
        top, css = base - _LEVEL * levels[token], "arc differs" if token in different else "arc"
        if arc.head:
            start = across(arc.head) + (8 if token > arc.head else -8)
            bend = min(14.0, abs(x - start) / 2) * (1 if x > start else -1)
            curve = (start, base, start, top, start + bend, top, x - bend, top, x, top, x, base - 2)
            shape = "M{:g} {:g}Q{:g} {:g} {:g} {:g}L{:g} {:g}Q{:g} {:g} {:g} {:g}".format(*curve)
            middle = (start + x) / 2
        else:
            top, middle = 18.0, x
            shape = f"M{x:g} {top:g}L{x:g} {base - 2:g}"
        parts.append(Markup('<path class="{}" d="{}"/>').format(css, shape))
        parts.append(
            path([(x - 3.5, base - 7), (x + 3.5, base - 7), (x, base)], "tip", closed=True)
        )
        sign = f"{_SIGNS['replaced']} " if token in different else ""
        parts.append(text(middle, top - 3, sign + arc.relation, f"name {css}", "middle"))
        parts.append(text(x, base + 14, str(token), "token", "middle"))
    width = gutter + _STEP * len(one.arcs)
    return Drawing(width, base + 20, join_markup(parts), annotator=one.annotator)


def _levels(arcs: Sequence[Arc]) -> dict[int, int]:
    """Return the height of each token's arc: above those of the arcs that it spans."""
    spans = sorted(
        (
            abs(arc.head - k) if arc.head else len(arcs),
            min(k, arc.head or k),
            max(k, arc.head or k),
            k,
        )
        for k, arc in enumerate(arcs, 1)
    )
    levels: dict[int, int] = {}
    placed: list[tuple[int, int, int]] = []
    for _, low, high, token in spans:
        within = [level for a, b, level in placed if a < high and b > low]
        levels[token] = 1 + max(within, default=0)
        if low < high:
            placed.append((low, high, levels[token]))
    return levels


def _texts(drawn: Sequence[DrawnObject], _: Sequence[str]) -> list[Drawing]:
    names = [one.annotator for one in drawn]
    gutter, labels = gutter_for(names, LONGEST), short_names(names, LONGEST)
    columns = list(zip(*(one.words for one in drawn), strict=True))
    widths = [_LETTER * max(_letters(_written(word)) for word in column) + 12 for column in columns]
    parts: list[Markup] = []
    x, y = gutter, 4.0
    for k, (column, width) in enumerate(zip(columns, widths, strict=True)):
        if k and x + width > gutter + _MEASURE:
            x, y = gutter, y + _ROW * len(drawn) + 12
        for row, word in enumerate(column):
            top = y + row * _ROW
            if x == gutter:
                parts.append(text(gutter - 8, top + 14, labels[row], "row-label", "end"))
            parts += _word(word, x, top, width)
        x += width
    return [Drawing(gutter + _MEASURE + 8, y + _ROW * len(drawn) + 4, join_markup(parts))]


def _written(word: AlignedWord) -> str:
    """Return the word with the sign of its change."""
    return f"{_SIGNS.get(word.change, '')}{word.text}"


def _letters(written: str) -> float:
    """Return the width in letters: an ideograph takes two, a combining mark none."""
    marks = sum(map(bool, map(unicodedata.combining, written)))
    return len(written) - marks + sum(unicodedata.east_asian_width(one) in "WF" for one in written)


def _word(word: AlignedWord, x: float, top: float, width: float) -> list[Markup]:
    if not word.change and not word.text:
        return []
    box = rectangle(x, top, width - 4, _ROW - 3, f"word {word.change}") if word.change else Markup()
    return [box, text(x + 4, top + 13, _written(word), "source")]


def _rankings(drawn: Sequence[DrawnObject], _: Sequence[str]) -> list[Drawing]:
    places = [_places(one) for one in drawn]
    names = list(places[0])
    gutter = gutter_for(names, LONGEST)
    short = dict(zip(names, short_names(names, LONGEST), strict=True))
    xs = [gutter + 40 + _ACROSS * k for k in range(len(drawn))]
    heads = short_names([one.annotator for one in drawn], 13)
    parts = [text(x, 12, head, "head", "middle") for x, head in zip(xs, heads, strict=True)]
    for name in names:
        points = [(x, 34 + _DOWN * of[name][0]) for x, of in zip(xs, places, strict=True)]
        ranks = [of[name][1] for of in places]
        for k in range(1, len(points)):
            css = "slope" if ranks[k] == ranks[k - 1] else "slope differs"
            parts.append(path(points[k - 1 : k + 1], css))
        for (x, y), rank in zip(points, ranks, strict=True):
            parts.append(Markup('<circle class="place" cx="{:g}" cy="{:g}" r="10"/>').format(x, y))
            parts.append(text(x, y + 4, rank, "rank", "middle"))
        parts.append(text(xs[0] - 16, points[0][1] + 4, short[name], "row-label", "end"))
        parts.append(text(xs[-1] + 16, points[-1][1] + 4, short[name], "row-label"))
    size = xs[-1] + 40 + gutter, 34 + _DOWN * (len(names) - 1) + 16
    return [Drawing(*size, join_markup(parts))]


def _places(one: DrawnObject) -> dict[str, tuple[int, str]]:
    """Return the row of each candidate and its rank, `2=` for tied ones."""
    found: dict[str, tuple[int, str]] = {}
    for group in one.ranking:
        rank = f"{len(found) + 1}{'=' if len(group) > 1 else ''}"
        found |= {name: (len(found) + k, rank) for k, name in enumerate(group)}
    return found


def _boxes(drawn: Sequence[DrawnObject], annotators: Sequence[str]) -> list[Drawing]:
    boxes = [box for one in drawn for box in one.boxes]
    if not boxes:
        return []
    left, top = min(box.left for box in boxes), min(box.top for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    scale = min(_FRAME[0] / (right - left), _FRAME[1] / (bottom - top))
    width, height = (right - left) * scale, (bottom - top) * scale
    across = Scale(left, right, 12, 12 + width)
    down = Scale(top, bottom, 20, 20 + height)
    known: dict[int, str] = {}
    times = Counter(box.number for box in boxes)
    parts = [rectangle(4, 4, width + 16, height + 32, "frame")]
    for k, one in enumerate(drawn):
        css = line_css(annotators.index(one.annotator))
        for box in one.boxes:
            is_new = known.setdefault(box.number, box.category) != box.category
            is_alone = times[box.number] < len(drawn)
            parts += _box(box, across, down, css, k, is_named=is_new or not k or is_alone)
    return [Drawing(width + 24, height + 40, join_markup(parts), is_fixed=False)]


def _box(
    box: NumberedBox, across: Scale, down: Scale, css: str, k: int, *, is_named: bool
) -> list[Markup]:
    x, y, end, low = across(box.left), down(box.top), across(box.right), down(box.bottom)
    anchor, shift = _ANCHORS[k % 4]
    label = f"{box.number} {box.category}".strip() if is_named else str(box.number)
    at = (x + 2 if anchor == "start" else end - 2, (y if shift < 0 else low) + shift)
    return [rectangle(x, y, end - x, low - y, f"box {css}"), text(*at, label, "label", anchor)]


def line_css(place: int) -> str:
    """Return colour and dashes of an annotator's boxes."""
    return f"c{place % 8} d{place % 4}"


def line_key(place: int) -> Markup:
    """Draw the line of an annotator's boxes, for the legend."""
    return Markup(
        '<svg class="key objects" aria-hidden="true" width="26" height="12" viewBox="0 0 26 12">'
        '<path class="box {}" d="M1 6H25"/></svg>'
    ).format(line_css(place))


def word_key(change: str) -> Markup:
    """Draw the mark of a changed word, for the legend."""
    mark = rectangle(1, 1, 20, 14, f"word {change}") + text(11, 12, _SIGNS[change], "", "middle")
    return Markup(
        '<svg class="key objects" aria-hidden="true" width="22" height="16" '
        'viewBox="0 0 22 16">{}</svg>'
    ).format(mark)


DRAWINGS: dict[str, Callable[[Sequence[DrawnObject], Sequence[str]], list[Drawing]]] = {
    "tree": _trees,
    "text": _texts,
    "ranking": _rankings,
    "boxes": _boxes,
}
