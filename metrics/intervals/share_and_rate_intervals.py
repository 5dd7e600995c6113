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

from ..arrays import Floats, Ints, divide
from ..quantiles import two_sided_normal_quantile
from .binomial import Bounds, clopper_pearson

CORRELATION = 0.1  # of outcomes within a unit, as far as units do not show it
UNITS_THAT_SHOW = 4.0  # units with errors, of which 1/e of a correlation stays hidden
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
    worth: float = 1.0,
    paired: bool = False,
    together: float = 1.0,
    times: Ints | None = None,
) -> Bounds:
    """Interval of a share Σ successes / Σ trials in [0, 1]: Clopper–Pearson at the effective size.

    successes, trials  float64 (D, Q), one row per unit; 0 ≤ successes ≤ trials
    worth   independent trials per trial
    paired  whether it is an F of pairs, 2m / (units of both sides). Of m pairs and u units alone,
            m + u are independent, of which the share J = m/(m + u) are pairs; F = 2J/(1 + J) varies
            as the share of (units of both sides)/(2 − F) trials does
    together  trials that one error changes at most: in an F of pairs of annotators a misplaced unit
              and its partners, once for each other annotator
    times  (D,): number of equal units that each row stands for; None: one

    Returns bounds (Q,), nan with fewer than two units with content, unless the only one has a
    single trial, whose limits are exact. They have a positive width and contain the share.

    The effective size is n = p(1 − p)/V, multiplied by (t with size − 1 / t with D − 1 degrees of
    freedom)², because V is estimated from few units. Korn & Graubard (1998), Survey Methodology
    24(2). It is at most size / (1 + (d − 1) f), where one error and those that come with it
    change d trials (`_trials_of_an_error`) and f is how much of that few errors hide
    (`_hidden_by_few_errors`).
    """
    from scipy.special import stdtrit

    ratio = ratio_over_units(successes, trials, times=times)
    share = np.clip(ratio.value, 0.0, 1.0)  # sums of floats may exceed 1 by their rounding
    most = ratio.total / (2 - share) if paired else worth * ratio.total
    of_an_error = _trials_of_an_error(trials * (0.5 if paired else worth), together, times)
    rarer = np.where(share > 0.5, trials - successes, successes)
    effect = 1 + (of_an_error - 1) * _hidden_by_few_errors(rarer, trials, times)
    varies = (ratio.n_units > 1) & (ratio.variance > 0) & (share > 0) & (share < 1)
    observed = (most * ratio.variance)[varies] / (share * (1 - share))[varies]
    effect[varies] = np.maximum(effect[varies], observed)
    df, upper_tail = np.maximum(ratio.n_units - 1, 1), (1 + level) / 2
    few = stdtrit(np.maximum(most - 1, df), upper_tail) / stdtrit(df, upper_tail)
    effective = most / effect * few**2
    is_binomial = not paired and worth == 1 and together == 1
    single = (ratio.n_units == 1) & (ratio.total == 1) & is_binomial
    known = ((ratio.n_units > 1) | single) & (effective > 0)
    effective = np.where(known, effective, 1.0)
    found = clopper_pearson(np.where(known, share, 0.0) * effective, effective, level)
    return Bounds(np.where(known, found.lower, np.nan), np.where(known, found.upper, np.nan))


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
    worth, paired  as of `share_bounds`

    MOVER (Zou & Donner 2008, Statistics in Medicine 27): the distances of the shares from their
    limits by `share_bounds` are added as standard errors are, with the correlations of the shares
    over units. A share with one unit of several trials has the limits 0 and 1, and the correlation
    of a share that does not vary is taken as 1. Returns (nan, nan) with fewer than two units.
    """
    given = trials.sum(axis=0) > 0
    successes, trials = successes[:, given], trials[:, given]
    n_shares = successes.shape[1]
    if (trials.sum(axis=1) > 0).sum() < 2:
        return math.nan, math.nan
    share = successes.sum(axis=0) / trials.sum(axis=0)
    bounds = share_bounds(successes, trials, level=level, worth=worth, paired=paired)
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


def mean_bounds(
    amounts: Floats,
    trials: Floats,
    *,
    highest: float = 1.0,
    level: float = 0.95,
    together: float = 1.0,
    times: Ints | None = None,
) -> Bounds:
    """Interval of a mean Σ amounts / Σ trials of amounts from 0 to `highest`, such as an overlap.

    amounts, trials  float64 (D, Q), one row per unit; 0 ≤ amounts ≤ highest · trials
    together  trials that one error changes at most
    times     (D,): number of equal units that each row stands for; None: one

    Returns bounds (Q,), nan with fewer than two units with content. They have a positive width and
    contain the mean.

    Such a mean varies less than a share of trials, by how much the units show. The smaller of the
    amounts and of what they lack to `highest` have limits by `rate_bounds`. Their further event has
    the mean size that V shows, or, as far as few errors hide it, that of one error and those that
    come with it.
    """
    amounts = amounts / highest
    lacks = 2 * _sum(amounts, times) > _sum(trials, times)
    smaller = np.where(lacks, trials - amounts, amounts)
    ratio = ratio_over_units(smaller, trials, times=times)
    largest = _trials_of_an_error(trials, together, times)
    size = divide(ratio.variance * ratio.total, ratio.value)
    size = np.where(size > 0, np.minimum(size, largest), largest)
    event = size + (largest - size) * _hidden_by_few_errors(smaller, trials, times)
    found = rate_bounds(smaller, trials, event=event, level=level, times=times)
    lower, upper = np.maximum(found.lower, 0.0), np.minimum(found.upper, 1.0)
    return Bounds(
        np.where(lacks, 1 - upper, lower) * highest, np.where(lacks, 1 - lower, upper) * highest
    )


def _trials_of_an_error(trials: Floats, together: float, times: Ints | None) -> Floats:
    """Return the trials that one error and those that come with it in its unit change, (Q,).

    That is `together`, and `CORRELATION` of the further trials of a unit, weighed by its trials.
    """
    of_a_unit = divide(_sum(trials**2, times), _sum(trials, times))
    return np.asarray(together + np.maximum(of_a_unit - together, 0) * CORRELATION)


def _hidden_by_few_errors(errors: Floats, trials: Floats, times: Ints | None) -> Floats:
    """Return how much of the correlation within units the errors cannot show, (Q,), 1 to 0.

    errors  float64 (D, Q): the rarer outcome of each unit

    exp(−g/4) for errors in g = (Σ errors)² / Σ errors² units (Kish's effective number): V has them
    from g units. With 10 documents of 100 items, accuracy .99 and a correlation of .1, intervals
    by V alone covered .75 (`benchmarks/results/coverage-scores.md`).
    """
    errors = np.where(errors > RARE * trials, errors, 0.0)
    n_effective = divide(_sum(errors, times) ** 2, _sum(errors**2, times))
    return np.exp(-np.nan_to_num(n_effective) / UNITS_THAT_SHOW)


def rate_bounds(
    amounts: Floats,
    exposures: Floats,
    *,
    event: Floats | float = 1.0,
    level: float = 0.95,
    n_units: Floats | int | None = None,
    noise: Floats | float = 0.0,
    times: Ints | None = None,
) -> Bounds:
    """Interval of a rate Σ amounts / Σ exposures of events of unequal size, such as D_o/D_e.

    amounts, exposures  float64 (D, Q), one row per unit; amounts and sums are not negative
    event    amount of one further event of the largest size, positive, (Q,) or one number
    n_units  units with content, as in `ratio_over_units`
    noise    standard error of Σ exposures from another source, such as sampled chance
    times    (D,): number of equal units that each row stands for; None: one

    Returns bounds (Q,), from 0 without an upper end; nan with fewer than two units with content.
    They have a positive width and contain the rate.

    Quantiles of gamma distributions with the mean and the variance of the rate, the upper one with
    one further event. V is multiplied by (t with D − 1 degrees of freedom / z)² because it is
    estimated from few units; if it is 0, it is that of events of the largest size. Fay & Feuer
    (1997), Statistics in Medicine 16(7): 791–801.
    """
    from scipy.special import gammaincinv, stdtrit

    ratio = ratio_over_units(amounts, exposures, n_units, times=times)
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
