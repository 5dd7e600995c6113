"""Help in choosing Δ∅, the weights of position and category, and the category distances.

The 2011 authors announced it; what it gives are studies and proposals for a person to judge. No
value here is "the best": a setting is chosen for what the annotators were asked to do, and γ being
higher under one is no reason for it.

In the 2015 dissimilarity (`positional`) position, category and the empty unit are all multiples of
Δ∅, so its curve is flat and only alpha and beta matter; in those of 2011 (`sporadic`, `hamming`)
Δ∅ is what decides until when two units may align.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from metrics.alignment.best_alignment import Alignment
from metrics.alignment.continuum import Continuum
from metrics.alignment.dissimilarity import Dissimilarity
from metrics.chance.corpus import corpus_of
from metrics.chance.expected import Compute
from metrics.errors import MetricsError
from metrics.estimate import Estimate
from metrics.unitizing.gamma import gamma_with
from metrics.unitizing.gamma_cat import aligned_pairs, category_pairs
from metrics.unitizing.observed import align_documents
from metrics.unitizing.reasons import UNLABELLED_NAME
from metrics.unitizing.settings import DEFAULT_SETTINGS, GammaSettings, for_corpus

Form = Literal["mean", "product"]


@dataclass(frozen=True, slots=True, eq=False)
class CurvePoint:
    """γ and the alignment at one setting.

    setting        the value tried
    gamma          of the corpus, with its own chance at this setting
    n_unitary      unitary alignments over all documents
    aligned_units  share of the units aligned with another annotator's; nan without a unit
    kept_pairs     of the pairs of units aligned here or at the present setting, the share aligned
                   at both (Jaccard); 1 where neither aligns any
    """

    setting: float
    gamma: Estimate
    n_unitary: int
    aligned_units: float
    kept_pairs: float


def delta_empty_curve(
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity,
    values: Sequence[float],
    *,
    settings: GammaSettings = DEFAULT_SETTINGS,
    compute: Compute | None = None,
) -> list[CurvePoint]:
    """γ and the alignment for each Δ∅ of `values`, against those at the present one."""
    return _curve(
        continua,
        dissimilarity,
        values,
        lambda value: replace(dissimilarity, delta_empty=value),
        settings,
        compute,
    )


def weight_curve(
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity,
    values: Sequence[float],
    *,
    weight: Literal["alpha", "beta"] = "alpha",
    settings: GammaSettings = DEFAULT_SETTINGS,
    compute: Compute | None = None,
) -> list[CurvePoint]:
    """γ and the alignment for each weight of position (`alpha`) or category (`beta`)."""
    if weight not in ("alpha", "beta"):
        raise MetricsError(f"the weight is {weight!r}; choose alpha (position) or beta (category)")
    return _curve(
        continua,
        dissimilarity,
        values,
        lambda value: replace(
            dissimilarity,
            alpha=value if weight == "alpha" else dissimilarity.alpha,
            beta=value if weight == "beta" else dissimilarity.beta,
        ),
        settings,
        compute,
    )


def _curve(
    continua: Sequence[Continuum],
    present: Dissimilarity,
    values: Sequence[float],
    at: Callable[[float], Dissimilarity],
    settings: GammaSettings,
    compute: Compute | None,
) -> list[CurvePoint]:
    if not values:
        raise MetricsError("a curve needs at least one value to try")
    scaled = for_corpus(present, corpus_of(continua, measure="γ"))
    before = _pairs(
        align_documents(
            continua, scaled, objective=settings.objective, time_limit=settings.time_limit
        )
    )
    n_units = sum(c.n_units for c in continua)
    points = []
    for value in values:
        result = gamma_with(continua, at(value), settings, compute=compute)
        after = _pairs(result.alignments)
        either = len(before | after)
        found = [a for a in result.alignments if a is not None]
        together = sum(_n_aligned(a) for a in found)
        points.append(
            CurvePoint(
                float(value),
                result.corpus,
                sum(a.units.shape[0] for a in found),
                together / n_units if n_units else float("nan"),
                len(before & after) / either if either else 1.0,
            )
        )
    return points


def _pairs(alignments: Sequence[Alignment | None]) -> set[tuple[int, int, int]]:
    return {
        (d, u, v)
        for d, alignment in enumerate(alignments)
        if alignment is not None
        for u, v in zip(*(side.tolist() for side in aligned_pairs(alignment)[:2]), strict=True)
    }


def _n_aligned(alignment: Alignment) -> int:
    real = alignment.units >= 0
    together = real & (real.sum(axis=1) >= 2)[:, None]
    return int(np.unique(alignment.units[together]).size)


@dataclass(frozen=True, slots=True, eq=False)
class CategoryProposal:
    """Category distances proposed from the disagreements of the annotators: for a person to judge.

    distances  float64 (K, K) in [0, 1], symmetric, zero diagonal; 1 where nothing was seen
    pairs      float64 (K, K): weight of the aligned pairs by their categories, symmetric, mixed
               pairs standing half on either side (`metrics.unitizing.gamma_cat`)
    unseen     categories without an aligned pair: their distances rest on nothing
    tagset     K names, "(no category)" the last one where units without category were seen
    """

    distances: NDArray[np.float64]
    pairs: NDArray[np.float64]
    unseen: tuple[str, ...]
    tagset: tuple[str, ...]


def propose_category_distances(
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity,
    *,
    form: Form = "mean",
    time_limit: float | None = None,
) -> CategoryProposal:
    """Distances between categories that annotators confuse (the formulas of Fort et al. 2010).

    Units are aligned by position alone (beta = 0), so that the distances in force do not hide the
    disagreements they are to be judged by. With P(c2|c1) the share of the pairs of c1 whose other
    unit is of c2: `mean` is ((1 - P(c2|c1)) + (1 - P(c1|c2)))/2, `product` is
    (1 - P(c2|c1))·(1 - P(c1|c2)).

    Never to be used unseen: frequent confusions would turn into agreement.
    """
    if form not in ("mean", "product"):
        raise MetricsError(f"the form is {form!r}; choose mean or product")
    corpus = corpus_of(continua, measure="a proposal of category distances")
    blind = replace(for_corpus(dissimilarity, corpus), beta=0.0)
    alignments = align_documents(continua, blind, time_limit=time_limit)
    counts = category_pairs(continua, alignments, blind)
    names = [*corpus.tagset, UNLABELLED_NAME]
    size = len(names) if counts.units[:, -1].any() else len(names) - 1
    pairs = counts.pairs[:size, :size]
    totals = pairs.sum(axis=1)
    shares = np.divide(pairs, totals[:, None], out=np.zeros_like(pairs), where=totals[:, None] > 0)
    if form == "mean":
        distances = ((1.0 - shares) + (1.0 - shares.T)) / 2.0
    else:
        distances = (1.0 - shares) * (1.0 - shares.T)
    np.fill_diagonal(distances, 0.0)
    unseen = tuple(name for name, total in zip(names, totals, strict=False) if total == 0)
    return CategoryProposal(distances, pairs, unseen, tuple(names[:size]))
