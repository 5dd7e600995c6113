"""Intervals of γ for new annotators: a jackknife whose chance samples are shared."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.chance.chance_samples import ChanceSample, ExpectedDisorder
from accordeur.metrics.estimate import Estimate
from accordeur.metrics.estimate_detail import Detail
from accordeur.metrics.units.annotator_sample import (
    _moves_of_samples,
    _noise,
    documents_without_each,
    gamma_for_new_annotators,
    widen_unit_interval,
)
from accordeur.metrics.units.breakdown import gamma_without_each
from accordeur.metrics.units.gamma import GAMMA_2015, GammaResult, gamma
from accordeur.metrics.units.gamma_settings import GammaSettings
from accordeur.metrics.units.observed import Observed

SETTINGS = GammaSettings(precision=0.05, replicates=200)


def campaign(seed: int, n_annotators: int = 4, n_documents: int = 8) -> list[Continuum]:
    """Annotators who leave out and confuse units at rates of their own."""
    rng = np.random.default_rng(seed)
    left_out, confused = rng.beta(1, 4, (2, n_annotators))
    continua = []
    for _ in range(n_documents):
        ends = np.cumsum(rng.integers(6, 25, 7))
        truth = rng.integers(0, 3, 7)
        owner, unit = np.nonzero(rng.random((n_annotators, 7)) >= left_out[:, None])
        categories = truth[unit]
        wrong = rng.random(unit.size) < confused[owner]
        categories[wrong] = rng.integers(0, 3, wrong.sum())
        continua.append(
            Continuum(
                ends[unit] - 5.0,
                ends[unit].astype(float),
                categories,
                owner,
                tuple("abcdefgh"[:n_annotators]),
                tuple("xyz"),
                length=float(ends[-1]) + 5,
            )
        )
    return continua


def measured(continua: list[Continuum], settings: GammaSettings = SETTINGS) -> GammaResult:
    return gamma(continua, GAMMA_2015, settings)


def test_the_variance_is_that_of_documents_and_the_jackknife_of_annotators():
    continua = campaign(1)
    found = measured(continua)
    value = gamma_for_new_annotators(found.corpus, continua, found.expected, GAMMA_2015, SETTINGS)
    precise = replace(SETTINGS, precision=0.005, replicates=0)
    without = [one.value for one in gamma_without_each(continua, settings=precise).values()]
    of_annotators = 3 / 4 * ((np.array(without) - np.mean(without)) ** 2).sum()
    assert value.detail.standard_error_annotators == pytest.approx(
        math.sqrt(of_annotators), rel=0.1
    )
    assert value.interval[0] < found.corpus.interval[0]
    assert value.interval[1] > found.corpus.interval[1]
    assert value.value == found.corpus.value
    assert value.how.interval is not None
    assert value.how.interval.over == "documents and annotators"
    assert value.is_for_new_annotators
    assert not found.corpus.is_for_new_annotators


def test_annotators_who_do_the_same_have_an_error_of_documents_only():
    """Samples of chance differ between the values, but what they add is subtracted."""
    continua = campaign(2, n_annotators=1)
    alike = [
        Continuum(
            np.tile(one.starts, 4),
            np.tile(one.ends, 4),
            np.tile(one.categories, 4),
            np.repeat(np.arange(4), one.n_units),
            tuple("abcd"),
            one.tagset,
            length=one.length,
        )
        for one in continua
    ]
    moved = [replace(one, starts=one.starts - (one.owners == 0)) for one in alike]
    found = measured(moved)
    value = gamma_for_new_annotators(found.corpus, moved, found.expected, GAMMA_2015, SETTINGS)
    assert value.detail.standard_error_annotators < 0.02


@pytest.mark.long
def test_the_predicted_noise_is_the_variance_over_seeds_and_less_than_without_shared_seeds():
    continua, n_seeds, n_annotators = campaign(3, n_annotators=4), 60, 4
    parts = documents_without_each(continua)
    few = replace(SETTINGS, processes=("random2",), min_samples=30, max_samples=30)
    values, predicted = np.zeros((n_seeds, n_annotators)), []
    for seed in range(n_seeds):
        settings = replace(few, seed=seed)
        found = measured(continua, settings)
        value = gamma_for_new_annotators(
            found.corpus, continua, found.expected, GAMMA_2015, settings
        )
        predicted.append(float(value.detail.chance_noise) ** 2)
        none = replace(settings, replicates=0)
        values[seed] = [measured(part, none).corpus.value for part in parts]
    centred = values - values.mean(axis=1, keepdims=True)
    over_seeds = (n_annotators - 1) / n_annotators * centred.var(axis=0, ddof=1).sum()
    assert np.mean(predicted) == pytest.approx(over_seeds, rel=0.4)
    apart = (n_annotators - 1) ** 2 / n_annotators * values.var(axis=0, ddof=1).mean()
    assert over_seeds < 0.9 * apart


def test_the_noise_is_what_few_shared_samples_add_to_the_jackknife_of_annotators():
    """Four samples, which the values without each of three annotators share in part.

    Over many draws of the samples, the mean of the noise is the mean of what they add to the
    variance of the jackknife, (A − 1)/A Σ (value without a − mean)², if the values do not differ.
    """
    rng, n_samples, n_annotators, n_draws = np.random.default_rng(4), 4, 3, 2500
    shared = rng.normal(0, 1, (n_draws, n_samples, 1))
    own = rng.normal(0, 0.7, (n_draws, n_samples, n_annotators))
    totals = 5 + shared + own
    counts = Observed(np.array([8.0]), np.array([2.0]), np.array([2]), np.array([4]), np.zeros(1))
    slope, added, predicted = 0.3, [], []
    for draw in totals:
        moves, values = [], []
        for of_value in draw.T:
            rows = np.column_stack([of_value, np.ones(n_samples), np.zeros(n_samples)])
            chance = ExpectedDisorder(
                (ChanceSample("shuffle", 2, rows),), {2: 2.0}, "shuffle", 0.01
            )
            moves.append(_moves_of_samples(counts, chance, slope))
            values.append(slope * 2.0 * chance.value)  # to first order, with a weight of 2
        jackknife = (n_annotators - 1) / n_annotators * ((values - np.mean(values)) ** 2).sum()
        added.append(jackknife)
        predicted.append(_noise(moves))
    assert np.mean(predicted) == pytest.approx(np.mean(added), rel=0.08)


def test_the_interval_has_both_variances_and_satterthwaites_degrees_of_freedom():
    """Nine documents and four annotators, by the formulas of the definition."""
    documents = Detail(n_documents=11, n_documents_without_units=2)
    value = Estimate("u_alpha", 0.6, interval=(0.5, 0.7), detail=documents)
    without = np.array([0.45, 0.62, 0.66, 0.67])
    of_annotators = 3 / 4 * ((without - without.mean()) ** 2).sum()
    of_documents = (0.1 / stats.t.ppf(0.975, 8)) ** 2
    df = (of_annotators + of_documents) ** 2 / (of_annotators**2 / 3 + of_documents**2 / 8)
    half = stats.t.ppf(0.975, math.floor(df)) * math.sqrt(of_annotators + of_documents)
    found = widen_unit_interval(value, without)
    assert found.interval == pytest.approx((0.6 - half, min(0.6 + half, 1.0)))
    assert 0.6 + half > 1  # the largest value of the measure
    assert found.detail.standard_error_annotators == pytest.approx(math.sqrt(of_annotators))
    less = widen_unit_interval(value, without, noise=of_annotators / 2)
    assert less.detail.standard_error_annotators == pytest.approx(math.sqrt(of_annotators / 2))
    near_1 = replace(value, value=0.95, interval=(0.85, 0.99))
    assert widen_unit_interval(near_1, without, within=(-math.inf, 1.0)).interval[1] == 1.0


def test_an_interval_for_new_annotators_is_never_narrower_than_that_over_documents():
    """An asymmetric interval near 1, and annotators who do not differ."""
    value = Estimate("u_alpha", 0.99, interval=(0.8, 0.999), detail=Detail(n_documents=9))
    found = widen_unit_interval(value, np.full(5, 0.99), within=(-math.inf, 1.0))
    assert found.interval[0] == 0.8
    assert found.interval[1] >= 0.999


def test_fewer_than_three_annotators_are_no_sample():
    continua = campaign(4, n_annotators=2)
    found = measured(continua)
    value = gamma_for_new_annotators(found.corpus, continua, found.expected, GAMMA_2015, SETTINGS)
    assert math.isnan(value.interval[0])
    assert "3 annotators" in str(value.detail.interval_reason)


def test_an_annotator_without_whom_nothing_is_compared_is_named_as_the_cause():
    """Each document has two annotators, one of them always the same."""
    continua = [
        replace(one, annotators=("a", "bcd"[d % 3]), roles=())
        for d, one in enumerate(campaign(5, n_annotators=2))
    ]
    found = measured(continua)
    value = gamma_for_new_annotators(found.corpus, continua, found.expected, GAMMA_2015, SETTINGS)
    assert math.isnan(value.interval[0])
    assert "without one of them" in str(value.detail.interval_reason)


def test_of_very_many_annotators_groups_are_left_out():
    [one] = campaign(6, n_annotators=2, n_documents=1)
    crowd = [replace(one, annotators=(f"p{2 * d}", f"p{2 * d + 1}"), roles=()) for d in range(150)]
    parts = documents_without_each(crowd)
    assert len(parts) == 100
    left_out = sum(300 - len({n for c in part for n in c.annotators}) for part in parts)
    assert left_out == 300
