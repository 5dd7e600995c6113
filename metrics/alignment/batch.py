"""Disorders of many continua in one compiled call: chance samples and corpora."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.alignment.best_alignment import SETTLED, Objective, best_alignment, check_objective
from metrics.alignment.continuum import Continuum
from metrics.alignment.dissimilarity import Dissimilarity
from metrics.alignment.engine import TUPLES_A_UNIT, align
from metrics.alignment.pair_graph import NO_POSITION
from metrics.alignment.problem import relative_costs, sweep_of_many
from metrics.errors import MetricsError

_UNITS_PER_CALL = 1_000


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
    batch = _Batch(starts, ends, codes, owners, offsets, n_annotators, dissimilarity, n_categories)
    n_documents = len(offsets) - 1
    totals, n_unitary = np.zeros(n_documents), np.zeros(n_documents, dtype=np.int64)
    gaps = np.zeros(n_documents)
    rates = np.full(n_documents, 1.0 if objective == "mean" else 0.0)
    active = np.flatnonzero(np.diff(offsets))
    unsolved = np.zeros(n_documents, dtype=np.bool_)
    while active.size:
        for part in batch.parts(active):
            batch.align(part, rates, objective == "soft", totals, n_unitary, unsolved)
        if objective != "mean":
            break
        active = active[~unsolved[active]]
        means = totals[active] / n_unitary[active]
        falling = means < rates[active] - SETTLED
        rates[active] = means
        active = active[falling]
    totals *= dissimilarity.delta_empty
    for i in np.flatnonzero(unsolved):
        best = best_alignment(
            batch.continuum(int(i)), dissimilarity, objective=objective, time_limit=time_limit
        )
        totals[i], n_unitary[i], gaps[i] = best.total, len(best.disorders), best.gap
    return BatchDisorders(totals, np.diff(offsets), n_unitary, gaps)


@dataclass(frozen=True, slots=True)
class _Batch:
    """The arrays of `batch_disorders`, checked."""

    starts: NDArray[np.float64]
    ends: NDArray[np.float64]
    codes: NDArray[np.int32]
    owners: NDArray[np.int32]
    offsets: NDArray[np.int64]
    n_annotators: int
    dissimilarity: Dissimilarity
    n_categories: int

    def parts(self, documents: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """Documents in runs of about as many units as one call likes."""
        sizes = np.cumsum(np.diff(self.offsets)[documents])
        runs = np.flatnonzero(np.diff(sizes // _UNITS_PER_CALL)) + 1
        if self.dissimilarity.position == "hamming" and self.dissimilarity.mean_length is None:
            runs = np.arange(1, len(documents))  # each continuum has a mean length of its own
        return np.split(documents, runs)

    def align(
        self,
        documents: NDArray[np.int64],
        rates: NDArray[np.float64],
        covering: bool,
        totals: NDArray[np.float64],
        n_unitary: NDArray[np.int64],
        unsolved: NDArray[np.bool_],
    ) -> None:
        """Fill the relative totals and the counts of some documents, or mark them unsolved."""
        sizes = np.diff(self.offsets)[documents]
        local = np.concatenate([[0], np.cumsum(sizes)])
        units = np.arange(local[-1]) + np.repeat(self.offsets[documents] - local[:-1], sizes)
        costs = relative_costs(
            self.dissimilarity,
            self.n_categories,
            float(np.mean(self.ends[units] - self.starts[units])),
        )
        if costs.kind == NO_POSITION:  # each by itself, as counts of classes
            unsolved[documents] = True
            return
        sweep = sweep_of_many(
            self.starts[units],
            self.ends[units],
            self.codes[units],
            self.owners[units],
            local,
            costs.kind,
        )
        n_pairs = self.n_annotators * (self.n_annotators - 1) / 2.0
        aligned, disorders, is_open = align(
            sweep.arrays,
            self.n_annotators,
            costs.arguments,
            n_pairs * (1.0 - np.repeat(rates[documents], sizes)),
            covering,
            TUPLES_A_UNIT * len(units),
        )
        n_open = np.count_nonzero(is_open)
        if n_open == len(is_open) and len(documents) > 1:  # too many candidates for one call
            for half in np.array_split(documents, 2):
                self.align(half, rates, covering, totals, n_unitary, unsolved)
            return
        document = np.searchsorted(local, aligned.max(axis=1), side="right") - 1
        totals[documents] = np.bincount(document, disorders, minlength=len(documents))
        n_unitary[documents] = np.bincount(document, minlength=len(documents))
        if n_open:
            home = np.searchsorted(local, sweep.order[is_open], side="right") - 1
            unsolved[documents[home]] = True

    def continuum(self, document: int) -> Continuum:
        """One document as a continuum; its offsets start at 0 or more."""
        part = slice(self.offsets[document], self.offsets[document + 1])
        origin = min(0.0, float(self.starts[part].min()))
        return Continuum(
            self.starts[part] - origin,
            self.ends[part] - origin,
            self.codes[part],
            self.owners[part],
            tuple(str(a) for a in range(self.n_annotators)),
            tuple(str(k) for k in range(self.n_categories)),
        )


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
