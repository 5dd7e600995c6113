"""One annotator with each of the others: a coefficient of every pair, and its mean over the pairs.

A pair is compared on the items that both labelled; other labels are not used, not even for chance.

The mean is over the pairs whose coefficient is defined. Its interval resamples the documents, or
the items if there is only one document, for all pairs together: in each draw, all pairs have the
same weights, and the mean of their coefficients is one value (rules of `interval_methods`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Floats, Ints, Ints32
from ..bootstrap import METHOD, mean_defined, percentile_probabilities
from ..estimate import Estimate
from ..intervals.interval import Interval, add_interval, interval_of_draws
from ..measures import coefficient_of
from ..options import Sampling
from . import coefficient_posterior as posterior
from .counts import ItemCounts, count, units_of_distinct_rows
from .distances import Distance
from .draw_order import draw_order
from .evaluate import evaluate_matrix, labelled_items
from .interval_methods import n_units_with_content
from .label_matrix import LabelMatrix
from .resampling_units import ResamplingUnits, bootstrap_replicates
from .summands import CountedSummands


@dataclass(frozen=True, slots=True)
class OneWithEach:
    """A coefficient of one annotator with each of the others.

    pairs  name of the other annotator → value
    mean   mean over the pairs with a value, nan if there is none
    """

    measure: str
    pairs: dict[str, Estimate]
    mean: Estimate


def one_with_each(
    matrix: LabelMatrix,
    one: int,
    *,
    measures: Sequence[str],
    distance: Distance = "nominal",
    sampling: Sampling,
) -> list[OneWithEach]:
    """Compute coefficients of annotator `one`, a column, with each other annotator of the matrix.

    Raises RoleError if an annotator is a system or a reference.
    """
    others = [a for a in range(matrix.n_annotators) if a != one]
    pairs = {
        matrix.annotators[a]: evaluate_matrix(
            matrix.pair(one, a),
            measures=measures,
            distance=distance,
            sampling=sampling,
        )
        for a in others
    }
    units = _units_of_pairs(matrix, one)
    found = []
    for m, measure in enumerate(measures):
        values = {name: of_pair[m] for name, of_pair in pairs.items()}
        mean = _mean(values)
        defined = [of_pair for name, of_pair in units.items() if values[name].reason is None]
        if sampling.gives_intervals and len(defined) > 1:
            mean = add_interval(mean, _interval_of_mean(mean, defined, distance, sampling))
        found.append(OneWithEach(measure, values, mean))
    return found


def _mean(values: dict[str, Estimate]) -> Estimate:
    """Return the mean of the defined values, without an interval of several; nan with a reason."""
    defined = [one for one in values.values() if one.reason is None]
    if len(defined) == 1:
        return defined[0]
    first = defined[0] if defined else next(iter(values.values()))
    how = replace(first.how.add_settings(average="annotators"), interval=None)
    return Estimate(
        first.measure,
        float(np.mean([one.value for one in defined])) if defined else math.nan,
        first.reason,
        n_items=max(one.n_items for one in values.values()),
        n_annotators=len(values) + 1,
        how=how,
    )


def _units_of_pairs(matrix: LabelMatrix, one: int) -> dict[str, ResamplingUnits]:
    """Return the units of `one` with each other annotator, by name, in the order of the draws.

    The units of all pairs correspond one to one.
    """
    counts, n_items, over = distinct_units(matrix)
    order = draw_order(counts, n_items, np.eye(matrix.n_annotators, dtype=np.int64)[one])

    def of_pair(codes: Ints32) -> ResamplingUnits:
        pair = replace(counts, annotators=counts.annotators[:2], codes=common_labels(codes))
        return ResamplingUnits(CountedSummands(pair), n_items, counts.tagset, over, order)

    return {
        matrix.annotators[other]: of_pair(counts.codes[:, (one, other)])
        for other in order.annotators.tolist()
        if other != one
    }


def distinct_units(matrix: LabelMatrix) -> tuple[ItemCounts, Ints, str]:
    """Return the rows of labels by unit, the number of each unit, and what a unit is.

    The units are documents, or the distinct rows of items if there is only one document.
    """
    labelled = labelled_items(matrix)
    if labelled.documents_to_resample is None:
        return *units_of_distinct_rows(count(labelled)), "items"
    counts = count(labelled, by="documents")
    return counts, np.ones(counts.n_units, dtype=np.int64), "documents"


def common_labels(codes: Ints32) -> Ints32:
    """Return the labels (N, 2) of the items that both labelled, -1 for the others."""
    both = (codes >= 0).all(axis=1, keepdims=True)
    return np.ascontiguousarray(np.where(both, codes, np.int32(-1)))


def _interval_of_mean(
    mean: Estimate, pairs: Sequence[ResamplingUnits], distance: Distance, sampling: Sampling
) -> Interval:
    """Return the interval of the mean over pairs, from draws that all of them share."""
    first = pairs[0]
    settings = Interval(
        level=sampling.confidence_level, method=METHOD, over=first.over, n_units=first.n_units,
        seed=sampling.seed,
    )  # fmt: skip
    drawn: list[Floats] = []
    if posterior.has_posterior_interval(first):
        shares = []
        for p, pair in enumerate(pairs):
            draws, share = posterior.interval_draws(
                pair,
                measures=[mean.measure],
                n_draws=sampling.replicates,
                seed=sampling.seed,
                stream=p + 1,
                distance=distance,
            )
            drawn.append(draws[:, 0])
            shares.append(float(share[0]))
        tails = posterior.tail_probabilities(
            sampling.confidence_level, first, float(np.mean(shares))
        )
        method = posterior.interval_method_name(first)
        settings = replace(settings, method=method, prior=posterior.PRIOR)
    else:
        drawn = [
            bootstrap_replicates(
                pair,
                measures=[mean.measure],
                n_replicates=sampling.replicates,
                seed=sampling.seed,
                distance=distance,
            )[:, 0]
            for pair in pairs
        ]
        tails = percentile_probabilities(sampling.confidence_level, max(first.n_units, 2))
    return interval_of_draws(
        mean_defined(np.stack(drawn, axis=1)),
        tails,
        settings,
        mean.value,
        within=coefficient_of(mean.measure).range,
        n_content=max(n_units_with_content(pair) for pair in pairs),
    )
