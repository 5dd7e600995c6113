"""Largest κ that two annotators' margins allow (Cohen 1960, page 42)."""

from __future__ import annotations

import math

import numpy as np

from ...estimate import Estimate
from ...reason import Reason, ReasonCode
from ..detail import confusion
from ..label_matrix import LabelMatrix


def maximum_kappa(matrix: LabelMatrix) -> Estimate:
    """Return κ at the largest agreement that the margins allow, p_o = Σ min(p_1k, p_2k).

    Compare it with κ: a maximum far below 1 means that the annotators use the categories with
    different frequencies, whatever the items. For two annotators, on the items that both labelled;
    else nan.
    """
    name = "maximum_kappa"
    if matrix.n_annotators != 2:
        return Estimate(name, math.nan, reason=Reason(ReasonCode.NOT_TWO_MARGINS))
    table = confusion(matrix, 0, 1).astype(np.float64)
    n = table.sum()
    if n == 0:
        return Estimate(name, math.nan, reason=Reason(ReasonCode.NO_PAIRED_ITEM))
    rows, columns = table.sum(axis=1) / n, table.sum(axis=0) / n
    observed, expected = float(np.minimum(rows, columns).sum()), float(rows @ columns)
    if expected == 1:
        return Estimate(
            name, math.nan, reason=Reason(ReasonCode.SINGLE_CATEGORY), observed=1.0, expected=1.0
        )
    return Estimate(
        name,
        (observed - expected) / (1 - expected),
        observed=observed,
        expected=expected,
        n_items=matrix.n_items,
        n_annotators=2,
    )
