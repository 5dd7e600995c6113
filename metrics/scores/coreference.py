"""Coreference chains of a system against a reference's: F, with precision and recall.

Every mention of either side occurs once, with its chain on each side (-1 on a side without it):
predicted mentions as well as the reference's, as in Pradhan et al. 2014. The counts and their
sources are in `metrics.coreference`.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Floats
from ..bootstrap import total_over_documents
from ..coreference import COUNTED, coreference_counts, coreference_f, coreference_shares
from ..errors import MetricsError
from ..estimate import Estimate
from ..estimate_detail import Detail
from ..intervals.evaluate import Resampled
from ..options import NO_INTERVALS, Sampling
from ..reason import Reason, ReasonCode
from ..signature import How
from .score_estimates import estimate_of_counts


def system_coreference_counts(
    reference_chains: ArrayLike,
    system_chains: ArrayLike,
    *,
    documents: ArrayLike,
    n_documents: int | None = None,
) -> Floats:
    """Return additive counts (D, 6, 4) of mentions (M,) with their chains.

    reference_chains, system_chains  integers (M,): chain of each mention, -1 on a side without it;
                                     chain numbers are local to a document
    documents  integers (M,)

    Raises MetricsError if the lengths differ or a mention is on neither side.
    """
    reference, system, homes = (
        np.asarray(array, dtype=np.int64) for array in (reference_chains, system_chains, documents)
    )
    if not reference.shape == system.shape == homes.shape or reference.ndim != 1:
        raise MetricsError("chains of both sides and documents must be three arrays (M,)")
    nowhere = np.nonzero((reference < 0) & (system < 0))[0]
    if nowhere.size:
        raise MetricsError(f"mention {int(nowhere[0])} is in no chain on either side")
    n_rows = int(homes.max(initial=-1)) + 1 if n_documents is None else n_documents
    counts = np.zeros((n_rows, len(COUNTED), 4))
    order = np.argsort(homes, kind="stable")
    found, first = np.unique(homes[order], return_index=True)
    for d, mentions in zip(found, np.split(order, first[1:]), strict=False):
        counts[d] = coreference_counts(reference[mentions], system[mentions])
    return counts


def coreference_statistic(metric: str) -> Resampled:
    """Return the F of a score as a statistic of counts (B, 6, 4)."""
    return Resampled(partial(coreference_f, score=metric), within=(0.0, 1.0))


def coreference_score(
    counts: Floats, *, metric: str, sampling: Sampling = NO_INTERVALS
) -> Estimate:
    """Return the F of a score in [0, 1], with its precision and recall in `detail`.

    counts  (D, 6, 4), from `system_coreference_counts`

    The value is nan if neither side has anything to count (muc: a chain of two mentions). Raises
    MetricsError for an unknown score.
    """
    detail = Detail()
    if metric != "conll":
        recall, precision = coreference_shares(total_over_documents(counts), metric)
        detail = Detail(recall=float(recall[0]), precision=float(precision[0]))
    return estimate_of_counts(
        How(measure=metric),
        counts,
        coreference_statistic(metric),
        reason=Reason(ReasonCode.NOTHING_TO_COUNT),
        n_items=counts.shape[0],
        detail=detail,
        sampling=sampling,
    )
