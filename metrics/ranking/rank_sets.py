"""Ranks of systems with their uncertainty: intervals, sets of ranks, the probability to be best.

The rank of a system lies in [1 + systems surely better, K − systems surely worse], for all systems
together (Mogstad, Romano, Shaikh & Wilhelm 2024). Limits are simultaneous by the largest |t| of all
differences, drawn from the multivariate t distribution of the strengths, or by Bonferroni's factor
where it is smaller.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Floats
from ..estimate import Estimate, estimate
from ..intervals.interval import ANY, Range, close_bounds
from ..options import Sampling
from ..quantiles import sample_quantiles, t_quantile
from ..signature import How, IntervalMethod, input_hash
from .bradley_terry import Comparisons, Strengths, differences, share_preferred

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
    pairs, contrasts = differences(k, c)
    errors = np.sqrt(found.variance(contrasts))
    draws = _draws(found, sampling.seed)
    factor = _simultaneous(draws, contrasts[:, :k], errors, level, found.df)
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

    order, at = (
        np.argsort(-found.theta, kind="stable").tolist(),
        dict(zip(pairs, errors, strict=True)),
    )
    compared = []
    for position, a in enumerate(order):
        for b in order[position + 1 :]:
            error = float(at[min(a, b), max(a, b)])
            d = float(found.theta[a] - found.theta[b])
            shares = share_preferred(np.array([d, d - half * error, d + half * error]), found.ties)
            value, lower, upper = shares.tolist()
            preferred = estimated("preferred_share", value, (lower, upper), (0.0, 1.0))
            together = (d - factor * error, d + factor * error)
            compared.append(ComparedPair(names[a], names[b], preferred, together))
    best = np.bincount((found.theta + draws).argmax(axis=1), minlength=k) / _DRAWS
    decided = [one for one in compared if one.is_decided]
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
            1 + sum(one.worse == names[a] for one in decided),
            k - sum(one.better == names[a] for one in decided),
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


def _simultaneous(draws: Floats, contrasts: Floats, errors: Floats, level: float, df: int) -> float:
    """Return the multiple of the standard errors that covers all differences at once."""
    scaled = np.abs(draws @ contrasts.T)
    scaled = np.divide(scaled, errors, out=np.zeros_like(scaled), where=errors > 0)
    [largest] = sample_quantiles(scaled.max(axis=1), [level])
    return min(largest, t_quantile(df, 1 - (1 - level) / 2 / errors.size))
