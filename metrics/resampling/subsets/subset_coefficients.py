"""κ, π or α of each subset of annotators, by the formulas of `metrics.agreement`.

A subset is a 0/1 vector of its members, so that the sums that the formulas read are products of
matrices for a block of subsets at once: of members and the labels by annotator. If every annotator
labelled every item, D_o needs only the distances of the pairs of annotators, whatever the number of
items.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from ...agreement.counts import count
from ...agreement.formulas.coefficient import Coefficient as Declaration
from ...agreement.formulas.spread import NominalSpread, Spread, TableSpread
from ...agreement.label_matrix import LabelMatrix
from ...agreement.summands import CountedSummands
from ...agreement.sums import Sums
from ...arrays import Floats, Ints
from ...beyond_chance import beyond_chance
from ...compiling import njit
from ...errors import MetricsError
from ...measures import coefficient_of
from .revolving_door import next_subset, subset_at_rank

Coefficient: TypeAlias = Literal["conger_kappa", "fleiss_kappa", "krippendorff_alpha"]
COEFFICIENTS: tuple[str, ...] = get_args(Coefficient)
_BLOCK = 1_000_000  # numbers of labels by row and category that are held at once: 8 MB


@dataclass(frozen=True, slots=True)
class CountsForSubsets:
    """n annotators, R distinct rows of labels, K categories.

    given      float64 (n, R · K): whether the annotator gave the row's label
    marginals  float64 (n, K): labels of each annotator
    times      float64 (R,): items per row
    apart      float64 (n, n): Σ over items of the distance of two annotators' labels; None if some
               labels are missing
    """

    formula: Declaration
    spread: Spread
    summands: CountedSummands
    given: Floats
    marginals: Floats
    times: Floats
    apart: Floats | None


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
    size, whole = len(matrix.tagset), count(matrix).total
    table = 1.0 - np.eye(size) if distance is None else np.asarray(distance, np.float64)
    if table.shape != (size, size):
        raise MetricsError(f"distance has shape {table.shape}; expected ({size}, {size})")
    given = (whole.codes.T[:, :, None] == np.arange(size)).astype(np.float64)
    times, apart = whole.times.astype(np.float64), None
    if whole.complete.all():
        apart = np.einsum("arc,cd,brd,r->ab", given, table, given, times, optimize=True)
    return CountsForSubsets(
        coefficient_of(coefficient),
        NominalSpread(size) if distance is None else TableSpread(table),
        CountedSummands(whole),
        given.reshape(len(given), -1),
        whole.marginals.astype(np.float64),
        times,
        apart,
    )


def coefficients_in_order(rows: CountsForSubsets, k: int, *, first: int, count: int) -> Floats:
    """Coefficient of `count` k-subsets from rank `first`, float64 (count,), `nan` if undefined."""
    n = len(rows.given)
    return _values(rows, lambda start, stop: _in_order(n, k, first + start, stop - start), count)


def coefficients_of_subsets(rows: CountsForSubsets, subsets: Ints) -> Floats:
    """Coefficient of a list of subsets int64 (S, k), float64 (S,), `nan` if undefined."""
    each = np.zeros((len(subsets), len(rows.given)))
    np.put_along_axis(each, subsets, 1.0, axis=1)
    return _values(rows, lambda start, stop: each[start:stop], len(subsets))


def _values(
    rows: CountsForSubsets, members: Callable[[int, int], Floats], n_subsets: int
) -> Floats:
    width = rows.given.shape[1] if rows.apart is None else rows.marginals.size
    out, step = np.empty(n_subsets), max(1, _BLOCK // max(width, 1))
    for start in range(0, n_subsets, step):
        stop = min(start + step, n_subsets)
        sums = _sums(rows, members(start, stop))
        out[start:stop] = beyond_chance(*rows.formula.disagreements(sums, rows.spread))
    return out


def _sums(rows: CountsForSubsets, members: Floats) -> Sums:
    """Return the sums of subsets of annotators, members (B, n), that the three formulas read."""
    n_subsets, times, spread = len(members), rows.times, rows.spread
    pooled = members @ rows.marginals
    found = {
        "pooled": pooled,
        "marginals": (members[:, :, None] * rows.marginals).reshape(n_subsets, -1),
    }
    if rows.apart is not None:
        k, all_items = members.sum(axis=1, keepdims=True), np.full((n_subsets, 1), times.sum())
        mean = ((members @ rows.apart) * members).sum(axis=1, keepdims=True)
        mean /= np.maximum(k * (k - 1), 1)
        found |= {
            "n_paired": all_items * (k > 1),
            "n_labelled": all_items,
            "paired": pooled * (k > 1),
            "shares": pooled / np.maximum(k, 1),
            "observed": mean,
            "coincident": mean * k,
        }
        return Sums(rows.summands, lambda feature: found[feature.name])
    labels = (members @ rows.given).reshape(n_subsets, times.size, -1)
    n = labels.sum(axis=2)
    apart = spread.mean_between(labels, labels) / np.maximum(n - 1, 1)
    found |= {
        "n_paired": (n > 1) @ times[:, None],
        "n_labelled": (n > 0) @ times[:, None],
        "paired": np.einsum("brk,br->bk", labels, (n > 1) * times),
        "shares": np.einsum("brk,br->bk", labels, times / np.maximum(n, 1)),
        "observed": (apart / np.maximum(n, 1)) @ times[:, None],
        "coincident": apart @ times[:, None],
    }
    return Sums(rows.summands, lambda feature: found[feature.name])


@njit(cache=True, nogil=True)
def _in_order(n: int, k: int, first: int, count: int) -> Floats:
    out, members = np.zeros((count, n)), np.zeros(k + 1, np.int64)
    subset_at_rank(first, n, members)
    for r in range(count):
        if r > 0:
            next_subset(members)
        for m in range(k):
            out[r, members[m]] = 1.0
    return out
