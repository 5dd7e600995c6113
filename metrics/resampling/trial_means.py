"""Intervals of means over independent trials, also of trials that stop at one of a few looks."""

from __future__ import annotations

import math

import numpy as np

from ..arrays import Floats, Ints
from ..bootstrap import check_level
from ..quantiles import t_quantile

_FEWEST = 8  # trials at a look: the sd of fewer is too uncertain to stop by


def interval_of_means(mean: Floats, sd: Floats, n: Ints, *, level: float = 0.95) -> Floats:
    """Return mean ± t · sd / √n, float64 (..., 2), with n − 1 degrees of freedom.

    mean, sd  (...): of the trials; sd with divisor n − 1
    n         (...), or one that broadcasts: number of trials

    `nan` below two trials. Source: Student (1908).
    """
    check_level(level)
    counts = np.broadcast_to(n, np.shape(mean))
    found, which = np.unique(counts, return_inverse=True)
    t = np.array([t_quantile(k - 1, (1 + level) / 2) if k > 1 else np.nan for k in found.tolist()])
    half = t[which].reshape(counts.shape) * sd / np.sqrt(np.maximum(counts, 1))
    return np.stack([mean - half, mean + half], axis=-1)


def interval_of_contrast(
    difference: float, error: float, df: float, *, level: float = 0.95
) -> tuple[float, float]:
    """Return difference ± t · error, of means over independent trials."""
    half = t_quantile(df, (1 + level) / 2) * error
    return difference - half, difference + half


def error_of_mean(mean: float, interval: tuple[float, float], n: int) -> float:
    """Return the standard error behind an interval at .95, of which a range cut one end.

    That of an interval that allows for looks is as much larger as the interval is.
    """
    half = max(mean - interval[0], interval[1] - mean)
    return half / t_quantile(n - 1, 0.975) if n > 1 else math.nan


def looks_at(trials: int) -> tuple[int, ...]:
    """Return the numbers of trials after which a cell may stop: 8 or more of ⅛, ¼, ½, all.

    >>> looks_at(2000), looks_at(30), looks_at(6)
    ((250, 500, 1000, 2000), (8, 15, 30), (6,))
    """
    parts = (math.ceil(trials / part) for part in (8, 4, 2))
    return (*(dict.fromkeys(one for one in parts if _FEWEST <= one < trials)), trials)


def level_of_looks(n_looks: int, level: float = 0.95) -> float:
    """Return the level of the interval at each look with which all looks hold together.

    Whatever the rule to stop is, the interval at the stop then holds at `level` or above
    (Bonferroni; Armitage, McPherson & Rowe 1969 give the error without it).

    >>> level_of_looks(4)
    0.9875
    """
    check_level(level)
    return 1 - (1 - level) / n_looks
