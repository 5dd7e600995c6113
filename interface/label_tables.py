"""Labels of items as the commands read them: of frames, exports and paths.

A frame has a row for each label, or a row for each item with a column for each annotator.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, get_args

import pyarrow as pa

from ..data.errors import DataError
from ..data.readers.base import SourceOptions
from ..data.readers.notes import SourceNotes
from ..data.readers.tables.cells import ROWS
from ..data.readers.tables.column_names import OWN_NAMES, is_no_annotator_name
from ..data.readers.tables.counts import CountsError
from ..data.readers.tables.given import Given, GivenTable
from ..data.readers.tables.joined_columns import joined_texts
from ..data.readers.tables.layout import Layout, OtherShapeError
from ..data.readers.tables.meaning import understand_table
from ..data.readers.tables.options import TableOptions
from ..data.readers.tables.reader import open_table
from ..metrics.close_names import did_you_mean
from ..metrics.errors import MetricsError
from ..tasks.agreement.agree_by_column import no_column_sentence
from .column_texts import (
    names_as_text_column,
    sets_or_labels_as_column,
    texts_of,
    values_as_text_column,
)
from .frames import (
    Cells,
    Column,
    Kind,
    add_own_table_columns,
    column_names,
    document_column,
    requested_columns,
)
from .reading import Data, Export
from .table_axes import (
    columns_of_dictionaries,
    cross_table,
    index_levels,
    of_question,
    require_known_rows,
    with_annotators_in_columns,
    with_levels_as_columns,
)
from .value import Part, Parts

Item: TypeAlias = Column | list[Any]
"""The column with the names of the items, or a list of columns that name them together."""

Annotators: TypeAlias = Column | list[Any] | None
"""The column with the names of the annotators, a list of the columns with the labels of each, or of
some of the names in the column ``annotator``; None for columns that count annotators."""


def label_table(
    data: Data,
    item: Item,
    annotator: Annotators,
    label: Column,
    document: Column | None,
    pass_: Column | None = None,
    *,
    layer: Sequence[Column] = (),
    counts: bool = False,
) -> tuple[Given, Kind]:
    """Return the rows of the frame, or the path of an export, and the kind of frame.

    layer   the columns that together say which question a label answers
    counts  whether the table may count annotators without naming them (`annotator` is then None)

    Raises MetricsError for a missing column, and without labels.
    """
    if isinstance(data, str | Path):
        named = (item, annotator, label, document, pass_)
        if named != ("item", "annotator", "label", None, None):
            raise MetricsError(
                f"the columns of a file are named when it is read: "
                f'read({str(data)!r}, options={{"item": "…"}})'
            )
        return Path(data), "pandas"
    if isinstance(data, Export):
        data = data.labels
    data = columns_of_dictionaries(data)
    if (item, annotator, label) == ("item", "annotator", "label"):
        require_known_rows(data, _HOW_TO_NAME)
        data = with_annotators_in_columns(data)
        crossed = cross_table(data)
        if crossed is not None:
            data, annotator = crossed, None
    asked = of_question(data, label)
    data, label = (data, label) if asked is None else (asked, "label")
    levels = index_levels(data)
    if isinstance(annotator, str) and annotator in levels:
        data = data.reset_index()  # type: ignore[union-attr]  # a row for each label
    else:
        parts = item if isinstance(item, list) else [item]
        is_stated = len(levels) > 1 or item != "item"
        own = [*parts, document or "document"] if is_stated else []
        data = with_levels_as_columns(data, [*layer, *own])
    known = column_names(data)
    home = document_column(data, document)
    items = [*item] if isinstance(item, list) else [item]  # a tuple is one name
    if item == "item" and "item" not in known and label == "label":
        others = (
            (("start", "end"), "units", "gamma"),
            (("head", "tail"), "relations", "relations"),
        )
        for columns, what, function in others:
            if {*columns} <= {*known}:
                raise MetricsError(
                    f"the frame has {' and '.join(columns)}, no item, and this function is for "
                    f"labels of items: the agreement of {what} is accordeur.{function}(…)"
                )
    guessed = None
    chosen: list[Any] = []
    if isinstance(annotator, list) and "annotator" in known and not {*annotator} & {*known}:
        chosen, annotator = annotator, "annotator"  # some of those in the rows
    if (annotator, label) == ("annotator", "label"):
        stated = {} if items == ["item"] else {"item": ",".join(map(str, items))}
        stated |= {} if home is None else {"document": str(home)}
        parts_apart = [name for name in known if name not in layer]
        guessed = _guessed_wide_table(data, parts_apart, stated)
        annotator = guessed.annotators if guessed else annotator
    if annotator is None and not counts:
        raise MetricsError(
            "the cells are read as numbers of annotators, which only agreement, modification_rate "
            "and the coefficients take: give the labels of each, or, if each column is an "
            'annotator, frame.rename_axis(columns="annotator")'
        )
    if annotator is None:
        return _table_of_counts(data, known, {"item": items[0], "document": home})
    if isinstance(annotator, list):
        if guessed is not None:
            items = guessed.items
        elif items == ["item"] and "item" not in known:
            items = []
        notes = SourceNotes() if guessed is None else guessed.notes
        of_rows = {"document": home, "pass": pass_}
        return _wide_table(data, items, of_rows, layer, annotator, notes)
    shared = {"annotator": annotator, "label": label, "document": home}
    shared |= {"pass": pass_} if pass_ else {}
    table, kind = _long_table(data, known, items, shared, layer)
    return (_of_annotators(table, chosen) if chosen else table), kind


_COUNTS = (
    "the cells seem to be numbers of annotators, because all rows have one sum: if each says how "
    'many chose the category of its column, give a coefficient rows="counts", and agreement '
    'annotator=None; if each is an annotator\'s label, annotator=["NAME", "NAME"]'
)
_HOW_TO_NAME = (
    'give agreement, icc and the coefficients rows="items" or rows="annotators"; elsewhere '
    "name the columns of a row for each item after the annotators, such as "
    'pd.DataFrame(array).add_prefix("annotator "), of array.T if the rows are annotators; if each '
    "row is a label, give the numbers of its columns, such as item=0, annotator=1, label=2"
)


@dataclass(frozen=True, slots=True)
class _WideTable:
    """The columns of a frame with a row for each item; `items` name it together."""

    items: list[Any]
    annotators: list[Any]
    notes: SourceNotes


def _long_table(
    data: Any,
    known: Sequence[Any],
    items: Sequence[Column],
    shared: dict[str, Column | None],
    layer: Sequence[Column],
) -> tuple[GivenTable, Kind]:
    """Return the rows in the frame's own columns, with what each of these is."""
    parts, of_layer = _numbered("item", items), _numbered("layer", layer)
    wanted = add_own_table_columns(data, {**parts, **shared})
    wanted = {**wanted, **of_layer}
    found, kind = requested_columns(data, wanted)
    columns = {
        name: sets_or_labels_as_column(cells)
        if name == "label"
        else values_as_text_column(cells)
        if name == "layer" or name in of_layer
        else names_as_text_column(cells, "item" if name in parts else name)
        for name, cells in found.items()
    }
    n_without_label = columns["label"].null_count
    if n_without_label == len(columns["label"]):
        raise MetricsError(f"no row has a label: the column {shared['label']!r} is empty")
    own = {name: _own_name(wanted[name], name, known) for name in columns}
    taken = {*own.values()}
    rest = [name for name in known if str(name) not in taken]
    table = {own[name]: column for name, column in columns.items()}
    table |= {str(name): column for name, column in texts_of(data, rest).items()}
    options = {name: own[name] for name in own if name not in (*parts, *of_layer)}
    options["item"] = ",".join(own[name] for name in parts)
    options |= {"layer": ",".join(own[name] for name in of_layer)} if of_layer else {}
    notes = SourceNotes(n_nan_labels=n_without_label if kind == "pandas" and known else 0)
    return GivenTable(pa.table(table), options=options, notes=notes), kind


def _of_annotators(table: GivenTable, chosen: Sequence[Any]) -> GivenTable:
    """Return the rows of these annotators. Raises MetricsError for one without a row."""
    names = table.columns["annotator"].combine_chunks()
    wanted, known = [*map(str, chosen)], names.unique().to_pylist()
    for name in wanted:
        if name not in known:
            hint = did_you_mean(name, known)
            raise MetricsError(
                f"no annotator and no column {name!r}: {hint}there are {', '.join(known)}"
            )
    return table.of_rows(pa.array([name in wanted for name in names.to_pylist()]))


def columns_of_parts(by: Parts | None, data: Any) -> list[Column]:
    """Return the columns whose values are the parts; [] for a `Part`, and without parts.

    Raises MetricsError for a column that the frame does not have.
    """
    if by is None or by in get_args(Part):
        return []
    chosen = [by] if isinstance(by, str | int) else [*by]
    known = [] if isinstance(data, str | Path) else [*index_levels(data), *column_names(data)]
    for one in chosen if known else ():
        if one not in known:
            raise MetricsError(no_column_sentence(str(one), [*map(str, known)]))
    return chosen


def _numbered(what: str, columns: Sequence[Column]) -> dict[str, Column]:
    """Name columns that are one together: `item`, `item 1` …"""
    return {f"{what} {k}" if k else what: one for k, one in enumerate(columns)}


def _own_name(column: Column | None, ours: str, known: Sequence[Any]) -> str:
    """Return the name of a column in the frame; of rows without names, what the column is."""
    if not known:
        return ours
    return str(column if column in known else OWN_NAMES.get(str(column), column))


def _guessed_wide_table(
    data: Any, known: Sequence[Any], named: Mapping[str, str]
) -> _WideTable | None:
    """Return the columns of a table with a row for each item; None of one with a row per label.

    It is understood as a file is, and as one with `--wide` where its names say nothing. Raises
    MetricsError if it is neither.

    named  the columns of the item and of the document, as options of a file
    """
    if {"annotator", "label", OWN_NAMES["label"]} & {*known}:
        return None
    if not known:
        return None
    others = [name for name in known if str(name) not in ("item", "document", *named.values())]
    try:
        return _understood_wide_table(data, known, named)
    except CountsError:
        raise MetricsError(_COUNTS) from None
    except OtherShapeError as error:
        unlike = str(error)
    except DataError as error:
        raise MetricsError(str(error)) from error
    try:
        wide = _understood_wide_table(data, known, {**named, "layout": Layout.WIDE})
    except DataError as error:
        is_long = any(is_no_annotator_name(str(name)) for name in others)
        counts = isinstance(error, CountsError)
        raise MetricsError(_COUNTS if counts else unlike if is_long else str(error)) from error
    people = [name for name in wide.annotators if str(name).casefold() not in ("gold", "truth")]
    if len(people) < 2 or any(is_no_annotator_name(str(name)) for name in people):
        raise MetricsError(unlike)
    return wide


def _understood_wide_table(
    data: Any, known: Sequence[Any], options: Mapping[str, str]
) -> _WideTable:
    """Return the columns of a wide table, understood as those of a file.

    Raises DataError if its cells are no annotators' labels.
    """
    names = [*map(str, known)]
    found, _ = requested_columns(data, {str(k): name for k, name in enumerate(known)})
    cells = [sets_or_labels_as_column(one[:ROWS]) for one in found.values()]
    table = GivenTable(pa.table(cells, names=names))
    source = SourceOptions(extra=options)
    are_texts = all(isinstance(name, str) for name in known)
    written = TableOptions(header=None if are_texts else "yes")  # numbers are from no file
    meaning = understand_table(open_table(table, written), "data", source)
    columns, own = meaning.columns, meaning.file.header
    at = columns.at.get("item")
    parts = meaning.item_parts or (() if at is None else (own[at],))
    items = [known[names.index(part)] for part in parts]
    return _WideTable(items, [known[k] for k, _ in columns.across], source.notes)


def _table_of_counts(
    data: Any, known: Sequence[Any], shared: dict[str, Column | None]
) -> tuple[GivenTable, Kind]:
    """Return a table with a column for each category, whose cells count annotators."""
    if not known:
        rows = data.tolist() if hasattr(data, "tolist") else data
        known = range(len(rows[0])) if len(rows) else ()
    own = {name: theirs for name, theirs in shared.items() if theirs in known}
    counted = {f"count {k}": one for k, one in enumerate(known) if one not in own.values()}
    columns, kind = requested_columns(data, {**own, **counted})
    found: dict[str, Cells] = {name: names_as_text_column(columns[name], name) for name in own}
    for name, category in counted.items():
        shown = str(category + 1) if isinstance(known, range) else str(category)
        found[shown] = sets_or_labels_as_column(columns[name])
    return GivenTable(pa.table({**found}), counts=True), kind


def _wide_table(
    data: Any,
    items: Sequence[Column],
    shared: dict[str, Column | None],
    layer: Sequence[Column],
    annotators: Sequence[Column],
    notes: SourceNotes,
) -> tuple[GivenTable, Kind]:
    """Return the columns of the annotators, and of what is shared, as those of a wide table."""
    known = column_names(data)
    lacking = next((name for name in annotators if known and name not in known), None)
    if lacking is not None:
        raise MetricsError(
            f"no column {lacking!r}; the frame has {', '.join(map(str, known))}: name those of the "
            "annotators with annotator="
        )
    parts, of_layer = _numbered("item", items), _numbered("layer", layer)
    of_annotators = {f"label {k}": name for k, name in enumerate(annotators)}
    columns, kind = requested_columns(data, {**parts, **shared, **of_layer, **of_annotators})
    labels = [sets_or_labels_as_column(columns[name]) for name in of_annotators]
    if not any(one.is_valid().true_count for one in labels):
        raise MetricsError(f"no item has a label: the columns {list(annotators)} are empty")
    names = {name: names_as_text_column(columns[name], name) for name in shared if name in columns}
    if of_layer:
        names["layer"] = joined_texts([values_as_text_column(columns[one]) for one in of_layer])
    if parts:
        names["item"] = joined_texts([names_as_text_column(columns[one], "item") for one in parts])
    else:
        index = getattr(data, "index", None)
        rows = range(len(labels[0])) if index is None or callable(index) else index
        levels = [*zip(*rows, strict=True)] if getattr(rows, "nlevels", 1) > 1 else [rows]
        names["item"] = joined_texts([names_as_text_column([*one], "item") for one in levels])
    own = {name: f"{name} of the row" for name in names}
    header = [*own.values(), *map(str, annotators)]
    table = pa.table([*names.values(), *labels], names=header)
    options = {**own, "annotator": "*", "layout": Layout.WIDE}
    return GivenTable(table, options=options, notes=notes), kind
