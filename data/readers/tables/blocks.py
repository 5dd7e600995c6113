"""A batch of a table's rows to blocks: plain rows at once, the others through `TableRecords`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ...blocks import Rows, block
from ...schema import Role
from .columns import Mask, as_mask, bounds, by_runs, filled, whole_numbers
from .item_counts import MARK, MOST_ITEMS, items_of_rows
from .layout import COUNT, LENGTH, Layout
from .records import TableRecords
from .row_batches import Batch, string_columns

# the columns that no plain row leaves empty
_NEEDED = {
    Layout.LONG: ("item", "annotator", "label"),
    Layout.WIDE: ("item",),
    Layout.UNITS: ("annotator",),
    Layout.RELATIONS: ("annotator", "from_unit", "to_unit"),
}


def batch_rows(table: TableRecords, batch: Batch, word: str) -> Iterator[Rows]:
    """What `table.records` gives for each row of the batch, in the same order."""
    one_by_one = table.repeats is not None or LENGTH in table.columns.at
    cells = None if one_by_one else _Cells.of(table, batch, word)
    if cells is None:
        yield from _one_by_one(table, batch, word, 0, len(batch))
        return

    def blocks(start: int, end: int) -> Iterator[Rows]:
        yield from cells.blocks(start, end)
        table.n_rows += end - start

    yield from by_runs(cells.plain(), blocks, partial(_one_by_one, table, batch, word))


def _one_by_one(
    table: TableRecords, batch: Batch, word: str, start: int, end: int
) -> Iterator[Rows]:
    numbers = batch.numbers[start:end]
    for number, row in zip(numbers, batch.rows[start:end], strict=True):
        yield from table.records(f"{word} {number}", row)


class _Cells:
    """The columns of a batch that mean something, as Arrow arrays of strings."""

    def __init__(
        self,
        table: TableRecords,
        batch: Batch,
        word: str,
        columns: dict[int, pa.Array],
        odd: list[int],
    ) -> None:
        self.odd = odd
        self.table = table
        self.at = table.columns.at
        self.columns = columns
        self.n_rows = len(batch)
        self.numbers = pc.cast(pa.array(np.asarray(batch.numbers, dtype=np.int64)), pa.string())
        self.where = pc.binary_join_element_wise(word, self.numbers, " ")

    @staticmethod
    def of(table: TableRecords, batch: Batch, word: str) -> _Cells | None:
        """None when a cell is a list."""
        wanted = [*table.columns.at.values(), *(at for at, _ in table.columns.annotators)]
        found = string_columns(batch, table.width, wanted)
        return None if found is None else _Cells(table, batch, word, *found)

    def column(self, name: str) -> pa.Array | None:
        return self.columns[self.at[name]] if name in self.at else None

    def text(self, name: str, default: pa.Array | str | None = "") -> Any:
        """The column, with `default` where it is empty or missing."""
        column = self.column(name)
        if column is None:
            return default
        if default is None:
            default = pa.scalar(None, pa.string())
        return pc.if_else(pc.fill_null(pc.not_equal(column, ""), False), column, default)

    def annotators(self) -> pa.Array:
        """The column, or the annotator that the source or the file's name says."""
        column = self.column("annotator")
        return pa.repeat(self.table.who, self.n_rows) if column is None else column

    def plain(self) -> Mask:
        """The rows that break no rule and need no second look."""
        plain = np.ones(self.n_rows, dtype=bool)
        plain[self.odd] = False
        for name in _NEEDED[self.table.columns.layout]:
            column = self.column(name)
            if column is not None:
                plain &= filled(column)
        passes = self.column("pass")
        self.passes: Any = 1
        if passes is not None:
            numbers, spelled = whole_numbers(passes)
            plain &= spelled & (numbers > 0) & (numbers < 2**31)
            self.passes = pa.array(np.where(plain, numbers, 1), pa.int32())
        counts = self.column(COUNT)
        self.counts: NDArray[np.int64] | None = None
        if counts is not None:
            self.counts, spelled = whole_numbers(counts)
            plain &= spelled & (self.counts <= MOST_ITEMS)
        if "role" in self.at and not self._roles_are_plain():
            plain[:] = False
        if self.table.columns.layout is Layout.UNITS:
            factor = self.table.bounds.factor
            self.start, starts = bounds(self.columns[self.at["start"]], factor)
            self.end, ends = bounds(self.columns[self.at["end"]], factor)
            plain &= starts & ends & (self.start < self.end)
            fragments = self.column("fragments")
            if fragments is not None:
                plain &= ~filled(fragments)
        return plain

    def _roles_are_plain(self) -> bool:
        """Whether every annotator has one known role, that of the rows before; it is noted."""
        roles = pc.utf8_lower(pc.utf8_trim_whitespace(self.text("role", str(Role.HUMAN))))
        pairs = pa.table({"annotator": self.annotators(), "role": roles})
        found = pairs.group_by(["annotator", "role"]).aggregate([]).to_pylist()
        known = self.table.roles
        given = {row["annotator"]: row["role"] for row in found}
        if len(given) < len(found) or not {*given.values()} <= {*map(str, Role)}:
            return False
        if any(known.get(who, role) != role for who, role in given.items()):
            return False
        known.update({who: Role(role) for who, role in given.items()})
        return True

    def blocks(self, start: int, end: int) -> Iterator[Rows]:
        """The rows from `start` to `end`, all plain."""
        layout = self.table.columns.layout
        if layout is Layout.WIDE:
            if self.counts is None:
                yield from self._block(self._wide(start, end, np.arange(end - start)))
                return
            for rows, ordinals in items_of_rows(self.counts[start:end]):
                yield from self._block(self._wide(start, end, rows, ordinals))
            return
        columns = {
            Layout.LONG: self._long,
            Layout.UNITS: self._units,
            Layout.RELATIONS: self._relations,
        }[layout]()
        yield from self._block(_each(columns, lambda column: column[start:end]))

    def _block(self, columns: dict[str, Any]) -> Iterator[Rows]:
        """What is kept of the columns, after what is seen in them for the first time."""
        kept = self._kept(columns)
        if not kept.all():
            mask = pa.array(kept)
            columns = _each(columns, lambda column: column.filter(mask))
        n_rows = len(columns["where"])
        if not n_rows:
            return
        documents, annotators, passes = (columns[n] for n in ("document", "annotator", "pass"))
        roles = self.table.roles
        yield from self.table.seen.new_of_rows(documents, annotators, passes, roles)
        if "labels" in columns:
            columns["labels"] = self._lists(columns["labels"])
        yield block(self.table.table, n_rows, {**columns, "source": self.table.source})

    def _common(self) -> dict[str, Any]:
        return {
            "document": self.text("document", self.table.home),
            "layer": self.text("layer"),
            "pass": self.passes,
            "where": self.where,
        }

    def _long(self) -> dict[str, Any]:
        given = {"item": self.column("item"), "labels": self.column("label")}
        return self._common() | given | {"annotator": self.annotators()}

    def _units(self) -> dict[str, Any]:
        stated = (self.column(name) for name in ("start", "end"))
        return {
            **self._common(),
            "annotator": self.annotators(),
            "unit": self.text("unit", self.numbers),
            "start": pa.array(self.start),
            "end": pa.array(self.end),
            "category": self.text("category"),
            "surface": self.text("surface", None),
            "source_offsets": pc.binary_join_element_wise(*stated, " "),
        }

    def _relations(self) -> dict[str, Any]:
        ends = {name: self.column(name) for name in ("from_unit", "to_unit")}
        ends["annotator"] = self.annotators()
        named = {"relation": self.text("relation", self.numbers), "category": self.text("category")}
        return self._common() | ends | named

    def _wide(
        self,
        start: int,
        end: int,
        rows: NDArray[np.int64],
        ordinals: NDArray[np.int64] | None = None,
    ) -> dict[str, Any]:
        """One row a cell that holds a label, item by item.

        rows  of the items, from 0 at `start`; `ordinals` tell the items of one row apart
        """
        people = self.table.columns.annotators
        n_rows, n_people = end - start, len(people)
        cells = pa.concat_arrays([self.columns[at][start:end] for at, _ in people])
        by_item = (rows[:, None] + n_rows * np.arange(n_people)).ravel()
        row = pa.array(np.repeat(rows, n_people))
        item = self.column("item")
        if item is None:
            item = pc.cast(pa.array(np.arange(n_rows) + self.table.n_rows + 1), pa.string())
        else:
            item = item[start:end]
        columns = _each(self._common(), lambda column: column[start:end]) | {"item": item}
        columns = _each(columns, lambda column: column.take(row))
        if ordinals is not None:
            numbers = pc.cast(pa.array(np.repeat(ordinals, n_people)), pa.string())
            columns["item"] = pc.binary_join_element_wise(columns["item"], numbers, MARK)
        return columns | {
            "annotator": pa.array([name for _, name in people]).take(
                pa.array(np.tile(np.arange(n_people), len(rows)))
            ),
            "labels": cells.take(pa.array(by_item)),
        }

    def _kept(self, columns: dict[str, Any]) -> Mask:
        """The rows of the layers that the source keeps, where there is a label."""
        kept = np.ones(len(columns["where"]), dtype=bool)
        if self.table.layers:
            layer = columns["layer"]
            if isinstance(layer, str):
                kept &= layer in self.table.layers
            else:
                kept &= as_mask(pc.is_in(layer, pa.array(sorted(self.table.layers))))
        if "labels" in columns:
            missing = pa.array([*sorted(self.table.missing), None], pa.string())
            kept &= ~as_mask(pc.is_in(columns["labels"], missing))
        return kept

    def _lists(self, labels: pa.Array) -> pa.Array:
        if self.table.separator:
            return pc.split_pattern(labels, self.table.separator)
        offsets = pa.array(np.arange(len(labels) + 1, dtype=np.int32))
        return pa.ListArray.from_arrays(offsets, labels)


def _each(columns: dict[str, Any], change: Callable[[pa.Array], pa.Array]) -> dict[str, Any]:
    """The columns changed; values that hold for all rows stay."""
    return {
        name: change(column) if isinstance(column, pa.Array) else column
        for name, column in columns.items()
    }
