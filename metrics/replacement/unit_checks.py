"""What a study of a judge of units reports beside the verdict: its runs, its units, their places.

As for labels (`judge_checks`), a system is compared with itself, and no value is a coefficient of
agreement. Every interval is over documents.

* self-consistency: the mean similarity of the units of two runs in a document, by the similarity
  that decides the verdict (`unit_comparison`).
* number and length of units: the system's over the annotators' mean in the same documents. A
  system that marks everything twice, or whole sentences for words, shows here.
* trends: the advantage in the last third of the documents less that in the first third, and in the
  third of the documents that are longest less that in the shortest.

Two runs with swapped answers (`position_checks`) have no counterpart: a unit is no choice between
answers that are shown in an order.

Shapes: D documents, A annotators, R runs.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ..arrays import Floats
from ..estimate import NO_INTERVAL, Estimate
from ..quantiles import t_quantile
from ..reason import Reason, ReasonCode
from .judge_checks import CheckedItems, third_of_each
from .judge_comparison import JudgeComparison
from .unit_comparison import AnnotatedUnits, UnitSimilarityFunction, pairwise_similarities
from .verdict import AdvantageSums, advantage_sums


def unit_self_consistency(
    runs: AnnotatedUnits, similarity: UnitSimilarityFunction, checked: CheckedItems
) -> Estimate:
    """Mean similarity of the units of two runs, over documents and pairs of runs; in [0, 1].

    runs  the annotators are the runs of one system

    Undefined, with a reason, where fewer than two documents have two runs.
    """
    between = pairwise_similarities(runs, slice(0, len(runs.finished)), similarity)
    pairs = between[:, *np.triu_indices(runs.finished.shape[1], k=1)]
    compared = ~np.isnan(pairs)
    return checked.share_estimate("self_consistency", np.clip(np.nan_to_num(pairs), 0, 1), compared)


def marking_ratios(
    annotated: AnnotatedUnits, system: int, n_humans: int, checked: CheckedItems
) -> list[Estimate]:
    """Number, and mean length, of a system's units over the annotators'; each 0 or more.

    system    its index among the annotators, of whom the first `n_humans` are human

    Of the documents that the system and an annotator finished; each document's annotators are
    averaged first. 1 means as many, or as long, as the annotators'. The intervals are Student's on
    the logarithm, whose error is linearised over documents. Undefined, with a reason, where the
    annotators have no unit there, or (length) the system has none.
    """
    finished = annotated.finished[:, :n_humans]
    both = finished.any(axis=1) & annotated.finished[:, system]
    share = np.where(both[:, None] & finished, 1.0, 0.0)
    share /= np.maximum(finished.sum(axis=1, keepdims=True), 1)
    columns = [
        column
        for of_units in (annotated.counts(), annotated.lengths())
        for column in (
            np.where(both, of_units[:, system], 0.0),
            (of_units[:, :n_humans] * share).sum(axis=1),
        )
    ]
    sums = advantage_sums(
        np.repeat(both[:, None], 4, axis=1), np.stack(columns, axis=1), checked.documents
    )
    return [
        _ratio("unit_count_ratio", sums, (1.0, -1.0, 0.0, 0.0), int(both.sum()), checked),
        _ratio("unit_length_ratio", sums, (-1.0, 1.0, 1.0, -1.0), int(both.sum()), checked),
    ]


def advantage_trend(
    measure: str, last: JudgeComparison, first: JudgeComparison, checked: CheckedItems
) -> Estimate:
    """The advantage in the one comparison less that in the other, of the same documents.

    Averaged over the annotators who are compared in both; in [−2, 2]. Undefined, with a reason,
    where there is none.
    """
    known = last.compared.any(axis=0) & first.compared.any(axis=0)
    compared = np.concatenate([last.compared & known, first.compared & known], axis=1)
    # The mean over the columns, of which half are negative, is half the difference.
    values = np.concatenate([2 * last.advantage, -2 * first.advantage], axis=1)
    return checked.mean_estimate(measure, values.astype(np.int8), compared, within=(-2.0, 2.0))


def length_trend(comparison: JudgeComparison, lengths: Floats, checked: CheckedItems) -> Estimate:
    """The advantage on the longest third of the documents less that on the shortest; in [−2, 2].

    lengths  (D,): of the documents, nan where unknown
    """
    compared = comparison.compared.any(axis=1)
    third = third_of_each(np.where(compared, lengths, np.nan))[:, None]
    last, first = (replace(comparison, compared=comparison.compared & (third == k)) for k in (2, 0))
    return advantage_trend("length_trend", last, first, checked)


def _ratio(
    measure: str, sums: AdvantageSums, signs: tuple[float, ...], n_documents: int, how: CheckedItems
) -> Estimate:
    """exp(Σ sign · ln total) of the totals of system and annotators: numbers, then lengths."""
    total = sums.multiplicity @ sums.total
    n_units, n_human_units = total[:2] if n_documents else (0.0, 0.0)
    value, interval, reason = math.nan, NO_INTERVAL, None
    if n_documents and not n_human_units:
        reason = Reason(ReasonCode.NO_UNIT)
    elif n_documents and not n_units:
        value = 0.0 if measure == "unit_count_ratio" else math.nan
        reason = None if value == 0 else Reason(ReasonCode.NO_SYSTEM_UNIT)
    elif n_documents > 1:
        used = np.array(signs) != 0
        logarithm = float(np.array(signs)[used] @ np.log(total[used]))
        parts = (sums.total[:, used] / total[used]) @ np.array(signs)[used]
        squares = float(sums.multiplicity @ parts**2) * n_documents / (n_documents - 1)
        value, interval = math.exp(logarithm), _exp_interval(logarithm, squares**0.5, sums, how)
    found = how.estimate(
        measure, value, interval, sums, n_items=n_documents, method="log-t", within=(0.0, math.inf)
    )
    return found if reason is None else replace(found, reason=reason)


def _exp_interval(
    logarithm: float, error: float, sums: AdvantageSums, how: CheckedItems
) -> tuple[float, float]:
    reach = t_quantile(sums.n_units - 1, (1 + how.level) / 2) * error
    return math.exp(logarithm - reach), math.exp(logarithm + reach)
