"""A table read by Python's csv row by row and by columns: both must give the same records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from accordeur.data.errors import DataError
from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.sources import read_source
from accordeur.data.readers.tables import delimited
from accordeur.data.readers.tables.rows_without_checks import PlainRows
from accordeur.data.schema import TABLES, Record


def read_both_ways(path: Path, format: str, options: SourceOptions) -> list[Record]:
    """The records of `read_source`, whose blocks must say what the rows say one by one.

    Raises the DataError that stopped both.
    """
    records, error = _until_error(read_source(path, format, options))
    if format == "table":
        with (
            mock.patch.object(PlainRows, "are_plain", return_value=False),
            mock.patch.object(delimited, "_arrow_options", side_effect=ValueError),
        ):
            by_rows, its_error = _until_error(read_source(path, format, options))
        assert str(its_error) == str(error)
        # what came before the error is not compared: a batch that was not whole may be lost
        if error is None:
            assert by_table(by_rows) == by_table(records)
    if error is not None:
        raise error
    return records


def by_table(records: list[Record]) -> dict[str, list[Record]]:
    tables: dict[str, list[Record]] = {name: [] for name in TABLES}
    for record in records:
        tables[record.TABLE].append(record)
    return tables


def _until_error(rows: Iterator[Record]) -> tuple[list[Record], DataError | None]:
    records: list[Record] = []
    try:
        records.extend(rows)
    except DataError as error:
        return records, error
    return records, None
