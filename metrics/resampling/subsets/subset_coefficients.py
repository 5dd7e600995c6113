"""Kernel: κ, π or α of each subset of annotators in turn.

The definitions are those of `metrics.agreement` (tests compare them): 1 - D_o/D_e, D_o the mean
distance of the pairs of labels. If every annotator labelled every item, D_o needs only the pairs of
annotators, so a subset costs k² / 2 additions whatever the number of items.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from ...agreement.label_matrix import LabelMatrix
from ...arrays import Floats, Ints, Ints32, shares
from ...compiling import njit
from ...errors import MetricsError
from .revolving_door import next_subset, subset_at_rank

Coefficient: TypeAlias = Literal["conger_kappa", "fleiss_kappa", "krippendorff_alpha"]
COEFFICIENTS: tuple[str, ...] = get_args(Coefficient)


@dataclass(frozen=True, slots=True)
class CountsForSubsets:
    """Input of the kernel. n annotators, R distinct rows of labels, K categories.

    codes      int32 (R, n), -1 for no label
    weights    float64 (R,): items per row
    distance   float64 (K, K)
    pairs      float64 (2, n, n): Σ over items of the distance of two annotators' labels, and the
               distance expected from their own distributions; `nan` for an annotator without labels
    marginals  float64 (n, K): labels of each annotator
    which      index in COEFFICIENTS
    missing    whether any label is missing
    """

    codes: Ints32
    weights: Floats
    distance: Floats
    pairs: Floats
    marginals: Floats
    which: int
    missing: bool


def counts_for_subsets(
    matrix: LabelMatrix, *, coefficient: Coefficient, distance: Floats | None = None
) -> CountsForSubsets:
    """Return the rows of a campaign for κ (Conger 1980), π (Fleiss 1971) or α (Krippendorff).

    distance  (K, K), symmetric with a zero diagonal; None: nominal

    A distance that depends on the labels (Krippendorff's ordinal) is the same for every subset.
    """
    if coefficient not in COEFFICIENTS:
        raise MetricsError(
            f"coefficient is {coefficient!r}; it must be one of {', '.join(COEFFICIENTS)}"
        )
    n_categories = len(matrix.tagset)
    table = 1.0 - np.eye(n_categories) if distance is None else np.asarray(distance, np.float64)
    if table.shape != (n_categories, n_categories):
        raise MetricsError(
            f"distance has shape {table.shape}; expected ({n_categories}, {n_categories})"
        )
    codes, row_of = np.unique(matrix.codes, axis=0, return_inverse=True)
    weights = np.bincount(row_of.reshape(-1), minlength=codes.shape[0]).astype(np.float64)
    given = (codes[:, :, None] == np.arange(n_categories)).astype(np.float64)  # (R, n, K)
    pairs = np.einsum("r,rac,cd,rbd->ab", weights, given, table, given, optimize=True)
    marginals = np.einsum("r,rac->ac", weights, given)
    own_shares = shares(marginals)
    return CountsForSubsets(
        codes=np.ascontiguousarray(codes, dtype=np.int32),
        weights=weights,
        distance=np.ascontiguousarray(table),
        pairs=np.stack([pairs, own_shares @ table @ own_shares.T]),
        marginals=marginals,
        which=COEFFICIENTS.index(coefficient),
        missing=bool((codes < 0).any()),
    )


def coefficients_in_order(rows: CountsForSubsets, k: int, *, first: int, count: int) -> Floats:
    """Coefficient of `count` k-subsets from rank `first`, float64 (count,), `nan` if undefined."""
    values = np.empty(count)
    none = np.empty((0, 0), np.int64)
    _coefficients(
        rows.codes, rows.weights, rows.distance, rows.pairs, rows.marginals, rows.which,
        rows.missing, none, np.zeros(k + 1, np.int64), first, values,
    )  # fmt: skip
    return values


def coefficients_of_subsets(rows: CountsForSubsets, subsets: Ints) -> Floats:
    """Coefficient of a list of subsets int64 (S, k), float64 (S,), `nan` if undefined."""
    values = np.empty(subsets.shape[0])
    _coefficients(
        rows.codes, rows.weights, rows.distance, rows.pairs, rows.marginals, rows.which,
        rows.missing, np.ascontiguousarray(subsets, dtype=np.int64),
        np.zeros(subsets.shape[1] + 1, np.int64), 0, values,
    )  # fmt: skip
    return values


@njit(cache=True, nogil=True)
def _mean_distance(p: Floats, q: Floats, distance: Floats) -> float:
    total = 0.0
    for c in range(p.shape[0]):
        for d in range(p.shape[0]):
            total += p[c] * q[d] * distance[c, d]
    return total


@njit(cache=True, nogil=True)
def _coefficient_by_rows(
    codes: Ints32, weights: Floats, distance: Floats,
    members: Ints, k: int, alpha: bool, table: Floats,
) -> tuple[float, float]:  # fmt: skip
    """Return Σ over items of their mean (for α, coincidence) distance, and the divisor.

    table  (3, K): labels of the row, Σ of shares n_ic/n_i, margins of the paired labels
    """
    n_categories = distance.shape[0]
    observed, paired = 0.0, 0.0
    for c in range(n_categories):
        table[1, c] = 0.0
        table[2, c] = 0.0
    for r in range(codes.shape[0]):
        n_labels = 0
        for c in range(n_categories):
            table[0, c] = 0.0
        for m in range(k):
            code = codes[r, members[m]]
            if code >= 0:
                table[0, code] += 1.0
                n_labels += 1
        if n_labels == 0:
            continue
        for c in range(n_categories):
            table[1, c] += weights[r] * table[0, c] / n_labels
        if n_labels < 2:
            continue
        between = _mean_distance(table[0], table[0], distance) / (n_labels - 1)
        observed += weights[r] * (between if alpha else between / n_labels)
        paired += weights[r] * (n_labels if alpha else 1)
        for c in range(n_categories):
            table[2, c] += weights[r] * table[0, c]
    return observed, paired


@njit(cache=True, nogil=True)
def _expected(
    pairs: Floats, distance: Floats, members: Ints,
    k: int, which: int, table: Floats,
) -> float:  # fmt: skip
    """Return D_e: for κ the mean over pairs of annotators, for π and α from the sums in `table`."""
    if which == 0:
        total, n_pairs = 0.0, 0
        for m in range(k):
            for other in range(m):
                between = pairs[members[m], members[other]]
                if between == between:  # not nan: both gave labels
                    total += between
                    n_pairs += 1
        return total / n_pairs if n_pairs > 0 else np.nan
    row = table[which]
    total = 0.0
    for c in range(distance.shape[0]):
        total += row[c]
    ways = total * (total - 1) if which == 2 else total * total
    return _mean_distance(row, row, distance) / ways if ways > 0 else np.nan


@njit(cache=True, nogil=True)
def _coefficients(
    codes: Ints32, weights: Floats, distance: Floats,
    pairs: Floats, marginals: Floats, which: int, missing: bool,
    subsets: Ints, members: Ints, first: int,
    values: Floats,
) -> None:  # fmt: skip
    k = members.shape[0] - 1
    n_items = weights.sum()
    table = np.zeros((3, distance.shape[0]))
    for r in range(values.shape[0]):
        if subsets.shape[0] > 0:
            for m in range(k):
                members[m] = subsets[r, m]
        elif r == 0:
            subset_at_rank(first, codes.shape[1], members)
        else:
            next_subset(members)
        if missing:
            observed, paired = _coefficient_by_rows(
                codes, weights, distance, members, k, which == 2, table
            )
        else:
            observed, paired = 0.0, n_items * k * (k - 1) / 2
            for c in range(distance.shape[0]):
                table[1, c] = 0.0
            for m in range(k):
                for other in range(m):
                    observed += pairs[0, members[m], members[other]]
                for c in range(distance.shape[0]):
                    table[1, c] += marginals[members[m], c]
            for c in range(distance.shape[0]):
                table[2, c] = table[1, c]
        expected = _expected(pairs[1], distance, members, k, which, table)
        values[r] = 1.0 - observed / paired / expected if paired > 0 and expected > 0 else np.nan
