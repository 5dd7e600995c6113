"""Options that read a table whose annotators are named columns, one row per item."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping
from pathlib import Path

from ...errors import DataError
from ...option_names import option
from .column_facts import ColumnFacts
from .column_names import listed_columns
from .given import Given
from .reader import DELIMITED, open_table
from .role_proposals import item_of_rows


def options_for_columns(
    path: Given, annotators: Collection[str], own: Mapping[str, str]
) -> dict[str, str]:
    """Return options of the format `table` that read only these columns as annotators.

    own  options that are given; they win

    The item is the column that is named or has the name of an item, else the first one with a
    different text in each row; else an item is a row. Returns {} if the file is no delimited table,
    or if one of the names is no column.
    """
    facts = _facts(path, annotators)
    if facts is None or "label" in own:
        return {}
    free = [name for name in facts.header if name not in {own.get("document"), *annotators}]
    item = own.get("item") or ("item" if "item" in free else item_of_rows(facts, free))
    ignored = {"ignore": ",".join(others)} if (others := [n for n in free if n != item]) else {}
    return {"layout": "wide", "item": item, **ignored, **own}


def require_no_columns(path: Given, annotators: Collection[str]) -> None:
    """Raise DataError if annotators are columns of a table without a column of labels."""
    facts = _facts(path, annotators)
    if facts is None or {"annotator", "label"} <= {*facts.header}:
        return
    values = {name: {*facts.values(k)} for k, name in enumerate(facts.header)}
    labels = set[str]().union(*(values[name] for name in annotators))
    others = [name for name in facts.header if name not in annotators]
    shared = {name: len(values[name] & labels) for name in others}
    alike = [n for n in others if len(labels) > 1 and 2 * shared[n] >= len(values[n] | labels)]
    named = " ".join(option("human", shlex.quote(name)) for name in alike)
    raise DataError(
        f"{path.name}: {', '.join(sorted(annotators))} is a column: name the column of each human, "
        + (f"too: {named} with the same labels" if alike else f"too ({option('human')})")
        + f"; the other columns are {listed_columns(others)}"
    )


def _facts(path: Given, columns: Collection[str]) -> ColumnFacts | None:
    """Return facts of a delimited table with these columns; None of anything else."""
    is_table = isinstance(path, Path) and path.suffix.lower() in DELIMITED and path.is_file()
    if not columns or not is_table:
        return None
    facts = open_table(path).with_facts()[1]
    return facts if {*columns} <= {*facts.header} else None
