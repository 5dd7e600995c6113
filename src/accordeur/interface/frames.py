"""Data frame conversion: pandas, polars, pyarrow, DuckDB, dictionaries of columns, tuples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from ..data.readers.tables.layout import OWN_NAMES
from ..metrics.agreement.label_matrix import labels_as_text, names_as_text
from ..metrics.errors import MetricsError

Kind: TypeAlias = Literal["pandas", "polars", "pyarrow"]
Frame: TypeAlias = Any
"""A data frame of any library supported by narwhals, a dictionary of columns, or rows."""

Column: TypeAlias = str | int
"""Name of a column, or its index if rows are tuples."""


def columns_of(
    data: Frame, wanted: Mapping[str, Column | None]
) -> tuple[dict[str, list[Any]], Kind]:
    """Return the requested columns as lists, under internal names, and the kind of frame.

    wanted  internal name → name in the frame, or index in rows; None: not requested

    Raises MetricsError for a missing column, and for data of an unsupported type.
    """
    names = {ours: theirs for ours, theirs in wanted.items() if theirs is not None}
    if isinstance(data, Mapping):
        return _equally_long(_choose_columns(names, list(data), lambda name: list(data[name])))
    if isinstance(data, Sequence) and not isinstance(data, str | bytes):
        return _columns_of_rows(data, names), "pandas"
    if type(data).__module__.partition(".")[0] == "numpy":
        if data.dtype.names:  # a structured array
            return columns_of({name: data[name].tolist() for name in data.dtype.names}, names)
        return _columns_of_rows(data.tolist(), names), "pandas"
    import narwhals as nw

    try:
        frame = nw.from_native(data)
    except TypeError:
        raise MetricsError(
            f"{type(data).__name__} is not a data frame: give one of pandas, polars, pyarrow or "
            "DuckDB, a dictionary of columns, or a list of rows"
        ) from None
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    kind = frame.implementation.value
    return (
        _choose_columns(names, frame.columns, lambda name: frame.get_column(name).to_list()),
        kind if kind in ("polars", "pyarrow") else "pandas",
    )


def with_roles_and_passes(
    data: Frame, wanted: Mapping[str, Column | None]
) -> Mapping[str, Column | None]:
    """Add the columns of Accordeur's own tables that determine which rows are measured.

    Tables of `read` and of runs have roles, passes and layers, so that systems are not counted as
    annotators.
    """
    names = column_names(data)
    if not all(name in names for name in ("source", "location")):
        return wanted
    return {**wanted, **{name: name for name in ("role", "pass", "layer") if name in names}}


def order_of(order: Sequence[Any], data: Frame, column: Column | None) -> Sequence[Any]:
    """Return the given order, else that of an ordered categorical (pandas) or Enum (polars)."""
    if len(order) or isinstance(data, Mapping | Sequence) or column not in column_names(data):
        return order
    import narwhals as nw

    frame = nw.from_native(data)
    kind = frame.collect_schema()[column]  # type: ignore[index]  # an existing name
    return list(kind.categories) if isinstance(kind, nw.Enum) else order


def column_names(data: Frame) -> list[Any]:
    """Return the column names of a frame; [] for rows without names."""
    if isinstance(data, Mapping):
        return [*data]
    if isinstance(data, Sequence) and data and isinstance(data[0], Mapping):
        return [*data[0]]
    if hasattr(data, "collect_schema"):  # a lazy polars frame
        return list(data.collect_schema().names())
    # pyarrow tables have names in `column_names`, and arrays in `columns`
    return [*getattr(data, "column_names", getattr(data, "columns", ()))]


def frame_of(columns: Mapping[str, Sequence[Any]], kind: Kind = "pandas") -> Any:
    """Return a data frame of that library, which must be installed."""
    import narwhals as nw

    return nw.from_dict(dict(columns), backend=kind).to_native()


def html_table(frame: Any) -> str:
    """Render a frame of any kind for notebooks, with numbers to three decimals."""
    import narwhals as nw

    table = nw.from_native(frame).to_pandas()
    return str(table.to_html(index=False, float_format="{:.3f}".format, max_rows=20))


def labels(values: Sequence[Any]) -> list[str | None]:
    """Convert labels to text; None for missing ones (None, NaN, pd.NA). Raises MetricsError."""
    return list(labels_as_text(values))


def sets_or_labels(values: Sequence[Any]) -> Sequence[str | list[str] | None]:
    """Convert labels like `labels`, or the labels of each item if values are lists."""
    if not any(map(_is_collection, values)):
        return labels(values)
    return [
        [label for label in labels(list(one)) if label is not None]
        if _is_collection(one)
        else [label]
        if (label := labels([one])[0]) is not None
        else None
        for one in values
    ]


def _is_collection(value: Any) -> bool:
    return isinstance(value, list | tuple | set | frozenset) or getattr(value, "ndim", 0) > 0


def names(values: Sequence[Any], what: str) -> list[str]:
    """Convert names to text. Raises MetricsError unless they are strings or integers."""
    return list(names_as_text(values, what))


def _equally_long(columns: dict[str, list[Any]]) -> tuple[dict[str, list[Any]], Kind]:
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        each = ", ".join(f"{name} {n}" for name, n in lengths.items())
        raise MetricsError(f"the columns differ in length: {each}")
    return columns, "pandas"


def _columns_of_rows(rows: Sequence[Any], names: Mapping[str, Column]) -> dict[str, list[Any]]:
    if not len(rows):
        raise MetricsError("the data have no rows")
    if isinstance(rows[0], Mapping):
        known = list(dict.fromkeys(key for row in rows for key in row))
        return _choose_columns(names, known, lambda name: [row.get(name) for row in rows])
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
    return {ours: [row[theirs] for row in rows] for ours, theirs in names.items()}


def _choose_columns(
    names: Mapping[str, Column], known: Sequence[Any], column: Any
) -> dict[str, list[Any]]:
    found = {}
    for ours, theirs in names.items():
        found[ours] = theirs if theirs in known else OWN_NAMES.get(str(theirs), theirs)
        if found[ours] not in known:
            keyword = "pass_" if ours == "pass" else ours
            raise MetricsError(
                f"no column {theirs!r} for {ours}; "
                f"the frame has {', '.join(map(str, known)) or 'no columns'}: "
                f"name the column with {keyword}= (an index becomes columns with reset_index())"
            )
    return {ours: column(theirs) for ours, theirs in found.items()}
