"""Labels given as a matrix: what its rows are, and whether its cells are labels or counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from numbers import Integral
from typing import Any, Literal, TypeAlias, get_args

import pyarrow as pa

from ..data.readers.tables.column_names import ALTERNATIVE_NAMES, is_no_annotator_name
from ..data.readers.tables.counts import are_counts
from ..metrics.agreement.label_matrix import LabelMatrix, table_matrix
from ..metrics.errors import MetricsError
from .frames import (
    Frame,
    cell_values,
    column_names,
    requested_columns,
    require_same_order,
    values_as_list,
)
from .keyword_options import require_choice

Matrix: TypeAlias = Frame
"""A table of labels: an array, a list of lists, or a data frame."""

Rows: TypeAlias = Literal["items", "annotators", "counts"]
"""What the rows of a matrix are; `counts`: items whose cells count annotators by category."""

_FEWEST_ROWS = 5  # with a text each, by which a column names the rows
_NOT_ANNOTATORS = ("id", "item", "items", "document", "text")


@dataclass(frozen=True)
class GivenMatrix:
    """A matrix of labels, with what a reader has to know about how it was read.

    are_counts  whether the cells counted annotators, whose names are then unknown
    notes       warnings, as sentences
    """

    table: LabelMatrix
    are_counts: bool = False
    notes: tuple[str, ...] = ()


def given_matrix(
    matrix: Any, other: Any, rows: Rows | None, categories: Sequence[Any] | None
) -> GivenMatrix:
    """Return the labels of two lists, or of a matrix whose rows are what `rows` says.

    Without `rows`, named axes decide; else the rows of an array are annotators, and those of a data
    frame are items. Raises MetricsError for anything that is no matrix of labels.
    """
    require_choice("rows", rows, (*get_args(Rows), None))
    matrix = _columns_of_dictionaries(matrix)
    if other is not None:
        if rows is not None:
            raise MetricsError("rows= is for a matrix: two lists are the labels of two annotators")
        lists = two_lists(matrix, other)
        return GivenMatrix(table_matrix(annotators_by_items=lists, tagset=categories))
    found = rows or rows_of_named_axes(matrix)
    notes: tuple[str, ...] = ()
    if found is None and _is_array(matrix):
        found, notes = "annotators", _notes_on_orientation(matrix)
    elif found is None:
        found, matrix = "items", _named_columns(matrix)
    cells = rows_as_lists(matrix)
    if found == "counts":
        return GivenMatrix(_matrix_of_counts(matrix, cells, categories), are_counts=True)
    if rows is None:
        _require_no_counts(cells)
    if found == "items":
        table = table_matrix(
            items_by_annotators=cells, annotators=_names_of_columns(matrix), tagset=categories
        )
        return GivenMatrix(table, False, notes)
    return GivenMatrix(table_matrix(annotators_by_items=cells, tagset=categories), False, notes)


def is_table_with_items(matrix: Any) -> bool:
    """Whether a data frame has a column that names the items, or one that is of no annotator."""
    matrix = _columns_of_dictionaries(matrix)
    if _is_array(matrix) or rows_of_named_axes(matrix) is not None:
        return False
    names = column_names(matrix)
    if not all(isinstance(one, str) for one in names):
        return False
    return any(is_no_annotator_name(one) or _names_each_row(matrix, one) for one in names)


def _names_each_row(frame: Any, name: str) -> bool:
    """Whether a column has a different text in each of several rows."""
    cells, _ = requested_columns(frame, {name: name})
    texts = cells[name]
    if not isinstance(texts, pa.Array) or pa.types.is_primitive(texts.type):
        return False
    return len(texts) >= _FEWEST_ROWS and len(texts.unique()) == len(texts)


def _names_of_columns(matrix: Any) -> list[str] | None:
    """Return the columns of a data frame as the names of annotators; None without names."""
    names = column_names(matrix)
    are_names = bool(names) and all(isinstance(name, str) for name in names)
    return names if are_names and len({*names}) == len(names) else None


def rows_of_named_axes(matrix: Any) -> Rows | None:
    """Return what the names of the axes of a data frame of pandas say; None without names."""
    index = getattr(getattr(matrix, "index", None), "name", None)
    columns = getattr(getattr(matrix, "columns", None), "name", None)
    if _means("annotator", index) or _means("item", columns):
        return "annotators"
    if _means("annotator", columns):
        return "items"
    if columns is not None and (_means("label", columns) or _means("item", index)):
        return "counts" if _are_whole(matrix) else None
    return None


def _means(what: str, name: Any) -> bool:
    if not isinstance(name, str):
        return False
    written = name.strip().casefold().removesuffix("s")
    return written == what or ALTERNATIVE_NAMES[what].fullmatch(name.strip()) is not None


def _are_whole(frame: Any) -> bool:
    return all(getattr(kind, "kind", "") in "iu" for kind in frame.dtypes)


def _notes_on_orientation(matrix: Any) -> tuple[str, ...]:
    """Warn of an array with more rows than columns: its rows may be items."""
    shape = getattr(matrix, "shape", None) or (
        len(matrix),
        max((len(row) for row in matrix if hasattr(row, "__len__")), default=0),
    )
    if len(shape) != 2 or shape[0] <= shape[1]:
        return ()
    sentence = (
        f"the array has {shape[0]} rows and {shape[1]} columns, and was read as the labels of "
        f'{shape[0]} annotators on {shape[1]} items: if each row is an item, give rows="items"; '
        'if not, rows="annotators"'
    )
    return (sentence,)


def _require_no_counts(cells: Any) -> None:
    """Raise MetricsError if the cells of a matrix seem to count annotators."""
    if hasattr(cells, "dtype"):  # an array of numbers, which may be large
        are_natural = (cells >= 0).all(axis=0)
        if cells.dtype.kind == "f" or len({*cells[:, are_natural].sum(axis=1).tolist()}) > 1:
            return
    rows = [[*row] for row in (cells.tolist() if hasattr(cells, "tolist") else cells)]
    if len({len(row) for row in rows}) != 1:
        return
    columns = [
        ["" if cell is None else str(cell) for cell in one] for one in zip(*rows, strict=True)
    ]
    if are_counts(columns):
        raise MetricsError(
            "the cells seem to be numbers of annotators, because all rows have one sum: if each "
            'says how many chose the category of its column, give rows="counts"; if each is an '
            'annotator\'s label, rows="items"'
        )


def _matrix_of_counts(matrix: Any, cells: Any, categories: Sequence[Any] | None) -> LabelMatrix:
    """Return the labels that a table counts; annotators are numbered within an item.

    Raises MetricsError for a cell that is no number of annotators.
    """
    names = column_names(matrix) or [*range(1, len(cells[0]) + 1 if len(cells) else 1)]
    labels = [
        [*chain.from_iterable(map(repeat, names, map(_number_of_annotators, row)))] for row in cells
    ]
    widest = max(map(len, labels), default=0)
    padded = [[*row, *repeat(None, widest - len(row))] for row in labels]
    return table_matrix(
        items_by_annotators=padded, tagset=[*names] if categories is None else categories
    )


def _number_of_annotators(cell: Any) -> int:
    is_whole = isinstance(cell, Integral) or (isinstance(cell, float) and cell.is_integer())
    if not is_whole or cell < 0:
        raise MetricsError(f'rows="counts": the cell {cell!r} is no number of annotators')
    return int(cell)


def two_lists(first: Any, second: Any) -> list[list[Any]]:
    """Return the labels of two annotators. Raises MetricsError unless they are two equal lists."""
    one, two = values_as_list(first), values_as_list(second)
    if one is None or two is None:
        other = first if one is None else second
        raise MetricsError(f"{type(other).__name__} is not a list of labels")
    require_same_order(first, second)
    if len(one) != len(two):
        raise MetricsError(f"the lists differ in length: {len(one)} and {len(two)}")
    return [one, two]


def names_of_lists(first: Any, second: Any) -> tuple[str, str]:
    """Return the names of two series as those of annotators; else `first` and `second`."""
    one, two = (str(getattr(given, "name", None) or "") for given in (first, second))
    one, two = one or "first", two or "second"
    return (one, two) if one != two else ("first", "second")


def _named_columns(frame: Any) -> Any:
    """Return a frame with a column for each annotator. Raises MetricsError if it may not be one."""
    known = column_names(frame)
    if not all(isinstance(name, str) for name in known):
        raise MetricsError(
            'a data frame without names of columns needs rows="items" (a row for each item) or '
            'rows="annotators" (a row for each annotator)'
        )
    return frame


def _columns_of_dictionaries(rows: Any) -> Any:
    """Return rows that are dictionaries as columns; anything else as it is."""
    if not isinstance(rows, list | tuple) or not rows or not isinstance(rows[0], Mapping):
        return rows
    return {name: [row.get(name) for row in rows] for name in dict.fromkeys(chain(*rows))}


def _is_array(matrix: Any) -> bool:
    return isinstance(matrix, list | tuple) or hasattr(matrix, "tolist")


def rows_as_lists(matrix: Any) -> Any:
    """Return the rows of an array or a frame. Raises MetricsError unless it has rows of labels."""
    if not _is_array(matrix):
        import narwhals as nw

        names = [one for one in column_names(matrix) if str(one).casefold() in _NOT_ANNOTATORS]
        if names:
            raise MetricsError(
                f"the column {names[0]!r} would be read as labels: drop it, or make it the index"
            )
        if not hasattr(type(matrix), "columns"):  # a dictionary of columns, or an error
            columns, _ = requested_columns(matrix, {str(one): one for one in column_names(matrix)})
            return [[*row] for row in zip(*map(cell_values, columns.values()), strict=True)]
        frame = nw.from_native(matrix)
        return (frame.collect() if isinstance(frame, nw.LazyFrame) else frame).rows()
    if getattr(matrix, "ndim", 0) == 2 and matrix.dtype.kind in "iuf":
        return matrix  # an array of numbers
    rows = matrix if isinstance(matrix, list | tuple) else matrix.tolist()
    if any(isinstance(row, str) or not hasattr(row, "__iter__") for row in rows):
        raise MetricsError(
            "give a table of labels, with a row for each annotator: [[1, 2, 1], [1, 2, 2]]"
        )
    return rows
