"""Baselines to compare a score with, computed from the reference alone.

* `observed_agreement`   p_o between a system and the reference with the campaign's own distances
* `chance_of_reference`  p_e of the reference against itself: the expected value for categories
                         drawn with its own prevalences. Unlike the p_e of a coefficient, it is the
                         same for every system (Mathet & Widlöcher 2016, section 7.1).
* `majority_class_accuracy`       accuracy of always giving the reference's most frequent category
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Floats, shares
from ..bootstrap import Counts
from ..distance_matrix import distance_matrix
from ..errors import MetricsError
from ..estimate import Estimate
from ..estimate_detail import Detail
from ..intervals.evaluate import Mean, Resampled, Share, ratio_of_columns
from ..options import NO_INTERVALS, Sampling
from ..reason import Reason, ReasonCode
from ..signature import How, distance_table_name
from .accuracy import LabelCounts
from .score_estimates import estimate_of_counts


def observed_agreement(
    reference_codes: ArrayLike,
    system_codes: ArrayLike,
    *,
    tagset: Sequence[str],
    distances: Floats | None = None,
    distance: str = "",
    documents: ArrayLike | None = None,
    sampling: Sampling = NO_INTERVALS,
) -> Estimate:
    """Return p_o = mean of 1 − δ(reference, system) over the reference's items, in [0, 1].

    reference_codes, system_codes  integers (N,), -1 for no label; a missing label of the system has
                                   distance 1
    distances  float64 (K, K), symmetric, zero diagonal, in [0, 1]; None: nominal, p_o = accuracy
    distance   the name of the distances; "": they are a table without a name

    The value is nan if the reference labels no item.
    """
    reference = np.asarray(reference_codes, dtype=np.int64)
    system = np.asarray(system_codes, dtype=np.int64)
    if reference.shape != system.shape:
        raise MetricsError(f"the reference has {reference.size} items and the system {system.size}")
    delta = _distances_or_nominal(distances, len(tagset))
    # Last row and column: no label.
    padded = np.ones((len(tagset) + 1, len(tagset) + 1))
    padded[:-1, :-1] = delta
    kept = reference >= 0
    agreement = 1.0 - padded[reference[kept], system[kept]]
    if documents is None:
        counts = np.stack([agreement, np.ones(agreement.size)], axis=1)
    else:
        homes = np.asarray(documents, dtype=np.int64)[kept]
        counts = np.stack([np.bincount(homes, weights=agreement), np.bincount(homes)], axis=1)
    return estimate_of_counts(
        How(measure="observed_agreement", distance=_distance_name(distances, distance)),
        counts,
        (Share if distances is None else Mean)(ratio_of_columns(0, 1)),
        reason=Reason(ReasonCode.NO_REFERENCE_LABEL),
        n_items=int(kept.sum()),
        detail=Detail(n_unreferenced=int((~kept).sum())),
        rows="items" if documents is None else "documents",
        sampling=sampling,
    )


def chance_of_reference(
    prevalence_counts: Counts,
    *,
    distances: Floats | None = None,
    distance: str = "",
    rows: str = "documents",
    sampling: Sampling = NO_INTERVALS,
) -> Estimate:
    """Return p_e = Σ_ck p_c p_k (1 − δ_ck), p the reference's prevalences, in [0, 1].

    prevalence_counts  (D, K): the reference's units or labels by document and category
                       (`CategoryCounts.reference`)
    distances, distance  between categories, as in `observed_agreement`
    rows               what its rows are, which are resampled (`CategoryCounts.rows`)

    The value is nan if the reference is empty.
    """
    agreement = 1.0 - _distances_or_nominal(distances, prevalence_counts.shape[1])

    def agreement_of_two_draws(sums: Floats) -> Floats:
        p = shares(sums)
        return np.einsum("bc,ck,bk->b", p, agreement, p)

    return estimate_of_counts(
        How(measure="reference_by_itself", distance=_distance_name(distances, distance)),
        prevalence_counts,
        Resampled(agreement_of_two_draws, within=(0.0, 1.0)),
        reason=Reason(ReasonCode.EMPTY_REFERENCE),
        n_items=int(prevalence_counts.sum()),
        detail=Detail(),
        rows=rows,
        sampling=sampling,
    )


def majority_class_accuracy(counts: LabelCounts, sampling: Sampling = NO_INTERVALS) -> Estimate:
    """Return the accuracy of always giving the reference's most frequent category, in [0, 1].

    `detail["category"]` names it (the first in the tagset among equals). The interval keeps the
    category fixed. The value is nan if the reference labels no item.
    """
    given = counts.categories.reference
    most = int(given.sum(axis=0, dtype=np.int64).argmax())
    rows = np.stack([given[:, most], given.sum(axis=1, dtype=np.int64)], axis=1)
    return estimate_of_counts(
        How(measure="majority_class"),
        rows,
        reason=Reason(ReasonCode.NO_REFERENCE_LABEL),
        n_items=int(rows[:, 1].sum()),
        detail=Detail(category=counts.tagset[most]),
        rows=counts.categories.rows,
        sampling=sampling,
    )


def _distances_or_nominal(distances: Floats | None, n_categories: int) -> Floats:
    if distances is None:
        return 1.0 - np.eye(n_categories)
    return distance_matrix(distances, n_categories)


def _distance_name(distances: Floats | None, name: str) -> str:
    return name or ("nominal" if distances is None else distance_table_name(distances))
