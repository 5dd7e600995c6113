"""Tables as Parquet files in the format of the store, with the version of their schema."""

from __future__ import annotations

import io

import pyarrow as pa
import pyarrow.parquet as pq

from ..schema import SCHEMA_VERSION

_VERSION_KEY = b"accordeur.schema_version"  # in the metadata of every Parquet file


def table_bytes(table: pa.Table, *, row_group_size: int = 65536) -> pa.Buffer:
    """Return the table as one Parquet file; equal tables give equal bytes."""
    sink = pa.BufferOutputStream()
    with table_writer(sink, table.schema) as writer:
        writer.write_table(table, row_group_size=row_group_size)
    return sink.getvalue()


def table_of_bytes(content: bytes) -> pa.Table:
    """Read the table that `table_bytes` wrote.

    `pq.read_table` would plan a data set and import pandas.
    """
    with pq.ParquetFile(io.BytesIO(content)) as file:
        return file.read()


def table_writer(sink: pa.NativeFile, schema: pa.Schema) -> pq.ParquetWriter:
    """Make a writer of Parquet files in the store's format, for rows in several parts."""
    schema = schema.with_metadata({**(schema.metadata or {}), _VERSION_KEY: SCHEMA_VERSION})
    return pq.ParquetWriter(sink, schema, compression="zstd", compression_level=1)


def schema_version(schema: pa.Schema) -> str:
    """Return the schema version in a Parquet file; "1" if it has none, as in 0.1.0."""
    return (schema.metadata or {}).get(_VERSION_KEY, b"1").decode(errors="replace")
