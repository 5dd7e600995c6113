"""The alternative annotator test (alt-test) of Calderon, Reichart & Dror (2025).

Each annotator in turn is held out. The null hypothesis is that the annotator agrees better with the
others than the system does, by ε or more: the mean of (annotator's indicator − system's) is ≥ ε.
The share of annotators whose null hypothesis is rejected, with control of the false discovery rate
(Benjamini & Yekutieli 2001), is the winning rate ω; the system passes if ω ≥ .5. The average
advantage probability ρ is how often the system is at least as good as an annotator.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..arrays import Flags, Floats, divide
from .judge_comparison import JudgeComparison

FALSE_DISCOVERIES = 0.05  # q of Benjamini & Yekutieli, as published
FEWEST_FOR_T = 30  # items of an annotator; with fewer, Wilcoxon's signed-rank test
PASSING_RATE = 0.5


@dataclass(frozen=True, slots=True)
class AltTest:
    """Test of one system at one ε; `p_values` and `rejected` have one value per annotator."""

    epsilon: float
    p_values: tuple[float, ...]
    rejected: tuple[bool, ...]
    winning_rate: float
    advantage_probability: float

    @property
    def passed(self) -> bool:
        return self.winning_rate >= PASSING_RATE


def alt_test(comparison: JudgeComparison, epsilon: float) -> AltTest:
    """Run the published test of one system against every annotator of the comparison."""
    sums = sums_over_items(comparison)
    p_values = t_p_values(*(column[None] for column in sums), epsilon=epsilon)[0]
    for a in np.nonzero(sums[0] < FEWEST_FOR_T)[0]:
        worse = -comparison.advantage[comparison.compared[:, a], a].astype(np.float64)
        p_values[a] = _wilcoxon(worse - epsilon)
    rejected = benjamini_yekutieli(p_values[None])[0]
    of_annotators = divide(comparison.system.sum(axis=0, dtype=np.float64), sums[0])
    return AltTest(
        epsilon,
        tuple(p_values.tolist()),
        tuple(rejected.tolist()),
        float(rejected.mean()) if rejected.size else math.nan,
        float(np.nanmean(of_annotators)) if (sums[0] > 0).any() else math.nan,
    )


def sums_over_items(comparison: JudgeComparison) -> tuple[Floats, Floats, Floats]:
    """For each annotator: items compared, sum of the advantages, sum of their squares."""
    advantage = comparison.advantage
    return (
        comparison.compared.sum(axis=0, dtype=np.float64),
        advantage.sum(axis=0, dtype=np.float64),
        np.abs(advantage).sum(axis=0, dtype=np.float64),  # squares of −1, 0 or 1
    )


def t_p_values(n: Floats, total: Floats, squares: Floats, *, epsilon: float) -> Floats:
    """One-sided p-values of Student's t from sums (…, A); nan with fewer than two items.

    total, squares  sums of the system's advantages and of their squares
    """
    from scipy.special import stdtr

    worse = -divide(total, n)
    variance = np.maximum(divide(squares - n * worse**2, n - 1), 0.0)
    error = np.sqrt(divide(variance, n))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (worse - epsilon) / error
    flat = error < 1e-12  # all items are equal, so the mean has no error
    t = np.where(flat, np.where(worse < epsilon, -np.inf, np.inf), t)
    return np.where(n > 1, stdtr(np.maximum(n - 1, 1), t), np.nan)


def benjamini_yekutieli(p_values: Floats, q: float = FALSE_DISCOVERIES) -> Flags:
    """Return which nulls are rejected, for rows of p-values (B, A); nan is ignored."""
    tested = ~np.isnan(p_values)
    n_tested = tested.sum(axis=1, keepdims=True)
    ranks = np.arange(1, p_values.shape[1] + 1)
    harmonic = np.concatenate([[1.0], np.cumsum(1.0 / ranks)])[n_tested]
    ordered = np.sort(np.where(tested, p_values, np.inf), axis=1)
    below = ordered <= ranks * q / (np.maximum(n_tested, 1) * harmonic)
    largest = np.where(below, ordered, -1.0).max(axis=1, keepdims=True, initial=-1.0)
    return tested & (p_values <= largest)


def _wilcoxon(differences: Floats) -> float:
    """One-sided p-value that the median is below 0; nan without a difference."""
    from scipy.stats import wilcoxon

    if not np.any(differences):
        return math.nan
    return float(wilcoxon(differences, alternative="less").pvalue)
