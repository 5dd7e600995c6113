"""The warnings on the data of a quick look, the same for all commands on labels."""

from __future__ import annotations

from collections.abc import Sequence

from ...metrics.agreement.distances import Distance
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.coded_warning import CodedWarning
from ...metrics.estimate import Estimate
from ..layer_rows import LayerRows
from ..layers import LayerSpec
from .cell_warnings import warnings_on_sets
from .data_warnings import (
    warnings_on_labels,
    warnings_on_lone_labels,
    warnings_on_nominal,
    warnings_on_reading,
)
from .one_shard import OneShard


def warnings_of(
    shard: OneShard,
    layer: LayerSpec,
    estimates: Sequence[Estimate] = (),
    *,
    matrix: LabelMatrix | None = None,
    distance: Distance | None = None,
    distance_name: str = "",
) -> list[CodedWarning]:
    """Return what a user should know of the labels: how they were read, their names and cells.

    estimates      values of coefficients, of which some count labels that are alone on their item
    matrix         the layer's labels that agreement is computed on, if the caller has it
    distance       between categories; None where the command compares none
    distance_name  its name as requested, for distances between sets
    """
    if matrix is None:
        matrix = LayerRows.of(shard.store, shard.key, layer).matrix()
    return [
        *warnings_on_reading(shard.notes, matrix.annotators),
        *warnings_on_labels(matrix),
        *([] if distance is None else warnings_on_nominal(matrix, distance)),
        *warnings_on_sets(matrix.tagset, distance_name),
        *warnings_on_lone_labels(matrix, estimates),
    ]
