"""Error of a reference, from an audit: right labels of some of its items, drawn at random."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..estimate import Estimate
from ..estimate_detail import Detail
from ..options import NO_INTERVALS, Sampling
from ..reason import Reason, ReasonCode
from ..signature import How
from .accuracy import accuracy_counts, count_labels
from .score_estimates import estimate_of_counts


def reference_error(
    reference_codes: ArrayLike,
    audit_codes: ArrayLike,
    *,
    tagset: Sequence[str],
    documents: ArrayLike | None = None,
    sampling: Sampling = NO_INTERVALS,
) -> Estimate:
    """Return the share of the audited items that the reference labels wrongly, in [0, 1].

    reference_codes, audit_codes  integers (N,): index into `tagset`, -1 for no label
    documents  integers (N,): index of each item's document; None: items are resampled

    Items without a label of the reference are open: they are left out, and counted in
    `detail.n_unlabelled`. The interval is that of a share over documents (over items without
    documents). The value is nan if no audited item has a label of the reference. Raises
    MetricsError for codes outside the tagset or arrays of different lengths.

    >>> reference_error([0, 1, 1, -1], [0, 1, 0, 1], tagset=["a", "b"]).value  # 1 of 3
    0.3333333333333333
    """
    reference, audit = np.asarray(reference_codes), np.asarray(audit_codes)
    n_open = int(((audit >= 0) & (reference < 0)).sum())
    audit = np.where(reference >= 0, audit, -1)
    counts = count_labels(audit, reference, tagset=tagset, documents=documents)
    n_right, n_audited = accuracy_counts(counts).T
    return estimate_of_counts(
        How(measure="reference_error", input=counts.input_digest),
        np.stack([n_audited - n_right, n_audited], axis=1),
        reason=Reason(ReasonCode.NOTHING_AUDITED),
        n_items=int(n_audited.sum()),
        detail=Detail(n_correct=int(n_right.sum()), n_unlabelled=n_open)
        | counts.categories.row_count,
        rows=counts.categories.rows,
        sampling=sampling,
    )
