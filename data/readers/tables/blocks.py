"""Convert batches of table rows to blocks: plain rows at once, others through `TableRecords`.

A row is plain when it breaks no rule and needs no individual check; `TableRecords` alone checks the
other rows and words their errors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress, islice, repeat
from operator import lt
from typing import Any

from ...blocks import Rows, block
from ..common.spans import Problem, are_digits
from .cells import ROWS, Batch, item_count, item_name, pass_of
from .layout import COUNT, LENGTH, Layout
from .records import TableRecords

_FEW, _PIECE = 64, 256  # smaller batches are read row by row; mixed ones are cut into pieces
_NEEDED = {  # the columns that are never empty in a plain row
    Layout.LONG: ("item", "annotator", "label"),
    Layout.WIDE: ("item",),
    Layout.UNITS: ("annotator", "start", "end"),
    Layout.RELATIONS: ("annotator", "from_unit", "to_unit"),
}
_TEXTS, _CELLS = frozenset({str}), frozenset({str, type(None)})


def batch_rows(table: TableRecords, batch: Batch, word: str) -> Iterator[Rows]:
    """Yield what `table.records` gives for each row of the batch, in the same order."""
    by_rows = (
        table.repeats is not None
        or LENGTH in table.columns.at
        or table.columns.layout is Layout.TRANSPOSED
    )
    plain = None if by_rows or len(batch) < _FEW else _Plain.of(table, batch, word)
    if plain is not None:
        yield from plain.blocks()
        table.n_rows += len(batch)
    elif len(batch) > _PIECE and not by_rows:
        for start in range(0, len(batch), _PIECE):
            yield from batch_rows(table, batch.part(start, start + _PIECE), word)
    else:
        for number, row in zip(batch.numbers, batch.rows, strict=True):
            yield from table.records(f"{word} {number}", row)


class _Plain:
    """The columns of plain rows, as lists of strings."""

    def __init__(self, table: TableRecords, batch: Batch, word: str, cells: list[Any]) -> None:
        self.table = table
        self.n_rows = len(batch)
        self.cells = cells
        self.numbers = [*map(str, batch.numbers)]
        self.location = [f"{word} {number}" for number in self.numbers]
        self.passes: list[int] | int = 1
        self.bounds: tuple[list[int], list[int]] = ([], [])

    @staticmethod
    def of(table: TableRecords, batch: Batch, word: str) -> _Plain | None:
        """Make the columns; None when one of the rows is not plain."""
        cells = batch.cells(table.width)
        if cells is None:
            return None
        found = _Plain(table, batch, word, cells)
        return found if found._is_plain() else None

    def _column(self, name: str) -> list[Any] | None:
        at = self.table.columns.at
        return self.cells[at[name]] if name in at else None

    def _text(self, name: str, default: Any = "") -> Any:
        """Return the column, with `default` where it is empty or missing."""
        column = self._column(name)
        if column is None or not any(column):
            return default
        if not isinstance(default, list):
            default = repeat(default)
        return [value or other for value, other in zip(column, default, strict=False)]

    def _is_plain(self) -> bool:
        columns = self.table.columns
        needed = _NEEDED[columns.layout]
        used = [*columns.at.values(), *(at for at, _ in columns.annotators)]
        if not all(_CELLS.issuperset(map(type, self.cells[at])) for at in used):
            return False
        if not all(all(self.cells[columns.at[name]]) for name in needed if name in columns.at):
            return False
        if "annotator" in needed and not (self.table.named or self.table.who):
            return False
        passes = self._column("pass")
        if passes is not None:
            spelled = {cell: 1 if cell is None else pass_of(cell) for cell in set(passes)}
            if any(isinstance(number, Problem) for number in spelled.values()):
                return False
            self.passes = [spelled[cell] for cell in passes]  # type: ignore[misc]  # no Problem
        counts = map(item_count, set(self._column(COUNT) or ()))
        if any(isinstance(count, Problem) for count in counts):
            return False
        if columns.layout is Layout.UNITS and not self._are_spans():
            return False
        roles = self._column("role")
        if roles is None:
            return True
        pairs = dict.fromkeys(zip(self._annotators(), roles, strict=False))
        return all(self.table.role_problem(who, role) is None for who, role in pairs)

    def _annotators(self) -> Any:
        """Return the column, or the annotator named by the source or the file's path."""
        return self._column("annotator") if self.table.named else repeat(self.table.who)

    def _are_spans(self) -> bool:
        if any(self._column("fragments") or ()):
            return False
        found = []
        for name in ("start", "end"):
            column = self.cells[self.table.columns.at[name]]
            if self.table.bounds.factor == 1.0 and are_digits(column):
                found.append([*map(int, column)])
        if len(found) < 2:
            starts, ends = (self.cells[self.table.columns.at[name]] for name in ("start", "end"))
            pairs = [*map(self.table.bounds.pair, starts, ends)]
            if any(isinstance(pair, Problem) for pair in pairs):
                return False
            found = [[*column] for column in zip(*pairs, strict=True)]
        self.bounds = (found[0], found[1])
        return all(map(lt, *self.bounds))

    def blocks(self) -> Iterator[Rows]:
        if self.table.columns.layout is Layout.WIDE:
            people = [
                (name, self._labels_of(self.cells[at]))
                for at, name in self.table.columns.annotators
            ]
            items = self._numbered_items()
            while some := list(islice(items, ROWS)):
                yield from self._block_of_columns(self._wide_columns(some, people))
            return
        columns = {
            Layout.LONG: self._long_columns,
            Layout.UNITS: self._unit_columns,
            Layout.RELATIONS: self._relation_columns,
        }[self.table.columns.layout]()
        annotators = self._annotators()
        columns["annotator"] = annotators if self.table.named else self.table.who
        yield from self._block_of_columns(self._common_columns() | columns)

    def _block_of_columns(self, columns: dict[str, Any]) -> Iterator[Rows]:
        """Yield new documents and assignments, then the block of rows that are kept."""
        table = self.table
        kept = self._rows_with_label(columns)
        if kept is not None:
            columns = {
                name: [*compress(column, kept)] if isinstance(column, list) else column
                for name, column in columns.items()
            }
        n_rows = len(columns["location"])
        if not n_rows:
            return
        document, annotator, pass_ = (columns[n] for n in ("document", "annotator", "pass"))
        yield from table.seen.new_of_rows(document, annotator, pass_, n_rows, table.roles)
        yield block(table.table, n_rows, {**columns, "source": table.source})

    def _rows_with_label(self, columns: dict[str, Any]) -> list[bool] | None:
        """Return which rows have a label in a layer that the source keeps; None for all rows."""
        kept = None
        layers, layer = self.table.layers, columns["layer"]
        if layers:
            n_rows = len(columns["location"])
            of_rows = layer if isinstance(layer, list) else repeat(layer, n_rows)
            kept = [name in layers for name in of_rows]
        labels = columns.get("labels")
        if labels is not None and not all(labels):
            given = [*map(bool, labels)]
            kept = given if kept is None else [a and b for a, b in zip(kept, given, strict=True)]
        return kept

    def _common_columns(self) -> dict[str, Any]:
        return {
            "document": self._text("document", self.table.home),
            "layer": self._text("layer"),
            "pass": self.passes,
            "location": self.location,
        }

    def _labels_of(self, cells: Sequence[Any]) -> list[tuple[str, ...]]:
        made = {cell: self.table.labels(cell) for cell in set(cells)}
        return [made[cell] for cell in cells]

    def _long_columns(self) -> dict[str, Any]:
        return {
            "item": self._column("item"),
            "labels": self._labels_of(self._column("label") or ()),
        }

    def _unit_columns(self) -> dict[str, Any]:
        starts, ends = (self.cells[self.table.columns.at[name]] for name in ("start", "end"))
        return {
            "unit": self._text("unit", self.numbers),
            "start_offset": self.bounds[0],
            "end_offset": self.bounds[1],
            "category": self._text("category"),
            "surface": self._text("surface", None),
            "source_offsets": [f"{a} {b}" for a, b in zip(starts, ends, strict=True)],
        }

    def _relation_columns(self) -> dict[str, Any]:
        return {
            "from_unit": self._column("from_unit"),
            "to_unit": self._column("to_unit"),
            "relation": self._text("relation", self.numbers),
            "category": self._text("category"),
        }

    def _numbered_items(self) -> Iterator[tuple[int, str]]:
        """Yield (row, name) of each item; a row with a count stands for several items."""
        names = self._column("item")
        counts = self._column(COUNT)
        for k in range(self.n_rows):
            name = str(self.table.n_rows + k + 1) if names is None else names[k]
            if counts is None:
                yield k, name
                continue
            for ordinal in range(1, int(counts[k]) + 1):
                yield k, item_name(name, ordinal)

    def _wide_columns(
        self, items: list[tuple[int, str]], people: list[tuple[str, list[tuple[str, ...]]]]
    ) -> dict[str, Any]:
        """Return columns with one row per cell that holds a label, item by item."""
        found = [(k, item, who, given[k]) for k, item in items for who, given in people if given[k]]
        rows = [k for k, *_ in found]
        return {
            name: [column[k] for k in rows] if isinstance(column, list) else column
            for name, column in self._common_columns().items()
        } | {
            "item": [item for _, item, _, _ in found],
            "annotator": [who for _, _, who, _ in found],
            "labels": [labels for *_, labels in found],
        }
