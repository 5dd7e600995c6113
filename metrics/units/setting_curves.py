"""Sensitivity of γ and of the alignment to Δ∅ and the weights of position and category.

The 2011 authors announced help in choosing them; this module provides studies that a person can
judge. No value is "the best": a setting follows from the annotation task, and a higher γ is no
reason to prefer it.

In the 2015 dissimilarity (`positional`), position, category and the empty unit are all multiples of
Δ∅, so its curve is flat and only alpha and beta matter; in the 2011 dissimilarities (`sporadic`,
`hamming`), Δ∅ determines how far apart two units may be and still align. For distances between
categories see `category_proposal`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import get_args

import numpy as np

from ..alignment.best_alignment import Alignment
from ..alignment.continuum import Continuum
from ..alignment.dissimilarity import Dissimilarity
from ..chance.corpus import corpus_of_continua
from ..chance.expected_disorder import Compute
from ..errors import MetricsError
from ..estimate import NO_INTERVAL
from ..intervals.evaluate import Share, evaluate, ratio_of_columns
from ..measures import measure_of
from ..results import DocumentShare, Setting, SettingPoint
from .category_pairs import aligned_pairs
from .gamma import GammaResult, gamma
from .gamma_settings import DEFAULT_SETTINGS, GammaSettings, set_mean_length

Pairs = set[tuple[int, int]]


_ALL_KEPT = DocumentShare(1.0, (1.0, 1.0))  # of the current alignments: in every document


def setting_curves(
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity,
    values: Mapping[Setting, Sequence[float]],
    *,
    settings: GammaSettings = DEFAULT_SETTINGS,
    compute: Compute | None = None,
) -> dict[Setting, list[SettingPoint]]:
    """Compute a curve of γ and the alignment for each setting in `values`.

    `dissimilarity` is the current one, with which alignments are compared; each curve varies one of
    its settings. Raises MetricsError for an unknown setting or one without values, and whatever
    `metrics.units.gamma.gamma` raises.
    """
    for setting, tried in values.items():
        if setting not in get_args(Setting):
            raise MetricsError(
                f"the setting is {setting!r}; choose one of {', '.join(get_args(Setting))}"
            )
        if not len(tried):
            raise MetricsError(f"the curve of {setting} needs at least one value to try")
    present = set_mean_length(dissimilarity, corpus_of_continua(continua, measure="γ"))
    found: dict[tuple[float, ...], GammaResult] = {}

    def at(tried: Dissimilarity) -> GammaResult:
        key = (tried.delta_empty, tried.alpha, tried.beta)
        if key not in found:
            found[key] = gamma(continua, tried, settings, compute=compute)
        return found[key]

    current = at(present)
    before = [_aligned_unit_pairs(alignment) for alignment in current.alignments]
    return {
        setting: [
            _point(
                float(value),
                at(replace(present, **{setting: float(value)})),  # type: ignore[arg-type]  # a name of a weight
                current,
                before,
                continua,
                settings,
            )
            for value in tried
        ]
        for setting, tried in values.items()
    }


def _point(
    value: float,
    result: GammaResult,
    current: GammaResult,
    before: Sequence[Pairs],
    continua: Sequence[Continuum],
    settings: GammaSettings,
) -> SettingPoint:
    after = [_aligned_unit_pairs(alignment) for alignment in result.alignments]
    kept = [(len(a & b), len(a | b)) for a, b in zip(before, after, strict=True)]
    aligned = [
        (_n_aligned(alignment), 0 if alignment is None else continuum.n_units)
        for alignment, continuum in zip(result.alignments, continua, strict=True)
    ]
    return SettingPoint(
        value,
        result.corpus,
        sum(a.units.shape[0] for a in result.alignments if a is not None),
        _share_with_interval(aligned, settings),
        _ALL_KEPT if result is current else _share_with_interval(kept, settings),
    )


def _share_with_interval(
    counts: Sequence[tuple[int, int]], settings: GammaSettings
) -> DocumentShare:
    """Return Σ first / Σ second over documents, ignoring documents with a denominator of 0."""
    rows = np.array(counts, dtype=np.float64).reshape(-1, 2)
    share = Share(ratio_of_columns(0, 1), fewest=measure_of("gamma").fewest)
    [found] = evaluate(rows, [share], settings)
    interval = NO_INTERVAL if found.interval is None else found.interval.bounds
    return DocumentShare(found.value, interval)


def _aligned_unit_pairs(alignment: Alignment | None) -> Pairs:
    if alignment is None:
        return set()
    u, v, _ = aligned_pairs(alignment)
    return set(zip(u.tolist(), v.tolist(), strict=True))


def _n_aligned(alignment: Alignment | None) -> int:
    if alignment is None:
        return 0
    real = alignment.units >= 0
    together = real & (real.sum(axis=1) >= 2)[:, None]
    return int(np.unique(alignment.units[together]).size)
