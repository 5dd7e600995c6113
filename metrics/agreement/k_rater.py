"""k-rater reliability: how well the labels of k annotators together would be reproduced.

Two disjoint panels of k annotators label the items; each panel's labels are made one, and the
coefficient is computed between the two.

* Means of numbers: α with the interval distance is a ratio of variances, so the formula of Spearman
  and Brown is exact, k α / (1 + (k − 1) α), and its interval is that of α, transformed.
* Majorities: pairs of majority labels are counted over all splits of each item's labels into two
  panels (`panel_votes`), then the coefficient is computed once. Where an item has more splits than
  are enumerated, splits are drawn, and `detail` has the Monte Carlo standard error of the value.
  Ties are resolved at random. Only items with 2 k labels can be split, so that k is at most half of
  the labels of an item. For k = 1 the value is the coefficient itself; a coefficient of two
  annotators, such as π, is that of the two panels for each k.

The expected disagreement of α is over n (n − 1) pairs of labels. For every k, n is the number of
labels of the items that are split, as in α itself.

Source: Wong & Paritosh (2022), "k-Rater Reliability: The Correct Unit of Reliability for Aggregated
Human Annotations", ACL.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from ..arrays import Floats, Ints
from ..beyond_chance import NO_DISAGREEMENT, beyond_chance
from ..bootstrap import generator_for_purpose
from ..errors import MetricsError
from ..estimate import Estimate, estimate
from ..estimate_detail import Detail
from ..intervals.interval import add_interval, close_interval
from ..measures import coefficient_of
from ..options import Sampling
from ..reason import Reason, ReasonCode
from ..signature import How, input_hash
from .coefficients import (
    SINGLE_CATEGORY,
    distance_name,
    relative_disagreements,
    resolve_set_distance,
)
from .counts import ItemCounts, count
from .distances import Distance
from .draw_order import DrawOrder
from .evaluate import evaluate_matrix
from .interval_methods import intervals_over_units
from .intraclass import reliability_of_mean
from .label_matrix import LabelMatrix
from .panel_votes import can_enumerate_splits, draw_panel_majorities, majority_pair_probabilities
from .resampling_units import ResamplingUnits
from .summands import PairTables
from .sums import Sums, sums_of_each

Together = Literal["mean", "majority"]
NAME = "k_rater_reliability"
_ROWS = 100_000  # of the panels of all draws
_BATCHES, _MOST = 20, 200  # batches of draws, for the Monte Carlo error; draws of panels
_PURPOSE = 31  # of the stream of random numbers


def k_rater_reliability(
    matrix: LabelMatrix,
    *,
    measure: str = "krippendorff_alpha",
    ks: Sequence[int] = (),
    together: Together | None = None,
    distance: Distance = "nominal",
    sampling: Sampling,
) -> list[Estimate]:
    """The reliability of k annotators together, for each k.

    ks        each at least 1; default: up to half of the annotators, of means up to all of them
    together  how the labels of a panel are made one; default: the mean for α with the interval
              distance, else the majority

    Values have the range of the coefficient; `detail` has `k` and, of majorities whose splits are
    drawn, `monte_carlo_standard_error`. Undefined, with a reason, where no item has 2 k labels.
    Raises MetricsError for a k below 1, and for means without the interval distance.
    """
    matrix.require_humans("k-rater reliability")
    is_mean = (
        measure == "krippendorff_alpha" and isinstance(distance, str) and distance == "interval"
    )
    together = together or ("mean" if is_mean else "majority")
    if together not in get_args(Together):
        raise MetricsError(f"together is {together!r}; it must be mean or majority")
    most = int(matrix.n_labels.max(initial=0))
    ks = ks or range(1, max(1, most if together == "mean" else most // 2) + 1)
    if min(ks) < 1:
        raise MetricsError(f"k-rater reliability needs one annotator or more, not {min(ks)}")
    if together == "majority":
        return [_reliability_of_majorities(matrix, k, measure, distance, sampling) for k in ks]
    if not is_mean:
        raise MetricsError(
            "the reliability of means needs krippendorff_alpha with the distance interval; "
            "for other coefficients choose majorities, for ratings icc_1_k, icc_2_k or icc_3_k"
        )
    [single] = evaluate_matrix(matrix, measures=[measure], distance=distance, sampling=sampling)[:1]
    return [
        replace(
            single,
            measure=NAME,
            value=_spearman_brown(single.value, k),
            interval=(
                _spearman_brown(single.interval[0], k),
                _spearman_brown(single.interval[1], k),
            ),
            observed=math.nan,
            expected=math.nan,
            how=single.how.for_measure(
                NAME, of=measure, k=k, together="mean", formula="spearman-brown"
            ),
            detail=Detail(k=k, of=measure),
        )
        for k in ks
    ]


def _spearman_brown(single: float, k: int) -> float:
    """Agreement below chance has no variance of items that a mean would bring out: it stays."""
    return reliability_of_mean(single, k) if single > 0 else single


def _reliability_of_majorities(
    matrix: LabelMatrix, k: int, measure: str, distance: Distance, sampling: Sampling
) -> Estimate:
    split = matrix.n_labels >= 2 * k
    n_items = int(split.sum())
    if n_items < 2:
        reason = Reason(ReasonCode.FEW_LABELS_TO_SPLIT, k=k, labels=2 * k)
        return Estimate(NAME, math.nan, reason=reason, detail=Detail(k=k, of=measure))
    of_two = bool(coefficient_of(measure).generalisation)
    if k == 1 and not (of_two and matrix.n_annotators > 2):
        [single] = evaluate_matrix(
            matrix, measures=[measure], distance=distance, sampling=sampling
        )[:1]
        return replace(
            single,
            measure=NAME,
            how=single.how.for_measure(NAME, of=measure, k=k, together="majority"),
            detail=Detail(k=k, of=measure),
        )
    some = count(matrix.select_items(split), by="items")
    votes = _votes(some, k, sampling.seed)
    homes = None if matrix.documents_to_resample is None else matrix.documents_to_resample[split]
    found = _estimate(matrix, some, votes, homes, measure, distance, sampling)
    how = found.how.add_settings(
        of=measure,
        k=k,
        together="majority",
        splits=votes.n_draws or "all",
        ties="random",
        seed=sampling.seed if votes.n_draws else found.how.seed,
    )
    return replace(found, how=how, detail=Detail(k=k, of=measure) | found.detail)


@dataclass(frozen=True, slots=True)
class _Votes:
    """Pairs of majority labels of the panels.

    tables   float64 (V, K, K), symmetric, sum 1: how often they occur on each kind of item
    kind_of  int64 (N,): the kind of each item
    n_labels  labels of the items
    batches  float64 (B, K, K): the same over all items, for batches of the draws
    n_draws  0 if all splits are enumerated
    """

    tables: Floats
    kind_of: Ints
    n_labels: int
    batches: Floats
    n_draws: int = 0


def _votes(items: ItemCounts, k: int, seed: int) -> _Votes:
    codes, n_categories = items.codes, len(items.tagset)
    counts = (codes[:, :, None] == np.arange(n_categories)).sum(axis=1)
    kinds, kind_of = np.unique(counts, axis=0, return_inverse=True)
    kind_of, n_labels = kind_of.reshape(-1), int(counts.sum())
    if can_enumerate_splits(kinds, k):
        tables = np.stack([majority_pair_probabilities(kind, k) for kind in kinds])
        return _Votes(tables, kind_of, n_labels, np.empty((0, n_categories, n_categories)))
    per_batch = max(1, min(_MOST, _ROWS // codes.shape[0]) // _BATCHES)
    rng = generator_for_purpose(seed, _PURPOSE + 1000 * k)
    order = DrawOrder(items)
    codes, kind_of = order.arrange(codes), kind_of[order.units]
    tables = np.zeros((len(kinds), n_categories, n_categories))
    batches = np.zeros((_BATCHES, n_categories, n_categories))
    for batch in batches:
        for _ in range(per_batch):
            first, second = draw_panel_majorities(codes, k, n_categories, rng).T
            for one, other in ((first, second), (second, first)):
                np.add.at(tables, (kind_of, one, other), 0.5)
                np.add.at(batch, (one, other), 0.5)
    n_draws = _BATCHES * per_batch
    tables /= np.maximum(n_draws * np.bincount(kind_of), 1)[:, None, None]
    back = np.argsort(order.categories)
    tables, batches = (one[:, back][:, :, back] for one in (tables, batches))
    return _Votes(tables, kind_of[order.place_of_unit], n_labels, batches / per_batch, n_draws)


def _estimate(
    matrix: LabelMatrix,
    items: ItemCounts,
    votes: _Votes,
    homes: Ints | None,
    measure: str,
    distance: Distance,
    sampling: Sampling,
) -> Estimate:
    """Return the coefficient between the two panels, with its interval over items or documents."""
    spec, tagset = coefficient_of(measure), matrix.tagset
    distance = resolve_set_distance(distance, matrix)
    n_items = votes.kind_of.size
    unit_of = votes.kind_of
    per_kind = np.bincount(unit_of, minlength=len(votes.tables))
    tables, multiplicity, over = votes.tables, per_kind, "items"
    if homes is not None:
        names, unit_of = np.unique(homes, return_inverse=True)
        per_document = np.zeros((names.size, len(votes.tables)))
        np.add.at(per_document, (unit_of, votes.kind_of), 1.0)
        tables, over = np.tensordot(per_document, tables, axes=1), "documents"
        multiplicity = np.ones(names.size, dtype=np.int64)
    order = DrawOrder(items.same_rows_in_units(unit_of, items.times, len(tables)))
    groups = ResamplingUnits(PairTables.of_two_labels(tables), multiplicity, tagset, over, order)
    whole = groups.sums_of_all
    few = 1.0
    if measure == "krippendorff_alpha":  # D_e with the labels of the items, not of one split
        few = (1 - 1 / (2 * n_items)) / (1 - 1 / votes.n_labels)

    def agreement(sums: Sums) -> tuple[Floats, Floats]:
        observed, expected, _ = relative_disagreements(spec, sums, distance, tagset)
        return observed, expected * few

    d_o, d_e = (float(one[0]) for one in agreement(whole))
    reason = None
    if d_e <= NO_DISAGREEMENT:
        single = np.count_nonzero(whole.shares[0]) == 1
        reason = SINGLE_CATEGORY if single else Reason(ReasonCode.NO_EXPECTED_DISAGREEMENT)
    elif math.isnan(d_o) or math.isnan(d_e):
        reason = Reason(ReasonCode.CHANCE_UNDEFINED)
    value = math.nan if reason else 1 - d_o / d_e
    detail = Detail()
    if votes.n_draws and reason is None:
        observed, expected = agreement(sums_of_each(PairTables.of_two_labels(votes.batches)))
        by_batch = beyond_chance(observed, expected)
        detail |= Detail(
            monte_carlo_standard_error=float(by_batch.std(ddof=1) / math.sqrt(_BATCHES))
        )
    found = estimate(
        How(
            measure=NAME,
            distance=distance_name(distance if spec.weighted else spec.own_distance, tagset),
            categories=len(tagset),
            input=input_hash([matrix.codes]),
        ),
        value,
        reason,
        observed=1 - d_o if spec.has_observed else math.nan,
        expected=1 - d_e if spec.has_expected else math.nan,
        n_items=n_items,
        n_annotators=matrix.n_annotators,
        detail=detail,
    )
    if not sampling.gives_intervals:
        return found
    interval = intervals_over_units(
        groups, measures=[measure], sampling=sampling, distance=distance
    )[measure]
    if interval.reason is None:  # of the coefficient, whose value differs by `few`
        interval = close_interval(interval, value, within=spec.range)
    return add_interval(found, interval)
