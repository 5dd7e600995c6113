"""Whether annotators choose lower or higher than the others on the same items.

Each value is compared with those of the others, one by one, and not with their median: of equal
annotators, then, as many are above as below, also where most values are at the end of a scale.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..annotator_card import LEVEL, CardDirection, Quantity
from ..arrays import Floats, Ints, divide
from .equal_annotators import equality_p_values
from .label_list import LabelList
from .other_labels import shares_beside

_MOST_ROUNDS = 4  # each without those of the rounds before who lean most


def directions_of_annotators(
    labels: LabelList,
    units: Ints,
    ordered: Mapping[Quantity, Floats],
    *,
    n_tests: int,
    seed: int,
) -> list[list[CardDirection]]:
    """Return the directions of each annotator with a value beside two others.

    units    int64 (N,): resampling unit of each item
    ordered  float64 (R,) of each label, nan for none
    n_tests  tests that annotators are put to (Bonferroni)

    Beside an annotator who is always lower, equal others are all higher. Those who lean most are
    therefore left out, round by round, and of the others the largest p-value counts.
    """
    n_annotators = len(labels.annotator_names)
    found: list[list[CardDirection]] = [[] for _ in range(n_annotators)]
    for of, values in ordered.items():
        p_values, n, above, below = _shares_and_p_values(labels, units, values, n_tests, seed)
        kept, is_kept = np.zeros(n_annotators), np.ones(n_annotators, np.bool_)
        for _ in range(_MOST_ROUNDS):
            kept[is_kept] = np.maximum(kept, p_values)[is_kept]
            lean = np.where(is_kept & (p_values < LEVEL), np.abs(above - below), 0.0)
            if not lean.any():
                break
            is_kept &= lean < lean.max() / 2
            among_rest = np.where(is_kept[labels.annotators], values, np.nan)
            p_values = _shares_and_p_values(labels, units, among_rest, n_tests, seed)[0]
        columns = (one.tolist() for one in (n, above, below, kept))
        for own, (n_own, *rest) in zip(found, zip(*columns, strict=True), strict=True):
            if n_own:
                own.append(CardDirection(of, n_own, *rest))
    return found


def _shares_and_p_values(
    labels: LabelList, units: Ints, values: Floats, n_tests: int, seed: int
) -> tuple[Floats, Ints, Floats, Floats]:
    """Return p-values (1 where nothing differs), numbers of values, mean shares above and below."""
    n_annotators = len(labels.annotator_names)
    above, below = shares_beside(labels.items, values)
    known = np.isfinite(above)
    homes, who = units[labels.items[known]], labels.annotators[known]
    above, below = above[known], below[known]
    p_values = equality_p_values(
        homes, who, above - below, n_annotators, n_tests=n_tests, seed=seed
    )
    n = np.bincount(who, minlength=n_annotators)
    sums = (np.bincount(who, one, n_annotators) for one in (above, below))
    above, below = (divide(one, n) for one in sums)
    return np.nan_to_num(p_values, nan=1.0), n, above, below


def clear_differences(
    labels: LabelList, values: Floats, annotator: int, sign: int, *, most: int
) -> list[tuple[int, float, float, int]]:
    """Return items, own value, that of the others and their number, where two or more are alike.

    values  float64 (R,), nan for none
    sign    1: where the own value is above theirs; -1: below
    """
    found = []
    order = np.lexsort((values, labels.items))
    order = order[np.isfinite(values[order])]
    item = labels.items[order]
    for row in np.flatnonzero((labels.annotators == annotator) & np.isfinite(values)).tolist():
        first, end = np.searchsorted(item, [labels.items[row], labels.items[row] + 1])
        others = values[order[first:end][order[first:end] != row]]
        if others.size > 1 and others[0] == others[-1] and sign * (values[row] - others[0]) > 0:
            own, theirs = float(values[row]), float(others[0])
            found.append((int(labels.items[row]), own, theirs, others.size))
    return sorted(found)[:most]
