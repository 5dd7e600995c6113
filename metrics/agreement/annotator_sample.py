"""Intervals of coefficients for new annotators of the same pool (`metrics.intervals`).

Measures on units: `metrics.units.annotator_sample`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..coded_warning import Finding
from ..estimate import Estimate
from ..intervals.new_annotators import (
    FEWEST,
    annotator_groups_without_each,
    widen_by_left_out_values,
)
from ..measures import coefficient_of
from ..reason import Reason, ReasonCode
from .counts import ItemCounts
from .distances import Distance
from .resampling_units import ResamplingUnits, coefficient_values
from .summands import CountedSummands
from .sums import sums_of_each

HOLDS_FROM = 10  # annotators, from which intervals at 95 % contain the value in .87 or more
COVERAGE = {3: 0.55, 4: 0.65, 5: 0.72, 6: 0.78, 8: 0.87}
"""Least coverage of intervals at 95 % in simulated pools, by the number of annotators."""


def with_intervals_for_new_annotators(
    estimates: Sequence[Estimate],
    counts: ItemCounts,
    groups: ResamplingUnits,
    *,
    distance: Distance = "nominal",
) -> list[Estimate]:
    """Return coefficients with intervals for new annotators in place of those over the units.

    An estimate without an interval over the units keeps none; with fewer than three annotators
    there is none, and `interval_reason` in the detail says so.
    """
    whole, specs = counts.total, [coefficient_of(one.measure) for one in estimates]
    active = np.flatnonzero(whole.marginals.any(axis=1)).tolist()
    rows = []
    for kept in annotator_groups_without_each(active):
        others = replace(
            whole,
            annotators=tuple(whole.annotators[a] for a in kept),
            codes=np.ascontiguousarray(whole.codes[:, kept]),
        )
        sums = sums_of_each(CountedSummands(others))
        rows.append(coefficient_values(specs, sums, distance, whole.tagset)[0])
    without = np.array(rows, dtype=np.float64).reshape(-1, len(estimates))
    return [
        widen_by_left_out_values(
            one,
            without[:, m],
            error=one.detail.standard_error,
            n_drawn=groups.n_units,
            drawn=groups.over,
            within=spec.range,
        )
        for m, (one, spec) in enumerate(zip(estimates, specs, strict=True))
    ]


def few_annotators_finding(estimate: Estimate) -> Finding | None:
    """Finding on an interval for new annotators that too few of them support; None otherwise."""
    n = estimate.n_annotators
    if not estimate.is_for_new_annotators or n >= HOLDS_FROM:
        return None
    least = COVERAGE[max(fewest for fewest in COVERAGE if fewest <= max(n, FEWEST))]
    figures = {"n_annotators": n, "fewest": HOLDS_FROM, "least": least}
    return Finding("few_for_new_annotators", figures)


def why_no_gate_decided(estimate: Estimate) -> Reason | None:
    """Reason why no gate is decided on a value whose interval is to hold for new annotators."""
    n = estimate.n_annotators
    if estimate.error_of_annotators is None or n >= HOLDS_FROM:
        return None
    return Reason(ReasonCode.FEW_ANNOTATORS_TO_DECIDE, n=n, fewest=HOLDS_FROM)
