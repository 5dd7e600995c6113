"""Layout of an alignment picture: lines of text, lanes of overlapping units."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from ..results import AlignedUnit, Alignment

MEASURE = 640.0  # pixels of a line
CHARACTER = 7.25  # pixels per character of the monospaced text
UNIT_WIDTH = 64.0  # intended pixels of the median unit where there is no text
MAX_LINES = 24  # for a document without text


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the picture: the offsets [start, end), and the pixels per offset."""

    start: float
    end: float
    scale: float
    is_gap: bool = False  # a run of lines without a unit, folded into one mark

    def x(self, offset: float) -> float:
        return (min(max(offset, self.start), self.end) - self.start) * self.scale


def split_into_lines(document: Alignment) -> list[Line]:
    """Split the document into lines; lines without a unit are folded."""
    length = max([document.length, *(u.end for u in document.units)], default=0)
    if length <= 0:
        return []
    if document.text:
        cuts = _text_cuts(document.text, int(MEASURE // CHARACTER))
        cuts = [*[c for c in cuts if c < length], length]
        scale = CHARACTER
    else:
        width = median(u.end - u.start for u in document.units) if document.units else length
        wanted = length * UNIT_WIDTH / width / MEASURE
        n_lines = max(1, min(MAX_LINES, math.ceil(wanted)))
        cuts = [length * i / n_lines for i in range(n_lines + 1)]
        scale = MEASURE * n_lines / length
    return _fold_empty_lines([Line(a, b, scale) for a, b in itertools.pairwise(cuts)], document)


def _text_cuts(text: str, width: int) -> list[float]:
    """Return the offsets where lines begin: at a space in the last fifth of the line, if any."""
    cuts = [0]
    while len(text) - cuts[-1] > width:
        start = cuts[-1]
        space = text.rfind(" ", start + width * 4 // 5, start + width)
        cuts.append(space + 1 if space >= 0 else start + width)
    return [float(cut) for cut in cuts]


def _fold_empty_lines(lines: list[Line], document: Alignment) -> list[Line]:
    kept: list[Line] = []
    for line in lines:
        used = any(u.start < line.end and u.end > line.start for u in document.units)
        if used or len(lines) == 1:
            kept.append(line)
        elif kept and kept[-1].is_gap:
            kept[-1] = Line(kept[-1].start, line.end, line.scale, is_gap=True)
        else:
            kept.append(Line(line.start, line.end, line.scale, is_gap=True))
    return kept


def lanes_of(
    units: Sequence[AlignedUnit], annotators: Sequence[str]
) -> tuple[list[int], list[int]]:
    """Return the lane of each unit in its annotator's row, and the number of lanes per annotator.

    Overlapping units of one annotator are placed in different lanes, longer units first
    (outermost).
    """
    lanes = [0] * len(units)
    heights = [1] * len(annotators)
    for a, annotator in enumerate(annotators):
        own = [i for i, unit in enumerate(units) if unit.annotator == annotator]
        ends: list[float] = []
        for i in sorted(own, key=lambda i: (units[i].start, -units[i].end)):
            free = [lane for lane, end in enumerate(ends) if end <= units[i].start]
            lane = free[0] if free else len(ends)
            ends[lane : lane + 1] = [units[i].end]
            lanes[i] = lane
        heights[a] = max(1, len(ends))
    return lanes, heights
