"""Cross-replication reliability of two crews of annotators in one export."""

from __future__ import annotations

from collections.abc import Sequence

from ...data.option_names import option
from ...data.readers.tables.given import Given
from ...metrics.agreement.cross_replication import cross_replication
from ...metrics.agreement.distances import Distance
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.errors import MetricsError
from ...metrics.estimate import Estimate
from ..inputs.export_results import ExportResults
from ..inputs.exported_labels import read_exported_labels
from ..inputs.label_options import LabelOptions
from ..inputs.reading_options import Reading
from ..options import ItemSettings


def compare_crews(
    paths: Given | Sequence[Given],
    crews: Sequence[Sequence[str]],
    reading: Reading,
    options: LabelOptions,
) -> ExportResults:
    """Compute κ_x of two crews of an export, and normalised κ_x.

    crews  names of the annotators of each crew

    Raises MetricsError unless there are exactly two crews, for an unknown name or a name in both
    crews, and for options that do not apply.
    """
    if options.measures or options.interval != "bootstrap":
        raise MetricsError(
            f"two crews are compared by κ_x with a bootstrap interval: remove "
            f"{option('measure')} and "
            f"{option('interval')}, or {option('crew')}"
        )
    if options.complete:
        raise MetricsError(
            f"{option('crew')} compares all labels of the two crews: remove {option('complete')}"
        )
    labels = read_exported_labels(paths, reading, sets=options.sets)
    measured = labels.measured()
    matrix = measured.matrix
    first, second = _matrices_of_crews(matrix, crews)
    distance = options.distance_between_categories(
        matrix.tagset, tagset_is_declared=bool(reading.tagset)
    )
    found = cross_replication(first, second, distance=distance, sampling=options)
    return measured.results(found, distance=distance, distance_name=options.distance)


def crews_of_layer(
    matrix: LabelMatrix, settings: ItemSettings, distance: Distance
) -> list[Estimate]:
    """Compute κ_x of the campaign's crews on a layer; [] unless both crews are on the layer."""
    columns = [
        [a for a, name in enumerate(matrix.annotators) if name in crew] for crew in settings.crews
    ]
    if len(columns) != 2 or not all(columns):
        return []
    first, second = map(matrix.select_annotators, columns)
    return cross_replication(first, second, distance=distance, sampling=settings.sampling)


def _matrices_of_crews(
    matrix: LabelMatrix, crews: Sequence[Sequence[str]]
) -> tuple[LabelMatrix, LabelMatrix]:
    if len(crews) != 2 or not all(crews):
        raise MetricsError(
            f"give {option('crew')} twice, once for each crew, not {len(crews)} times"
        )
    members = [*crews[0], *crews[1]]
    for name in members:
        if name not in matrix.annotators:
            raise MetricsError(
                f"{option('crew')}: no annotator {name!r}; the annotators are "
                f"{', '.join(matrix.annotators)} (systems take no part: `accordeur replace`)"
            )
        if members.count(name) > 1:
            raise MetricsError(
                f"{option('crew')}: {name} is named twice; the two crews share no annotator"
            )
    first, second = (
        matrix.select_annotators([matrix.annotators.index(name) for name in crew]) for crew in crews
    )
    return first, second
