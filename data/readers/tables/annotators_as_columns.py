"""Options that read a table whose annotators are named columns, one row per item."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from ...errors import DataError
from .column_names import ALTERNATIVE_NAMES, listed_columns
from .given import Given
from .reader import DELIMITED, open_table


def options_for_columns(
    path: Given, annotators: Collection[str], own: Mapping[str, str]
) -> dict[str, str]:
    """Return options of the format `table` that read only these columns as annotators.

    own  options that are given; they win

    The item is the column that is named, or has the name of an item; else the rows are items of
    their own. Returns {} if the file is no delimited table, or if one of the names is no column.
    """
    if not annotators or not isinstance(path, Path) or path.suffix.lower() not in DELIMITED:
        return {}
    if not path.is_file():
        return {}
    header = open_table(path).header
    if not {*annotators} <= {*header} or "label" in own:
        return {}
    item = own.get("item") or next(
        (name for name in header if name == "item" or ALTERNATIVE_NAMES["item"].fullmatch(name)),
        "",
    )
    if not item:
        raise DataError(
            f"{path.name}: name the column of the items; the columns are {listed_columns(header)}"
        )
    others = [name for name in header if name not in {item, own.get("document"), *annotators}]
    ignored = {"ignore": ",".join(others)} if others else {}
    return {"layout": "wide", "item": item, **ignored, **own}


def require_no_columns(path: Given, annotators: Collection[str], advice: str) -> None:
    """Raise DataError if annotators are columns of a table without a column of labels.

    advice  the option that names the columns of the others
    """
    if not annotators or not isinstance(path, Path) or path.suffix.lower() not in DELIMITED:
        return
    header = open_table(path).header if path.is_file() else []
    is_long = {"annotator", "label"} <= {*header}
    if {*annotators} <= {*header} and not is_long:
        named = ", ".join(sorted(annotators))
        others = [name for name in header if name not in annotators]
        raise DataError(
            f"{path.name}: {named} is a column: name the column of each human, too ({advice}); the "
            f"other columns are {listed_columns(others)}"
        )
