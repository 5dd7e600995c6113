"""300 simulated campaigns of items for few_items.py, and the half of them that chose the rule.

The true category of an item is drawn by prevalence; an annotator's label is the true category with
the item's accuracy, else another one: any of a nominal scale, mostly a neighbour of an ordered one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SEED, N_CELLS = 37, 300
ANNOTATORS = (2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25)
ITEMS = (10, 15, 20, 30, 50, 100)

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
