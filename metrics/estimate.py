"""A number as Accordeur gives it: with its interval, its counts and its signature."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from .reason import Reason

NO_INTERVAL = (math.nan, math.nan)


@dataclass(frozen=True, slots=True)
class Estimate:
    """One value of one measure.

    `value` is `nan` exactly when there is a `reason`. `observed` and `expected` are p_o and
    p_e for agreement measures, the observed and expected disorder for alignment measures, `nan`
    where a measure has none. `interval` is (lower, upper) at `level`, `nan` where none was asked.
    `detail` holds further named figures of the measure (counts, settings reached), all plain.
    """

    measure: str
    value: float
    reason: Reason | None = None
    observed: float = math.nan
    expected: float = math.nan
    interval: tuple[float, float] = NO_INTERVAL
    level: float = 0.95
    n_items: int = 0
    n_annotators: int = 0
    signature: str = ""
    detail: dict[str, float | int | str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if math.isnan(self.value) and self.reason is None:
            raise ValueError(f"{self.measure} is nan without a reason")
