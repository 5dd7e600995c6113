"""Sums over items that the formulas of the coefficients read, for B batch elements at once.

A batch element is a campaign, a document, a resample, a campaign with pseudo-items: some weighting
of units. Every sum is linear in the units, so a batch is weights (B, G) times a matrix of G units,
and only the sums that a formula reads are computed. An item enters by its labels of each category
and by one number, the mean distance of its pairs of labels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from ..arrays import Floats, Ints, product
from .formulas.spread import MomentSpread, Spread


@dataclass(frozen=True)
class Feature:
    """Numbers of a unit that are added up: their name and, of distances, which distances.

    moments  labels by category are replaced by their moments
    """

    name: str
    key: bytes = b""
    spread: Spread | None = field(default=None, compare=False, repr=False)
    moments: MomentSpread | None = field(default=None, compare=False, repr=False)


class Summands(Protocol):
    """G units with the numbers that are added up, as matrices (G, width), dense or sparse."""

    @property
    def n_categories(self) -> int: ...

    @property
    def n_annotators(self) -> int: ...

    @property
    def category_pairs(self) -> tuple[Ints, Ints]:
        """Pairs of different categories c < k, (P,) each: all, or those that occur."""
        ...

    def feature_matrix(self, feature: Feature) -> Any: ...

    def extend_tagset(self, tagset: tuple[str, ...]) -> Summands:
        """Return the same units with a longer tagset."""
        ...


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums over items, float64, B batch elements, K categories, A annotators.

    n_paired     (B,): items with at least two labels
    n_labelled   (B,): items with at least one label
    paired       (B, K): labels on items with at least two
    shares       (B, K): Σ_i n_ik / n_i; sums to n_labelled
    marginals    (B, A, K): labels k of annotator a
    complete     (B, A, K): the same on the items that every annotator labelled
    n_complete   (B,): items that every annotator labelled
    n_unanimous  (B,): complete items on which all labels are the same

    `read` returns the sums of a feature, (B, width). With `moments`, labels by category are those
    of three categories that have the same distances.
    """

    units: Summands
    read: Callable[[Feature], Floats]
    moments: MomentSpread | None = None
    _known: dict[Feature, Floats] = field(default_factory=dict)

    @property
    def n_categories(self) -> int:
        return self.units.n_categories if self.moments is None else 3

    def with_labels_as_moments(self, moments: MomentSpread) -> Sums:
        """Return the same sums, with labels by category as their moments."""
        return replace(self, moments=moments)

    def _labels(self, name: str) -> Floats:
        if self.moments is None:
            return self.of_feature(Feature(name))
        return self.of_feature(Feature(name, self.moments.key, moments=self.moments))

    @property
    def n_annotators(self) -> int:
        return self.units.n_annotators

    def of_feature(self, feature: Feature) -> Floats:
        """Return the sums of a feature, (B, width), computed once."""
        if feature not in self._known:
            self._known[feature] = self.read(feature)
        return self._known[feature]

    @property
    def n_paired(self) -> Floats:
        return self.of_feature(Feature("n_paired"))[:, 0]

    @property
    def n_labelled(self) -> Floats:
        return self.of_feature(Feature("n_labelled"))[:, 0]

    @property
    def paired(self) -> Floats:
        return self._labels("paired")

    @property
    def shares(self) -> Floats:
        return self._labels("shares")

    @property
    def marginals(self) -> Floats:
        return self._by_annotator("marginals")

    @property
    def complete(self) -> Floats:
        return self._by_annotator("complete")

    @property
    def n_complete(self) -> Floats:
        return self.of_feature(Feature("n_complete"))[:, 0]

    @property
    def n_unanimous(self) -> Floats:
        return self.of_feature(Feature("n_unanimous"))[:, 0]

    @property
    def pooled(self) -> Floats:
        """Labels k of all annotators together, (B, K)."""
        return self._labels("pooled")

    def observed(self, spread: Spread) -> Floats:
        """Σ over items of the mean distance of the pairs of labels, (B,); at most n_paired."""
        return self._distances("observed", spread)

    def coincidence_sum(self, spread: Spread) -> Floats:
        """Σ over items of the same times the number of labels, (B,)."""
        return self._distances("coincident", spread)

    def sums_by_annotator_pair(self, spread: Spread) -> tuple[Floats, Floats, Floats]:
        """Return sums over the items that both of each two annotators labelled, Q pairs.

        Their number (B, Q), the distances between the two labels (B, Q), and the labels of the
        first and of the second annotator, (B, Q, 2, K).
        """
        n = self.of_feature(Feature("pair_items"))
        margins = self._labels("pair_labels")
        return (
            n,
            self.of_feature(Feature("pair_distances", spread.key, spread)),
            margins.reshape(*n.shape, 2, self.n_categories),
        )

    def _by_annotator(self, name: str) -> Floats:
        found = self._labels(name)
        return found.reshape(len(found), self.n_annotators, self.n_categories)

    def _distances(self, name: str, spread: Spread) -> Floats:
        if spread.fixed:
            return self.of_feature(Feature(name, spread.key, spread))[:, 0]
        each = self.of_feature(Feature(f"{name}_cells"))
        return np.asarray((each * spread.of_category_pairs(*self.units.category_pairs)).sum(axis=1))


def weighted_sums(units: Summands, weights: Floats) -> Sums:
    """Sums of B weightings of the units; weights (B, G)."""

    def read(feature: Feature) -> Floats:
        matrix = units.feature_matrix(feature)
        if isinstance(matrix, np.ndarray):
            return product(weights, matrix)
        return np.asarray(weights @ matrix)

    return Sums(units, read)


def sums_of_each(units: Summands) -> Sums:
    """Sums of each unit (B = G)."""
    return Sums(units, lambda feature: as_dense(units.feature_matrix(feature)))


def sums_changing_each(
    whole: Sums, those: slice, change: Callable[[Floats, Floats], Floats]
) -> Sums:
    """Sums that depend on one unit in turn: `change(total, own)`, of a total (1, F) and units.

    whole  the total, of which each sum is computed once (B = 1)
    """
    units = whole.units
    return Sums(
        units,
        lambda feature: change(
            whole.of_feature(feature), as_dense(units.feature_matrix(feature)[those])
        ),
    )


def as_dense(matrix: Any) -> Floats:
    return np.asarray(matrix if isinstance(matrix, np.ndarray) else matrix.toarray())
