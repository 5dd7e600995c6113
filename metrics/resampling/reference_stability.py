"""How many annotators until the reference stops moving, for any way of making a reference.

M(k) is exact for the majority (`subsets.modification_rate`). A model that learns from all items
together (Dawid–Skene and others) has no such formula: seeded samples of k annotators are given to
it, and its labels compared with those it gives on all annotators.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..agreement.label_matrix import LabelMatrix
from ..errors import MetricsError
from ..reference.dawid_skene import dawid_skene
from ..reference.glad import glad
from ..reference.mace import mace
from ..reference.minimax_entropy import minimax_entropy
from ..reference.votes import majority, unanimity
from ..signature import input_hash, signature
from .subsets.modification_rate import check_sizes
from .trial_seeds import trial_seed

ReferenceModel: TypeAlias = Callable[[LabelMatrix], NDArray[np.int32]]
"""Labels of a campaign, int32 (N,): index into the tagset, -1 where there is none."""

MODELS: dict[str, ReferenceModel] = {
    "majority": lambda matrix: majority(matrix).codes,
    "unanimity": lambda matrix: unanimity(matrix).codes,
    "dawid_skene": lambda matrix: dawid_skene(matrix).reference.codes,
    "glad": lambda matrix: glad(matrix).reference.codes,
    "mace": lambda matrix: mace(matrix).reference.codes,
    "minimax_entropy": lambda matrix: minimax_entropy(matrix).reference.codes,
}


@dataclass(frozen=True, slots=True)
class ReferenceStability:
    """Change of a model's reference with k of the n annotators, over S sampled subsets.

    k           int64 (Q,)
    change      float64 (Q,): items whose label differs, of those with a label both times (Σ / Σ)
    sd          float64 (Q,) of the samples' own changes, divisor S - 1
    band        float64 (Q, 2): quantiles of single samples at `level`
    coverage    float64 (Q,): share of the model's labelled items that the subset labels too
    changes     float64 (Q, S): every sample, `nan` where nothing could be compared
    """

    model: str
    k: NDArray[np.int64]
    change: NDArray[np.float64]
    sd: NDArray[np.float64]
    band: NDArray[np.float64]
    coverage: NDArray[np.float64]
    changes: NDArray[np.float64]
    level: float
    signature: str


def reference_stability(
    matrix: LabelMatrix,
    model: str | ReferenceModel,
    *,
    ks: Sequence[int] | None = None,
    samples: int = 100,
    level: float = 0.95,
    study: str = "reference stability",
) -> ReferenceStability:
    """The change for every k in `ks` (default 1..n-1).

    model  a name of `MODELS`, or a function of a campaign. Ties of the majority leave the item
    without a label here: they are in `coverage`. Raises MetricsError for an unknown name.
    """
    sizes = check_sizes(ks, matrix.n_annotators)
    name, labels_of = _resolve(model)
    if samples < 1:
        raise MetricsError(f"samples is {samples}; it must be 1 or more")
    whole = labels_of(matrix)
    counts = np.array(
        [
            [
                compare_subset(matrix, labels_of, whole, k=int(k), trial=trial, study=study)
                for trial in range(samples)
            ]
            for k in sizes
        ],
        dtype=np.float64,
    )  # (Q, S, 2): changed, compared
    changed, compared = counts[..., 0], counts[..., 1]
    changes = np.divide(changed, compared, out=np.full(changed.shape, np.nan), where=compared > 0)
    sd, band = np.full(sizes.size, np.nan), np.full((sizes.size, 2), np.nan)
    for q in range(sizes.size):
        known = changes[q][np.isfinite(changes[q])]
        if known.size:
            band[q] = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
            sd[q] = known.std(ddof=1) if known.size > 1 else math.nan
    total, n_labelled = compared.sum(axis=1), int((whole >= 0).sum())
    return ReferenceStability(
        model=name,
        k=sizes,
        change=np.divide(
            changed.sum(axis=1), total, out=np.full(sizes.size, np.nan), where=total > 0
        ),
        sd=sd,
        band=band,
        coverage=total / (samples * n_labelled) if n_labelled else np.full(sizes.size, np.nan),
        changes=changes,
        level=level,
        signature=signature(
            "reference_stability",
            model=name,
            samples=samples,
            study=study,
            input=input_hash([matrix.codes, *matrix.tagset]),
        ),
    )


def compare_subset(
    matrix: LabelMatrix,
    model: ReferenceModel,
    whole: NDArray[np.int32],
    *,
    k: int,
    trial: int,
    study: str = "reference stability",
) -> tuple[int, int]:
    """Labels changed and labels compared with one seeded subset of k annotators.

    whole (N,): the model's labels from all annotators. Pure: the seed is of (study, k, trial).
    """
    rng = np.random.default_rng(trial_seed(study, f"k={k}", trial))
    members = np.sort(rng.permutation(matrix.n_annotators)[:k])
    subset = replace(
        matrix,
        codes=np.ascontiguousarray(matrix.codes[:, members]),
        annotators=tuple(matrix.annotators[a] for a in members),
        roles=tuple(matrix.roles[a] for a in members),
    )
    if not (subset.codes >= 0).any():
        return 0, 0
    part = model(subset)
    # A model may call by chance an item that none of these annotators saw: that is no label.
    both = (whole >= 0) & (part >= 0) & (subset.codes >= 0).any(axis=1)
    return int((whole[both] != part[both]).sum()), int(both.sum())


def _resolve(model: str | ReferenceModel) -> tuple[str, ReferenceModel]:
    if not isinstance(model, str):
        return getattr(model, "__name__", type(model).__name__), model
    if model not in MODELS:
        raise MetricsError(f"unknown reference model {model!r}; known: {', '.join(MODELS)}")
    return model, MODELS[model]
