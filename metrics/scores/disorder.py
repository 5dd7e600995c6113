"""Units of a system against the reference by the campaign's own measure, without its expectation.

The reference and the system are aligned like two annotators, with the dissimilarity of the
campaign. The score is the disorder of the best alignment, never one minus its ratio to a chance
disorder (Mathet & Widlöcher 2016, section 7.1, point 4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import MetricsError
from ..estimate import Estimate
from ..estimate_detail import Detail
from ..intervals.evaluate import Rate, ratio_of_columns
from ..options import NO_INTERVALS, Sampling
from ..reason import Reason, ReasonCode
from ..signature import How
from .score_estimates import estimate_of_counts

if TYPE_CHECKING:  # only for types: the engine compiles kernels when it is imported
    from ..alignment.best_alignment import Alignment


def observed_disorder(
    alignments: Sequence[Alignment],
    *,
    dissimilarity: Mapping[str, Any],
    sampling: Sampling = NO_INTERVALS,
) -> Estimate:
    """Return Σ disorders / Σ mean number of units: at least 0; a unit alone costs Δ∅.

    alignments     best alignment of the reference and the system in each document
    dissimilarity  its settings (`metrics.units.gamma_settings.dissimilarity_settings`)

    The value is nan if neither side has a unit. Raises MetricsError for an alignment of more than
    two.
    """
    for d, alignment in enumerate(alignments):
        if alignment.units.shape[1] != 2:
            raise MetricsError(
                f"the alignment of document {d} has {alignment.units.shape[1]} annotators; a "
                "system is scored against the reference alone"
            )
    counts = np.array([(a.total, a.mean_units) for a in alignments]).reshape(-1, 2)
    return estimate_of_counts(
        How(measure="observed_disorder", **dissimilarity),
        counts,
        Rate(ratio_of_columns(0, 1), event=float(dissimilarity.get("delta_empty", 1.0))),
        reason=Reason(ReasonCode.NO_UNIT_OF_EITHER),
        n_items=round(2 * float(counts[:, 1].sum())),
        detail=Detail(disorder=float(counts[:, 0].sum()), n_documents=counts.shape[0]),
        sampling=sampling,
    )
