"""CSV tables, one file per table of the store, for spreadsheets and `data.readers.tables.reader`.

`units.csv`, `labels.csv` and `relations.csv` can be read again as format `table`, each as a
separate source, with these exceptions: the columns `attributes`, `source_offsets`, `source` and
`location` are not read; white space in `surface` is written as single spaces; and an empty label is
rejected. Cells that a spreadsheet would evaluate are neutralised (`data.spreadsheet`). Labels of a
multi-label item are joined by `|` (option `separator`), and the offset unit is in `documents.csv`
(option `offset_unit`). The other tables (documents, without their text, assignments, rejected and
excluded rows) cannot be read again. Empty tables are not written. Files are UTF-8 with a byte order
mark, which spreadsheets need to recognise the encoding.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..errors import DataError
from ..readers.tables.own_tables import columns_of_record, header_of_record
from ..schema import RECORD_TYPES, Document, Label, Record, Unit
from ..spreadsheet import csv_text
from .base import write_files

SEPARATOR = "|"


class TablesWriter:
    NAME = "tables"
    DESCRIPTION = "CSV, one file per table"

    def write(self, records: Iterable[Record], folder: Path) -> list[Path]:
        kept = list(records)
        texts = {r.document: r.text for r in kept if isinstance(r, Document) and r.text is not None}
        _check_separator(record for record in kept if isinstance(record, Label))
        files: dict[Path, str] = {}
        for kind in RECORD_TYPES:
            rows = [_row(record, texts) for record in kept if isinstance(record, kind)]
            if rows:
                names = header_of_record(kind)
                files[folder / f"{kind.TABLE}.csv"] = csv_text([names, *rows])
        return write_files(files)


WRITER = TablesWriter()


def _row(record: Record, texts: dict[str, str]) -> list[str]:
    cells = [_cell(record, name) for name in columns_of_record(type(record))]
    if isinstance(record, Unit) and record.surface is None and record.document in texts:
        text = texts[record.document]
        pieces = record.fragments or ((record.start_offset, record.end_offset),)
        surface = " ".join(" ".join(text[start:end] for start, end in pieces).split())
        cells[columns_of_record(Unit).index("surface")] = surface
    return cells


def _cell(record: Record, name: str) -> str:
    value = getattr(record, name)
    if name == "labels" and isinstance(record, Label):
        return SEPARATOR.join(value)
    if name == "fragments":
        return ";".join(f"{start} {end}" for start, end in value)
    if name == "attributes":
        return "; ".join(f"{key}={text}" for key, text in value)
    if name == "surface" and value is not None:
        return " ".join(value.split())
    return "" if value is None else str(value)


def _check_separator(labels: Iterable[Label]) -> None:
    """Check that no label of a multi-label table contains the separator."""
    several, holding = False, ""
    for record in labels:
        several = several or len(record.labels) > 1
        holding = holding or next((label for label in record.labels if SEPARATOR in label), "")
    if several and holding:
        raise DataError(
            f"label {holding!r} holds {SEPARATOR!r}, which separates the labels of multi-label "
            "items; rename it in the campaign"
        )
