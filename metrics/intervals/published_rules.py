"""Published intervals of a share and of a rate that are sums over units, also near their bounds.

Near 0 and 1 a bootstrap over documents fails: if every unit is right, no resample has an error. The
rules here use the number of independent trials, or of events, that has the same variance as the
sums, and the exact interval at that number. A unit is a document, or an item without documents.

The variance of the ratio r = Σa/Σb is linearised, V = D/(D − 1) Σ e² / (Σb)² with e = a − r b,
whose mean is 0, over the D units with content (b > 0).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..arrays import Flags, Floats, Ints, divide
from ..quantiles import two_sided_normal_quantile
from .binomial import Bounds, clopper_pearson

CORRELATION = 0.05  # of outcomes within a unit, as long as hardly a unit has the rarer one
RARE = 1e-12  # of a unit's trials: less is the rounding of sums of floats
ROUNDING = 1e-9  # of a unit's sum: a smaller difference from the ratio is none


@dataclass(frozen=True, slots=True)
class Ratio:
    """Ratios of Q pairs of sums over D units, each array (Q,).

    value     Σa/Σb; nan where Σb = 0
    variance  linearised over units; nan with fewer than two units with content
    total     Σb
    n_units   units with content, b > 0
    """

    value: Floats
    variance: Floats
    total: Floats
    n_units: Floats


def ratio_over_units(
    numerators: Floats,
    denominators: Floats,
    n_units: Floats | int | None = None,
    *,
    times: Ints | None = None,
) -> Ratio:
    """Return ratios of sums with their linearised variances; float64 (D, Q), one row per unit.

    n_units  units with content, (Q,) or one number; None: those with a positive denominator
    times    (D,): number of equal units that each row stands for; None: one
    """
    total = _sum(denominators, times)
    content = _sum((denominators > 0).astype(np.float64), times) if n_units is None else n_units
    n = np.broadcast_to(np.asarray(content, np.float64), total.shape)
    value = divide(_sum(numerators, times), total)
    expected = value * denominators
    residuals = numerators - expected
    residuals[np.abs(residuals) <= ROUNDING * (np.abs(numerators) + np.abs(expected))] = 0.0
    squares = _sum(residuals**2, times)
    return Ratio(value, divide(n * squares, (n - 1) * total**2), total, n)


def _sum(rows: Floats, times: Ints | None) -> Floats:
    return np.asarray(rows.sum(axis=0) if times is None else times @ rows)


def share_bounds(
    successes: Floats,
    trials: Floats,
    *,
    level: float = 0.95,
    size: Floats | float | None = None,
    together: float = 1.0,
    times: Ints | None = None,
) -> Bounds:
    """Interval of a share Σ successes / Σ trials in [0, 1]: Clopper–Pearson at the effective size.

    successes, trials  float64 (D, Q), one row per unit; 0 ≤ successes ≤ trials
    size   most independent trials that the sums are worth, (Q,) or one number; None: Σ trials. For
           an F of pairs, `size_of_pairs`; inf for a mean of shares that are not
           themselves counts of trials, such as a modification rate
    together  trials that one error changes at most: in an F of pairs of annotators a misplaced unit
              and its partners, once for each other annotator
    times  (D,): number of equal units that each row stands for; None: one

    Returns bounds (Q,), nan with fewer than two units with content. They have a positive width and
    contain the share.

    The effective size is n = p(1 − p)/V, at most `size`; if V is 0, `size`, or Σ trials if that is
    infinite. It is multiplied by (t with size − 1 / t with D − 1 degrees of freedom)², because V is
    estimated from few units. Korn & Graubard (1998), Survey Methodology 24(2). V hides a
    correlation within units as long as few of them, g, have the rarer outcome: the design effect d
    has a least value (see `_design_effect`), and D − 1 becomes (D − 1)/d + g (1 − 1/d), d over
    `together`, if g, at least 1, is lower.
    """
    from scipy.special import stdtrit

    ratio = ratio_over_units(successes, trials, times=times)
    share = np.clip(ratio.value, 0.0, 1.0)  # sums of floats may exceed 1 by their rounding
    most = np.broadcast_to(np.asarray(ratio.total if size is None else size), share.shape)
    capped = np.isfinite(most)
    worth = np.where(capped, most, ratio.total)
    n_rarer = _units_with_rarer_outcome(successes, trials, share, times)
    of_a_unit = divide(_sum(trials**2, times), ratio.total**2) * worth
    effect = _design_effect(ratio, share, worth, of_a_unit, n_rarer, together, capped=capped)
    df = np.maximum(ratio.n_units - 1, 1)
    correlated = np.where(of_a_unit > together, np.maximum(1 - together / effect, 0), 0.0)
    df_of_variance = df - correlated * np.maximum(df - np.maximum(n_rarer, 1), 0)
    of_size = np.full(share.shape, two_sided_normal_quantile(level))
    upper_tail = (1 + level) / 2
    of_size[capped] = stdtrit(np.maximum(most[capped] - 1, df[capped]), upper_tail)
    effective = worth / effect * (of_size / stdtrit(df_of_variance, upper_tail)) ** 2
    known = (ratio.n_units > 1) & (effective > 0)
    effective = np.where(known, effective, 1.0)
    found = clopper_pearson(np.where(known, share, 0.0) * effective, effective, level)
    return Bounds(np.where(known, found.lower, np.nan), np.where(known, found.upper, np.nan))


def size_of_pairs(share: Floats, total: Floats) -> Floats:
    """Return the independent trials that an F of pairs, 2m / (units of both sides), is worth.

    total  units of both sides. Of m pairs and u units alone, m + u are independent, of which the
    share J = m/(m + u) are pairs; F = 2J/(1 + J) varies as the share of total/(2 − F) trials does.
    """
    return np.asarray(total / (2 - share))


def mean_share_bounds(
    successes: Floats,
    trials: Floats,
    *,
    worth: float = 1.0,
    paired: bool = False,
    level: float = 0.95,
) -> tuple[float, float]:
    """Interval of the mean of K shares that are defined, such as a macro average, in [0, 1].

    successes, trials  float64 (D, K), one row per unit
    worth   independent trials per trial, as `size` of `share_bounds`
    paired  whether they are F of pairs, whose size is `size_of_pairs`

    MOVER (Zou & Donner 2008, Statistics in Medicine 27): the distances of the shares from their
    limits by `share_bounds` are added as standard errors are, with the correlations of the shares
    over units. A share with one unit of content has the limits 0 and 1, and the correlation of a
    share that does not vary is taken as 1. Returns (nan, nan) with fewer than two units.
    """
    given = trials.sum(axis=0) > 0
    successes, trials = successes[:, given], trials[:, given]
    n_shares = successes.shape[1]
    if (trials.sum(axis=1) > 0).sum() < 2:
        return math.nan, math.nan
    share = successes.sum(axis=0) / trials.sum(axis=0)
    total = trials.sum(axis=0)
    size = size_of_pairs(share, total) if paired else worth * total
    bounds = share_bounds(successes, trials, level=level, size=size)
    residuals = successes - share * trials
    norms = np.sqrt((residuals**2).sum(axis=0))
    norms[norms < RARE * trials.sum(axis=0)] = 0.0
    products = np.outer(norms, norms)
    correlation = np.where(products > 0, divide(residuals.T @ residuals, products), 1.0)
    np.fill_diagonal(correlation, 1.0)
    to_lower = (share - np.where(np.isnan(bounds.lower), 0.0, bounds.lower)) / n_shares
    to_upper = (np.where(np.isnan(bounds.upper), 1.0, bounds.upper) - share) / n_shares
    mean = float(share.mean())
    below, above = (
        math.sqrt(max(0.0, float(one @ correlation @ one))) for one in (to_lower, to_upper)
    )
    return max(0.0, mean - below), min(1.0, mean + above)


def _units_with_rarer_outcome(
    successes: Floats, trials: Floats, share: Floats, times: Ints | None
) -> Floats:
    rarer = np.where(share > 0.5, trials - successes, successes)
    return _sum((rarer > RARE * trials).astype(np.float64), times)


def _design_effect(
    ratio: Ratio,
    share: Floats,
    worth: Floats,
    of_a_unit: Floats,
    n_rarer: Floats,
    together: float,
    *,
    capped: Flags,
) -> Floats:
    """Return the variance over that of `worth` independent trials, (Q,).

    of_a_unit  independent trials of a unit, weighed by its trials
    capped     whether it is at least 1 + (d − 1) exp(−g/3), g units having the rarer outcome and
               d = `together` (1 + (of_a_unit/together − 1) ρ); if V is 0, it is that

    The least effect is what few errors cannot exclude: with 10 documents of 100 items, accuracy .99
    and a correlation of .1 within documents, intervals without it covered .75 (`benchmarks/
    results/coverage-scores.md`). Items without documents have none.
    """
    without_errors = together * (1 + np.maximum(of_a_unit / together - 1, 0) * CORRELATION)
    least = 1 + (without_errors - 1) * np.exp(-n_rarer / 3)
    varies = (ratio.n_units > 1) & (ratio.variance > 0) & (share > 0) & (share < 1)
    found = least.copy()
    found[varies] = (worth * ratio.variance)[varies] / (share * (1 - share))[varies]
    return np.where(capped, np.maximum(found, np.maximum(least, 1.0)), found)


def rate_bounds(
    amounts: Floats,
    exposures: Floats,
    *,
    event: Floats | float = 1.0,
    level: float = 0.95,
    n_units: Floats | int | None = None,
    noise: Floats | float = 0.0,
) -> Bounds:
    """Interval of a rate Σ amounts / Σ exposures of events of unequal size, such as D_o/D_e.

    amounts, exposures  float64 (D, Q), one row per unit; amounts and sums are not negative
    event    amount of one further event of the largest size, positive, (Q,) or one number
    n_units  units with content, as in `ratio_over_units`
    noise    standard error of Σ exposures from another source, such as sampled chance

    Returns bounds (Q,), from 0 without an upper end; nan with fewer than two units with content.
    They have a positive width and contain the rate.

    Quantiles of gamma distributions with the mean and the variance of the rate, the upper one with
    one further event. V is multiplied by (t with D − 1 degrees of freedom / z)² because it is
    estimated from few units; if it is 0, it is that of events of the largest size. Fay & Feuer
    (1997), Statistics in Medicine 16(7): 791–801.
    """
    from scipy.special import gammaincinv, stdtrit

    ratio = ratio_over_units(amounts, exposures, n_units)
    known, tail = ratio.n_units > 1, (1 - level) / 2
    rate, further = ratio.value, divide(np.asarray(event, np.float64), ratio.total)
    variance = np.where(ratio.variance > 0, ratio.variance, rate * further)
    variance = variance + (rate * divide(np.asarray(noise, np.float64), ratio.total)) ** 2
    few = stdtrit(np.maximum(ratio.n_units - 1, 1), 1 - tail) / two_sided_normal_quantile(level)
    variance = variance * few**2

    def quantile(mean: Floats, spread: Floats, probability: float) -> Floats:
        some = known & (mean > 0)
        shape = divide(mean**2, spread)
        found = gammaincinv(np.where(some, shape, 1.0), probability) * divide(spread, mean)
        return np.where(some, found, np.where(known, 0.0, np.nan))

    lower = quantile(rate, variance, tail)
    upper = quantile(rate + further, variance + further**2, 1 - tail)
    return Bounds(np.minimum(lower, rate), np.maximum(upper, rate))
