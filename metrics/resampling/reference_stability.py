"""Number of annotators until the reference is stable, for any rule that makes a reference.

M(k) is exact for the majority (`subsets.modification_rate`). A model that learns from all items
together (Dawid–Skene and others) has no such formula: it is fitted to seeded samples of k
annotators, and its labels are compared with its labels for all annotators.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from ..agreement.label_matrix import LabelMatrix
from ..arrays import Ints32
from ..bootstrap import trial_seed
from ..references.label_models.dawid_skene import dawid_skene
from ..references.label_models.glad import glad
from ..references.label_models.mace import mace
from ..references.label_models.minimax_entropy import minimax_entropy
from ..references.votes import majority, unanimity

ReferenceModel: TypeAlias = Callable[[LabelMatrix], Ints32]
"""Labels of a campaign, int32 (N,): index into the tagset, -1 where there is none."""

MODELS: dict[str, ReferenceModel] = {
    "majority": lambda matrix: majority(matrix).codes,
    "unanimity": lambda matrix: unanimity(matrix).codes,
    "dawid_skene": lambda matrix: dawid_skene(matrix).reference.codes,
    "glad": lambda matrix: glad(matrix).reference.codes,
    "mace": lambda matrix: mace(matrix).reference.codes,
    "minimax_entropy": lambda matrix: minimax_entropy(matrix).reference.codes,
}

MODEL_SOURCES: dict[str, tuple[str, ...]] = {  # keys of reports/references.bib
    "dawid_skene": ("dawid1979",),
    "glad": ("whitehill2009",),
    "mace": ("hovy2013",),
    "minimax_entropy": ("zhou2012",),
}


def count_changed_labels(
    matrix: LabelMatrix,
    model: ReferenceModel,
    whole: Ints32,
    *,
    k: int,
    trial: int,
    study: str = "reference stability",
) -> tuple[int, int]:
    """Return the numbers of labels changed and compared with one seeded subset of k annotators.

    whole  (N,): the model's labels from all annotators

    The seed depends only on (study, k, trial).
    """
    rng = np.random.default_rng(trial_seed(study, f"k={k}", trial))
    members = np.sort(rng.permutation(matrix.n_annotators)[:k])
    subset = matrix.select_annotators(members.tolist())
    if not (subset.codes >= 0).any():
        return 0, 0
    part = model(subset)
    # Labels of a model for items that none of these annotators saw are chance and do not count.
    both = (whole >= 0) & (part >= 0) & (subset.codes >= 0).any(axis=1)
    return int((whole[both] != part[both]).sum()), int(both.sum())
