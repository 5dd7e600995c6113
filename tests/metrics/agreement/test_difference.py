"""Differences of two coefficients: paired on the same units, or of two teams."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from agreement_intervals import linearized
from agreement_samples import sample

from accordeur.metrics.agreement.coefficient_difference import (
    bootstrap_difference,
    paired_difference,
)
from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.errors import MetricsError

MEASURES = ("fleiss_kappa", "conger_kappa", "krippendorff_alpha", "gwet_ac1")


def test_paired_difference_of_two_measures() -> None:
    """The same units: the difference varies less than its terms."""
    matrix = replace(sample(11, n_items=200), documents=None)
    pair = ("krippendorff_alpha", "conger_kappa")
    analytic = paired_difference(matrix, measures=pair)
    drawn = bootstrap_difference(matrix, measures=pair, seed=1)
    alone = linearized(matrix, measures=["conger_kappa"])["conger_kappa"]
    expected = (
        compute_coefficient(pair[0], matrix).value - compute_coefficient(pair[1], matrix).value
    )
    assert analytic.value == drawn.value == pytest.approx(expected)
    assert analytic.standard_error < alone.standard_error / 5


def test_two_teams_on_the_same_items() -> None:
    good, poor = (
        replace(sample(12, n_items=300, accuracy=a), documents=None) for a in (0.95, 0.75)
    )
    pair = ("fleiss_kappa", "fleiss_kappa")
    for result in (
        paired_difference(good, poor, measures=pair),
        bootstrap_difference(good, poor, measures=pair, seed=1),
        bootstrap_difference(good, poor, measures=pair, seed=1, paired=False),
    ):
        assert result.lower > 0
        assert result.p_value < 0.01
    same = bootstrap_difference(good, good, measures=pair, seed=1)
    assert same.value == 0
    assert same.lower < 0 < same.upper  # other items may differ
    assert same.p_value > 0.8
    assert paired_difference(good, good, measures=pair).p_value == 1


def test_a_pairing_needs_the_same_units() -> None:
    with pytest.raises(MetricsError, match="independent campaigns"):
        paired_difference(
            sample(1), replace(sample(2, n_items=59), documents=None), measures=MEASURES[:2]
        )


def test_a_pairing_needs_items_of_the_same_names() -> None:
    matrix = replace(sample(1), documents=None, items=tuple(f"i{i}" for i in range(60)))
    moved = replace(matrix, items=matrix.items[::-1])
    with pytest.raises(MetricsError, match="their names differ"):
        paired_difference(matrix, moved, measures=("fleiss_kappa", "fleiss_kappa"))


def rejections(n_items: int, *, paired: bool, n_campaigns: int = 300) -> float:
    """How often two teams of equal quality differ at p ≤ .05: two annotators, rarer category .2."""
    rejected = 0
    for seed in range(n_campaigns):
        rng = np.random.default_rng([n_items, paired, seed])
        truth = rng.random((2, n_items, 1)) < 0.2
        truth[1] = truth[0] if paired else truth[1]
        wrong = rng.random((2, n_items, 2)) < 0.15
        one, two = (
            LabelMatrix(
                codes=(truth[t] ^ wrong[t]).astype(np.int32),
                tagset=("A", "B"),
                annotators=("x", "y"),
            )
            for t in range(2)
        )
        found = bootstrap_difference(
            one,
            two,
            measures=("cohen_kappa", "cohen_kappa"),
            n_replicates=300,
            seed=seed,
            paired=paired,
        )
        rejected += found.p_value <= 0.05
    return rejected / n_campaigns


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("n_items", [10, pytest.param(25, marks=pytest.mark.long)])
def test_teams_of_equal_quality_rarely_differ(n_items: int, paired: bool) -> None:
    """.05 and three standard errors of 300 campaigns."""
    assert rejections(n_items, paired=paired) <= 0.05 + 3 * (0.05 * 0.95 / 300) ** 0.5


def test_few_documents_have_no_p_value() -> None:
    matrix = sample(1, n_items=50, n_documents=5)
    other = sample(2, n_items=50, n_documents=5)
    pair = ("fleiss_kappa", "fleiss_kappa")
    found = bootstrap_difference(matrix, other, measures=pair, seed=1, paired=False)
    assert np.isfinite([found.value, found.lower, found.upper]).all()
    assert np.isnan(found.p_value)
    assert str(found.p_reason) == "a p-value needs 8 documents or more"


@pytest.mark.long
def test_teams_of_equal_quality_differ_in_five_percent_of_the_trials() -> None:
    """Three annotators each on the same 30 items of three categories, 1,500 trials: ± .011."""
    rng, rejected, trials = np.random.default_rng(77), 0, 1500
    for trial in range(trials):
        truth = rng.integers(0, 3, (30, 1))
        teams = [
            LabelMatrix(
                codes=np.where(
                    rng.random((30, 3)) < 0.8, truth, (truth + rng.integers(1, 3, (30, 3))) % 3
                ).astype(np.int32),
                tagset=("a", "b", "c"),
                annotators=("x", "y", "z"),
            )
            for _ in range(2)
        ]
        found = bootstrap_difference(
            *teams, measures=("krippendorff_alpha",) * 2, seed=trial, n_replicates=400
        )
        rejected += found.p_value <= 0.05
    assert 0.03 < rejected / trials < 0.06
