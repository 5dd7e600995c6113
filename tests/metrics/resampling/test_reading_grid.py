"""Shuffled corpora, curves of alignment measures, the inverse reading."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.resampling.grids.alignment_measures import AlignmentMeasure
from accordeur.metrics.resampling.grids.corpus_shuffling import (
    DEGRADATIONS,
    degrade,
    perfect_units,
    shuffled_continuum,
)
from accordeur.metrics.resampling.grids.perfect_campaign import (
    perfect_campaign_of,
    uniform_campaign,
)
from accordeur.metrics.resampling.grids.reading_grid import curve_of_values, grid_trial, read_value

MODEL = uniform_campaign(categories=("A", "B", "C"))


def _degraded(kind, magnitude, *, seed=0, model=MODEL):
    rng = np.random.default_rng(seed)
    perfect = perfect_units(model, rng)
    return perfect, degrade(perfect, kind, magnitude, model=model, rng=rng)


@given(
    kind=st.sampled_from(tuple(DEGRADATIONS)),
    magnitude=st.floats(0, 1),
    seed=st.integers(0, 1000),
    overlapping=st.booleans(),
)
@settings(max_examples=80)
def test_units_stay_units_of_the_document(kind, magnitude, seed, overlapping):
    model = uniform_campaign(categories=("A", "B"), overlapping=overlapping)
    scale = 4.0 if kind == "shift" else 1.0
    perfect, units = _degraded(kind, scale * magnitude, seed=seed, model=model)
    for made in (perfect, units):
        assert (made.starts < made.ends).all()
        assert (made.starts >= 0).all()
        assert (made.ends <= model.length + 1e-6).all()
        assert ((made.categories >= 0) & (made.categories < 2)).all()
    if not overlapping:
        order = np.argsort(perfect.starts)
        assert (perfect.starts[order][1:] >= perfect.ends[order][:-1] - 1e-6).all()


@pytest.mark.parametrize("kind", DEGRADATIONS)
def test_magnitude_0_changes_nothing(kind):
    perfect, units = _degraded(kind, 0.0)
    order = np.argsort(units.starts)
    assert units.starts[order] == pytest.approx(np.sort(perfect.starts))
    assert units.ends[order] == pytest.approx(np.sort(perfect.ends))


def test_what_each_degradation_does():
    n = MODEL.n_units
    perfect, shifted = _degraded("shift", 0.5)
    reach = 0.25 * (perfect.ends - perfect.starts) + 1e-9
    within = (np.abs(shifted.starts - perfect.starts) <= reach) & (
        np.abs(shifted.ends - perfect.ends) <= reach
    )
    slid = (shifted.starts == 0) | (shifted.ends > MODEL.length - 1e-6)
    assert (within | slid).all()
    assert slid.sum() <= 2
    assert (shifted.starts != perfect.starts).all()
    assert _degraded("omission", 1.0)[1].starts.size == 0
    left = np.mean([_degraded("omission", 0.3, seed=s)[1].starts.size for s in range(200)])
    assert left == pytest.approx(0.7 * n, rel=0.03)
    # false positives are really added: the perfect units are all still there
    perfect, more = _degraded("false_positives", 1.0)
    assert more.starts.size == 2 * n
    assert set(perfect.starts.tolist()) <= set(more.starts.tolist())
    perfect, other = _degraded("category", 1.0)
    assert (other.categories != perfect.categories).all()
    perfect, cut = _degraded("split", 1.0)
    assert cut.starts.size == 2 * n
    assert (cut.ends - cut.starts).sum() == pytest.approx((perfect.ends - perfect.starts).sum())
    perfect, joined = _degraded("merge", 1.0)
    assert joined.starts.size == math.ceil(n / 2)
    assert set(joined.starts.tolist()) <= set(perfect.starts.tolist())


def test_first_annotator_stays_perfect_as_in_2011():
    rng = np.random.default_rng(0)
    continuum = shuffled_continuum(MODEL, {"omission": 1.0}, rng=rng)
    assert continuum.n_annotators == 3
    assert np.bincount(continuum.owners, minlength=3).tolist() == [25, 0, 0]
    everyone = shuffled_continuum(MODEL, {"omission": 1.0}, n_perfect=0, n_annotators=4, rng=rng)
    assert everyone.n_units == 0
    both = shuffled_continuum(MODEL, {"split": 1.0, "omission": 0.5}, rng=rng)
    assert both.n_units > 25


def test_model_of_a_users_own_units():
    continuum = Continuum(
        starts=np.array([0.0, 10, 0, 30]), ends=np.array([10.0, 30, 12, 31]),
        categories=np.array([0, 1, 0, -1]), owners=np.array([0, 0, 1, 1]),
        annotators=("x", "y"), tagset=("A", "B"), length=100.0,
    )  # fmt: skip
    model = perfect_campaign_of([continuum, continuum])
    assert sorted(model.lengths.tolist()) == [1, 1, 10, 10, 12, 12, 20, 20]
    assert (model.n_units, model.length, model.overlapping) == (2, 100.0, False)
    nested = Continuum(
        starts=np.array([0.0, 2]), ends=np.array([10.0, 5]), categories=np.array([0, 0]),
        owners=np.array([0, 0]), annotators=("x", "y"), tagset=("A",), length=20.0,
    )  # fmt: skip
    assert perfect_campaign_of([nested]).overlapping
    units = perfect_units(perfect_campaign_of([nested]), np.random.default_rng(0))
    assert set((units.ends - units.starts).round(6).tolist()) <= {3.0, 10.0}


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: _degraded("blur", 0.1), "must be one of shift"),
        (lambda: _degraded("omission", 1.5), r"must lie in \[0, 1\]"),
        (lambda: _degraded("category", 0.1, model=uniform_campaign()), "at least two categories"),
        (lambda: uniform_campaign(coverage=0), "coverage"),
        (lambda: shuffled_continuum(MODEL, {}, n_annotators=1, rng=np.random.default_rng()), "two"),
        (
            lambda: shuffled_continuum(MODEL, {"blur": 0.1}, rng=np.random.default_rng()),
            "must be one of shift",
        ),
        (lambda: perfect_campaign_of([]), "no document has a unit"),
        (lambda: AlignmentMeasure("delta"), "must be one of gamma"),
        (lambda: curve_of_values("shift", [0.5, 0.1], np.zeros((2, 3))), "in increasing order"),
        (lambda: curve_of_values("shift", [0, 1], np.zeros((2, 3)), level=1.5), "level is 1.5"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(MetricsError, match=sentence):
        call()


def _coverage(continua):
    """A measure without an engine: units found by the others, over those of the first."""
    return float(np.mean([(c.owners > 0).sum() / 2 / (c.owners == 0).sum() for c in continua]))


def test_a_curve_and_its_inverse(reading_curve):
    curve = reading_curve(_coverage, MODEL, "omission", trials=200, magnitudes=(0, 0.2, 0.5, 1))
    assert curve.mean == pytest.approx([1, 0.8, 0.5, 0], abs=0.02)
    assert (curve.interval[1:3, 0] < curve.mean[1:3]).all()
    assert (curve.band[1:3, 0] < curve.interval[1:3, 0]).all()
    reading = read_value(curve, 0.65)
    assert reading.magnitude == pytest.approx(0.35, abs=0.02)
    assert reading.interval[0] < 0.35 < reading.interval[1]
    assert read_value(curve, 1.0).magnitude == 0.0
    below = read_value(curve, -0.1)
    assert math.isnan(below.magnitude)
    assert str(below.reason).startswith("below the whole curve")
    assert math.isnan(read_value(curve, math.nan).magnitude)


def test_a_curve_out_of_order_is_read_through_its_nearest_decreasing_one():
    values = np.repeat(np.array([[1.0], [0.4], [0.6], [0.2]]), 5, axis=1)
    curve = curve_of_values("shift", [0, 1, 2, 3], values)
    assert read_value(curve, 0.75).magnitude == pytest.approx(0.5)
    assert read_value(curve, 0.35).magnitude == pytest.approx(2.5)


def test_undefined_trials_are_counted():
    values = np.array([[1.0, np.nan], [np.nan, np.nan]])
    curve = curve_of_values("omission", [0, 1], values)
    assert curve.n_undefined.tolist() == [1, 2]
    assert np.isnan(curve.mean[1])
    assert str(read_value(curve, 0.5).reason) == "the curve has no two points"


def test_trials_have_their_own_seeds():
    draw = {"study": "s", "trial": 4}
    assert grid_trial(_coverage, MODEL, "omission", 0.3, **draw) == grid_trial(
        _coverage, MODEL, "omission", 0.3, **draw
    )
    others = {grid_trial(_coverage, MODEL, "omission", 0.3, study="s", trial=t) for t in range(9)}
    assert len(others) > 3


def test_agreement_of_2011_equals_omissions_of_46_percent(reading_curve):
    # Mathet & Widlöcher 2011, 6.2: on their grid an agreement of .37 is that of annotators who
    # omit 46 % of the units (25 random units, 3 annotators, one of them perfect)
    measure = AlignmentMeasure("holistic", processes=("random1",))
    model = uniform_campaign(overlapping=True)
    curve = reading_curve(measure, model, "omission", trials=20, magnitudes=(0, 0.25, 0.5, 0.75, 1))
    assert curve.mean[0] == pytest.approx(1.0)
    assert read_value(curve, 0.37).magnitude == pytest.approx(0.46, abs=0.04)


def test_gamma_falls_with_every_degradation(reading_curve):
    measure = pickle.loads(pickle.dumps(AlignmentMeasure(precision=0.05)))
    for kind in DEGRADATIONS:
        curve = reading_curve(measure, MODEL, kind, trials=6, magnitudes=(0, 0.3, 0.9))
        assert curve.mean[0] == pytest.approx(1.0)
        assert (np.diff(curve.mean) < 0).all() or kind in {"split", "merge"}
        assert (curve.mean[1:] < 1).all()


@pytest.mark.parametrize("name", ["soft_gamma", "holistic", "alpha_u", "u_alpha", "u_alpha_binary"])
def test_other_measures_fall_with_omissions(name, reading_curve):
    measure = AlignmentMeasure(name, precision=0.05)
    curve = reading_curve(measure, MODEL, "omission", trials=5, magnitudes=(0, 0.4, 0.8))
    assert curve.mean[0] == pytest.approx(1.0)
    assert (np.diff(curve.mean) < 0).all()
    assert (curve.n_undefined == 0).all()


@pytest.mark.parametrize("name", ["gamma_cat", "cu_alpha"])
def test_measures_of_categories_see_categories_alone(name, reading_curve):
    measure = AlignmentMeasure(name)
    curve = reading_curve(measure, MODEL, "category", trials=5, magnitudes=(0, 0.4))
    assert curve.mean[0] == pytest.approx(1.0)
    assert curve.mean[1] < 0.7
    omitted = reading_curve(measure, MODEL, "omission", trials=5, magnitudes=(0, 0.4))
    assert omitted.mean[1] == pytest.approx(1.0)


def test_overlaps_have_no_alpha_and_are_counted(reading_curve):
    curve = reading_curve(
        AlignmentMeasure("u_alpha"), MODEL, "false_positives", trials=5, magnitudes=(0, 1)
    )
    assert curve.n_undefined.tolist() == [0, 5]


def test_a_curve_that_rises_again_is_read_off_up_to_its_lowest_point():
    """Two categories and nobody perfect: who errs everywhere agrees with all others."""
    rng = np.random.default_rng(0)
    means = np.array([1.0, 0.64, 0.55, 0.66, 1.0])
    curve = curve_of_values(
        "category", [0, 0.3, 0.5, 0.7, 1], means[:, None] + rng.normal(0, 0.02, (5, 30))
    )
    assert curve.rises_from == 0.5
    assert read_value(curve, 0.8).magnitude == pytest.approx(0.17, abs=0.02)
    assert read_value(curve, 0.3).reason is not None
    falling = curve_of_values(
        "omission", [0, 0.5, 1], means[:3, None] + rng.normal(0, 0.02, (3, 30))
    )
    assert math.isnan(falling.rises_from)
