"""Revolving door, votes and coefficients of every subset, and the distribution made of them."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.measures import COEFFICIENTS as MEASURED
from accordeur.metrics.measures import USUAL
from accordeur.metrics.resampling.majority import TIES
from accordeur.metrics.resampling.subsets import subset_distribution as module
from accordeur.metrics.resampling.subsets.modification_rate import modification_rate
from accordeur.metrics.resampling.subsets.revolving_door import next_subset, subset_at_rank
from accordeur.metrics.resampling.subsets.subset_coefficients import (
    coefficients_in_order,
    coefficients_of_subsets,
    counts_for_subsets,
)
from accordeur.metrics.resampling.subsets.subset_distribution import (
    plan_parts,
    prepare_subset_work,
    total_of_part,
)
from accordeur.metrics.resampling.subsets.subset_totals import (
    BINS,
    coefficient_bin,
    collect_distribution,
)
from accordeur.metrics.resampling.subsets.subset_votes import (
    modified_items_in_order,
    modified_items_of_subsets,
    vote_rows,
)
from tests.metrics.resampling.whole_distribution import subset_distribution


def _subset(rank: int, n: int, k: int) -> np.ndarray:
    members = np.zeros(k + 1, np.int64)
    subset_at_rank(rank, n, members)
    return members


@pytest.mark.parametrize("n", range(1, 9))
def test_the_door_passes_every_subset_once_changing_one_member(n):
    for k in range(1, n + 1):
        members = _subset(0, n, k)
        seen = {tuple(members[:k].tolist())}
        for rank in range(1, math.comb(n, k)):
            before = set(members[:k].tolist())
            leaves, enters = divmod(next_subset(members), 256)
            assert before - {leaves} | {enters} == set(members[:k].tolist())
            assert (members == _subset(rank, n, k)).all()
            seen.add(tuple(members[:k].tolist()))
        assert seen == set(combinations(range(n), k))


def test_ranks_far_away():
    last = _subset(math.comb(60, 30) - 1, 60, 30)[:30]
    assert (np.diff(last) > 0).all()
    assert last[-1] == 59


def _noisy(campaign, n, n_items, n_categories, *, missing=0.0, seed=0):
    rng = np.random.default_rng(seed)
    base = rng.integers(0, n_categories, n_items)
    lot = rng.integers(0, n_categories, (n_items, n))
    codes = np.where(rng.random((n_items, n)) < 0.5, base[:, None], lot)
    codes[rng.random((n_items, n)) < missing] = -1
    return campaign(codes, n_categories)


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("missing", [0.0, 0.4])
@pytest.mark.parametrize("n_categories", [2, 3, 5, 9])
def test_votes_of_all_subsets_have_the_exact_mean(campaign, ties, missing, n_categories):
    n = 8
    matrix = _noisy(campaign, n, 60, n_categories, missing=missing, seed=n_categories)
    values = np.arange(n_categories) ** 1.5
    exact = modification_rate(
        matrix, ties=ties, values=values, ks=range(1, n + 1), draw="annotators", n_replicates=0
    )
    rows = vote_rows(matrix, ties=ties, values=values)
    for q, k in enumerate(exact.k.tolist()):
        modified, compared = modified_items_in_order(rows, k, first=0, count=math.comb(n, k))
        assert modified.mean() == pytest.approx(exact.modified[q], abs=1e-10)
        assert compared.mean() == pytest.approx(exact.compared[q], abs=1e-10)
        listed = np.array(list(combinations(range(n), k)))
        again, _ = modified_items_of_subsets(rows, listed)
        assert np.sort(again) == pytest.approx(np.sort(modified), abs=1e-10)


def test_ranges_of_ranks_join(campaign):
    rows = vote_rows(_noisy(campaign, 10, 70, 4), ties="random", values=np.arange(4.0))
    whole, _ = modified_items_in_order(rows, 4, first=0, count=210)
    parts = [modified_items_in_order(rows, 4, first=f, count=35)[0] for f in range(0, 210, 35)]
    assert (np.concatenate(parts) == whole).all()


@pytest.mark.parametrize("name", ["conger_kappa", "fleiss_kappa", "krippendorff_alpha"])
@pytest.mark.parametrize("missing", [0.0, 0.3, 0.7])
def test_coefficients_are_those_of_metrics_agreement(campaign, name, missing):
    matrix = _noisy(campaign, 6, 30, 4, missing=missing, seed=5)
    squares = np.subtract.outer(np.arange(4.0), np.arange(4.0)) ** 2 / 9
    weighted = {"conger_kappa": "weighted_kappa", "fleiss_kappa": "weighted_pi"}.get(name, name)
    for distance, measure in ((None, name), (squares, weighted)):
        rows = counts_for_subsets(matrix, coefficient=name, distance=distance)
        # weighted κ of two annotators is Cohen's, of the items that both labelled
        for k in (3, 6) if missing and measure == "weighted_kappa" else (2, 3, 6):
            listed = list(combinations(range(6), k))
            expected = [
                compute_coefficient(
                    measure,
                    matrix.select_annotators(subset),
                    distance="nominal" if distance is None else distance,
                ).value
                for subset in listed
            ]
            found = coefficients_of_subsets(rows, np.array(listed))
            assert found == pytest.approx(np.array(expected), abs=1e-12, nan_ok=True)
            in_order = coefficients_in_order(rows, k, first=0, count=len(listed))
            assert np.sort(in_order) == pytest.approx(np.sort(found), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", sorted(MEASURED))
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_every_coefficient_and_distance_of_subsets_is_that_of_their_labels(campaign, name, missing):
    matrix = _noisy(campaign, 6, 30, 4, missing=missing, seed=5)
    matrix = replace(matrix, tagset=("1", "2", "4", "9"))
    distances = ["nominal", "ordinal", "interval"] if MEASURED[name].weighted else ["nominal"]
    for distance in distances:
        rows = counts_for_subsets(matrix, coefficient=name, distance=distance)
        for k in (1, 2, 4):
            listed = list(combinations(range(6), k))
            expected = [
                compute_coefficient(name, matrix.select_annotators(one), distance=distance).value
                for one in listed
            ]
            found = coefficients_of_subsets(rows, np.array(listed))
            assert found == pytest.approx(np.array(expected), abs=1e-9, nan_ok=True)


def test_the_usual_coefficients_are_products_of_matrices(campaign):
    matrix = _noisy(campaign, 6, 30, 4)
    fast = {one for one in USUAL if counts_for_subsets(matrix, coefficient=one).is_fast}
    assert fast == {*USUAL}
    for slow, distance in (("aickin_alpha", None), ("krippendorff_alpha", "ordinal")):
        assert not counts_for_subsets(matrix, coefficient=slow, distance=distance).is_fast


def test_distribution_of_every_subset_by_hand(campaign):
    matrix = _noisy(campaign, 7, 30, 3, seed=9)
    result = subset_distribution(matrix, ks=[3], probabilities=(0.0, 0.5, 1.0))
    rows = vote_rows(matrix, ties="random", values=np.arange(3.0))
    rate = modified_items_in_order(rows, 3, first=0, count=35)[0] / 30
    assert result.n_subsets.tolist() == [35]
    assert result.enumerated.all()
    assert result.mean[0] == pytest.approx(rate.mean())
    assert result.sd[0] == pytest.approx(rate.std())
    expected = [rate.min(), np.sort(rate)[17], rate.max()]
    assert result.quantiles[0] == pytest.approx(expected, abs=1 / 1800)
    assert result.worst[0] == pytest.approx(rate.max())
    worst = modified_items_of_subsets(rows, np.array([result.worst_members[0]]))[0] / 30
    assert worst[0] == pytest.approx(rate.max())


def test_mean_over_subsets_is_the_exact_rate(campaign):
    matrix = _noisy(campaign, 11, 50, 4, missing=0.2, seed=3)
    for ties in TIES:
        spread = subset_distribution(matrix, ties=ties, ordered=True)
        exact = modification_rate(matrix, ties=ties, ordered=True, n_replicates=0)
        assert spread.rate == pytest.approx(exact.rate, abs=1e-12)


def test_bins_hold_every_subset_by_its_own_coefficient(emotion):
    result = subset_distribution(emotion, ks=[3], coefficient="conger_kappa")
    assert result.bin_n.sum() == math.comb(25, 3)
    used = np.nonzero(result.bin_n[0])[0]
    centre = result.bin_edges[used] + 0.025
    mean = (result.bin_n[0, used] * centre).sum() / result.bin_n.sum()
    assert mean == pytest.approx(result.coefficient_mean[0], abs=0.02)
    weighted = (result.bin_n[0, used] * result.bin_mean[0, used]).sum() / result.bin_n.sum()
    assert weighted == pytest.approx(result.mean[0])


def test_bin_edges():
    found = coefficient_bin(np.array([-1.5, -1.0, 0.0, 0.049, 0.05, 0.15, 1.0, np.nan]))
    assert BINS[found[:-1]].tolist() == [-1.0, -1.0, 0.0, 0.0, 0.05, 0.15, 1.0]
    assert found[-1] == -1


def test_sampling_is_seeded_and_near_the_exact_rate(emotion):
    sampled = {"ks": [5, 12], "most": 10, "samples": 4000}
    a = subset_distribution(emotion, **sampled, seed=1)
    assert not a.enumerated.any()
    exact = modification_rate(emotion, ks=[5, 12], n_replicates=0).rate
    assert a.rate == pytest.approx(exact, abs=5 * a.sd.max() / math.sqrt(4000))
    assert (subset_distribution(emotion, **sampled, seed=1).quantiles == a.quantiles).all()
    assert not (subset_distribution(emotion, **sampled, seed=2).mean == a.mean).all()


def test_more_annotators_than_ranks_can_hold_are_sampled(campaign):
    matrix = _noisy(campaign, 80, 20, 3)
    result = subset_distribution(matrix, ks=[2], samples=50)
    assert not result.enumerated.any()


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_the_same_on_any_number_of_threads(campaign, monkeypatch, threads):
    monkeypatch.setattr(module, "PART", 100)
    matrix = _noisy(campaign, 12, 40, 4, seed=8)
    one = subset_distribution(matrix, threads=1)
    other = subset_distribution(matrix, threads=threads)
    for name in ("rate", "mean", "sd", "quantiles", "worst", "coefficient_sd", "bin_mean"):
        assert np.array_equal(getattr(one, name), getattr(other, name), equal_nan=True)
    assert one.worst_members == other.worst_members


def test_parts_collected_in_any_order(campaign, monkeypatch):
    monkeypatch.setattr(module, "PART", 64)
    matrix = _noisy(campaign, 10, 40, 4)
    work = prepare_subset_work(matrix, ties="random", coefficient="fleiss_kappa")
    parts = plan_parts(10, np.arange(2, 10), most=1000, samples=0)
    totals = [total_of_part(work, part) for part in parts]
    a = collect_distribution(totals, probabilities=(0.5,))
    b = collect_distribution(totals[::-1], probabilities=(0.5,))
    assert (a.mean == b.mean).all()
    assert a.n_subsets.tolist() == [math.comb(10, k) for k in range(2, 10)]


def test_unlabelled_items_and_unknown_coefficients(campaign):
    empty = subset_distribution(campaign([[-1, -1, -1]] * 3, 2))
    assert np.isnan(empty.mean).all()
    assert np.isnan(empty.quantiles).all()
    with pytest.raises(MetricsError, match="unknown coefficient 'gamma'; known: percent_agreement"):
        subset_distribution(campaign([[0, 1, 0]], 2), coefficient="gamma")
    with pytest.raises(MetricsError, match="counts up to 255"):
        subset_distribution(campaign(np.zeros((1, 300)), 2), ks=[2])
