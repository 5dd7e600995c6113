"""Ranks of systems with their uncertainty: intervals, sets of ranks, the probability to be best.

The rank of a system lies in [1 + systems surely better, K − systems surely worse], for all systems
together (Mogstad, Romano, Shaikh & Wilhelm 2024). Limits are simultaneous by the largest |t| of all
differences, drawn from the multivariate t distribution of the strengths, or by Bonferroni's factor
where it is smaller.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Floats
from ..estimate import Estimate, estimate
from ..intervals.interval import ANY, Range, close_bounds
from ..options import Sampling
from ..quantiles import sample_quantiles, t_quantile
from ..signature import How, IntervalMethod, input_hash
from .bradley_terry import Comparisons, Strengths, share_preferred

METHOD = "clustered-t"
_DRAWS = 20_000


@dataclass(frozen=True, slots=True)
class RankedSystem:
    """A system in the order of the strengths.

    strength      θ, with its confidence interval
    first, last   the ranks that are not ruled out, for all systems together
    best          probability that it has the greatest strength, by the errors of the strengths
    """

    system: str
    strength: Estimate
    first: int
    last: int
    best: float


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """Two systems, the stronger one as the better.

    preferred  share of comparisons in which the better is preferred, ties as half, by the model
    together   limits of the difference of strengths that hold for all pairs at once
    """

    better: str
    worse: str
    preferred: Estimate
    together: tuple[float, float]

    @property
    def is_decided(self) -> bool:
        """Whether the order of the two is the same for all differences within the limits."""
        return self.together[0] > 0


@dataclass(frozen=True, slots=True)
class Ranking:
    """The systems from strongest to weakest, all pairs in this order, and the covariates."""

    systems: tuple[RankedSystem, ...]
    pairs: tuple[ComparedPair, ...]
    effects: tuple[Estimate, ...]


def rank_systems(
    given: Comparisons,
    found: Strengths,
    sampling: Sampling,
    *,
    ties: str = "davidson",
    effects: Sequence[str] = ("order_effect",),
) -> Ranking:
    """Return the ranking with intervals and sets of ranks.

    ties     how ties were counted, for the signatures
    effects  names of the covariates' coefficients
    """
    names, k, c, level = (
        given.systems,
        len(given.systems),
        found.effects.size,
        sampling.confidence_level,
    )
    errors = np.sqrt(found.variance_of_differences())
    draws = _draws(found, sampling.seed)
    factor = _simultaneous(draws, errors, level, found.df)
    own = np.eye(k + c)
    own[:k, :k] -= 1.0 / k
    alone = np.sqrt(found.variance(own))
    half, n = t_quantile(found.df, (1 + level) / 2), int(np.unique(given.items).size)
    by_rater = "items and raters" if found.n_raters > 1 else "items"
    how = How(
        measure="strength",
        ties=ties,
        interval=IntervalMethod(METHOD, by_rater, level),
        seed=sampling.seed,
        input=input_hash([given.left, given.right, given.outcome, given.items, given.raters]),
    )

    def estimated(
        measure: str, value: float, limits: tuple[float, float], within: Range
    ) -> Estimate:
        bounds, _ = close_bounds(limits, value, level=level, n_units=n, within=within)
        own = replace(how, measure=measure)
        return estimate(
            own, value, None, bounds, confidence_level=level, n_items=n, n_annotators=found.n_raters
        )

    order = np.argsort(-found.theta, kind="stable").tolist()
    compared = []
    for position, a in enumerate(order):
        for b in order[position + 1 :]:
            error = float(errors[min(a, b), max(a, b)])
            d = float(found.theta[a] - found.theta[b])
            shares = share_preferred(np.array([d, d - half * error, d + half * error]), found.ties)
            value, lower, upper = shares.tolist()
            preferred = estimated("preferred_share", value, (lower, upper), (0.0, 1.0))
            together = (d - factor * error, d + factor * error)
            compared.append(ComparedPair(names[a], names[b], preferred, together))
    best = np.bincount((found.theta + draws).argmax(axis=1), minlength=k) / _DRAWS
    decided = [one for one in compared if one.is_decided]
    n_better = Counter(one.worse for one in decided)
    n_worse = Counter(one.better for one in decided)
    values = np.concatenate([found.theta, found.effects])
    estimates = [
        estimated(
            "strength" if j < k else effects[j - k],
            float(values[j]),
            (float(values[j] - half * alone[j]), float(values[j] + half * alone[j])),
            ANY,
        )
        for j in range(k + c)
    ]
    systems = tuple(
        RankedSystem(
            names[a],
            estimates[a],
            1 + n_better[names[a]],
            k - n_worse[names[a]],
            float(best[a]),
        )
        for a in order
    )
    return Ranking(systems, tuple(compared), tuple(estimates[k:]))


def _draws(found: Strengths, seed: int) -> Floats:
    """Return draws (B, K) of the errors of the strengths, multivariate t."""
    rng = np.random.default_rng(seed)
    k = found.theta.size
    is_wider = np.trace(found.covariance) >= np.trace(found.floor)
    values, vectors = np.linalg.eigh((found.covariance if is_wider else found.floor)[:k, :k])
    normal = rng.standard_normal((_DRAWS, k)) @ (vectors * np.sqrt(np.maximum(values, 0.0))).T
    return np.asarray(normal / np.sqrt(rng.chisquare(found.df, (_DRAWS, 1)) / found.df))


def _simultaneous(draws: Floats, errors: Floats, level: float, df: int) -> float:
    """Return the multiple of the standard errors (K, K) that covers all differences at once."""
    k, largest = len(errors), np.zeros(len(draws))
    for a in range(k - 1):
        apart, own = np.abs(draws[:, a, None] - draws[:, a + 1 :]), errors[a, a + 1 :]
        scaled = np.divide(apart, own, out=np.zeros_like(apart), where=own > 0)
        np.maximum(largest, scaled.max(axis=1), out=largest)
    [at_once] = sample_quantiles(largest, [level])
    return min(at_once, t_quantile(df, 1 - (1 - level) / (k * (k - 1))))
