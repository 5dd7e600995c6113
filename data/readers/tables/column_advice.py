"""Advice for a table whose columns are not recognised: the options that name them."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence

from ...option_names import format_options, option, table_options
from .column_facts import ColumnFacts
from .column_names import (
    ALTERNATIVE_NAMES,
    MOST_NAMED,
    column_positions,
    is_annotator_name,
    is_count_name,
    similar_columns,
)
from .layout import REQUIRED, Layout


def wide_table_hint(header: Sequence[str]) -> str:
    """Of a column an annotator and one of another kind: the items, or how many a row stands for."""
    others = [name for name in header if not is_annotator_name(name)]
    if len(others) != 1 or len(header) < 3:
        return ""
    is_count = is_count_name(others[0])
    role, meaning = ("count", "is how many") if is_count else ("item", "names the")
    row = " a row stands for" if is_count else ""
    return f"If {others[0]} {meaning} items{row}, use `{option(role, shlex.quote(others[0]))}`"


def headerless_hint(n_columns: int, layout: Layout | None = None) -> str:
    """Return the options for a table without a header."""
    if layout in (Layout.WIDE, Layout.TRANSPOSED):
        return f"`{format_options(header='no')}`"
    wide = f"`{format_options(header='no', layout='wide')}`"
    if n_columns == 2:
        nameless = format_options(columns="item,label", paths="{annotator}")
        return (
            f"{wide} for two annotators' labels, `{nameless}` for one annotator's items and labels"
        )
    numbered = f"{wide} if each column is one annotator's labels"
    if not 3 <= n_columns <= MOST_NAMED:
        return numbered
    names = ["item", "annotator", "label", *(f"column{k}" for k in range(4, n_columns + 1))]
    return (
        f"{numbered}, else `{format_options(columns=','.join(names))}` with its columns in their "
        "own order (of units: annotator, category, start, end)"
    )


def naming_hint(
    header: Sequence[str],
    at: Mapping[str, int],
    lacking: Sequence[str],
    cells: Sequence[Sequence[str]] = (),
) -> str:
    """Return advice for naming missing columns, with the header's own names where suitable.

    at     the recognised columns
    cells  the columns of the first rows, if they are known
    """
    if len(header) == 1:
        return (
            "The first line has one cell: if it is a title, delete the lines above the header; if "
            f"the columns are separated by another sign, name it "
            f"(`{format_options(delimiter='tab')}`)"
        )
    if list(lacking) == ["annotator"]:
        return (
            f"Name the column (`{format_options(annotator='COLUMN')}`), or use "
            f"`{format_options(paths='{annotator}')}` if each file is the work of one annotator"
        )
    of_labels = set(lacking) <= ALTERNATIVE_NAMES.keys()
    known = similar_columns(header, at, lacking) if of_labels else {}
    if "label" in known and _is_of_items(known["label"], header, {**at}, known, cells):
        del known["label"]
    rest = _joined(f"`{option(name)}`" for name in lacking if name not in known)
    if not of_labels:
        return f"Rename them, or name their columns with {rest}"
    others = f"name the columns of the others with {rest}"
    named = {*at, *known}
    if known and ("label" in named or {"item", "annotator"} <= named):
        use = f"Rename them, or use {_typed(known)}"
        return f"{use}; {others}" if rest else use
    if "label" in at:
        return f"Rename them, or {others}"
    if "annotator" in named:
        who = (
            f" {option('annotator', shlex.quote(known['annotator']))}"
            if "annotator" in known
            else ""
        )
        return (
            "If every row is an annotator and each other column an item, use "
            f"`{format_options(layout='transposed')}{who}`; else {others} (units: "
            f"`{option('start')}` and `{option('end')}`)"
        )
    wide = {"wide": ""} | {name: own for name, own in known.items() if name == "item"}
    return (
        f"Use `{table_options(**wide)}` if every column except the item is one annotator's labels, "
        f"else name their columns with {rest} (units: `{option('start')}` and `{option('end')}`)"
    )


def _is_of_items(
    column: str,
    header: Sequence[str],
    at: Mapping[str, int],
    known: Mapping[str, str],
    cells: Sequence[Sequence[str]],
) -> bool:
    """Whether a column is the same in all rows of an item: what was shown, not a label."""
    item = at.get("item", header.index(known["item"]) if "item" in known else None)
    if item is None or len(cells) != len(header):
        return False
    facts = ColumnFacts.of_cells(header, cells)
    return facts.is_constant_within(header.index(column), [item])


def long_table_hint(header: Sequence[str], *, wide: bool) -> str:
    """Return advice for reading a table as one row per label, with its own names where suitable.

    wide  whether an option says that the table is a wide one
    """
    at = column_positions(header, "", {})
    lacking = [name for name in REQUIRED[Layout.LONG] if name not in at]
    known = similar_columns(header, at, lacking)
    rest = _joined(f"`{option(name)}`" for name in lacking if name not in known)
    advice = [f"use {_typed(known)}"] if known else []
    if rest:
        advice.append(f"name {'the columns of the others' if known else 'its columns'} with {rest}")
    text = "; ".join(advice)
    return f"Without `{option('wide')}`, {text}" if wide else text[:1].upper() + text[1:]


def _typed(known: Mapping[str, str]) -> str:
    return f"`{table_options(**known)}`"


def _joined(names: Iterable[str]) -> str:
    *first, last = [*names] or [""]
    return f"{', '.join(first)} and {last}" if first else last
