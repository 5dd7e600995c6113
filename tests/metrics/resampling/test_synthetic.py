"""Synthetic annotators, their trials, campaigns changed in one respect."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.bootstrap import trial_seed
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.resampling.subsets.modification_rate import modification_rate
from accordeur.metrics.resampling.synthetic.changed_campaigns import (
    merge_categories,
    swap_prevalence,
)
from accordeur.metrics.resampling.synthetic.synthetic_annotators import (
    ItemProfile,
    Synthesis,
    item_profile,
    set_unanimous_share,
    synthetic_labels,
)
from accordeur.metrics.resampling.synthetic.trials import (
    bin_rates,
    join_trials,
    run_synthetic_trials,
)

OPTIONS = [
    Synthesis(),
    Synthesis(spread="independent"),
    Synthesis(spread="widest", p2=(0.2, 0.4)),
    Synthesis(wrong_class="observed"),
    Synthesis(influence=2.0),
    Synthesis(influence=0.0),
    Synthesis(generator="random_order"),
    Synthesis(generator="annotator_by_annotator"),
    Synthesis(generator="item_by_item"),
]


def test_profile_by_hand(campaign):
    profile = item_profile(campaign([[0, 0, 1, 2], [1, 1, 1, 1], [-1, -1, -1, -1]], 3))
    assert profile.reference.tolist() == [0, 1]
    assert profile.p1.tolist() == [0.5, 0.0]
    assert profile.wrong.tolist() == [[0, 0.5, 0.5], [0, 0, 0]]
    assert profile.n_left_out == 1


def test_a_tied_majority_is_drawn_once_by_the_seed(campaign):
    matrix = campaign([[0, 0, 1, 1]] * 400, 2)
    drawn = item_profile(matrix, seed=3).reference
    assert (drawn == item_profile(matrix, seed=3).reference).all()
    assert 150 < drawn.sum() < 250
    assert item_profile(campaign([[0, 1], [1, 1]], 2), ties="abstain").n_left_out == 1


@pytest.mark.parametrize("synthesis", OPTIONS)
def test_labels_are_complete_and_seeded(emotion, synthesis):
    profile = item_profile(emotion)
    codes = synthetic_labels(profile, synthesis, np.random.default_rng(1))
    assert codes.shape == (120, 9)
    assert codes.dtype == np.int32
    assert codes.min() >= 0
    assert codes.max() <= 4
    assert (codes == synthetic_labels(profile, synthesis, np.random.default_rng(1))).all()


@given(p2=st.floats(0, 1), seed=st.integers(0, 100))
@settings(max_examples=30)
def test_every_annotator_makes_p2_errors(p2, seed):
    rng = np.random.default_rng(seed)
    profile = ItemProfile(
        rng.integers(0, 3, 50), np.where(rng.random(50) < 0.5, 0, 0.4), np.zeros((50, 3)),
        ("a", "b", "c"),
    )  # fmt: skip
    codes = synthetic_labels(profile, Synthesis(p2=(p2, p2)), rng)
    n_errors = (codes != profile.reference[:, None]).sum(axis=0)
    assert (n_errors == round(p2 * 50)).all()
    # items without errors are touched only when the others are used up
    if round(p2 * 50) <= (profile.p1 > 0).sum():
        assert (codes == profile.reference[:, None])[profile.p1 == 0].all()


def test_errors_fall_in_proportion_to_p1():
    profile = ItemProfile(
        np.zeros(40, np.int64), np.tile([0.1, 0.3], 20), np.zeros((40, 2)), ("a", "b")
    )
    rng = np.random.default_rng(0)
    share = np.mean(
        [synthetic_labels(profile, Synthesis(p2=(0.025, 0.025)), rng) for _ in range(800)],
        axis=(0, 2),
    )  # one error an annotator: the first draw is exactly proportional
    assert share[1::2].sum() == pytest.approx(0.75, abs=0.03)
    even = Synthesis(p2=(0.025, 0.025), influence=0.0)
    share = np.mean([synthetic_labels(profile, even, rng) for _ in range(800)], axis=(0, 2))
    assert share[1::2].sum() == pytest.approx(0.5, abs=0.03)


def test_observed_errors_are_those_seen_on_the_item(campaign):
    profile = item_profile(campaign([[0, 0, 0, 1, 1, 3], [2, 2, 2, 2, 0, 0]], 4))
    synthesis = Synthesis(p2=(1, 1), wrong_class="observed", n_annotators=3000)
    codes = synthetic_labels(profile, synthesis, np.random.default_rng(0))
    assert set(codes[0].tolist()) == {1, 3}
    assert (codes[0] == 1).mean() == pytest.approx(2 / 3, abs=0.04)
    assert set(codes[1].tolist()) == {0}
    uniform = Synthesis(p2=(1, 1), n_annotators=3000)
    codes = synthetic_labels(profile, uniform, np.random.default_rng(0))
    assert set(codes[1].tolist()) == {0, 1, 3}


def test_older_generators_fill_in_their_order():
    profile = ItemProfile(
        np.zeros(30, np.int64), np.zeros(30), np.zeros((30, 9)), tuple("abcdefghi")
    )
    rng = np.random.default_rng(0)
    by_item = Synthesis(generator="item_by_item", p2=(0.5, 0.5))
    changed = synthetic_labels(profile, by_item, rng) != 0
    assert not changed[15:].any()
    by_annotator = Synthesis(generator="annotator_by_annotator", p2=(1 / 3, 1 / 3))
    changed = synthetic_labels(profile, by_annotator, rng) != 0
    assert not changed[:, 3:].any()
    assert changed[:, :3].mean() == pytest.approx(8 / 9, abs=0.12)


def test_a_trial_is_its_campaign(emotion, campaign):
    profile = item_profile(emotion)
    trials = run_synthetic_trials(profile, Synthesis(), first=40, count=3, study="s", cell="c")
    rng = np.random.default_rng(trial_seed("s", "c", 41))
    matrix = campaign(synthetic_labels(profile, Synthesis(), rng), 5)
    assert trials.values_of("conger_kappa")[1] == pytest.approx(
        compute_coefficient("conger_kappa", matrix).value
    )
    assert trials.values_of("krippendorff_alpha")[1] == pytest.approx(
        compute_coefficient("krippendorff_alpha", matrix).value
    )
    exact = modification_rate(matrix, ks=range(2, 9), n_replicates=0)
    assert trials.k.tolist() == list(range(2, 9))
    assert trials.rate[1] == pytest.approx(exact.rate, abs=1e-12)


def test_weighted_trials_and_ordered_ties(emotion, campaign):
    profile = item_profile(emotion)
    distance = np.abs(np.subtract.outer(np.arange(5), np.arange(5))) / 4
    options = {"ties": "nearest_mean", "ordered": True}
    trials = run_synthetic_trials(
        profile, Synthesis(), count=2, distances=distance, alpha_distance=distance, **options
    )
    codes = synthetic_labels(
        profile, Synthesis(), np.random.default_rng(trial_seed("synthetic", "", 1))
    )
    exact = modification_rate(
        campaign(codes, 5), ks=range(2, 9), distances=distance, n_replicates=0, **options
    )
    assert trials.rate[1] == pytest.approx(exact.weighted, abs=1e-12)
    alpha = compute_coefficient("krippendorff_alpha", campaign(codes, 5), distance=distance).value
    assert trials.values_of("krippendorff_alpha")[1] == pytest.approx(alpha)


@pytest.mark.parametrize("cuts", [[200], [1, 199], [64, 64, 72], [130, 70]])
def test_trials_do_not_depend_on_their_batches(emotion, cuts):
    profile = item_profile(emotion)
    whole = run_synthetic_trials(profile, Synthesis(), count=200)
    firsts = np.concatenate([[0], np.cumsum(cuts)[:-1]])
    parts = [
        run_synthetic_trials(profile, Synthesis(), first=int(f), count=c)
        for f, c in zip(firsts, cuts, strict=True)
    ]
    joined = join_trials(parts[::-1])
    for name in ("trial", "p2", "values", "rate"):
        assert (getattr(whole, name) == getattr(joined, name)).all()


def test_order_of_errors_brackets_the_report(emotion):
    # Brégeon 2018, 3.3.1: at the same κ errors item by item change the reference most, errors
    # annotator by annotator least, errors in random order in between
    rates = {}
    for generator in ("random_order", "annotator_by_annotator", "item_by_item"):
        trials = run_synthetic_trials(
            item_profile(emotion), Synthesis(generator=generator, p2=(0, 1)), count=300
        )
        near = np.abs(trials.values_of("conger_kappa") - 0.5) < 0.05
        rates[generator] = trials.rate[near].mean(axis=0)
    assert (rates["annotator_by_annotator"][1:] < rates["random_order"][1:]).all()
    assert (rates["random_order"] < rates["item_by_item"]).all()


def test_bins():
    rate = np.array([[0.1], [0.2], [0.4], [0.9], [0.5]])
    binned = bin_rates(np.array([0.50, 0.549, 0.55, np.nan, -0.01]), rate)
    at = {round(float(e), 2): b for b, e in enumerate(binned.edges[:-1])}
    assert binned.n[at[0.5]] == 2
    assert binned.mean[at[0.5], 0] == pytest.approx(0.15)
    assert binned.sd[at[0.5], 0] == pytest.approx(np.std([0.1, 0.2], ddof=1))
    assert binned.n[at[0.55]] == 1
    assert np.isnan(binned.sd[at[0.55], 0])
    assert binned.n[at[-0.05]] == 1
    assert np.isnan(binned.mean[at[0.7], 0])
    assert binned.n_undefined == 1
    with pytest.raises(MetricsError, match="multiple"):
        bin_rates(np.zeros(1), np.zeros((1, 1)), width=0.3)


def test_merged_categories_and_swapped_prevalence(campaign):
    matrix = campaign([[0, 1, 4], [4, 4, 3], [2, -1, 2], [4, 4, 4]], 5)
    merged = merge_categories(matrix, {"a": "low", "b": "low", "d": "high", "e": "high"})
    assert merged.tagset == ("low", "c", "high")
    assert merged.codes.tolist() == [[0, 0, 2], [2, 2, 2], [1, -1, 1], [2, 2, 2]]
    with pytest.raises(MetricsError, match="'z' is not one of the categories"):
        merge_categories(matrix, {"z": "low"})
    swapped = swap_prevalence(matrix, 1.0)  # e is most frequent, a the first of the least
    assert swapped.codes.tolist() == [[4, 1, 0], [0, 0, 3], [2, -1, 2], [0, 0, 0]]
    assert (swap_prevalence(matrix, 0.0).codes == matrix.codes).all()


def test_prevalence_leaves_p1_and_the_rate_alone(emotion):
    swapped = swap_prevalence(emotion, 0.5, seed=1)
    assert item_profile(swapped).p1 == pytest.approx(item_profile(emotion).p1)
    a, b = modification_rate(swapped, n_replicates=0), modification_rate(emotion, n_replicates=0)
    assert a.rate == pytest.approx(b.rate, abs=1e-12)


def test_unanimous_share_keeps_the_mean(emotion):
    profile = item_profile(emotion)
    changed = set_unanimous_share(profile, 0.4)
    assert (changed.p1 == 0).mean() >= 0.4
    assert changed.p1.mean() == pytest.approx(profile.p1.mean(), rel=0.02)
    assert changed.p1.max() <= 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"generator": "p3"}, "generator is 'p3'"),
        ({"spread": "wide"}, "spread is 'wide'"),
        ({"wrong_class": "any"}, "wrong_class is 'any'"),
        ({"n_annotators": 1}, "2 or more"),
        ({"p2": (0.5, 0.2)}, r"interval within \[0, 1\]"),
        ({"influence": -1.0}, "0 or more"),
    ],
)
def test_options_are_checked(options, sentence):
    with pytest.raises(MetricsError, match=sentence):
        Synthesis(**options)
