"""shuffle (Mathet, Widlöcher & Métivier 2015, section 5.2): each annotator's units rotated.

Numbers, sizes, order and categories of each annotator stay as they are; only what they have to
do with the other annotators' is undone.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from metrics.chance.corpus import Corpus, Draw

Axis = Literal["real", "integer"]


def draw_shuffle(
    corpus: Corpus,
    document: int,
    rng: np.random.Generator,
    *,
    min_gap: float = 1.0,
    axis: Axis = "real",
) -> Draw:
    """One real document with each annotator's units rotated around its length.

    min_gap  least distance around the circle between the pivots of two annotators, in mean unit
             lengths of the document (2015: 1; that paper's own software: ½), so that it means the
             same in characters and in milliseconds
    axis     `integer` rounds the pivots down to whole offsets, `real` leaves them

    A unit that a rotation carries over the end keeps its size and stands out beyond it: cutting
    it in two would change the number of units.
    """
    sets = slice(int(corpus.set_offsets[document]), int(corpus.set_offsets[document + 1]) + 1)
    offsets = corpus.unit_offsets[sets] - corpus.unit_offsets[sets.start]
    units = slice(int(corpus.unit_offsets[sets.start]), int(corpus.unit_offsets[sets.stop - 1]))
    starts, ends = corpus.starts[units], corpus.ends[units]
    length = float(corpus.lengths[document])
    if starts.shape[0] == 0:
        return Draw(starts, ends, corpus.categories[units], offsets, length)
    sizes = ends - starts
    pivots = draw_pivots(
        offsets.shape[0] - 1, length, min_gap * float(sizes.mean()), rng, axis=axis
    )
    rotated = starts + np.repeat(pivots, np.diff(offsets))
    rotated = np.where(rotated >= length, rotated - length, rotated)
    return Draw(rotated, rotated + sizes, corpus.categories[units], offsets, length)


def draw_pivots(
    n_annotators: int,
    length: float,
    min_gap: float,
    rng: np.random.Generator,
    *,
    axis: Axis = "real",
) -> NDArray[np.float64]:
    """n pivots on a circle of `length`, any two at least `min_gap` apart; float64 (n,).

    Uniform among all such placements: the length left over once every gap is granted is broken at
    n - 1 uniform points. Where n gaps do not fit, each is reduced to half of an even share.
    """
    gap = min_gap if n_annotators * min_gap < length else length / (2 * n_annotators)
    free = length - n_annotators * gap
    steps = np.sort(rng.random(n_annotators - 1)) * free
    around = np.concatenate([[0.0], steps]) + np.arange(n_annotators) * gap
    pivots = (rng.permutation(around) + rng.random() * length) % length
    return np.floor(pivots) if axis == "integer" else pivots
