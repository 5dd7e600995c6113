"""Slot error rate: errors per unit of the reference.

SER = (substitutions + deletions + insertions) / units of the reference (Makhoul, Kubala, Schwartz &
Weischedel 1999). The weighted form (Grouin et al. 2011, for the Quaero entities) counts a wrong
category or wrong bounds alone as half an error, both together as one:

    SER = (D + I + TF + 0.5 · (T + F)) / R

Units are paired by `metrics.scores.unit_match_counts.count_unit_errors`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from ..arrays import Floats, Ints
from ..errors import MetricsError
from ..estimate import Estimate
from ..estimate_detail import Detail
from ..intervals.evaluate import Rate, ratio_of_columns
from ..options import NO_INTERVALS, Sampling
from ..reason import Reason, ReasonCode
from ..signature import How
from .score_estimates import estimate_of_counts
from .unit_match_counts import ERRORS

MAKHOUL: Mapping[str, float] = MappingProxyType(
    {"wrong_category": 1, "wrong_bounds": 1, "wrong_both": 1, "missed": 1, "spurious": 1}
)
GROUIN: Mapping[str, float] = MappingProxyType(
    {"wrong_category": 0.5, "wrong_bounds": 0.5, "wrong_both": 1, "missed": 1, "spurious": 1}
)

ERROR_RATE = Rate(ratio_of_columns(0, 1))
"""The rate as a statistic of `slot_error_counts`; one more error costs 1."""


def slot_error_counts(
    errors: Mapping[str, Ints], *, weights: Mapping[str, float] = MAKHOUL
) -> Floats:
    """(D, 2): weighted errors, units of the reference (`count_unit_errors`); for comparisons.

    Raises MetricsError for a negative weight or a weight of an unknown class.
    """
    for name, weight in weights.items():
        if name not in ERRORS or weight < 0:
            raise MetricsError(
                f"weight {name}={weight}: classes are {', '.join(ERRORS[1:])}, weights 0 or more"
            )
    cost = sum((weight * errors[name] for name, weight in weights.items()), np.zeros(()))
    given = sum((errors[name] for name in ERRORS if name != "spurious"), np.zeros(()))
    return np.stack([cost, given], axis=1)


def slot_error_rate(
    errors: Mapping[str, Ints],
    *,
    weights: Mapping[str, float] = MAKHOUL,
    sampling: Sampling = NO_INTERVALS,
) -> Estimate:
    """Return errors per unit of the reference: at least 0, above 1 with more errors than units.

    errors   name → counts (D,), as from `count_unit_errors`
    weights  class → cost: MAKHOUL, GROUIN or custom (a class that is omitted costs nothing)

    The value is nan if the reference has no unit.
    """
    counts = slot_error_counts(errors, weights=weights)
    return estimate_of_counts(
        How(
            measure="slot_error_rate",
            weights=",".join(f"{name}={weight:g}" for name, weight in weights.items()),
        ),
        counts,
        replace(ERROR_RATE, event=max(weights.values(), default=0) or 1.0),
        reason=Reason(ReasonCode.NO_REFERENCE_UNIT),
        n_items=int(counts[:, 1].sum()),
        detail=Detail(
            correct=int(errors["correct"].sum()),
            wrong_category=int(errors["wrong_category"].sum()),
            wrong_bounds=int(errors["wrong_bounds"].sum()),
            wrong_both=int(errors["wrong_both"].sum()),
            missed=int(errors["missed"].sum()),
            spurious=int(errors["spurious"].sum()),
        ),
        sampling=sampling,
    )
