"""Published intervals of a share and of a rate that are sums over units, also near their bounds.

Near 0 and 1 a bootstrap over documents fails: if every unit is right, no resample has an error. The
rules here use the number of independent trials, or of events, that has the same variance as the
sums, and the exact interval at that number. A unit is a document, or an item without documents.

The variance of the ratio r = Σa/Σb is linearised, V = D/(D − 1) Σ e² / (Σb)² with e = a − r b,
whose mean is 0, over the D units with content (b > 0).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Floats, divide
from ..quantiles import two_sided_normal_quantile
from .binomial import Bounds, clopper_pearson


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


def ratio_over_units(numerators: Floats, denominators: Floats) -> Ratio:
    """Return ratios of sums with their linearised variances; float64 (D, Q), one row per unit."""
    total, n = denominators.sum(axis=0), (denominators > 0).sum(axis=0).astype(np.float64)
    value = divide(numerators.sum(axis=0), total)
    squares = ((numerators - value * denominators) ** 2).sum(axis=0)
    return Ratio(value, divide(n * squares, (n - 1) * total**2), total, n)


def share_bounds(
    successes: Floats,
    trials: Floats,
    *,
    level: float = 0.95,
    size: Floats | float | None = None,
) -> Bounds:
    """Interval of a share Σ successes / Σ trials in [0, 1]: Clopper–Pearson at the effective size.

    successes, trials  float64 (D, Q), one row per unit; 0 ≤ successes ≤ trials
    size   most independent trials that the sums are worth, (Q,) or one number; None: Σ trials. For
           an F of pairs, half of the units of the two sides; inf for a mean of shares that are not
           themselves counts of trials, such as a modification rate

    Returns bounds (Q,), nan with fewer than two units with content. They have a positive width and
    contain the share.

    The effective size is n = p(1 − p)/V, at most `size`; if V is 0, `size`, or the number of units
    if that is infinite. It is multiplied by (t with size − 1 / t with D − 1 degrees of freedom)²,
    because V is estimated from few units. Korn & Graubard (1998), Survey Methodology 24(2).
    """
    from scipy.special import stdtrit

    ratio = ratio_over_units(successes, trials)
    share = np.clip(ratio.value, 0.0, 1.0)  # sums of floats may exceed 1 by their rounding
    most = np.broadcast_to(np.asarray(ratio.total if size is None else size), share.shape)
    known = ratio.n_units > 1
    varies = known & (ratio.variance > 0) & (share > 0) & (share < 1)
    effective = np.where(np.isfinite(most), most, ratio.n_units)
    effective[varies] = (share * (1 - share))[varies] / ratio.variance[varies]
    effective = np.minimum(effective, most)
    upper_tail, df = (1 + level) / 2, np.maximum(ratio.n_units - 1, 1)
    of_size = np.full(share.shape, two_sided_normal_quantile(level))
    finite = np.isfinite(most)
    of_size[finite] = stdtrit(np.maximum(most[finite] - 1, df[finite]), upper_tail)
    effective *= (of_size / stdtrit(df, upper_tail)) ** 2
    known &= effective > 0
    effective = np.where(known, effective, 1.0)
    found = clopper_pearson(np.where(known, share, 0.0) * effective, effective, level)
    return Bounds(np.where(known, found.lower, np.nan), np.where(known, found.upper, np.nan))


def rate_bounds(
    amounts: Floats, exposures: Floats, *, event: Floats | float = 1.0, level: float = 0.95
) -> Bounds:
    """Interval of a rate Σ amounts / Σ exposures of events of unequal size, such as D_o/D_e.

    amounts, exposures  float64 (D, Q), one row per unit, not negative
    event  amount of one further event of the largest size, positive, (Q,) or one number

    Returns bounds (Q,), from 0 without an upper end; nan with fewer than two units with content.
    They have a positive width and contain the rate.

    Quantiles of gamma distributions with the mean and the variance of the rate, the upper one with
    one further event. V is multiplied by (t with D − 1 degrees of freedom / z)² because it is
    estimated from few units; if it is 0, it is that of events of the largest size. Fay & Feuer
    (1997), Statistics in Medicine 16(7): 791–801.
    """
    from scipy.special import gammaincinv, stdtrit

    ratio = ratio_over_units(amounts, exposures)
    known, tail = ratio.n_units > 1, (1 - level) / 2
    rate, further = ratio.value, divide(np.asarray(event, np.float64), ratio.total)
    variance = np.where(ratio.variance > 0, ratio.variance, rate * further)
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
