"""The best alignment of a continuum, and the proof that it is the best.

Source: Mathet & Widlöcher 2011 (`mean`); Mathet, Widlöcher & Métivier 2015 (`sum`, `soft`).
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_matrix

from metrics.alignment.continuum import Continuum
from metrics.alignment.dissimilarity import Dissimilarity, pair_costs
from metrics.errors import MetricsError

Objective = Literal["sum", "mean", "soft"]


@dataclass(frozen=True, slots=True)
class Alignment:
    """An alignment of U units by n annotators into m unitary alignments.

    units        int32 (m, n): index into the continuum, -1 for the empty unit
    disorders    float64 (m,): unitary disorders, the mean of d over the C(n, 2) pairs
    total        sum of the unitary disorders
    mean_units   U / n
    optimal      whether the alignment is proven to be the best
    gap          proven relative gap (found - bound) / found of the objective, 0 when optimal
    """

    units: NDArray[np.int32]
    disorders: NDArray[np.float64]
    total: float
    mean_units: float
    optimal: bool = True
    gap: float = 0.0

    @property
    def gamma_disorder(self) -> float:
        """total / mean_units, the disorder of γ (2015); `nan` when there is no unit (`reason`)."""
        return self.total / self.mean_units if self.mean_units else math.nan

    @property
    def holistic_disorder(self) -> float:
        """total / m, the disorder of 2011, at most Δ∅ at best; `nan` when there is no unit."""
        return self.total / len(self.disorders) if len(self.disorders) else math.nan

    @property
    def reason(self) -> str:
        """Why the disorders are `nan`, or the empty string."""
        return "" if self.mean_units else "no unit in the continuum"


def best_alignment(
    continuum: Continuum,
    dissimilarity: Dissimilarity = Dissimilarity(),
    *,
    objective: Objective = "sum",
    time_limit: float | None = None,
) -> Alignment:
    """The alignment of least disorder.

    objective   `sum`: least sum of unitary disorders over the partitions of the units (γ, 2015);
                `mean`: least mean unitary disorder over the same partitions (2011), exact by
                Dinkelbach's method; `soft`: least sum over the coverings, in which a unit may
                stand in several unitary alignments
    time_limit  seconds after which the best alignment found is returned with its proven gap

    Without a unit the alignment is empty and its disorders are `nan`. When only one annotator
    marked units each stands alone, with disorder Δ∅.
    Raises MetricsError for fewer than two annotators or an unknown objective.
    """
    n = continuum.n_annotators
    if n < 2:
        raise MetricsError(f"an alignment needs at least two annotators, and there is {n}")
    if objective not in ("sum", "mean", "soft"):
        raise MetricsError(f"objective {objective!r} is unknown: choose sum, mean or soft")
    U = continuum.n_units
    if U == 0:
        return _alignment(continuum, dissimilarity, np.empty((0, n), dtype=np.int32), 0.0)
    index = np.arange(U)
    costs = pair_costs(continuum, index[:, None], index[None, :], dissimilarity)
    weights = costs / dissimilarity.delta_empty - 1.0
    constant = n * (n - 1) / 2.0
    rate = 1.0 if objective == "mean" else 0.0
    deadline = math.inf if time_limit is None else time.monotonic() + time_limit
    while True:
        units, gap = _solve(continuum, weights, constant * (1.0 - rate), objective, deadline)
        found = _alignment(continuum, dissimilarity, units, gap)
        if objective != "mean":
            return found
        new_rate = found.holistic_disorder / dissimilarity.delta_empty
        if new_rate >= rate - 1e-13 or gap > 0:
            return found
        rate = new_rate


def _alignment(
    continuum: Continuum, dissimilarity: Dissimilarity, units: NDArray[np.int32], gap: float
) -> Alignment:
    n = continuum.n_annotators
    first, second = np.triu_indices(n, 1)
    disorders = pair_costs(continuum, units[:, first], units[:, second], dissimilarity).mean(axis=1)
    return Alignment(
        units, disorders, float(disorders.sum()), continuum.n_units / n, gap == 0.0, gap
    )


def _solve(
    continuum: Continuum,
    weights: NDArray[np.float64],
    constant: float,
    objective: Objective,
    deadline: float,
) -> tuple[NDArray[np.int32], float]:
    n, U = continuum.n_annotators, continuum.n_units
    tuples = _candidates(continuum, weights, constant)
    cost = np.array(
        [constant + sum(weights[a, b] for i, a in enumerate(t) for b in t[:i]) for t in tuples]
    )
    columns = np.repeat(np.arange(len(tuples)), [len(t) for t in tuples])
    rows = np.concatenate([np.array(t) for t in tuples])
    matrix = csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(U, len(tuples)))
    upper = np.inf if objective == "soft" else 1.0
    limit = max(1.0, deadline - time.monotonic()) if deadline < math.inf else None
    solution = milp(
        cost,
        constraints=LinearConstraint(matrix, 1.0, upper),
        integrality=np.ones(len(tuples)),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0.0} | ({"time_limit": limit} if limit else {}),
    )
    if solution.x is None:
        chosen, gap = [(u,) for u in range(U)], 1.0
    else:
        chosen = [t for t, x in zip(tuples, solution.x, strict=True) if x > 0.5]
        gap = 0.0 if solution.status == 0 else float(solution.mip_gap)
    units = np.full((len(chosen), n), -1, dtype=np.int32)
    for row, members in enumerate(chosen):
        units[row, continuum.owners[list(members)]] = members
    return units, gap


def _candidates(
    continuum: Continuum, weights: NDArray[np.float64], constant: float
) -> list[tuple[int, ...]]:
    """Tuples with no member b such that w(b, others) >= constant: splitting b off is as good."""
    n, owners = continuum.n_annotators, continuum.owners
    by_owner = [np.flatnonzero(owners == a) for a in range(n)]
    best = np.zeros((continuum.n_units, n + 1))
    for a in range(n - 1, -1, -1):
        lowest = weights[:, by_owner[a]].min(axis=1, initial=0.0)
        best[:, a] = best[:, a + 1] + np.minimum(lowest, 0.0)
    found: list[tuple[int, ...]] = []

    def extend(members: tuple[int, ...], sums: tuple[float, ...], a: int) -> None:
        if any(s + best[b, a] >= constant for b, s in zip(members, sums, strict=True)):
            return
        if a == n:
            found.append(members)
            return
        extend(members, sums, a + 1)
        for u in by_owner[a]:
            added = [weights[u, b] for b in members]
            extend(
                (*members, int(u)),
                (*(s + x for s, x in zip(sums, added, strict=True)), sum(added)),
                a + 1,
            )

    for u in range(continuum.n_units):
        a = int(owners[u])
        extend((u,), (0.0,), a + 1)
    singles = {t[0] for t in found if len(t) == 1}
    return found + [(u,) for u in range(continuum.n_units) if u not in singles]
