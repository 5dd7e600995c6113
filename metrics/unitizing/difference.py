"""Do two campaigns, or two versions of a guideline, differ in γ?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.errors import MetricsError
from metrics.estimate import NO_INTERVAL
from metrics.unitizing.from_counts import Expectation, expected_per_document, replicates_of
from metrics.unitizing.observed import Observed
from metrics.unitizing.reasons import NO_CHANCE_DISORDER
from metrics.unitizing.resample import percentile_interval, resampled_sums, stream


@dataclass(frozen=True, slots=True)
class Difference:
    """second minus first, with its percentile interval and two-sided bootstrap p-value.

    `p_value` is twice the share of resamples on the far side of 0, (1 + count) / (1 + resamples),
    at most 1 (Davison & Hinkley 1997, section 4.4 on the correction). `nan` figures have a reason.
    """

    difference: float
    interval: tuple[float, float]
    p_value: float
    paired: bool
    n_bootstrap: int
    level: float = 0.95
    reason: str = ""


def gamma_difference(
    first: Observed,
    first_expected: Expectation,
    second: Observed,
    second_expected: Expectation,
    *,
    paired: bool = False,
    n_bootstrap: int = 5000,
    level: float = 0.95,
    seed: int = 0,
) -> Difference:
    """Test of the difference of two γ (or soft, or holistic agreements) by bootstrap.

    Documents are resampled in each campaign apart, or, where both annotated the same documents in
    the same order (`paired`), together, those without a unit in either being left out. The
    sampling error of each expected disorder is added to every resample. Each campaign is judged
    against its own chance.

    `nan` with a reason where one of the values is undefined, or has fewer than two documents with
    units (there is nothing to resample). Raises MetricsError for paired campaigns with different
    numbers of documents.
    """
    if paired and first.n_documents != second.n_documents:
        raise MetricsError(
            f"paired campaigns have the same documents, and these have {first.n_documents} and "
            f"{second.n_documents}: give both in one order, or compare them unpaired"
        )
    if n_bootstrap < 1:
        raise MetricsError(f"n_bootstrap is {n_bootstrap}: a test needs resamples")
    rows = (
        expected_per_document(first, first_expected),
        expected_per_document(second, second_expected),
    )
    takes_part = [first.weights > 0, second.weights > 0]
    if paired:
        takes_part = [takes_part[0] & takes_part[1]] * 2
    # columns Σ totals and Σ weights · expected of each campaign
    columns = [
        np.column_stack([counts.totals, counts.weights * own.means])[those]
        for counts, own, those in zip((first, second), rows, takes_part, strict=True)
    ]
    reason = _undefined(columns)
    if reason:
        return Difference(math.nan, NO_INTERVAL, math.nan, paired, n_bootstrap, level, reason)
    rng = stream(seed, 1)
    if paired:
        sums = resampled_sums(np.hstack(columns), n_bootstrap, rng)
    else:
        sums = np.hstack([resampled_sums(part, n_bootstrap, rng) for part in columns])
    before = replicates_of(sums[:, 0], sums[:, 1], rows[0].total, rng)
    after = replicates_of(sums[:, 2], sums[:, 3], rows[1].total, rng)
    differences = (after - before)[np.isfinite(after - before)]
    tail = min(int((differences <= 0).sum()), int((differences >= 0).sum()))
    values = [1.0 - float(t / c) for t, c in (part.sum(axis=0) for part in columns)]
    return Difference(
        values[1] - values[0],
        percentile_interval(differences, level),
        min(1.0, 2.0 * (1 + tail) / (1 + differences.size)),
        paired,
        n_bootstrap,
        level,
    )


def _undefined(columns: Sequence[NDArray[np.float64]]) -> str:
    for part in columns:
        if part.shape[0] < 2:
            return "fewer than two documents with units in a campaign"
        if not part[:, 1].sum() > 0:
            return f"{NO_CHANCE_DISORDER} in a campaign"
    return ""
