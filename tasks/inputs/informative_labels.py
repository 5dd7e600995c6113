"""An export without the labels (or documents with units) that a round chose as informative."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from ...data.arrow_columns import repeated_column
from ...data.errors import DataError
from ...data.untrusted.parquet import open_parquet
from ..intake.accepted import read_accepted_rows
from ..layers import LayerSpec
from ..queues_of_rounds import adaptive_cells, as_queue
from .one_shard import OneShard

_ADAPTIVE = "adaptive"  # table of what a queue chose as informative


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


def with_informative_cells(
    shard: OneShard, layer: LayerSpec, queue: Path
) -> tuple[OneShard, LayerSpec]:
    """Return the shard with the labels that a queue chose as informative, and the layer with these.

    Of exports that are one document, its name in the queue does not matter.
    """
    cells = adaptive_cells(read_queue(queue))
    documents = read_accepted_rows(shard.store, shard.key, "documents")["document"]
    if len(documents) == 1:
        named = repeated_column(documents[0].as_py(), pa.string(), cells.num_rows)
        cells = cells.set_column(cells.column_names.index("document"), "document", named)
    return shard.with_table(_ADAPTIVE, cells), replace(layer, adaptive=_ADAPTIVE)
