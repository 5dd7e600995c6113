"""Strengths of systems from preferences: Bradley & Terry (1952) with Davidson's ties (1970).

Scores θ with Σθ = 0, a constant ν ≥ 0 of ties and coefficients of covariates such as the order
shown. With d = θ_left − θ_right + Σ coefficient × covariate, the outcomes left, tie and right have
probabilities in the ratio e^{d/2} : ν : e^{−d/2}, so that a preference without ties is a logistic
regression. Raters have tastes and items differ, so that answers are not independent: the errors are
clustered by item and by rater (Cameron, Gelbach & Miller 2011).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from ..arrays import Flags, Floats, Ints
from ..errors import MetricsError

LEFT, TIE, RIGHT = 1, 0, -1
MOST_SYSTEMS = 500  # each pair of them has an interval: 125,000
_MOST_STEPS, _CONVERGED, _DIVERGED = 100, 1e-12, 30.0


@dataclass(frozen=True, slots=True)
class Comparisons:
    """Comparisons of two systems on an item by a rater.

    systems      names, K of them
    left, right  int (n,): the systems
    outcome      int (n,): 1 left is preferred, 0 tie, −1 right is preferred
    items, raters  int (n,): who compared what, from 0
    weights      float64 (n,): how often; () for once each
    covariates   float64 (n, C), added to θ_left − θ_right
    """

    systems: tuple[str, ...]
    left: Ints
    right: Ints
    outcome: Ints
    items: Ints
    raters: Ints
    weights: Floats = field(default_factory=lambda: np.empty(0))
    covariates: Floats = field(default_factory=lambda: np.empty((0, 0)))

    @property
    def n(self) -> int:
        return self.left.size

    def select(self, where: Ints | Flags) -> Comparisons:
        """Return some comparisons, by index or flag."""
        return replace(
            self,
            left=self.left[where],
            right=self.right[where],
            outcome=self.outcome[where],
            items=self.items[where],
            raters=self.raters[where],
            weights=self.weights[where] if self.weights.size else self.weights,
            covariates=self.covariates[where] if self.covariates.size else self.covariates,
        )


@dataclass(frozen=True, slots=True)
class Strengths:
    """Fitted parameters and their covariance.

    theta       float64 (K,), Σθ = 0
    ties        ν; 0 without a tie
    effects     float64 (C,): coefficients of the covariates
    covariance  float64 (K + C, K + C) of theta and effects, clustered by item and rater
    floor       float64 (K + C, K + C), clustered by item alone: no variance is taken as smaller
    df          degrees of freedom of t: raters − 1, or items − 1 with one rater
    n_raters    raters
    """

    theta: Floats
    ties: float
    effects: Floats
    covariance: Floats
    floor: Floats
    df: int
    n_raters: int

    def variance(self, contrasts: Floats) -> Floats:
        """Return the variance of linear contrasts (m, K + C) of theta and effects, (m,)."""
        by_both = (
            np.einsum("mk,kl,ml->m", contrasts, v, contrasts) for v in (self.covariance, self.floor)
        )
        return np.maximum(0.0, np.maximum(*by_both))

    def variance_of_differences(self) -> Floats:
        """Return the variance of the difference of each two strengths, float64 (K, K)."""
        k = self.theta.size
        own = [v[:k, :k] for v in (self.covariance, self.floor)]
        by_both = (np.diag(v)[:, None] + np.diag(v) - v - v.T for v in own)
        return np.maximum(0.0, np.maximum(*by_both))


def fit_strengths(given: Comparisons) -> Strengths:
    """Return the maximum likelihood estimates, with errors clustered by item and rater.

    Raises MetricsError without a comparison, with more than `MOST_SYSTEMS`, and where systems
    cannot be compared: if nobody of one group of systems is preferred to, or tied with, one of
    another (Ford 1957), or if ties or a covariate decide every comparison.
    """
    require_connected(given)
    cells, weights = _cells(given)
    has_ties = bool((given.outcome == TIE).any())
    beta, information = _maximise(cells, weights, has_ties)
    k, c = len(given.systems), cells.covariates.shape[1] if cells.covariates.size else 0
    inverse = np.linalg.inv(information)
    by_item, by_rater, by_answer = (
        _clustered(given, beta, has_ties, groups)
        for groups in (
            given.items,
            given.raters,
            given.items.astype(np.int64) * (int(given.raters.max()) + 1) + given.raters,
        )
    )
    n_raters = np.unique(given.raters).size
    middle = by_item + by_rater - by_answer if n_raters > 1 else by_item
    own = slice(0, k + c)
    floor = (inverse @ by_item @ inverse)[own, own]
    covariance = _non_negative((inverse @ middle @ inverse)[own, own])
    df = n_raters - 1 if n_raters > 1 else max(np.unique(given.items).size - 1, 1)
    ties = math.exp(beta[-1]) if has_ties else 0.0
    return Strengths(beta[:k], ties, beta[k : k + c], covariance, floor, df, n_raters)


def share_preferred(difference: Floats, ties: float) -> Floats:
    """Return the probability that the first of two systems is preferred, with half of the ties.

    difference  θ of the first minus θ of the second
    ties        ν

    >>> round(float(share_preferred(np.array(0.0), 0.7)), 3)
    0.5
    """
    up, down = np.exp(difference / 2), np.exp(-difference / 2)
    return (up + ties / 2) / (up + down + ties)


def require_connected(given: Comparisons) -> None:
    """Raise MetricsError unless each system is reached from each other by won or tied against."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    k = len(given.systems)
    if k < 2 or not given.n:
        raise MetricsError("a ranking needs comparisons of two systems or more")
    if k > MOST_SYSTEMS:
        raise MetricsError(
            f"{k:,} systems: at most {MOST_SYSTEMS:,} are ranked together, because each pair of "
            "them has an interval; leave out systems with few comparisons, or check that the "
            "column names systems and not their texts"
        )
    forward, backward = given.outcome != RIGHT, given.outcome != LEFT
    rows = np.concatenate([given.left[forward], given.right[backward]])
    columns = np.concatenate([given.right[forward], given.left[backward]])
    reached = coo_matrix((np.ones(rows.size), (rows, columns)), shape=(k, k)).tocsr()
    n, of = connected_components(reached, directed=True, connection="strong")
    if n == 1:
        return
    compared = np.zeros((k, k), bool)
    compared[given.left, given.right] = compared[given.right, given.left] = True
    together, group = connected_components(coo_matrix(compared), directed=False)
    if together > 1:
        first, second = (given.systems[int(np.flatnonzero(group == g)[0])] for g in (0, 1))
        raise MetricsError(
            f"{first} and {second} are never compared, not even by way of other systems: add "
            "comparisons of them, or rank each group alone"
        )
    # A component that nobody outside wins or ties against.
    incoming = {int(of[b]) for a, b in zip(rows, columns, strict=True) if of[a] != of[b]}
    best = next(g for g in range(n) if g not in incoming)
    inside, outside = (
        ", ".join(
            name for name, g in zip(given.systems, of, strict=True) if bool(g == best) == same
        )
        for same in (True, False)
    )
    raise MetricsError(
        f"{inside} won every comparison against {outside}, so that the difference has no upper "
        "limit: add comparisons, or leave these systems out"
    )


def _cells(given: Comparisons) -> tuple[Comparisons, Floats]:
    """Return equal comparisons as one, with their number; as they are with covariates that vary."""
    weights = given.weights if given.weights.size else np.ones(given.n)
    if given.covariates.size and bool(np.ptp(given.covariates, axis=0).any()):
        return given, weights
    k = len(given.systems)
    key = (given.left.astype(np.int64) * k + given.right) * 3 + given.outcome + 1
    sums = np.bincount(key, weights=weights)
    _, first = np.unique(key, return_index=True)
    return given.select(first), sums[key[first]]


def _expected(given: Comparisons, beta: Floats, has_ties: bool) -> tuple[Floats, Floats, Floats]:
    """Return residuals of preference and tie, and the weights of information, (n,) and (n, 3)."""
    k, c = len(given.systems), given.covariates.shape[1] if given.covariates.size else 0
    d = beta[given.left] - beta[given.right]
    if c:
        d = d + given.covariates @ beta[k : k + c]
    up, down = np.exp(d / 2), np.exp(-d / 2)
    tied = math.exp(beta[-1]) if has_ties else 0.0
    total = up + down + tied
    mean, tie = (up - down) / total, tied / total
    half = (given.outcome - mean) / 2
    of_tie = (given.outcome == TIE) - tie
    weights = np.stack([(1 - tie - mean**2) / 4, -mean * tie / 2, tie * (1 - tie)], axis=1)
    return half, of_tie, weights


def _maximise(given: Comparisons, weights: Floats, has_ties: bool) -> tuple[Floats, Floats]:
    """Return the parameters (K + C [+ 1]) and their information, by Newton's method."""
    k, c = len(given.systems), given.covariates.shape[1] if given.covariates.size else 0
    beta = np.zeros(k + c + has_ties)
    for _ in range(_MOST_STEPS):
        half, of_tie, information = _expected(given, beta, has_ties)
        gradient = _design(given, has_ties, weights * half, weights * of_tie)
        hessian = _information(given, weights[:, None] * information, has_ties)
        try:
            step = np.linalg.solve(hessian, gradient)
        except np.linalg.LinAlgError:
            break
        beta = beta + step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-300))
        beta[:k] -= beta[:k].mean()
        if np.abs(beta[: k + c]).max() > _DIVERGED:
            break
        if np.abs(step).max() < _CONVERGED * max(1.0, float(np.abs(beta).max())):
            return beta, hessian
    raise MetricsError(
        "ties, the order shown or another covariate decide the comparisons, so that no strength "
        "can be estimated: add comparisons, count ties as half, or leave the covariate out"
    )


def _design(given: Comparisons, has_ties: bool, half: Floats, of_tie: Floats) -> Floats:
    """Return Σ over comparisons of design row × residual."""
    k = len(given.systems)
    theta = np.bincount(given.left, half, k) - np.bincount(given.right, half, k)
    effects = given.covariates.T @ half if given.covariates.size else np.empty(0)
    return np.concatenate([theta, effects, [of_tie.sum()] if has_ties else []])


def _information(given: Comparisons, weights: Floats, has_ties: bool) -> Floats:
    """Return the information of all parameters, with Σθ = 0 fixed by a penalty on the sum."""
    k, z = len(given.systems), given.covariates
    c = z.shape[1] if z.size else 0
    of_d, of_both, of_tie = weights.T
    found = np.zeros((k + c + has_ties, k + c + has_ties))
    pairs = np.bincount(given.left * k + given.right, of_d, k * k).reshape(k, k)
    pairs = pairs + pairs.T
    found[:k, :k] = np.diag(pairs.sum(axis=1)) - pairs + 1.0 / k
    sides = [*(z[:, j] * of_d for j in range(c)), *([of_both] if has_ties else [])]
    for j, side in enumerate(sides):
        column = np.bincount(given.left, side, k) - np.bincount(given.right, side, k)
        found[:k, k + j] = found[k + j, :k] = column
    if c:
        found[k : k + c, k : k + c] = z.T @ (z * of_d[:, None])
    if has_ties:
        if c:
            found[k : k + c, -1] = found[-1, k : k + c] = z.T @ of_both
        found[-1, -1] = of_tie.sum()
    return found


def _clustered(given: Comparisons, beta: Floats, has_ties: bool, groups: Ints) -> Floats:
    """Return G/(G − 1) Σ over groups of s sᵀ, s the sum of a group's scores."""
    from scipy.sparse import coo_matrix

    half, of_tie, _ = _expected(given, beta, has_ties)
    if given.weights.size:
        half, of_tie = half * given.weights, of_tie * given.weights
    k, z = len(given.systems), given.covariates
    c = z.shape[1] if z.size else 0
    _, of = np.unique(groups, return_inverse=True)
    rows, columns, values = [of, of], [given.left, given.right], [half, -half]
    for j in range(c):
        rows, columns = [*rows, of], [*columns, np.full(of.size, k + j)]
        values = [*values, z[:, j] * half]
    if has_ties:
        rows, columns = [*rows, of], [*columns, np.full(of.size, k + c)]
        values = [*values, of_tie]
    n = int(of.max()) + 1
    scores = coo_matrix(
        (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))),
        shape=(n, k + c + has_ties),
    ).tocsr()
    return np.asarray((scores.T @ scores).todense()) * (n / (n - 1) if n > 1 else 1.0)


def _non_negative(covariance: Floats) -> Floats:
    """Return the nearest covariance without a negative eigenvalue."""
    values, vectors = np.linalg.eigh((covariance + covariance.T) / 2)
    return np.asarray((vectors * np.maximum(values, 0.0)) @ vectors.T)


def observed_shares(given: Comparisons) -> tuple[Floats, Ints]:
    """Return how often each system is preferred to each other, ties as half, and how many compare.

    Both are (K, K); the share is nan without comparisons.
    """
    k = len(given.systems)
    won, n = np.zeros((k, k)), np.zeros((k, k), dtype=np.int64)
    for first, second, outcome in (
        (given.left, given.right, given.outcome),
        (given.right, given.left, -given.outcome),
    ):
        np.add.at(won, (first, second), (1 + outcome) / 2)
        np.add.at(n, (first, second), 1)
    return won / np.where(n, n, np.nan), n


def with_ties_as_half(given: Comparisons) -> Comparisons:
    """Return the comparisons with each tie as half of a preference for either system."""
    tied = np.flatnonzero(given.outcome == TIE)
    if not tied.size:
        return given
    weights = given.weights if given.weights.size else np.ones(given.n)
    weights = np.where(given.outcome == TIE, weights / 2, weights)
    twice = replace(given, weights=weights).select(np.concatenate([np.arange(given.n), tied]))
    outcome = twice.outcome.copy()
    outcome[tied], outcome[given.n :] = LEFT, RIGHT
    return replace(twice, outcome=outcome)
