from __future__ import annotations

import math
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy.stats import norm, sem

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.chance.chance_samples import ChanceSample
from accordeur.metrics.chance.corpus import corpus_of_continua
from accordeur.metrics.chance.expected_disorder import (
    expected_disorder,
    mean_units_by_n_annotators,
    sample_disorders,
)
from accordeur.metrics.chance.sample_drawing import PROCESSES
from accordeur.metrics.chance.sample_plan import (
    SampleJob,
    add_samples,
    expected_disorder_of_samples,
    plan_samples,
)
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.options import Chance

D = Dissimilarity()


def test_random2_is_lower_than_random1_where_there_are_regularities(campaign) -> None:
    """Mathet & Widlöcher 2011, section 5.3: 3.48 against 3.76 on their corpus."""
    expected = expected_disorder(
        corpus_of_continua(campaign(12)),
        Chance(processes=("random1", "random2"), precision=0.03),
        dissimilarity=Dissimilarity.sporadic(),
        objective="mean",
        seed=1,
    )
    assert expected.process == "random2"
    assert expected.value_under_process("random2") < 0.7 * expected.value_under_process("random1")
    assert expected.value_under_process("random1") <= 4.0  # Δ∅, the greatest disorder


@pytest.mark.parametrize("n_batches", [1, 2, 7])
def test_the_value_does_not_depend_on_the_batches(n_batches, campaign) -> None:
    corpus = corpus_of_continua(campaign())
    whole = sample_disorders(corpus, SampleJob("random2", 3, 0, 28), dissimilarity=D, study=9)
    size = 28 // n_batches
    parts = [
        sample_disorders(corpus, SampleJob("random2", 3, i, size), dissimilarity=D, study=9)
        for i in range(0, 28, size)
    ]
    np.testing.assert_array_equal(np.concatenate(parts), whole)


def test_the_value_does_not_depend_on_the_workers(campaign) -> None:
    corpus = corpus_of_continua(
        campaign(8, n_units=5) + campaign(5, n_annotators=2, n_units=5, seed=1)
    )
    settings = {"dissimilarity": D, "seed": 4, "chance": Chance(PROCESSES, precision=0.04)}
    alone = expected_disorder(corpus, **settings)
    with ThreadPoolExecutor(3) as pool:
        spread = expected_disorder(corpus, **settings, batch=7, compute=pool.map)
    assert spread.value == alone.value
    assert spread.process == alone.process
    for one, other in zip(alone.samples, spread.samples, strict=True):
        np.testing.assert_array_equal(one.counts, other.counts)


@pytest.mark.parametrize(("n_annotators", "in_threads"), [(2, False), (3, False), (5, True)])
def test_threads_share_what_takes_milliseconds(n_annotators, in_threads, campaign, monkeypatch):
    asked = []

    def spread(work, parts, *, threads):
        asked.append(threads)
        return [work(part) for part in parts]

    monkeypatch.setattr("accordeur.metrics.alignment.batch.map_in_threads", spread)
    monkeypatch.setattr("accordeur.metrics.chance.expected_disorder.available_threads", lambda: 7)
    corpus = corpus_of_continua(campaign(1, n_annotators=n_annotators, n_units=25))
    settings = {"dissimilarity": D, "seed": 1, "chance": Chance(("shuffle",), precision=0.9)}
    expected = expected_disorder(corpus, **settings)
    assert set(asked) == {7 if in_threads else 1}
    assert expected.value == expected_disorder(corpus, **settings, compute=map).value


def test_few_samples_are_held_at_once(campaign, monkeypatch):
    corpus = corpus_of_continua(campaign(3, n_units=25))
    settings = {"dissimilarity": D, "seed": 1, "chance": Chance(("shuffle",), precision=0.9)}
    whole = expected_disorder(corpus, **settings)
    monkeypatch.setattr("accordeur.metrics.chance.expected_disorder._UNITS_TOGETHER", 1)
    by_jobs = expected_disorder(corpus, **settings)
    np.testing.assert_array_equal(whole.samples[0].counts, by_jobs.samples[0].counts)


def test_the_work_can_be_sent_to_another_process(campaign) -> None:
    def elsewhere(function, jobs):
        sent = pickle.dumps((function, list(jobs)))
        received, batches = pickle.loads(sent)
        return [received(job) for job in batches]

    corpus = corpus_of_continua(campaign(5))
    here = expected_disorder(corpus, Chance(precision=0.1), dissimilarity=D, seed=2)
    there = expected_disorder(
        corpus, Chance(precision=0.1), dissimilarity=D, seed=2, compute=elsewhere
    )
    assert here.value == there.value


def test_a_scheduler_can_turn_the_wheel_itself(campaign) -> None:
    corpus = corpus_of_continua(campaign())
    kept: dict = {}
    rounds = 0
    while jobs := plan_samples(
        kept, Chance(precision=0.02), processes=("random2",), annotator_counts=[3], batch=11
    ):
        results = [sample_disorders(corpus, job, dissimilarity=D, study=4) for job in jobs]
        kept = add_samples(kept, jobs, results)
        rounds += 1
    by_hand = expected_disorder_of_samples(
        kept, shares=mean_units_by_n_annotators(corpus), precision=0.02
    )
    whole = expected_disorder(corpus, Chance(precision=0.02), dissimilarity=D, seed=4)
    assert by_hand.value == whole.value
    assert rounds >= 1


def test_samples_are_added_until_the_precision_is_reached(campaign) -> None:
    corpus = corpus_of_continua(campaign())
    loose = expected_disorder(corpus, Chance(precision=0.2), dissimilarity=D, seed=0)
    tight = expected_disorder(corpus, Chance(precision=0.01), dissimilarity=D, seed=0)
    assert loose.n_samples == 30
    assert tight.n_samples > 30
    assert tight.precision <= 0.01
    sample = tight.sample(3)
    assert sample.n_samples_needed(0.01) <= sample.n
    capped = expected_disorder(
        corpus, Chance(precision=0.001, max_samples=50), dissimilarity=D, seed=0
    )
    assert capped.n_samples == 50
    assert capped.precision > 0.001  # and it says so


def test_the_precision_is_that_of_the_mean_over_many_studies(campaign) -> None:
    """About 95 % of studies come within the asked precision of the truth."""
    corpus = corpus_of_continua(campaign(20, n_annotators=2, n_units=4))

    def study(seed: int, precision: float) -> float:
        return expected_disorder(
            corpus, Chance(("random1",), precision), dissimilarity=D, seed=seed
        ).value

    truth = study(1000, 0.01)
    values = [study(seed, 0.08) for seed in range(60)]
    within = np.mean(np.abs(np.array(values) / truth - 1) <= 0.08)
    assert within >= 0.85


def test_the_mean_of_a_sample_by_units_and_by_documents() -> None:
    counts = np.array([[6.0, 2, 0], [4, 4, 0], [0, 0, 0]])
    by_units = ChanceSample("random2", 2, counts)
    assert by_units.mean == pytest.approx(10 / 6)
    equal = ChanceSample("random2", 2, counts, "equal")
    assert equal.mean == pytest.approx((3 + 1) / 2)
    assert equal.disorders.tolist() == [3, 1]
    assert by_units.n == equal.n == 3


def test_the_error_of_equally_weighted_samples_is_that_of_a_mean() -> None:
    disorders = np.random.default_rng(1).gamma(2.0, size=12)
    for weight, weighting in ((2.5, "units"), (2.5, "equal")):
        counts = np.column_stack([disorders * weight, np.full(12, weight), np.zeros(12)])
        sample = ChanceSample("random2", 2, counts, weighting)
        assert sample.standard_error == pytest.approx(sem(disorders))
        assert sample.precision == pytest.approx(norm.ppf(0.975) * sem(disorders) / sample.mean)
        assert sample.sd == pytest.approx(disorders.std(ddof=1))


def test_the_error_of_samples_weighted_by_units_is_that_of_many_studies() -> None:
    """A mean of ratios of sums: the variance over 4,000 studies of 25 samples each."""
    rng = np.random.default_rng(2)
    weights = rng.integers(1, 9, (4000, 25)).astype(np.float64)
    totals = weights * rng.gamma(3.0, size=weights.shape) / np.sqrt(weights)
    samples = [
        ChanceSample("random2", 2, np.column_stack([total, weight, np.zeros(25)]))
        for total, weight in zip(totals, weights, strict=True)
    ]
    means = np.array([one.mean for one in samples])
    squares = np.mean([one.standard_error**2 for one in samples])
    assert squares == pytest.approx(means.var(ddof=1), rel=0.05)


@pytest.mark.parametrize("weighting", ["units", "equal"])
def test_the_error_of_samples_is_close_to_the_jackknifes(weighting) -> None:
    rng = np.random.default_rng(3)
    counts = np.column_stack([rng.gamma(2.0, size=40), rng.integers(4, 7, 40), np.zeros(40)])
    sample = ChanceSample("random2", 2, counts, weighting)
    left_out = np.array(
        [
            ChanceSample("random2", 2, np.delete(counts, k, axis=0), weighting).mean
            for k in range(40)
        ]
    )
    jackknife = np.sqrt(39 / 40 * ((left_out - left_out.mean()) ** 2).sum())
    assert sample.standard_error == pytest.approx(jackknife, rel=0.01)


def test_nothing_varies() -> None:
    sample = ChanceSample("random2", 2, np.tile([2.0, 1, 0], (30, 1)))
    assert sample.precision == 0.0
    assert sample.n_samples_needed(0.01) == 0


def test_a_corpus_without_units_has_no_expected_disorder() -> None:
    documents = [Continuum([], [], [], [], ("a", "b"), ("x",), length=9) for _ in range(3)]
    assert math.isnan(
        expected_disorder(corpus_of_continua(documents), dissimilarity=D, seed=0).value
    )


def test_numbers_of_annotators_have_expectations_of_their_own(campaign) -> None:
    corpus = corpus_of_continua(campaign(8) + campaign(8, n_annotators=2, seed=1))
    expected = expected_disorder(
        corpus, Chance(("random1",), precision=0.03), dissimilarity=D, seed=0
    )
    two, three = expected.sample(2).mean, expected.sample(3).mean
    assert two < three
    assert expected.shares == {2: 64.0, 3: 64.0}
    assert expected.value == pytest.approx((two + three) / 2)
    with pytest.raises(MetricsError, match="nothing was sampled by random1 for 5"):
        expected.sample(5)


def test_settings_out_of_range_are_refused(campaign) -> None:
    corpus = corpus_of_continua(campaign())
    for wrong in ({"precision": 0.0}, {"precision": 1.5}, {"min_samples": 1}, {"max_samples": 3}):
        with pytest.raises(MetricsError):
            expected_disorder(corpus, Chance(**wrong), dissimilarity=D, seed=0)
    single = corpus_of_continua([Continuum([1], [2], [0], [0], ("a",), ("x",))])
    with pytest.raises(MetricsError, match="no document has two annotators"):
        expected_disorder(single, dissimilarity=D, seed=0)


def test_batches_must_follow_one_another() -> None:
    jobs = [SampleJob("random2", 3, 30, 5)]
    with pytest.raises(MetricsError, match="do not follow"):
        add_samples({}, jobs, [np.zeros((5, 3))])
