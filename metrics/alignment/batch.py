"""Disorders of many continua in one compiled call: chance samples and corpora."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.alignment.best_alignment import Objective, best_alignment, check_objective
from metrics.alignment.continuum import Continuum
from metrics.alignment.dissimilarity import Dissimilarity
from metrics.alignment.engine import MAX_TUPLES, N_ROUNDS, RelativeCosts, align_many
from metrics.errors import MetricsError


@dataclass(frozen=True, slots=True)
class BatchDisorders:
    """What the best alignments of D continua add up to; totals and counts add across continua.

    totals     float64 (D,): sum of unitary disorders of the best alignment, 0 without units
    n_units    int64 (D,): units
    n_unitary  int64 (D,): unitary alignments
    gaps       float64 (D,): proven relative gap, 0 where the alignment is optimal
    """

    totals: NDArray[np.float64]
    n_units: NDArray[np.int64]
    n_unitary: NDArray[np.int64]
    gaps: NDArray[np.float64]

    @property
    def optimal(self) -> NDArray[np.bool_]:
        """bool (D,): whether each alignment is proven to be the best."""
        return self.gaps == 0.0


def batch_disorders(
    starts: NDArray[np.float64],
    ends: NDArray[np.float64],
    categories: NDArray[np.int32],
    owners: NDArray[np.int32],
    offsets: NDArray[np.int64],
    n_annotators: int,
    dissimilarity: Dissimilarity,
    *,
    n_categories: int,
    objective: Objective = "sum",
    time_limit: float | None = None,
) -> BatchDisorders:
    """Disorders of D continua given as flat arrays; continuum i is `offsets[i]:offsets[i + 1]`.

    starts, ends, categories, owners  as in `Continuum`, (offsets[-1],)
    offsets      int64 (D + 1,), from 0, not decreasing
    n_categories K, the size of the tagset that `categories` index
    time_limit   seconds for each continuum that the compiled path leaves unsolved

    The compiled call releases the GIL, so that threads share the work. `hamming` without a
    `mean_length` takes each continuum's own. Starts may be negative here (a shuffled continuum).
    Raises MetricsError for units that end before they start, codes outside the tagset, owners
    outside the annotators, or a `pair_function` (it needs a `Continuum`: use `best_alignment`).
    """
    check_objective(n_annotators, objective)
    starts, ends = np.ascontiguousarray(starts, np.float64), np.ascontiguousarray(ends, np.float64)
    codes = np.ascontiguousarray(categories, np.int32)
    owners = np.ascontiguousarray(owners, np.int32)
    offsets = np.ascontiguousarray(offsets, np.int64)
    _check(starts, ends, codes, owners, offsets, n_annotators, dissimilarity, n_categories)
    costs = RelativeCosts(dissimilarity, n_categories, 1.0)
    n_units = np.diff(offsets)
    weights = np.full(len(n_units), costs.position_weight)
    if dissimilarity.position == "hamming" and dissimilarity.mean_length is None:
        total_length = np.concatenate([[0.0], np.cumsum(ends - starts)])[offsets]
        weights /= np.maximum(np.diff(total_length), np.finfo(float).tiny) / np.maximum(n_units, 1)
    totals, n_unitary, n_open = align_many(
        starts,
        ends,
        codes,
        owners,
        offsets,
        n_annotators,
        costs.kind,
        weights,
        costs.category,
        objective == "mean",
        objective == "soft",
        MAX_TUPLES,
        N_ROUNDS,
    )
    totals *= dissimilarity.delta_empty
    gaps = np.zeros(len(n_units))
    names = tuple(str(a) for a in range(n_annotators))
    tagset = tuple(str(k) for k in range(n_categories))
    for i in np.flatnonzero(n_open):
        part = slice(offsets[i], offsets[i + 1])
        origin = min(0.0, float(starts[part].min()))
        continuum = Continuum(
            starts[part] - origin, ends[part] - origin, codes[part], owners[part], names, tagset
        )
        best = best_alignment(continuum, dissimilarity, objective=objective, time_limit=time_limit)
        totals[i], n_unitary[i], gaps[i] = best.total, len(best.disorders), best.gap
    return BatchDisorders(totals, n_units, n_unitary, gaps)


def _check(
    starts: NDArray[np.float64],
    ends: NDArray[np.float64],
    codes: NDArray[np.int32],
    owners: NDArray[np.int32],
    offsets: NDArray[np.int64],
    n_annotators: int,
    dissimilarity: Dissimilarity,
    n_categories: int,
) -> None:
    if dissimilarity.pair_function is not None:
        raise MetricsError("a batch takes no pair_function: call best_alignment on each continuum")
    n = len(starts)
    if not len(ends) == len(codes) == len(owners) == n:
        raise MetricsError("starts, ends, categories and owners must have the same length")
    if not len(offsets) or offsets[0] != 0 or offsets[-1] != n or (np.diff(offsets) < 0).any():
        raise MetricsError(f"offsets must rise from 0 to the number of units ({n})")
    if n == 0:
        return
    if not (ends > starts).all():
        bad = int(np.flatnonzero(~(ends > starts))[0])
        raise MetricsError(f"unit {bad}: end ({ends[bad]:g}) must be after start ({starts[bad]:g})")
    if codes.min() < -1 or codes.max() >= n_categories:
        raise MetricsError(f"category codes must lie in -1..{n_categories - 1}")
    if owners.min() < 0 or owners.max() >= n_annotators:
        raise MetricsError(f"owners must lie in 0..{n_annotators - 1}")
