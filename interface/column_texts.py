"""Columns of data frames as texts: labels, sets of labels, names, and values of any type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ..metrics.agreement.values_as_text import labels_as_text, names_as_text
from ..metrics.errors import MetricsError
from .frames import Cells, column_names, convert_column, given_table, is_text, requested_columns

if TYPE_CHECKING:
    from ..data.readers.tables.given import GivenTable


def labels_as_text_column(cells: Cells) -> pa.Array:
    """Convert labels to text; null for missing ones (None, NaN, pd.NA). Raises MetricsError."""
    if isinstance(cells, pa.Array) and is_text(cells.type):
        import pyarrow.compute as pc

        cells = cells.cast(pa.string())
        if not pc.any(pc.match_substring(cells, ".0")).as_py():
            return cells
    return convert_column(cells, labels_as_text, pa.string())


def sets_or_labels_as_column(cells: Cells) -> pa.Array:
    """Convert labels to text as `labels_as_text_column`, or the labels of each item's list."""
    if not isinstance(cells, list) or not any(map(_is_collection, cells)):
        return labels_as_text_column(cells)
    sets = [
        [label for label in labels_as_text(list(one)) if label is not None]
        if _is_collection(one)
        else [label]
        if (label := labels_as_text([one])[0]) is not None
        else None
        for one in cells
    ]
    return pa.array(sets, pa.list_(pa.string()))


def _is_collection(value: Any) -> bool:
    return isinstance(value, list | tuple | set | frozenset) or getattr(value, "ndim", 0) > 0


def names_as_text_column(cells: Cells, what: str) -> pa.Array:
    """Convert names to text. Raises MetricsError unless they are strings or integers."""
    if isinstance(cells, list):
        return pa.array(names_as_text(cells, what), pa.string())
    if cells.null_count:
        names_as_text(cells.to_pylist(), what)  # raises an error with the number of the row
    if is_text(cells.type) or pa.types.is_integer(cells.type):
        return cells.cast(pa.string())
    return convert_column(cells, lambda values: names_as_text(values, what), pa.string())


def values_as_text_column(cells: Cells) -> pa.Array:
    """Convert values of any type, such as dates, to text; "" for a missing one."""
    return convert_column(cells, lambda values: [*map(_text_of_value, values)], pa.string())


def _text_of_value(value: Any) -> str:
    try:
        return labels_as_text([value])[0] or ""
    except MetricsError:  # neither a text nor a number
        return str(value).removesuffix(" 00:00:00")  # of days


def table_of_texts(data: Any) -> GivenTable:
    """Return the columns of a frame of which all values have a text, for a query."""
    texts = texts_of(data, column_names(data))
    return given_table({str(name): one for name, one in texts.items()})


def texts_of(data: Any, names: Sequence[Any]) -> dict[Any, pa.Array]:
    """Return the columns of which all values have a text."""
    found = {}
    for name in names:
        try:
            columns, _ = requested_columns(data, {"column": name})
            found[name] = sets_or_labels_as_column(columns["column"])
        except (MetricsError, TypeError, ValueError, pa.ArrowException):
            continue
    return found
