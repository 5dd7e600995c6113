"""What the rows and columns of a data frame or an array of labels are: one reading for all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Literal, TypeAlias

from ..data.readers.tables.column_names import ALTERNATIVE_NAMES, is_annotator_name
from ..data.readers.tables.counts import are_counts
from ..metrics.errors import MetricsError
from .frames import Column, Kind, cell_values, column_names, requested_columns

Rows: TypeAlias = Literal["items", "annotators", "counts"]
"""What the rows of a matrix are; `counts`: items whose cells count annotators by category."""

HOW_TO_SAY = (
    'give rows="items" or rows="annotators"; or, of items whose cells are numbers of annotators, '
    'rows="counts"'
)
_OF_EITHER = re.compile(  # who was judged, in psychology; who judged, of a crowd
    r"(\w+[ _.-])?(subject|participant|person|user|respondent|student)s?"
    r"([ _.-]?(ids?|nr|no|number|name))?",
    re.I,
)
_OF_ANYTHING = ("id", "name", "no", "nr", "number")  # of items only beside other columns


def is_array(matrix: Any) -> bool:
    """Whether a matrix is a list or an array, whose columns have no names."""
    return isinstance(matrix, list | tuple) or hasattr(matrix, "tolist")


def columns_of_dictionaries(rows: Any) -> Any:
    """Return rows that are dictionaries as columns; anything else as it is."""
    if not isinstance(rows, list | tuple) or not rows or not isinstance(rows[0], Mapping):
        return rows
    return {name: [row.get(name) for row in rows] for name in dict.fromkeys(chain(*rows))}


def frame_of_items(frame: Any, rows: Rows | None) -> tuple[Any, Rows | None]:
    """Return a data frame with a row for each item, and None; else as it is, with its rows.

    Counts, and the annotators' rows of other libraries than pandas, are read as arrays are.
    """
    is_of_pandas = hasattr(frame, "rename_axis")
    if rows is None and column_names(frame):
        require_known_rows(frame, HOW_TO_SAY)
    if rows is None or rows == "counts" or (rows == "annotators" and not is_of_pandas):
        return frame, rows
    frame = _turned(frame) if rows == "annotators" else frame
    return (frame.rename_axis(columns="annotator") if is_of_pandas else frame), None


def with_annotators_in_columns(frame: Any) -> Any:
    """Return a data frame of pandas, turned if the names of its axes say that rows are annotators.

    Rows that are labels have a column of items or of labels. Frames of other libraries and without
    named axes, whose rows are items by convention, are returned as they are. Raises MetricsError
    for an index with a name that may be that of who was judged or of who judged.
    """
    index, columns = _axis_names(frame)
    if columns is None and _means("annotator", index) and not _is_of_annotators(index, frame):
        return frame
    are_annotators = _means("annotator", index) or (
        _means("item", columns) and columns not in _OF_ANYTHING and not _means("item", index)
    )
    if _means("annotator", columns) or not are_annotators:
        return frame
    if any(_means("item", name) or name == "label" for name in frame.columns):
        return frame
    turned = _turned(frame)
    return turned if turned.columns.is_unique else frame


def _is_of_annotators(index: Any, frame: Any) -> bool:
    """Return whether an index names annotators, not what annotators in the columns judged.

    Raises MetricsError if it may do either.
    """
    columns = [name for name in frame.columns if isinstance(name, str)]
    if any(_means("item", name) or name == "label" for name in columns):
        return True  # rows that are labels
    in_columns = bool(columns) and all(map(is_annotator_name, columns))
    is_either = _OF_EITHER.fullmatch(index.strip()) is not None
    if is_either == in_columns:
        return not in_columns
    raise MetricsError(
        f"the index is called {index!r}, which may be who was judged or who judged: give "
        'frame.rename_axis("item"), or frame.rename_axis("annotator")'
    )


def _turned(frame: Any) -> Any:
    """Turn a data frame; a column that names the annotators of the rows becomes the index first."""
    names = [name for name in frame.columns if _means("annotator", name)] or [*frame.columns[:1]]
    first = frame[names[0]] if len(names) == 1 else None
    if first is not None and first.is_unique and not first.isin(_cells_without(frame, names)).any():
        frame = frame.set_index(names[0])  # after reset_index()
    return frame.T.infer_objects()


def _cells_without(frame: Any, names: list[Any]) -> set[Any]:
    return {*frame.drop(columns=names).to_numpy().ravel().tolist()}


def cross_table(frame: Any) -> Any:
    """Return a cross table of pandas, with a column for each category; None for anything else.

    A column that names the items becomes the index. Raises MetricsError if it may be one, or may
    have whole numbers that annotators gave.
    """
    index, columns = _axis_names(frame)
    if columns is None or _means("annotator", columns) or _means("item", columns):
        return None
    names = [name for name in frame.columns if _means("item", name)]
    if len(names) == 1 and index is None:
        index, frame = names[0], frame.set_index(names[0])
    if not all(getattr(kind, "kind", "") in "iu" for kind in frame.dtypes):
        return None
    if _means("label", columns):
        return frame
    if not _means("item", index) or (frame != 0).all(axis=None):
        return None  # a cross table has cells without a label
    if are_counts([[*map(str, frame[name])] for name in frame.columns]):
        return frame
    raise MetricsError(
        f"the columns' axis is called {columns!r}, which does not say what they are: if each is an "
        'annotator, give frame.rename_axis(columns="annotator"); if each is a category, whose '
        'cells count annotators, frame.rename_axis(columns="label")'
    )


def index_levels(frame: Any) -> list[Any]:
    """Return the names of the index of a data frame of pandas, as far as it has names."""
    names = getattr(getattr(frame, "index", None), "names", ())
    return [name for name in names if name is not None]


def with_levels_as_columns(frame: Any, names: Iterable[Any]) -> Any:
    """Return a data frame of pandas with the named levels of its index as columns.

    The other levels stay, because in a row for each item they are no annotators.
    """
    levels = index_levels(frame)
    found = [name for name in dict.fromkeys(names) if name in levels]
    return frame.reset_index(level=found) if found else frame


def of_question(frame: Any, question: Any) -> Any:
    """Return the columns of one question of a data frame of pandas with two levels of columns.

    None if its columns have one level. Raises MetricsError for another question.
    """
    levels = getattr(getattr(frame, "columns", None), "levels", None)
    if levels is None or isinstance(question, tuple):  # the whole name of a column
        return None
    for level, names in enumerate(levels):
        if question in names:
            return frame.xs(question, axis=1, level=level)
    first = _means("annotator", frame.columns.names[0])  # else the questions are above
    known = [*levels[first]]
    one = f"data.xs({known[0]!r}, axis=1, level=1)" if first else f"data[{known[0]!r}]"
    raise MetricsError(
        f"the columns have {len(levels)} levels, with the questions "
        f"{', '.join(map(str, known))}: give one of them, {one}, or label={known}"
    )


def rows_of_questions(frame: Any, questions: Sequence[Any]) -> Any:
    """Return the questions of a frame with two levels of columns below each other.

    `question` is then a level of the index. None if its columns have one level.
    """
    found = {str(name): of_question(frame, name) for name in questions}
    if any(one is None for one in found.values()):
        return None
    import pandas as pd

    return pd.concat(found, names=["question", *frame.index.names])


def stacked_labels(
    data: Any, labels: Sequence[Column], others: Mapping[str, Sequence[Column | None]]
) -> tuple[dict[str, list[Any]], Kind]:
    """Return a row for each label of several columns, which `question` names.

    others  columns that are repeated, by the keyword that names them; None: not requested
    """
    named = {**others, "label": labels}
    wanted = {f"{what} {k}": one for what, some in named.items() for k, one in enumerate(some)}
    found, kind = requested_columns(data, wanted)
    cells = {name: cell_values(one) for name, one in found.items()}
    each = [cells[f"label {k}"] for k in range(len(labels))]
    columns = {
        str(wanted[name]): own * len(labels)
        for name, own in cells.items()
        if not name.startswith("label ")
    }
    columns["label"] = [cell for own in each for cell in own]
    columns["question"] = [str(name) for name, own in zip(labels, each, strict=True) for _ in own]
    return columns, kind


def require_known_rows(data: Any, ways_out: str) -> None:
    """Raise MetricsError for a table of which nothing says what its rows are.

    ways_out  what to do instead, as the end of a sentence
    """
    known = column_names(data)
    has_rows = getattr(data, "ndim", 0) == 2 or (isinstance(data, list | tuple) and len(data) > 0)
    if not known and not has_rows:
        return  # a series, or nothing
    named = isinstance(data, Mapping) or _axis_names(data) != (None, None)
    if known and (named or [*known] != [*range(len(known))]):  # 0, 1, 2 … is nobody's name
        return
    shape = getattr(data, "shape", None) or (len(data), *{*map(len, data[:1])})
    size = " × ".join(map(str, shape))
    raise MetricsError(
        f"nothing says whether the rows of this table ({size}) are items or annotators: {ways_out}"
    )


def _axis_names(frame: Any) -> tuple[Any, Any]:
    """Return the names of the axes of a data frame of pandas; None without one."""
    if not hasattr(frame, "rename_axis") or not hasattr(frame, "columns"):
        return None, None
    return frame.index.name, frame.columns.name


def _means(what: str, name: Any) -> bool:
    """Whether a name of an axis or a column is of items, annotators or labels."""
    if not isinstance(name, str):
        return False
    written = name.strip().casefold().removesuffix("s")
    return written == what or ALTERNATIVE_NAMES[what].fullmatch(name.strip()) is not None
