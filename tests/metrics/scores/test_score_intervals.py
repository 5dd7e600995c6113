"""Intervals of every score: they contain the value, lie in its range and are never a point."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.agreement.structures.chain_counts import (
    chain_counts,
    chain_estimates,
    join_chain_counts,
)
from accordeur.metrics.agreement.structures.relation_counts import (
    Relations,
    f_by_category,
    f_by_pair,
    join_relation_counts,
    relation_counts,
    relation_estimates,
)
from accordeur.metrics.coreference import COREFERENCE
from accordeur.metrics.distribution_scores import DISTRIBUTION_SCORES
from accordeur.metrics.estimate import Estimate
from accordeur.metrics.options import Sampling
from accordeur.metrics.resampling.subsets.modification_rate import modification_rate
from accordeur.metrics.scores.accuracy import accuracy, count_labels
from accordeur.metrics.scores.baseline import (
    chance_of_reference,
    majority_class_accuracy,
    observed_agreement,
)
from accordeur.metrics.scores.coreference import coreference_score, system_coreference_counts
from accordeur.metrics.scores.diarization import (
    ERRORS,
    diarization_error_rate,
    diarization_times,
)
from accordeur.metrics.scores.expected_annotator_score import expected_annotator_scores
from accordeur.metrics.scores.precision_recall_f import (
    AVERAGES,
    RATES,
    precision_recall_f,
    rates_by_category,
)
from accordeur.metrics.scores.segmentation import (
    SEGMENTATION_MEASURES,
    segmentation_counts,
    segmentation_score,
)
from accordeur.metrics.scores.slot_error_rate import GROUIN, slot_error_rate
from accordeur.metrics.scores.soft_scores import SoftReference, soft_score
from accordeur.metrics.scores.unit_match_counts import count_unit_errors, match_units_by_each
from accordeur.metrics.unit_rows import Units

TAGSET = ("A", "B", "C")
SAMPLING = Sampling(100, seed=2)
UNBOUNDED = {"slot_error_rate", "ghd", "diarization_error_rate", "false_alarm", "cross_entropy"}
UNBOUNDED |= {"wasserstein"}


def scores(rng: np.random.Generator, n_documents: int, errors: float) -> Iterator[Estimate]:
    """Yield every score of a system that is wrong with a probability, on random documents."""
    n = 4 * n_documents
    documents = np.repeat(np.arange(n_documents), 4)
    reference = rng.integers(0, 3, n)
    wrong = rng.random(n) < errors
    system = np.where(wrong, rng.integers(-1, 3, n), reference)
    counts = count_labels(reference, system, tagset=TAGSET, documents=documents)
    yield accuracy(counts, SAMPLING)
    yield majority_class_accuracy(counts, SAMPLING)
    yield chance_of_reference(counts.categories.reference, sampling=SAMPLING)
    near = np.array([[0, 0.5, 1], [0.5, 0, 1], [1, 1, 0]])
    for distances in (None, near):
        yield observed_agreement(
            reference, system, tagset=TAGSET, distances=distances, documents=documents,
            sampling=SAMPLING,
        )  # fmt: skip
    found = [counts.categories]
    starts = 10 + rng.integers(0, 8, n) * 10
    gold = Units(documents, starts, starts + 5, reference)
    shift = wrong * rng.integers(-4, 5, n)
    given = Units(documents, starts + shift, starts + 5 + shift, np.maximum(system, 0))
    found += match_units_by_each(gold, given, tagset=TAGSET, n_documents=n_documents).values()
    for one in found:
        for average in AVERAGES:
            rates = precision_recall_f(one, average=average, sampling=SAMPLING)
            yield from (getattr(rates, rate) for rate in RATES)
        for rates in rates_by_category(one, sampling=SAMPLING).values():
            yield from (getattr(rates, rate) for rate in RATES)
    kinds = count_unit_errors(gold, given, n_documents=n_documents)
    yield slot_error_rate(kinds, sampling=SAMPLING)
    yield slot_error_rate(kinds, weights=GROUIN, sampling=SAMPLING)
    times = diarization_times(gold, given, n_documents=n_documents)
    for of in (ERRORS, *((one,) for one in ERRORS)):
        yield diarization_error_rate(times, errors=of, mean_turn=5, sampling=SAMPLING)
    places = list(rng.random((n_documents, 11)) < 0.3)
    other = [one ^ (rng.random(11) < errors) for one in places]
    for measure in SEGMENTATION_MEASURES:
        yield segmentation_score(segmentation_counts(places, other, measure=measure), SAMPLING)
    chains = system_coreference_counts(
        reference, system, documents=documents, n_documents=n_documents
    )
    for metric in COREFERENCE:
        yield coreference_score(chains, metric=metric, sampling=SAMPLING)
    labels = rng.multinomial(4, [0.6, 0.3, 0.1], n)
    soft = SoftReference(labels, labels / 4, np.arange(3.0), documents)
    guess = np.where(wrong[:, None], np.eye(3)[reference], labels / 4)
    for measure in DISTRIBUTION_SCORES:
        yield soft_score(measure, soft, guess, sampling=SAMPLING)
    yield from expected_annotator_scores(soft, list(DISTRIBUTION_SCORES), sampling=SAMPLING)


def between_annotators(
    rng: np.random.Generator, n_documents: int, errors: float
) -> Iterator[Estimate]:
    """Yield M(k), and agreement on relations and chains."""
    n = 4 * n_documents
    labels = rng.integers(0, 2, (n, 1)) ^ (rng.random((n, 4)) < errors)
    matrix = LabelMatrix(
        codes=labels.astype(np.int32), tagset=("x", "y"), annotators=tuple("abcd"),
        documents=np.repeat(np.arange(n_documents), 4),
    )  # fmt: skip
    yield from modification_rate(matrix, seed=2, n_replicates=100).estimates()
    relations, chained = [], []
    for _ in range(n_documents):
        drawn = [
            (0, target, int(rng.random() < errors), owner)
            for target in (1, 2, 3) for owner in (0, 1, 2) if rng.random() >= errors
        ]  # fmt: skip
        columns = np.array(drawn, dtype=np.int64).reshape(-1, 4).T
        whole = np.ones((4, 3), dtype=bool)
        relations.append(relation_counts(Relations(whole, *columns, ("r", "s"), tuple("abc"))))
        moved = rng.random((4, 2)) < errors
        chained.append(chain_counts(np.where(moved, 9, np.array([[0, 0], [0, 0], [1, 1], [1, 1]]))))
    counts = join_relation_counts(relations)
    yield from relation_estimates(counts, SAMPLING).values()
    yield from (one for _, one in f_by_category(counts, SAMPLING))
    yield from (one for _, one in f_by_pair(counts, SAMPLING))
    yield from chain_estimates(join_chain_counts(chained), n_annotators=2, sampling=SAMPLING)


def highest(one: Estimate) -> float:
    return math.inf if one.measure in UNBOUNDED else 2.0 if one.measure == "manhattan" else 1.0


@pytest.mark.parametrize("errors", [0.0, 0.03, 0.4])
@pytest.mark.parametrize("n_documents", [2, 3, 12])
def test_intervals_contain_their_value_within_the_range(n_documents: int, errors: float) -> None:
    rng = np.random.default_rng([n_documents, int(100 * errors)])
    found = [*scores(rng, n_documents, errors), *between_annotators(rng, n_documents, errors)]
    assert len(found) > 110
    n_defined = 0
    for one in found:
        lower, upper = one.interval
        if math.isnan(lower):
            assert math.isnan(upper)
            assert one.detail.interval_reason, one
            continue
        n_defined += 1
        lowest = -1.0 if one.measure == "krippendorff_alpha" else 0.0
        assert lowest <= lower <= one.value <= upper <= highest(one), one
        assert lower < upper, one
    assert n_defined > 0.6 * len(found)


def test_one_document_has_no_interval_and_says_why() -> None:
    rng = np.random.default_rng(3)
    for one in scores(rng, 1, 0.2):
        assert math.isnan(one.interval[0])
        assert one.detail.interval_reason, one


def test_the_only_category_has_the_interval_of_all() -> None:
    rng = np.random.default_rng(4)
    codes = np.zeros(30, dtype=np.int64)
    system = np.where(rng.random(30) < 0.1, -1, 0)
    counts = count_labels(codes, system, tagset=("A",), documents=np.arange(30) // 3).categories
    of_category = rates_by_category(counts, sampling=SAMPLING)["A"]
    for average in AVERAGES:
        of_all = precision_recall_f(counts, average=average, sampling=SAMPLING)
        for rate in RATES:
            one, other = getattr(of_category, rate), getattr(of_all, rate)
            assert one.interval == pytest.approx(other.interval)


def test_thirty_of_thirty_items_are_no_certainty() -> None:
    """Clopper & Pearson 1934: .8843; of a category on one item, recall has limits, F has none."""
    codes = np.zeros(30, dtype=np.int64)
    codes[7] = 1
    counts = count_labels(codes, codes, tagset=TAGSET)
    assert accuracy(counts, SAMPLING).interval == (pytest.approx(0.8843, abs=5e-5), 1.0)
    of_rare = rates_by_category(counts.categories, sampling=SAMPLING)["B"]
    assert of_rare.recall.interval == (pytest.approx(0.025), 1.0)
    rare = of_rare.f
    assert rare.value == 1
    assert math.isnan(rare.interval[0])
    assert "fewer than 2" in str(rare.detail.interval_reason)
    macro = precision_recall_f(counts.categories, average="macro", sampling=SAMPLING).f
    assert macro.interval == (pytest.approx(0.4, abs=0.1), 1.0)
