"""A side table with a number for each item: its length, or the confidence of its label."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from ...data.errors import DataError
from ...data.readers.tables.reader import open_table
from .scales import is_finite_number

ItemNumbers: TypeAlias = Mapping[tuple[str, str], float]
"""Number by (document, item); the document is "" if the file has no documents."""


def read_item_numbers(
    path: Path, column: str, *, what: str, of_documents: bool = False, skip_empty: bool = False
) -> dict[str, dict[tuple[str, str], float]]:
    """Read the columns item and `column`, and document and annotator where the table has them.

    what          the numbers, for messages
    of_documents  the column document may stand in place of item, for layers of units
    skip_empty    whether a row without a number is skipped

    Returns annotator, "" without the column → number by (document, item). Raises DataError for a
    missing file or column, for what is no number, and for an item with two numbers.
    """
    if not path.is_file():
        raise DataError(f"{what}s: no file {path}")
    opened = open_table(path)
    named = "document" if of_documents and "item" not in opened.header else "item"
    missing = [name for name in (named, column) if name not in opened.header]
    if missing:
        raise DataError(
            f"{path.name}: {what}s need the columns {named} and {column}, and there is no "
            f"{' and no '.join(missing)}; the columns are {', '.join(opened.header)}"
        )
    at = {name: opened.header.index(name) for name in opened.header}
    found: dict[str, dict[tuple[str, str], float]] = {}
    for line, row in opened.rows():
        if not isinstance(row, list) or len(row) <= max(at.values()):
            raise DataError(f"{path.name} {line}: the row does not have the columns of the header")
        document = str(row[at["document"]] or "") if {"document", "item"} <= at.keys() else ""
        key, text = (document, str(row[at[named]])), str(row[at[column]] or "")
        if skip_empty and not text:
            continue
        number = float(text) if is_finite_number(text) else math.nan
        if not math.isfinite(number):
            raise DataError(f"{path.name} {line}: the {what} {text!r} is not a number")
        own = found.setdefault(str(row[at["annotator"]]) if "annotator" in at else "", {})
        if own.setdefault(key, number) != number:
            raise DataError(f"{path.name} {line}: {named} {key[1]} has two {what}s")
    return found
