"""Options that read a table whose annotators are named columns, one row per item."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from ...errors import DataError
from ...option_names import option
from .column_names import ALTERNATIVE_NAMES, listed_columns
from .given import Given
from .reader import DELIMITED, open_table


def options_for_columns(
    path: Given, annotators: Collection[str], own: Mapping[str, str]
) -> dict[str, str]:
    """Return options of the format `table` that read only these columns as annotators.

    own  options that are given; they win

    The item is the column that is named or has the name of an item, else the first one with a
    different text in each row. Returns {} if the file is no delimited table, or if one of the names
    is no column. Raises DataError if no column is the item.
    """
    if not annotators or not isinstance(path, Path) or path.suffix.lower() not in DELIMITED:
        return {}
    if not path.is_file():
        return {}
    header = open_table(path).header
    if not {*annotators} <= {*header} or "label" in own:
        return {}
    free = [name for name in header if name not in {own.get("document"), *annotators}]
    item = own.get("item") or next(
        (name for name in free if name == "item" or ALTERNATIVE_NAMES["item"].fullmatch(name)), ""
    )
    if not item:
        texts = _texts(path, header)
        differ = (name for name in free if len({*texts[name], ""}) > len(texts[name]))
        item = next(differ, "")
    if not item:
        raise DataError(
            f"{path.name}: name the column of the items ({option('item')}), as no column has a "
            f"different text in each row; the columns are {listed_columns(header)}"
        )
    others = [name for name in free if name != item]
    ignored = {"ignore": ",".join(others)} if others else {}
    return {"layout": "wide", "item": item, **ignored, **own}


def require_no_columns(path: Given, annotators: Collection[str]) -> None:
    """Raise DataError if annotators are columns of a table without a column of labels."""
    if not annotators or not isinstance(path, Path) or path.suffix.lower() not in DELIMITED:
        return
    header = open_table(path).header if path.is_file() else []
    if not {*annotators} <= {*header} or {"annotator", "label"} <= {*header}:
        return
    texts = _texts(path, header)
    labels = {text for name in annotators for text in texts[name]} - {""}
    others = [name for name in header if name not in annotators]
    alike = [name for name in others if _have_same_labels({*texts[name]} - {""}, labels)]
    named = " ".join(option("human", shlex.quote(name)) for name in alike)
    raise DataError(
        f"{path.name}: {', '.join(sorted(annotators))} is a column: name the column of each human, "
        + (f"too: {named} with the same labels" if alike else f"too ({option('human')})")
        + f"; the other columns are {listed_columns(others)}"
    )


def _texts(path: Path, header: Sequence[str]) -> dict[str, list[str]]:
    """Return the texts of each column."""
    rows = [row for _, row in open_table(path).rows() if len(row) == len(header)]
    return {name: [str(row[k] or "") for row in rows] for k, name in enumerate(header)}


def _have_same_labels(texts: set[str], labels: set[str]) -> bool:
    return len(labels) > 1 and 2 * len(texts & labels) >= len(texts | labels)
