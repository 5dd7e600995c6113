"""Labels given as a matrix: what its rows are, and whether its cells are labels or counts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat
from numbers import Integral
from typing import Any, TypeAlias, get_args

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
from .table_axes import HOW_TO_SAY, Rows, frame_of_items, is_array, require_known_rows

Matrix: TypeAlias = Frame
"""A table of labels: an array, a list of lists, or a data frame."""

_NOT_ANNOTATORS = ("id", "item", "items", "document", "text")


def given_matrix(
    matrix: Any, other: Any, rows: Rows | None, categories: Sequence[Any] | None
) -> LabelMatrix:
    """Return the labels of two lists, or of a matrix whose rows are what `rows` says.

    Raises MetricsError for anything that is no matrix of labels, and if nothing says what the rows
    are.
    """
    if other is not None:
        if rows is not None:
            raise MetricsError("rows= is for a matrix: two lists are the labels of two annotators")
        lists = two_lists(matrix, other)
        return table_matrix(annotators_by_items=lists, tagset=categories)
    cells = rows_as_lists(matrix)
    if rows is None:
        require_known_rows(matrix, HOW_TO_SAY)
    if rows == "counts":
        return _matrix_of_counts(matrix, cells, categories)
    if rows == "items":
        return table_matrix(items_by_annotators=cells, tagset=categories)
    return table_matrix(annotators_by_items=cells, tagset=categories)


def table_of_items(data: Any, rows: Rows | None) -> Any:
    """Return an array or a data frame as a table with a row for each item; as it is without `rows`.

    The columns of an array are called `annotator 1`, or of counts `category 1`, and so on.
    """
    require_choice("rows", rows, (*get_args(Rows), None))
    if rows is None:
        return data
    if column_names(data):
        frame, left = frame_of_items(data, rows)
        if left == "annotators":
            raise MetricsError('rows="annotators" is of arrays and of frames of pandas: turn it')
        return frame
    cells = rows_as_lists(data)
    if len({*map(len, cells)}) > 1:
        raise MetricsError("rows of different lengths are no table: fill the gaps with None")
    lines = cells if rows == "annotators" else [*zip(*cells, strict=True)]
    what = "category" if rows == "counts" else "annotator"
    return {f"{what} {k}": [*line] for k, line in enumerate(lines, 1)}


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


def rows_as_lists(matrix: Any) -> Any:
    """Return the rows of an array or a frame. Raises MetricsError unless it has rows of labels."""
    if not is_array(matrix):
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
