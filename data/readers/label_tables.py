"""The light path of the quick commands: a label table or unit tables, straight to columns.

No store, no checks, no campaign: for `accordeur agree LABELS.csv` and `accordeur gamma UNITS…`,
which answer in about a second. CSV goes through pyarrow with every column a string; the other
containers through their row reader.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from data.errors import DataError
from data.readers.base import SourceOptions
from data.readers.bregeon import MISSING, read_bregeon
from data.readers.bregeon import READER as BREGEON
from data.readers.delimited_rows import numbered_first_line, sniff_delimiter, split_line
from data.readers.item_counts import item_count, item_name
from data.readers.lines import iter_lines
from data.readers.registry import AUTO, read_source
from data.readers.spans import Problem
from data.readers.table_layout import COUNT, Columns, Layout, find_columns
from data.readers.table_rows import DELIMITED, open_rows
from data.readers.text import encoding_of
from data.schema import Assignment, Document, Label, Rejected, Role, State, Unit

_MOST_LABELS = 10_000_000  # of a table with counts, as all of them are held


@dataclass(frozen=True, slots=True)
class LabelTable:
    """One entry a label given, in the file's order; all strings.

    `documents` is None when the table has no such column; `n_missing` counts empty cells;
    `n_classes` is what Brégeon's header declares.
    """

    items: list[str]
    annotators: list[str]
    labels: list[str]
    documents: list[str] | None = None
    n_missing: int = 0
    n_classes: int | None = None


def read_label_table(
    path: Path, *, named: Mapping[str, str] | None = None, layout: Layout | None = None
) -> LabelTable:
    """The labels of a long or wide table, or of Brégeon's CSV.

    `named` gives the table's own names of the columns item, annotator, label, document, and the
    column `count` of a wide table, of which each row is then so many items.

    Raises DataError naming the missing column and the columns found, or the line that is no row.
    """
    if path.is_dir():
        raise DataError(f"{path}: is a folder; give one table of labels")
    if not path.is_file():
        raise DataError(f"{path}: no such file")
    if not named and BREGEON.probe(path):
        return _bregeon(path)
    header, columns = _delimited(path) if path.suffix.lower() in DELIMITED else _other(path)
    found = find_columns(header, path.name, named=named, layout=layout)
    if found.layout is Layout.UNITS:
        raise DataError(f"{path.name}: holds units, not labels; try `accordeur gamma {path.name}`")
    if not columns or not columns[0]:
        raise DataError(f"{path.name}: has a header and no row")
    return _wide(found, columns, path) if found.layout is Layout.WIDE else _long(found, columns)


def _delimited(path: Path) -> tuple[list[str], list[list[str]]]:
    import pyarrow as pa
    from pyarrow import csv

    number, line = numbered_first_line(path)
    delimiter = sniff_delimiter(line)
    header = [name.strip() for name in split_line(line, delimiter)]
    if len(set(header)) < len(header):
        raise DataError(
            f"{path.name}: two columns have the same name: {', '.join(header)}; the first line has "
            "to name the columns"
        )
    with path.open("rb") as stream:
        encoding, _ = encoding_of(stream.read(4))
    try:
        table = csv.read_csv(
            path,
            read_options=csv.ReadOptions(column_names=header, skip_rows=number, encoding=encoding),
            parse_options=csv.ParseOptions(
                delimiter=delimiter,
                quote_char=False if delimiter == "\t" else '"',
                newlines_in_values=delimiter != "\t",
            ),
            convert_options=csv.ConvertOptions(
                column_types={name: pa.string() for name in header}, strings_can_be_null=False
            ),
        )
    except (pa.ArrowException, OSError, UnicodeError) as error:
        if _nothing_after(path, number):
            return header, []
        reason = str(error).removeprefix("CSV parse error: ").splitlines()[0]
        raise DataError(f"{path.name}: {reason}") from error
    return header, [column.to_pylist() for column in table.columns]


def _nothing_after(path: Path, number: int) -> bool:
    """Whether the file ends with its header. Raises DataError for a line in another encoding."""
    rows = 0
    for at, line in iter_lines(path):
        if isinstance(line, Problem):
            raise DataError(f"{path.name}, line {at}: {line.message}")
        rows += at > number and bool(line.strip())
    return not rows


def _other(path: Path) -> tuple[list[str], list[list[str]]]:
    file = open_rows(path)
    kept = []
    for where, row in file.rows():
        if isinstance(row, Problem):
            raise DataError(f"{path.name}, {where}: {row.message}")
        if any(isinstance(cell, list) for cell in row):
            raise DataError(
                f"{path.name}, {where}: an item with several labels; use `accordeur run`"
            )
        kept.append([str(cell) if cell is not None else "" for cell in row])
    return file.header, [list(column) for column in zip(*kept, strict=False)]


def _long(found: Columns, columns: list[list[str]]) -> LabelTable:
    items, annotators, labels = (columns[found.at[name]] for name in ("item", "annotator", "label"))
    documents = columns[found.at["document"]] if "document" in found.at else None
    kept = [k for k, row in enumerate(zip(items, annotators, labels, strict=True)) if all(row)]
    n_missing = len(items) - len(kept)
    if n_missing:
        items, annotators, labels = (_taken(each, kept) for each in (items, annotators, labels))
        documents = _taken(documents, kept) if documents is not None else None
    return LabelTable(items, annotators, labels, documents, n_missing)


def _taken(values: list[str], kept: list[int]) -> list[str]:
    return [values[k] for k in kept]


def _wide(found: Columns, columns: list[list[str]], path: Path) -> LabelTable:
    n_rows = len(columns[0])
    names = columns[found.at["item"]] if "item" in found.at else [str(k + 1) for k in range(n_rows)]
    homes = columns[found.at["document"]] if "document" in found.at else None
    rows: Sequence[int] = range(n_rows)
    if COUNT in found.at:
        counts = _counts(columns[found.at[COUNT]], len(found.annotators), path)
        rows = [row for row, count in enumerate(counts) for _ in range(count)]
        names = [
            item_name(name, ordinal)
            for name, count in zip(names, counts, strict=True)
            for ordinal in range(1, count + 1)
        ]
    cells = [
        (item, row, annotator, label)
        for item, row in enumerate(rows)
        for at, annotator in found.annotators
        if (label := columns[at][row])
    ]
    return LabelTable(
        [names[item] for item, _, _, _ in cells],
        [annotator for _, _, annotator, _ in cells],
        [label for _, _, _, label in cells],
        [homes[row] for _, row, _, _ in cells] if homes is not None else None,
        len(rows) * len(found.annotators) - len(cells),
    )


def _counts(cells: Sequence[str], n_annotators: int, path: Path) -> list[int]:
    counts = []
    for row, cell in enumerate(cells, start=1):
        count = item_count(cell)
        if isinstance(count, Problem):
            raise DataError(f"{path.name}, row {row}: {count.message}")
        counts.append(count)
    if sum(counts) * n_annotators > _MOST_LABELS:
        raise DataError(
            f"{path.name}: the counts make {sum(counts):,} items, more than a quick look holds in "
            "memory; use `accordeur run`"
        )
    return counts


def _bregeon(path: Path) -> LabelTable:
    table = read_bregeon(path, path.name)
    cells = [
        (str(j), str(a), label)
        for a, row in enumerate(table.rows, start=1)
        for j, label in enumerate(row, start=1)
    ]
    given = [cell for cell in cells if cell[2] != MISSING]
    items, annotators, labels = ([cell[k] for cell in given] for k in range(3))
    return LabelTable(items, annotators, labels, None, len(cells) - len(given), table.n_classes)


@dataclass(slots=True)
class UnitTable:
    """One document's units by all who finished it, one entry a unit.

    `people` are all of them, those who marked nothing too; `roles` theirs; `length` -1 when
    unknown.
    """

    document: str
    annotators: list[str] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    layers: list[str] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    roles: dict[str, str] = field(default_factory=dict)
    length: int = -1


def read_unit_tables(
    paths: Sequence[str | Path], *, format: str = AUTO, options: SourceOptions | None = None
) -> tuple[list[UnitTable], list[Rejected]]:
    """The units of the files, folders or globs, document by document, and the rows refused.

    The annotators of an unfinished or unassigned document are left out with their units, as
    nothing can be measured on them. Raises DataError when a path cannot be read, or has no unit
    and no row refused.
    """
    tables: dict[str, UnitTable] = {}
    refused: list[Rejected] = []
    unfinished: set[tuple[str, str]] = set()
    labelled = False

    def table(document: str) -> UnitTable:
        return tables.setdefault(document, UnitTable(document))

    records = (
        record for path in paths for record in read_source(path, format, options or SourceOptions())
    )
    for record in records:
        match record:
            case Rejected():
                refused.append(record)
            case Document():
                table(record.document).length = record.length
            case Assignment(state=State.FINISHED | State.FINISHED_EMPTY):
                _add_person(table(record.document), record.annotator, record.role)
            case Assignment():
                unfinished.add((record.document, record.annotator))
            case Label():
                labelled = True
            case Unit() if record.pass_ == 1:
                _add_unit(table(record.document), record)
    for home, annotator in unfinished & {
        (t.document, a) for t in tables.values() for a in t.people
    }:
        tables[home].people.remove(annotator)
    found = [_without(each, unfinished) for each in tables.values()]
    if not any(each.starts for each in found) and not refused:
        found_none = (
            "labels and no unit in it; try `accordeur agree`" if labelled else "no unit in it"
        )
        raise DataError(f"{', '.join(map(str, paths))}: {found_none}")
    return found, refused


def _add_person(table: UnitTable, annotator: str, role: str = Role.HUMAN) -> None:
    if annotator not in table.roles:
        table.people.append(annotator)
        table.roles[annotator] = role


def _add_unit(table: UnitTable, unit: Unit) -> None:
    table.annotators.append(unit.annotator)
    table.categories.append(unit.category)
    table.starts.append(unit.start)
    table.ends.append(unit.end)
    table.layers.append(unit.layer)


def _without(table: UnitTable, unfinished: set[tuple[str, str]]) -> UnitTable:
    """The table without the units of those who have not finished it."""
    lists: tuple[list[Any], ...] = (
        table.annotators,
        table.categories,
        table.starts,
        table.ends,
        table.layers,
    )
    kept = [
        k for k, name in enumerate(table.annotators) if (table.document, name) not in unfinished
    ]
    if len(kept) < len(table.annotators):
        for values in lists:
            values[:] = [values[k] for k in kept]
    return table
