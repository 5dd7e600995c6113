"""Coreference chains of a system against a reference's.

Every mention that either side has stands once, with its chain on each side (-1 where that side does
not have it). Counts add over documents; precision, recall and F come from their sums.

| metric | what is counted | source |
|---|---|---|
| muc | links of a chain that survive | Vilain et al. 1995 |
| b_cubed | shared mentions of each mention's chains | Bagga & Baldwin 1998 |
| ceaf_m, ceaf_e | chains paired one to one, by mentions or by chains (φ3, φ4) | Luo 2005 |
| blanc | coreferent and other links apart, mean of both | Recasens & Hovy 2011; Luo et al. 2014 |
| conll | mean F of muc, b_cubed and ceaf_e | Pradhan et al. 2012 |

Predicted mentions, not only the reference's, as in Pradhan et al. 2014.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import MetricsError
from ..estimate import Estimate
from ..reason import Reason, ReasonCode
from .ratio import divide, estimate, mean_defined

Metric = Literal["muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "conll"]
COREFERENCE_METRICS: tuple[Metric, ...] = get_args(Metric)
# Rows of the counts: (recall numerator, recall denominator, precision num., precision den.)
_COUNTED = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "coreferent", "non_coreferent")


def coreference_counts(
    reference_chains: ArrayLike,
    system_chains: ArrayLike,
    *,
    documents: ArrayLike,
    n_documents: int | None = None,
) -> NDArray[np.float64]:
    """Additive counts (D, 6, 4) of mentions (M,) with their chains.

    reference_chains, system_chains  integers (M,): chain of each mention, -1 where that side does
        not have the mention; chain numbers are read within a document
    documents  integers (M,)
    Raises MetricsError when the lengths differ or a mention is on neither side.
    """
    reference, system, homes = (
        np.asarray(array, dtype=np.int64) for array in (reference_chains, system_chains, documents)
    )
    if not reference.shape == system.shape == homes.shape or reference.ndim != 1:
        raise MetricsError("chains of both sides and documents must be three arrays (M,)")
    nowhere = np.nonzero((reference < 0) & (system < 0))[0]
    if nowhere.size:
        raise MetricsError(f"mention {int(nowhere[0])} is in no chain of either side")
    n_rows = int(homes.max(initial=-1)) + 1 if n_documents is None else n_documents
    counts = np.zeros((n_rows, len(_COUNTED), 4))
    order = np.argsort(homes, kind="stable")
    found, first = np.unique(homes[order], return_index=True)
    for d, mentions in zip(found, np.split(order, first[1:]), strict=False):
        counts[d] = _document_counts(reference[mentions], system[mentions])
    return counts


def coreference_score(
    counts: NDArray[np.float64],
    *,
    metric: Metric,
    n_replicates: int = 0,
    level: float = 0.95,
    seed: int = 0,
) -> Estimate:
    """F of a metric in [0, 1], with its precision and recall in `detail`.

    counts  (D, 6, 4), from `coreference_counts`
    nan when neither side has what is counted (muc: a chain of two mentions). blanc is the mean of
    the two kinds of links, of the one that exists where the other does not. Raises MetricsError
    for an unknown metric.
    """
    if metric not in COREFERENCE_METRICS:
        raise MetricsError(
            f"metric is {metric!r}; it must be one of {', '.join(COREFERENCE_METRICS)}"
        )
    sums = counts.sum(axis=0, keepdims=True)
    detail: dict[str, float | int | str] = {}
    if metric != "conll":
        for name, column in (("recall", 0), ("precision", 2)):
            detail[name] = float(_part(sums, metric, column, column + 1)[0])
    return estimate(
        metric,
        counts,
        lambda total: coreference_statistic(total, metric=metric),
        reason=Reason(ReasonCode.NOTHING_TO_COUNT),
        n_items=counts.shape[0],
        detail=detail,
        n_replicates=n_replicates,
        level=level,
        seed=seed,
    )


def coreference_statistic(sums: NDArray[np.float64], *, metric: Metric) -> NDArray[np.float64]:
    """F of sums (B, 6, 4) → (B,), for `metrics.scoring.compare`."""
    if metric == "conll":
        parts = [coreference_statistic(sums, metric=m) for m in ("muc", "b_cubed", "ceaf_e")]
        return np.stack(parts).mean(axis=0)
    if metric == "blanc":
        kinds = [_f(sums[:, _COUNTED.index(kind)]) for kind in ("coreferent", "non_coreferent")]
        return mean_defined(np.stack(kinds, axis=1))
    return _f(sums[:, _COUNTED.index(metric)])


def _part(sums: NDArray[np.float64], metric: Metric, above: int, below: int) -> NDArray[np.float64]:
    rows = ("coreferent", "non_coreferent") if metric == "blanc" else (metric,)
    values = [
        divide(sums[:, _COUNTED.index(row), above], sums[:, _COUNTED.index(row), below])
        for row in rows
    ]
    return mean_defined(np.stack(values, axis=1))


def _f(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Harmonic mean of recall and precision, (B, 4) → (B,); a side with nothing to count gives 0,
    both sides nan."""
    recall, precision = divide(rows[:, 0], rows[:, 1]), divide(rows[:, 2], rows[:, 3])
    nothing = np.isnan(recall) & np.isnan(precision)
    r, p = np.nan_to_num(recall), np.nan_to_num(precision)
    f = np.nan_to_num(divide(2 * r * p, r + p))
    return np.where(nothing, np.nan, f)


def _document_counts(
    reference: NDArray[np.int64], system: NDArray[np.int64]
) -> NDArray[np.float64]:
    """(6, 4) counts of one document."""
    of_reference, of_system = reference >= 0, system >= 0
    sizes_r = np.unique(reference[of_reference], return_counts=True)[1].astype(np.float64)
    sizes_s = np.unique(system[of_system], return_counts=True)[1].astype(np.float64)
    names_r, row = np.unique(reference[of_reference], return_inverse=True)
    names_s, column = np.unique(system[of_system], return_inverse=True)
    both = of_reference & of_system
    rows = np.full(reference.shape, -1)
    columns = np.full(system.shape, -1)
    rows[of_reference], columns[of_system] = row, column
    shared = np.zeros((names_r.size, names_s.size))
    np.add.at(shared, (rows[both], columns[both]), 1)

    counts = np.zeros((len(_COUNTED), 4))
    # MUC: a chain falls into as many parts as chains of the other side it meets, and one for each
    # mention that the other side does not have.
    for at, table, sizes in ((0, shared, sizes_r), (2, shared.T, sizes_s)):
        parts = (table > 0).sum(axis=1) + sizes - table.sum(axis=1)
        counts[0, at] = (sizes - parts).sum()
        counts[0, at + 1] = (sizes - 1).sum()
        counts[1, at] = (table**2 / sizes[:, None]).sum()
        counts[1, at + 1] = sizes.sum()
    counts[2] = _paired(shared), sizes_r.sum(), _paired(shared), sizes_s.sum()
    similarity = 2 * shared / (sizes_r[:, None] + sizes_s[None, :])
    counts[3] = _paired(similarity), sizes_r.size, _paired(similarity), sizes_s.size
    # BLANC: links between the mentions of a side, between those of both.
    common = shared.sum()
    linked = _links(shared).sum()
    linked_r, linked_s = _links(shared.sum(axis=1)).sum(), _links(shared.sum(axis=0)).sum()
    apart = _links(common) - linked_r - linked_s + linked
    in_r, in_s = _links(sizes_r).sum(), _links(sizes_s).sum()
    counts[4] = linked, in_r, linked, in_s
    counts[5] = apart, _links(sizes_r.sum()) - in_r, apart, _links(sizes_s.sum()) - in_s
    return counts


def _paired(table: NDArray[np.float64]) -> float:
    from scipy.optimize import linear_sum_assignment  # a second that start-up can do without

    rows, columns = linear_sum_assignment(table, maximize=True)
    return float(table[rows, columns].sum())


def _links(sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    return sizes * (sizes - 1) / 2
