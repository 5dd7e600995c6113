"""Tables of labels (long or wide), of units and of relations: CSV, TSV, JSON, Parquet, Excel.

| layout | columns |
|---|---|
| long | item, annotator, label; optionally document, layer, pass |
| wide | item (else the row's number), one column per annotator; document, layer, pass, count |
| units | annotator, start, end; category, document, layer, pass, unit, fragments, surface |
| relations | annotator, from_unit, to_unit; category, document, layer, pass, relation |
| counts | item (else the first column), one column per category; document, layer |
| transposed | annotator (else the row's number), one column per item; document, layer, pass |

The first line is the header unless every name in it could be a value of the cells; then the option
`header` must say what it is. A column of a wide table that numbers the rows is the item.

Without a document column the file is the document. Without an annotator column the annotator is the
source's `annotator`, or what the option `paths` names (`{annotator}.csv`). A cell is empty without
a character or with blanks only: in a wide table a missing label, in a long one rejected
(`empty_value`); a list without labels is the empty set ∅ (option `empty`), and so is an empty cell
of either with `empty=finished`. Labels stay strings. A
unit or relation without a name is named after its row.
`fragments` (`5 9;11 15`) are the pieces of a discontinuous unit and must extend from its start to
its end, otherwise the unit is rejected (`bad_fragments`); their offset unit is the one of the
stored table (`ms` if the bounds are `s`). Where the option `unit` names the column of the units,
rows of one unit and category are its fragments. With `count` a row of a wide table stands for as
many items as the column states, `ITEM#1`, `ITEM#2` …; 0 gives none, and values that are not whole
numbers or are too large are rejected (`bad_count`). No assignments are assumed for annotators who
are not in the table. In a table of units, a row without start, end, category and fragments states
that the annotator finished the document and, if no other row has a unit, marked nothing. With
`length` that column gives the length of the documents; a row that contradicts an earlier length is
rejected (`other_length`). A column called `length` is read so without the option if every document
has one length, which no unit exceeds; otherwise it is ignored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...blocks import Rows
from ...errors import DataError
from ...option_names import format_options
from ...schema import ExclusionReason
from ..base import SourceOptions
from ..common.bounds import Bounds
from ..common.files.json_stream import first_object
from ..common.files.text import first_bytes
from ..common.naming import is_queue
from .cells import ROWS, Batch, string_column
from .column_names import LENGTH
from .column_recognition import find_columns
from .delimited import delimited_batches, delimiter_of
from .description import announce
from .document_lengths import are_document_lengths
from .given import Given, GivenTable
from .header_lines import headerless_hint
from .item_texts import with_item_texts
from .layout import Columns, Layout
from .meaning import TableMeaning, understand_table
from .options import TableOptions
from .own_tables import restore_own_cells
from .parts import PartedTable, parts_of
from .records import TableRecords
from .row_times import RowTimes, column_of_times
from .rows_without_checks import batch_rows
from .table_file import TableFile
from .table_header import is_plain, table_with_header

if TYPE_CHECKING:
    import pyarrow as pa

DELIMITED = (".csv", ".tsv", ".tab", ".txt")
JSON_LINES = (".jsonl", ".ndjson")
JSON = (".json",)
PARQUET = (".parquet",)
EXCEL = (".xlsx", ".xlsm")
MOST_COLUMNS = 10_000
_DEFAULT = TableOptions()
SUFFIXES = (*DELIMITED, *JSON_LINES, *JSON, *PARQUET, *EXCEL)


class TooManyColumnsError(DataError):
    """A table with so many columns that it cannot be intended."""


class TableReader:
    NAME = "table"
    DESCRIPTION = (
        "tables of labels (long, wide), units or relations: CSV, TSV, JSON, Parquet, Excel"
    )
    PATTERNS: tuple[str, ...] = tuple(f"*{suffix}" for suffix in SUFFIXES if suffix != ".txt")
    OPTIONS = TableOptions

    def probe(self, path: Path) -> bool:
        return _is_table(path)

    def probe_without_annotator(self, path: Path) -> bool:
        """Apply `probe` to a table that may lack the column `annotator`."""
        return _is_table(path, known=("annotator",))

    def read(self, path: Given, options: SourceOptions) -> Iterator[Rows]:
        meaning = self._understood(path, options)
        file = meaning.file
        table = TableRecords(
            path,
            meaning.columns,
            len(file.header),
            options,
            replace(options.of_format(TableOptions), offset_unit=meaning.offset_unit),
        )
        times = _row_times(table, file, path.name, options)
        for batch in file.batches:
            if times is not None:
                times.note(batch)
            if meaning.sample is not None:
                meaning.sample.note(batch)
            yield from batch_rows(table, batch, file.word)
        if meaning.sample is not None:
            meaning.sample.check()
        options.notes.n_unit_tables += meaning.columns.layout is Layout.UNITS
        meaning.excluded.add(ExclusionReason.EMPTY_ANSWER, table.n_marked)
        yield from meaning.excluded.rows(table.source, table.table)
        if times is not None:
            yield from times.assignments()

    def _understood(self, path: Given, options: SourceOptions) -> TableMeaning:
        own = options.of_format(TableOptions)
        if isinstance(path, GivenTable):
            options.notes.add(path.notes)
        file = open_table(path, own)
        options.notes.name("title_lines", file.titles)
        options.notes.name("unread_sheets", file.unread)
        meaning = understand_table(file, path.name, options)
        if options.item_texts and not isinstance(path, GivenTable):
            meaning = with_item_texts(meaning, options)
        columns = meaning.columns
        if columns.layout is Layout.UNITS and LENGTH not in own.named:
            bounds = Bounds(meaning.offset_unit)
            columns = with_document_lengths(columns, lambda: open_table(path, own), bounds)
        if not isinstance(path, GivenTable):  # frames have columns for other uses
            unused = (name for name in columns.ignored if name != own.time)
            options.notes.name("ignored_columns", unused)
        meaning = replace(meaning, columns=columns)
        if isinstance(path, Path):
            announce(meaning.describe(path.name))
        return meaning


READER = TableReader()


def _row_times(
    table: TableRecords, file: TableFile, source: str, options: SourceOptions
) -> RowTimes | None:
    """Return what collects the times of rows; None without the option `time`, and for a queue.

    The table of a round has no times, and comes back beside deliveries that have some.
    """
    name = options.of_format(TableOptions).time
    if name is None or (name not in file.header and is_queue(file.header)):
        return None
    at = column_of_times(file.header, table.columns, name, source)
    return RowTimes(table, options, at, name, file.word)


def with_document_lengths(
    columns: Columns, reopened: Callable[[], TableFile], bounds: Bounds
) -> Columns:
    """Use a column called `length` of a table of units if its values are the documents' lengths.

    reopened  opens the table again, which is read whole if there is such a column
    """
    if LENGTH not in map(str.casefold, columns.ignored):
        return columns
    table = reopened()
    at = [name.casefold() for name in table.header].index(LENGTH)
    if not are_document_lengths(table.batches, columns, at, bounds):
        return columns
    ignored = tuple(name for name in columns.ignored if name.casefold() != LENGTH)
    return replace(columns, at={**columns.at, LENGTH: at}, ignored=ignored)


def _is_table(path: Path, known: Collection[str] = ()) -> bool:
    if path.is_dir() or path.suffix.lower() not in SUFFIXES:
        return False
    try:
        header = _header_of_json(path) if path.suffix.lower() in JSON else open_table(path).header
        find_columns(header, path.name, known=known)
    except DataError:
        return False
    return True


def _header_of_json(path: Path) -> list[str]:
    """Return the keys of the first object of a JSON list, of which no more is read."""
    return list(first_object(path) or []) if first_bytes(path, 1 << 10).lstrip()[:1] == b"[" else []


def open_table(path: Given, own: TableOptions = _DEFAULT) -> TableFile:
    """Open the rows of a table in memory, or of a tabular file by its suffix.

    own  how it is written; with a query any JSON is a table

    No cell is ever converted to a number: "01" stays "01", and "1.50" is not 1.5. The delimiter of
    a CSV file is the most frequent of `,` tab `;` `|` in its first line. Raises DataError for
    another suffix, an empty file or a damaged container.
    """
    suffix = path.suffix.lower() if isinstance(path, Path) else ""
    if own.query:
        opened = _open_selected(path, own)
    elif isinstance(path, GivenTable):
        names = path.columns.column_names
        opened = TableFile(names, path.batches(), "row", assumed=own.header != "yes")
    elif suffix in DELIMITED:
        delimiter = own.delimiter or delimiter_of(path, own.encoding)
        batches = delimited_batches(path, own.encoding, delimiter)
        opened = table_with_header(batches, own, "line", path.name)
        opened = replace(opened, batches=restore_own_cells(opened.header, opened.batches))
    elif suffix in JSON_LINES:
        from .json_rows import json_rows  # imports Pydantic's parser

        opened = TableFile(*json_rows(path), "line")
    elif suffix in JSON:
        from .json_rows import json_list_rows

        opened = TableFile(*json_list_rows(path), "element")
    elif suffix in PARQUET:
        opened = _open_parquet(path)
    elif suffix in EXCEL:
        from .excel import sheet_batches

        unread: list[str] = []
        batches = sheet_batches(path, own.sheet, unread)
        opened = replace(table_with_header(batches, own, "row", path.name), unread=unread)
    else:
        raise DataError(f"{path.name}: a table must be one of {', '.join(SUFFIXES)}")
    check_header(opened.header, path.name, own.layout)
    return opened


def check_header(header: Sequence[str], source: str, layout: Layout | None = None) -> None:
    """Raise DataError for more than `MOST_COLUMNS` columns, or for a repeated name.

    Repeated names often mean that the first line is data.
    """
    if len(header) > MOST_COLUMNS:
        raise TooManyColumnsError(
            f"{source}: the table has {len(header):,} columns, and at most {MOST_COLUMNS:,} are "
            "read; give it one row per label (columns item, annotator, label) instead"
        )
    n_empty = sum(not name for name in header)
    doubled = next((name for name, n in Counter(filter(None, header)).items() if n > 1), None)
    if n_empty > max(1, len(header) / 4):
        doubled = ""
    if doubled is None:
        return
    if not doubled:
        raise DataError(
            f"{source}: several cells of the first line are empty: delete the line if the header "
            f"is below it, or use `{format_options(header='two')}` if both lines are names of "
            f"columns, `{format_options(header='no')}` if neither is"
        )
    raise DataError(
        f"{source}: the column {doubled!r} occurs twice in the first line: rename one of them, or, "
        f"if the table has no header, use {headerless_hint(len(header), layout)}"
    )


def _open_parquet(path: Path) -> TableFile:
    from ...untrusted.parquet import open_parquet

    first, *others = parts_of(path)
    opened = open_parquet(first)

    def batches() -> Iterator[pa.RecordBatch]:
        yield from opened.batches(ROWS)
        for part in map(open_parquet, others):
            if part.schema.names != opened.schema.names:
                what = f"has other columns than {first.name}, as a part of one table"
                raise DataError(f"{part.path.name}: {what}")
            yield from part.batches(ROWS)

    return TableFile(list(opened.schema.names), _numbered(batches()), "row")


def _open_selected(path: Given, own: TableOptions) -> TableFile:
    """Open the rows that a query selects from a table."""
    from ...untrusted.query import Query
    from .inspect_log import SUFFIX as INSPECT
    from .inspect_log import samples_of_log

    file = getattr(path, "within", path)  # of a .gz, which DuckDB unpacks itself
    rows, parts = None, file.files if isinstance(file, PartedTable) else ()
    file = Path(str(file)) if parts else file
    as_it_is = own.header != "no" and own.encoding.casefold() in ("utf-8", "utf8")
    delimiter = own.delimiter
    if isinstance(path, Path) and path.suffix.lower() in DELIMITED:
        delimiter = delimiter or delimiter_of(path, own.encoding)
        as_it_is = as_it_is and is_plain(path, own, delimiter)
    if isinstance(path, Path) and path.suffix.lower() == INSPECT:
        rows, file = samples_of_log(path), Path(path.name)
    elif type(file) is not type(Path()) or file.suffix.lower() in EXCEL or not as_it_is:
        given = open_table(path, replace(own, query=""))
        rows, file = _texts_of_rows(given, path.name), Path(path.name)
    query = Query(file, own.query, delimiter, own.encoding, rows, parts)
    batches = query.batches()
    first = next(batches, None)
    if first is None:
        raise DataError(f"{path.name}: the query selects no row")
    return TableFile(list(first.schema.names), _numbered(batches), "row")


def _texts_of_rows(table: TableFile, source: str) -> pa.Table:
    """Return the rows of a table as columns of texts. Raises DataError for one that is broken."""
    import pyarrow as pa

    parts, width = [], len(table.header)
    for batch in table.batches:
        columns = batch.texts(width, range(width), shown=True) or []
        if len(batch) and (not columns or len(columns[0]) < len(batch)):
            raise DataError(f"{source}: a query reads no table with rows that are broken")
        parts.append(columns)
    joined = zip(*filter(None, parts), strict=True)
    empty: Iterator[list[pa.Array]] = ([pa.array([], pa.string())] for _ in table.header)
    return pa.Table.from_arrays(
        [pa.chunked_array(list(one)) for one in (joined if any(parts) else empty)],
        names=[name or f"column{k}" for k, name in enumerate(table.header)],
    )


def _numbered(batches: Iterator[pa.RecordBatch]) -> Iterator[Batch]:
    number = 1
    for batch in batches:
        columns = [*map(string_column, batch.columns)]
        yield Batch(range(number, number + batch.num_rows), columns=columns)
        number += batch.num_rows
