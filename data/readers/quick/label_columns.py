"""Labels of a plain CSV, column by column: pyarrow with every column a string."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ...account import RowTally
from ...errors import DataError
from ...label_sets import set_name
from ...schema import Rejected
from ..common.files.text import encoding_of
from ..common.spans import Problem
from ..notes import SourceNotes
from ..tables.delimited import numbered_first_line, sniff_delimiter, split_line
from ..tables.item_counts import item_count, item_name
from ..tables.layout import COUNT, Columns, Layout, find_columns
from ..tables.rows import check_header
from .accepted import Account

_MOST_LABELS = 10_000_000  # of a table with counts, as all of them are held


@dataclass(frozen=True, slots=True)
class LabelTable:
    """One entry a label given, in the file's order; all strings.

    `documents` is None when the file itself is the only one; `refused` are the rejected rows.
    `tally` has the fate of every row of the export but of these labels (None: there are no others).
    `sets`: items may have several labels, and `labels` holds the names of the sets
    (`data.label_sets`).
    """

    items: list[str]
    annotators: list[str]
    labels: list[str]
    documents: list[str] | None = None
    refused: list[Rejected] = field(default_factory=list)
    tally: RowTally | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    sets: bool = False
    notes: SourceNotes = field(default_factory=SourceNotes)

    def as_sets(self) -> LabelTable:
        """The same table with single labels as sets of one."""
        if self.sets:
            return self
        return replace(self, labels=[set_name([label]) for label in self.labels], sets=True)

    def account(self) -> Account:
        """The account of the rows; the labels themselves have no fate in it so far."""
        tally = self.tally.copy() if self.tally else RowTally(n_read=len(self.labels))
        tally.per = "item"
        return Account(tally, self.refused, self.settings)


def plain_labels(path: Path, options: Mapping[str, str]) -> LabelTable | None:
    """The labels of a long or wide table, or None where only its reader can say all of it.

    options  the table's own names of the columns item, annotator, label, document, and `count` of a
             wide table; its `layout`

    Raises DataError naming the missing column and the columns found, or for a table of units.
    """
    opened = _delimited(path)
    if opened is None:
        return None
    header, columns = opened
    named = {name: own for name, own in options.items() if name != "layout"}
    layout = Layout(options["layout"]) if "layout" in options else None
    found = find_columns(header, path.name, named=named, layout=layout)
    if found.layout is Layout.UNITS:
        raise DataError(f"{path.name}: holds units, not labels; try `accordeur gamma {path.name}`")
    if found.at.keys() & {"layer", "pass", "role"}:
        return None
    if not columns or not columns[0]:
        raise DataError(f"{path.name}: has a header and no row")
    wide = found.layout is Layout.WIDE
    table = _wide(found, columns, path) if wide else _long(found, columns)
    if table is not None:
        table.notes.ignore(found.ignored)
    return table


def _delimited(path: Path) -> tuple[list[str], list[list[str]]] | None:
    """Header and columns of a delimited file; None where a line is not a row of it."""
    import pyarrow as pa
    from pyarrow import csv

    number, line = numbered_first_line(path)
    if line.count('"') % 2:
        return None
    delimiter = sniff_delimiter(line)
    header = [name.strip() for name in split_line(line, delimiter)]
    check_header(header, path.name)
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
    except (pa.ArrowException, OSError, UnicodeError):
        return None
    if _goes_over_lines(table):
        return None  # as after a quotation mark that is never closed
    return header, [column.to_pylist() for column in table.columns]


def _goes_over_lines(table: Any) -> bool:
    """Whether a cell has a line feed in it (by its bytes: Arrow's functions import pandas)."""
    chunks = (chunk for column in table.columns for chunk in column.chunks)
    held = (chunk.buffers()[2] for chunk in chunks)
    return any(data and (np.frombuffer(data, np.uint8) == ord("\n")).any() for data in held)


def _long(found: Columns, columns: list[list[str]]) -> LabelTable | None:
    items, annotators, labels = (columns[found.at[name]] for name in ("item", "annotator", "label"))
    if not (all(items) and all(annotators) and all(labels)):
        return None
    return LabelTable(
        items, annotators, labels, columns[found.at["document"]] if "document" in found.at else None
    )


def _wide(found: Columns, columns: list[list[str]], path: Path) -> LabelTable | None:
    n_rows = len(columns[0])
    names = columns[found.at["item"]] if "item" in found.at else [str(k + 1) for k in range(n_rows)]
    homes = columns[found.at["document"]] if "document" in found.at else None
    if not all(names):
        return None
    rows: Sequence[int] = range(n_rows)
    if COUNT in found.at:
        counts = _counts(columns[found.at[COUNT]], len(found.annotators), path)
        if counts is None:
            return None
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
    )


def _counts(cells: Sequence[str], n_annotators: int, path: Path) -> list[int] | None:
    """How many items each row stands for; None where a cell is no number of them."""
    counts = [item_count(cell) for cell in cells]
    whole = [count for count in counts if not isinstance(count, Problem)]
    if sum(whole) * n_annotators > _MOST_LABELS:
        raise DataError(
            f"{path.name}: the counts make {sum(whole):,} items, more than a quick look holds in "
            "memory; use `accordeur run`"
        )
    return whole if len(whole) == len(counts) else None
