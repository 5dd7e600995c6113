"""M(k): share of a reference that changes when k of its n annotators make it (Brégeon 2018).

The reference label of an item is the majority of all its labels. M(k) is the mean, over the C(n, k)
subsets of k annotators and over items, of [majority of the subset ≠ reference label]. It is
computed exactly for any n: on one item the labels of a random subset are multivariate
hypergeometric, so only the distinct count vectors of the items are needed
(`metrics.resampling.subsets.majority_of_drawn_labels`). Counts first, then the rate: M(k) is
Σ items P(changed) / Σ items P(compared).

A pair (item, subset) is compared if the item has a reference label and the subset gives it a label.
Other pairs are counted separately, neither as a change nor as agreement:
* items without labels (`n_unlabelled`), and under `abstain` items whose reference is tied
  (`n_unresolved`): excluded for every k;
* subsets none of whose annotators labelled the item (`empty`), and under `abstain` subsets that tie
  on it (`abstained`).

If the reference itself is tied, `random` makes it each of the tied categories in turn
(`n_tied_reference` items; `metrics.resampling.majority` defines the rules for ties).

Missing labels: with m labels from n annotators, the number of them in the subset is itself
hypergeometric. With `draw="labels"`, for crowds in which annotators did not see all items, k of the
item's own m labels are drawn instead (items with m < k are `empty` for this k). Of 164 workers who
give each item ten labels, five workers leave three quarters of the items without a label, which is
another question than five labels an item.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import get_args

import numpy as np

from ...agreement.label_matrix import LabelMatrix
from ...arrays import Flags, Floats, Ints, Ints32, divide
from ...errors import MetricsError
from ...estimate import NO_INTERVAL, Estimate, estimate
from ...estimate_detail import Detail
from ...intervals.evaluate import OF_RATES, Mean, evaluate, ratio_of_columns
from ...intervals.interval import Interval, add_interval
from ...options import Sampling, SubsetsOf, Ties
from ...reason import Reason, ReasonCode
from ...signature import How, input_hash
from ..majority import distinct_counts, majority_shares, scale_positions
from .majority_of_subsets import check_sizes, majority_of_subsets, max_labels_per_item

PREVALENT = 0.5  # share of the reference labels
_MOST_COUNTS = 20_000_000  # items × categories of a table of counts: 160 MB
_FEW_ITEMS = 128  # items whose categories are counted together if a table would be larger


@dataclass(frozen=True, slots=True)
class ModificationRate:
    """M(k) for Q subset sizes, N items, K categories. Counts are expected numbers of items.

    k                 int64 (Q,)
    rate              float64 (Q,) in [0, 1]: modified / compared, `nan` with a reason
    reasons           Q of them, None where the rate is defined
    weighted          float64 (Q,): the same with a change from a to b costing distances[a, b];
                      `nan` without distances
    intervals         Q of them, over documents or items; None if none was requested. The
                      annotators are fixed: they do not cover other annotators
    modified, compared  float64 (Q,): Σ over items of P(label changed), P(there is a label)
    abstained, empty  float64 (Q,): share, over the items with a reference label, of subsets that
                      tie (`abstain` only), and of subsets without a label of the item
    referenced        float64 (Q, K): items whose reference is a, with a subset that has a label
    kept              float64 (Q, K): the same, with a subset whose label is a too
    n_items           N; n_unlabelled, n_unresolved, n_tied_reference: see the module's docstring
    n_duplicates      labels excluded because their annotator had already labelled the item
    """

    k: Ints
    rate: Floats
    reasons: tuple[Reason | None, ...]
    weighted: Floats
    intervals: tuple[Interval | None, ...]
    level: float
    modified: Floats
    compared: Floats
    abstained: Floats
    empty: Floats
    referenced: Floats
    kept: Floats
    tagset: tuple[str, ...]
    ties: str
    n_items: int
    n_annotators: int
    n_unlabelled: int
    n_unresolved: int
    n_tied_reference: int
    n_duplicates: int
    how: How

    @property
    def by_category(self) -> Floats:
        """(Q, K): the rate of the items with each reference category; nan without such items."""
        return 1.0 - divide(self.kept, self.referenced)

    @property
    def prevalent_category(self) -> int | None:
        """Index of the category of more than half of the reference labels, as O of tokens."""
        labels = self.referenced.max(axis=0)
        most = int(labels.argmax()) if labels.size else 0
        return most if labels.sum() > 0 and labels[most] > PREVALENT * labels.sum() else None

    @property
    def without_prevalent(self) -> Floats:
        """(Q,): the rate of the items with another category; nan without a prevalent one."""
        if self.prevalent_category is None:
            return np.full(self.k.size, np.nan)
        kept, of_others = (
            np.delete(one, self.prevalent_category, axis=1).sum(axis=1)
            for one in (self.kept, self.referenced)
        )
        return 1.0 - divide(kept, of_others)

    @property
    def interval(self) -> Floats:
        """(Q, 2): the bounds of the intervals; nan without one."""
        bounds = [NO_INTERVAL if one is None else one.bounds for one in self.intervals]
        return np.array(bounds).reshape(-1, 2)

    def estimates(self) -> tuple[Estimate, ...]:
        """Return one `modification_rate` per k, with `k` and the counts in `detail`."""
        return tuple(
            one if interval is None else add_interval(one, interval)
            for one, interval in zip(self._values(), self.intervals, strict=True)
        )

    def _values(self) -> tuple[Estimate, ...]:
        return tuple(
            estimate(
                self.how,
                float(self.rate[q]),
                self.reasons[q],
                confidence_level=self.level,
                n_items=self.n_items,
                n_annotators=self.n_annotators,
                detail=Detail(
                    k=int(self.k[q]),
                    modified=float(self.modified[q]),
                    compared=float(self.compared[q]),
                    abstained=float(self.abstained[q]),
                    empty=float(self.empty[q]),
                    n_unlabelled=self.n_unlabelled,
                    n_unresolved=self.n_unresolved,
                    n_tied_reference=self.n_tied_reference,
                    n_duplicates=self.n_duplicates,
                )
                | self._without(q),
            )
            for q in range(self.k.size)
        )

    def _without(self, q: int) -> Detail:
        if self.prevalent_category is None:
            return Detail()
        rate = float(self.without_prevalent[q])
        return Detail(prevalent=self.tagset[self.prevalent_category], rate_of_others=rate)


def modification_rate(
    matrix: LabelMatrix,
    *,
    ks: Sequence[int] | None = None,
    ties: Ties = "random",
    distances: Floats | None = None,
    values: Floats | None = None,
    ordered: bool = False,
    draw: SubsetsOf | None = None,
    n_replicates: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    threads: int | None = None,
) -> ModificationRate:
    """Compute the exact M(k) for every k in `ks`, by default up to `max_labels_per_item`.

    distances  (K, K): cost of a change from row to column, for `weighted`
    values     (K,): positions of the categories, for `nearest_mean` (default: the ranks)
    ordered    whether the tagset is in the order of a scale
    draw       what a subset of k is: annotators, or labels of each item (default: `usual_draw`)
    n_replicates  0: no interval. Intervals are over documents, or items with fewer than two
                  documents, by Korn & Graubard's rule for shares, which draws nothing

    Exact means a finite sum in double precision; the difference to complete enumeration is below
    1e-12. Raises MetricsError for fewer than two annotators, k outside 1..n, `nearest_mean` on
    unordered categories, distances of another shape; RoleError if an annotator is a system or a
    reference.
    """
    matrix.require_humans("the modification rate")
    n_annotators, n_categories = matrix.n_annotators, len(matrix.tagset)
    sizes = check_sizes(ks, n_annotators, most_labels=max_labels_per_item(matrix))
    positions = scale_positions(n_categories, ties=ties, values=values, ordered=ordered)
    costs = _check_distances(distances, n_categories)
    if draw not in (None, *get_args(SubsetsOf)):
        raise MetricsError(f"draw is {draw!r}; it must be one of {', '.join(get_args(SubsetsOf))}")
    draw = draw or usual_draw(matrix)

    blocks, vector_of = _count_vectors(matrix)
    size = np.bincount(vector_of).astype(np.float64)
    shape = (sizes.size, n_categories)
    referenced, kept, cost = np.zeros(shape), np.zeros(shape), np.zeros(sizes.size)
    parts: list[_Kinds] = []
    for vectors, categories in blocks:
        labels, empty = majority_of_subsets(
            vectors, n=n_annotators, sizes=sizes, ties=ties, values=positions[categories],
            draw=draw, threads=threads,
        )  # fmt: skip
        reference = majority_shares(vectors, ties=ties, values=positions[categories])
        first = sum(len(part.tied) for part in parts)
        items = size[first : first + len(vectors), None] * reference
        referenced[:, categories] += np.einsum("ga,gqb->qa", items, labels, optimize=True)
        kept[:, categories] += np.einsum("ga,gqa->qa", items, labels)
        if costs is not None:
            own = costs[np.ix_(categories, categories)]
            cost += np.einsum("gb,gqb->q", items @ own, labels)
        parts.append(_Kinds.of(vectors, reference, labels, empty))
    kinds = _Kinds.joined(parts)
    n_referenced = float(size @ kinds.has_reference)

    total_modified, total_compared = size @ kinds.modified, size @ kinds.compared
    rate = divide(total_modified, total_compared)
    total_empty = (size * kinds.has_reference) @ kinds.empty
    abstained = np.maximum(n_referenced - total_compared - total_empty, 0.0)
    return ModificationRate(
        k=sizes,
        rate=rate,
        reasons=tuple(_reason(r, n_referenced) for r in rate),
        weighted=(
            np.full(sizes.size, np.nan)
            if costs is None
            else divide(cost, total_compared)
        ),
        intervals=_intervals(
            matrix, kinds, vector_of, sizes, ties, Sampling(n_replicates, level, seed)
        ),
        level=level,
        modified=total_modified,
        compared=total_compared,
        abstained=divide(abstained, np.full(sizes.size, n_referenced)),
        empty=divide(total_empty, np.full(sizes.size, n_referenced)),
        referenced=referenced,
        kept=kept,
        tagset=matrix.tagset,
        ties=ties,
        n_items=matrix.n_items,
        n_annotators=n_annotators,
        n_unlabelled=int(size @ ~kinds.labelled),
        n_unresolved=int(size @ (kinds.labelled & ~kinds.has_reference)),
        n_tied_reference=int(size @ kinds.tied),
        n_duplicates=matrix.n_duplicates,
        how=How(
            measure="modification_rate",
            ties=ties,
            draw=draw,
            distances=None if costs is None else input_hash([costs]),
            values=None if ties != "nearest_mean" else ",".join(f"{v:g}" for v in positions),
            input=input_hash([matrix.codes, *matrix.tagset]),
        ),
    )  # fmt: skip


def usual_draw(matrix: LabelMatrix) -> SubsetsOf:
    """Return labels if annotators labelled fewer than half of the labelled items on average.

    Annotators without any label do not count.
    """
    given = matrix.codes >= 0
    items, annotators = int(given.any(axis=1).sum()), int(given.any(axis=0).sum())
    return "labels" if 2 * int(given.sum()) < items * annotators else "annotators"


@dataclass(frozen=True, slots=True)
class _Kinds:
    """Kinds of item with one count vector each, G of them, for Q subset sizes.

    compared, modified, empty     float64 (G, Q): probabilities of one item
    has_reference, labelled, tied  bool (G,)
    """

    compared: Floats
    modified: Floats
    empty: Floats
    has_reference: Flags
    labelled: Flags
    tied: Flags

    @classmethod
    def of(cls, vectors: Ints, reference: Floats, labels: Floats, empty: Floats) -> _Kinds:
        has_reference = reference.sum(axis=1) > 0
        compared = labels.sum(axis=2) * has_reference[:, None]
        kept = np.einsum("ga,gqa->gq", reference, labels)
        labelled = vectors.sum(axis=1) > 0
        tied = (vectors == vectors.max(axis=1, keepdims=True)).sum(axis=1) > 1
        modified = np.maximum(compared - kept, 0.0)
        return cls(compared, modified, empty, has_reference, labelled, tied & labelled)

    @classmethod
    def joined(cls, parts: Sequence[_Kinds]) -> _Kinds:
        names = (one.name for one in fields(cls))
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def _intervals(
    matrix: LabelMatrix,
    kinds: _Kinds,
    kind_of: Ints,
    sizes: Ints,
    ties: Ties,
    sampling: Sampling,
) -> tuple[Interval | None, ...]:
    """Return the interval of the rate for each of Q subset sizes.

    An item's rate is an amount and no count of trials: the rates of many items may vary less than
    outcomes of 0 and 1 with the same mean. All annotators together make the reference that they
    make: no interval is wider than their rate of 0 if a tie does not change it.
    """
    rows = np.concatenate([kinds.modified, kinds.compared], axis=1)
    documents = matrix.documents_to_resample
    if documents is None:
        times = np.bincount(kind_of, minlength=len(rows))
    else:
        rows, times = _sums_by_document(rows, kind_of, documents), None
    over = "items" if documents is None else "documents"
    rates = [Mean(ratio_of_columns(q, sizes.size + q)) for q in range(sizes.size)]
    found = [one.interval for one in evaluate(rows, rates, sampling, over=over, times=times)]
    if not sampling.replicates or _may_tie(matrix, ties):
        return tuple(found)
    fixed = Interval(
        lower=0.0,
        upper=0.0,
        level=sampling.confidence_level,
        method=OF_RATES,
        over=over,
        standard_error=0.0,
        n_units=int(matrix.n_items if documents is None else len(rows)),
    )
    of_all = (sizes == matrix.n_annotators) & (kinds.compared.sum(axis=0) > 0)
    return tuple(fixed if all_ else one for one, all_ in zip(found, of_all, strict=True))


def _may_tie(matrix: LabelMatrix, ties: Ties) -> bool:
    """Whether the reference of an item may be drawn among tied categories."""
    if ties != "random":
        return False
    n_labels = matrix.n_labels
    return len(matrix.tagset) > 2 or bool((n_labels[n_labels > 0] % 2 == 0).any())


def _sums_by_document(rows: Floats, kind_of: Ints, documents: Ints) -> Floats:
    """Add the rows (G, C) of the items' kinds in each document, (D, C)."""
    index = np.unique(documents, return_inverse=True)[1].reshape(-1)
    columns = [np.bincount(index, weights=column[kind_of]) for column in rows.T]
    return np.stack(columns, axis=1)


def _count_vectors(matrix: LabelMatrix) -> tuple[Iterable[tuple[Ints, Ints]], Ints]:
    """Return the distinct count vectors in blocks, and the number of each item's vector, (N,).

    A block has count vectors (G, C) over some of the categories, and these categories (C,): all
    in one block, or those that occur on a few items if the tagset is very large.
    """
    n_categories = len(matrix.tagset)
    if matrix.n_items * n_categories <= _MOST_COUNTS:
        vectors, vector_of = distinct_counts(matrix.counts())
        return [(vectors, np.arange(n_categories))], vector_of
    rows, row_of = np.unique(np.sort(matrix.codes, axis=1), axis=0, return_inverse=True)
    starts = range(0, len(rows), _FEW_ITEMS)
    return (_counts_of_rows(rows[at : at + _FEW_ITEMS]) for at in starts), row_of.reshape(-1)


def _counts_of_rows(rows: Ints32) -> tuple[Ints, Ints]:
    """Count the labels of a few rows, (G, A) with −1 for none, over the categories in use."""
    item, annotator = np.nonzero(rows >= 0)
    used, column = np.unique(rows[item, annotator], return_inverse=True)
    categories: Ints = used.astype(np.int64) if used.size else np.zeros(1, dtype=np.int64)
    shape = (len(rows), categories.size)
    counts = np.bincount(item * shape[1] + column, minlength=shape[0] * shape[1])
    return counts.reshape(shape).astype(np.int64), categories


def _check_distances(distances: Floats | None, n_categories: int) -> Floats | None:
    if distances is None:
        return None
    costs = np.asarray(distances, dtype=np.float64)
    if costs.shape != (n_categories, n_categories) or not np.isfinite(costs).all():
        raise MetricsError(
            f"distances must be finite, of shape ({n_categories}, {n_categories}) as the tagset; "
            f"found shape {costs.shape}"
        )
    return costs


def _reason(rate: float, n_referenced: float) -> Reason | None:
    if not math.isnan(rate):
        return None
    is_referenced = n_referenced > 0
    return Reason(ReasonCode.NO_LABELLED_SUBSET if is_referenced else ReasonCode.NO_REFERENCED_ITEM)
