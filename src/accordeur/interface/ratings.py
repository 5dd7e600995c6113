"""Reliability of numeric ratings from data frames: intraclass correlations."""

from __future__ import annotations

import numpy as np

from ..metrics.errors import MetricsError
from .exports import as_export
from .frames import Column, Frame
from .labels import label_columns
from .value import Values


def icc(
    data: Frame,
    *,
    item: Column = "item",
    annotator: Column = "annotator",
    label: Column = "label",
    same_raters: bool | None = None,
    average: bool | None = None,
    confidence: float = 0.95,
) -> Values:
    """Intraclass correlations of numeric ratings, with exact intervals.

    ``data`` and its columns are as for :func:`agreement`. Which of the six forms you need follows
    from two answers, ``same_raters`` and ``average``.

    Parameters
    ----------
    same_raters
        Whether every item has the same annotators. Yes: ICC(2,·), absolute agreement of annotators
        who are a sample, and ICC(3,·), consistency of these annotators; no: ICC(1,·). Default: as
        the data are.
    average
        Whether the mean of all ratings of an item will be used (``k``), or one rating (``1``).
        Default: both.
    confidence
        Level of the intervals.

    Returns
    -------
    Values
        ``icc_1_1``, ``icc_2_1``, ``icc_3_1``, ``icc_1_k``, ``icc_2_k``, ``icc_3_k``; ``detail`` has
        F, its degrees of freedom, its p-value and the names of Shrout & Fleiss and McGraw & Wong.

    Raises
    ------
    MetricsError
        Labels that are no numbers, and items with different numbers of ratings.

    References
    ----------
    Shrout & Fleiss (1979), Psychological Bulletin 86(2); McGraw & Wong (1996), Psychological
    Methods 1(1).
    """
    from ..metrics.agreement.distances import category_values
    from ..metrics.agreement.intraclass import intraclass_correlations
    from ..metrics.estimate import read_with
    from ..tasks.items.exports import read_matrix

    columns, kind = label_columns(data, item, annotator, label, None)
    with as_export(columns) as (path, reading):
        matrix, account = read_matrix(path, reading(()))
    numbers = category_values(matrix.tagset)
    if numbers is None:
        raise MetricsError(f"an ICC needs ratings that are numbers, not {', '.join(matrix.tagset)}")
    given = matrix.codes >= 0
    complete = bool(given.all())
    if same_raters and not complete:
        n_incomplete = int((~given.all(axis=1)).sum())
        raise MetricsError(
            f"{n_incomplete} of {matrix.n_items} items lack a rating of an annotator, but an ICC "
            "of the same raters needs all ratings: remove these items, or use krippendorff_alpha "
            'with level="interval", which allows missing ratings'
        )
    per_item = given.sum(axis=1)
    if per_item.min() != per_item.max():
        raise MetricsError(
            f"items have {per_item.min()} to {per_item.max()} ratings, but an ICC needs the same "
            "number on each: remove items with fewer, or use krippendorff_alpha with "
            'level="interval", which allows missing ratings'
        )
    ratings = numbers[matrix.codes[given]].reshape(matrix.n_items, -1)
    by_same = complete if same_raters is None else same_raters
    found = intraclass_correlations(np.asarray(ratings), same_raters=by_same, level=confidence)
    models = ("1",) if not by_same else ("1", "2", "3") if same_raters is None else ("2", "3")
    units = {None: ("1", "k"), False: ("1",), True: ("k",)}[average]
    asked = [one for one in found if one.measure[4] in models and one.measure[-1] in units]
    return Values(
        read_with(asked, account.settings), rows=account.rows, rejected=account.refused, kind=kind
    )
