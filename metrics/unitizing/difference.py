"""Do two campaigns, or two versions of a guideline, differ in γ?"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.errors import MetricsError
from metrics.unitizing.from_counts import Expectation, bootstrap_gamma, expected_per_document
from metrics.unitizing.observed import Observed
from metrics.unitizing.resample import percentile_interval, stream


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
    the same order (`paired`), together; the sampling error of each expected disorder is added to
    every resample. Each campaign is judged against its own chance.

    `nan` with a reason where one of the values is undefined, or has fewer than two documents with
    units (there is nothing to resample). Raises MetricsError for paired campaigns with different
    numbers of documents.
    """
    if paired and first.n_documents != second.n_documents:
        raise MetricsError(
            f"paired campaigns have the same documents, and these have {first.n_documents} and "
            f"{second.n_documents}: give both in one order, or compare them unpaired"
        )
    rng = stream(seed, 1)
    campaigns = ((first, first_expected), (second, second_expected))
    takes_part = [counts.weights > 0 for counts, _ in campaigns]
    if paired:
        takes_part = [takes_part[0] & takes_part[1]] * 2
    values, replicates = [], []
    drawn: NDArray[np.int64] | None = None
    for which, (counts, expected) in enumerate(campaigns):
        means, _, error = expected_per_document(counts, expected)
        documents = np.flatnonzero(takes_part[which])
        chance = float((counts.weights * means)[documents].sum())
        if documents.size < 2 or not chance > 0:
            reason = "fewer than two documents with units" if documents.size < 2 else "chance is 0"
            nowhere = (math.nan, math.nan)
            return Difference(
                math.nan, nowhere, math.nan, paired, n_bootstrap, level, f"{reason} in a campaign"
            )
        if drawn is None or not paired:
            drawn = documents[rng.integers(documents.size, size=(n_bootstrap, documents.size))]
        values.append(1.0 - float(counts.totals[documents].sum()) / chance)
        replicates.append(
            bootstrap_gamma(counts, means, error, n_bootstrap=n_bootstrap, rng=rng, documents=drawn)
        )
    if replicates[0] is None or replicates[1] is None:
        raise MetricsError(f"n_bootstrap is {n_bootstrap}: a test needs resamples")
    differences = replicates[1] - replicates[0]
    differences = differences[np.isfinite(differences)]
    tail = min(int((differences <= 0).sum()), int((differences >= 0).sum()))
    return Difference(
        values[1] - values[0],
        percentile_interval(differences, level),
        min(1.0, 2.0 * (1 + tail) / (1 + differences.size)),
        paired,
        n_bootstrap,
        level,
    )
