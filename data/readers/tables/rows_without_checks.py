"""Convert batches of table rows to blocks: plain rows as Arrow columns, others one by one.

A row is plain when it breaks no rule and needs no individual check. `TableRecords` alone checks the
other rows, and words their errors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, TypeAlias, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ...arrow_columns import as_numpy, column, number_column, scalar
from ...blocks import Block, Rows
from ...schema import SCHEMAS
from ..common.records.first_mentions import distinct_rows
from ..common.span_rules import MOST_DIGITS, Problem
from .cells import ROWS, Batch, Numbers, name_of_repeated_item, parse_item_count, parse_pass
from .column_names import COUNT, LENGTH
from .item_texts import TEXT, shortened_texts
from .layout import Layout
from .records import TableRecords

_NEEDED = {  # the columns that are never empty in a plain row
    Layout.LONG: ("item", "annotator"),
    Layout.WIDE: ("item",),
    Layout.UNITS: ("annotator", "start", "end"),
    Layout.RELATIONS: ("annotator", "from_unit", "to_unit"),
}
_LABELS = SCHEMAS["labels"].field("labels").type
_PIECE = 256  # rows of a batch in which some are not plain

Column: TypeAlias = Any
"""An Arrow array with the values of the rows, or the value of every row."""


def batch_rows(table: TableRecords, batch: Batch, word: str) -> Iterator[Rows]:
    """Yield what `table.records` gives for each row of the batch, in the same order by table."""
    each_alone = (
        table.repeats is not None
        or LENGTH in table.columns.at
        or table.columns.layout in (Layout.TRANSPOSED, Layout.COUNTS)
        or (table.columns.layout is Layout.WIDE and table.blank_is_answer)
    )
    used = [*{*table.columns.at.values(), *(at for at, _ in table.columns.across)}]
    cells = None if each_alone else batch.texts(table.width, used)
    plain = None
    if cells is not None:
        plain = PlainRows(table, batch.numbers, word, dict(zip(used, cells, strict=True)))
    rows: Sequence[int] = range(len(batch))
    if plain is not None and plain.are_plain():
        for columns in plain.columns():
            kept = plain.are_kept(columns)
            n_rows = int(kept.sum())
            if not n_rows:
                continue
            if n_rows < kept.size:
                is_kept = number_column(kept)
                columns = {
                    name: values.filter(is_kept) if isinstance(values, pa.Array) else values
                    for name, values in columns.items()
                }
            where = [columns[name] for name in ("document", "annotator", "pass")]
            yield from table.seen.new_of_rows(where, table.roles)
            yield Block(table.table, n_rows=n_rows, columns={**columns, "source": table.source})
        rows = plain.without_label
    elif len(batch) > _PIECE:
        for start in range(0, len(batch), _PIECE):
            yield from batch_rows(table, batch.part(start, start + _PIECE), word)
        return
    after = table.n_rows + len(batch)
    for row in rows:
        yield from table.records(f"{word} {batch.numbers[row]}", batch.rows[row])
    table.n_rows = after


class PlainRows:
    """The rows of a batch, if all are plain.

    `cells` has each used column by its position, `named` those with a role, null where one is
    missing.

    Rows of a long table without a label are in no block; `without_label` has their indices.
    """

    def __init__(
        self, table: TableRecords, numbers: Numbers, word: str, cells: dict[int, pa.Array]
    ) -> None:
        self.table = table
        self.n_rows = len(numbers)
        self.cells = cells
        self.named = {name: cells[at] for name, at in table.columns.at.items()}
        numbered = (
            np.arange(numbers.start, numbers.stop)
            if isinstance(numbers, range)
            else np.asarray(numbers, dtype=np.int64)
        )
        self.numbers = pc.cast(number_column(numbered), pa.string())
        self.location = pc.binary_join_element_wise(scalar(word), self.numbers, scalar(" "))
        self.passes: Column = 1
        self.bounds: tuple[pa.Array, pa.Array]

    def _text(self, name: str, default: Column = "") -> Column:
        """Return the column, with `default` where it is empty or missing."""
        texts = self.named.get(name)
        if texts is None or not (given := _is_not_empty(texts)).true_count:
            return default
        if not given.false_count:
            return texts
        return pc.if_else(given, texts, scalar(default) if isinstance(default, str) else default)

    def are_plain(self) -> bool:
        """Return whether all rows are plain; only then are there `columns`."""
        columns, table = self.table.columns, self.table
        needed = [self.named[name] for name in _NEEDED[columns.layout] if name in self.named]
        if any(map(_is_blank, needed)):
            return False
        if "annotator" in _NEEDED[columns.layout] and not (table.named or table.who):
            return False
        if (passes := self.named.get("pass")) is not None:
            coded = passes.dictionary_encode()
            spelled = [*map(parse_pass, coded.dictionary.to_pylist())]
            if any(isinstance(number, Problem) for number in spelled):
                return False
            numbers = pa.array(spelled, pa.int32()).take(coded.indices)
            self.passes = numbers.fill_null(1)
        if (counts := self.named.get(COUNT)) is not None and any(
            isinstance(parse_item_count(cell), Problem) for cell in counts.unique().to_pylist()
        ):
            return False
        if columns.layout is Layout.UNITS and not self._are_spans():
            return False
        if (roles := self.named.get("role")) is None:
            return True
        pairs = distinct_rows([self._annotators(), roles.fill_null("")])
        return all(table.role_problem(who, role) is None for who, role in pairs)

    def _annotators(self) -> Column:
        """Return the column, or the annotator named by the source or the file's path."""
        return self.named["annotator"] if self.table.named else self.table.who

    def _are_spans(self) -> bool:
        fragments = self.named.get("fragments")
        if fragments is not None and _is_not_empty(fragments).true_count:
            return False
        starts, ends = (self.named[name] for name in ("start", "end"))
        if self.table.bounds.factor == 1.0 and _are_digits(starts) and _are_digits(ends):
            self.bounds = starts.cast(pa.int64()), ends.cast(pa.int64())
        else:
            pairs = [*map(self.table.bounds.pair, starts.to_pylist(), ends.to_pylist())]
            if any(isinstance(pair, Problem) for pair in pairs):
                return False
            first, last = zip(*pairs, strict=True)
            self.bounds = pa.array(first, pa.int64()), pa.array(last, pa.int64())
        return not pc.less(*self.bounds).false_count

    @cached_property
    def without_label(self) -> Sequence[int]:
        """The rows without a label, which `TableRecords` rejects."""
        if self.table.columns.layout is not Layout.LONG:
            return ()
        labels = pc.fill_null(self.named["label"], scalar(""))
        is_blank = pc.or_(pc.equal(labels, scalar("")), pc.utf8_is_space(labels))
        return cast(list[int], pc.indices_nonzero(is_blank).to_pylist())

    def columns(self) -> Iterator[dict[str, Column]]:
        """Yield the columns of the rows that are kept, at once or item by item."""
        of_layout = {
            Layout.LONG: self._long_columns,
            Layout.WIDE: self._wide_columns,
            Layout.UNITS: self._unit_columns,
            Layout.RELATIONS: self._relation_columns,
        }
        return of_layout[self.table.columns.layout]()

    def _common_columns(self) -> dict[str, Column]:
        return {
            "document": self._text("document", self.table.home),
            "layer": self._text("layer"),
            "annotator": self._annotators(),
            "pass": self.passes,
            "location": self.location,
        }

    def _texts(self) -> dict[str, Column]:
        """Return the column of the items' texts, if the table has one."""
        texts = self.named.get(TEXT)
        return {} if texts is None else {"text": shortened_texts(texts)}

    def are_kept(self, columns: dict[str, Column]) -> NDArray[np.bool_]:
        """Return which rows are of the layers that are read; labels must not be empty."""
        table, kept = self.table, np.ones(len(columns["location"]), dtype=np.bool_)
        if table.layers and isinstance(layer := columns["layer"], str):
            kept &= layer in table.layers
        elif table.layers:
            kept &= as_numpy(pc.is_in(layer, value_set=column([*table.layers], pa.string())))
        if "labels" in columns:
            kept &= as_numpy(pc.list_value_length(columns["labels"])) > 0
        return kept

    def _labels_of(self, cells: pa.Array) -> pa.Array:
        """Return the labels of each of some different cells."""
        return column([*map(self.table.labels, cells.to_pylist())], _LABELS)

    def _long_columns(self) -> Iterator[dict[str, Column]]:
        coded = self.named["label"].dictionary_encode(null_encoding="encode")
        labels = self._labels_of(coded.dictionary).take(coded.indices)
        n_empty = pc.sum(pc.equal(pc.list_value_length(labels), scalar(0))).as_py() or 0
        self.table.n_marked += n_empty - len(self.without_label)
        yield {**self._common_columns(), **self._texts(), "item": self._items(), "labels": labels}

    def _unit_columns(self) -> Iterator[dict[str, Column]]:
        starts, ends = (self.named[name] for name in ("start", "end"))
        yield {
            **self._common_columns(),
            "unit": self._text("unit", self.numbers),
            "start_offset": self.bounds[0],
            "end_offset": self.bounds[1],
            "category": self._text("category"),
            "surface": self._text("surface", None),
            "source_offsets": pc.binary_join_element_wise(starts, ends, scalar(" ")),
        }

    def _relation_columns(self) -> Iterator[dict[str, Column]]:
        yield {
            **self._common_columns(),
            "from_unit": self.named["from_unit"],
            "to_unit": self.named["to_unit"],
            "relation": self._text("relation", self.numbers),
            "category": self._text("category"),
        }

    def _wide_columns(self) -> Iterator[dict[str, Column]]:
        """Yield columns with one row per cell that holds a label, item by item."""
        places, names = zip(*self.table.columns.across, strict=True)
        cells = pa.concat_arrays([self.cells[at] for at in places])
        coded = cells.dictionary_encode(null_encoding="encode")
        labels = self._labels_of(coded.dictionary)
        given = pc.list_value_length(labels).to_numpy() > 0
        by_row = coded.indices.to_numpy().reshape(len(names), self.n_rows).T
        for rows, items in self._numbered_items():
            of_items = by_row[rows]
            item, annotator = np.nonzero(given[of_items])
            common = {**self._common_columns(), **self._texts()}.items()
            yield {
                name: column.take(rows[item]) if isinstance(column, pa.Array) else column
                for name, column in common
            } | {
                "item": items.take(item),
                "annotator": pa.array(names).take(annotator),
                "labels": labels.take(of_items[item, annotator]),
            }

    def _items(self) -> pa.Array:
        """Return the column, or the numbers of the rows."""
        names = self.named.get("item")
        if names is not None:
            return names
        first = self.table.n_rows + 1
        return pc.cast(number_column(np.arange(first, first + self.n_rows)), pa.string())

    def _numbered_items(self) -> Iterator[tuple[Any, pa.Array]]:
        """Yield rows and names of items; a row with a count stands for several items."""
        names, counts = self._items(), self.named.get(COUNT)
        if counts is None:
            yield np.arange(self.n_rows), names
            return
        items = (
            (k, name_of_repeated_item(name, ordinal))
            for k, (name, count) in enumerate(
                zip(names.to_pylist(), counts.to_pylist(), strict=True)
            )
            for ordinal in range(1, int(count) + 1)
        )
        while some := list(islice(items, ROWS)):  # a row may stand for millions
            rows, named = zip(*some, strict=True)
            yield np.array(rows), pa.array(named)


def _is_not_empty(column: pa.Array) -> pa.BooleanArray:
    given = pc.not_equal(column, scalar(""))
    return pc.fill_null(given, scalar(False)) if column.null_count else given


def _is_blank(column: pa.Array) -> bool:
    """Whether a cell is empty, or blanks only."""
    return bool(_is_not_empty(column).false_count or pc.utf8_is_space(column).true_count)


def _are_digits(column: pa.Array) -> bool:
    is_short = pc.less_equal(pc.binary_length(column), scalar(MOST_DIGITS))
    digits = pc.and_(pc.ascii_is_decimal(column), is_short)
    return not digits.false_count
