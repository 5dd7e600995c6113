"""Values of statistics of sums over units, with their intervals: the engine of both sides.

A row has what one unit (a document; an item without documents) adds to the sums, so that the sums
of a resample are weights times rows. A statistic says what is computed of the sums, its range and,
through its class, how its interval follows:

| statistic | value | interval |
|---|---|---|
| `Share` | Σa / Σb of trials, in [0, 1] | Korn & Graubard 1998 (`share_and_rate_intervals`) |
| `MeanOfShares` | mean of the defined ones of K shares | MOVER over the limits of each share |
| `Mean` | Σa / Σb of amounts up to a highest value | Fay & Feuer, of the smaller part |
| `Rate` | Σa / Σb from 0, or 1 − Σa / Σb | Fay & Feuer 1997 |
| `Resampled` | any function of the sums | expanded percentiles of a bootstrap over the units |

Coefficients on items, whose sums are read on demand, have their units and methods in
`metrics.agreement`. All intervals are closed by `interval.close_interval`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ..arrays import Flags, Floats, Ints, divide
from ..bootstrap import (
    METHOD,
    Counts,
    check_replicates,
    mean_defined,
    percentile_probabilities,
    resampled_sums,
    total_over_documents,
)
from ..options import Sampling
from .binomial import Bounds
from .interval import ANY, FEWEST, Interval, Range, close_interval, interval_of_draws
from .share_and_rate_intervals import (
    Ratio,
    mean_bounds,
    mean_share_bounds,
    rate_bounds,
    ratio_over_units,
    share_bounds,
)

OF_SHARES, OF_MEANS, OF_RATES = "korn-graubard", "mover-korn-graubard", "fay-feuer"
"""Names of the published rules in signatures."""

Parts: TypeAlias = Callable[[Floats], tuple[Floats, Floats]]  # (B, …) → numerators, denominators


@dataclass(frozen=True, slots=True)
class Share:
    """A share of sums, Σ successes / Σ trials, in [0, 1].

    parts      rows or sums (B, …) → successes and trials, (B,) each; additive
    worth      independent trials per trial
    paired     whether it is an F of pairs, whose trials are the units of both sides
    together   trials that one error changes at most, as of `share_bounds`
    fewest     units with content that an interval needs
    """

    parts: Parts
    worth: float = 1.0
    paired: bool = False
    together: float = 1.0
    fewest: int = FEWEST
    within: Range = (0.0, 1.0)

    def of(self, sums: Floats) -> Floats:
        """Return values (B,) of sums (B, …); nan without a trial."""
        return divide(*self.parts(sums))


@dataclass(frozen=True, slots=True)
class MeanOfShares:
    """The mean of K shares of sums that are defined, such as a macro average, in [0, 1].

    parts, worth, paired, fewest  as of `Share`, with successes and trials (B, K)
    """

    parts: Parts
    worth: float = 1.0
    paired: bool = False
    fewest: int = FEWEST
    within: Range = (0.0, 1.0)

    def of(self, sums: Floats) -> Floats:
        """Return values (B,) of sums (B, …); nan without a trial."""
        return mean_defined(divide(*self.parts(sums)))


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean of amounts which are not counts of trials, Σ amounts / Σ trials, in [0, highest].

    parts     rows or sums (B, …) → amounts and trials, (B,) each; additive
    highest   highest amount per trial
    together  trials that one error changes at most, as of `mean_bounds`
    fewest    units with content that an interval needs
    """

    parts: Parts
    highest: float = 1.0
    together: float = 1.0
    fewest: int = FEWEST

    @property
    def within(self) -> Range:
        return (0.0, self.highest)

    def of(self, sums: Floats) -> Floats:
        """Return values (B,) of sums (B, …); nan without a trial."""
        return divide(*self.parts(sums))


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate of sums, Σ amounts / Σ exposures, not negative; or 1 minus it.

    parts      rows or sums (B, …) → amounts and exposures, (B,) each; additive
    event      amount of one further event of the largest size
    remaining  whether the value is 1 minus the rate, as of D_o/D_e
    within     range of the value
    noise      standard error of Σ exposures from another source than the units
    fewest     units with content that an interval needs
    content    rows (D, …) → whether a unit has content, (D,); None: it has an exposure
    """

    parts: Parts
    event: float = 1.0
    remaining: bool = False
    within: Range = (0.0, math.inf)
    noise: float = 0.0
    fewest: int = FEWEST
    content: Callable[[Floats], Flags] | None = None

    def of(self, sums: Floats) -> Floats:
        """Return values (B,) of sums (B, …); nan without an exposure."""
        rate = divide(*self.parts(sums))
        return 1 - rate if self.remaining else rate


@dataclass(frozen=True, slots=True)
class Resampled:
    """A function of sums without a published rule.

    of       sums (B, …) → values (B,), nan where undefined
    within   range of the values
    fewest   units with content that an interval needs
    content  rows (D, …) → whether a unit has content, (D,); None: it has a number that is not 0
    """

    of: Callable[[Floats], Floats]
    within: Range = ANY
    fewest: int = FEWEST
    content: Callable[[Floats], Flags] | None = None


Statistic: TypeAlias = Share | MeanOfShares | Mean | Rate | Resampled


@dataclass(frozen=True, slots=True)
class Value:
    """A value, nan if undefined, with its interval; None if no interval is requested."""

    value: float
    interval: Interval | None


def ratio_of_columns(numerator: int, denominator: int) -> Parts:
    """Return the parts of a ratio of two columns of rows (B, C)."""
    return lambda rows: (rows[:, numerator], rows[:, denominator])


def evaluate(
    rows: Counts,
    statistics: Sequence[Statistic],
    sampling: Sampling,
    *,
    over: str = "documents",
    times: Ints | None = None,
) -> list[Value]:
    """Return the value of each statistic of Σ rows, with its interval.

    rows      (D, …), one per unit
    times     (D,): number of equal units that each row stands for; None: one
    over      what a unit is, `documents` or `items`
    sampling  without replicates there are no intervals; resampled statistics use the same resamples

    Raises MetricsError for a level outside ]0, 1[.
    """
    total = (
        total_over_documents(rows)
        if times is None
        else np.tensordot(times[None].astype(np.float64), rows, axes=1)
    )
    values = [float(statistic.of(total)[0]) for statistic in statistics]
    if not sampling.replicates:
        return [Value(value, None) for value in values]
    check_replicates(sampling.replicates, sampling.confidence_level)
    rows = np.asarray(rows, dtype=np.float64)
    if times is not None and not all(isinstance(one, Share | Mean) for one in statistics):
        rows, times = np.repeat(rows, times, axis=0), None
    drawn = _draw([one for one in statistics if isinstance(one, Resampled)], rows, sampling)
    return [
        Value(value, _interval(statistic, value, rows, times, drawn, sampling, over))
        for statistic, value in zip(statistics, values, strict=True)
    ]


def _draw(
    statistics: Sequence[Resampled], rows: Floats, sampling: Sampling
) -> dict[Resampled, Floats]:
    """Return the replicates of each statistic, (B,), all from the same resamples."""
    if not statistics or rows.shape[0] < 2:
        return dict.fromkeys(statistics, np.empty(0))
    rng = np.random.default_rng(sampling.seed)
    blocks = [
        [one.of(sums) for one in statistics]
        for sums in resampled_sums(rows, sampling.replicates, rng)
    ]
    columns = (np.concatenate(values) for values in zip(*blocks, strict=True))
    return dict(zip(statistics, columns, strict=True))


def _interval(
    statistic: Statistic,
    value: float,
    rows: Floats,
    times: Ints | None,
    drawn: dict[Resampled, Floats],
    sampling: Sampling,
    over: str,
) -> Interval:
    n_units = rows.shape[0] if times is None else int(times.sum())
    level, within, fewest = sampling.confidence_level, statistic.within, statistic.fewest
    if isinstance(statistic, Resampled):
        given = _content(statistic, rows)
        n_content = int(given.sum())
        settings = Interval(
            level=level, method=METHOD, over=over, n_units=n_units, seed=sampling.seed
        )
        tails = percentile_probabilities(level, max(n_content, 2))
        return interval_of_draws(
            drawn[statistic],
            tails,
            settings,
            value,
            within=within,
            n_content=n_content,
            fewest=statistic.fewest,
        )
    if isinstance(statistic, Share):
        method, bounds, error, n_content = OF_SHARES, *_of_share(statistic, rows, times, level)
        if n_units > 1 and n_content == 1 and fewest == FEWEST and math.isfinite(bounds[0]):
            fewest = 1  # a single trial, whose limits are exact
    elif isinstance(statistic, MeanOfShares):
        above, below = statistic.parts(rows)
        bounds = mean_share_bounds(
            above, below, worth=statistic.worth, paired=statistic.paired, level=level
        )
        method, error, n_content = OF_MEANS, math.nan, int((below.sum(axis=1) > 0).sum())
    elif isinstance(statistic, Mean):
        method, bounds, error, n_content = OF_RATES, *_of_mean(statistic, rows, times, level)
    else:
        method, bounds, error, n_content = OF_RATES, *_of_rate(statistic, rows, level)
    interval = Interval(
        lower=bounds[0],
        upper=bounds[1],
        level=level,
        method=method,
        over=over,
        standard_error=error,
        n_units=n_units,
    )
    return close_interval(interval, value, within=within, n_content=n_content, fewest=fewest)


def _of_share(
    share: Share, rows: Floats, times: Ints | None, level: float
) -> tuple[tuple[float, float], float, int]:
    """Return bounds, standard error and the number of units with content."""
    successes, trials = (part[:, None] for part in share.parts(rows))
    ratio = ratio_over_units(successes, trials, times=times)
    found = share_bounds(
        successes,
        trials,
        level=level,
        worth=share.worth,
        paired=share.paired,
        together=share.together,
        times=times,
    )
    return _with_error(found, ratio)


def _of_mean(
    mean: Mean, rows: Floats, times: Ints | None, level: float
) -> tuple[tuple[float, float], float, int]:
    """Return bounds, standard error and the number of units with content."""
    amounts, trials = (part[:, None] for part in mean.parts(rows))
    found = mean_bounds(
        amounts, trials, highest=mean.highest, level=level, together=mean.together, times=times
    )
    return _with_error(found, ratio_over_units(amounts, trials, times=times))


def _with_error(bounds: Bounds, ratio: Ratio) -> tuple[tuple[float, float], float, int]:
    error = math.sqrt(float(ratio.variance[0]))
    return (float(bounds.lower[0]), float(bounds.upper[0])), error, int(ratio.n_units[0])


def _of_rate(rate: Rate, rows: Floats, level: float) -> tuple[tuple[float, float], float, int]:
    """Return bounds, standard error and the number of units with content."""
    amounts, exposures = (part[:, None] for part in rate.parts(rows))
    n_content = None if rate.content is None else int(rate.content(rows).sum())
    ratio = ratio_over_units(amounts, exposures, n_content)
    found = rate_bounds(
        amounts, exposures, event=rate.event, level=level, n_units=n_content, noise=rate.noise
    )
    lower, upper = float(found.lower[0]), float(found.upper[0])
    of_noise = float(divide(ratio.value * rate.noise, ratio.total)[0])
    error = math.hypot(math.sqrt(float(ratio.variance[0])), of_noise)
    bounds = (1 - upper, 1 - lower) if rate.remaining else (lower, upper)
    return bounds, error, int(ratio.n_units[0])


def _content(statistic: Resampled, rows: Floats) -> Flags:
    if statistic.content is not None:
        return statistic.content(rows)
    used: Flags = np.abs(rows).sum(axis=tuple(range(1, rows.ndim))) > 0
    return used
