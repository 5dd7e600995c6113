"""Confidence in the labels of a reference, from an audit of some of its items.

The posterior of a model of annotators orders labels well, but is far too close to 1, as annotators
share errors. A random audit shows how often labels of such a posterior are right: a logistic
regression on its log-odds (Platt 1999), so that a hundred items are enough.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..agreement.label_matrix import LabelMatrix
from ..arrays import Floats
from .label_list import LabelList
from .label_models.dawid_skene import POOLED_STRENGTH, dawid_skene
from .unit_models.logistic import fit_logistic

FEWEST_AUDITED = 50  # with fewer, the error of the reference alone can be told
_LEAST = 1e-3  # smallest distance of a posterior from 0 and 1


def audited_confidence(
    matrix: LabelMatrix, codes: NDArray[np.integer], audit: NDArray[np.integer]
) -> Floats:
    """Return P(the reference's label is right), float64 (N,) in [0, 1].

    codes  (N,): the reference's label of each item, -1 for none
    audit  (N,): the right label of the items that were audited at random, -1 for the others

    nan for items without a reference label, and everywhere if fewer than `FEWEST_AUDITED` audited
    items have one, or with one category.
    """
    codes, audit = np.asarray(codes), np.asarray(audit)
    out = np.full(len(codes), np.nan)
    rows = np.flatnonzero((codes >= 0) & (matrix.codes >= 0).any(axis=1))
    is_audited = audit[rows] >= 0
    if len(matrix.tagset) < 2 or is_audited.sum() < FEWEST_AUDITED:
        return out
    given = LabelList.from_labels(matrix, rule="confidence")
    made = dawid_skene(given, strength=POOLED_STRENGTH)
    right = np.clip(made.posterior[rows, codes[rows]], _LEAST, 1 - _LEAST)
    odds = np.log(right / (1 - right))[:, None]
    audited = odds[is_audited]
    # half a label of each kind at the mean: finite where all audited labels are right
    mean = np.repeat(audited.mean(axis=0, keepdims=True), 2, axis=0)
    fit = fit_logistic(
        np.concatenate([audited, mean]),
        np.append((codes == audit)[rows][is_audited].astype(np.float64), [1.0, 0.0]),
        np.append(np.ones(len(audited)), [0.5, 0.5]),
    )
    out[rows] = fit.predict(odds)
    return out
