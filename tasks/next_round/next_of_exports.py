"""What to annotate next, from the labels of an export."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from ...data.arrow_columns import repeated_column
from ...metrics.resampling.interval_forecast import label_pair_variance
from ..inputs.exported_labels import ExportedLabels
from ..inputs.informative_labels import read_queue
from ..options import NextOptions
from ..queues_of_rounds import QueueRow, adaptive_cells
from .choose import choose_label_assignments, regular_design
from .stop import labels_of_design


def next_from_labels(
    labels: ExportedLabels, options: NextOptions, *, queue: Path | None, seed: int
) -> list[QueueRow]:
    """The next round from the labels of an export; `queue` has the rounds before.

    Of an export that is one document, its name does not matter.

    Raises DataError for labels of fewer than two categories.
    """
    matrix, number = labels.matrix_with_documents(), 1
    design = matrix.codes >= 0
    if queue is not None:
        before = read_queue(queue)
        number = 1 + max(before["round"].to_pylist(), default=0)
        cells = adaptive_cells(before)
        if not labels.names_documents:
            nameless = repeated_column("", pa.string(), cells.num_rows)
            cells = cells.set_column(cells.column_names.index("document"), "document", nameless)
        design = regular_design(matrix, cells)
    return choose_label_assignments(
        matrix,
        options,
        design=design,
        variance=label_pair_variance(
            labels_of_design(matrix, design), labels.layer.item_distance()
        ),
        layer="",
        number=number,
        seed=seed,
    )
