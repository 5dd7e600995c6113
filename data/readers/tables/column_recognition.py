"""Determine the meaning of a table's columns: long labels, wide labels, units, relations."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence

from ...errors import DataError
from ...option_names import option
from ..common.naming import QUEUE_COLUMNS, is_queue
from .column_names import (
    ALTERNATIVE_NAMES,
    COLUMNS,
    COUNT,
    LENGTH,
    LONG_TABLE_WORDS,
    OWN_NAMES,
    column_positions,
    is_annotator_name,
    is_named,
    listed_columns,
)
from .layout import REQUIRED, USED, Columns, Layout, OtherShapeError


def find_columns(
    header: Sequence[str],
    source: str,
    *,
    named: Mapping[str, str] | None = None,
    layout: Layout | None = None,
    known: Collection[str] = (),
) -> Columns:
    """Return the meaning of each column of `header`; `named` maps `item` … to column names.

    An empty name states that the table has no such column, whatever its header contains; without
    an item column, the row is the item.

    `known` are columns that the table may lack because their values are given elsewhere.

    An `annotator` that lists several columns (`ana,ben`, or `*_joy`, where * stands for any
    characters) makes the table a wide one with these annotators.

    `count`, only if named, is the number of items that a row of a wide table stands for; `length`,
    only if named here, is the length of the row's document in a table of units.

    Without `layout`: long when item, annotator and label exist, units when annotator, start and end
    exist, relations when annotator, from_unit and to_unit exist, wide when item exists without
    annotator and label, or when every column is named like an annotator (`rater1`, `rater2`; the
    rows are then the items).
    Raises OtherShapeError with the columns found when no layout matches.
    """
    named = named or {}
    if layout is Layout.TRANSPOSED:
        return _transposed_columns(header, source, named)
    if chosen := _chosen_annotators(header, named):
        others = {name: own for name, own in named.items() if name not in ("annotator", "label")}
        free = ["" if (k, name) in chosen else name for k, name in enumerate(header)]
        return _columns(Layout.WIDE, column_positions(free, source, others), header, chosen)
    at = column_positions(header, source, named)
    known = {*known, *(["item"] if named.get("item") == "" else [])}
    is_of_one = "annotator" in known and len(header) == 2 and {*at} == {"label"}
    if is_of_one and ALTERNATIVE_NAMES["item"].fullmatch(header[1 - at["label"]].strip()):
        at["item"] = 1 - at["label"]
    if named.get("category") and not at.keys() & {"start", "end", "label", "from_unit"}:
        at["label"] = at["category"]
    if layout is None:
        layout = _guess_layout(header, at, known, named)
    if layout is Layout.UNITS and "label" in at:
        at.setdefault("category", at["label"])
    if layout is None:
        closest = _closest_layout(at)
        lacking = [name for name in REQUIRED[closest] if name not in at and name not in known]
        raise OtherShapeError(
            f"{source}: missing columns: {', '.join(lacking)} (of {_KINDS[closest]}). Found: "
            f"{listed_columns(header)}",
            lacking,
        )
    missing = [name for name in REQUIRED[layout] if name not in at and name not in known]
    if missing:
        raise DataError(
            f"{source}: a {layout} table needs the column {missing[0]}; found: "
            f"{listed_columns(header)}"
        )
    if LENGTH in at and layout is not Layout.UNITS:
        raise DataError(
            f"{source}: length = {header[at[LENGTH]]!r} gives the length of documents of units, "
            f"but this is a {layout} table: remove it"
        )
    if COUNT in at and layout is not Layout.WIDE:
        raise DataError(
            f"{source}: count = {header[at[COUNT]]!r}, but only a wide table has rows that "
            f"stand for several items, and this is a {layout} table: remove it"
        )
    _require_used(named, at, layout, source)
    found = _columns(layout, at, header)
    if layout is Layout.WIDE and not found.across:
        raise DataError(f"{source}: no annotator column; found: {listed_columns(header)}")
    return found


def _columns(
    layout: Layout,
    at: Mapping[str, int],
    header: Sequence[str],
    chosen: tuple[tuple[int, str], ...] = (),
) -> Columns:
    """Return the columns that a layout uses; of wide tables and counts all others are across.

    chosen  the columns across, if an option lists them
    """
    kept = {name: at[name] for name in USED[layout] if name in at}
    others = [(k, name) for k, name in enumerate(header) if k not in kept.values()]
    if layout is not Layout.COUNTS:  # whose items may be in a column without a name
        others = [one for one in others if one[1]]
    across = chosen
    if not chosen and layout in (Layout.WIDE, Layout.COUNTS):
        across = tuple(one for one in others if one[0] != at.get("role"))
    of_round = QUEUE_COLUMNS if is_queue(header) else ()
    ignored = (one[1] for one in others if one not in across and one[1] not in of_round)
    return Columns(layout, kept, across, tuple(ignored), chosen=bool(chosen))


def _require_used(
    named: Mapping[str, str], at: Mapping[str, int], layout: Layout, source: str
) -> None:
    """Raise DataError for an option that names a column of another kind of table."""
    label = {Layout.LONG: "category", Layout.UNITS: "label"}.get(layout)  # one word for the other
    own = {at[name] for name in USED[layout] if name in at}
    for name, column in named.items():
        if not column or name not in at or name in (*USED[layout], COUNT, LENGTH, "role"):
            continue
        if name != label or at[name] not in own:
            uses = [one for one in USED[layout] if one not in ("pass", "role", "layer")]
            raise DataError(
                f"{source}: `{option(name, shlex.quote(column))}` names a column that a table of "
                f"{_KINDS.get(layout, layout)} has not (it has {', '.join(uses)}): remove it"
            )


def _chosen_annotators(
    header: Sequence[str], named: Mapping[str, str]
) -> tuple[tuple[int, str], ...]:
    """Return the columns of annotators that the option `annotator` lists, if it lists several."""
    patterns = [one.strip() for one in named.get("annotator", "").split(",")]
    if named.get("annotator", "") in header or (len(patterns) < 2 and "*" not in patterns[0]):
        return ()
    taken = {own for name, own in named.items() if name != "annotator"}
    free = [(k, name) for k, name in enumerate(header) if name and name not in taken]
    if not all(any(is_named(name, one) for _, name in free) for one in patterns):
        return ()
    return tuple(one for one in free if any(is_named(one[1], like) for like in patterns))


def _transposed_columns(header: Sequence[str], source: str, named: Mapping[str, str]) -> Columns:
    """Return the columns of a table with one row per annotator; `item` may list the items'."""
    patterns = [one.strip() for one in named.get("item", "*").split(",")]
    others = {name: own for name, own in named.items() if name not in ("item", COUNT, LENGTH)}
    at = column_positions(header, source, others)
    kept = {name: at[name] for name in USED[Layout.TRANSPOSED] if name in at}
    if "annotator" not in kept and "annotator" not in named:
        first = header[0].strip() if header else ""
        if not first or ALTERNATIVE_NAMES["annotator"].fullmatch(first):
            kept["annotator"] = 0
    free = [(k, name) for k, name in enumerate(header) if name and k not in kept.values()]
    items = tuple(one for one in free if any(is_named(one[1], pattern) for pattern in patterns))
    if not items:
        raise DataError(
            f"{source}: item = {named.get('item', '')!r} names no column with an item; found: "
            f"{listed_columns(header)}"
        )
    return _columns(Layout.TRANSPOSED, kept, header, items)


def _guess_layout(
    header: Sequence[str], at: Mapping[str, int], known: Collection[str], named: Mapping[str, str]
) -> Layout | None:
    layouts = [Layout.LONG, Layout.UNITS, Layout.RELATIONS]
    if named.get("start") and named.get("end"):
        layouts.remove(Layout.LONG)
    for layout in layouts:
        if all(name in at or name in known for name in REQUIRED[layout]):
            return layout
    others = [
        name
        for k, name in enumerate(header)
        if name.strip().casefold() not in (*COLUMNS, *OWN_NAMES.values()) and k != at.get(COUNT)
    ]
    lone = not at.keys() & {"annotator", "label", "start", "end"}
    words = {name.strip().casefold() for name in others}
    if "item" in at and lone and len(others) > 1 and not words & LONG_TABLE_WORDS:
        return Layout.WIDE
    if len(others) > 1 and all(map(is_annotator_name, others)):
        return Layout.WIDE if lone else None
    return None


_KINDS = {Layout.LONG: "labels", Layout.UNITS: "units", Layout.RELATIONS: "relations"}


def _closest_layout(at: Mapping[str, int]) -> Layout:
    """Return the layout that a table with missing columns is closest to."""
    if at.keys() & {"start", "end"}:
        return Layout.UNITS
    return Layout.RELATIONS if at.keys() & {"from_unit", "to_unit"} else Layout.LONG
