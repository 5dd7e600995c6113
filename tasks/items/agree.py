"""`accordeur agree` and `resample`: coefficients and M(k) of exported labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from ...data.option_names import option
from ...data.readers.notes import SourceNotes
from ...data.readers.tables.given import Given
from ...data.row_account import ExportAccount
from ...data.validation.rules import ObjectReader
from ...metrics.agreement.distances import Distance
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.coded_warning import CodedWarning
from ...metrics.errors import MetricsError
from ...metrics.estimate import Estimate, add_reading_settings
from ...metrics.results import AttributeGroups
from ..inputs.export_results import ExportResults
from ..inputs.exported_labels import read_exported_labels
from ..inputs.label_options import GroupOptions, LabelOptions, ResampleOptions
from ..inputs.part_kind import PartKind
from ..inputs.reading_options import Reading
from ..inputs.warnings_of import warnings_of

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

    by  parts for each of which the first coefficient is computed as well

    Raises DataError if there are no labels, MetricsError for labels that the distance does not
    support.
    """
    from ...metrics.agreement.coefficients import mark_as_complete_items
    from ...metrics.agreement.diagnosis.category_findings import single_category
    from ...metrics.agreement.diagnosis.document_findings import few_documents, short_documents
    from ...metrics.agreement.diagnosis.thresholds_and_shares import Thresholds
    from ...metrics.agreement.evaluate import evaluate_matrix
    from ...metrics.agreement.resampling_units import applicable_coefficient
    from ...metrics.measures import GENERALISED, MEASURES, RATINGS
    from .intraclass import intraclass_forms

    labels = read_exported_labels(
        path,
        reading,
        sets=options.sets,
        queue=None if options.queue is None else Path(options.queue),
        complete=options.complete,
        objects=options.objects,
        unnamed=True,
    )
    matrix, account = labels.matrix_and_account()
    is_unnamed = labels.notes.n_unnamed_tables > 0
    if is_unnamed:
        require_no_names(options, groups, by)
    if options.objects is not None:
        from .object_agreement import agree_on_objects

        return agree_on_objects(matrix, account, labels.notes, options.objects, options, groups, by)
    distance = options.distance_between_categories(
        matrix.tagset, options.measures, tagset_is_declared=bool(reading.tagset)
    )
    forms = [name for name in options.measures if name in RATINGS]
    measures = tuple(name for name in options.measures if name not in RATINGS)
    if by is PartKind.pair and matrix.n_annotators > 2:  # of all, the measure for more than two
        measures = tuple(dict.fromkeys(GENERALISED.get(name, name) for name in measures))
    for measure in measures:
        applicable_coefficient(measure, matrix)
    estimates = intraclass_forms(matrix, forms, level=options.level, seed=options.seed)
    if forms and not measures:
        if by is not None:
            raise MetricsError(f"{option('by')} is for coefficients of agreement, not {forms[0]}")
        return ExportResults(
            add_reading_settings(estimates, account.settings),
            account.rows,
            account.rejected,
            warnings_of(labels.shard, labels.layer, matrix=matrix),
        )
    wanted = measures or default_measures(matrix.n_annotators)
    if is_unnamed:
        wanted = tuple(name for name in wanted if MEASURES[name].anonymous)
    coefficients = evaluate_matrix(
        matrix,
        measures=wanted,
        distance=distance,
        sampling=options,
    )
    if options.complete:
        coefficients = mark_as_complete_items(coefficients)
    estimates = [*coefficients, *estimates]
    remarks = warnings_of(
        labels.shard,
        labels.layer,
        coefficients,
        matrix=matrix,
        distance=distance,
        distance_name=options.distance,
    )
    alone = single_category(matrix)
    remarks += [alone.warning("single_category")] if alone else []
    remarks += [
        CodedWarning("added_for_one_category", {"measure": one.measure})
        for one in coefficients
        if one.measure not in wanted
    ]
    few = few_documents(matrix, Thresholds()) if options.gives_intervals else None
    remarks += [few.warning("few_documents")] if few else []
    has_bootstrap = options.gives_intervals and options.interval == "bootstrap"
    short = short_documents(matrix, Thresholds()) if has_bootstrap else None
    remarks += [short.warning("short_documents")] if short else []
    return ExportResults(
        add_reading_settings(estimates, account.settings),
        account.rows,
        account.rejected,
        remarks,
        groups=_groups(matrix, distance, options, groups),
        by=by,
        parts=_parts(by, wanted[0], matrix, distance, options),
    )


def require_no_names(options: LabelOptions, groups: GroupOptions, by: PartKind | None) -> None:
    """Raise MetricsError for options that need to know who gave a label."""
    from ...metrics.measures import ITEMS, MEASURES

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
    measure: str,
    matrix: LabelMatrix,
    distance: Distance,
    options: LabelOptions,
) -> list[tuple[str, Estimate]]:
    """Compute the coefficient of each category, pair, or of the others without an annotator."""
    if by is None:
        return []
    from ...metrics.agreement.breakdown import (
        coefficient_by_category,
        coefficient_by_pair,
        coefficient_by_set_member,
        coefficient_without_each,
    )
    from ...metrics.measures import GENERALISED

    if by is PartKind.category:
        return (coefficient_by_category if matrix.members is None else coefficient_by_set_member)(
            measure, matrix, sampling=options
        )
    if by is PartKind.pair:
        of_two = {many: two for two, many in GENERALISED.items()}.get(measure, measure)
        return coefficient_by_pair(of_two, matrix, distance=distance, sampling=options)
    if matrix.n_annotators < 3:
        raise MetricsError(
            f"{option('by', 'annotator')} leaves one annotator out: there must be three or more"
        )
    return coefficient_without_each(measure, matrix, distance=distance, sampling=options)


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
    from ...metrics.measures import GENERALISED, USUAL

    pair = GENERALISED if n_annotators == 2 else ()
    return (*USUAL[:3], *pair, *USUAL[3:])


def read_label_matrix(
    path: Given | Sequence[Given],
    reading: Reading = DEFAULT_READING,
    notes: SourceNotes | None = None,
    *,
    sets: bool = False,
    queue: Path | None = None,
    complete: bool = False,
    objects: ObjectReader | None = None,
    unnamed: bool = False,
) -> tuple[LabelMatrix, ExportAccount]:
    """Read the labels of an export, with the account of its rows; single labels are excluded.

    notes  filled with the assumptions and exclusions of the reader
    sets   whether to read single labels as sets of one; items with several labels always are sets
    queue  queue of `accordeur next`, whose labels chosen as informative are excluded
    complete  whether to keep only the items that every annotator labelled
    objects  what reads the labels as objects; None: they are categories
    unnamed  whether a table may count annotators without naming them (as the notes then say)

    Raises DataError if only one annotator provides labels.
    """
    labels = read_exported_labels(
        path,
        reading,
        sets=sets,
        complete=complete,
        queue=queue,
        objects=objects,
        unnamed=unnamed,
    )
    if notes is not None:
        notes.add(labels.notes)
    return labels.matrix_and_account()


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
    from ...metrics.measures import ITEMS
    from ...metrics.resampling.subsets.modification_rate import modification_rate
    from ..inputs.measure_names import require_known_measures

    labels = read_exported_labels(path, reading, unnamed=True)
    matrix, account = labels.matrix_and_account()
    ordered = bool(reading.tagset) or all(is_number(category) for category in matrix.tagset)
    if options.ties == "nearest_mean" and not ordered:
        raise MetricsError(
            "the ties nearest_mean take the mean of the labels, and the categories "
            f"({', '.join(matrix.tagset)}) are not all numbers: give them in the scale's order "
            f"with {option('tagset')}, or use another rule for ties"
        )
    rate = modification_rate(matrix, ties=options.ties, ordered=ordered, **options.arguments)
    remarks = warnings_of(labels.shard, labels.layer, matrix=matrix)
    found = list(rate.estimates())
    if options.reliability is not None:
        [measure] = require_known_measures((options.reliability,), ITEMS, "the coefficients are")
        distance = options.distance_between_categories(
            matrix.tagset, [measure], tagset_is_declared=bool(reading.tagset)
        )
        found += k_rater_reliability(matrix, measure=measure, distance=distance, sampling=options)
    estimates = add_reading_settings(found, account.settings)
    return ExportResults(estimates, account.rows, account.rejected, remarks)


def is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
