"""Interval of 1 − D_o/D_e over documents: γ and its relatives, uα, |uα and α_U.

D_o/D_e is a rate of events of unequal size, such as a unit that another annotator did not mark or
marked elsewhere. Near full agreement documents have few events or none, and a bootstrap over
documents covers far less than it states. The limits are those of Fay & Feuer (1997), with one
further event the size of a unit that nobody else marked (`metrics.intervals`). Coverage:
`benchmarks/results/coverage-units.md`.
"""

from __future__ import annotations

import numpy as np

from ..arrays import Flags, Floats
from ..estimate import Estimate
from ..intervals.evaluate import Rate, evaluate, ratio_of_columns
from ..intervals.interval import add_interval
from ..measures import measure_of
from ..options import Sampling

STEP = 1e-5  # relative change of a document's weight for the derivative of D_e


def exposures_of_documents(more: Floats, less: Floats, expected: float) -> Floats:
    """Return the part of each document in the expected disagreement, (D,), which they sum to.

    more, less  (D,): the expected disagreement with `STEP` more and less of each document
    """
    slopes = (more - less) / (2 * STEP)
    total = float(slopes.sum())
    return slopes * (expected / total) if total > 0 else np.zeros(slopes.size)


def add_disagreement_interval(
    value: Estimate,
    observed: Floats,
    expected: Floats,
    has_content: Flags,
    sampling: Sampling,
    *,
    event: float,
    noise: float = 0.0,
    over: str = "documents",
) -> Estimate:
    """Return 1 − Σ observed / Σ expected with its interval, in the range of its measure.

    observed, expected, has_content  (D,): parts of each document, and whether it has units
    event  observed disagreement of one unit that nobody else marked
    noise  standard error of Σ expected, from sampled chance
    """
    measure = measure_of(value.measure)
    rate = Rate(
        ratio_of_columns(0, 1),
        event=event,
        remaining=True,
        within=measure.range,
        noise=noise,
        fewest=measure.fewest,
        content=lambda rows: rows[:, 2] > 0,
    )
    rows = np.column_stack([observed, expected, has_content])
    [found] = evaluate(rows, [rate], sampling, over=over)
    return value if found.interval is None else add_interval(value, found.interval)
