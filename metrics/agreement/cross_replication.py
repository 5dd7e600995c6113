"""Cross-replication reliability: do two groups of annotators who labelled the same items agree?

    κ_x = 1 − d_o(X, Y) / d_e(X, Y)

d_o is the mean distance between a label of group X and a label of group Y on the same item, d_e the
same on any two items. Normalised by what each group agrees with itself, κ_x / √(α_X · α_Y), it is 1
where the groups differ no more from each other than within themselves.

Where labels are missing, item i weighs (R_i + S_i) / (R + S): the labels of both groups on it as a
share of all, and d_e pairs every label of X with every label of Y. Items that only one group
labelled are not compared.

Source: Wong, Paritosh & Aroyo (2021), "Cross-replication Reliability – An Empirical Approach to
Interpreting Inter-rater Reliability", ACL, sections 4 and 5; missing labels as in the authors'
implementation (google-research/cross-replication-reliability, `WITH_MISSING_DATA`).
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from ..arrays import Floats, Ints, divide
from ..bootstrap import total_over_documents
from ..errors import MetricsError
from ..estimate import NO_INTERVAL, Estimate, estimate
from ..estimate_detail import Detail
from ..intervals.evaluate import Resampled, evaluate
from ..measures import MEASURES
from ..options import Sampling
from ..reason import Reason, ReasonCode
from ..signature import How, input_hash, interval_settings
from .coefficients import distance_name, resolve_set_distance
from .distances import Distance, distance_table
from .label_matrix import LabelMatrix

_NAMES = ("cross_replication", "normalized_cross_replication")


def cross_replication(
    first: LabelMatrix, second: LabelMatrix, *, distance: Distance = "nominal", sampling: Sampling
) -> list[Estimate]:
    """κ_x of two groups on the same items in the same order, and κ_x normalised.

    distance  between categories; `ordinal` is by the labels of both groups together

    κ_x is at most 1; the normalised one may exceed 1 by sampling. `detail` has α of each group on
    the items that both labelled. Undefined, with a reason, where no item is in common, chance
    expects no distance, or (normalised) a group does not agree beyond chance. Raises MetricsError
    for other items or another tagset, RoleError for systems.
    """
    for one in (first, second):
        one.require_humans("Cross-replication reliability")
    if first.n_items != second.n_items or first.tagset != second.tagset:
        raise MetricsError("two groups are compared on the same items with the same tagset")
    both = (first.codes >= 0).any(axis=1) & (second.codes >= 0).any(axis=1)
    groups = [one.counts()[both].astype(np.float64) for one in (first, second)]
    resolved = resolve_set_distance(distance, first)
    marginals = sum((group.sum(axis=0) for group in groups), np.zeros(len(first.tagset)))
    table = distance_table(resolved, tagset=first.tagset, marginals=marginals)
    documents = None if first.documents_to_resample is None else first.documents_to_resample[both]
    sums = _item_sums(groups[0], groups[1], table, documents)
    over = "items" if documents is None else "documents"
    statistics = [
        Resampled(partial(_values_from_sums, table=table, which=k), within=MEASURES[name].range)
        for k, name in enumerate(_NAMES)
    ]
    of_groups = [
        _values_from_sums(total_over_documents(sums), table, k)[0] if sums.size else math.nan
        for k in (2, 3)
    ]
    evaluated = evaluate(sums, statistics, sampling, over=over)
    values = [one.value for one in evaluated]
    found = []
    for k, (name, of_name) in enumerate(zip(_NAMES, evaluated, strict=True)):
        reason = None
        if math.isnan(values[k]):
            reason = Reason(_reason_code(values, int(both.sum())))
        found.append(
            estimate(
                How(
                    measure=name,
                    distance=distance_name(distance, first.tagset),
                    **interval_settings(sampling.replicates, over, sampling.confidence_level),
                    seed=sampling.seed,
                    input=input_hash([first.codes, second.codes]),
                ),
                float(values[k]),
                reason,
                NO_INTERVAL if of_name.interval is None else of_name.interval.bounds,
                confidence_level=sampling.confidence_level,
                n_items=int(both.sum()),
                n_annotators=first.n_annotators + second.n_annotators,
                detail=Detail(alpha_first=float(of_groups[0]), alpha_second=float(of_groups[1])),
            )
        )
    return found


def _reason_code(values: list[float], n_items: int) -> ReasonCode:
    if not n_items:
        return ReasonCode.NO_COMMON_ITEM
    if math.isnan(values[0]):
        return ReasonCode.NO_EXPECTED_DISAGREEMENT
    return ReasonCode.GROUP_WITHOUT_AGREEMENT


def _item_sums(first: Floats, second: Floats, table: Floats, documents: Ints | None) -> Floats:
    """What every value is made of, a row per item or document.

    Columns: weight × distance between the groups, weight; then of each group the distance within it
    (pairs over labels − 1), followed by the labels by category of X, of Y, and of each the labels
    of items with two.
    """
    n_first, n_second = first.sum(axis=1), second.sum(axis=1)
    weight = n_first + n_second
    between = np.einsum("ia,ab,ib->i", first, table, second) / (n_first * n_second)
    within = [
        divide(np.einsum("ia,ab,ib->i", group, table, group), group.sum(axis=1) - 1)
        for group in (first, second)
    ]
    paired = [group * (group.sum(axis=1) > 1)[:, None] for group in (first, second)]
    columns = [weight * between, weight, *map(np.nan_to_num, within)]
    rows = np.concatenate([np.stack(columns, axis=1), first, second, *paired], axis=1)
    if documents is None:
        return rows
    homes, index = np.unique(documents, return_inverse=True)
    summed = np.zeros((homes.size, rows.shape[1]))
    np.add.at(summed, index, rows)
    return summed


def _values_from_sums(sums: Floats, table: Floats, which: int) -> Floats:
    """κ_x, κ_x normalised, α of X or α of Y of sums (B, C): float64 (B,)."""
    n = table.shape[0]
    first, second, *paired = (sums[:, 4 + k * n : 4 + (k + 1) * n] for k in range(4))
    if which >= 2:
        own = paired[which - 2]
        size = own.sum(axis=1)
        expected = divide(np.einsum("ba,ac,bc->b", own, table, own), size - 1)
        return 1 - divide(sums[:, which], expected)
    expected = divide(
        np.einsum("ba,ac,bc->b", first, table, second), first.sum(axis=1) * second.sum(axis=1)
    )
    between = 1 - divide(divide(sums[:, 0], sums[:, 1]), expected)
    if which == 0:
        return between
    product = _values_from_sums(sums, table, 2) * _values_from_sums(sums, table, 3)
    alphas = np.minimum(_values_from_sums(sums, table, 2), _values_from_sums(sums, table, 3))
    root = np.sqrt(np.where(alphas > 0, product, np.nan))
    return between / root
