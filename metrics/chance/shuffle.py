"""shuffle (Mathet, Widlöcher & Métivier 2015, section 5.2): each annotator's units rotated.

Numbers, sizes, order and categories of each annotator stay as they are; only what they have to
do with the other annotators' is undone.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.chance.corpus import Corpus, Draw

Axis = Literal["real", "integer"]


class Rotatable(NamedTuple):
    """One real document, ready to be rotated many times.

    set_of_unit  int64 (U,): the annotator of each unit, by place in the document
    min_gap      least distance between two pivots, in the document's offsets
    """

    starts: NDArray[np.float64]
    sizes: NDArray[np.float64]
    categories: NDArray[np.int32]
    unit_offsets: NDArray[np.int64]
    set_of_unit: NDArray[np.int64]
    length: float
    min_gap: float


def rotatable(corpus: Corpus, document: int, *, min_gap: float = 1.0) -> Rotatable:
    """What the draws of one document share.

    min_gap  least distance around the circle between the pivots of two annotators, in mean unit
             lengths of the document (2015: 1; that paper's own software: ½), so that it means the
             same in characters and in milliseconds
    """
    starts, ends, categories, offsets, length = corpus.as_draw(document)
    sizes = ends - starts
    set_of_unit = np.repeat(np.arange(offsets.shape[0] - 1), np.diff(offsets))
    gap = min_gap * float(sizes.mean()) if sizes.size else 0.0
    return Rotatable(starts, sizes, categories, offsets, set_of_unit, length, gap)


def draw_shuffle(document: Rotatable, rng: np.random.Generator, *, axis: Axis = "real") -> Draw:
    """One real document with each annotator's units rotated around its length.

    axis  `integer` rounds the pivots down to whole offsets, `real` leaves them

    A unit that a rotation carries over the end keeps its size and stands out beyond it: cutting
    it in two would change the number of units.
    """
    starts, sizes, categories, offsets, set_of_unit, length, min_gap = document
    if not sizes.size:
        return Draw(starts, starts, categories, offsets, length)
    pivots = draw_pivots(offsets.shape[0] - 1, length, min_gap, rng, axis=axis)
    rotated = starts + pivots[set_of_unit]
    rotated[rotated >= length] -= length
    return Draw(rotated, rotated + sizes, categories, offsets, length)


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
    steps = rng.random(n_annotators - 1)
    steps.sort()
    around = np.arange(float(n_annotators)) * gap
    around[1:] += steps * free
    pivots = (rng.permutation(around) + rng.random() * length) % length
    return np.floor(pivots) if axis == "integer" else pivots
