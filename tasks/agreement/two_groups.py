"""Cross-replication reliability of two groups of annotators in one export."""

from __future__ import annotations

from collections.abc import Sequence

from ...data.option_names import option
from ...data.readers.tables.given import Given
from ...metrics.agreement.cross_replication import cross_replication
from ...metrics.agreement.distances import Distance
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.errors import MetricsError
from ...metrics.estimate import Estimate
from ..inputs.exported_labels import MeasuredLabels, read_exported_labels
from ..inputs.label_options import LabelOptions
from ..inputs.reading_options import Reading
from ..inputs.results_of_exports import ExportResults
from ..options import ItemSettings


def compare_two_groups(
    paths: Given | Sequence[Given],
    groups: Sequence[Sequence[str]],
    reading: Reading,
    options: LabelOptions,
) -> ExportResults:
    """Compute κ_x of two groups of an export, and normalised κ_x.

    groups  names of the annotators of each group

    Raises MetricsError unless there are exactly two groups, for an unknown name or a name in both
    groups, and for options that do not apply.
    """
    if options.measures or options.interval != "bootstrap":
        raise MetricsError(
            f"two groups are compared by κ_x with a bootstrap interval: remove "
            f"{option('measure')} and "
            f"{option('interval')}, or {option('group')}"
        )
    if options.complete:
        raise MetricsError(
            f"{option('group')} compares all labels of the two groups: remove {option('complete')}"
        )
    labels = read_exported_labels(paths, reading, sets=options.sets)
    measured = MeasuredLabels(labels)
    matrix = measured.matrix
    first, second = _matrices_of_groups(matrix, groups)
    distance = options.distance_between_categories(
        matrix.tagset, tagset_is_declared=bool(reading.categories)
    )
    found = cross_replication(first, second, distance=distance, sampling=options)
    return measured.results(found, distance=distance, distance_name=options.distance.name)


def two_groups_of_layer(
    matrix: LabelMatrix, settings: ItemSettings, distance: Distance
) -> list[Estimate]:
    """Compute κ_x of the campaign's groups on a layer; [] unless both groups are on the layer."""
    columns = [
        [a for a, name in enumerate(matrix.annotators) if name in group]
        for group in settings.two_groups
    ]
    if len(columns) != 2 or not all(columns):
        return []
    first, second = map(matrix.select_annotators, columns)
    return cross_replication(first, second, distance=distance, sampling=settings.sampling)


def _matrices_of_groups(
    matrix: LabelMatrix, groups: Sequence[Sequence[str]]
) -> tuple[LabelMatrix, LabelMatrix]:
    if len(groups) != 2 or not all(groups):
        raise MetricsError(
            f"give {option('group')} twice, once for each group, not {len(groups)} times"
        )
    members = [*groups[0], *groups[1]]
    for name in members:
        if name not in matrix.annotators:
            raise MetricsError(
                f"{option('group')}: no annotator {name!r}; the annotators are "
                f"{', '.join(matrix.annotators)} (systems take no part: `accordeur replace`)"
            )
        if members.count(name) > 1:
            raise MetricsError(
                f"{option('group')}: {name} is named twice; the two groups share no annotator"
            )
    first, second = (
        matrix.select_annotators([matrix.annotators.index(name) for name in group])
        for group in groups
    )
    return first, second
