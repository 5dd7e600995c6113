"""Pairs of units in best alignments, counted by their categories: the input of γ-cat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..alignment.best_alignment import Alignment
from ..alignment.continuum import Continuum
from ..alignment.dissimilarity import Dissimilarity, position_costs
from ..arrays import Floats, Ints
from ..chance.corpus import require_humans
from ..errors import MetricsError


@dataclass(frozen=True, slots=True, eq=False)
class CategoryPairs:
    """Additive counts of D documents; the last of the K + 1 categories is for units without one.

    pairs    float64 (K + 1, K + 1): Σ w of the aligned pairs of all documents by their categories,
             symmetric; a pair of different categories counts half in each order
    weights  float64 (D, K + 1): row sums of this matrix for each document
    same     float64 (D, K + 1): its diagonal
    costs    float64 (D, K + 1): row sums of its product with the category distances
    units    float64 (D, K + 1): number of units of each category

    The four arrays by document may be sparse arrays of SciPy, because a document uses few of many
    categories.
    """

    pairs: Floats
    weights: Floats
    same: Floats
    costs: Floats
    units: Floats

    @property
    def by_document(self) -> tuple[Floats, ...]:
        return self.weights, self.same, self.costs, self.units

    def __add__(self, other: CategoryPairs) -> CategoryPairs:
        return CategoryPairs(
            self.pairs + other.pairs,
            np.concatenate([self.weights, other.weights]),
            np.concatenate([self.same, other.same]),
            np.concatenate([self.costs, other.costs]),
            np.concatenate([self.units, other.units]),
        )

    def select_compared_documents(self) -> CategoryPairs:
        """Return the counts of documents with two annotators and a unit, which are resampled."""
        those = np.flatnonzero(np.asarray(self.units.sum(axis=1)).ravel() > 0)
        if those.size == self.units.shape[0]:
            return self
        rows = (self.weights[those], self.same[those], self.costs[those], self.units[those])
        return CategoryPairs(self.pairs, *rows)


def category_pairs(
    continua: Sequence[Continuum],
    alignments: Sequence[Alignment | None],
    dissimilarity: Dissimilarity,
) -> CategoryPairs:
    """Count every document; a document without an alignment (one annotator) adds nothing.

    Raises MetricsError for a dissimilarity given as a function, which does not separate position
    and category, RoleError if an annotator is not human.
    """
    require_separable(dissimilarity)
    require_humans(continua, "γ-cat")
    if not continua:
        raise MetricsError("no document was given")
    size = len(continua[0].tagset) + 1
    distances = dissimilarity.distances_with_unlabelled(size - 1)
    pairs = np.zeros((size, size))
    weights, same, costs, units = np.zeros((4, len(continua), size))
    for d, (continuum, alignment) in enumerate(zip(continua, alignments, strict=True)):
        if alignment is None or continuum.n_units == 0:
            continue
        u, v, n_real = aligned_pairs(alignment)
        position = position_costs(continuum, u, v, dissimilarity) / dissimilarity.delta_empty
        weight = np.maximum(0.0, 1.0 - position) / (n_real - 1)
        # -1, a unit without a category, is the last row and column
        c, k = continuum.categories[u], continuum.categories[v]
        np.add.at(pairs, (c, k), weight / 2)
        np.add.at(pairs, (k, c), weight / 2)
        for one, other in ((c, k), (k, c)):
            np.add.at(weights[d], one, weight / 2)
            np.add.at(costs[d], one, weight / 2 * distances[one, other])
        np.add.at(same[d], c[c == k], weight[c == k])
        np.add.at(units[d], continuum.categories, 1)
    return CategoryPairs(pairs, weights, same, costs, units)


def aligned_pairs(
    alignment: Alignment,
) -> tuple[Ints, Ints, Ints]:
    """Pairs of real units in a unitary alignment: unit, unit, number of real units in it."""
    first, second = np.triu_indices(alignment.units.shape[1], 1)
    u, v = alignment.units[:, first].astype(np.int64), alignment.units[:, second].astype(np.int64)
    real = (u >= 0) & (v >= 0)
    n_real = np.broadcast_to((alignment.units >= 0).sum(axis=1)[:, None], real.shape)
    return u[real], v[real], n_real[real]


def require_separable(dissimilarity: Dissimilarity) -> None:
    """Raise MetricsError for a dissimilarity that is one function of position and category."""
    if dissimilarity.pair_function is not None:
        raise MetricsError(
            "γ-cat needs separate dissimilarities of position and category, but the "
            "dissimilarity is a single function: use a Dissimilarity with alpha, beta and "
            "category distances"
        )
