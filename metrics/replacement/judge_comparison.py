"""Comparison of a system with each annotator by their agreement with the item's other annotators.

For each item and annotator, the alignment of the system with the other annotators of the item is
compared with the alignment of the held-out annotator. Alignment is the mean similarity to the
others' annotations (or an increasing function of it, such as −RMSE, which gives the same
comparison). A tie counts as 1 for both.

Source: Calderon, Reichart & Dror (2025), section 3.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags, Floats
from ..errors import MetricsError

Codes: TypeAlias = NDArray[np.integer]
LabelSimilarityFunction: TypeAlias = Callable[[Codes, Codes], Floats]
"""Similarity of the categories of two arrays of codes of the same shape."""

Missing = Literal["lost", "excluded"]
"""Treatment of an item that the system did not annotate: lost to every annotator, or excluded."""

_AT_ONCE = 2_000_000  # pairs of annotations compared at once
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class JudgeComparison:
    """One system against each annotator of a panel, by item.

    system, annotator  int8 (N, A): 1 if its alignment is at least the other's, else 0
    compared           bool (N, A): whether the annotator and another one annotated the item
    n_missing          items that others annotated and the system did not
    """

    system: NDArray[np.int8]
    annotator: NDArray[np.int8]
    compared: Flags
    n_missing: int = 0

    @property
    def advantage(self) -> NDArray[np.int8]:
        """Advantage of the system by item and annotator: 1 if better, 0 if equal, −1 if worse."""
        return self.system - self.annotator

    @property
    def tied(self) -> float:
        """Share of the comparisons with equal alignment; nan without a comparison."""
        n_compared = int(self.compared.sum())
        n_tied = int((self.compared & (self.advantage == 0)).sum())
        return n_tied / n_compared if n_compared else math.nan

    def select_items(self, kept: Flags) -> JudgeComparison:
        """Return the comparison on some items only."""
        return JudgeComparison(self.system[kept], self.annotator[kept], self.compared[kept])

    def select_annotators(self, kept: Flags) -> JudgeComparison:
        """Return the comparison with some annotators only."""
        columns = (self.system[:, kept], self.annotator[:, kept], self.compared[:, kept])
        return JudgeComparison(*columns, self.n_missing)


def equal_labels(first: Codes, second: Codes) -> Floats:
    """1 for equal labels, else 0: the alignment is then the accuracy."""
    return (first == second).astype(np.float64)


def category_similarity_function(distances: Floats) -> LabelSimilarityFunction:
    """Return 1 minus the distance of the categories; distances (K, K)."""
    return lambda first, second: 1.0 - distances[first, second]


def number_similarity_function(values: Floats) -> LabelSimilarityFunction:
    """Return minus the squared difference of the categories' values (K,), in the order of −RMSE."""
    return lambda first, second: -((values[first] - values[second]) ** 2)


def compare_labels(
    humans: Codes, system: Codes, similarity: LabelSimilarityFunction, *, missing: Missing = "lost"
) -> JudgeComparison:
    """Compare a system's labels with those of each annotator.

    humans  integers (N, A), system (N,): codes of categories, -1 where there is no label
    """
    n_items, n_annotators = humans.shape
    if system.shape != (n_items,):
        raise MetricsError(f"the system has {system.size} items and the annotators {n_items}")
    given = humans >= 0
    most = int(given.sum(axis=1).max(initial=0))
    # Each item's annotators first: with many annotators, few of them are on one item.
    order = np.argsort(~given, axis=1, kind="stable")[:, :most]
    found = np.zeros((3, n_items, n_annotators), np.int8)
    step = max(1, _AT_ONCE // max(1, most * most))
    for first in range(0, n_items, step):
        rows = slice(first, first + step)
        owners = order[rows]
        codes = np.take_along_axis(humans[rows], owners, axis=1)
        is_there = codes >= 0
        known = np.where(is_there, codes, 0)
        pairs = similarity(*np.broadcast_arrays(known[:, :, None], known[:, None, :]))
        pairs = np.where(is_there[:, :, None] & is_there[:, None, :], pairs, np.nan)
        of_system = np.where(system[rows] >= 0, system[rows], 0)
        with_system = similarity(*np.broadcast_arrays(of_system[:, None], known))
        with_system = np.where(is_there & (system[rows] >= 0)[:, None], with_system, np.nan)
        compact = compare_pairs(pairs, with_system, missing=missing)
        parts = (compact.system, compact.annotator, compact.compared)
        for whole, part in zip(found, parts, strict=True):
            np.put_along_axis(whole[rows], owners, part.astype(np.int8), axis=1)
    several = given.sum(axis=1) > 1
    n_missing = int((several & (system < 0)).sum())
    return JudgeComparison(found[0], found[1], found[2].astype(np.bool_), n_missing)


def compare_pairs(
    pairs: Floats, with_system: Floats, *, missing: Missing = "lost"
) -> JudgeComparison:
    """Compare a system with annotators by the similarities of their annotations.

    pairs        (N, A, A): similarity of each two annotators, nan unless both annotated the item
    with_system  (N, A): similarity of the system with each annotator, nan unless both annotated
    """
    n_annotators = pairs.shape[1]
    is_there = ~np.isnan(pairs[:, np.arange(n_annotators), np.arange(n_annotators)])
    others = pairs.copy()
    others[:, np.arange(n_annotators), np.arange(n_annotators)] = 0.0
    of_annotator = np.nan_to_num(others).sum(axis=2)
    answered = ~np.isnan(with_system)
    scored = np.nan_to_num(with_system)
    of_system = scored.sum(axis=1, keepdims=True) - scored
    compared = is_there & (is_there.sum(axis=1, keepdims=True) > 1)
    margin = _ROUNDING * np.maximum(1.0, np.abs(of_annotator))
    system_wins = compared & answered & (of_system >= of_annotator - margin)
    annotator_wins = compared & (~answered | (of_annotator >= of_system - margin))
    if missing == "excluded":
        compared = compared & answered
        annotator_wins &= compared
    return JudgeComparison(system_wins.astype(np.int8), annotator_wins.astype(np.int8), compared)


def majorities_of_others(humans: Codes, n_categories: int) -> Iterator[Floats]:
    """Yield, by category, how far it is the majority of an item's other annotators, (N, A).

    1 if it is the most common label of all annotators of the item but this one, 1/m if m labels
    are most common, else 0. System and annotator are both compared with these labels and neither
    of them gave any, so the group of an item says nothing about which of the two is better. (The
    majority of all labels holds the annotator's own, and favours the annotator.)

    humans  integers (N, A): codes of categories, -1 where there is no label
    """
    counts = np.stack([(humans == k).sum(axis=1) for k in range(n_categories)], axis=1)
    most, n_most = np.zeros(humans.shape), np.ones(humans.shape)
    for a, own in enumerate(humans.T):
        others = counts - (own[:, None] == np.arange(n_categories))
        most[:, a] = others.max(axis=1, initial=0)
        n_most[:, a] = (others == most[:, a, None]).sum(axis=1)
    for k in range(n_categories):
        others = counts[:, k, None] - (humans == k)
        yield np.where((others == most) & (most > 0), 1 / n_most, 0.0)
