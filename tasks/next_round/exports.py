"""What to annotate next from an export, and an export without what was chosen as informative."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ...data.errors import DataError
from ...data.in_memory.label_tables import LabelTable
from ...data.schema import ExclusionReason
from ..item_names import ITEM_SIGN
from ..options import NextOptions
from .choose import rows_of_labels
from .queue import QUEUE, Assigned, adaptive_cells

Cell = tuple[str, str, str]  # document, item, annotator


def read_queue(path: Path) -> pa.Table:
    """A queue of `accordeur next`, or all rounds of a folder. Raises DataError otherwise."""
    files = sorted(path.glob("round-*.parquet")) if path.is_dir() else [path]
    if not files or not all(file.is_file() for file in files):
        raise DataError(f"{path}: no queue is there; give a round-NNNN.parquet or their folder")
    try:
        tables = [pq.read_table(file) for file in files]
        return pa.concat_tables([table.select(QUEUE.names).cast(QUEUE) for table in tables])
    except (pa.ArrowInvalid, pa.ArrowKeyError, KeyError) as error:
        raise DataError(f"{path}: is not a queue of accordeur next ({error})") from None


def without_informative(table: LabelTable, queue: Path) -> LabelTable:
    """The labels without those that a round chose as informative; the tally has their number."""
    unwanted = _informative(read_queue(queue), with_documents=table.documents is not None)
    keep = [cell not in unwanted for cell in _cells(table)]
    kept = [k for k, one in enumerate(keep) if one]
    tally = table.tally.copy()
    tally.exclude(ExclusionReason.ADAPTIVE, len(keep) - len(kept))
    return replace(
        table,
        items=[table.items[k] for k in kept],
        annotators=[table.annotators[k] for k in kept],
        labels=[table.labels[k] for k in kept],
        documents=None if table.documents is None else [table.documents[k] for k in kept],
        tally=tally,
        settings={**table.settings, "informative": "excluded"},
    )


def next_from_table(
    table: LabelTable, options: NextOptions, *, queue: Path | None, seed: int
) -> list[Assigned]:
    """The next round from the labels of an export; `queue` has the rounds before.

    Raises DataError for labels of fewer than two categories.
    """
    from ..items.exports import categories_of, matrix_of

    named = [f"{document}{ITEM_SIGN}{item}" for document, item, _ in _cells(table)]
    matrix = matrix_of(replace(table, items=named, documents=None), categories_of([table]))
    design = matrix.codes >= 0
    number = 1
    if queue is not None:
        before = read_queue(queue)
        number = 1 + max(before["round"].to_pylist(), default=0)
        row_of = {item: i for i, item in enumerate(matrix.items)}
        column_of = {name: a for a, name in enumerate(matrix.annotators)}
        for document, item, who in _informative(before, with_documents=bool(table.documents)):
            row, column = row_of.get(f"{document}{ITEM_SIGN}{item}"), column_of.get(who)
            if row is not None and column is not None:
                design[row, column] = False
    return rows_of_labels(
        matrix, options, design=design.astype(np.bool_), layer="", number=number, seed=seed
    )


def _cells(table: LabelTable) -> list[Cell]:
    documents = table.documents or [""] * len(table.items)
    return list(zip(documents, table.items, table.annotators, strict=True))


def _informative(queue: pa.Table, *, with_documents: bool) -> set[Cell]:
    """Of a file that is one document, its name does not matter."""
    return {
        (one["document"] if with_documents else "", one["item"], one["annotator"])
        for one in adaptive_cells(queue).to_pylist()
    }
