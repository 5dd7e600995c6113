"""A coefficient of each subset of annotators, by the formulas of `metrics.agreement`.

A subset is a 0/1 vector of its members, so that the sums that most formulas read (κ, π, α, S, AC1)
are products of matrices for a block of subsets at once: of members and the labels by annotator. If
every annotator labelled every item, D_o needs only the distances of the pairs of annotators,
whatever the number of items. Any other formula, and a distance that depends on the labels in use,
reads the sums of the labels of each subset, counted one subset after the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from ...agreement.category_distance import Needs
from ...agreement.coefficients import resolve_set_distance, spread_over_largest
from ...agreement.counts import ItemCounts, count
from ...agreement.distances import DISTANCES, Distance
from ...agreement.formulas.coefficient import Coefficient
from ...agreement.formulas.spread import NominalSpread, Spread, TableSpread
from ...agreement.label_matrix import LabelMatrix
from ...agreement.resampling_units import coefficient_values
from ...agreement.summands import CountedSummands
from ...agreement.sums import Sums, sums_of_each
from ...arrays import Floats, Ints
from ...beyond_chance import beyond_chance
from ...compiling import njit
from ...errors import MetricsError
from ...measures import coefficient_of
from .revolving_door import next_subset, subset_at_rank

_BLOCK = 1_000_000  # numbers of labels by row and category that are held at once: 8 MB


@dataclass(frozen=True, slots=True)
class CountsForSubsets:
    """n annotators, R distinct rows of labels, K categories.

    given      float64 (n, R · K): whether the annotator gave the row's label
    marginals  float64 (n, K): labels of each annotator
    times      float64 (R,): items per row
    apart      float64 (n, n): Σ over items of the distance of two annotators' labels; None if some
               labels are missing
    distance   of a formula whose sums are counted subset by subset; None for products of matrices
    """

    formula: Coefficient
    spread: Spread
    summands: CountedSummands
    given: Floats
    marginals: Floats
    times: Floats
    apart: Floats | None
    distance: Distance | None = None

    @property
    def is_fast(self) -> bool:
        """Whether millions of subsets can be evaluated."""
        return self.distance is None


def counts_for_subsets(
    matrix: LabelMatrix, *, coefficient: str, distance: Distance | None = None
) -> CountsForSubsets:
    """Return the rows of a campaign for a coefficient on items, of Accordeur or a plugin.

    distance  a name, or a table (K, K), symmetric with a zero diagonal; None: nominal

    A table is the same for every subset; a named distance is that of the subset's own labels.
    Raises MetricsError for an unknown coefficient or a table of another shape.
    """
    formula = coefficient_of(coefficient)
    size, whole = len(matrix.tagset), count(matrix).total
    spread: Spread = NominalSpread(size)
    distance = None if distance is None else resolve_set_distance(distance, matrix)
    named = DISTANCES.get(distance) if isinstance(distance, str) else None
    needs_uses = named is not None and named.needs is Needs.USES
    if isinstance(distance, np.ndarray):
        if distance.shape != (size, size):
            raise MetricsError(f"distance has shape {distance.shape}; expected ({size}, {size})")
        spread = TableSpread(distance)
    elif formula.weighted and distance not in (None, "nominal") and not needs_uses:
        scaled, _ = spread_over_largest(distance, matrix.tagset, np.zeros((1, size)))
        spread = TableSpread(scaled.as_table())
    is_fast = not needs_uses and _reads_matrix_sums(formula)
    return CountsForSubsets(
        formula,
        spread,
        CountedSummands(whole),
        *_label_products(whole, spread),
        distance=None if is_fast else "nominal" if distance is None else distance,
    )


@cache
def _reads_matrix_sums(formula: Coefficient) -> bool:
    """Whether products of matrices give a formula's values: tried on labels of six annotators."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (40, 6)).astype(np.int32)
    codes[:20] = codes[:20, :1]
    lacking = np.where(rng.random(codes.shape) < 0.3, -1, codes).astype(np.int32)
    spread = NominalSpread(3)
    for one in (codes, lacking):
        matrix = LabelMatrix(codes=one, tagset=("a", "b", "c"), annotators=tuple("uvwxyz"))
        summands = CountedSummands(count(matrix).total)
        products = _label_products(summands.counts, spread)
        rows = CountsForSubsets(formula, spread, summands, *products, distance="nominal")
        for k in (2,) if formula.generalisation else (2, 4):
            some = np.repeat([1.0, 0.0], [k, 6 - k])[None]
            try:
                found = formula.disagreements(_sums(rows, some), spread)
            except KeyError:  # a sum that is no product
                return False
            if not np.allclose(beyond_chance(*found), _counted_value(rows, np.arange(k)), 0, 1e-9):
                return False
    return True


def _label_products(
    whole: ItemCounts, spread: Spread
) -> tuple[Floats, Floats, Floats, Floats | None]:
    """Return given, marginals, times and apart of `CountsForSubsets`."""
    given = (whole.codes.T[:, :, None] == np.arange(len(whole.tagset))).astype(np.float64)
    times, apart = whole.times.astype(np.float64), None
    if whole.complete.all():
        table = spread.as_table()
        apart = np.einsum("arc,cd,brd,r->ab", given, table, given, times, optimize=True)
    return given.reshape(len(given), -1), whole.marginals.astype(np.float64), times, apart


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
        some = members(start, stop)
        if rows.formula.generalisation and some[0].sum() != 2:  # a coefficient of two annotators
            out[start:stop] = np.nan
            continue
        if rows.distance is not None:
            out[start:stop] = [_counted_value(rows, np.flatnonzero(one)) for one in some]
            continue
        out[start:stop] = beyond_chance(*rows.formula.disagreements(_sums(rows, some), rows.spread))
    return out


def _counted_value(rows: CountsForSubsets, members: Ints) -> float:
    """Return the value of one subset from its own rows of labels."""
    whole = rows.summands.counts
    names = tuple(whole.annotators[a] for a in members)
    counts = replace(whole, annotators=names, codes=np.ascontiguousarray(whole.codes[:, members]))
    sums, distance = sums_of_each(CountedSummands(counts)), rows.distance or "nominal"
    return float(coefficient_values([rows.formula], sums, distance, whole.tagset)[0, 0])


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
