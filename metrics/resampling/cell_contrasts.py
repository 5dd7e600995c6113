"""Cells of a study beside each other: contrasts of paired cells, and what each factor explains.

Two cells are paired if they differ in one factor alone. A contrast of two levels of a factor is the
mean difference over all such pairs, with Welch's interval. Cells have trials of their own, except
those that share them; then the correlation of their means is part of the error.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..arrays import Floats, Ints
from .trial_means import interval_of_contrast

INTERACTIONS, TRIALS = "interactions", "trials"


@dataclass(frozen=True, slots=True)
class Contrast:
    """Mean difference, second level minus first, over `n_pairs` pairs of cells.

    pair_range         smallest and largest difference of a pair
    interval, p_value  by Student's t with Satterthwaite's degrees of freedom; nan if a cell has no
                       error (one trial, or exact values)
    """

    factor: str
    first: str
    second: str
    n_pairs: int
    difference: float
    pair_range: tuple[float, float]
    interval: tuple[float, float]
    p_value: float


def paired_contrasts(
    cells: Sequence[Mapping[str, str]],
    means: Floats,
    errors: Floats,
    df: Ints,
    *,
    correlations: Floats | None = None,
    level: float = 0.95,
) -> list[Contrast]:
    """Return a contrast for each two levels of each factor, in the order of the cells.

    cells   C of them: the level of each factor, the same factors in all
    means   float64 (C,); a cell without a mean (nan) is in no pair
    errors  float64 (C,): standard errors of the means; a cell without one (nan) is in no pair if
            there are others. df, int64 (C,): their degrees of freedom
    correlations  float64 (C, C) of the means (`correlations_of_means`); None: independent
    """
    if correlations is None:
        correlations = np.eye(len(cells))
    covariances = correlations * np.outer(errors, errors)
    found = []
    for factor in cells[0]:
        levels = list(dict.fromkeys(cell[factor] for cell in cells))
        place: dict[tuple[str, ...], int] = {}
        for c, cell in enumerate(cells):
            if math.isfinite(means[c]):
                others = tuple(value for key, value in cell.items() if key != factor)
                place[(cell[factor], *others)] = c
        for first, second in combinations(levels, 2):
            pairs = [
                (c, place[(second, *key[1:])])
                for key, c in place.items()
                if key[0] == first and (second, *key[1:]) in place
            ]
            known = [pair for pair in pairs if np.isfinite(errors[list(pair)]).all()]
            pairs = known or pairs
            if pairs:
                found.append(
                    _contrast(factor, (first, second), pairs, means, covariances, df, level)
                )
    return found


def _contrast(
    factor: str, levels: tuple[str, str], pairs: Sequence[tuple[int, int]],
    means: Floats, covariances: Floats, df: Ints, level: float,
) -> Contrast:  # fmt: skip
    both = np.array(pairs)
    differences = means[both[:, 1]] - means[both[:, 0]]
    difference = float(differences.mean())
    of_pairs = float(differences.min()), float(differences.max())
    used, signs = both.reshape(-1), np.tile([-1.0, 1.0], len(pairs))
    own = covariances[np.ix_(used, used)]
    variances = _independent_parts(own * np.outer(signs, signs))
    interval, p_value = (math.nan, math.nan), math.nan
    if (variances > 0).any() and np.isfinite(np.diag(own)).all():
        of_sum = variances.sum()
        own_df = np.maximum(df[used], 1)
        joint_df = float(of_sum**2 / (variances**2 / own_df).sum())
        error = math.sqrt(of_sum) / len(pairs)
        interval = interval_of_contrast(difference, error, joint_df, level=level)
        p_value = _two_sided_p_value(difference / error, joint_df)
    return Contrast(factor, *levels, len(pairs), difference, of_pairs, interval, p_value)


def _independent_parts(covariances: Floats) -> Floats:
    """Return the variance of the sum of each set of correlated terms, at its first term."""
    first = (covariances != 0).argmax(axis=1)
    return np.maximum(np.bincount(first, covariances.sum(axis=1), first.size), 0.0)


def correlations_of_means(trials: Sequence[Floats], drawn: Sequence[str]) -> Floats:
    """Return the correlations of the means of C cells, float64 (C, C).

    trials  value of each trial of a cell, by number; nan if it is not in the mean
    drawn   C names; cells of one name have the same trials
    """
    found = np.eye(len(trials))
    for i, j in combinations(range(len(trials)), 2):
        if drawn[i] != drawn[j]:
            continue
        n = min(trials[i].size, trials[j].size)  # one may have stopped before
        one, other = trials[i][:n], trials[j][:n]
        shared = np.isfinite(one) & np.isfinite(other)
        one, other = one[shared], other[shared]
        if one.size > 1 and one.std() > 0 and other.std() > 0:
            counted = [np.isfinite(trials[c]).sum() for c in (i, j)]
            share = one.size / math.sqrt(counted[0] * counted[1])
            found[i, j] = found[j, i] = share * np.corrcoef(one, other)[0, 1]
    return found


def _two_sided_p_value(t: float, df: float) -> float:
    from scipy.special import stdtr

    return float(2 * stdtr(df, -abs(t)))


def variance_shares(
    cells: Sequence[Mapping[str, str]], means: Floats, errors: Floats
) -> dict[str, float]:
    """Return the share of the variance of the cells' means that each factor explains alone.

    Shares of `interactions` of factors and of the `trials` (as much as the errors of the means make
    on average) complete them to 1. {} unless every combination of the levels has one mean, and if
    all means are equal.
    """
    levels = {key: dict.fromkeys(cell[key] for cell in cells) for key in cells[0]}
    combined = {tuple(cell.values()) for cell in cells}
    if not levels or not len(cells) == len(combined) == math.prod(map(len, levels.values())):
        return {}
    whole = float(((means - means.mean()) ** 2).sum())
    if not (np.isfinite(means).all() and whole > 0):
        return {}
    found = {}
    for factor, values in levels.items():
        own = [means[[cell[factor] == value for cell in cells]] for value in values]
        found[factor] = sum(one.size * (one.mean() - means.mean()) ** 2 for one in own) / whole
    rest = max(1.0 - sum(found.values()), 0.0)
    noise = float(np.nansum(errors**2)) * (1 - 1 / len(cells)) / whole
    of_trials = min(rest, noise)
    return found | {INTERACTIONS: rest - of_trials, TRIALS: of_trials}
