"""Tables of labels (long or wide) and of units (long): CSV, TSV, JSON lines, Parquet, Excel.

| layout | columns |
|---|---|
| long | item, annotator, label; document, layer, pass where there are any |
| wide | item (else the row's number), one column an annotator; document, layer, pass |
| units | annotator, start, end; category, document, layer, pass, unit |

Without a document column the file is the document. An empty cell of a wide table is a missing
label; an empty label of a long table is refused (`empty_value`). Labels stay strings. A unit
without a name is called by its row. Who is not in the table is unknown: no assignment is made up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from data.errors import DataError
from data.readers.base import SourceOptions
from data.readers.bounds import OFFSET_UNIT_OPTION, Bounds
from data.readers.naming import document_name, source_name
from data.readers.records import Seen, rejected
from data.readers.spans import Problem, integer
from data.readers.table_layout import COLUMNS, Columns, Layout, find_columns
from data.readers.table_rows import SUFFIXES, Cell, open_rows
from data.schema import Label, Record, Unit


class TableReader:
    NAME = "table"
    DESCRIPTION = "tables of labels (long, wide) or units: CSV, TSV, JSON lines, Parquet, Excel"
    PATTERNS: tuple[str, ...] = tuple(f"*{suffix}" for suffix in SUFFIXES if suffix != ".txt")
    OPTIONS: Mapping[str, str] = {
        **{name: f"the table's own name for the column `{name}`" for name in COLUMNS},
        "layout": "long, wide or units; guessed from the columns without it",
        "columns": "the columns' names, separated by commas, when the file has no header line",
        "offset_unit": OFFSET_UNIT_OPTION + "; char without it",
        "separator": "what stands between the labels of a cell of a multi-label item",
        "missing": "what a cell without a label holds, besides nothing (`NA`, `.`)",
        "delimiter": "what stands between the cells; guessed without it",
        "encoding": "the file's encoding; UTF-8 or its byte order mark without it",
        "sheet": "the sheet of an Excel workbook; the first without it",
    }

    def probe(self, path: Path) -> bool:
        if path.is_dir() or path.suffix.lower() not in SUFFIXES:
            return False
        try:
            find_columns(open_rows(path).header, path.name)
        except DataError:
            return False
        return True

    def read(self, path: Path, options: SourceOptions) -> Iterator[Record]:
        extra = options.extra
        names = [name.strip() for name in extra.get("columns", "").split(",") if name.strip()]
        header, rows = open_rows(
            path,
            names=names,
            encoding=extra.get("encoding", "utf-8"),
            delimiter=_delimiter(extra.get("delimiter")),
            sheet=extra.get("sheet"),
        )
        columns = find_columns(
            header,
            path.name,
            named={name: extra[name] for name in COLUMNS if name in extra},
            layout=_layout(extra.get("layout")),
        )
        table = _Table(path, columns, len(header), options)
        for where, row in rows:
            yield from table.records(where, row)


READER = TableReader()


def _delimiter(name: str | None) -> str | None:
    if name is None:
        return None
    delimiter = {"tab": "\t", "\\t": "\t"}.get(name, name)
    if len(delimiter) != 1:
        raise DataError(f"option delimiter = {name!r}: it must be one character (or `tab`)")
    return delimiter


def _layout(name: str | None) -> Layout | None:
    try:
        return None if name is None else Layout(name)
    except ValueError as error:
        allowed = ", ".join(Layout)
        raise DataError(f"option layout = {name!r}: allowed are {allowed}") from error


class _Table:
    """What the rows of one file become."""

    def __init__(self, path: Path, columns: Columns, width: int, options: SourceOptions) -> None:
        self.source = source_name(path, options)
        self.home = document_name(path, options)
        self.columns = columns
        self.width = width
        self.options = options
        self.missing = {"", options.extra.get("missing", "")}
        self.separator = options.extra.get("separator")
        self.bounds = Bounds(options.extra.get("offset_unit", "char"))
        unit = self.bounds.offset_unit
        self.seen = (
            Seen(self.source, options, unit)
            if columns.layout is Layout.UNITS
            else Seen(self.source, options)
        )
        self.n_rows = 0
        self.table = "units" if columns.layout is Layout.UNITS else "labels"

    def records(self, where: str, row: list[Cell] | Problem) -> Iterator[Record]:
        self.n_rows += 1
        if isinstance(row, Problem):
            yield rejected(row, source=self.source, where=where, table=self.table)
            return
        if len(row) < self.width:
            row = [*row, *[None] * (self.width - len(row))] if row[0] is not None else row
        made: Iterator[Record] | Problem
        if len(row) != self.width and any(cell for cell in row[self.width :]):
            made = Problem(
                "wrong_number_of_columns",
                str(len(row)),
                f"{len(row)} cells where the header has {self.width}",
            )
        elif self.columns.layout is Layout.UNITS:
            made = self._unit(where, row)
        elif self.columns.layout is Layout.WIDE:
            made = self._wide(where, row)
        else:
            made = self._label(where, row)
        if isinstance(made, Problem):
            yield rejected(
                made,
                source=self.source,
                where=where,
                table=self.table,
                document=self._cell(row, "document"),
                annotator=self._cell(row, "annotator"),
            )
        else:
            yield from made

    def _cell(self, row: list[Cell], name: str, default: str = "") -> str:
        at = self.columns.at.get(name)
        cell = row[at] if at is not None and at < len(row) else None
        return default if cell is None or isinstance(cell, list) else cell

    def _pass(self, row: list[Cell]) -> int | Problem:
        text = self._cell(row, "pass", "1")
        number = integer(text)
        if number is None or not 0 < number < 2**31:
            return Problem("bad_pass", text, f"the pass {text!r} is not a whole number from 1")
        return number

    def _labels(self, cell: Cell) -> tuple[str, ...]:
        if isinstance(cell, list):
            return tuple(cell)
        if cell is None or cell in self.missing:
            return ()
        return tuple(cell.split(self.separator)) if self.separator else (cell,)

    def _label(self, where: str, row: list[Cell]) -> Iterator[Record] | Problem:
        number = self._pass(row)
        if isinstance(number, Problem):
            return number
        item, annotator = self._cell(row, "item"), self._cell(row, "annotator")
        cell = row[self.columns.at["label"]]
        for name, value in (("item", item), ("annotator", annotator), ("label", cell)):
            if value is None or value == "":
                return Problem("empty_value", name, f"the row has no {name}")
        labels = self._labels(cell)
        if not labels and not isinstance(cell, list):
            return iter(())  # the mark that the source declares for a missing label
        document = self._cell(row, "document") or self.home
        label = Label(
            document=document,
            item=item,
            annotator=annotator,
            labels=labels,
            layer=self._cell(row, "layer"),
            pass_=number,
            source=self.source,
            where=where,
        )
        return self._first_seen(label)

    def _wide(self, where: str, row: list[Cell]) -> Iterator[Record] | Problem:
        number = self._pass(row)
        if isinstance(number, Problem):
            return number
        item = self._cell(row, "item") if "item" in self.columns.at else str(self.n_rows)
        if not item:
            return Problem("empty_value", "item", "the row has no item")
        document = self._cell(row, "document") or self.home
        layer = self._cell(row, "layer")
        return (
            record
            for at, annotator in self.columns.annotators
            if (labels := self._labels(row[at]))
            for record in self._first_seen(
                Label(document, item, annotator, labels, layer, number, self.source, where)
            )
        )

    def _unit(self, where: str, row: list[Cell]) -> Iterator[Record] | Problem:
        number = self._pass(row)
        if isinstance(number, Problem):
            return number
        annotator = self._cell(row, "annotator")
        start, end = self._cell(row, "start"), self._cell(row, "end")
        if not annotator:
            return Problem("empty_value", "annotator", "the row has no annotator")
        bounds = self.bounds.pair(start, end)
        if isinstance(bounds, Problem):
            return bounds
        unit = Unit(
            document=self._cell(row, "document") or self.home,
            annotator=annotator,
            unit=self._cell(row, "unit") or where.split()[-1],
            start=bounds[0],
            end=bounds[1],
            category=self._cell(row, "category"),
            layer=self._cell(row, "layer"),
            pass_=number,
            source_offsets=f"{start} {end}",
            source=self.source,
            where=where,
        )
        return self._first_seen(unit)

    def _first_seen(self, record: Label | Unit) -> Iterator[Record]:
        layers = self.options.layers
        if layers and record.layer not in layers:
            return
        yield from self.seen.new(record.document, record.annotator, record.pass_)
        yield record
