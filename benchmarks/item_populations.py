"""Pairs of teams of equal quality, for the differences of few_items.py.

The true category of an item is drawn by prevalence, and each annotator's label by a confusion
matrix.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

import numpy as np
from numpy.typing import NDArray

DIFFERENCES = ("conger_kappa", "krippendorff_alpha", "gwet_ac1", "percent_agreement")

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Setting:
    """A population; `confusions` (A, K, K) has the probability of each label by true category."""

    name: str
    prevalence: tuple[float, ...]
    confusions: Floats = field(repr=False)
    measures: tuple[str, ...] = DIFFERENCES

    def profiles(self) -> tuple[NDArray[np.int32], Floats]:
        """Return every profile of labels (M, A), and its probability (M,)."""
        n_annotators, k, _ = self.confusions.shape
        codes = np.array(list(product(range(k), repeat=n_annotators)), dtype=np.int32)
        given = np.zeros(len(codes))
        for t, share in enumerate(self.prevalence):
            chance = np.full(len(codes), share)
            for a in range(n_annotators):
                chance *= self.confusions[a, t][codes[:, a]]
            given += chance
        return codes, given / given.sum()


def accurate(k: int, accuracy: float, n_annotators: int) -> Floats:
    """Confusions with errors spread evenly over the other categories."""
    table = np.full((k, k), (1 - accuracy) / (k - 1))
    np.fill_diagonal(table, accuracy)
    return np.stack([table] * n_annotators)


def rarest(k: int, share: float) -> tuple[float, ...]:
    """Prevalences in which all categories except the first are equally rare."""
    return (1 - (k - 1) * share, *(share,) * (k - 1))


def teams() -> Iterator[Setting]:
    for k, share, accuracy in (
        *product((2,), (0.5, 0.1), (0.75, 0.85, 0.95)),
        *product((3,), (0.3, 0.1), (0.75, 0.9)),
    ):
        name = f"teams, {k} categories, rarest {share}, {accuracy}"
        yield Setting(name, rarest(k, share), accurate(k, accuracy, 2))
