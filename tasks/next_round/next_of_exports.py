"""What to annotate next, from the labels of an export."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ...data.in_memory.labels import LabelTable
from ...metrics.resampling.interval_forecast import label_pair_variance
from ..annotation_rounds import QueueRow
from ..inputs.informative_labels import cells_of_labels, informative_cells, read_queue
from ..item_names import ITEM_SIGN
from ..items.agree import categories_of_tables, matrix_of_table
from ..options import NextOptions
from .choose import choose_labels
from .stop import labels_of_design


def next_from_table(
    table: LabelTable, options: NextOptions, *, queue: Path | None, seed: int
) -> list[QueueRow]:
    """The next round from the labels of an export; `queue` has the rounds before.

    Raises DataError for labels of fewer than two categories.
    """
    named = [f"{document}{ITEM_SIGN}{item}" for document, item, _ in cells_of_labels(table)]
    matrix = matrix_of_table(
        replace(table, items=named, documents=None), categories_of_tables([table])
    )
    design = matrix.codes >= 0
    number = 1
    if queue is not None:
        before = read_queue(queue)
        number = 1 + max(before["round"].to_pylist(), default=0)
        row_of = {item: i for i, item in enumerate(matrix.items)}
        column_of = {name: a for a, name in enumerate(matrix.annotators)}
        for document, item, who in informative_cells(before, with_documents=bool(table.documents)):
            row, column = row_of.get(f"{document}{ITEM_SIGN}{item}"), column_of.get(who)
            if row is not None and column is not None:
                design[row, column] = False
    return choose_labels(
        matrix,
        options,
        design=design,
        variance=label_pair_variance(labels_of_design(matrix, design)),
        layer="",
        number=number,
        seed=seed,
    )
