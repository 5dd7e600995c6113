"""Logistic regression on standardised features with a ridge penalty, for labels or shares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import Floats

_MOST_STEPS = 50


@dataclass(frozen=True, slots=True)
class Logistic:
    """σ(x · weights + constant); `weights` apply to the original features."""

    weights: Floats
    constant: float

    def predict(self, features: Floats) -> Floats:
        """Return probabilities (R,) for features (R, F)."""
        scores = features @ self.weights + self.constant
        shares: Floats = np.exp(-np.logaddexp(0, -scores))
        return shares


def fit_logistic(
    features: Floats,
    targets: Floats,
    weights: Floats,
    *,
    penalty: float = 1.0,
) -> Logistic:
    """Return the weights that minimise the penalised log-loss (McCullagh & Nelder 1989, chapter 4).

    features  float64 (R, F)
    targets   float64 (R,) in [0, 1]: a label, or the share of ones
    weights   float64 (R,) ≥ 0, scaled to a mean of 1
    penalty   factor on half the squared weights of the standardised features; not on the constant
    """
    weights = weights / weights.mean()
    mean, spread = features.mean(axis=0), features.std(axis=0)
    spread[spread <= 1e-9 * np.maximum(np.abs(mean), 1.0)] = 1.0  # constant but for rounding
    design = np.column_stack([(features - mean) / spread, np.ones(len(features))])
    ridge = np.append(np.full(features.shape[1], penalty), 1e-9)
    at = np.zeros(design.shape[1])

    def loss(at: Floats) -> float:
        scores = design @ at
        return float(weights @ (np.logaddexp(0, scores) - targets * scores) + 0.5 * ridge @ at**2)

    now = loss(at)
    for _ in range(_MOST_STEPS):  # Newton's method, with step halving until the loss decreases
        shares = np.exp(-np.logaddexp(0, -(design @ at)))
        slope = design.T @ (weights * (shares - targets)) + ridge * at
        curvature = (design.T * (weights * shares * (1 - shares))) @ design + np.diag(ridge)
        step = np.linalg.solve(curvature, slope)
        size = 1.0
        while size > 1e-6 and loss(at - size * step) > now:
            size /= 2
        before, now = now, min(now, loss(at - size * step))
        at = at - size * step
        if before - now <= 1e-9 * abs(before):
            break
    slopes = at[:-1] / spread
    return Logistic(slopes, float(at[-1] - mean @ slopes))
