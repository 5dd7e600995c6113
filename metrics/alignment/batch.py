"""Disorders of many continua in one compiled call, for chance samples and corpora."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain, pairwise

import numpy as np

from ..arrays import Flags, Floats, Ints, Ints32
from ..errors import MetricsError
from ..measure import Objective
from ..threads import map_in_threads
from .best_alignment import SETTLED, best_alignment, check_objective
from .continuum import Continuum
from .dissimilarity import Dissimilarity
from .engine import TUPLES_A_UNIT, align
from .kernel_input import RelativeCosts, relative_costs, sweep_units_of_many
from .pair_graph import HAMMING, NO_POSITION

_UNITS_PER_CALL = 18_000  # over the squared number of annotators; the tuples fit in the cache
_KEPT = 16 << 20


def _keep_freed_memory() -> None:
    """Make malloc reuse the memory that a batch frees, instead of mapping new zeroed pages.

    On Linux, malloc returns freed memory to the system beyond twice the largest block that was ever
    freed; this block raises that limit and is never touched.
    """
    np.empty(_KEPT, dtype=np.uint8)


_keep_freed_memory()


@dataclass(frozen=True, slots=True)
class BatchDisorders:
    """Sums over the best alignments of D continua; totals and counts add across continua.

    totals     float64 (D,): sum of unitary disorders of the best alignment, 0 without units
    n_units    int64 (D,): number of units
    n_unitary  int64 (D,): number of unitary alignments
    gaps       float64 (D,): proven relative gap, 0 where the alignment is optimal
    """

    totals: Floats
    n_units: Ints
    n_unitary: Ints
    gaps: Floats

    @property
    def optimal(self) -> Flags:
        """bool (D,): whether each alignment is proven to be optimal."""
        return self.gaps == 0.0


def batch_disorders(
    starts: Floats,
    ends: Floats,
    categories: Ints32,
    owners: Ints32,
    offsets: Ints,
    n_annotators: int,
    dissimilarity: Dissimilarity,
    *,
    n_categories: int,
    objective: Objective = "sum",
    time_limit: float | None = None,
    threads: int = 1,
) -> BatchDisorders:
    """Compute the disorders of D continua in flat arrays, split at `offsets`.

    starts, ends, categories, owners  as in `Continuum`, (offsets[-1],)
    offsets      int64 (D + 1,), from 0, not decreasing; continuum i is `offsets[i]:offsets[i + 1]`
    n_categories K, the size of the tagset that `categories` index
    time_limit   seconds for each continuum that the compiled path leaves unsolved
    threads      number of threads for the compiled calls; it does not change the results

    Without a `mean_length`, `hamming` uses the mean of each continuum. Starts may be negative here
    (in a shuffled continuum). Raises MetricsError for units that end before they start, codes
    outside the tagset, owners outside the annotators, or a `pair_function` (it needs a `Continuum`:
    use `best_alignment`).
    """
    check_objective(n_annotators, objective)
    starts, ends = np.ascontiguousarray(starts, np.float64), np.ascontiguousarray(ends, np.float64)
    codes = np.ascontiguousarray(categories, np.int32)
    owners = np.ascontiguousarray(owners, np.int32)
    offsets = np.ascontiguousarray(offsets, np.int64)
    _check_inputs(starts, ends, codes, owners, offsets, n_annotators, dissimilarity, n_categories)
    batch = _Batch(starts, ends, codes, owners, offsets, n_annotators, dissimilarity, n_categories)
    n_documents = len(offsets) - 1
    totals, n_unitary = np.zeros(n_documents), np.zeros(n_documents, dtype=np.int64)
    gaps = np.zeros(n_documents)
    rates = np.full(n_documents, 1.0 if objective == "mean" else 0.0)
    active = np.flatnonzero(np.diff(offsets))
    unsolved = np.zeros(n_documents, dtype=np.bool_)
    while active.size:
        totals[active], n_unitary[active], unsolved[active] = batch.of_documents(active).aligned(
            rates[active], objective == "soft", threads
        )
        if objective != "mean":
            break
        active = active[~unsolved[active]]
        means = totals[active] / n_unitary[active]
        falling = means < rates[active] - SETTLED
        rates[active] = means
        active = active[falling]
    totals *= dissimilarity.delta_empty

    def solve_alone(i: int) -> None:
        best = best_alignment(
            batch.continuum(i), dissimilarity, objective=objective, time_limit=time_limit
        )
        totals[i], n_unitary[i], gaps[i] = best.total, len(best.disorders), best.gap

    map_in_threads(solve_alone, np.flatnonzero(unsolved).tolist(), threads=threads)
    return BatchDisorders(totals, np.diff(offsets), n_unitary, gaps)


@dataclass(frozen=True, slots=True)
class _Batch:
    """Arrays of `batch_disorders`, after validation."""

    starts: Floats
    ends: Floats
    codes: Ints32
    owners: Ints32
    offsets: Ints
    n_annotators: int
    dissimilarity: Dissimilarity
    n_categories: int

    def of_documents(self, documents: Ints) -> _Batch:
        """Return the batch of some of the documents, in their order."""
        if len(documents) == len(self.offsets) - 1:
            return self
        sizes = np.diff(self.offsets)[documents]
        local = np.concatenate([[0], np.cumsum(sizes)])
        units = np.arange(local[-1]) + np.repeat(self.offsets[documents] - local[:-1], sizes)
        return replace(
            self,
            starts=self.starts[units],
            ends=self.ends[units],
            codes=self.codes[units],
            owners=self.owners[units],
            offsets=local,
        )

    def aligned(self, rates: Floats, covering: bool, threads: int) -> tuple[Floats, Ints, Flags]:
        """Return (relative total, number of unitary alignments, whether unsolved) by document.

        rates  float64 (D,): amount subtracted from each unitary disorder, relative to Δ∅
        """
        sizes = np.diff(self.offsets)
        n_documents, n_pairs = len(sizes), self.n_annotators * (self.n_annotators - 1) / 2.0
        costs = relative_costs(self.dissimilarity, self.n_categories)
        unsolved = np.zeros(n_documents, dtype=np.bool_)
        if costs.kind == NO_POSITION:  # solved one by one, as counts of classes
            return np.zeros(n_documents), np.zeros(n_documents, dtype=np.int64), ~unsolved
        sweep = sweep_units_of_many(
            self.starts, self.ends, self.codes, self.owners, self.offsets, costs.kind
        )
        c = n_pairs * (1.0 - rates).repeat(sizes)
        document = np.arange(n_documents).repeat(sizes)
        own_lengths = costs.kind == HAMMING and self.dissimilarity.mean_length is None

        def solve(part: tuple[int, int]) -> list[tuple[Ints, Floats]]:
            """Return the document and disorder of each unitary alignment of a range, by call."""
            found, left = [], [part]
            while left:  # recursion in a closure would keep arrays until garbage collection
                first, last = left.pop()
                a, b = int(self.offsets[first]), int(self.offsets[last])
                units, disorders, is_open = align(
                    sweep.slice_units(a, b).kernel_arrays,
                    self.n_annotators,
                    (self._costs_of(a, b) if own_lengths else costs).kernel_arguments,
                    c[a:b],
                    covering,
                    TUPLES_A_UNIT * (b - a),
                )
                n_open = np.count_nonzero(is_open)
                if n_open == b - a and last - first > 1:  # too many candidates for one call
                    middle = (first + last) // 2
                    left += [(middle, last), (first, middle)]
                    continue
                if n_open:
                    unsolved[document[sweep.order[a:b][is_open]]] = True
                found.append((document[reduce(np.maximum, units.T)], disorders))
            return found

        parts = self._document_ranges(1 if own_lengths else _UNITS_PER_CALL // self.n_annotators**2)
        found = chain.from_iterable(map_in_threads(solve, parts, threads=threads))
        documents, disorders = zip(*found, strict=True)
        home = np.concatenate(documents)
        totals = np.bincount(home, np.concatenate(disorders), minlength=n_documents)
        return np.asarray(totals, np.float64), np.bincount(home, minlength=n_documents), unsolved

    def _costs_of(self, first: int, last: int) -> RelativeCosts:
        """Costs with the mean length of a range of units."""
        mean_length = float(np.mean(self.ends[first:last] - self.starts[first:last]))
        return relative_costs(self.dissimilarity, self.n_categories, mean_length)

    def _document_ranges(self, n_units: int) -> list[tuple[int, int]]:
        """Split the documents into ranges of similar size, of at most about `n_units` units.

        The ranges do not depend on the number of threads. If there are many, their number is a
        multiple of four.
        """
        n_parts = -(-int(self.offsets[-1]) // max(1, n_units))
        if n_parts > 2 and n_units > 1:
            n_parts = 4 * -(-n_parts // 4)
        cuts = np.flatnonzero(np.diff(self.offsets[:-1] * n_parts // self.offsets[-1])) + 1
        bounds = [0, *cuts.tolist(), len(self.offsets) - 1]
        return list(pairwise(bounds))

    def continuum(self, document: int) -> Continuum:
        """Return one document as a continuum; its offsets start at 0 or more."""
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


def _check_inputs(
    starts: Floats,
    ends: Floats,
    codes: Ints32,
    owners: Ints32,
    offsets: Ints,
    n_annotators: int,
    dissimilarity: Dissimilarity,
    n_categories: int,
) -> None:
    if dissimilarity.pair_function is not None:
        raise MetricsError(
            "a batch does not accept a pair_function: call best_alignment on each continuum"
        )
    n = len(starts)
    if not len(ends) == len(codes) == len(owners) == n:
        raise MetricsError("starts, ends, categories and owners must have the same length")
    if not len(offsets) or offsets[0] != 0 or offsets[-1] != n or (np.diff(offsets) < 0).any():
        raise MetricsError(f"offsets must increase from 0 to the number of units ({n})")
    if n == 0:
        return
    if not (ends > starts).all():
        bad = int(np.flatnonzero(~(ends > starts))[0])
        raise MetricsError(f"unit {bad}: end ({ends[bad]:g}) must be after start ({starts[bad]:g})")
    if codes.min() < -1 or codes.max() >= n_categories:
        raise MetricsError(f"category codes must lie in -1..{n_categories - 1}")
    if owners.min() < 0 or owners.max() >= n_annotators:
        raise MetricsError(f"owners must lie in 0..{n_annotators - 1}")
