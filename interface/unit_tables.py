"""Data frames of located units as tables that the readers understand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pyarrow as pa

from ..data.readers.tables.column_names import OWN_NAMES
from ..data.readers.tables.given import GivenTable
from ..metrics.arrays import Flags
from ..metrics.errors import MetricsError
from ..tasks.agreement.agree_by_column import no_column_sentence
from .frames import (
    Cells,
    Column,
    Kind,
    add_own_table_columns,
    column_names,
    convert_column,
    given_table,
    labels_as_text_column,
    names_as_text_column,
    requested_columns,
    values_as_text_column,
)
from .label_tables import Annotators
from .reading import Data, Export, read
from .value import Part


def unit_table(
    data: Data,
    document: Column | None,
    annotator: Annotators,
    start: Column,
    end: Column,
    category: Column | None,
    *,
    length: Column | None = None,
    pass_: Column | None = None,
    by: Column | None = None,
) -> tuple[GivenTable, Kind]:
    """Return the rows of a frame of units, and the kind of frame. Raises MetricsError.

    by  a part, or a column, which keeps its name if the units do not have it otherwise
    """
    if isinstance(data, Path):
        data = read(data)
    if isinstance(data, Export):
        data = data.units
    if isinstance(annotator, list):
        raise MetricsError("units have one column with the names of annotators")
    wanted = {
        "document": document, "annotator": annotator, "start": start, "end": end,
        "category": category, "length": length,
    }  # fmt: skip
    wanted |= {"pass": pass_} if pass_ else {}
    known = column_names(data)
    further = {} if by is None or by in (*wanted, *get_args(Part)) else {str(by): by}
    wanted |= further
    if further and known and by not in known:
        raise MetricsError(no_column_sentence(str(by), [*map(str, known)]))
    for name, given, without in (
        ("document", document, "all units are of one document"),
        ("category", category, "units have no category"),
    ):
        if known and given == name and not {name, OWN_NAMES.get(name)} & {*known}:
            raise MetricsError(
                f"no column {name!r} for {name}; the frame has {', '.join(map(str, known))}: name "
                f"the column with {name}=, or write {name}=None if {without}"
            )
    columns, kind = requested_columns(data, add_own_table_columns(data, wanted))
    if document is None:
        columns["document"] = ["document"] * len(columns["annotator"])
    for name in ("document", "annotator", "start", "end"):
        if name not in columns:
            raise MetricsError(f"units need a column for {name}: name it with {name}=")
    for name in ("document", "annotator", *(("pass",) if pass_ else ())):
        columns[name] = names_as_text_column(columns[name], name)
    bounds = {name: _offsets(columns[name], name) for name in ("start", "end")}
    for name, other in (("start", "end"), ("end", "start")):
        for row in np.flatnonzero(_is_given(bounds[other]) & ~_is_given(bounds[name]))[:1]:
            raise MetricsError(f"row {row + 1}: the {name} is missing, and the {other} is not")
    columns |= bounds
    if length is not None:
        columns["length"] = _offsets(columns["length"], "length")
    if category is not None:
        columns["category"] = labels_as_text_column(columns["category"]).fill_null("")
    own = {name: name for name in columns if name not in further}
    columns |= {name: values_as_text_column(columns[name]) for name in further}
    return replace(given_table(columns), options=own), kind


def _offsets(cells: Cells, name: str) -> pa.Array:
    """Return a column as whole numbers, null where a cell is empty. Raises MetricsError."""

    def convert(values: Sequence[Any]) -> list[int | None]:
        return [None if _is_missing(value) else _offset(value, name) for value in values]

    return convert_column(cells, convert, pa.int64())


def _offset(value: Any, name: str) -> int:
    """Convert a bound to an integer. Raises MetricsError if it is not a whole number."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not number.is_integer():
        raise MetricsError(
            f"the {name} {value!r} is not a whole number: offsets must be numbers of characters, "
            "tokens or milliseconds"
        )
    return int(number)


def _is_given(offsets: pa.Array) -> Flags:
    return np.asarray(offsets.is_valid().to_numpy(zero_copy_only=False))


def _is_missing(value: Any) -> bool:
    """Whether the value is None, NaN or pd.NA."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value
