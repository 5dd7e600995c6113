"""Numeric ratings of pairs of annotators: correlations, ICC and mean difference, with means.

| measure | of a pair | source |
|---|---|---|
| `pearson_r` | product-moment correlation | Pearson (1895) |
| `spearman_rho` | correlation of the mid-ranks | Spearman (1904) |
| `kendall_tau_b` | concordant minus discordant pairs of items, with ties | Kendall (1945) |
| `icc_2_1` | ICC(A,1): absolute agreement of one rating | McGraw & Wong (1996) |
| `mean_difference` | mean of first − second, in the unit of the ratings | |

All are functions of the table of the two ratings, (K, K), on the items that both rated, so that
intervals resample the documents, or the items, for all pairs together: expanded percentiles
(`metrics.bootstrap`), also of the mean over the pairs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..arrays import Floats, divide
from ..bootstrap import METHOD, mean_defined, percentile_probabilities
from ..estimate import Estimate
from ..intervals.interval import Interval, Range, add_interval, interval_of_draws
from ..measures import RATING_MEASURES
from ..options import Sampling
from ..reason import Reason, ReasonCode
from ..signature import How, input_hash
from .counts import ItemCounts
from .draw_order import draw_order
from .label_matrix import LabelMatrix
from .one_with_each import OneWithEach, common_labels, distinct_units

MOST_VALUES = 128  # different ratings, of which a table of pairs is made for each resample
_AT_ONCE = 64  # resamples whose tables are held together
_RANGES: dict[str, Range] = {"icc_2_1": (-math.inf, 1.0), "mean_difference": (-math.inf, math.inf)}
_FEWEST = 3  # items that both rated


def rating_measures_of_pairs(
    matrix: LabelMatrix,
    pairs: Sequence[tuple[int, int]],
    names: Sequence[str],
    values: Floats,
    sampling: Sampling,
) -> list[OneWithEach]:
    """Compute the measures of ratings for pairs of annotators, and their means over the pairs.

    pairs   columns of the matrix
    names   of the pairs
    values  float64 (K,): the number that each category of the tagset stands for, ascending

    A value is nan where fewer than three items have both ratings, or where the ratings of one of
    the two are all equal. Raises RoleError if an annotator is a system or a reference.
    """
    matrix.require_humans("A correlation of ratings")
    counts, multiplicity, over = distinct_units(matrix)
    whole = multiplicity[None].astype(np.float64)
    tables = np.stack([_tables(counts, whole, pair)[0] for pair in pairs])
    point = _values_of_tables(tables, values)
    drawn: dict[str, list[Floats]] = {name: [] for name in RATING_MEASURES}
    if sampling.gives_intervals:
        for weights in draw_order(counts, multiplicity).resamples(
            multiplicity,
            sampling.replicates,
            np.random.default_rng(sampling.seed),
            at_once=_AT_ONCE,
        ):
            block = [_values_of_tables(_tables(counts, weights, pair), values) for pair in pairs]
            for name in RATING_MEASURES:
                drawn[name].append(np.stack([one[name] for one in block], axis=1))
    n_units = int(multiplicity.sum())
    found = []
    for name in RATING_MEASURES:
        draws = np.concatenate(drawn[name]) if drawn[name] else np.empty((0, len(pairs)))
        estimates: dict[str, Estimate] = {}
        for p, pair in enumerate(names):
            n_items = int(tables[p].sum())
            value = _estimate(name, float(point[name][p]), n_items, tables[p], 2)
            estimates[pair] = _with_interval(value, draws[:, p], over, n_units, sampling)
        known = [one for one in estimates.values() if one.reason is None]
        mean = next(iter(estimates.values()))
        if len(known) == 1:
            mean = known[0]
        elif known:
            total = float(np.mean([one.value for one in known]))
            n_items = max(one.n_items for one in known)
            mean = _estimate(name, total, n_items, tables, matrix.n_annotators)
            used = [p for p, one in enumerate(estimates.values()) if one.reason is None]
            mean = _with_interval(mean, mean_defined(draws[:, used]), over, n_units, sampling)
        found.append(OneWithEach(name, estimates, mean))
    return found


def _tables(counts: ItemCounts, weights: Floats, pair: tuple[int, int]) -> Floats:
    """Return the table of the two annotators' ratings, (B, K, K), for weights (B, G) of units."""
    from scipy.sparse import csr_array

    size = len(counts.tagset)
    codes = common_labels(counts.codes[:, pair])
    rows = np.flatnonzero(codes[:, 0] >= 0)
    cells = codes[rows, 0].astype(np.int64) * size + codes[rows, 1]
    of_rows = csr_array(
        (counts.times[rows].astype(np.float64), (cells, counts.unit[rows])),
        shape=(size * size, counts.n_units),
    )
    return np.asarray((of_rows @ weights.T).T).reshape(-1, size, size)


def _values_of_tables(tables: Floats, values: Floats) -> dict[str, Floats]:
    """Return each measure of tables (B, K, K), (B,); nan where undefined."""
    first, second = tables.sum(axis=2), tables.sum(axis=1)
    n = first.sum(axis=1)
    centred = values - values.mean()
    with np.errstate(invalid="ignore"):
        enough = np.where(n >= _FEWEST, n, np.nan)
    ranks = [np.cumsum(one, axis=1) - one / 2 for one in (first, second)]
    difference = divide(first @ centred - second @ centred, enough)
    return {
        "pearson_r": _correlation(tables, centred[None], centred[None], enough),
        "spearman_rho": _correlation(tables, ranks[0], ranks[1], enough),
        "kendall_tau_b": _kendall_tau_b(tables, first, second, enough),
        "icc_2_1": _icc(tables, centred, enough, difference),
        "mean_difference": difference,
    }


def _correlation(tables: Floats, x: Floats, y: Floats, n: Floats) -> Floats:
    """Return the correlation of scores x of rows and y of columns, (B, K), weighted by tables."""
    first, second = tables.sum(axis=2), tables.sum(axis=1)
    x = x - divide((first * x).sum(axis=1), n)[:, None]
    y = y - divide((second * y).sum(axis=1), n)[:, None]
    product = np.einsum("bij,bi,bj->b", tables, x, y)
    return _ratio(product, (first * x**2).sum(axis=1) * (second * y**2).sum(axis=1))


def _ratio(product: Floats, squares: Floats) -> Floats:
    """Return product / √squares, nan where a side does not vary."""
    with np.errstate(invalid="ignore"):
        varies = squares > 1e-12 * np.maximum(np.abs(product), 1.0)
    return np.where(varies, product / np.sqrt(np.where(varies, squares, 1.0)), np.nan)


def _kendall_tau_b(tables: Floats, first: Floats, second: Floats, n: Floats) -> Floats:
    below = np.cumsum(np.cumsum(tables, axis=1), axis=2)
    concordant = (tables[:, 1:, 1:] * below[:, :-1, :-1]).sum(axis=(1, 2))
    above = np.cumsum(np.cumsum(tables, axis=1)[:, :, ::-1], axis=2)[:, :, ::-1]
    discordant = (tables[:, 1:, :-1] * above[:, :-1, 1:]).sum(axis=(1, 2))
    untied = [(n**2 - (one**2).sum(axis=1)) / 2 for one in (first, second)]
    return _ratio(concordant - discordant, untied[0] * untied[1])


def _icc(tables: Floats, values: Floats, n: Floats, difference: Floats) -> Floats:
    """Return ICC(A,1) of two ratings per item (McGraw & Wong 1996, table 4, case 2A)."""
    mean = (values[:, None] + values[None, :]) / 2
    gap = values[:, None] - values[None, :]
    grand = divide((tables * mean).sum(axis=(1, 2)), n)
    between = 2 * ((tables * mean**2).sum(axis=(1, 2)) - n * grand**2) / (n - 1)
    raters = n * difference**2 / 2
    residual = ((tables * gap**2).sum(axis=(1, 2)) / 2 - raters) / (n - 1)
    return divide(between - residual, between + residual + 2 * (raters - residual) / n)


def _estimate(name: str, value: float, n_items: int, table: Floats, n_annotators: int) -> Estimate:
    reason = None
    if n_items < _FEWEST:
        reason = Reason(ReasonCode.FEW_ITEMS, fewest=_FEWEST)
    elif math.isnan(value):
        reason = Reason(ReasonCode.NO_VARIANCE)
    how = How(measure=name, input=input_hash([table]))
    return Estimate(
        name,
        math.nan if reason else value,
        reason,
        n_items=n_items,
        n_annotators=n_annotators,
        how=how,
    )


def _with_interval(
    value: Estimate, draws: Floats, over: str, n_units: int, sampling: Sampling
) -> Estimate:
    if not sampling.gives_intervals or value.reason is not None:
        return value
    n = min(n_units, value.n_items)
    interval = interval_of_draws(
        draws,
        percentile_probabilities(sampling.confidence_level, max(n, 2)),
        Interval(
            level=sampling.confidence_level,
            method=METHOD,
            over=over,
            n_units=n_units,
            seed=sampling.seed,
        ),
        value.value,
        within=_RANGES.get(value.measure, (-1.0, 1.0)),
        n_content=n,
    )
    return add_interval(value, interval)


def in_order_of_values(matrix: LabelMatrix, values: Floats) -> tuple[LabelMatrix, Floats]:
    """Return the matrix with its categories in ascending order of their numbers, and these."""
    order = np.argsort(values, kind="stable")
    place = np.argsort(order, kind="stable").astype(np.int32)
    codes = np.where(matrix.codes >= 0, place[matrix.codes], np.int32(-1))
    tagset = tuple(matrix.tagset[k] for k in order.tolist())
    return replace(matrix, codes=codes.astype(np.int32), tagset=tagset), values[order]
