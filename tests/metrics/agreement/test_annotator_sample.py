"""Intervals for new annotators: wider, and they hold the value of the pool."""

from __future__ import annotations

import math

import numpy as np
import pytest

from accordeur.metrics.agreement.annotator_sample import few_annotators_finding
from accordeur.metrics.agreement.evaluate import evaluate_matrix
from accordeur.metrics.agreement.label_matrix import LabelMatrix, table_matrix
from accordeur.metrics.estimate import Estimate
from accordeur.metrics.options import AgreementSampling, Sampling
from accordeur.reports.warnings import in_english

ALPHA = ("krippendorff_alpha",)


def pool(seed: int, n: int, a: int) -> LabelMatrix:
    """Annotators of very different reliability: right with probability .3 to .95."""
    rng = np.random.default_rng(seed)
    truth, right = rng.integers(0, 3, n)[:, None], rng.uniform(0.3, 0.95, a)
    codes = np.where(rng.random((n, a)) < right, truth, rng.integers(0, 3, (n, a)))
    return table_matrix(items_by_annotators=codes.tolist(), tagset=["0", "1", "2"])


def for_new_annotators(matrix: LabelMatrix, replicates: int) -> list[Estimate]:
    sampling = AgreementSampling(replicates=replicates, interval="annotators")
    return evaluate_matrix(matrix, measures=ALPHA, sampling=sampling)


def test_the_variance_is_that_of_items_and_the_jackknife_of_annotators():
    matrix = pool(1, 80, 5)
    sampling = Sampling(replicates=200)
    estimates = evaluate_matrix(matrix, measures=ALPHA, sampling=sampling)
    [found] = for_new_annotators(matrix, 200)
    without = np.array(
        [
            evaluate_matrix(
                matrix.select_annotators([b for b in range(5) if b != a]),
                measures=ALPHA,
                sampling=Sampling(replicates=0),
            )[0].value
            for a in range(5)
        ]
    )
    of_annotators = 4 / 5 * ((without - without.mean()) ** 2).sum()
    over_items = float(estimates[0].detail.standard_error) ** 2
    assert found.detail.standard_error == pytest.approx(math.sqrt(of_annotators + over_items))
    assert found.interval[0] < estimates[0].interval[0]
    assert found.how.interval is not None
    assert found.how.interval.over == "items and annotators"


@pytest.mark.long
def test_the_interval_holds_the_agreement_of_the_pool():
    [truth] = evaluate_matrix(pool(5, 4000, 300), measures=ALPHA, sampling=Sampling(replicates=0))
    held = {"items": 0, "annotators": 0}
    for seed in range(100):
        matrix = pool(1000 + seed, 60, 6)
        estimates = evaluate_matrix(matrix, measures=ALPHA, sampling=Sampling(replicates=100))
        for name, [one] in (
            ("items", estimates),
            ("annotators", for_new_annotators(matrix, 100)),
        ):
            held[name] += one.interval[0] <= truth.value <= one.interval[1]
    assert held["annotators"] >= 89
    assert held["items"] < held["annotators"] - 15


def test_two_annotators_are_no_sample():
    matrix = pool(1, 40, 2)
    [found] = for_new_annotators(matrix, 50)
    assert math.isnan(found.interval[0])
    assert "3 annotators" in str(found.detail.interval_reason)


@pytest.mark.parametrize(("n", "least"), [(3, 0.55), (7, 0.78), (9, 0.87)])
def test_few_annotators_are_a_finding_with_the_coverage_to_expect(n: int, least: float) -> None:
    matrix = pool(2, 40, n)
    [one] = evaluate_matrix(matrix, measures=ALPHA, sampling=Sampling(replicates=50))
    assert few_annotators_finding(one) is None
    [found] = for_new_annotators(matrix, 50)
    finding = few_annotators_finding(found)
    assert finding is not None
    assert finding.figures == {"n_annotators": n, "fewest": 10, "least": least}
    assert f"{least:.0%}" in in_english(finding.warning("few_for_new_annotators"))


def test_ten_annotators_are_no_finding() -> None:
    matrix = pool(2, 40, 10)
    assert few_annotators_finding(for_new_annotators(matrix, 50)[0]) is None
