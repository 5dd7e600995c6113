"""Rows of sources as they were read: the tables that `prepare` takes, in memory or on disk."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeGuard

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrow_columns import (
    as_numpy,
    codes_and_values,
    empty_table,
    number_column,
    repeated_column,
    rows_where,
)
from ..blocks import Block, Rows, RowTables
from ..errors import DataError
from ..schema import SCHEMAS, UNNAMED_LAYER, Document, Label

ROWS_IN_MEMORY = 1_000_000
_ROWS_AT_ONCE = 100_000
_SHARDS = 16
_PLACE = (pa.field("row", pa.int64()), pa.field("origin", pa.int32()))
RAW_SCHEMAS = {name: pa.schema([*schema, *_PLACE]) for name, schema in SCHEMAS.items()}


class RawRows:
    """Collects the rows of sources, one after the other, as the tables that `prepare` takes.

    folder  an empty folder for what exceeds `ROWS_IN_MEMORY` (None: all rows stay in memory)
    keeps_texts  whether the texts of documents and items are kept
    """

    def __init__(self, folder: Path | None = None, *, keeps_texts: bool = False) -> None:
        self._folder, self._keeps_texts = folder, keeps_texts
        self._parts: dict[str, list[pa.Table]] = {name: [] for name in SCHEMAS}
        self._layers: list[set[str]] = []
        self._unreadable: set[int] = set()
        self._n_rows = self._n_files = 0

    @property
    def layers(self) -> list[list[str]]:
        """The layers of each source."""
        return [sorted(held) for held in self._layers]

    def add(self, rows: Iterable[Rows]) -> None:
        """Read a source to its end; of a source that raises DataError, nothing is kept."""
        self._layers.append(set())
        waiting, n_rows = RowTables(), 0
        places = {name: array("q") for name in SCHEMAS}
        try:
            for row in rows:
                n = len(row) if isinstance(row, Block) else 1
                if isinstance(row, Document | Label) and not self._keeps_texts:
                    row.text = None
                elif self._has_unwanted_texts(row):
                    row = row.with_column("text", repeated_column(None, pa.string(), n))
                places[row.TABLE].extend((n_rows, n))
                n_rows += n
                waiting.add(row)
                if waiting.n_rows >= _ROWS_AT_ONCE:
                    self._add_tables(waiting, places)
                    waiting, places = RowTables(), {name: array("q") for name in SCHEMAS}
        except DataError:
            self._unreadable.add(len(self._layers) - 1)
            self._layers[-1].clear()
            raise
        self._add_tables(waiting, places)

    def _has_unwanted_texts(self, row: Rows) -> TypeGuard[Block]:
        if self._keeps_texts or not isinstance(row, Block) or row.TABLE != Label.TABLE:
            return False
        return bool(row.rows["text"].null_count < len(row))

    def _add_tables(self, waiting: RowTables, places: Mapping[str, array[int]]) -> None:
        """Add the rows by table; `places` has the first row of each piece, and how many it has."""
        waiting.close()
        for name, of_table in waiting.parts.items():
            if not of_table:
                continue
            rows = pa.concat_tables(of_table)
            if name in UNNAMED_LAYER:
                self._layers[-1].update(names_of_layers(name, rows))
            first, n = np.frombuffer(places[name], dtype=np.int64).reshape(-1, 2).T
            row = number_column(np.arange(rows.num_rows) + np.repeat(first - np.cumsum(n) + n, n))
            origin = repeated_column(len(self._layers) - 1, pa.int32(), rows.num_rows)
            self._parts[name].append(rows.append_column("row", row).append_column("origin", origin))
            self._n_rows += rows.num_rows
        if self._folder is not None and self._n_rows > ROWS_IN_MEMORY:
            self._write_parts(self._folder)

    def _write_parts(self, folder: Path) -> None:
        """Write the rows by document, so that a shard has all rows of its documents."""
        for name, parts in self._parts.items():
            if not parts:
                continue
            rows = pa.concat_tables(parts)
            codes, documents = codes_and_values(rows["document"])
            shard_of = np.array([hash(one) % _SHARDS for one in documents.to_pylist()])
            shards = shard_of[codes]
            for shard in np.unique(shards).tolist():
                path = folder / f"{name}-{shard}-{self._n_files}.arrow"
                with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, rows.schema) as to:
                    to.write_table(rows_where(rows, shards == shard))
            self._n_files += 1
            parts.clear()
        self._n_rows = 0

    def shards(self) -> Iterator[dict[str, pa.Table]]:
        """Yield the rows by table, all at once or in shards; a document is in one of them."""
        held: Iterable[Mapping[str, list[pa.Table]]] = [self._parts]
        if self._folder is not None and self._n_files:
            self._write_parts(self._folder)
            held = (
                {name: [_read(path) for path in self._files(name, shard)] for name in SCHEMAS}
                for shard in range(_SHARDS)
            )
        for of_shard in held:
            raw = {
                name: pa.concat_tables([empty_table(RAW_SCHEMAS[name]), *parts])
                for name, parts in of_shard.items()
            }
            for name, rows in raw.items() if self._unreadable else ():
                is_unreadable = np.isin(as_numpy(rows["origin"]), [*self._unreadable])
                raw[name] = rows_where(rows, ~is_unreadable)
            yield raw

    def _files(self, name: str, shard: int) -> list[Path]:
        paths = (self._folder or Path()).glob(f"{name}-{shard}-*.arrow")
        return sorted(paths, key=lambda path: int(path.stem.rpartition("-")[2]))


def _read(path: Path) -> pa.Table:
    with pa.OSFile(str(path), "rb") as file:
        return pa.ipc.open_file(file).read_all()


def name_in_export(table: str, layer: str) -> str:
    """Return the layer's name in the export, "" where it has none."""
    return "" if layer == UNNAMED_LAYER.get(table) else layer


def names_of_layers(table: str, rows: pa.Table) -> list[str]:
    """Return the layers of rows of a table, one without a name by its content."""
    return [name or UNNAMED_LAYER[table] for name in pc.unique(rows["layer"]).to_pylist()]
