"""`accordeur agree` and `resample`: coefficients and M(k) of exported labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ...data.option_names import option
from ...data.readers.tables.given import Given
from ...metrics.agreement.distances import Distance
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.errors import MetricsError
from ...metrics.estimate import Estimate
from ...metrics.measures import GENERALISED, ITEMS, MEASURES, RATINGS, USUAL
from ..inputs.estimate_warnings import warnings_on_coefficients
from ..inputs.exported_labels import MeasuredLabels, read_exported_labels
from ..inputs.label_options import GroupOptions, LabelOptions, ResampleOptions
from ..inputs.measure_names import require_known_measures
from ..inputs.part_kind import PartKind, require_three_annotators, sorted_by_part
from ..inputs.reading_options import Reading
from ..inputs.results_of_exports import ExportResults
from ..inputs.scales import is_finite_number

if TYPE_CHECKING:
    from ...metrics.results import AttributeGroups

DEFAULT_READING, DEFAULT_OPTIONS = Reading(), LabelOptions()
DEFAULT_RESAMPLING, DEFAULT_GROUPS = ResampleOptions(), GroupOptions()


def agree(
    path: Given | Sequence[Given],
    reading: Reading = DEFAULT_READING,
    options: LabelOptions = DEFAULT_OPTIONS,
    groups: GroupOptions = DEFAULT_GROUPS,
    by: PartKind | None = None,
) -> ExportResults:
    """Compute coefficients and ICCs of an export's labels, with intervals and the rejected rows.

    by  parts for each of which the requested coefficients, or else the first one, are computed, too

    Raises DataError if there are no labels, MetricsError for labels that the distance does not
    support.
    """
    from ...metrics.agreement.coefficients import mark_as_complete_items
    from ...metrics.agreement.evaluate import evaluate_matrix
    from ...metrics.agreement.resampling_units import applicable_coefficient
    from .intraclass import intraclass_forms

    labels = read_exported_labels(
        path,
        reading,
        sets=options.sets,
        queue=None if options.queue is None else Path(options.queue),
        complete=options.complete and by is not PartKind.pair,  # a pair needs only its own items
        objects=options.objects,
        unnamed=True,
    )
    measured = MeasuredLabels(labels)
    matrix, account = measured.matrix, measured.account
    is_unnamed = labels.notes.n_unnamed_tables > 0
    if is_unnamed:
        require_no_names(options, groups, by)
    if options.objects is not None:
        from ..objects.agree_on_objects import agree_on_objects

        return agree_on_objects(matrix, account, labels.notes, options.objects, options, groups, by)
    distance = options.distance_between_categories(
        matrix.tagset, options.measures, tagset_is_declared=bool(reading.categories)
    )
    forms = [name for name in options.measures if name in RATINGS]
    measures = tuple(name for name in options.measures if name not in RATINGS)
    if by is PartKind.pair and matrix.n_annotators > 2:  # of all, the measure for more than two
        measures = tuple(dict.fromkeys(GENERALISED.get(name, name) for name in measures))
    for measure in measures:
        applicable_coefficient(measure, matrix)
    estimates = intraclass_forms(matrix, forms, level=options.confidence_level, seed=options.seed)
    if forms and by is not None:
        raise MetricsError(f"{option('by')} is for coefficients of agreement, not {forms[0]}")
    if forms and not measures:
        return measured.results(estimates)
    wanted = measures or default_measures(matrix.n_annotators)
    if is_unnamed:
        wanted = tuple(name for name in wanted if MEASURES[name].anonymous)
    coefficients = evaluate_matrix(
        matrix.complete() if options.complete else matrix,
        measures=wanted,
        distance=distance,
        sampling=options,
    )
    if options.complete:
        coefficients = mark_as_complete_items(coefficients)
    found = measured.results(
        [*coefficients, *estimates], distance=distance, distance_name=options.distance.name
    )
    return replace(
        found,
        remarks=[*found.remarks, *warnings_on_coefficients(coefficients, wanted, matrix, options)],
        groups=_groups(matrix, distance, options, groups),
        by=by,
        parts=_parts(by, measures or wanted[:1], matrix, distance, options),
    )


def require_no_names(
    options: LabelOptions, groups: GroupOptions = DEFAULT_GROUPS, by: PartKind | None = None
) -> None:
    """Raise MetricsError for options that need to know who gave a label."""

    unfit = [name for name in options.measures if not MEASURES[name].anonymous]
    if unfit:
        usable = ", ".join(name for name in ITEMS if MEASURES[name].anonymous)
        raise MetricsError(
            f"{unfit[0]} depends on who gave a label, which a table of counts does not say: use "
            f"one of {usable}"
        )
    needing = {
        option("by", by or ""): by in (PartKind.pair, PartKind.annotator),
        option("interval", "annotators"): options.interval == "annotators",
        option("attributes"): groups.attributes is not None,
    }
    for name in (name for name, is_set in needing.items() if is_set):
        raise MetricsError(f"{name} needs to know who gave a label: a table of counts does not")


def _parts(
    by: PartKind | None,
    measures: Sequence[str],
    matrix: LabelMatrix,
    distance: Distance,
    options: LabelOptions,
) -> list[tuple[str, Estimate]]:
    """Compute coefficients of each category, pair, or of the others without an annotator."""
    if by is None:
        return []
    from ...metrics.agreement.breakdown import (
        coefficient_by_category,
        coefficient_by_pair,
        coefficient_by_set_member,
        coefficient_without_each_annotator,
    )

    of_parts: Callable[[str], list[tuple[str, Estimate]]]
    if by is PartKind.category:
        by_category = (
            coefficient_by_category if matrix.members is None else coefficient_by_set_member
        )
        of_parts = partial(by_category, matrix=matrix, sampling=options)
    elif by is PartKind.pair:
        of_two = {many: two for two, many in GENERALISED.items()}
        measures = [of_two.get(name, name) for name in measures]
        of_parts = partial(coefficient_by_pair, matrix=matrix, distance=distance, sampling=options)
    else:
        require_three_annotators(matrix.n_annotators)
        of_parts = partial(
            coefficient_without_each_annotator, matrix=matrix, distance=distance, sampling=options
        )
    return sorted_by_part(map(of_parts, dict.fromkeys(measures)))


def _groups(
    matrix: LabelMatrix, distance: Distance, options: LabelOptions, groups: GroupOptions
) -> list[AttributeGroups]:
    """Compare groups of annotators by each attribute of the table given in the options."""
    if groups.attributes is None:
        return []
    from ...data.annotator_attributes import read_attributes
    from ..annotator_groups import compare_groups_by_attribute

    attributes = read_attributes(groups.attributes)
    return compare_groups_by_attribute(matrix, attributes, distance, groups, options)


def default_measures(n_annotators: int) -> tuple[str, ...]:
    """Return the usual coefficients, and with two annotators also the pairwise ones."""

    pair = GENERALISED if n_annotators == 2 else ()
    return (*USUAL[:3], *pair, *USUAL[3:])


def resample(
    path: Given | Sequence[Given],
    reading: Reading = DEFAULT_READING,
    options: ResampleOptions = DEFAULT_RESAMPLING,
) -> ExportResults:
    """Compute the modification rate M(k) of the majority reference for every k (Brégeon 2018).

    With `options.reliability`, also the k-rater reliability for every k.

    Ties `nearest_mean` require the tagset if the categories are not numbers.
    """
    from ...metrics.agreement.k_rater import k_rater_reliability
    from ...metrics.resampling.subsets.modification_rate import modification_rate

    labels = read_exported_labels(path, reading, unnamed=True)
    measured = MeasuredLabels(labels)
    matrix = measured.matrix
    ordered = bool(reading.categories) or all(map(is_finite_number, matrix.tagset))
    if options.ties == "nearest_mean" and not ordered:
        raise MetricsError(
            "the ties nearest_mean take the mean of the labels, and the categories "
            f"({', '.join(matrix.tagset)}) are not all numbers: give them in the scale's order "
            f"with {option('categories')}, or use another rule for ties"
        )
    rate = modification_rate(
        matrix, ties=options.ties, ordered=ordered, draw=options.draw, **options.arguments
    )
    found = list(rate.estimates())
    if options.reliability is not None:
        [measure] = require_known_measures((options.reliability,), ITEMS, "the coefficients are")
        distance = options.distance_between_categories(
            matrix.tagset, [measure], tagset_is_declared=bool(reading.categories)
        )
        found += k_rater_reliability(matrix, measure=measure, distance=distance, sampling=options)
    return measured.results(found)
