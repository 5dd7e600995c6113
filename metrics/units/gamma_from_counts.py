"""γ with its interval from counts and an expectation, the last step of a distributed run.

With T_d the sum of unitary disorders of document d, w_d its weight (mean number of units per
annotator, or for the holistic measure number of unitary alignments) and e_d the expected disorder
for as many annotators: value = 1 - Σ T_d / Σ w_d e_d.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..beyond_chance import NO_DISAGREEMENT
from ..estimate import Estimate, estimate
from ..estimate_detail import Detail
from ..influence import Influences, ratio_influences
from ..intervals.interval import why_no_interval
from ..measures import measure_of
from ..options import Sampling
from ..quantiles import two_sided_normal_quantile
from ..reason import Reason, ReasonCode
from ..signature import How
from .disagreement_interval import add_disagreement_interval
from .expected_documents import Expectation, expectations_with_value, expected_per_document
from .observed import Observed

GAMMA = How(measure="gamma")


def gamma_of_counts(
    counts: Observed,
    expected: Expectation,
    *,
    how: How = GAMMA,
    n_replicates: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    influences: Floats | None = None,
    n_paired_annotators: int = 0,
    lone_unit: float = 1.0,
) -> Estimate:
    """Return 1 - Σ totals / Σ weights · expected over the documents, with its interval.

    n_paired_annotators  number of annotators of the corpus, if documents have different ones; the
                         largest number on one document is `most_annotators` in `detail`
    lone_unit  disorder of a unit that nobody else marked, Δ∅

    If there is no interval (one document with units, no replicates), `detail` has
    `monte_carlo_error` (half width, at `level`, of the interval for the sampling of chance alone)
    and `interval_reason`.

    The interval (`metrics.units.disagreement_interval`) includes two errors: the choice of
    documents and the sampling error of the expected disorder. The settings say which, and how:

    `fay-feuer/documents-in-chance`  documents also change chance, by their `influences`
        (`metrics.units.expected_disorder_by_document`), which include its sampling error

    `fay-feuer/documents+chance`  without influences chance is held fixed, and the variance of its
        sampling is added
    """
    rows = expected_per_document(counts, expected, influences)
    error = rows.total
    total = float(counts.totals.sum())
    chance = float(rows.chances.sum())
    weight = float(counts.weights.sum())
    reason: Reason | None
    if weight == 0:
        is_compared = (counts.n_annotators >= 2).any()
        reason = Reason(ReasonCode.NO_UNIT if is_compared else ReasonCode.ONE_ANNOTATOR)
    else:
        reason = _chance_reason(chance / weight)
    value = estimate(
        how,
        math.nan if reason else 1.0 - total / chance,
        reason,
        observed=total / weight if weight else math.nan,
        expected=chance / weight if weight else math.nan,
        confidence_level=level,
        n_items=counts.n_compared_units,
        n_annotators=max(n_paired_annotators, int(counts.n_annotators.max(initial=0))),
        detail=_value_detail(counts, expected, error / weight if weight else math.nan),
    )
    if reason:
        return value
    part = counts.weights > 0
    found = add_disagreement_interval(
        value,
        counts.totals[part],
        rows.chances[part],
        np.ones(np.count_nonzero(part), dtype=np.bool_),
        Sampling(n_replicates, level, seed),
        event=lone_unit,
        noise=rows.noise,
        over="documents+chance" if influences is None else "documents-in-chance",
    )
    if not math.isnan(found.interval[0]):
        return found
    alone = _monte_carlo(total, chance, error, level)
    if not n_replicates:
        alone = Detail(interval_reason=str(Reason(ReasonCode.NO_REPLICATES))) | alone
    return replace(found, detail=found.detail | alone)


def gamma_influences(
    counts: Observed,
    expected: Expectation,
    influences: Floats | None,
    documents: NDArray[np.generic],
) -> Influences:
    """Return the influence of each document on γ; `influences` on chance as in `gamma_of_counts`.

    documents  names or numbers (D,), in the order of the counts
    """
    rows, part = expected_per_document(counts, expected, influences), counts.weights > 0
    return ratio_influences(counts.totals[part], rows.chances[part], documents[part], rows.noise)


def gamma_values_of_documents(counts: Observed, expected: Expectation) -> Floats:
    """Return only the values of `gamma_of_documents`, float64 (D,); nan where undefined."""
    chance = counts.weights * expected_per_document(counts, expected).means
    defined = (counts.n_annotators >= 2) & (counts.weights > 0) & (chance != 0)
    values = np.full(counts.n_documents, np.nan)
    values[defined] = 1.0 - counts.totals[defined] / chance[defined]
    return values


def gamma_of_documents(
    counts: Observed,
    expected: Expectation,
    *,
    how: How = GAMMA,
    level: float = 0.95,
    documents: Iterable[int] | None = None,
) -> tuple[Estimate, ...]:
    """Return 1 - disorder / expected of each document, with its Monte Carlo error and no interval.

    documents  indices of the documents, in the required order; None: all documents
    """
    means, errors = expected_per_document(counts, expected)[:2]
    found = []
    for d in range(counts.n_documents) if documents is None else documents:
        total, weight = float(counts.totals[d]), float(counts.weights[d])
        chance = weight * float(means[d])
        reason: Reason | None
        if counts.n_annotators[d] < 2:
            reason = Reason(ReasonCode.ONE_ANNOTATOR)
        elif weight == 0:
            reason = Reason(ReasonCode.NO_UNIT)
        else:
            reason = _chance_reason(float(means[d]))
        value = math.nan if reason else 1.0 - total / chance
        error = weight * float(errors[d])
        found.append(
            estimate(
                how,
                value,
                reason,
                observed=total / weight if weight else math.nan,
                expected=float(means[d]) if weight else math.nan,
                confidence_level=level,
                n_items=int(counts.n_units[d]),
                n_annotators=int(counts.n_annotators[d]),
                detail=Detail(gap=float(counts.gaps[d]))
                | (
                    Detail()
                    if reason
                    else Detail(
                        interval_reason=str(
                            why_no_interval(value, 1, fewest=measure_of(how.measure).fewest)
                        )
                    )
                    | _monte_carlo(total, chance, error, level)
                ),
            )
        )
    return tuple(found)


def _chance_reason(expected: float) -> Reason | None:
    """Return why an expected disorder gives no γ, or None."""
    if math.isnan(expected):
        return Reason(ReasonCode.NO_CHANCE_UNIT)
    return Reason(ReasonCode.NO_CHANCE_DISORDER) if expected <= NO_DISAGREEMENT else None


def _monte_carlo(total: float, chance: float, error: float, level: float) -> Detail:
    """Return the half width of the interval for the sampling of chance alone."""
    if math.isnan(error):
        return Detail()
    # dγ = total / chance² · d(chance)
    half = two_sided_normal_quantile(level) * total / chance**2 * error
    return Detail(monte_carlo_error=half)


def _value_detail(counts: Observed, expected: Expectation, standard_error: float) -> Detail:
    chosen = expectations_with_value(expected)
    return Detail(
        n_documents=int((counts.n_annotators >= 2).sum()),
        most_annotators=int(counts.n_annotators.max(initial=0)),
        n_documents_without_units=int(((counts.n_annotators >= 2) & (counts.weights == 0)).sum()),
        n_unpaired_documents=counts.n_unpaired,
        n_unpaired_units=counts.n_unpaired_units,
        n_not_proven_optimal=int((counts.gaps > 0).sum()),
        largest_gap=float(counts.gaps.max(initial=0.0)),
        process="+".join(dict.fromkeys(e.process for e in chosen)),
        n_samples=sum(e.n_samples for e in chosen),
        n_samples_not_proven_optimal=sum(s.n_not_proven_optimal for e in chosen for s in e.samples),
        precision_asked=chosen[0].asked if chosen else math.nan,
        precision_reached=max((e.precision for e in chosen), default=math.nan),
        expected_standard_error=standard_error,
    )
