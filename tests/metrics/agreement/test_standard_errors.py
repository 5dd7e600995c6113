"""Standard errors and degrees of freedom of intervals, against brute force and simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import t as student

from accordeur.metrics.agreement.coefficient_posterior import interval_draws
from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.diagnosis.diagnose import diagnose
from accordeur.metrics.agreement.diagnosis.thresholds_and_shares import Thresholds
from accordeur.metrics.agreement.evaluate import evaluate_matrix
from accordeur.metrics.agreement.label_matrix import LabelMatrix, table_matrix
from accordeur.metrics.agreement.resampling_units import resampling_units
from accordeur.metrics.options import AgreementSampling, Sampling

ALPHA = "krippendorff_alpha"


def campaign(
    seed: int, *, n: int = 12, accuracies: tuple[float, ...] = (0.8,) * 3, missing: float = 0.0
) -> LabelMatrix:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)[:, None]
    shape = n, len(accuracies)
    codes = np.where(rng.random(shape) < accuracies, truth, rng.integers(0, 3, shape))
    codes = np.where(rng.random(shape) < missing, -1, codes)
    rows = [[None if code < 0 else code for code in row] for row in codes.tolist()]
    return table_matrix(items_by_annotators=rows, tagset=["0", "1", "2"])


def alphas_without_each(matrix: LabelMatrix) -> np.ndarray:
    n = matrix.n_annotators
    return np.array(
        [
            compute_coefficient(
                ALPHA, matrix.select_annotators([b for b in range(n) if b != a])
            ).value
            for a in range(n)
        ]
    )


@pytest.mark.long
def test_the_square_of_a_posteriors_standard_error_is_unbiased() -> None:
    """The mean over many pairs of draws is the variance of many draws; divided by n: half of it."""
    matrix = campaign(1)
    pairs = [
        float(
            evaluate_matrix(matrix, measures=[ALPHA], sampling=Sampling(replicates=2, seed=seed))[
                0
            ].detail.standard_error
        )
        for seed in range(1500)
    ]
    [many] = evaluate_matrix(matrix, measures=[ALPHA], sampling=Sampling(replicates=20_000))
    assert np.mean(np.square(pairs)) == pytest.approx(many.detail.standard_error**2, rel=0.15)


@pytest.mark.parametrize(("accuracy", "n_annotators"), [(0.95, 3), (0.7, 4), (0.5, 8), (0.0, 5)])
def test_the_share_of_the_prior_falls_with_labels_that_resemble_each_other_less(
    accuracy: float, n_annotators: int
) -> None:
    """f = 2/m + (1 − 2/m) √α of m labels per item, by definition."""
    matrix = campaign(2, n=25, accuracies=(accuracy,) * n_annotators, missing=0.2)
    per_item = (matrix.codes >= 0).sum(axis=1)
    m = per_item[per_item > 1].mean()
    alpha = max(0.0, compute_coefficient(ALPHA, matrix).value)
    _, shares = interval_draws(resampling_units(matrix), measures=[ALPHA], n_draws=2, seed=0)
    assert shares == pytest.approx([2 / m + (1 - 2 / m) * math.sqrt(alpha)])


@pytest.mark.parametrize("n_annotators", [2, 5])
def test_draws_of_percent_agreement_have_the_mean_of_items_and_pseudo_items(
    n_annotators: int,
) -> None:
    """A share of a Dirichlet distribution has the mean of its weights: n items, and share·1.75."""
    matrix = campaign(3, n=6, accuracies=(0.5,) * n_annotators)
    observed = compute_coefficient("percent_agreement", matrix).value
    drawn, [share] = interval_draws(
        resampling_units(matrix), measures=["percent_agreement"], n_draws=40_000, seed=0
    )
    differing = (n_annotators + 1) / (3 * (n_annotators - 1))
    pseudo = share * (1 + 0.75 * (1 - differing))
    expected = (matrix.n_items * observed + pseudo) / (matrix.n_items + 1.75 * share)
    error = drawn.std() / math.sqrt(drawn.size)
    assert abs(drawn.mean() - expected) < 4 * error


@pytest.mark.parametrize(
    ("n", "accuracies"), [(30, (0.9, 0.8, 0.3)), (8, (0.7,) * 5), (60, (0.95, 0.9, 0.5, 0.3))]
)
def test_degrees_of_freedom_for_new_annotators_are_those_of_satterthwaite(
    n: int, accuracies: tuple[float, ...]
) -> None:
    """Satterthwaite 1946: (Σ V)² / Σ V²/df of the jackknife over annotators and of the items."""
    matrix = campaign(5, n=n, accuracies=accuracies)
    estimates, [found] = (
        evaluate_matrix(
            matrix,
            measures=[ALPHA],
            sampling=AgreementSampling(replicates=200, interval=interval),
        )
        for interval in ("bootstrap", "annotators")
    )
    without, a = alphas_without_each(matrix), matrix.n_annotators
    of_annotators = (a - 1) ** 2 / a * np.var(without, ddof=1)
    of_items = float(estimates[0].detail.standard_error) ** 2
    total = of_annotators + of_items
    df = math.floor(total**2 / (of_annotators**2 / (a - 1) + of_items**2 / (n - 1)))
    half = float(student.ppf(0.975, df)) * math.sqrt(total)
    low, high = max(-1, found.value - half), min(1, found.value + half)
    assert found.interval == pytest.approx((low, high), abs=1e-6)
    assert found.detail.standard_error_annotators == pytest.approx(math.sqrt(of_annotators))


def test_an_outlier_gains_a_threshold_and_twice_what_any_other_annotator_does() -> None:
    gained: dict[bool, list[float]] = {True: [], False: []}
    for seed in range(60):
        accuracies = (0.9, 0.9, 0.4, 0.5 + 0.4 * seed / 60)
        matrix = campaign(seed, n=60, accuracies=accuracies)
        gains = alphas_without_each(matrix) - compute_coefficient(ALPHA, matrix).value
        second, best = np.sort(gains)[-2:]
        found = "annotator_apart" in {one.code for one in diagnose(matrix)}
        assert found == (best >= Thresholds().annotator_gain and best >= 2 * max(second, 0))
        if best >= Thresholds().annotator_gain and second > 0:
            gained[found].append(best / second)
    assert max(gained[False]) > 1.5  # ratios on both sides, close enough to distinguish 2 from 1, 4
    assert min(gained[True]) < 3
