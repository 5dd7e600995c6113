"""What a study of a judge reports beside the verdict: consistency, drift, position and length.

A system is compared with itself: over repeated runs, with an earlier run, with the two answers of a
pairwise item in the other order. These are shares and differences of labels, never coefficients of
agreement.

* self-consistency: the share of pairs of runs in which an item has the same label.
* drift: the share of its labels that changed since an earlier run, and the change of its advantage
  over the annotators (`comparison`), on items that it labelled in both runs.
* position: an answer that is chosen in both orders is consistent. An answer chosen only where it
  is shown first (or second) is a choice of the position: the bias is the share of the first kind
  less the share of the second (Zheng et al. 2023, "Judging LLM-as-a-judge with MT-bench and chatbot
  arena", Table 2).
* length: the system's labels less the annotators' mean label, on the third of the items with the
  longest answers less the same on the third with the shortest.

Intervals of shares are Wilson's with the effective number of items of the linearised error
(Korn & Graubard 1998, Survey Methodology 24(2): 193–201, for the effective number); those of
differences are Hall's, as the verdict's. Shapes: N items, R runs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags, Floats, Ints
from ..estimate import NO_INTERVAL, Estimate, estimate
from ..estimate_detail import NO_DETAIL, Detail
from ..intervals.interval import ANY, Range, close_bounds
from ..quantiles import t_quantile
from ..reason import Reason, ReasonCode
from ..signature import How, IntervalMethod, input_hash
from .judge_comparison import Codes, JudgeComparison
from .verdict import AdvantageSums, advantage_sums


@dataclass(frozen=True, slots=True)
class CheckedItems:
    """The items that intervals are drawn over.

    documents  (N,): index of each item's document; None: items are drawn
    level      of the intervals
    fewest     items below which a check has no value
    """

    documents: NDArray[np.integer] | None
    level: float
    fewest: int = 2

    def estimate(
        self,
        measure: str,
        value: float,
        interval: tuple[float, float],
        sums: AdvantageSums,
        *,
        n_items: int,
        method: str,
        within: Range = ANY,
    ) -> Estimate:
        """A check with its interval; undefined where there are too few items.

        within  range of the check
        """
        few = n_items < max(2, self.fewest) or math.isnan(value)
        bounds, no_interval = close_bounds(
            interval,
            value,
            level=self.level,
            n_units=sums.n_units,
            within=within,
        )
        return estimate(
            How(
                measure=measure,
                interval=IntervalMethod(method, sums.over, self.level),
                input=input_hash([sums.n, sums.total, sums.multiplicity]),
            ),
            value,
            Reason(ReasonCode.FEW_ITEMS, fewest=max(2, self.fewest)) if few else None,
            bounds,
            confidence_level=self.level,
            n_items=n_items,
            detail=Detail(interval_reason=str(no_interval))
            if no_interval and not few
            else NO_DETAIL,
        )

    def share_estimate(self, measure: str, true: Flags | Floats, compared: Flags) -> Estimate:
        """The share of the compared (N, C) that are true, averaged over the columns.

        true  or how true each is, from 0 to 1
        """
        if true.dtype == np.bool_:
            marked = np.asarray(true, np.bool_) & compared
            sums = advantage_sums(compared, marked.astype(np.int8), self.documents)
            most = float(compared.sum())
        else:  # varies less than a share, so that fewer documents say as much
            values = np.where(compared, true, 0.0).astype(np.float64)
            sums, most = advantage_sums(compared, values, self.documents), math.inf
        n_items = int(compared.any(axis=1).sum())
        value, interval = _wilson_interval(sums, most, self.level) if n_items else _UNKNOWN
        return self.estimate(
            measure,
            value,
            interval,
            sums,
            n_items=n_items,
            method="wilson-t",
            within=(0.0, 1.0),
        )

    def mean_estimate(
        self, measure: str, values: NDArray[np.int8], compared: Flags, *, within: Range
    ) -> Estimate:
        """The mean of the compared values (N, C), averaged over the columns."""
        sums = advantage_sums(compared, np.where(compared, values, np.int8(0)), self.documents)
        n_items = int(compared.any(axis=1).sum())
        value, interval = _hall_interval(sums, self.level) if n_items else _UNKNOWN
        return self.estimate(
            measure, value, interval, sums, n_items=n_items, method="hall-t", within=within
        )


def self_consistency(runs: Sequence[Codes], checked: CheckedItems) -> Estimate:
    """Share of the pairs of runs, each (N,), in which an item has the same label; -1: no label."""
    return checked.share_estimate("self_consistency", *_compare_runs(combinations(runs, 2)))


def changed_labels(now: Codes, earlier: Codes, checked: CheckedItems) -> Estimate:
    """Share of the items labelled in both runs (N,) whose label is another than in the earlier."""
    same, compared = _compare_runs([(now, earlier)])
    return checked.share_estimate("changed_labels", ~same, compared)


def advantage_change(
    now: JudgeComparison, earlier: JudgeComparison, checked: CheckedItems
) -> Estimate:
    """The advantage over the panel less that of the earlier run, on the same items; in [−2, 2]."""
    compared = now.compared & earlier.compared
    change = now.advantage - earlier.advantage
    return checked.mean_estimate("advantage_change", change, compared, within=(-2.0, 2.0))


def position_checks(
    original: Sequence[Codes],
    swapped: Sequence[Codes],
    first: int,
    second: int,
    checked: CheckedItems,
) -> list[Estimate]:
    """Consistency and bias of position, over pairs of runs in the two orders.

    original  runs (N,) in which the answer of code `first` was shown first
    swapped   runs in which the answer of code `second` was shown first

    The bias lies in [−1, 1]: above 0 the system prefers the answer that is shown first. A choice
    of neither answer (a tie) in one order only is inconsistent and has no direction.
    """
    same, compared = _compare_runs(product(original, swapped))
    towards = np.stack(
        [
            ((one == first) & (other == second)).astype(np.int8)
            - ((one == second) & (other == first)).astype(np.int8)
            for one, other in product(original, swapped)
        ],
        axis=1,
    )
    return [
        checked.share_estimate("position_consistency", same, compared),
        checked.mean_estimate("position_bias", towards, compared, within=(-1.0, 1.0)),
    ]


def length_bias(
    system: Floats, annotators: Floats, lengths: Floats, checked: CheckedItems
) -> Estimate:
    """How much more the system favours long answers than the annotators do.

    system      (N,): its labels as numbers, nan where missing; of pairs, 1 for the first answer
                and −1 for the second
    annotators  (N, A)
    lengths     (N,): of the text; of pairs, of the first answer less the second; nan: unknown

    In the unit of the labels: (system − annotators) on the longest third less that on the shortest.
    Undefined, with a reason, for lengths without a difference, and for too few items.
    """
    n_given = np.isfinite(annotators).sum(axis=1)
    mean = np.nansum(annotators, axis=1) / np.maximum(n_given, 1)
    known = np.isfinite(system) & np.isfinite(lengths) & (n_given > 0)
    excess = np.where(known, system - mean, 0.0)
    third = third_of_each(np.where(known, lengths, np.nan))
    ends = np.stack([third == 2, third == 0], axis=1)
    # The mean over two columns of which one is negative is half the difference.
    sums = advantage_sums(
        ends, np.where(ends, excess[:, None] * [2.0, -2.0], 0.0), checked.documents
    )
    value, interval = _UNKNOWN
    if ends.any(axis=0).all():
        value, interval = _hall_interval(sums, checked.level)
    n_items = int(ends.any(axis=1).sum())
    return checked.estimate("length_bias", value, interval, sums, n_items=n_items, method="hall-t")


def third_of_each(values: Floats) -> Ints:
    """The third (0, 1 or 2) of the defined values that each is in; -1 for nan."""
    known = np.isfinite(values)
    if not known.any():
        return np.full(values.shape, -1)
    low, high = np.quantile(values[known], [1 / 3, 2 / 3], method="inverted_cdf")
    third = (values > low).astype(np.int64) + (values > high)
    return np.where(known, third, -1)


_UNKNOWN = (math.nan, NO_INTERVAL)


def _compare_runs(pairs: Iterable[tuple[Codes, Codes]]) -> tuple[Flags, Flags]:
    """Where the labels of each pair of runs are the same, and where both have one: (N, pairs)."""
    both = [(one == other, (one >= 0) & (other >= 0)) for one, other in pairs]
    return np.stack([same for same, _ in both], axis=1), np.stack([c for _, c in both], axis=1)


def _hall_interval(sums: AdvantageSums, level: float) -> tuple[float, tuple[float, float]]:
    observed = sums.observed()
    if observed.df < 1:
        return float(observed.mean[0]), NO_INTERVAL
    lower, upper = observed.interval((1 - level) / 2)
    return float(observed.mean[0]), (float(lower[0]), float(upper[0]))


def _wilson_interval(
    sums: AdvantageSums, most: float, level: float
) -> tuple[float, tuple[float, float]]:
    """The mean and its interval; `most` bounds the effective number of items."""
    observed = sums.observed()
    share, error = float(observed.mean[0]), float(observed.error[0])
    if observed.df < 1:
        return share, NO_INTERVAL
    n = float(sums.n_units)
    if error > 0:
        n = min(share * (1 - share) / error**2, most)
    t = t_quantile(observed.df, (1 + level) / 2)
    centre = (share + t**2 / (2 * n)) / (1 + t**2 / n)
    half = t / (1 + t**2 / n) * math.sqrt(share * (1 - share) / n + t**2 / (4 * n**2))
    return share, (centre - half, centre + half)
