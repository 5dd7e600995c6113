"""Campaigns changed in one respect, to check whether a result depends on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ...agreement.label_matrix import LabelMatrix
from ...errors import MetricsError


def merge_categories(matrix: LabelMatrix, merged: Mapping[str, str]) -> LabelMatrix:
    """Merge categories: `merged` maps old names to new ones.

    Categories that are not in `merged` keep their names; the new tagset is in the order of first
    appearance (5 classes of opinion become 3 if the two intensities of each side get the same
    name). Raises MetricsError for an unknown category.
    """
    unknown = [name for name in merged if name not in matrix.tagset]
    if unknown:
        raise MetricsError(
            f"{unknown[0]!r} is not one of the categories ({', '.join(matrix.tagset)}); "
            "only declared categories can be merged"
        )
    names = [merged.get(name, name) for name in matrix.tagset]
    tagset = tuple(dict.fromkeys(names))
    recode = np.array([tagset.index(name) for name in names] + [-1], dtype=np.int32)
    return replace(matrix, codes=recode[matrix.codes], tagset=tagset)


def swap_prevalence(matrix: LabelMatrix, share: float, *, seed: int = 0) -> LabelMatrix:
    """Exchange the most and the least frequent category on a share of the items.

    Every item keeps its p1, so only the prevalence changes. Only categories in use; ties of
    frequency go to the first in the tagset. Raises MetricsError for a share outside [0, 1].
    """
    if not 0 <= share <= 1:
        raise MetricsError(f"share is {share}; it must lie in [0, 1]")
    frequency = matrix.counts().sum(axis=0)
    used = np.nonzero(frequency)[0]
    if used.size < 2:
        return matrix
    most = used[np.argmax(frequency[used])]
    least = next(c for c in used[np.argsort(frequency[used], kind="stable")] if c != most)
    n_items = matrix.n_items
    chosen = np.random.default_rng(seed).permutation(n_items)[: round(share * n_items)]
    codes = matrix.codes.copy()
    block = codes[chosen]
    codes[chosen] = np.where(block == most, least, np.where(block == least, most, block))
    return replace(matrix, codes=codes)


@dataclass(frozen=True, slots=True)
class StudyVariable:
    """A change of a campaign's labels that a study varies, as `prevalence_swap` does.

    change  of the labels, a value of the variable and a seed: labels of the same annotators
    """

    name: str
    change: Callable[[LabelMatrix, float, int], LabelMatrix]
