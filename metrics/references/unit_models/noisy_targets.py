"""Probabilities of the truth, from predictions of fallible annotators (Raykar et al. 2010).

A score predicts the marks of annotators. If the truth holds with probability q = σ(slope · score +
constant), an annotator with sensitivity s and false-alarm rate f marks it with probability s·q +
f·(1 − q). EM estimates slope, constant and both rates of each annotator.
"""

from __future__ import annotations

import numpy as np

from ...arrays import Floats, Ints
from .logistic import Logistic, fit_logistic

_KNOWN = (0.999, 0.001)  # sensitivity and false-alarm rate of a known truth
_SENSITIVITIES = (0.02, 0.995)
_MOST_FALSE_ALARMS, _LEAST_FALSE_ALARMS = 0.5, 0.002
_EXPECTED = (0.8, 0.05)  # prior mean of the rates, with the weight of `_EXPECTED_ROWS` mean rows:
_EXPECTED_ROWS = 20.0  # with few rows, false alarms would explain all marks
_PRIOR_ROWS = 2.0  # weight, in an annotator's mean weight, of the rates of all annotators


def fit_noisy_targets(
    features: Floats,
    marks: Floats,
    weights: Floats,
    targets: Ints,
    trust: Floats,
    *,
    known: int | None = None,
    most_false_alarms: float = _MOST_FALSE_ALARMS,
    max_rounds: int = 50,
    tolerance: float = 1e-4,
) -> Logistic:
    """Fit the probability that the truth has what annotators marked, from features (R, F).

    The score is a regression on the marks in which annotators are weighted by `trust`; its
    calibration uses every mark.

    marks      float64 (R,) in [0, 1], by annotators `targets` (R,)
    weights    float64 (R,): weights of rows, such as lengths
    trust      float64 (A,) ≥ 0: weights of annotators as targets of the score
    known      the annotator whose marks are the truth
    most_false_alarms  upper limit of the false-alarm rate; 0 corrects missed marks only, for false
                alarms that depend on the score
    tolerance  stop when slope and constant change by less
    """

    def drawn(
        share: Floats,
        total: Floats,
        limits: tuple[float, float],
        expected: float,
    ) -> Floats:
        """Rates of the fallible annotators, shrunk to the rates of all of them."""
        hits = np.bincount(targets, share * weights, n_targets)
        n = np.bincount(targets, total * weights, n_targets)
        if known is not None:
            hits[known] = n[known] = 0.0
        prior = _PRIOR_ROWS * n.sum() / max(1, int((n > 0).sum()))
        pseudo = _EXPECTED_ROWS * weights.mean()
        mean = (hits.sum() + pseudo * expected) / (n.sum() + pseudo)
        return np.clip((hits + prior * mean) / np.maximum(n + prior, 1e-12), *limits)

    n_targets = trust.size
    false_alarms = (min(_LEAST_FALSE_ALARMS, most_false_alarms), most_false_alarms)
    score = fit_logistic(features, marks, weights * trust[targets])
    column = (features @ score.weights + score.constant)[:, None]
    truth = Logistic(np.ones(1), 0.0)
    posterior = np.clip(truth.predict(column), 1e-4, 1 - 1e-4)
    for _ in range(max_rounds):
        s = drawn(posterior * marks, posterior, _SENSITIVITIES, _EXPECTED[0])
        f = drawn((1 - posterior) * marks, 1 - posterior, false_alarms, _EXPECTED[1])
        if known is not None:
            s[known], f[known] = _KNOWN
        q = np.clip(truth.predict(column), 1e-9, 1 - 1e-9)
        given, not_given = s[targets] * q, (1 - s[targets]) * q
        posterior = marks * given / (given + f[targets] * (1 - q)) + (1 - marks) * not_given / (
            not_given + (1 - f[targets]) * (1 - q)
        )
        before, truth = truth, fit_logistic(column, posterior, weights)
        change = abs(before.constant - truth.constant) + abs(before.weights - truth.weights).sum()
        if change < tolerance:
            break
    slope = float(truth.weights[0])
    return Logistic(slope * score.weights, slope * score.constant + truth.constant)
