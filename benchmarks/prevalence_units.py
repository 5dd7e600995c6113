"""Numbers of units of a corpus, by the ratio and the regression estimator over documents.

Neither is offered by `accordeur estimate`: see the coverage in benchmarks/results/prevalence.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
from scipy.stats import t as student

from benchmarks.prevalence_cells import Array, Generator

_DOCUMENTS = 500


def units_table(
    rng: Generator,
    trials: int,
    table: Callable[[Sequence[str], Sequence[tuple[str, ...]]], str],
) -> list[str]:
    """The section on numbers of units."""
    found: dict[int, list[tuple[float, float]]] = {}
    for audited, mean, spread, recall, false in product(
        (20, 50, 200), (0.2, 1.0, 5.0), (0.3, 1.0), (0.6, 0.9), (0.1, 0.5)
    ):
        found.setdefault(audited, []).append(
            _coverages(rng, audited, mean, spread, recall, false * mean, trials)
        )
    rows = [
        (str(n), *(f"{min(one):.3f} / {np.median(one):.3f}" for one in zip(*some, strict=True)))
        for n, some in found.items()
    ]
    return [
        "## Numbers of units",
        (
            f"Not offered. Mean number of units of a category in {_DOCUMENTS} documents, from the "
            "system's units in all and the humans' in the audited ones; 24 cells a row (mean 0.2 "
            "to 5, negative binomial with shape 0.3 or 1, recall .6 or .9, spurious units). "
            "Coverage of 95 % intervals with Student's t, minimum / median."
        ),
        table(("audited documents", "ratio estimator", "regression estimator"), rows),
    ]


def _coverages(
    rng: Generator,
    audited: int,
    mean: float,
    spread: float,
    recall: float,
    false: float,
    trials: int,
) -> tuple[float, float]:
    rates = rng.gamma(spread, mean / spread, (trials, _DOCUMENTS))
    humans = rng.poisson(rates).astype(float)
    system = rng.binomial(humans.astype(int), recall) + rng.poisson(false, humans.shape)
    truth, of_all = humans.mean(axis=1), system.mean(axis=1)
    x, y = system[:, :audited].astype(float), humans[:, :audited]
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = y.mean(axis=1) / x.mean(axis=1)
        first = _held(ratio * of_all, y - ratio[:, None] * x, truth, audited - 1)
        centred = x - x.mean(axis=1, keepdims=True)
        slope = (centred * y).sum(axis=1) / (centred**2).sum(axis=1)
        middle = y.mean(axis=1) + slope * (of_all - x.mean(axis=1))
        errors = y - y.mean(axis=1, keepdims=True) - slope[:, None] * centred
        second = _held(middle, errors, truth, audited - 2)
    return first, second


def _held(middle: Array, errors: Array, truth: Array, freedom: int) -> float:
    n = errors.shape[1]
    variance = (errors**2).sum(axis=1) / freedom / n * (1 - n / _DOCUMENTS)
    return float((np.abs(middle - truth) <= student.ppf(0.975, freedom) * np.sqrt(variance)).mean())
