"""Data frames as Arrow columns: pandas, polars, pyarrow, DuckDB, dictionaries, tuples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import pyarrow as pa

from ..data.readers.tables.column_names import OWN_NAMES
from ..data.readers.tables.layout import Layout
from ..metrics.agreement.values_as_text import names_as_text
from ..metrics.errors import MetricsError
from ..reports.columns import OwnColumn

if TYPE_CHECKING:
    from ..data.readers.tables.given import Given, GivenTable
    from ..tasks.inputs.reading_options import Reading

Kind: TypeAlias = Literal["pandas", "polars", "pyarrow"]


class _Columns(Protocol):
    @property
    def columns(self) -> Any: ...


class _Array(Protocol):
    def tolist(self) -> Any: ...


class _Series(Protocol):
    def to_list(self) -> Any: ...


Labels: TypeAlias = Sequence[Any] | _Array | _Series
"""The labels of one annotator: a list, an array or a series."""

Frame: TypeAlias = _Columns | _Array | Mapping[Any, Any] | Sequence[Any]
"""A data frame of any library supported by narwhals, a dictionary of columns, or rows."""

Column: TypeAlias = str | int
"""Name of a column, or its index if rows are tuples."""

Cells: TypeAlias = Any
"""A column: an Arrow array of texts, numbers or booleans, or a list of any other values."""


def requested_columns(
    data: Any, wanted: Mapping[str, Column | None]
) -> tuple[dict[str, Cells], Kind]:
    """Return the requested columns under internal names, and the kind of frame.

    wanted  internal name → name in the frame, or index in rows; None: not requested

    Raises MetricsError for a missing column, and for data of an unsupported type.
    """
    names = {ours: theirs for ours, theirs in wanted.items() if theirs is not None}
    if isinstance(data, Mapping):
        return _equally_long(_choose_columns(names, list(data), lambda name: _cells(data[name])))
    if isinstance(data, Sequence) and not isinstance(data, str | bytes):
        return _columns_of_rows(data, names), "pandas"
    if type(data).__module__.partition(".")[0] == "numpy":
        if data.dtype.names:  # a structured array
            return requested_columns(
                {name: data[name].tolist() for name in data.dtype.names}, names
            )
        return _columns_of_rows(data.tolist(), names), "pandas"
    import narwhals as nw

    try:
        frame = nw.from_native(data)
    except TypeError:
        own = "its .to_pandas(), or " if hasattr(data, "to_pandas") else ""
        raise MetricsError(
            f"{type(data).__name__} is not a data frame: give {own}one of pandas, polars, "
            "pyarrow or DuckDB, a dictionary of columns, or a list of rows"
        ) from None
    except nw.exceptions.DuplicateError as error:
        repeated = " ".join(str(error).split())
        raise MetricsError(f"two columns have the same name: {repeated}") from None
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    kind = frame.implementation.value
    return (
        _choose_columns(
            names,
            frame.columns,
            lambda name: _cells_of_series(frame.get_column(name)),
            " (an index becomes columns with reset_index())" * _has_named_index(data),
        ),
        kind if kind in ("polars", "pyarrow") else "pandas",
    )


def _has_named_index(data: Any) -> bool:
    return any(name is not None for name in getattr(getattr(data, "index", None), "names", ()))


def _cells(column: Any) -> Cells:
    import narwhals as nw

    if isinstance(column, Mapping | str):
        raise MetricsError(
            f"a column is a {type(column).__name__}, not a list of values: make a data frame of it"
        )
    series = nw.from_native(column, series_only=True, pass_through=True)
    return _cells_of_series(series) if isinstance(series, nw.Series) else _cells_of_list([*column])


def _cells_of_series(series: Any) -> Cells:
    """Return a column as an Arrow array if its type is plain, else as a list of its values."""
    import narwhals as nw

    if series.dtype in (nw.Object, nw.Unknown):
        return _cells_of_list(series.to_list())
    try:
        cells = series.to_arrow()
    except (pa.ArrowException, TypeError, ValueError, NotImplementedError):
        return series.to_list()
    if isinstance(cells, pa.ChunkedArray):
        cells = cells.unify_dictionaries().combine_chunks()
    if pa.types.is_dictionary(cells.type):
        cells = cells.dictionary_decode()
    return cells if _is_plain(cells.type) else series.to_list()


def _cells_of_list(values: list[Any]) -> Cells:
    """Return values of one plain type, some of them missing, as an Arrow array."""
    kinds = {kind for kind in {*map(type, values)} if kind.__name__ not in ("NoneType", "NAType")}
    are_texts = str in kinds and kinds <= {str, float}  # NaN is a float
    if not are_texts and (len(kinds) > 1 or not kinds <= {int, float, bool}):
        return values
    try:
        return pa.array(values, pa.string() if are_texts else None, from_pandas=True)
    except (pa.ArrowException, TypeError, OverflowError, UnicodeEncodeError):
        return values


def _is_plain(type: pa.DataType) -> bool:
    of_numbers = pa.types.is_integer(type) or pa.types.is_floating(type)
    return of_numbers or pa.types.is_boolean(type) or pa.types.is_null(type) or is_text(type)


def is_text(type: pa.DataType) -> bool:
    """Whether values of the type are texts."""
    of_texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(is_kind(type) for is_kind in of_texts)


def cell_values(cells: Cells) -> list[Any]:
    """Return the values of a column."""
    return cells if isinstance(cells, list) else list(cells.to_pylist())


def convert_column(
    cells: Cells, convert: Callable[[Sequence[Any]], Sequence[Any]], type: pa.DataType
) -> pa.Array:
    """Convert a column by its different values, as far as they are in an Arrow array."""
    if isinstance(cells, list):
        return pa.array(convert(cells), type)
    coded = cells.dictionary_encode("encode")
    return pa.array(convert(coded.dictionary.to_pylist()), type).take(coded.indices)


def add_own_table_columns(
    data: Any, wanted: Mapping[str, Column | None]
) -> Mapping[str, Column | None]:
    """Add the columns of Accordeur's own tables that determine which rows are measured.

    Tables of `read` and of runs have roles, passes and layers, so that systems are not counted as
    annotators.
    """
    names = column_names(data)
    if not all(name in names for name in ("source", "location")):
        return wanted
    return {**wanted, **{name: name for name in ("role", "pass", "layer") if name in names}}


def category_order(order: Sequence[Any], data: Any, column: Column | None) -> Sequence[Any]:
    """Return the given order, else that of an ordered categorical (pandas) or Enum (polars).

    Of a table without the column, it is that of all of its ordered categoricals, if it is one.
    """
    if len(order) or isinstance(data, Mapping | Sequence) or hasattr(data, "dtype"):
        return order
    import narwhals as nw

    try:
        kinds = nw.from_native(data).collect_schema()  # type: ignore[type-var]
    except TypeError:  # not a frame
        return order
    own = [kinds[column]] if column in kinds else kinds.values()  # type: ignore[index]
    orders = {tuple(kind.categories) for kind in own if isinstance(kind, nw.Enum)}
    return [*orders.pop()] if len(orders) == 1 else order


def document_column(data: Any, named: Column | None) -> Column | None:
    """Return the named column of the documents, else a column `document`, else None.

    Names of items are unique within a document only: without its column, items of different
    documents would be one item.
    """
    return "document" if named is None and "document" in column_names(data) else named


def column_names(data: Any) -> list[Any]:
    """Return the column names of a frame; [] for rows without names."""
    if isinstance(data, Mapping):
        return [*data]
    if isinstance(data, Sequence) and data and isinstance(data[0], Mapping):
        return [*data[0]]
    if getattr(getattr(data, "dtype", None), "names", None) is not None:  # a structured array
        return [*data.dtype.names]
    if hasattr(data, "collect_schema"):  # a lazy polars frame
        return list(data.collect_schema().names())
    # pyarrow tables have names in `column_names`, and arrays in `columns`
    return [*getattr(data, "column_names", getattr(data, "columns", ()))]


def lacks_label(data: Any, label: Any) -> bool:
    """Whether a table has names of columns, and none is of labels: those may be annotators."""
    known = [] if isinstance(data, str | Path) else column_names(data)
    return bool(known) and not {label, OWN_NAMES.get(label, label)} & {*known}


def make_frame(columns: Mapping[str, Sequence[Any]], kind: Kind = "pandas") -> Any:
    """Return a data frame of that library, which must be installed."""
    import narwhals as nw

    return nw.from_dict(dict(columns), backend=kind).to_native()


def frame_kind(value: Any) -> Kind | None:
    """Return the library of a data frame; None for anything else."""
    library = type(value).__module__.partition(".")[0]
    kinds: dict[str, Kind] = {"pandas": "pandas", "polars": "polars", "pyarrow": "pyarrow"}
    return kinds.get(library) if type(value).__name__ in ("DataFrame", "Table") else None


def values_as_list(given: Any) -> list[Any] | None:
    """Return the values of a list, an array or a series; None for anything else."""
    listed = given.tolist() if hasattr(given, "tolist") else given
    listed = listed.to_list() if hasattr(listed, "to_list") else listed
    return [*listed] if isinstance(listed, Sequence) and not isinstance(listed, str) else None


def own_columns(data: Any, **named: object) -> dict[str, OwnColumn]:
    """Return internal name → column of the data, of the columns that have one name."""
    known, found = column_names(data), dict[str, OwnColumn]()
    for ours, theirs in named.items():
        if isinstance(theirs, str) and theirs in known:
            [cells] = requested_columns(data, {ours: theirs})[0].values()
            is_whole = isinstance(cells, pa.Array) and pa.types.is_integer(cells.type)
            found[ours] = OwnColumn(theirs, is_whole)
    return found


def require_same_order(first: Any, second: Any) -> None:
    """Raise MetricsError for two series of pandas with the same index in another order."""
    one: Any = getattr(first, "index", None)
    two: Any = getattr(second, "index", None)
    if hasattr(first, "columns") or hasattr(second, "columns"):
        return  # frames, whose items have names
    if not (hasattr(one, "equals") and hasattr(two, "equals")) or one.equals(two):
        return
    if len(one) == len(two) and one.is_unique and not len(one.difference(two)):
        raise MetricsError(
            "the two series have the same index in another order, and lists are compared by "
            "position: give second.reindex(first.index), or .tolist() of both"
        )


def given_table(columns: Mapping[str, Cells], name: str = "data") -> GivenTable:
    """Return the columns as a table that the functions of the commands read."""
    from ..data.readers.tables.given import GivenTable

    return GivenTable(pa.table({**columns}), name)


def reading_with_order(given: Given, order: Sequence[Any] = ()) -> Reading:
    """Return how the table is read; `order` has the categories in the order of the scale."""
    from ..tasks.inputs.reading_options import Reading

    tagset = tuple(names_as_text(list(order), "category"))
    if isinstance(given, Path):
        return Reading(categories=tagset)
    if given.options is not None:
        return Reading(format="table", options=given.options, categories=tagset)
    names = {name: name for name in given.columns.column_names}
    if given.counts:
        names = {name: name for name in ("item", "document") if name in names}
        names["layout"] = Layout.COUNTS
    return Reading(format="table", options=names, categories=tagset)


def _equally_long(columns: dict[str, Cells]) -> tuple[dict[str, Cells], Kind]:
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        each = ", ".join(f"{name} {n}" for name, n in lengths.items())
        raise MetricsError(f"the columns differ in length: {each}")
    return columns, "pandas"


def _columns_of_rows(rows: Sequence[Any], names: Mapping[str, Column]) -> dict[str, Cells]:
    if not len(rows):
        raise MetricsError("the data have no rows")
    if isinstance(rows[0], Mapping):
        known = list(dict.fromkeys(key for row in rows for key in row))
        return _choose_columns(
            names, known, lambda name: _cells_of_list([row.get(name) for row in rows])
        )
    if any(isinstance(theirs, str) for theirs in names.values()):
        numbers = ", ".join(f"{ours}={n}" for n, ours in enumerate(names))
        raise MetricsError(
            f"the rows have no column names: give the numbers of the columns, such as {numbers}"
        )
    last = max(int(theirs) for theirs in names.values())
    short = next((k for k, row in enumerate(rows) if len(row) <= last), None)
    if short is not None:
        raise MetricsError(
            f"row {short} has {len(rows[short])} values, but the columns are numbered up to {last} "
            "(from 0)"
        )
    return {ours: _cells_of_list([row[theirs] for row in rows]) for ours, theirs in names.items()}


def _choose_columns(
    names: Mapping[str, Column],
    known: Sequence[Any],
    column: Callable[[Any], Cells],
    hint: str = "",
) -> dict[str, Cells]:
    found = {}
    for ours, theirs in names.items():
        found[ours] = theirs if theirs in known else OWN_NAMES.get(str(theirs), theirs)
        if found[ours] not in known:
            what = ours.partition(" ")[0]  # of several: `item`, `item 1` …
            keyword = {"pass": "pass_", "layer": "by"}.get(what, what)
            if {"head", "tail"} <= {*known} - names.keys() and what != "annotator":
                raise MetricsError("the frame has head and tail: call accordeur.relations(…)")
            raise MetricsError(
                f"no column {theirs!r} for {what}; "
                f"the frame has {', '.join(map(str, known)) or 'no columns'}: "
                f"name the column with {keyword}={hint}"
            )
    return {ours: column(theirs) for ours, theirs in found.items()}
