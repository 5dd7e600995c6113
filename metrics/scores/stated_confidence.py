"""Whether a system is as often right as it says: Brier score and calibration error.

Brier (1950), Monthly Weather Review 78(1): 1–3: the mean of (c − r)², c the stated confidence and
r 1 where the label is right. Naeini, Cooper & Hauskrecht (2015), AAAI: the expected calibration
error (ECE), Σ n_b / n |mean c − share right| over the tenths b of the confidence. With few labels
the ECE of a perfectly calibrated system is above 0, too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Flags, Floats, Ints, divide
from ..errors import MetricsError
from ..estimate import Estimate
from ..estimate_detail import Detail
from ..intervals.evaluate import Mean, Resampled, ratio_of_columns
from ..options import Sampling
from ..reason import Reason, ReasonCode
from ..reliability_bins import N_BINS, bin_of_each, reliability_bins
from ..results import ReliabilityBin
from ..signature import How, input_hash
from .score_estimates import estimate_of_counts

_BRIER = Mean(ratio_of_columns(0, 1))


@dataclass(frozen=True, slots=True)
class StatedConfidence:
    """The Brier score, the calibration error, both lower is better, and the bins."""

    brier: Estimate
    calibration_error: Estimate
    bins: tuple[ReliabilityBin, ...]


def stated_confidence(
    confidence: Floats, right: Flags, *, documents: Ints | None = None, sampling: Sampling
) -> StatedConfidence:
    """Compare confidences (n,) with whether the labels are right (n,).

    documents  int (n,): index of each item's document; None: items are resampled

    Undefined without items. Raises MetricsError for a confidence outside [0, 1].
    """
    if confidence.size and not (confidence.min() >= 0 and confidence.max() <= 1):
        wrong = confidence[(confidence < 0) | (confidence > 1)][0]
        raise MetricsError(
            f"a confidence is {wrong:g}: it must lie between 0 and 1 (divide percentages by 100)"
        )
    homes = np.arange(confidence.size) if documents is None else documents
    over = "items" if documents is None else "documents"
    n_units = int(homes.max(initial=-1)) + 1
    of = bin_of_each(confidence)
    rows = np.zeros((n_units, 2))
    np.add.at(rows, homes, np.stack([(confidence - right) ** 2, np.ones(of.size)], axis=1))
    binned = np.zeros((n_units, N_BINS, 3))
    one = np.stack([np.ones(of.size), confidence, right.astype(np.float64)], axis=1)
    np.add.at(binned, (homes, of), one)
    digest = input_hash([confidence, right])
    empty = Reason(ReasonCode.NO_REFERENCED_ITEM)

    def estimated(name: str, counts: Floats, statistic: Mean | Resampled) -> Estimate:
        return estimate_of_counts(
            How(measure=name, input=digest),
            counts,
            statistic,
            reason=empty,
            n_items=of.size,
            detail=Detail(),
            rows=over,
            sampling=sampling,
        )

    return StatedConfidence(
        estimated("brier", rows, _BRIER),
        estimated("calibration_error", binned, Resampled(_calibration_error, within=(0.0, 1.0))),
        reliability_bins(confidence, right, sampling.confidence_level),
    )


def _calibration_error(sums: Floats) -> Floats:
    """Return the calibration error of sums (B, bins, (n, Σ confidence, Σ right)), (B,)."""
    gaps = np.abs(sums[..., 1] - sums[..., 2]).sum(axis=-1)
    return divide(gaps, sums[..., 0].sum(axis=-1))
