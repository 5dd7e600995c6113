"""Populations of labelled items whose coefficients are known exactly, for few_items.py.

The true category of an item is drawn by prevalence, and each annotator's label by a confusion
matrix.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

import numpy as np
from numpy.typing import NDArray

from accordeur.metrics.measures import USUAL

WEIGHTED = ("krippendorff_alpha", "weighted_kappa", "weighted_pi", "gwet_ac2")
DIFFERENCES = ("conger_kappa", "krippendorff_alpha", "gwet_ac1", "percent_agreement")

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Setting:
    """A population; `confusions` (A, K, K) has the probability of each label by true category."""

    name: str
    prevalence: tuple[float, ...]
    confusions: Floats = field(repr=False)
    missing: float = 0.0
    distance: str = "nominal"
    measures: tuple[str, ...] = USUAL

    def profiles(self) -> tuple[NDArray[np.int32], Floats]:
        """Return every profile of labels (M, A), −1 for a missing one, and its probability (M,)."""
        n_annotators, k, _ = self.confusions.shape
        labels = range(-1 if self.missing else 0, k)
        codes = np.array(list(product(labels, repeat=n_annotators)), dtype=np.int32)
        given = np.zeros(len(codes))
        for t, share in enumerate(self.prevalence):
            chance = np.full(len(codes), share)
            for a in range(n_annotators):
                label = self.confusions[a, t] * (1 - self.missing)
                chance *= np.append(label, self.missing)[codes[:, a]]
            given += chance
        return codes, given / given.sum()


def accurate(k: int, accuracy: float, n_annotators: int) -> Floats:
    """Confusions with errors spread evenly over the other categories."""
    table = np.full((k, k), (1 - accuracy) / (k - 1))
    np.fill_diagonal(table, accuracy)
    return np.stack([table] * n_annotators)


def near(accuracy: float, n_annotators: int) -> Floats:
    """Confusions of five categories; each further step halves the probability of an error."""
    apart = np.abs(np.subtract.outer(np.arange(5), np.arange(5)))
    table = np.where(apart > 0, 0.5**apart, 0.0)
    table *= (1 - accuracy) / table.sum(axis=1, keepdims=True)
    return np.stack([table + accuracy * np.eye(5)] * n_annotators)


def rarest(k: int, share: float) -> tuple[float, ...]:
    """Prevalences in which all categories except the first are equally rare."""
    return (1 - (k - 1) * share, *(share,) * (k - 1))


def grid() -> Iterator[Setting]:
    for n_annotators, (k, share) in product((2, 3), ((2, 0.5), (2, 0.3), (2, 0.1), (3, 0.1))):
        for accuracy in (0.85, 0.95):
            name = f"{n_annotators} annotators, {k} categories, rarest {share}, {accuracy}"
            yield Setting(name, rarest(k, share), accurate(k, accuracy, n_annotators))
    for n_annotators, (k, share, accuracy) in product(
        (2, 3), ((3, 0.3, 0.85), (4, 0.25, 0.85), (4, 0.1, 0.95))
    ):
        name = f"{n_annotators} annotators, {k} categories, rarest {share}, {accuracy}"
        yield Setting(name, rarest(k, share), accurate(k, accuracy, n_annotators))


def unseen() -> Iterator[Setting]:
    rng = np.random.default_rng(2026)
    for number in range(24):
        k = int(rng.integers(2, 5))
        n_annotators = int(rng.integers(2, 5 if k < 4 else 4))
        prevalence = 0.08 + (1 - 0.08 * k) * rng.dirichlet(np.ones(k))
        tables = np.empty((n_annotators, k, k))
        for a, t in product(range(n_annotators), range(k)):
            right = rng.uniform(0.7, 0.98)
            tables[a, t] = np.insert((1 - right) * rng.dirichlet(np.ones(k - 1)), t, right)
        yield Setting(f"unseen {number}", tuple(prevalence.tolist()), tables)


def weighted() -> Iterator[Setting]:
    for n_annotators, accuracy in product((2, 3), (0.6, 0.8)):
        for prevalence in ((0.2,) * 5, (0.5, 0.2, 0.1, 0.1, 0.1)):
            name = f"weighted, {n_annotators} annotators, {accuracy}, {prevalence[0]}"
            yield Setting(
                name, prevalence, near(accuracy, n_annotators),
                distance="interval", measures=WEIGHTED,
            )  # fmt: skip


def missing() -> Iterator[Setting]:
    for accuracy, share in product((0.85, 0.95), (0.5, 0.2)):
        name = f"missing, {accuracy}, {share}"
        yield Setting(name, rarest(2, share), accurate(2, accuracy, 4), missing=0.3)


def teams() -> Iterator[Setting]:
    for k, share, accuracy in (
        *product((2,), (0.5, 0.1), (0.75, 0.85, 0.95)),
        *product((3,), (0.3, 0.1), (0.75, 0.9)),
    ):
        name = f"teams, {k} categories, rarest {share}, {accuracy}"
        yield Setting(name, rarest(k, share), accurate(k, accuracy, 2), measures=DIFFERENCES)
