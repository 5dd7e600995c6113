"""An export without the labels (or documents with units) that a round chose as informative."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from ...data.arrow_columns import repeated_column
from ...data.errors import DataError
from ...data.untrusted.parquet import open_parquet
from ..queues_of_rounds import adaptive_cells, as_queue


def read_queue(path: Path) -> pa.Table:
    """A queue of `accordeur next`, or all rounds of a folder. Raises DataError otherwise."""
    files = sorted(path.glob("round-*.parquet")) if path.is_dir() else [path]
    if not files or not all(file.is_file() for file in files):
        raise DataError(f"{path}: no queue found; give a round-NNNN.parquet or its folder")
    try:
        tables = [open_parquet(file).table() for file in files]
        return pa.concat_tables([as_queue(table) for table in tables])
    except (pa.ArrowInvalid, pa.ArrowKeyError, KeyError) as error:
        raise DataError(f"{path}: is not a queue of accordeur next ({error})") from None


def informative_cells(queue: Path, documents: pa.ChunkedArray) -> pa.Table:
    """Return what a queue chose as informative, of exports of these documents.

    Of exports that are one document, its name in the queue does not matter.
    """
    cells = adaptive_cells(read_queue(queue))
    if len(documents) == 1:
        named = repeated_column(documents[0].as_py(), pa.string(), cells.num_rows)
        cells = cells.set_column(cells.column_names.index("document"), "document", named)
    return cells
