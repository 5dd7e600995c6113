"""Dissimilarity of two units: position, category, and the empty unit.

Conventions. A unit is `[start, end)` with a category. All dissimilarities are symmetric, >= 0, and
`d(u, ∅) = Δ∅`. `d(u, v) = alpha · d_pos(u, v) + beta · dist(category u, category v) · Δ∅`, so Δ∅
scales the categorical part, too. Everything is computed from differences in float64: shifting a
document by 10⁸ or changing its time scale changes nothing (except for `hamming`, whose mean length
must be in the same scale).

Sources: Mathet & Widlöcher 2011, equations 1–4 (`sporadic`, `hamming`); Mathet, Widlöcher &
Métivier 2015 (`positional`).

Rules
* Units without a category (-1) have distance 0 from one another and `unlabelled_distance` from
  every unit with a category (1 by default: no label is a category of its own; 0 ignores the label).
* A discontinuous unit is represented by its envelope, from the start of its first fragment to the
  end of its last: this is what a `Continuum` contains.
* Overlapping, nested and duplicate units of one annotator are ordinary units; two units of the same
  annotator are never aligned with each other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Floats, Ints
from ..distance_matrix import distance_matrix
from ..errors import MetricsError
from .continuum import Continuum

Position = Literal["positional", "sporadic", "hamming", "none"]
PairFunction = Callable[[Continuum, Ints, Ints], Floats]

POSITIONS: tuple[Position, ...] = ("positional", "sporadic", "hamming", "none")
SPORADIC_DELTA_EMPTY = 4.0


@dataclass(frozen=True, slots=True, eq=False)
class Dissimilarity:
    """Settings of a dissimilarity between units.

    position            `positional` (2015): ((|Δstart| + |Δend|) / (len u + len v))² · Δ∅
                        `sporadic` (2011): ((|Δstart| + |Δend|) / ((len u + len v) / 2))²
                        `hamming` (2011, for pavings): |Δend| / (k / 2), k = mean unit length
                        `none`: position is ignored
    alpha, beta         weights >= 0 of position and category
    delta_empty         Δ∅ > 0, the cost of pairing a unit with the empty unit
    category_distances  float64 (K, K) in [0, 1], symmetric, zero diagonal; None is nominal
                        (0 for the same category, 1 for two different ones)
    mean_length         k of `hamming` for the campaign; None uses the mean of each continuum
    unlabelled_distance distance in [0, 1] between a labelled and an unlabelled unit
    pair_function       user-defined cost that replaces all of the above except Δ∅: called as
                        `pair_function(continuum, u, v)` with two int64 (P,) arrays of unit indices,
                        returns float64 (P,) costs >= 0, symmetric

    Raises MetricsError for a setting outside these ranges.
    """

    position: Position = "positional"
    alpha: float = 1.0
    beta: float = 1.0
    delta_empty: float = 1.0
    category_distances: Floats | None = None
    mean_length: float | None = None
    unlabelled_distance: float = 1.0
    pair_function: PairFunction | None = None

    def __post_init__(self) -> None:
        if self.position not in POSITIONS:
            raise MetricsError(
                f"position {self.position!r} is unknown: choose one of {', '.join(POSITIONS)}"
            )
        for name in ("alpha", "beta"):
            weight = getattr(self, name)
            if not (math.isfinite(weight) and weight >= 0):
                raise MetricsError(f"{name} is {weight}: a weight must be at least 0")
        if not (math.isfinite(self.delta_empty) and self.delta_empty > 0):
            raise MetricsError(f"delta_empty (Δ∅) is {self.delta_empty}: it must be above 0")
        if not 0 <= self.unlabelled_distance <= 1:
            raise MetricsError(
                f"unlabelled_distance is {self.unlabelled_distance}: it must lie in [0, 1]"
            )
        if self.mean_length is not None and not (
            math.isfinite(self.mean_length) and self.mean_length > 0
        ):
            raise MetricsError(f"mean_length is {self.mean_length}: it must be above 0")
        if self.category_distances is not None:
            matrix = distance_matrix(self.category_distances)
            matrix.setflags(write=False)
            object.__setattr__(self, "category_distances", matrix)

    @classmethod
    def sporadic(
        cls,
        *,
        alpha: float = 1.0,
        beta: float = 1.0,
        delta_empty: float = SPORADIC_DELTA_EMPTY,
        category_distances: Floats | None = None,
        unlabelled_distance: float = 1.0,
    ) -> Dissimilarity:
        """2011 dissimilarity; with Δ∅ = 4, units of equal length align as long as they touch."""
        return cls(
            "sporadic",
            alpha,
            beta,
            delta_empty,
            category_distances,
            unlabelled_distance=unlabelled_distance,
        )

    def distances_with_unlabelled(self, n_categories: int) -> Floats:
        """float64 (K + 1, K + 1): distances between categories, the last one for no category.

        Raises MetricsError if `category_distances` has fewer than K rows.
        """
        extended = np.empty((n_categories + 1, n_categories + 1))
        extended.fill(self.unlabelled_distance)
        if self.category_distances is None:
            extended[:n_categories, :n_categories] = 1.0
        else:
            size = self.category_distances.shape[0]
            if size != n_categories:
                raise MetricsError(
                    f"category_distances are for {size} categories, but there are "
                    f"{n_categories}: give one row and one column for each"
                )
            extended[:n_categories, :n_categories] = self.category_distances
        extended.flat[:: n_categories + 2] = 0.0
        return extended


def ordinal_distances(n_categories: int) -> Floats:
    """Return |i - j| / (K - 1) between the ranks of K categories in the order of the scale."""
    return numerical_distances(range(n_categories))


def numerical_distances(values: Sequence[float] | ArrayLike) -> Floats:
    """Return |x - y| / (largest - smallest) between the numbers that K categories stand for.

    All zero if every category stands for the same number. Raises MetricsError for a value that is
    not a finite number.
    """
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.ndim != 1 or not np.isfinite(numbers).all():
        raise MetricsError("numerical categories need one finite number each")
    distances = np.abs(numbers[:, None] - numbers[None, :])
    spread = distances.max(initial=0.0)
    return distances / spread if spread > 0 else distances


def mean_unit_length(continuum: Continuum) -> float:
    """Return the mean length of the units of one continuum; `nan` without units."""
    if continuum.n_units == 0:
        return math.nan
    return float(np.mean(continuum.ends - continuum.starts))


def pair_costs(
    continuum: Continuum,
    u: ArrayLike,
    v: ArrayLike,
    dissimilarity: Dissimilarity,
) -> Floats:
    """Return d(u, v) for P pairs of units given by their indices, -1 being the empty unit.

    `u` and `v` are integer arrays that broadcast together; the result has their shape, is >= 0, and
    is Δ∅ wherever one side (or both) is empty. Owners are ignored. Raises MetricsError if a
    user-defined cost is negative or not a number.
    """
    u, v = np.broadcast_arrays(np.asarray(u, dtype=np.int64), np.asarray(v, dtype=np.int64))
    costs = np.full(u.shape, dissimilarity.delta_empty)
    real = (u >= 0) & (v >= 0)
    position, category = _pair_parts(continuum, u[real], v[real], dissimilarity)
    costs[real] = position + category
    return costs


def pair_cost(continuum: Continuum, u: int, v: int, dissimilarity: Dissimilarity) -> float:
    """Return d(u, v) of two units given by their indices, -1 being the empty unit."""
    return float(pair_costs(continuum, [u], [v], dissimilarity)[0])


def position_costs(
    continuum: Continuum, u: ArrayLike, v: ArrayLike, dissimilarity: Dissimilarity
) -> Floats:
    """Return d_pos(u, v) without the weight alpha, for pairs of real units; float64 (P,)."""
    u, v = np.asarray(u, dtype=np.int64), np.asarray(v, dtype=np.int64)
    starts, ends = continuum.starts, continuum.ends
    shift = np.abs(starts[u] - starts[v]) + np.abs(ends[u] - ends[v])
    lengths = (ends[u] - starts[u]) + (ends[v] - starts[v])
    if dissimilarity.position == "positional":
        return (shift / lengths) ** 2 * dissimilarity.delta_empty
    if dissimilarity.position == "sporadic":
        return (2.0 * shift / lengths) ** 2
    if dissimilarity.position == "hamming":
        mean_length = dissimilarity.mean_length or mean_unit_length(continuum)
        return np.abs(ends[u] - ends[v]) / (mean_length / 2.0)
    return np.zeros(u.shape)


def category_costs(
    continuum: Continuum, u: ArrayLike, v: ArrayLike, dissimilarity: Dissimilarity
) -> Floats:
    """Return d_cat(u, v) = dist · Δ∅ without the weight beta, for real units; float64 (P,)."""
    u, v = np.asarray(u, dtype=np.int64), np.asarray(v, dtype=np.int64)
    distances = dissimilarity.distances_with_unlabelled(len(continuum.tagset))
    category = continuum.categories
    return distances[category[u], category[v]] * dissimilarity.delta_empty


def _pair_parts(
    continuum: Continuum,
    u: Ints,
    v: Ints,
    dissimilarity: Dissimilarity,
) -> tuple[Floats, Floats | float]:
    if dissimilarity.pair_function is not None:
        costs = np.asarray(dissimilarity.pair_function(continuum, u, v), dtype=np.float64)
        if costs.shape != u.shape:
            raise MetricsError(
                f"the pair function returned shape {costs.shape} for {u.size} pairs of units"
            )
        if not (costs >= 0).all():
            bad = int(np.flatnonzero(~(costs >= 0))[0])
            raise MetricsError(
                f"the pair function gives {costs[bad]} for units {u[bad]} and {v[bad]}: costs "
                "must be at least 0"
            )
        return costs, 0.0
    return (
        dissimilarity.alpha * position_costs(continuum, u, v, dissimilarity),
        dissimilarity.beta * category_costs(continuum, u, v, dissimilarity),
    )
