"""Cost of each kind of error in γ: the observed disorder of best alignments, by cause.

The disorder of a unitary alignment is the mean of its pairs, and each pair has one or two causes:

| cause | its part of a pair |
|---|---|
| missing | Δ∅ of a pair with an empty unit: an annotator has no unit where another has one |
| boundary | alpha · d_pos of two units |
| category | beta · d_cat of two units |

With P_c the sum of the parts of a cause over all documents, γ = 1 - Σ_c P_c / Σ x̄_d e_d: without
the cause γ would be higher by P_c / Σ x̄_d e_d, at the same alignment and chance. These costs add
up to 1 - γ (Mathet, Widlöcher & Métivier 2015, equations 1-7, separated by term).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from ..alignment.best_alignment import Alignment
from ..alignment.continuum import Continuum
from ..alignment.dissimilarity import Dissimilarity, category_costs, position_costs
from ..arrays import Floats
from ..estimate import Estimate
from ..results import ErrorCost

CAUSES = ("missing", "boundary", "category")


def disorder_by_cause(
    continua: Sequence[Continuum],
    alignments: Sequence[Alignment | None],
    dissimilarity: Dissimilarity,
) -> Floats:
    """Split the total disorder of each document by `CAUSES`, float64 (D, 3).

    0 for a document without an alignment; nan for a dissimilarity that is a single function, which
    does not separate position and category.
    """
    parts = np.zeros((len(continua), len(CAUSES)))
    if dissimilarity.pair_function is not None:
        return np.full_like(parts, math.nan)
    for d, (continuum, alignment) in enumerate(zip(continua, alignments, strict=True)):
        if alignment is None or continuum.n_units == 0:
            continue
        n = alignment.units.shape[1]
        for a, b in combinations(range(n), 2):
            u, v = alignment.units[:, a], alignment.units[:, b]
            real = (u >= 0) & (v >= 0)
            u, v = u[real], v[real]
            parts[d] += (
                dissimilarity.delta_empty * np.count_nonzero(~real),
                dissimilarity.alpha * position_costs(continuum, u, v, dissimilarity).sum(),
                dissimilarity.beta * category_costs(continuum, u, v, dissimilarity).sum(),
            )
        parts[d] /= n * (n - 1) / 2
    return parts


def error_costs(by_cause: Floats, value: Estimate) -> tuple[ErrorCost, ...]:
    """Return the causes of a value's disorder, in the order of `CAUSES`.

    by_cause  `disorder_by_cause` of the documents of the value
    value     γ, or a relative, of all of them; the result is empty if it is undefined or the causes
              cannot be separated
    """
    sums = by_cause.sum(axis=0)
    total = float(sums.sum())
    if not (math.isfinite(value.value) and math.isfinite(total)):
        return ()
    found = []
    for cause, part in zip(CAUSES, sums.tolist(), strict=True):
        share = part / total if total else math.nan
        of_all = part / total if total else 0.0
        disorder, cost = of_all * value.observed, of_all * (1.0 - value.value)
        found.append(ErrorCost(cause, share, disorder, cost))
    return tuple(found)
