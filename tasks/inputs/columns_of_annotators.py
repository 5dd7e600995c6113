"""Whether columns that were read as annotators hold their labels, or things of several kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import chain, combinations

import numpy as np

from ...metrics.agreement.label_matrix import LabelMatrix
from ..intake.layer_contents import LayerContents

_FEWEST_BY_CHANCE = 10  # equal labels


def share_a_category(layer: LayerContents) -> bool:
    """Whether two annotators used one category: columns of other things have none in common."""
    used = [{*own} for own in layer.rows.values() if own]
    return any(one & other for one, other in combinations(used, 2))


def unlike_annotators(layer: LayerContents, matrix: LabelMatrix) -> list[str]:
    """Return the annotators of whose labels less than half are in categories of the others.

    Of measurements, which rarely repeat, those whose median is outside all others' ranges. All, if
    no two of them ever agree though some would by chance: what is compared in a row.
    """
    rows = {name: own for name, own in layer.rows.items() if own}
    if _differ_always(matrix):
        return [*rows]
    users = Counter(chain(*rows.values()))
    ranges = {name: _range(own) for name, own in rows.items()}
    found = []
    for name, own in rows.items():
        shared = sum(n for category, n in own.items() if users[category] > 1)
        others = [one for other, one in ranges.items() if other != name and one]
        mine = ranges[name]
        is_within = mine and any(low <= mine[1] <= high for low, _, high in others)
        if 2 * shared < sum(own.values()) and not is_within:
            found.append(name)
    return found


def _differ_always(matrix: LabelMatrix) -> bool:
    """Whether no item has two equal labels, though enough of them would by chance."""
    labels = np.sort(matrix.codes, axis=1)
    if ((labels[:, 1:] == labels[:, :-1]) & (labels[:, 1:] >= 0)).any():
        return False
    used = matrix.codes[matrix.codes >= 0]
    shares = np.bincount(used) / max(len(used), 1)
    return float((shares**2).sum()) * int((labels[:, -2:-1] >= 0).sum()) > _FEWEST_BY_CHANCE


def _range(own: Mapping[str, int]) -> tuple[float, float, float] | None:
    """Return least, median and greatest of categories that are numbers; None for others."""
    try:
        numbers = sorted(float(one) for one in own)
    except ValueError:
        return None
    return numbers[0], numbers[len(numbers) // 2], numbers[-1]


def is_sentence(name: str) -> bool:
    """Whether a column is called by several words or with a remark, as a question is."""
    return name.count(" ") > 2 or "(" in name
