"""300 simulated campaigns of items for few_items.py, and the half of them that chose the rule.

The true category of an item is drawn by prevalence; an annotator's label is the true category with
the item's accuracy, else another one: any of a nominal scale, mostly a neighbour of an ordered one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from accordeur.metrics.agreement.coefficients import compute_coefficients
from accordeur.metrics.agreement.label_matrix import LabelMatrix

SEED, N_CELLS = 37, 300
ANNOTATORS = (2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25)
ITEMS = (10, 15, 20, 30, 50, 100)
NOMINAL = ("krippendorff_alpha", "conger_kappa", "gwet_ac1", "percent_agreement")
ORDERED = ("krippendorff_alpha", "weighted_kappa", "gwet_ac2")

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Cell:
    """One kind of campaign.

    rarest   prevalence of every category except the first; 0: all are equally frequent
    unequal  whether the accuracy differs between items (or documents), by a beta distribution
    missing  share of the labels that are missing
    size     items of a document; 0: there are no documents
    """

    n_items: int
    n_annotators: int
    n_categories: int
    accuracy: float
    rarest: float
    unequal: bool
    missing: float
    distance: str
    size: int

    @property
    def prevalence(self) -> Floats:
        k = self.n_categories
        if not self.rarest:
            return np.full(k, 1 / k)
        return np.append(1 - (k - 1) * self.rarest, np.full(k - 1, self.rarest))

    @property
    def measures(self) -> tuple[str, ...]:
        return NOMINAL if self.distance == "nominal" else ORDERED

    def errors(self) -> Floats:
        """Probability of each wrong label by true category, (K, K); neighbours are likelier."""
        apart = np.abs(np.subtract.outer(*[np.arange(self.n_categories)] * 2))
        table = np.where(apart > 0, 1.0 if self.distance == "nominal" else 0.5**apart, 0.0)
        return np.asarray(table / table.sum(axis=1, keepdims=True))

    def campaign(self, rng: np.random.Generator) -> LabelMatrix:
        """Simulate one campaign; documents differ in prevalence and accuracy, else items do."""
        k, n, a = self.n_categories, self.n_items, self.n_annotators
        shares, n_groups = self.prevalence, n // (self.size or 1)
        if self.size:
            shares = rng.dirichlet(8 * shares, n_groups).repeat(self.size, axis=0)
        accuracy = np.full(n_groups, self.accuracy)
        if self.unequal:
            accuracy = rng.beta(4 * self.accuracy, 4 * (1 - self.accuracy), n_groups).clip(1 / k, 1)
        truth = _drawn_from(rng, np.broadcast_to(shares, (n, k)), 1)
        wrong = _drawn_from(rng, self.errors()[truth[:, 0]], a)
        right = rng.random((n, a)) < accuracy.repeat(self.size or 1)[:, None]
        codes = np.where(right, truth, wrong)
        codes[rng.random((n, a)) < self.missing] = -1
        return LabelMatrix(
            codes=codes.astype(np.int32),
            tagset=tuple("12345"[:k]),
            annotators=tuple(map(str, range(a))),
            documents=np.arange(n) // self.size if self.size else None,
        )

    def truth(self) -> list[float]:
        """The values in the population: of 90,000 items with four labels."""
        many = replace(self, n_items=90_000, n_annotators=4, missing=0.0)
        matrix = many.campaign(np.random.default_rng(0))
        found = compute_coefficients(matrix, measures=self.measures, distance=self.distance)
        return [one.value for one in found]


def _drawn_from(rng: np.random.Generator, shares: Floats, times: int) -> NDArray[np.int64]:
    """Draw categories (N, times) by the shares (N, K)."""
    below = rng.random((len(shares), times, 1)) > shares.cumsum(axis=1)[:, None]
    return np.asarray(below.sum(axis=2).clip(max=shares.shape[1] - 1))


def cells() -> list[Cell]:
    rng = np.random.default_rng(SEED)
    return [_drawn(rng) for _ in range(N_CELLS)]


def kept_back() -> set[int]:
    """Numbers of the cells that were not looked at while the rule was chosen."""
    order = np.random.default_rng(SEED + 1).permutation(N_CELLS)
    return set(order[N_CELLS // 2 :].tolist())


def _drawn(rng: np.random.Generator) -> Cell:
    k, n_annotators = int(rng.integers(2, 6)), int(rng.choice(ANNOTATORS))
    accuracy = float(np.round(rng.uniform(max(0.4, 1 / k + 0.05), 0.95), 3))
    rarest = float(rng.choice([0, 0.1, 0.15, 0.2]))
    rarest = rarest if (k - 1) * rarest < 0.95 - rarest else 0.0
    unequal, missing = bool(rng.random() < 0.5), float(rng.choice([0, 0, 0.15, 0.35]))
    distances = ("nominal", "nominal", "nominal", "ordinal", "interval")
    distance = str(rng.choice(distances)) if k > 2 else "nominal"
    n_items, in_documents = int(rng.choice(ITEMS)), rng.random() < 0.25
    size = int(rng.choice([2, 3, 5])) if in_documents else 0
    if size:
        n_items = size * max(4, round(n_items / size))
    return Cell(
        n_items, n_annotators, k, accuracy, rarest, unequal, missing, distance, size
    )  # fmt: skip
