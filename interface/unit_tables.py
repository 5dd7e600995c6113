"""Data frames of located units as tables that the readers understand."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..data.readers.common.bounds import Bounds, are_seconds
from ..data.readers.common.span_rules import Problem, is_number
from ..data.readers.notes import SourceNotes
from ..data.readers.tables.column_names import OWN_NAMES
from ..data.readers.tables.given import GivenTable
from ..data.schema import FINISHED_STATES
from ..metrics.arrays import Flags
from ..metrics.errors import MetricsError
from .column_texts import labels_as_text_column, names_as_text_column, values_as_text_column
from .frames import (
    Cells,
    Column,
    Kind,
    add_own_table_columns,
    column_names,
    convert_column,
    given_table,
    requested_columns,
)
from .label_tables import Annotators, columns_of_parts
from .reading import Data, Export, read
from .table_axes import with_levels_as_columns
from .value import Parts

_LENGTH = "document_length"


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
    by: Parts | None = None,
) -> tuple[GivenTable, Kind]:
    """Return the rows of a frame of units, and the kind of frame. Raises MetricsError.

    by  a part, or columns, which keep their names if the units do not have them otherwise
    """
    if isinstance(data, Path):
        data = read(data)
    if isinstance(data, Export):
        data = units_of_export(data)
    if isinstance(annotator, list):
        raise MetricsError("units have one column with the names of annotators")
    wanted = {
        "document": document, "annotator": annotator, "start": start, "end": end,
        "category": category, "length": length,
    }  # fmt: skip
    wanted |= {"pass": pass_} if pass_ else {}
    wanted |= columns_of_units(data, {name for name, one in wanted.items() if one is not None})
    crossed = [] if isinstance(by, str) and by in wanted else columns_of_parts(by, data)
    data = with_levels_as_columns(data, crossed)
    further = {str(one): one for one in crossed if one not in wanted}
    wanted |= further
    known = column_names(data)
    for name, given, without in (
        ("document", document, "all units are of one document"),
        ("category", category, "units have no category"),
    ):
        are_relations = {"head", "tail"} <= {*known}
        usual = {name, OWN_NAMES.get(name)}
        if known and given == name and not (are_relations or usual & {*known}):
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
    are_times = in_whole_numbers([columns])
    for name, other in (("start", "end"), ("end", "start")):
        for row in np.flatnonzero(_is_given(columns[other]) & ~_is_given(columns[name]))[:1]:
            raise MetricsError(f"row {row + 1}: the {name} is missing, and the {other} is not")
    if category is not None:
        columns["category"] = labels_as_text_column(columns["category"]).fill_null("")
    if "fragments" in columns:
        columns["fragments"] = fragments_as_text(columns["fragments"])
    own = {name: name for name in columns if name not in further}
    columns |= {name: values_as_text_column(columns[name]) for name in further}
    notes = SourceNotes()
    if are_times:
        own["offset_unit"] = "ms"
        notes.name("bounds_in_seconds", [str(start), str(end)])
    return replace(given_table(columns), options=own, notes=notes), kind


def units_of_export(export: Export) -> pa.Table:
    """Return the units, the lengths of their documents, and a row for each empty finished work.

    Raises MetricsError if every row was rejected, with what is wrong with the first.
    """
    if not len(export) and export.rejected.num_rows:
        [first] = export.rejected.slice(0, 1).to_pylist()
        more = f" (and {n - 1} more)" if (n := export.rejected.num_rows) > 1 else ""
        where = f"{first['source']} {first['location']}"
        raise MetricsError(f"every row was rejected: {where}: {first['message']}{more}")
    units, place = export.units, ["document", "annotator", "pass"]
    done = pc.is_in(export.assignments["state"], value_set=pa.array([*FINISHED_STATES]))
    done = export.assignments.filter(done)
    empty = done.join(units.select(place), place, join_type="left anti") if len(units) else done
    empty = empty.select([name for name in empty.column_names if name in units.column_names])
    table = pa.concat_tables([units, empty], promote_options="permissive")
    documents = export.documents
    at = pc.index_in(table["document"], value_set=documents["document"].combine_chunks())
    lengths = documents["length"].combine_chunks().take(at.combine_chunks())
    known = pc.greater(lengths, 0)
    lengths = pc.if_else(known, lengths, pa.scalar(None, lengths.type))
    return table.append_column(_LENGTH, lengths) if pc.any(known).as_py() else table


def columns_of_units(data: Any, named: Container[str] = ()) -> dict[str, Column]:
    """Return what is known of units by the names of its columns: fragments, lengths of documents.

    named  what the caller has named
    """
    names = {"fragments": "fragments", "length": _LENGTH}
    known = column_names(data)
    return {ours: own for ours, own in names.items() if own in known and ours not in named}


def fragments_as_text(cells: Cells) -> pa.Array:
    """Return the pieces of each unit as in files, `5 9;11 15`; "" for a unit of one piece."""
    return convert_column(cells, lambda values: [*map(_text_of_fragments, values)], pa.string())


def _text_of_fragments(pieces: Any) -> str:
    if pieces is None or isinstance(pieces, str | float):
        return pieces if isinstance(pieces, str) else ""
    return ";".join(f"{start} {end}" for start, end in pieces if len(pieces) > 1)


def in_whole_numbers(frames: Sequence[dict[str, Cells]]) -> bool:
    """Replace the bounds in columns of units by whole numbers, null where a cell is empty.

    Durations, clock times and numbers with decimals are seconds, in milliseconds then; whether
    they are is decided for all frames together, and returned. Raises MetricsError for other values.
    """
    names = [name for name in ("start", "end", "length") if name in frames[0]]
    every = [columns[name] for columns in frames for name in names]
    distinct = (one if isinstance(one, list) else one.unique().to_pylist() for one in every)
    are_times = are_seconds(_text_of_bound(one) for some in distinct for one in some)
    bounds = Bounds("s" if are_times else "ms")
    for columns in frames:
        for name in names:
            columns[name] = convert_column(
                columns[name], partial(_whole_numbers, name=name, bounds=bounds), pa.int64()
            )
    return are_times


def _whole_numbers(values: Sequence[Any], *, name: str, bounds: Bounds) -> list[int | None]:
    return [_whole_number(one, name, bounds) if _text_of_bound(one) else None for one in values]


def _whole_number(value: Any, name: str, bounds: Bounds) -> int:
    text = _text_of_bound(value)
    found = bounds.parse(text)
    is_fraction = bounds.factor == 1.0 and is_number(text) and not float(text).is_integer()
    if isinstance(found, Problem) or is_fraction:
        raise MetricsError(
            f"the {name} {value!r} is no bound: bounds are whole numbers of characters, tokens or "
            "milliseconds, or times: seconds with decimals, 0:01:02.5 or durations"
        )
    return found


def _text_of_bound(value: Any) -> str:
    """Return a bound as in a file, a duration as a clock time; "" for a missing one."""
    if _is_missing(value):
        return ""
    if isinstance(value, timedelta):
        minutes, seconds = divmod(value.total_seconds(), 60)
        return f"{int(minutes) // 60}:{int(minutes) % 60:02}:{seconds:09.6f}"
    return str(value)


def _is_given(offsets: pa.Array) -> Flags:
    return np.asarray(offsets.is_valid().to_numpy(zero_copy_only=False))


def _is_missing(value: Any) -> bool:
    """Whether the value is None, NaN or pd.NA."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value
