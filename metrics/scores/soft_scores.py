"""Scores of a system against a distribution of labels (soft labels).

A system gives a distribution for each item; a label counts as a distribution with probability 1 for
its category. An item that the system lacks is scored as its worst possible distribution. Values are
means over items, lower is better, and are compared with the expected score of other
annotators (`expected_annotator_score`). The measures are in `metrics.distribution_scores`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Flags, Floats, Ints
from ..bootstrap import ratio_of_sums
from ..distribution_scores import DISTRIBUTION_SCORES, FLOOR, SINGLE_ANNOTATORS, LabelShares
from ..estimate import Estimate
from ..estimate_detail import Detail
from ..intervals.evaluate import Mean, Resampled, ratio_of_columns
from ..options import NO_INTERVALS, Sampling
from ..reason import Reason, ReasonCode
from ..signature import How, input_hash
from .score_estimates import estimate_of_counts


@dataclass(frozen=True, slots=True)
class SoftReference(LabelShares):
    """Soft reference that systems are scored against.

    documents  int64 (N,): without gaps; None: items are resampled
    rule       rule that derived the distributions from the labels
    """

    documents: Ints | None = None
    rule: str = "votes"

    @property
    def drawn(self) -> str:
        return "items" if self.documents is None else "documents"

    def select_items(self, kept: Flags) -> SoftReference:
        homes = self.documents
        return replace(
            self,
            counts=self.counts[kept],
            probabilities=self.probabilities[kept],
            documents=None if homes is None else np.unique(homes[kept], return_inverse=True)[1],
        )

    def sums_by_document(self, of_items: Floats) -> Floats:
        """(D, 2): the sum of an item value over each document, and the number of items."""
        if self.documents is None:
            return np.stack([of_items, np.ones(of_items.size)], axis=1)
        sums = np.bincount(self.documents, weights=of_items)
        return np.stack([sums, np.bincount(self.documents)], axis=1)


def soft_score(
    measure: str,
    reference: SoftReference,
    system: Floats,
    own_errors: Floats | None = None,
    sampling: Sampling = NO_INTERVALS,
) -> Estimate:
    """Score a system by a measure, with its interval over documents (over items without documents).

    system      float64 (N, K): its distributions; rows of nan are missing items
    own_errors  float64 (N,): share of the annotators whose label was predicted wrongly, for a
                system that predicts the label of each annotator

    The value is nan if the reference has no item. `detail` counts the missing items, and for
    cross-entropy the items with a label to which the system gave probability 0 (`n_impossible`).

    >>> counts = np.array([[4, 0], [2, 2]])
    >>> reference = SoftReference(counts, counts / 4)
    >>> soft_score("manhattan", reference, np.array([[0.9, 0.1], [1.0, 0.0]])).value
    0.6
    """
    of_items = item_scores(measure, reference, system, own_errors)
    missing = np.isnan(system).any(axis=1)
    detail = Detail(n_missing=int(missing.sum()))
    how = How(
        measure=measure,
        reference=reference.rule,
        missing="worst",
        input=input_hash([reference.probabilities, system]),
    )
    if measure == "cross_entropy":
        how = replace(how, floor=FLOOR)
        impossible = ((system <= 0) & (reference.probabilities > 0)).any(axis=1)
        detail |= Detail(n_impossible=int(impossible.sum()))
    return estimate_of_counts(
        how,
        reference.sums_by_document(of_items),
        soft_statistic(measure),
        reason=Reason(ReasonCode.NO_REFERENCE_LABEL),
        n_items=of_items.size,
        detail=detail,
        rows=reference.drawn,
        sampling=sampling,
    )


def soft_statistic(measure: str) -> Mean | Resampled:
    """Return the mean over items as a statistic of `SoftReference.sums_by_document`."""
    highest = DISTRIBUTION_SCORES[measure].maximum
    if math.isfinite(highest):
        return Mean(ratio_of_columns(0, 1), highest=highest)
    return Resampled(ratio_of_sums, within=(0.0, math.inf))


def item_scores(
    measure: str, reference: LabelShares, system: Floats, own_errors: Floats | None = None
) -> Floats:
    """Return the measure of each item, float64 (N,)."""
    if measure == SINGLE_ANNOTATORS and own_errors is not None:
        return np.where(np.isnan(own_errors), 1.0, own_errors)
    score = DISTRIBUTION_SCORES[measure].of_items
    missing = np.asarray(np.isnan(system).any(axis=1))
    found = score(reference, np.where(missing[:, None], 0.0, system))
    if missing.any():
        worst = [
            score(reference, np.broadcast_to(row, system.shape)) for row in np.eye(system.shape[1])
        ]
        found = np.where(missing, np.max(worst, axis=0), found)
    return found
