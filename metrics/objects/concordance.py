"""Kendall's coefficient of concordance W of rankings, corrected for ties, with a permutation test.

Kendall & Babington Smith 1939; with ties Kendall & Gibbons 1990, chapter 6.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Floats
from ..errors import MetricsError

_SLACK = 1e-12  # sums of ranks that are equal but for rounding


@dataclass(frozen=True)
class Concordance:
    """Concordance of annotators who ranked the same candidates.

    w        from 0 (no concordance) to 1 (the same ranking); nan if every annotator ties all
    p_value  share of permutations with at least this W: small if annotators do not rank at random;
             nan where w is
    """

    w: float
    p_value: float
    n_annotators: int
    n_candidates: int


def kendall_w(ranks: ArrayLike, *, n_permutations: int = 9_999, seed: int = 0) -> Concordance:
    """Compute Kendall's W of places, ratings or scores (annotators × candidates).

    Each row is converted to ranks from its smallest value on, tied candidates having the mean of
    their ranks. In the test, each annotator's ranks are permuted independently, and the rankings
    themselves count as one permutation.

    Raises MetricsError for fewer than two annotators or candidates and for missing values.

    >>> kendall_w([[1, 2, 3, 4], [1, 2, 3, 4], [2, 1, 3, 4]], n_permutations=99).w.__round__(3)
    0.911
    """
    values = np.asarray(ranks, dtype=np.float64)
    if values.ndim != 2 or min(values.shape) < 2:
        raise MetricsError(
            "Kendall's W needs a table of at least two annotators (rows) and two candidates "
            f"(columns); this one has the shape {values.shape}"
        )
    if not np.isfinite(values).all():
        raise MetricsError(
            "Kendall's W needs a rank of each annotator for each candidate: fill in or exclude "
            "the rows with missing values"
        )
    m, n = values.shape
    placed = _mean_ranks(values) - (n + 1) / 2
    most = m * float((placed**2).sum())  # Σ of squared sums if all agree as far as ties allow
    if not most:
        return Concordance(math.nan, math.nan, m, n)
    found = float((placed.sum(axis=0) ** 2).sum())
    rng = np.random.default_rng(seed)
    n_as_large = 1
    for _ in range(n_permutations):
        by_chance = float((rng.permuted(placed, axis=1).sum(axis=0) ** 2).sum())
        n_as_large += by_chance >= found * (1 - _SLACK)
    return Concordance(
        w=found / most,
        p_value=n_as_large / (n_permutations + 1),
        n_annotators=m,
        n_candidates=n,
    )


def _mean_ranks(values: Floats) -> Floats:
    """Return the rank of each value in its row, the mean of the ranks of tied values."""
    smaller = (values[:, None, :] < values[:, :, None]).sum(axis=2)
    equal = (values[:, None, :] == values[:, :, None]).sum(axis=2)
    placed: Floats = smaller + (equal + 1) / 2
    return placed
