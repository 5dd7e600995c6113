"""Scores that are one sum over another: the estimate that they share."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..estimate import NO_INTERVAL, Estimate
from ..reason import Reason
from ..signature import Signature, interval_settings
from .bootstrap import Counts, Statistic, bootstrap_interval, total


def divide(numerator: NDArray[np.float64], denominator: NDArray[np.float64]) -> NDArray[np.float64]:
    """numerator / denominator, nan where the denominator is 0."""
    return np.divide(
        numerator, denominator, out=np.full(numerator.shape, math.nan), where=denominator != 0
    )


def mean_defined(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean over the last axis of the values that are not nan; nan when none is."""
    defined = ~np.isnan(values)
    return divide(np.where(defined, values, 0.0).sum(axis=-1), defined.sum(axis=-1, dtype=float))


def ratio(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """(B, 2) → (B,): first column over second, nan where the second is 0."""
    return divide(sums[:, 0], sums[:, 1])


def estimate(
    measure: str,
    counts: Counts,
    statistic: Statistic = ratio,
    *,
    reason: Reason | None,
    n_items: int,
    detail: dict[str, float | int | str],
    settings: Mapping[str, object] | None = None,
    rows: str = "documents",
    n_replicates: int = 0,
    level: float = 0.95,
    seed: int = 0,
    interval: tuple[float, float] | None = None,
) -> Estimate:
    """statistic(Σ counts) with its interval over `rows`; `reason` is kept only when it is nan.

    interval  where it was computed already, with these n_replicates, level and seed
    """
    value = float(statistic(total(counts))[0])
    if interval is None:
        interval = (
            bootstrap_interval(counts, statistic, n_replicates=n_replicates, level=level, seed=seed)
            if n_replicates
            else NO_INTERVAL
        )
    return Estimate(
        measure=measure,
        value=value,
        reason=reason if math.isnan(value) else None,
        interval=interval,
        level=level,
        n_items=n_items,
        signature=Signature(
            measure,
            **(settings or {}),
            **interval_settings(n_replicates, rows, level, n_drawn=counts.shape[0]),
            seed=seed if n_replicates and counts.shape[0] > 1 else None,
        ),
        detail=detail,
    )
