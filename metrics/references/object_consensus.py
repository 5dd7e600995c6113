"""Consensus of objects: on each item, the annotators' object that is closest to all of them.

The medoid of an item is the object x_a with the smallest Σ_b w_b d(x_a, x_b) (Kaufman & Rousseeuw
1990, chapter 2). With equal weights it is the object of the smallest average distance of Braylan &
Lease (2020), as in the authors' code (repository `annotationmodeling`, experiments.py). Weighted by
reliability,

    w_a = 1 / m_a,   m_a = (Σ_i d_ai + PRIOR · D) / (n_a + PRIOR)

where d_ai is the mean distance of the object of a on item i to the others there, n_a the number of
its objects, and D the mean of all d_ai. Like the authors' code, which also ranks annotators by
their mean distance, m_a draws those with few objects to the mean of all. The average distance to
the others estimates how reliable an annotator is (Meir et al. 2023).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..agreement.label_matrix import LabelMatrix
from ..arrays import Flags, Floats, Ints
from ..objects.object_distance import ObjectDistance
from ..objects.object_pairs import ObjectPairs, object_pairs
from ..objects.object_values import ResampledObjects

PRIOR = 5.0  # objects at the mean distance of all that are added to those of each annotator
_SAME = 1e-9  # sums of distances that differ by less, as a share, are tied


@dataclass(frozen=True)
class ObjectConsensus:
    """The consensus of N items by A annotators.

    codes      int64 (N,): code of the consensus object in the matrix; −1 without one
    distance   float64 (N,): weighted mean distance of the other objects on the item to it; nan
    is_tied    bool (N,): whether different objects are equally close; the others without a
               consensus have fewer than two objects
    weights    float64 (A,): weight of each annotator, of mean 1; nan without a compared object
    distances  float64 (A,): mean distance of each annotator to the others
    """

    codes: Ints
    distance: Floats
    is_tied: Flags
    weights: Floats
    distances: Floats


def consensus_of_objects(
    matrix: LabelMatrix, distance: ObjectDistance, *, weighted: bool = True
) -> ObjectConsensus:
    """Return the medoid of each item, weighted by the reliability of annotators or not.

    Raises MetricsError for a label that is no object.
    """
    pairs = object_pairs(matrix, replace(distance, compares_items=False), seed=0)
    distances, weights = _reliability(pairs, matrix.n_annotators)
    if not weighted:
        weights = np.where(np.isnan(weights), np.nan, 1.0)
    sums, others = _sums(pairs, weights)
    codes = np.full(matrix.n_items, -1, dtype=np.int64)
    nearest = np.full(matrix.n_items, np.nan)
    is_tied = np.zeros(matrix.n_items, dtype=np.bool_)
    given = matrix.codes[pairs.item, pairs.annotator]
    starts = np.flatnonzero(np.diff(pairs.item, prepend=-1))
    ends = np.flatnonzero(np.diff(pairs.item, append=-1)) + 1
    for start, end in zip(starts, ends, strict=True):
        own = sums[start:end]
        closest = np.flatnonzero(own <= own.min() * (1 + _SAME))
        item = pairs.item[start]
        if np.unique(given[start:end][closest]).size > 1:
            is_tied[item] = True
            continue
        codes[item] = given[start + closest[0]]
        nearest[item] = own[closest[0]] / others[start + closest[0]]
    return ObjectConsensus(codes, nearest, is_tied, weights, distances)


def _reliability(pairs: ObjectPairs, n_annotators: int) -> tuple[Floats, Floats]:
    """Return the mean distance of each annotator (A,) to the others, and the weights (A,)."""
    to_others = ResampledObjects.from_pairs(pairs).distances_to_others
    total = np.bincount(pairs.annotator, to_others, n_annotators)
    n = np.bincount(pairs.annotator, minlength=n_annotators)
    compared = n > 0
    distances = np.full(n_annotators, np.nan)
    distances[compared] = total[compared] / n[compared]
    weights = np.where(compared, 1.0, np.nan)
    if to_others.any():
        mean = to_others.mean()
        weights[compared] = ((n + PRIOR) / (total + PRIOR * mean))[compared]
        weights /= np.nanmean(weights)
    return distances, weights


def _sums(pairs: ObjectPairs, weights: Floats) -> tuple[Floats, Floats]:
    """Return Σ_b w_b d(x, x_b) of each object x (n,), and Σ w_b of the other annotators (n,)."""
    within, size = pairs.within, pairs.item.size
    of_object = weights[pairs.annotator]
    first, second = of_object[within.first], of_object[within.second]
    sums, others = np.zeros(size), np.zeros(size)
    for those, of_other in ((within.first, second), (within.second, first)):
        sums += np.bincount(those, of_other * within.distances, size)
        others += np.bincount(those, of_other, size)
    return sums, others
