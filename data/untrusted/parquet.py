"""Read Parquet files batch by batch, in memory that the size of the file bounds.

A dictionary of one long text may stand for it in billions of rows. So texts are read as positions
in their dictionary, counted, and only then written out. Other encodings and nested lists cannot be
counted before they are read: a child process with little memory reads, which may fail.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ..errors import DataError
from .bounded_process import Bounds, StoppedError, bounded_process
from .budget import budget
from .files import open_regular

_ROWS = 1 << 16
_PIECE = 16 << 20  # bytes of text that are written out at a time
_BATCH = 64 << 20  # bytes of rows that are read at a time, if they have the usual ratio
_USUAL_RATIO = 10  # of rows to their share of the file
_MOST_COPIES = 4  # of the file in memory, packed and unpacked
_DAMAGES = (pa.ArrowException, OSError, ValueError, MemoryError)


@dataclass(frozen=True, slots=True)
class ParquetFile:
    """A file that is within the budget as far as its footer tells.

    n_bytes  its size
    content  its bytes, if they are not at the path
    """

    path: Path
    schema: pa.Schema
    n_rows: int
    n_bytes: int
    content: bytes | None = None

    def batches(self, rows: int = _ROWS) -> Iterator[pa.RecordBatch]:
        """Yield the rows in order, at most `rows` at a time.

        Raises DataError where the file is damaged, and when it is over the budget.
        """
        limits, number = budget(), 0
        bounds = Bounds(limits.memory_bytes + _MOST_COPIES * self.n_bytes)
        try:
            with bounded_process(_write_rows, (self._for_a_child(), rows), bounds) as stream:
                for batch in pa.ipc.open_stream(stream):
                    yield batch
                    number += batch.num_rows
        except StoppedError as error:
            why = "too little memory" if error.why == "memory" else error.why
            what = f"the process that reads it was stopped after row {number} ({why})"
            raise limits.breach("memory_bytes", self.path.name, what) from None
        except DataError:
            raise
        except _DAMAGES as error:
            raise DataError(f"{self.path.name}: damaged after row {number} ({error})") from error

    def _for_a_child(self) -> ParquetFile:
        """Return the file with its bytes if it is in an archive, which no child can open."""
        if type(self.path) is type(Path()):
            return self
        with open_regular(self.path) as raw:
            return replace(self, path=Path(str(self.path)), content=raw.read())

    def table(self) -> pa.Table:
        """Return all rows. Raises DataError as `batches`."""
        batches = [*self.batches()]
        return pa.Table.from_batches(batches) if batches else self.schema.empty_table()


def _write_rows(request: tuple[ParquetFile, int], out: IO[bytes]) -> None:
    """Write the rows as a stream of Arrow (in the child process)."""
    file, rows = request
    number, n_chars, n_cells, limits = 0, 0, 0, budget()
    try:
        writer: pa.ipc.RecordBatchStreamWriter | None = None
        for batch in _read_batches(file, rows):
            batch.validate(full=True)  # positions beyond a damaged dictionary
            n_cells += sum(len(_flattened(column)) for column in batch.columns)
            limits.require_cells(n_cells, file.n_bytes, file.path.name)
            sizes = _text_bytes(batch)
            n_chars += sum(sizes)
            if limits.is_bomb(n_chars, file.n_bytes):
                raise limits.breach("ratio", file.path.name, f"its texts have {n_chars:,} bytes")
            n_pieces = max(1, -(-max(sizes, default=0) // _PIECE))
            step = max(1, -(-batch.num_rows // n_pieces))
            for start in range(0, batch.num_rows, step):
                piece = _written_out(batch.slice(start, step))
                writer = writer or pa.ipc.new_stream(out, piece.schema)
                writer.write_batch(piece)
            number += batch.num_rows
        (writer or pa.ipc.new_stream(out, file.schema)).close()
    except (DataError, MemoryError, BrokenPipeError):
        raise
    except _DAMAGES as error:
        raise DataError(f"{file.path.name}: damaged after row {number} ({error})") from error


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
    return ParquetFile(path, schema, about.num_rows, n_bytes)


def _read_batches(file: ParquetFile, rows: int) -> Iterator[pa.RecordBatch]:
    """Yield the rows with texts as dictionaries, or written out after an error.

    Arrow reads some encodings of texts (DELTA_BYTE_ARRAY) only without dictionaries.
    """
    share = max(1, file.n_bytes * _USUAL_RATIO // max(1, file.n_rows))
    size = max(1, min(rows, _BATCH // share))
    n_read = 0
    try:
        with _opened(file.path, file.content) as opened:
            for batch in opened.iter_batches(batch_size=size, use_threads=False):
                yield batch
                n_read += batch.num_rows
    except MemoryError:
        raise
    except _DAMAGES:
        with _opened(file.path, file.content, as_dictionaries=False) as opened:
            for batch in opened.iter_batches(batch_size=size, use_threads=False):
                if n_read < batch.num_rows:
                    yield batch.slice(n_read)
                n_read = max(0, n_read - batch.num_rows)


@contextmanager
def _opened(
    path: Path, content: bytes | None = None, *, as_dictionaries: bool = True
) -> Iterator[pq.ParquetFile]:
    with open_regular(path) if content is None else io.BytesIO(content) as raw:
        plain = pq.ParquetFile(raw)
        texts = [
            column.path
            for column in map(plain.schema.column, range(len(plain.schema)))
            if column.physical_type == "BYTE_ARRAY" and as_dictionaries
        ]
        yield pq.ParquetFile(raw, metadata=plain.metadata, read_dictionary=texts)


def _text_bytes(batch: pa.RecordBatch) -> list[int]:
    """Return the bytes of the texts of each column, once written out."""
    found = []
    for column in map(_flattened, batch.columns):
        if pa.types.is_dictionary(column.type) and len(column.dictionary):
            lengths = pc.binary_length(column.dictionary)
            if int(pc.max(lengths).as_py() or 0) * len(column) <= _PIECE:
                found.append(0)  # cannot be many
            else:
                found.append(int(pc.sum(lengths.take(column.indices)).as_py() or 0))
        elif pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
            found.append(int(pc.sum(pc.binary_length(column)).as_py() or 0))
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
