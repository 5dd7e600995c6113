"""M(k): share of a reference that changes when k of its n annotators make it (Brégeon 2018).

The reference label of an item is the majority of all its labels. M(k) is the mean, over the C(n, k)
subsets of k annotators and over items, of [majority of the subset ≠ reference label]. It is
computed exactly for any n: on one item the labels of a random subset are multivariate
hypergeometric, so only the distinct count vectors of the items are needed
(`metrics.resampling.subsets.label_shares`). Counts first, then the rate: M(k) is Σ items P(changed)
/ Σ items P(compared).

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
item's own m labels are drawn instead (items with m < k are `empty` for this k).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from ...agreement.label_matrix import LabelMatrix
from ...arrays import Floats, Ints, divide
from ...bootstrap import ratio_interval
from ...errors import MetricsError
from ...estimate import Estimate, estimate
from ...estimate_detail import Detail
from ...options import Ties
from ...reason import Reason, ReasonCode
from ...signature import How, input_hash, interval_settings
from ..majority import category_values, distinct_counts, majority_shares
from .label_shares import label_shares

Draw: TypeAlias = Literal["annotators", "labels"]
PREVALENT = 0.5  # share of the reference labels
_BLOCK = 2048  # distinct count vectors processed at once, to limit memory


@dataclass(frozen=True, slots=True)
class ModificationRate:
    """M(k) for Q subset sizes, N items, K categories. Counts are expected numbers of items.

    k                 int64 (Q,)
    rate              float64 (Q,) in [0, 1]: modified / compared, `nan` with a reason
    reasons           Q of them, None where the rate is defined
    weighted          float64 (Q,): the same with a change from a to b costing distances[a, b];
                      `nan` without distances
    interval          float64 (Q, 2): bootstrap over documents, or items; `nan` if none was
                      requested. The annotators are fixed: it does not cover a change of crew
    modified, compared  float64 (Q,): Σ over items of P(label changed), P(there is a label)
    abstained, empty  float64 (Q,): share, over the items with a reference label, of subsets that
                      tie (`abstain` only), and of subsets without a label of the item
    changes           float64 (Q, K, K): items whose reference changes from a (row) to b (column)
    n_items           N; n_unlabelled, n_unresolved, n_tied_reference: see the module's docstring
    n_duplicates      labels excluded because their annotator had already labelled the item
    """

    k: Ints
    rate: Floats
    reasons: tuple[Reason | None, ...]
    weighted: Floats
    interval: Floats
    level: float
    modified: Floats
    compared: Floats
    abstained: Floats
    empty: Floats
    changes: Floats
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
        kept = np.diagonal(self.changes, axis1=1, axis2=2)
        return 1.0 - divide(kept, self.changes.sum(axis=2))

    @property
    def prevalent(self) -> int | None:
        """Index of the category of more than half of the reference labels, as O of tokens."""
        labels = self.changes.sum(axis=2).max(axis=0)
        most = int(labels.argmax()) if labels.size else 0
        return most if labels.sum() > 0 and labels[most] > PREVALENT * labels.sum() else None

    @property
    def without_prevalent(self) -> Floats:
        """(Q,): the rate of the items with another category; nan without a prevalent one."""
        if self.prevalent is None:
            return np.full(self.k.size, np.nan)
        others = np.delete(self.changes, self.prevalent, axis=1)
        kept = np.trace(np.delete(others, self.prevalent, axis=2), axis1=1, axis2=2)
        return 1.0 - divide(kept, others.sum(axis=(1, 2)))

    def estimates(self) -> tuple[Estimate, ...]:
        """Return one `modification_rate` per k, with `k` and the counts in `detail`."""
        return tuple(
            estimate(
                self.how,
                float(self.rate[q]),
                self.reasons[q],
                (float(self.interval[q, 0]), float(self.interval[q, 1])),
                level=self.level,
                n_items=self.n_items,
                n_annotators=self.n_annotators,
                detail={
                    "k": int(self.k[q]),
                    "modified": float(self.modified[q]),
                    "compared": float(self.compared[q]),
                    "abstained": float(self.abstained[q]),
                    "empty": float(self.empty[q]),
                    "n_unlabelled": self.n_unlabelled,
                    "n_unresolved": self.n_unresolved,
                    "n_tied_reference": self.n_tied_reference,
                    "n_duplicates": self.n_duplicates,
                    **self._without(q),
                },
            )
            for q in range(self.k.size)
        )

    def _without(self, q: int) -> Detail:
        if self.prevalent is None:
            return {}
        rate = float(self.without_prevalent[q])
        return {"prevalent": self.tagset[self.prevalent], "rate_of_others": rate}


def modification_rate(
    matrix: LabelMatrix,
    *,
    ks: Sequence[int] | None = None,
    ties: Ties = "random",
    distances: Floats | None = None,
    values: Floats | None = None,
    ordered: bool = False,
    draw: Draw = "annotators",
    n_replicates: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    threads: int | None = None,
) -> ModificationRate:
    """Compute the exact M(k) for every k in `ks`, by default up to `max_labels_per_item`.

    distances  (K, K): cost of a change from row to column, for `weighted`
    values     (K,): positions of the categories, for `nearest_mean` (default: the ranks)
    ordered    whether the tagset is in the order of a scale
    n_replicates  resamples of documents (of items with fewer than two documents); 0: no interval

    Exact means a finite sum in double precision; the difference to complete enumeration is below
    1e-12. Raises MetricsError for fewer than two annotators, k outside 1..n, `nearest_mean` on
    unordered categories, distances of another shape; RoleError if an annotator is a system or a
    reference.
    """
    matrix.require_humans("the modification rate")
    n_annotators, n_categories = matrix.n_annotators, len(matrix.tagset)
    sizes = check_sizes(ks, n_annotators, most_labels=max_labels_per_item(matrix))
    positions = category_values(n_categories, ties=ties, values=values, ordered=ordered)
    costs = _check_distances(distances, n_categories)
    if draw not in get_args(Draw):
        raise MetricsError(f"draw is {draw!r}; it must be one of {', '.join(get_args(Draw))}")

    documents = matrix.drawn_documents
    counts = matrix.counts()
    vectors, vector_of = distinct_counts(counts)
    labels, empty = subset_labels(
        vectors, n=n_annotators, sizes=sizes, ties=ties, values=positions, draw=draw,
        threads=threads,
    )  # fmt: skip
    reference = majority_shares(vectors, ties=ties, values=positions)
    has_reference = reference.sum(axis=1) > 0  # (G,)

    compared = labels.sum(axis=2) * has_reference[:, None]  # (G, Q)
    kept = np.einsum("ga,gqa->gq", reference, labels)
    modified = np.maximum(compared - kept, 0.0)
    size = np.bincount(vector_of, minlength=vectors.shape[0]).astype(np.float64)
    changes = np.einsum("g,ga,gqb->qab", size, reference, labels, optimize=True)
    n_referenced = float(size @ has_reference)

    total_modified, total_compared = size @ modified, size @ compared
    rate = divide(total_modified, total_compared)
    total_empty = (size * has_reference) @ empty
    abstained = np.maximum(n_referenced - total_compared - total_empty, 0.0)
    labelled = vectors.sum(axis=1) > 0
    tied = ((vectors == vectors.max(axis=1, keepdims=True)).sum(axis=1) > 1) & labelled
    return ModificationRate(
        k=sizes,
        rate=rate,
        reasons=tuple(_reason(r, n_referenced) for r in rate),
        weighted=(
            np.full(sizes.size, np.nan)
            if costs is None
            else divide(np.einsum("qab,ab->q", changes, costs), total_compared)
        ),
        interval=ratio_interval(
            modified, compared, kind_of=vector_of, documents=documents,
            n_replicates=n_replicates, level=level, seed=seed,
        ),
        level=level,
        modified=total_modified,
        compared=total_compared,
        abstained=divide(abstained, np.full(sizes.size, n_referenced)),
        empty=divide(total_empty, np.full(sizes.size, n_referenced)),
        changes=changes,
        tagset=matrix.tagset,
        ties=ties,
        n_items=matrix.n_items,
        n_annotators=n_annotators,
        n_unlabelled=int(size @ ~labelled),
        n_unresolved=int(size @ (labelled & ~has_reference)),
        n_tied_reference=int(size @ tied),
        n_duplicates=matrix.n_duplicates,
        how=How(
            measure="modification_rate",
            ties=ties,
            draw=draw,
            distances=None if costs is None else input_hash([costs]),
            values=None if ties != "nearest_mean" else ",".join(f"{v:g}" for v in positions),
            **interval_settings(
                n_replicates, "items" if documents is None else "documents", level
            ),
            seed=seed if n_replicates else None,
            input=input_hash([matrix.codes, *matrix.tagset]),
        ),
    )  # fmt: skip


def subset_labels(
    vectors: Ints,
    *,
    n: int,
    sizes: Ints,
    ties: Ties,
    values: Floats,
    draw: Draw = "annotators",
    threads: int | None = None,
) -> tuple[Floats, Floats]:
    """Majority label of a random subset, for count vectors (G, K) and Q subset sizes.

    Returns labels float64 (G, Q, K), P(the subset's label is b), and empty float64 (G, Q), P(the
    subset has no label). 1 - Σ labels - empty is the probability of an abstention.
    """
    n_vectors, n_categories = vectors.shape
    # `random` and `abstain` do not depend on the order of the categories: sort the counts.
    order = (
        np.tile(np.arange(n_categories), (n_vectors, 1))
        if ties == "nearest_mean"
        else np.argsort(-vectors, axis=1, kind="stable")
    )
    forms, form_of = np.unique(
        np.take_along_axis(vectors, order, axis=1), axis=0, return_inverse=True
    )
    form_of = form_of.reshape(-1)
    labels = np.zeros((forms.shape[0], sizes.size, n_categories))
    empty = np.ones((forms.shape[0], sizes.size))
    n_labels = forms.sum(axis=1)
    for first in range(0, forms.shape[0], _BLOCK):
        block = slice(first, first + _BLOCK)
        most = int(min(n_labels[block].max(initial=0), sizes.max(initial=0)))
        shares = label_shares(forms[block], most=most, ties=ties, values=values, threads=threads)
        for m in np.unique(n_labels[block]):
            rows = np.nonzero(n_labels[block] == m)[0]
            if m == n:  # every annotator labelled it: k annotators give k labels
                labels[first + rows] = shares[rows][:, sizes]
                empty[first + rows] = 0.0
                continue
            falls = _labels_in_subset(int(m), n=n, sizes=sizes, draw=draw)[:, : most + 1]
            labels[first + rows] = falls @ shares[rows, : falls.shape[1]]
            empty[first + rows] = falls[:, 0]
    by_name = np.empty((n_vectors, sizes.size, n_categories))
    np.put_along_axis(by_name, order[:, None, :], labels[form_of], axis=2)
    return by_name, empty[form_of]


def max_labels_per_item(matrix: LabelMatrix) -> int:
    """Largest number of labels on any item; at least 1."""
    return max(1, int((matrix.codes >= 0).sum(axis=1).max(initial=0)))


def check_sizes(ks: Sequence[int] | None, n: int, *, most_labels: int | None = None) -> Ints:
    """Return subset sizes int64 (Q,), by default 1..n-1 but none above `most_labels`.

    Raises MetricsError for sizes outside 1..n, or n < 2.
    """
    if n < 2:
        raise MetricsError(
            f"subset resampling needs at least two annotators; found {n}. With one annotator "
            "the reference is that annotator"
        )
    largest = n - 1 if most_labels is None else min(n - 1, most_labels)
    usual = range(1, largest + 1)
    sizes = np.asarray(usual if ks is None else ks, dtype=np.int64)
    if sizes.ndim != 1 or sizes.size == 0 or sizes.min() < 1 or sizes.max() > n:
        raise MetricsError(f"ks must be subset sizes between 1 and the {n} annotators; found {ks}")
    return sizes


def _labels_in_subset(m: int, *, n: int, sizes: Ints, draw: Draw) -> Floats:
    """P(j of an item's m labels are in a subset of size k), float64 (Q, m + 1)."""
    if draw == "labels":
        j = np.arange(m + 1)
        return np.where(sizes[:, None] <= m, j == sizes[:, None], j == 0).astype(np.float64)
    log_factorial = np.concatenate(
        [np.zeros(1, np.longdouble), np.cumsum(np.log(np.arange(1, n + 1, dtype=np.longdouble)))]
    )
    k, j = sizes[:, None], np.arange(m + 1)[None, :]
    possible = (j <= k) & (k - j <= n - m)
    inside, outside = np.where(possible, j, 0), np.where(possible, k - j, 0)
    log_ways = (
        log_factorial[m] - log_factorial[inside] - log_factorial[m - inside]
        + log_factorial[n - m] - log_factorial[outside] - log_factorial[n - m - outside]
        - log_factorial[n] + log_factorial[k] + log_factorial[n - k]
    )  # fmt: skip
    return np.where(possible, np.exp(log_ways), 0.0).astype(np.float64)


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
