"""Every column of the tables of a run says what it holds, in the Parquet file itself."""

from __future__ import annotations

import io

import pyarrow.parquet as pq
import pytest

from accordeur.data.column_descriptions import DESCRIPTIONS, described
from accordeur.data.ledger import LEDGER
from accordeur.data.schema import SCHEMAS
from accordeur.data.store.parquet_format import schema_version, table_bytes


@pytest.mark.parametrize("table", [*SCHEMAS, "ledger"])
def test_a_file_describes_its_columns(table: str) -> None:
    schema = {**SCHEMAS, "ledger": LEDGER}[table]
    told = described(schema, campaign="Letters")
    content = table_bytes(told.empty_table()).to_pybytes()
    read = pq.ParquetFile(io.BytesIO(content)).schema_arrow
    assert {one.name: one.metadata[b"description"].decode() for one in read} == {
        name: DESCRIPTIONS[name] for name in schema.names
    }
    assert read.metadata[b"accordeur.campaign"] == b"Letters"
    assert schema_version(read) == schema_version(
        pq.ParquetFile(io.BytesIO(table_bytes(schema.empty_table()).to_pybytes())).schema_arrow
    )
