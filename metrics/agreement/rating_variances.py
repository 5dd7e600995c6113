"""Variance components of ratings with missing cells: a mixed model fitted by REML.

    rating = mean + item + annotator + residual, all but the mean random

The annotator term is omitted if each item has its own raters. Sources: Patterson & Thompson (1971),
Biometrika 58(3): 545–554, for REML; Wald (1947), Annals of Mathematical Statistics 18(4): 586–589,
and Seely & El-Bassiouni (1983), Annals of Statistics 11(1): 197–201, for the exact interval of a
ratio of variances; Weerahandi (1993), JASA 88(423): 899–905, for generalised intervals.

Items enter only by their number of ratings, so the cost of a likelihood does not depend on the
number of items. Shapes: n items, A annotators (1 if there is no annotator term), S distinct numbers
of ratings.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags, Floats
from ..errors import MetricsError
from ..quantiles import sample_quantiles

Numbers = NDArray[Any]  # real, or complex for derivatives by complex steps

N_DRAWS = 5000  # draws of a generalised interval
_MOST_CELLS = 20_000_000  # cells of the tables of annotator pairs
_NO_VARIANCE, _ALL_VARIANCE = -14.0, 18.0  # bounds of the logarithm of a variance ratio
_GRID = np.linspace(_NO_VARIANCE, _ALL_VARIANCE, 250)


@dataclass(frozen=True)
class RatingSums:
    """Sums of centred ratings that determine the likelihood.

    sizes, n_items  (S,): numbers of ratings per item, and how many items have each
    squares         Σ y²
    item_squares    (S,): Σ over items of their squared sum
    n_by_rater, by_rater  (A,): number of ratings of each annotator, and their sum
    item_sums       (S, A): for each annotator, the total of the sums of the items that they rated
    together        (S, A, A): items that two annotators rated
    """

    sizes: Floats
    n_items: Floats
    squares: float
    item_squares: Floats
    n_by_rater: Floats
    by_rater: Floats
    item_sums: Floats
    together: Floats

    @property
    def n_ratings(self) -> int:
        return int(self.n_by_rater.sum())

    def reduced_normal_equations(self, weights: Numbers) -> tuple[Floats, Floats, Floats]:
        """Return W'A⁻¹W (A, A), W'A⁻¹y (A,), y'A⁻¹y; A⁻¹ subtracts weight × the item's sum."""
        table = np.diag(self.n_by_rater) - np.tensordot(weights, self.together, 1)
        return table, self.by_rater - weights @ self.item_sums, (
            self.squares - weights @ self.item_squares
        )  # fmt: skip

    def residual(self, weights: Floats) -> float:
        """Residual sum of squares with annotators as fixed effects."""
        table, sums, squares = self.reduced_normal_equations(weights)
        return float(squares - sums @ np.linalg.pinv(table, rcond=1e-10, hermitian=True) @ sums)


def rating_sums(ratings: Floats, *, same_raters: bool) -> RatingSums:
    """Sum ratings (n, A), nan where missing. Raises MetricsError for too many annotators."""
    given = np.isfinite(ratings)
    ratings, given = ratings[given.any(axis=1)], given[given.any(axis=1)]
    used = given.any(axis=0)
    values = np.where(given, ratings - ratings[given].mean(), 0.0)[:, used]
    per_item = given.sum(axis=1)
    sums = values.sum(axis=1)
    design = given[:, used].astype(np.float64) if same_raters else per_item[:, None].astype(float)
    by_rater = values.sum(axis=0) if same_raters else np.array([sums.sum()])
    sizes = np.unique(per_item)
    if sizes.size * design.shape[1] ** 2 > _MOST_CELLS:
        raise MetricsError(
            f"{design.shape[1]} annotators are too many for a model with an effect of each: "
            "use the forms for other raters on each item (same_raters=False, icc_1_1)"
        )
    parts = [per_item == size for size in sizes]
    return RatingSums(
        sizes=sizes.astype(np.float64),
        n_items=np.array([part.sum() for part in parts], float),
        squares=float((values**2).sum()),
        item_squares=np.array([(sums[part] ** 2).sum() for part in parts]),
        n_by_rater=design.sum(axis=0),
        by_rater=by_rater,
        item_sums=np.array([sums[part] @ design[part] for part in parts]),
        together=np.array([design[part].T @ design[part] for part in parts]),
    )


@dataclass(frozen=True)
class RatingVariances:
    """Variance components by REML, non-negative; `annotators` is 0 without an annotator term.

    k           harmonic mean of the numbers of ratings per item
    df_*        degrees of freedom of items and annotators, each adjusted for the other, and of the
                residual
    """

    items: float
    annotators: float
    residual: float
    k: float
    df_items: int
    df_annotators: int
    df_residual: int
    sums: RatingSums

    @property
    def reliability_of_one_rating(self) -> tuple[float, float]:
        """Reliability of one rating: consistency and absolute agreement."""
        return (
            self.items / (self.items + self.residual),
            self.items / (self.items + self.annotators + self.residual),
        )

    def consistency_interval(self, level: float) -> tuple[float, float]:
        """Exact interval of items/(items + residual) for normal ratings, complete or not (Wald)."""
        from scipy.optimize import brentq
        from scipy.special import fdtri

        def bound(quantile: float) -> float:
            wanted = self.df_items * self._error_mean_square * float(
                fdtri(self.df_items, self.df_residual, quantile)
            )  # fmt: skip

            def gap(log_ratio: float) -> float:
                return self._between_items(math.exp(log_ratio)) - wanted

            if self._between_items(0.0) <= wanted:
                return 0.0
            if gap(_ALL_VARIANCE) >= 0:
                return 1.0
            ratio = math.exp(brentq(gap, _NO_VARIANCE - 20, _ALL_VARIANCE, xtol=1e-12))
            return ratio / (1 + ratio)

        return bound((1 + level) / 2), bound((1 - level) / 2)

    def agreement_interval(self, level: float, *, seed: int) -> tuple[float, float]:
        """Interval of items/(items + annotators + residual): quantiles of a generalised pivot."""
        rng = np.random.default_rng(seed)
        error = (
            self._error_mean_square * self.df_residual / rng.chisquare(self.df_residual, N_DRAWS)
        )
        ratio = np.exp(_GRID)
        drawn = []
        for df, between in (
            (self.df_items, self._between_items),
            (self.df_annotators, self._between_annotators),
        ):
            squares = np.array([between(one) for one in ratio])
            wanted = rng.chisquare(df, N_DRAWS) * error
            found = np.exp(np.interp(wanted, squares[::-1], _GRID[::-1]))
            drawn.append(np.where(wanted >= squares[0], 0.0, found))
        items, annotators = drawn
        values = items / (items + annotators + 1)
        low, high = sample_quantiles(values, [(1 - level) / 2, (1 + level) / 2])
        return low, high

    @property
    def explains_all_ratings(self) -> bool:
        """Whether items and annotators explain every rating."""
        return self.residual == 0

    @cached_property
    def _within_sum_of_squares(self) -> float:
        return self.sums.residual(1 / self.sums.sizes)

    @property
    def _error_mean_square(self) -> float:
        """Mean square of the residual."""
        return self._within_sum_of_squares / self.df_residual

    def _between_items(self, ratio: float) -> float:
        """Wald's sum of squares of items, adjusted for annotators, at a variance ratio."""
        return (
            self.sums.residual(ratio / (1 + ratio * self.sums.sizes)) - self._within_sum_of_squares
        )

    def _between_annotators(self, ratio: float) -> float:
        """The same for annotators, adjusted for items."""
        roots, projections = self.annotator_eigenvalues
        return float((projections**2 / (roots * (1 + ratio * roots))).sum())

    @cached_property
    def annotator_eigenvalues(self) -> tuple[Floats, Floats]:
        """Eigenvalues of the annotators' table for fixed items, and projections of the ratings."""
        table, sums, _ = self.sums.reduced_normal_equations(1 / self.sums.sizes)
        roots, vectors = np.linalg.eigh(table)
        kept = roots > 1e-9 * max(1.0, roots[-1])
        return roots[kept], (vectors.T @ sums)[kept]


def rating_variances(ratings: Floats, *, same_raters: bool = True) -> RatingVariances | None:
    """Fit the variance components of ratings (n, A), nan where missing.

    same_raters  whether each column is one annotator; else the model has no annotator term

    Returns None if the residual, items or annotators have no degrees of freedom: no item has two
    ratings, or no two annotators share items.
    """
    sums = rating_sums(ratings, same_raters=same_raters)
    n = int(sums.n_items.sum())
    table, _, _ = sums.reduced_normal_equations(1 / sums.sizes)
    n_raters = sums.n_by_rater.size
    df_annotators = int(np.linalg.matrix_rank(table, tol=1e-9 * n, hermitian=True))
    df_items = n - (n_raters - df_annotators)
    df_residual = sums.n_ratings - n - df_annotators
    if min(df_items, df_residual) < 1 or (same_raters and df_annotators < 1):
        return None
    found = RatingVariances(
        items=sums.squares / (sums.n_ratings - 1),
        annotators=0.0,
        residual=0.0,
        k=float(n / (sums.n_items / sums.sizes).sum()),
        df_items=df_items,
        df_annotators=df_annotators,
        df_residual=df_residual,
        sums=sums,
    )
    if sums.residual(1 / sums.sizes) <= 1e-12 * sums.squares:
        roots, projections = found.annotator_eigenvalues
        annotators = float(((projections / roots) ** 2).sum() / n_raters)
        items_differ = sums.residual(0 * sums.sizes) > 1e-12 * sums.squares
        return replace(found, items=found.items * items_differ, annotators=annotators)
    ratios = _fitted_ratios(sums, n_effects=2 if same_raters else 1)
    error = float(_criterion_parts(sums, ratios)[0].real) / (sums.n_ratings - 1)
    items, annotators = (error * ratios).tolist()
    return replace(found, items=items, annotators=annotators, residual=error)


def _fitted_ratios(sums: RatingSums, *, n_effects: int) -> Floats:
    """Ratios of the item and annotator variances to the residual that maximise REML, (2,)."""
    from scipy.optimize import minimize

    def padded(logs: Numbers) -> Numbers:
        return np.concatenate([np.exp(logs), np.zeros(2 - n_effects)])

    def gradient(logs: Floats) -> Floats:
        steps = logs + 1e-30j * np.eye(n_effects)
        return np.array(
            [_restricted_likelihood_criterion(sums, padded(one)).imag / 1e-30 for one in steps]
        )

    def value(logs: Floats) -> float:
        return float(_restricted_likelihood_criterion(sums, padded(logs)).real)

    grid = np.array(np.meshgrid(*[np.log([0.03, 0.3, 1.0, 4.0, 30.0])] * n_effects))
    start = min(grid.reshape(n_effects, -1).T, key=value)
    bounds = [(_NO_VARIANCE, _ALL_VARIANCE)] * n_effects
    options = {"ftol": 1e-15, "gtol": 1e-9, "maxiter": 500}
    logs = minimize(value, start, jac=gradient, bounds=bounds, method="L-BFGS-B", options=options).x
    inside = (logs > _NO_VARIANCE + 0.5) & (logs < _ALL_VARIANCE - 0.5)
    logs = _newton_polish(gradient, logs, inside)
    ratios = np.zeros(2)
    ratios[:n_effects] = np.where(logs <= _NO_VARIANCE + 0.5, 0.0, np.exp(logs))
    return ratios


def _newton_polish(gradient: Callable[[Floats], Floats], logs: Floats, inside: Flags) -> Floats:
    """Take Newton steps to a zero gradient, for the parameters that are not on a bound."""
    which = np.flatnonzero(inside)
    for _ in range(4 if which.size else 0):
        slope = gradient(logs)[which]
        curvature = np.empty((which.size, which.size))
        for column, k in enumerate(which):
            step = np.zeros(logs.size)
            step[k] = 1e-5
            moved = gradient(logs + step) - gradient(logs - step)
            curvature[:, column] = moved[which] / 2e-5
        if np.linalg.eigvalsh((curvature + curvature.T) / 2)[0] <= 0:
            break
        logs = logs.copy()
        logs[which] -= np.clip(np.linalg.solve(curvature, slope), -1, 1)
    return logs


def _criterion_parts(sums: RatingSums, ratios: Numbers) -> tuple[np.complex128, np.complex128]:
    """Return the generalised sum of squares and the sum of the log determinants."""
    items, annotators = ratios
    inflation = 1 + items * sums.sizes
    table, by_rater, squares = sums.reduced_normal_equations(items / inflation)
    whole = np.eye(table.shape[0]) + annotators * table
    ones = np.ones(table.shape[0])
    solved = np.linalg.solve(whole, np.stack([by_rater, table @ ones], axis=1))
    information = ones @ solved[:, 1]
    left = squares - annotators * (by_rater @ solved[:, 0]) - (ones @ solved[:, 0]) ** 2 / (
        information
    )  # fmt: skip
    sign, size = np.linalg.slogdet(whole)
    spread = (sums.n_items * np.log(inflation)).sum() + np.log(sign) + size + np.log(information)
    return np.complex128(left), np.complex128(spread)


def _restricted_likelihood_criterion(sums: RatingSums, ratios: Numbers) -> np.complex128:
    """−2 × the restricted log-likelihood up to a constant; complex for complex-step derivatives."""
    left, spread = _criterion_parts(sums, ratios)
    return np.complex128((sums.n_ratings - 1) * np.log(left) + spread)
