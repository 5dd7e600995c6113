"""Intervals of measures on units for new annotators: what `metrics.agreement` does for labels.

Chance is sampled, so that the values without each annotator differ by chance, too. All of them use
the same number of samples of the same process with the same seeds (common random numbers): what
their samples share cancels in their differences. The rest is estimated from the samples (in
simulated campaigns it is 4 to 11 % of the standard error) and subtracted. With v_a the value
without annotator a and d_as what sample s adds to it (to first order, Σ_s d_as = 0), the S samples
are expected to add

    (A − 1)/A · S/(S − 1) · Σ_s Σ_a (d_as − mean over a of d_as)²

to the variance of the jackknife: `noise`, which is subtracted from it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..alignment.continuum import Continuum
from ..alignment.dissimilarity import Dissimilarity
from ..arrays import Floats
from ..chance.chance_samples import ExpectedDisorder
from ..chance.corpus import corpus_of_continua, in_one_order
from ..estimate import Estimate
from ..estimate_detail import Detail
from ..intervals.interval import Range
from ..intervals.new_annotators import annotator_groups_without_each, widen_by_left_out_values
from ..measures import measure_of
from ..quantiles import t_quantile
from .expected_documents import Expectation, expectations_with_value, expected_per_document
from .gamma import compute_expectation
from .gamma_settings import GammaSettings, set_mean_length
from .observed import Observed, count_disorder

COARSER = 4  # times fewer samples than the value itself


def documents_without_each(continua: Sequence[Continuum]) -> list[list[Continuum]]:
    """The documents without each annotator (or group of many) who shares one with another."""
    continua = in_one_order(continua)
    shared = (name for c in continua if c.n_annotators > 1 for name in c.annotators)
    found = []
    for names in annotator_groups_without_each(list(dict.fromkeys(shared))):
        parts = (c.select_annotators(names) for c in continua)
        found.append([part for part in parts if part.n_annotators])
    return found


def gamma_for_new_annotators(
    value: Estimate,
    continua: Sequence[Continuum],
    expected: Expectation,
    dissimilarity: Dissimilarity,
    settings: GammaSettings,
) -> Estimate:
    """γ, or its relative of the objective, with the interval for new annotators.

    value, expected  of these documents, as `metrics.units.gamma` gives them
    The detail has `standard_error_annotators`, and `chance_noise`, the standard error that was
    subtracted from it (in squares; 0 where each document has chance of its own: not estimated). A
    value without an interval, as of one document, stays as it is; with fewer than three annotators
    the interval is nan, and `interval_reason` says so.
    """
    if math.isnan(value.interval[0]):
        return value
    used = set_mean_length(dissimilarity, corpus_of_continua(continua))
    fixed = fix_chance_samples(settings, expected)
    values, moves = [], []
    for part in documents_without_each(continua):
        corpus = corpus_of_continua(part, measure="γ")
        if (corpus.annotators_per_document < 2).all():
            values.append(math.nan)
            continue
        counts = count_disorder(
            part, used, objective=settings.objective, time_limit=settings.time_limit
        )
        chance = compute_expectation(
            corpus, used, fixed.for_annotator_numbers([c.n_annotators for c in part])
        )
        rows = expected_per_document(counts, chance)
        below = float(rows.chances.sum())
        above = float(counts.totals.sum())
        values.append(1.0 - above / below if below > 0 else math.nan)
        moves.append(_moves_of_samples(counts, chance, above / below**2 if below > 0 else 0.0))
    noise = _noise(moves)
    widened = widen_unit_interval(value, np.array(values), noise=noise)
    return replace(widened, detail=widened.detail | Detail(chance_noise=math.sqrt(noise)))


def widen_unit_interval(
    value: Estimate, without: Floats, *, noise: float = 0.0, within: Range | None = None
) -> Estimate:
    """A value on units with the interval for new annotators in place of the one over documents.

    without  float64 (A,): the value without each annotator
    within   range of the value; None: of its measure

    The error over documents is that of its interval: half the width over Student's quantile. The
    interval is never narrower than the one over documents.
    """
    n = value.detail.n_documents - value.detail.n_documents_without_units
    width = value.interval[1] - value.interval[0]
    error = width / 2 / t_quantile(max(n - 1, 1), (1 + value.confidence_level) / 2)
    found = widen_by_left_out_values(
        value,
        without,
        error=error,
        n_drawn=n,
        drawn="documents",
        noise=noise,
        within=within or measure_of(value.measure).range,
    )
    lower, upper = found.interval
    own = value.interval
    return replace(found, interval=(min(lower, own[0]), max(upper, own[1])))


def fix_chance_samples(settings: GammaSettings, expected: Expectation) -> GammaSettings:
    """Settings that draw a fixed number of samples by the process that was chosen."""
    chosen = expectations_with_value(expected)
    most = max((sample.n for one in chosen for sample in one.samples), default=0)
    n = max(settings.min_samples, most // COARSER)
    processes = tuple(dict.fromkeys(one.process for one in chosen))
    return replace(settings, processes=processes, min_samples=n, max_samples=n)


def _moves_of_samples(counts: Observed, chance: Expectation, slope: float) -> dict[int, Floats]:
    """By number of annotators, what each sample moves the value by; slope: dγ over d(chance)."""
    if not isinstance(chance, ExpectedDisorder):
        return {}
    moves = {}
    for n in np.unique(counts.n_annotators[counts.weights > 0]).tolist():
        sample = chance.sample(n)
        judged = float(counts.weights[counts.n_annotators == n].sum())
        totals, weights = sample.counts[:, 0], sample.counts[:, 1]
        moves[n] = slope * judged * (totals - sample.mean * weights) / weights.sum()
    return moves


def _noise(moves: Sequence[dict[int, Floats]]) -> float:
    """What samples add to the variance of the jackknife; moves: one for each value."""
    total = 0.0
    for n in {n for one in moves for n in one}:
        n_samples = next(one[n].size for one in moves if n in one)
        rows = np.array([one.get(n, np.zeros(n_samples)) for one in moves])
        total += float(((rows - rows.mean(axis=0)) ** 2).sum()) * n_samples / (n_samples - 1)
    return total * (len(moves) - 1) / len(moves) if moves else 0.0
