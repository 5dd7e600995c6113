"""Tables of annotator attributes, used to compare groups of annotators."""

from __future__ import annotations

from pathlib import Path

from .errors import DataError
from .readers.common.span_rules import Problem
from .readers.tables.reader import open_table

Attributes = dict[str, dict[str, str]]
"""Attribute → annotator → value."""

_ANNOTATOR = "annotator"


def read_attributes(path: Path) -> Attributes:
    """Read the columns beside `annotator`; an empty cell is an unknown value.

    Raises DataError for a table without the column `annotator` or without any other column, and for
    an annotator who occurs twice.
    """
    if not path.is_file():
        raise DataError(f"{path}: no such file; give the table of annotator attributes")
    file = open_table(path)
    names = [name for name in file.header if name and name != _ANNOTATOR]
    if _ANNOTATOR not in file.header or not names:
        raise DataError(
            f"{path.name}: a table of annotators has the column `{_ANNOTATOR}` and a column for "
            f"each attribute; it has {', '.join(file.header)}"
        )
    found: Attributes = {name: {} for name in names}
    seen: set[str] = set()
    for where, row in file.rows():
        if isinstance(row, Problem):
            raise DataError(f"{path.name}, {where}: {row.message}")
        cells = {
            name: str(cell or "").strip() for name, cell in zip(file.header, row, strict=False)
        }
        annotator = cells.get(_ANNOTATOR, "")
        if not annotator or annotator in seen:
            what = "has no annotator" if not annotator else f"is a second row of {annotator!r}"
            raise DataError(f"{path.name}, {where}: the row {what}")
        seen.add(annotator)
        for name in names:
            if value := cells.get(name, ""):
                found[name][annotator] = value
    return found
