"""Read Parquet files batch by batch, in memory that the size of the file bounds.

A dictionary of one long text may stand for it in billions of rows. So texts are read as positions
in their dictionary, counted, and only then written out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ..errors import DataError
from .budget import Budget, budget
from .files import open_regular

_ROWS = 1 << 16
_PIECE = 16 << 20  # bytes of text that are written out at a time
_DAMAGES = (pa.ArrowException, OSError, ValueError, MemoryError)


@dataclass(frozen=True, slots=True)
class ParquetFile:
    """A file that is within the budget as far as its footer tells. `n_bytes`: its size."""

    path: Path
    schema: pa.Schema
    n_bytes: int

    def batches(self, rows: int = _ROWS) -> Iterator[pa.RecordBatch]:
        """Yield the rows in order, at most `rows` at a time.

        Raises DataError where the file is damaged, and when its texts are over the budget.
        """
        number, unpacked, limits = 0, 0, budget()
        try:
            with _opened(self.path) as file:
                for batch in file.iter_batches(batch_size=rows):
                    batch.validate(full=True)  # positions beyond a damaged dictionary
                    sizes = _text_bytes(batch)
                    unpacked += sum(sizes)
                    self._require_texts(unpacked, limits)
                    n_pieces = max(1, -(-max(sizes, default=0) // _PIECE))
                    step = max(1, -(-batch.num_rows // n_pieces))
                    for start in range(0, batch.num_rows, step):
                        yield _written_out(batch.slice(start, step))
                    number += batch.num_rows
        except DataError:
            raise
        except _DAMAGES as error:
            raise DataError(f"{self.path.name}: damaged after row {number} ({error})") from error

    def table(self) -> pa.Table:
        """Return all rows. Raises DataError as `batches`."""
        batches = [*self.batches()]
        return pa.Table.from_batches(batches) if batches else self.schema.empty_table()

    def _require_texts(self, unpacked: int, limits: Budget) -> None:
        if limits.is_bomb(unpacked, self.n_bytes):
            raise limits.breach("ratio", self.path.name, f"its texts have {unpacked:,} bytes")


def open_parquet(path: Path) -> ParquetFile:
    """Open a Parquet file.

    Raises DataError when it cannot be read or its footer counts more cells than the budget allows.
    """
    limits = budget()
    try:
        with open_regular(path) as raw:
            n_bytes = raw.seek(0, 2)
        with _opened(path) as file:
            about = file.metadata
            n_cells = about.num_rows * about.num_columns  # `column(k)` of a damaged footer aborts
            schema = file.schema_arrow
    except _DAMAGES as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{path.name}: not a readable Parquet file ({error})") from error
    limits.require_cells(n_cells, n_bytes, path.name)
    return ParquetFile(path, schema, n_bytes)


@contextmanager
def _opened(path: Path) -> Iterator[pq.ParquetFile]:
    with open_regular(path) as raw:
        plain = pq.ParquetFile(raw)
        texts = [
            column.path
            for column in map(plain.schema.column, range(len(plain.schema)))
            if column.physical_type == "BYTE_ARRAY"
        ]
        yield pq.ParquetFile(raw, metadata=plain.metadata, read_dictionary=texts)


def _text_bytes(batch: pa.RecordBatch) -> list[int]:
    """Return the bytes of the texts of each column that has a dictionary, once written out."""
    found = []
    for column in map(_flattened, batch.columns):
        if pa.types.is_dictionary(column.type) and len(column.dictionary):
            lengths = pc.binary_length(column.dictionary)
            if int(pc.max(lengths).as_py() or 0) * len(column) <= _PIECE:
                found.append(0)  # cannot be many
            else:
                found.append(int(pc.sum(lengths.take(column.indices)).as_py() or 0))
    return found


def _flattened(column: pa.Array) -> pa.Array:
    while pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
        column = column.flatten()
    return column


def _written_out(batch: pa.RecordBatch) -> pa.RecordBatch:
    columns = [
        column.dictionary_decode() if pa.types.is_dictionary(column.type) else _plain(column)
        for column in batch.columns
    ]
    return pa.record_batch(columns, names=batch.schema.names)


def _plain(column: pa.Array) -> pa.Array:
    """Write out the dictionary in a list; other columns have none."""
    if pa.types.is_list(column.type) and pa.types.is_dictionary(column.type.value_type):
        return column.cast(pa.list_(column.type.value_type.value_type))
    return column
