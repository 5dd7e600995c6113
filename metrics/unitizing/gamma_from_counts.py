"""γ with its interval from counts and an expectation, the last step of a distributed run.

With T_d the sum of unitary disorders of document d, w_d its weight (mean number of units per
annotator, or for the holistic measure number of unitary alignments) and e_d the expected disorder
for as many annotators: value = 1 - Σ T_d / Σ w_d e_d.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..bootstrap import METHOD, expanded_percentile, generator_for_purpose, resampled_sums
from ..estimate import NO_INTERVAL, Estimate, estimate
from ..estimate_detail import Detail
from ..influence import Influences, ratio_influences
from ..quantiles import two_sided_normal_quantile
from ..reason import Reason, ReasonCode
from ..signature import How, IntervalMethod
from .expected_documents import (
    Expectation,
    ExpectedRows,
    expectations_with_value,
    expected_per_document,
)
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
) -> Estimate:
    """Return 1 - Σ totals / Σ weights · expected over the documents, with its interval.

    n_paired_annotators  number of annotators of the corpus, if documents have different ones; the
                         largest number on one document is `most_annotators` in `detail`

    If no documents are resampled (one document, no replicates) there is no interval, and `detail`
    has `monte_carlo_error` (half width, at `level`, of the interval for the sampling of chance
    alone) and `interval_reason`.

    The interval includes two errors: the choice of documents (a bootstrap over documents, if at
    least two have units) and the sampling error of the expected disorder. The settings say which,
    and how:

    `bootstrap-expanded-percentile/documents-in-chance`  resampled documents also change chance, by
        their `influences` (`metrics.unitizing.chance_influence`), which include its sampling error

    `bootstrap-expanded-percentile/documents+chance`  without influences chance is held fixed, and
        its sampling error (normal) is added to each resample
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
        reason = _chance_reason(chance)
    value = math.nan if reason else 1.0 - total / chance
    n_drawn = int(np.count_nonzero(counts.weights > 0))
    interval, replicates = NO_INTERVAL, None
    if not reason:
        replicates = bootstrap_gamma(counts, rows, n_replicates=n_replicates, seed=seed)
        if replicates is not None:
            interval = expanded_percentile(replicates, level, n_drawn)
    if not math.isnan(interval[0]):
        over = "documents+chance" if influences is None else "documents-in-chance"
        how = how.add_settings(
            interval=IntervalMethod(METHOD, over, level), replicates=n_replicates
        )
    return estimate(
        how,
        value,
        reason,
        interval,
        observed=total / weight if weight else math.nan,
        expected=chance / weight if weight else math.nan,
        level=level,
        n_items=counts.n_compared_units,
        n_annotators=max(n_paired_annotators, int(counts.n_annotators.max(initial=0))),
        detail=_value_detail(counts, expected, error / weight if weight else math.nan)
        | (
            _monte_carlo(total, chance, error, level, n_documents=n_drawn)
            if not reason and replicates is None
            else Detail()
        ),
    )


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
            reason = _chance_reason(chance)
        value = math.nan if reason else 1.0 - total / chance
        error = weight * float(errors[d])
        found.append(
            estimate(
                how,
                value,
                reason,
                observed=total / weight if weight else math.nan,
                expected=float(means[d]) if weight else math.nan,
                level=level,
                n_items=int(counts.n_units[d]),
                n_annotators=int(counts.n_annotators[d]),
                detail=Detail(gap=float(counts.gaps[d]))
                | (
                    Detail() if reason else _monte_carlo(total, chance, error, level, n_documents=1)
                ),
            )
        )
    return tuple(found)


def bootstrap_gamma(
    counts: Observed,
    rows: ExpectedRows,
    *,
    n_replicates: int,
    seed: int,
) -> Floats | None:
    """Return γ of resampled documents with resampled chance; float64 (n_replicates,).

    None if there are fewer than two documents with units, or no replicates.
    """
    takes_part = counts.weights > 0
    if n_replicates == 0 or takes_part.sum() < 2:
        return None
    columns = np.column_stack([counts.totals, rows.chances])[takes_part]
    rng = generator_for_purpose(seed, 0)
    sums = np.concatenate(list(resampled_sums(columns, n_replicates, rng)))
    return gamma_replicates(sums[:, 0], sums[:, 1], rows.noise, rng)


def gamma_replicates(
    totals: Floats,
    chances: Floats,
    error: float,
    rng: np.random.Generator,
) -> Floats:
    """Return 1 - totals / chances, with the sampling error (a standard error) added to the chances.

    nan if the resulting chance is not positive.
    """
    drawn = chances + error * rng.standard_normal(totals.shape[0])
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(drawn > 0, 1.0 - totals / drawn, np.nan)


def _chance_reason(chance: float) -> Reason | None:
    if math.isnan(chance):
        return Reason(ReasonCode.NO_CHANCE_UNIT)
    return Reason(ReasonCode.NO_CHANCE_DISORDER) if chance == 0 else None


def _monte_carlo(
    total: float, chance: float, error: float, level: float, *, n_documents: int
) -> Detail:
    """Return the entries of `detail` that replace an interval over documents."""
    why = ReasonCode.ONE_DOCUMENT if n_documents < 2 else ReasonCode.NO_REPLICATES
    found = Detail(interval_reason=str(Reason(why)))
    if math.isnan(error):
        return found
    # dγ = total / chance² · d(chance)
    return found | Detail(
        monte_carlo_error=two_sided_normal_quantile(level) * total / chance**2 * error
    )


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
