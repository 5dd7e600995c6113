"""The alignment picture: one row per annotator over the text, lines between aligned units.

Modelled on figure 1 of Mathet & Widlöcher 2011. Each unit has the index of its unitary alignment
(`data-t`), so that the page's script can highlight the whole alignment.
"""

from __future__ import annotations

import itertools
import math
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from ..language import Language
from ..results import Alignment, UnitaryAlignment
from .layout import MEASURE, Line, lanes_of, split_into_lines
from .svg import (
    Chart,
    category_css,
    category_marks,
    drawn,
    gutter_for,
    join_markup,
    line,
    path,
    short_names,
    text,
)

LONGEST = 13  # letters of an annotator’s name
LANE = 19.0
BAR = 15.0
ROW_GAP = 13.0
LETTER = 6.2  # pixels of a letter in a label
FOOT = 15.0  # pixels of a row of disorders
SHEET = 560.0  # pixels after which a long document continues in a new image
_WORD = '<tspan x="%g">%s</tspan>'
_LINK = '<path class="link" data-t="%s" d="M%g %gC%g %g %g %g %g %g"/>'
_BOX = 'x="%g" y="%g" width="%g" height="%g" rx="2.5"'
_HATCH = '<rect class="hatch" %s/>'
_UNIT = '<g class="unit cat %s" data-t="%s"><title>%s</title><rect %s/>%s%s</g>'
_DISORDER = '<g class="disorder" data-t="%s">%s%s</g>'


@dataclass(frozen=True, slots=True)
class _Bar:
    """A unit's part on one line."""

    unit: int
    left: float
    right: float
    top: float

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2


def alignment_picture(
    document: Alignment,
    *,
    tagset: Sequence[str],
    identifier: str,
    title: str,
    description: str,
    say: Language,
    language: str = "",
) -> Markup:
    """Draw the document line by line, as one image or, when long, several that each fit a sheet."""
    annotators = [*dict.fromkeys([*document.annotators, *(u.annotator for u in document.units)])]
    gutter = gutter_for(annotators, LONGEST)
    names = short_names(annotators, LONGEST)
    lanes, heights = lanes_of(document.units, annotators)
    tuple_of = {u: t for t, a in enumerate(document.alignments) for u in a.units}
    tuples_of: dict[int, list[int]] = {}
    for t, unitary in enumerate(document.alignments):
        for u in unitary.units:
            tuples_of.setdefault(u, []).append(t)
    rows = split_into_lines(document)
    units_of = _units_by_row(document, rows)
    codes = {category: code for code, category in enumerate(tagset)}
    marks = dict(zip(tagset, category_marks(tagset), strict=True))
    disorders = [_disorder_words(one, say) for one in document.alignments]
    shown: set[int] = set()  # unitary alignments whose disorder is already printed
    sheets: list[tuple[list[Markup], float]] = []
    parts: list[Markup] = []
    y = 4.0
    for row, units in zip(rows, units_of, strict=True):
        if y > SHEET:
            sheets.append((parts, y))
            parts, y = [], 4.0
        if row.is_gap:
            words = say("alignments.gap", n=say.integer(row.end - row.start))
            parts.append(text(gutter, y + 12, f"⋯ {words}", "gap"))
            y += 24
            continue
        y = _add_line_text(parts, document, row, gutter, y, say, language)
        tops, below = _row_tops(heights, y)
        top_of = dict(zip(annotators, tops, strict=True))
        bars = _bars(document, row, units, gutter, top_of, lanes)
        present = sorted({t for u in bars for t in tuples_of.get(u, ())})
        for a in range(len(annotators)):
            parts.append(text(gutter - 8, tops[a] + 11, names[a], "row-label", "end"))
            middle = tops[a] + BAR / 2
            parts.append(line(gutter, middle, gutter + row.x(row.end), middle, "thread"))
        parts += _links(document, bars, present)
        parts += [
            _unit(document, bar, tuple_of, disorders, codes, marks, say) for bar in bars.values()
        ]
        below, numbers = _disorders(document, bars, present, shown, below, say)
        parts += numbers
        y = below + 14
    sheets.append((parts, y))
    return join_markup(
        Chart(
            gutter + MEASURE + 8,
            max(height, 20),
            join_markup(pieces),
            css="chart alignment",
            is_fixed=True,
        ).named(
            f"{identifier}-{n}",
            title if len(sheets) == 1 else f"{title} ({n}/{len(sheets)})",
            description,
        )
        for n, (pieces, height) in enumerate(sheets, 1)
    )


def _add_line_text(
    parts: list[Markup],
    document: Alignment,
    row: Line,
    gutter: float,
    y: float,
    say: Language,
    language: str,
) -> float:
    """Add the text of the line, word by word at its offset, or the offsets without a text."""
    if not document.text:
        unit = say(f"offset_unit.{document.offset_unit}")
        parts.append(text(gutter, y + 10, f"{say.integer(row.start)} {unit}", "tick"))
        right = gutter + row.x(row.end)
        parts.append(text(right, y + 10, say.integer(row.end), "tick", "end"))
        return y + 20
    words = document.text[int(row.start) : int(row.end)]
    spans = join_markup(
        drawn(_WORD, round(gutter + row.x(row.start + match.start()), 1), escape(match.group()))
        for match in re.finditer(r"\S+", words)
    )
    tag = Markup(' lang="{}"').format(language) if language and language != say.code else ""
    parts.append(Markup('<text class="source" y="{:g}"{}>{}</text>').format(y + 11, tag, spans))
    return y + 22


def _row_tops(heights: Sequence[int], y: float) -> tuple[list[float], float]:
    tops = []
    for height in heights:
        tops.append(y)
        y += height * LANE + ROW_GAP
    return tops, y - ROW_GAP + 4


def _units_by_row(document: Alignment, rows: Sequence[Line]) -> list[list[int]]:
    """Return the units on each line, in their order: a document of n units has about n lines."""
    found: list[list[int]] = [[] for _ in rows]
    ends = [row.end for row in rows]
    for u, unit in enumerate(document.units):
        k = bisect_right(ends, unit.start)
        while k < len(rows) and rows[k].start < unit.end:
            found[k].append(u)
            k += 1
    return found


def _bars(
    document: Alignment,
    row: Line,
    units: Sequence[int],
    gutter: float,
    tops: Mapping[str, float],
    lanes: Sequence[int],
) -> dict[int, _Bar]:
    bars = {}
    for u in units:
        unit = document.units[u]
        left, right = gutter + row.x(unit.start), gutter + row.x(unit.end)
        top = tops[unit.annotator] + lanes[u] * LANE
        bars[u] = _Bar(u, left, max(right, left + 2.5), top)
    return bars


def _links(document: Alignment, bars: Mapping[int, _Bar], present: Sequence[int]) -> list[Markup]:
    """Draw the links of the unitary alignments that are `present` on the line."""
    parts = []
    for t in present:
        units = document.alignments[t].units
        members = sorted((bars[u] for u in units if u in bars), key=lambda b: b.top)
        for upper, lower in itertools.pairwise(members):
            start, end = upper.top + BAR, lower.top
            bend = (start + end) / 2
            parts.append(
                drawn(
                    _LINK,
                    t,
                    *(round(upper.middle, 1), start, round(upper.middle, 1), bend),
                    *(round(lower.middle, 1), bend, round(lower.middle, 1), end),
                )
            )
    return parts


def _unit(
    document: Alignment,
    bar: _Bar,
    tuple_of: Mapping[int, int],
    disorders: Sequence[str],
    codes: Mapping[str, int],
    marks: Mapping[str, str],
    say: Language,
) -> Markup:
    unit = document.units[bar.unit]
    t = tuple_of.get(bar.unit, -1)
    alone = t < 0 or len(document.alignments[t].units) == 1
    category = unit.category or say("alignments.no_category")
    where = f"{say.integer(unit.start)}–{say.integer(unit.end)}"
    disorder = disorders[t] if t >= 0 else say("alignments.unit_alone")
    label = say("value.labelled", label=unit.annotator, said=f"{category}, {where}, {disorder}")
    width = bar.right - bar.left
    fits = int((width - 6) / LETTER)
    written = category if len(category) <= fits else marks.get(unit.category, "–")
    shown = len(written) <= max(fits, 1)
    word = text(bar.left + 4, bar.top + 11, written, "unit-label") if shown else Markup("")
    box = drawn(_BOX, round(bar.left, 1), bar.top, round(width, 1), BAR)
    css = category_css(codes.get(unit.category, -1))
    hatch = Markup("") if css.endswith("h0") else drawn(_HATCH, box)
    classes = escape(f"{css} alone" if alone else css)
    return drawn(_UNIT, classes, t, escape(label), box, hatch, word)


def _disorder_words(unitary: UnitaryAlignment, say: Language) -> str:
    if len(unitary.units) == 1:
        return say("alignments.unit_alone")
    return say("value.disorder", value=say.number(unitary.disorder))


def _disorders(
    document: Alignment,
    bars: Mapping[int, _Bar],
    present: Sequence[int],
    shown: set[int],
    y: float,
    say: Language,
) -> tuple[float, list[Markup]]:
    """Add the disorder of each unitary alignment under its units, in as many rows as needed."""
    ends: list[float] = []
    parts: list[Markup] = []
    at: list[tuple[float, int]] = []
    for t in present:
        if t not in shown:
            members = [bars[u] for u in document.alignments[t].units if u in bars]
            shown.add(t)
            at.append((sum(b.middle for b in members) / len(members), t))
    for x, t in sorted(at):
        row = next((i for i, end in enumerate(ends) if end <= x - 15), len(ends))
        ends[row : row + 1] = [x + 15]
        foot = y + row * FOOT
        lowest = max(bars[u].top for u in document.alignments[t].units if u in bars) + BAR
        parts.append(
            drawn(
                _DISORDER,
                t,
                path([(round(x, 1), lowest), (round(x, 1), foot + 3)], "drop"),
                text(
                    round(x, 1),
                    foot + 12,
                    _disorder_text(document.alignments[t].disorder, say),
                    "number",
                    "middle",
                ),
            )
        )
    return y + max(len(ends), 1) * FOOT, parts


def _disorder_text(disorder: float, say: Language) -> str:
    return say.plain(disorder, 2) if math.isfinite(disorder) else "?"
