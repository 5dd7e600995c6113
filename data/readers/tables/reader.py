"""Tables of labels (long or wide), of units and of relations: CSV, TSV, JSON lines, Parquet, Excel.

| layout | columns |
|---|---|
| long | item, annotator, label; document, layer, pass where there are any |
| wide | item (else the row's number), one column an annotator; document, layer, pass, count |
| units | annotator, start, end; category, document, layer, pass, unit, fragments, surface |
| relations | annotator, from_unit, to_unit; category, document, layer, pass, relation |

Without a document column the file is the document. Without an annotator column the source's
`annotator` is who it was, or, with `file=annotator`, the file's or its folder's name (see
`common.naming`). An empty cell of a wide table is a missing
label; an empty label of a long table is refused (`empty_value`). Labels stay strings. A unit or
relation without a name is called by its row. `fragments` (`5 9;11 15`) are the pieces of a
discontinuous unit, from its start to its end, else it is refused (`bad_fragments`); they count what
the tables keep (`ms` where the bounds are `s`). With `count` a row of a wide table stands for as
many items as that column says, `ITEM#1`, `ITEM#2` …; 0 gives nothing, and what is no whole number
or too many is refused (`bad_count`). Who is not in the table is unknown: no assignment
is made up. In a table of units a row without start, end, category and fragments says that the
annotator went through the document and, where no other row has a unit, marked nothing. With
`length` the documents have the length of that column; one that a row contradicts refuses the row
(`other_length`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from ...blocks import Rows
from ...errors import DataError
from ..base import SourceOptions
from ..common.bounds import OFFSET_UNIT_OPTION
from ..common.naming import FILE_OPTION, known_columns
from .blocks import batch_rows
from .layout import COLUMNS, COUNT, LENGTH, Layout, find_columns
from .records import TableRecords
from .rows import SUFFIXES, TableFile, open_rows


class TableReader:
    NAME = "table"
    DESCRIPTION = (
        "tables of labels (long, wide), units or relations: CSV, TSV, JSON lines, Parquet, Excel"
    )
    PATTERNS: tuple[str, ...] = tuple(f"*{suffix}" for suffix in SUFFIXES if suffix != ".txt")
    OPTIONS: Mapping[str, str] = {
        **{name: f"the table's own name for the column `{name}`" for name in COLUMNS},
        COUNT: "the column of a wide table that says how many items have the row's labels: each is "
        "one of its own, called by its row (`3#1`, `3#2` …)",
        LENGTH: "the column of a table of units that says how long the row's document is; without "
        "it a document is taken to go from its first unit's start to its last one's end",
        "file": FILE_OPTION,
        "layout": "long, wide, units or relations, guessed from the columns without it; or what a "
        "folder is: `annotator/document` or `document/annotator`",
        "columns": "the columns' names, separated by commas, when the file has no header line",
        "offset_unit": OFFSET_UNIT_OPTION + "; char without it",
        "repeats": "an annotator's second label of an item: `keep` (default: two rows of one pass, "
        "which the checks refuse) or `pass` (it is of pass 2, the third of pass 3 …)",
        "separator": r"what stands between the labels of a cell of a multi-label item (`\n` is a "
        "line break)",
        "missing": "what a cell without a label holds, besides nothing (`NA`, `.`)",
        "delimiter": "what stands between the cells; guessed without it",
        "encoding": "the file's encoding; UTF-8 or its byte order mark without it",
        "sheet": "the sheet of an Excel workbook; the first without it",
    }

    def probe(self, path: Path) -> bool:
        return _is_table(path)

    def probe_rows(self, path: Path) -> bool:
        """`probe` for a table that may lack the column `annotator`."""
        return _is_table(path, known=("annotator",))

    def read(self, path: Path, options: SourceOptions) -> Iterator[Rows]:
        table, file = self._opened(path, options)
        for batch in file.batches:
            yield from batch_rows(table, batch, file.word)

    def _opened(self, path: Path, options: SourceOptions) -> tuple[TableRecords, TableFile]:
        extra = options.extra
        names = [name.strip() for name in extra.get("columns", "").split(",") if name.strip()]
        file = open_rows(
            path,
            names=names,
            encoding=extra.get("encoding", "utf-8"),
            delimiter=_delimiter(extra.get("delimiter")),
            sheet=extra.get("sheet"),
        )
        columns = find_columns(
            file.header,
            path.name,
            named={name: extra[name] for name in (*COLUMNS, COUNT, LENGTH) if name in extra},
            layout=_layout(extra.get("layout")),
            known=known_columns(options),
        )
        options.notes.ignore(columns.ignored)
        return TableRecords(path, columns, len(file.header), options), file


READER = TableReader()


def _is_table(path: Path, known: Collection[str] = ()) -> bool:
    if path.is_dir() or path.suffix.lower() not in SUFFIXES:
        return False
    try:
        find_columns(open_rows(path).header, path.name, known=known)
    except DataError:
        return False
    return True


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
