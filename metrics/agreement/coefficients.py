"""Registry of the coefficients on items, by name.

`compute_coefficient` and `compute_coefficients` take a label matrix; `coefficient_from_counts`
takes added counts, so a run with many batches counts on its workers and computes each coefficient
once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..arrays import Floats
from ..beyond_chance import NO_DISAGREEMENT
from ..errors import MetricsError
from ..estimate import Estimate, estimate
from ..estimate_detail import Detail
from ..measures import OF_ONE_CATEGORY, USUAL, coefficient_of
from ..reason import Reason, ReasonCode
from ..signature import How, distance_table_name
from .category_distance import Needs
from .counts import ItemCounts, count
from .distances import (
    DISTANCES,
    SETS,
    Distance,
    NamedTable,
    category_positions,
    distance_table,
    resolve_linear_distance,
    set_distance_table,
)
from .formulas.coefficient import COMPLETE, Coefficient
from .formulas.spread import NominalSpread, Spread, SquaredSpread, TableSpread
from .label_matrix import LabelMatrix
from .summands import CountedSummands
from .sums import Sums, sums_of_each

SINGLE_CATEGORY = Reason(ReasonCode.SINGLE_CATEGORY)
MANY_CATEGORIES = 1_000  # with more, squared distances are computed from moments of the labels
MOST_IN_TABLE = 10_000  # categories of a table of distances: 800 MB


def compute_coefficient(
    measure: str,
    matrix: LabelMatrix,
    *,
    distance: Distance = "nominal",
) -> Estimate:
    """Compute one coefficient on a matrix of labels; missing labels (−1) are allowed.

    The value is at most 1, 0 at the level of chance, or nan with a reason. `distance` is a name in
    `distances.DISTANCES` or a (K, K) table; nominal measures do not use it, and their signature
    says so.

    `observed` and `expected` are p = 1 − D, with D relative to the largest distance; D_o and D_e
    themselves are in `detail`, with `n_unpaired`, `n_labels`, `n_duplicates` and `n_complete`.
    `n_items` are the items that are compared, `n_annotators` those with a label.

    Raises RoleError if an annotator is a system or a reference.
    """
    return compute_coefficients(matrix, measures=(measure,), distance=distance)[0]


def compute_coefficients(
    matrix: LabelMatrix,
    *,
    measures: Sequence[str] = USUAL,
    distance: Distance = "nominal",
) -> list[Estimate]:
    """Compute several coefficients in one pass over the labels; arguments as in `compute`."""
    specs = [coefficient_of(measure) for measure in measures]
    for spec in specs:
        matrix.require_humans(spec.name)
    counts = count(matrix)
    distance = resolve_set_distance(distance, matrix)
    return [coefficient_from_counts(spec.name, counts, distance=distance) for spec in specs]


def coefficient_from_counts(
    measure: str,
    counts: ItemCounts,
    *,
    distance: Distance = "nominal",
) -> Estimate:
    """Compute one coefficient from the counts of all documents; arguments as in `compute`."""
    spec, whole = coefficient_of(measure), counts.total
    sums = sums_of_each(CountedSummands(whole))
    observed, expected, scale = relative_disagreements(spec, sums, distance, whole.tagset)
    d_o, d_e, largest = float(observed[0]), float(expected[0]), float(scale[0])
    reason = _undefined_reason(spec, whole, sums, d_o, d_e)
    used = distance if spec.weighted else spec.own_distance
    n_complete = whole.n_complete
    return estimate(
        How(
            measure=measure,
            distance=distance_name(used, whole.tagset),
            categories=len(whole.tagset),
            missing=spec.missing(len(whole.annotators)),
            input=whole.fingerprint(),
        ),
        math.nan if reason else 1 - d_o / d_e,
        reason,
        observed=1 - d_o if spec.has_observed else math.nan,
        expected=1 - d_e if spec.has_expected else math.nan,
        n_items=n_complete if spec.complete_items else whole.n_items - whole.n_unpaired,
        n_annotators=_n_active(whole),
        detail=Detail(
            n_unpaired=whole.n_unpaired,
            n_labels=int(whole.marginals.sum()),
            n_duplicates=whole.n_duplicates,
            n_complete=n_complete,
            observed_disagreement=d_o * largest,
            expected_disagreement=d_e * largest,
        ),
    )


def mark_as_complete_items(estimates: Sequence[Estimate]) -> list[Estimate]:
    """State that the values are of items that every annotator labelled (`LabelMatrix.complete`)."""
    none = Reason(ReasonCode.NO_COMPLETE_ITEM)
    return [
        replace(
            one,
            reason=one.reason if one.n_items else none,
            how=one.how.add_settings(missing=COMPLETE),
        )
        for one in estimates
    ]


def add_ac1_if_undefined(measures: Sequence[str], estimates: Sequence[Estimate]) -> tuple[str, ...]:
    """Return the measures, with AC1 added if one is undefined because a single category is used."""
    undefined = any(one.reason == SINGLE_CATEGORY for one in estimates)
    return tuple(dict.fromkeys([*measures, OF_ONE_CATEGORY] if undefined else measures))


def relative_disagreements(
    spec: Coefficient,
    sums: Sums,
    distance: Distance,
    tagset: Sequence[str],
) -> tuple[Floats, Floats, Floats]:
    """Return D_o and D_e as shares of the largest distance, and the largest distance, (B,)."""
    spread: Spread = NominalSpread(len(tagset))
    scale = np.ones(sums.n_paired.shape[0])
    if spec.weighted and not (isinstance(distance, str) and distance == "nominal"):
        marginals = np.zeros((1, len(tagset)))
        if _needs_uses(distance):
            marginals = _labels_of_chance(spec, sums)
        spread, largest = spread_over_largest(distance, tagset, marginals)
        scale = scale * largest
        many = len(tagset) > MANY_CATEGORIES
        if many and spec.distances_only and isinstance(spread, SquaredSpread) and spread.fixed:
            spread = spread.moments()
            sums = sums.with_labels_as_moments(spread)
    observed, expected = spec.disagreements(sums, spread)
    return observed, expected, scale


def _labels_of_chance(spec: Coefficient, sums: Sums) -> Floats:
    """Labels by category that enter the expected disagreement, (B, K)."""
    paired = spec.paired_marginals or spec.of_complete_pair(sums.n_annotators)
    return sums.paired if paired else sums.pooled


def _needs_uses(distance: Distance) -> bool:
    """Whether the distance depends on how often each category is used."""
    one = DISTANCES.get(distance) if isinstance(distance, str) else None
    return one is not None and one.needs is Needs.USES


def spread_over_largest(
    distance: Distance,
    tagset: Sequence[str],
    marginals: Floats,
) -> tuple[Spread, Floats]:
    """Scale a named distance by its largest value, and return both; a user's table is not scaled.

    Named distances have no upper bound, but S and AC2 need weights in [0, 1]. The largest value is
    a number or (B,).
    """
    if marginals.shape[0] == 1:
        marginals = marginals[0]
    places = category_positions(distance, tagset=tagset, marginals=marginals)
    if places is not None:
        low = places.min(axis=-1, keepdims=True, initial=math.inf)
        extent = places.max(axis=-1, keepdims=True, initial=-math.inf) - low
        extent = np.where(extent > 0, extent, 1.0)
        return SquaredSpread((places - low) / extent), extent[..., 0] ** 2
    if len(tagset) > MOST_IN_TABLE:
        raise MetricsError(
            f"{len(tagset)} categories make more pairs than memory holds: round the values into "
            "fewer classes, or use the nominal, ordinal or interval distance"
        )
    table = distance_table(distance, tagset=tagset, marginals=marginals)
    if not isinstance(distance, str):
        return TableSpread(table), np.ones(1)
    largest = table.max(axis=(-2, -1), initial=0.0)
    largest = np.where(largest > 0, largest, 1.0)
    return TableSpread(table / largest[..., None, None]), largest


def resolve_set_distance(distance: Distance, matrix: LabelMatrix) -> Distance:
    """Convert a distance between sets to a table over the tagset; return others unchanged."""
    if isinstance(distance, str) and distance in SETS:
        if matrix.members is None:
            raise MetricsError(
                f"the {distance} distance compares sets of labels, but each item has one label"
            )
        return NamedTable(distance, set_distance_table(distance, matrix.members))
    return distance


def distance_name(distance: Distance, tagset: Sequence[str]) -> str:
    """Return a distance as signatures state it: its name, or the hash of a table without a name.

    `linear` is stated as `linear_values` or `linear_ranks`.
    """
    distance = resolve_linear_distance(distance, tagset)
    if isinstance(distance, NamedTable):
        return distance.name
    return distance if isinstance(distance, str) else distance_table_name(distance)


def _n_active(counts: ItemCounts) -> int:
    """Annotators with a label."""
    return int(counts.marginals.any(axis=1).sum())


def _undefined_reason(
    spec: Coefficient, counts: ItemCounts, sums: Sums, d_o: float, d_e: float
) -> Reason | None:
    if counts.marginals.any() and _n_active(counts) < 2:
        return Reason(ReasonCode.NO_TWO_LABELLED)
    if spec.generalisation and len(counts.annotators) != 2:
        return Reason(
            ReasonCode.NOT_TWO_ANNOTATORS,
            coefficient=spec.name,
            n=len(counts.annotators),
            other=spec.generalisation,
        )
    if counts.n_unpaired == counts.n_items:
        return Reason(ReasonCode.NO_PAIRED_ITEM)
    if spec.complete_items and counts.n_complete == 0:
        return Reason(ReasonCode.NO_COMPLETE_ITEM)
    if d_e <= NO_DISAGREEMENT:
        n_used = np.count_nonzero(_labels_of_chance(spec, sums))
        return SINGLE_CATEGORY if n_used == 1 else Reason(ReasonCode.NO_EXPECTED_DISAGREEMENT)
    if math.isnan(d_o) or math.isnan(d_e):
        is_single = len(counts.tagset) < 2
        return Reason(
            ReasonCode.ONE_CATEGORY_IN_TAGSET if is_single else ReasonCode.CHANCE_UNDEFINED
        )
    return None
