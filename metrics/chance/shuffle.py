"""shuffle (Mathet, Widlöcher & Métivier 2015, section 5.2): each annotator's units rotated.

Number, sizes, order and categories of each annotator's units are kept; only their relation to the
other annotators' units is removed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ..arrays import Floats, Ints, Ints32
from ..options import Axis
from .corpus import Corpus
from .virtual_documents import VirtualDocuments


class RotatableDocument(NamedTuple):
    """One real document, prepared for many rotations.

    min_gap  minimum distance between two pivots, in the document's offsets
    """

    starts: Floats
    sizes: Floats
    categories: Ints32
    unit_offsets: Ints
    length: float
    min_gap: float


def rotatable_document(corpus: Corpus, document: int, *, min_gap: float = 1.0) -> RotatableDocument:
    """Prepare the data shared by the draws of one document.

    min_gap  minimum distance around the circle between the pivots of two annotators, in mean unit
             lengths of the document (1 in the 2015 paper, ½ in the authors' software), so that it
             means the same in characters and in milliseconds
    """
    [(starts, ends, categories, offsets, length)] = corpus.as_virtual_documents(
        np.array([document])
    )
    sizes = ends - starts
    gap = min_gap * float(sizes.mean()) if sizes.size else 0.0
    return RotatableDocument(starts, sizes, categories, offsets, length, gap)


def draw_shuffle(
    chosen: Iterable[tuple[RotatableDocument, np.random.Generator]],
    n_annotators: int,
    *,
    axis: Axis = "real",
) -> VirtualDocuments:
    """Draw real documents with each annotator's units rotated around its length.

    chosen  the document and the generator of each draw; the generator is used before the next is
            taken
    axis    `integer` rounds the pivots down to whole offsets, `real` does not

    A unit that a rotation moves across the end keeps its size and extends beyond it, because
    cutting it in two would change the number of units.
    """
    documents, steps, orders, turns = [], [], [], []
    for document, rng in chosen:
        documents.append(document)
        steps.append(rng.random(n_annotators - 1))
        orders.append(rng.permutation(n_annotators))
        turns.append(rng.random())
    lengths = np.array([document.length for document in documents])
    pivots = draw_pivots(
        np.array(steps),
        np.array(orders),
        np.array(turns),
        lengths,
        np.array([document.min_gap for document in documents]),
        axis=axis,
    )
    offsets = np.array([document.unit_offsets for document in documents])
    around = lengths.repeat(offsets[:, -1])
    starts = np.concatenate([document.starts for document in documents])
    starts += pivots.ravel().repeat(np.diff(offsets).ravel())
    np.subtract(starts, around, out=starts, where=starts >= around)
    ends = starts + np.concatenate([document.sizes for document in documents])
    categories = np.concatenate([document.categories for document in documents])
    return VirtualDocuments(starts, ends, categories, offsets, lengths)


def draw_pivots(
    steps: Floats,
    orders: Ints,
    turns: Floats,
    lengths: Floats,
    min_gaps: Floats,
    *,
    axis: Axis = "real",
) -> Floats:
    """Draw pivots on circles, at least `min_gaps` apart on each circle; float64 (count, n).

    steps   uniform on [0, 1), (count, n - 1)
    orders  permutations of the n annotators, (count, n)
    turns   uniform on [0, 1), (count,)

    The pivots are uniform among all such placements: the length that remains after the minimum gaps
    is divided at n - 1 uniform points. If n gaps do not fit, each is reduced to half of an equal
    share.
    """
    n = orders.shape[1]
    gaps = np.where(n * min_gaps < lengths, min_gaps, lengths / (2 * n))
    free = lengths - n * gaps
    around = np.arange(float(n)) * gaps[:, None]
    around[:, 1:] += np.sort(steps, axis=1) * free[:, None]
    pivots = np.take_along_axis(around, orders, axis=1) + (turns * lengths)[:, None]
    pivots %= np.where(lengths > 0, lengths, 1.0)[:, None]
    return np.floor(pivots) if axis == "integer" else pivots
