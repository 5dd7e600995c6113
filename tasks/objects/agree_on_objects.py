"""Agreement on objects: labels that a distance reads as texts, trees, rankings or boxes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...data.option_names import option
from ...data.readers.notes import SourceNotes
from ...data.row_account import ExportAccount
from ...metrics.agreement.coefficients import mark_as_complete_items
from ...metrics.agreement.diagnosis.thresholds_and_shares import Thresholds
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.coded_warning import CodedWarning
from ...metrics.errors import MetricsError
from ...metrics.estimate import add_reading_settings
from ...metrics.measures import OBJECTS
from ...metrics.objects.evaluate import MeasuredObjects, Named
from ...metrics.objects.object_distance import ObjectDistance
from ..inputs.label_options import GroupOptions, LabelOptions
from ..inputs.measure_names import require_known_measures
from ..inputs.part_kind import PartKind, require_three_annotators, sorted_by_part
from ..inputs.reading_warnings import warnings_on_reading
from ..inputs.results_of_exports import ExportResults
from .mismatched_objects import findings_on_objects


def agree_on_objects(
    matrix: LabelMatrix,
    account: ExportAccount,
    notes: SourceNotes,
    distance: ObjectDistance,
    options: LabelOptions,
    groups: GroupOptions,
    by: PartKind | None,
) -> ExportResults:
    """Compute the measures on objects of an export's labels, with their intervals.

    Raises MetricsError for options of categories.
    """
    _require_no_categories(distance, options, groups, by)
    what = f"the measures with the distance {distance.name} are"
    measures = require_known_measures(options.measures, OBJECTS, what) or OBJECTS
    measured = MeasuredObjects.from_matrix(matrix, distance, options)
    new = options.for_new_annotators
    estimates = measured.values(measures, for_new_annotators=new)
    if options.complete:
        estimates = mark_as_complete_items(estimates)
    remarks = warnings_on_reading(notes, matrix.annotators)
    remarks += [one.warning(one.code, advice=True) for one in findings_on_objects(matrix, distance)]
    remarks += _unlike_intervals(matrix, notes)
    remarks += _few_documents(matrix) if options.gives_intervals else []
    return ExportResults(
        add_reading_settings(estimates, account.settings),
        account.rows,
        account.rejected,
        remarks,
        by=by,
        parts=_parts(measured, by, measures if options.measures else measures[:1]),
    )


def _unlike_intervals(matrix: LabelMatrix, notes: SourceNotes) -> list[CodedWarning]:
    """Warn of texts of intervals, most of which no other annotator has with the same bounds."""
    n_given = matrix.n_labels
    n_items, n_shared = int((n_given > 0).sum()), int((n_given >= 2).sum())
    unlike = notes.n_interval_texts > 0 and 2 * n_shared < n_items
    figures = {"n_shared": n_shared, "n_items": n_items}
    return [CodedWarning("unlike_intervals", figures)] if unlike else []


def _few_documents(matrix: LabelMatrix) -> list[CodedWarning]:
    """Warn of an interval over few documents whose objects are compared."""
    if matrix.documents_to_resample is None:
        return []
    paired, fewest = matrix.n_labels >= 2, Thresholds().few_documents
    n_documents = np.unique(matrix.documents_to_resample[paired]).size
    figures = {"n_documents": n_documents, "fewest": fewest}
    few = 0 < n_documents < fewest
    return [CodedWarning("few_documents_with_objects", figures)] if few else []


def _require_no_categories(
    distance: ObjectDistance,
    options: LabelOptions,
    groups: GroupOptions,
    by: PartKind | None,
) -> None:
    """Raise MetricsError for options that need categories."""
    options.require_no_analytic("measures on objects")
    if options.distance.table is not None:
        raise MetricsError(f"give either {option('distance')} or a table of distances, not both")
    if groups.attributes is not None or by is PartKind.category:
        given = option("attributes") if groups.attributes is not None else option("by", "category")
        raise MetricsError(
            f"{given} needs coefficients between categories; the distance {distance.name} is "
            "between objects"
        )


def _parts(measured: MeasuredObjects, by: PartKind | None, measures: Sequence[str]) -> Named:
    """Compute measures of each pair, or of the others without each annotator."""
    if by is None:
        return []
    if by is PartKind.pair:
        return sorted_by_part(map(measured.values_by_pair, measures))
    require_three_annotators(measured.matrix.n_annotators)
    return sorted_by_part(map(measured.values_without_each_annotator, measures))
