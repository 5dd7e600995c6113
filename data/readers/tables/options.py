"""Options of the format table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from ...errors import OptionError
from ..common.bounds import MEANINGS, UnitOfBounds
from ..common.naming import NamedByPath
from ..common.records.empty_answers import EmptyOption
from ..options import Names, Option, OptionOfEach
from .column_names import COLUMNS, COUNT, LENGTH
from .layout import Layout

_OF_COLUMNS = {
    **{name: f"the table's own name for the column `{name}`" for name in COLUMNS},
    COUNT: "the column of a wide table with the number of items that have the row's labels; "
    "each becomes an item named after its row (`3#1`, `3#2` …)",
    LENGTH: "the column of a table of units with the length of the row's document (default: "
    "`length`, if every document has one length that no unit exceeds; else a document goes "
    "from the start of its first unit to the end of its last unit)",
}


def _delimiter(text: str) -> str:
    delimiter = {"tab": "\t", "\\t": "\t"}.get(text, text)
    if len(delimiter) != 1:
        raise OptionError(f"option delimiter = {text!r}: it must be one character (or `tab`)")
    return delimiter


def _separator(text: str) -> str:
    """Blanks around labels are no part of them, unless a blank separates them."""
    separator = text.replace(r"\n", "\n")
    return separator.strip() or separator


@dataclass(frozen=True)
class TableOptions(NamedByPath, EmptyOption):
    named: Annotated[Mapping[str, str], OptionOfEach(_OF_COLUMNS)] = field(default_factory=dict)
    layout: Annotated[
        Layout | None,
        Option(
            "the layout of a table",
            values={
                Layout.COUNTS: "one row per item and one column per category, with the number of "
                "annotators who chose it",
                Layout.TRANSPOSED: "one row per annotator and one column per item; `item` then "
                "lists the columns of items, and * stands for any characters",
            },
            unset="guessed from the columns",
        ),
    ] = None
    header: Annotated[
        Literal["yes", "no", "two"] | None,
        Option(
            "whether the first line is the header",
            values={
                "no": "the table has no column names: its columns are named 1, 2, 3 …",
                "two": "the first line names groups of the columns that the second one names: "
                "`tone` below `Ann` is the column `Ann.tone`",
            },
            unset="yes, unless every name also occurs as a value",
        ),
    ] = None
    columns: Annotated[
        Names,
        Option("the columns' names, separated by commas, when the file has no header line"),
    ] = ()
    offset_unit: Annotated[UnitOfBounds, Option("what the bounds count", MEANINGS)] = "char"
    repeats: Annotated[
        Literal["keep", "pass", "first", "last"],
        Option(
            "how a second label by the same annotator on an item is read",
            values={
                "keep": "as part of the same pass, so that validation rejects it",
                "pass": "as pass 2, a third as pass 3 …",
                "first": "as a revision: the first counts, and the others are excluded",
                "last": "as a revision: the last counts, and the others are excluded",
            },
        ),
    ] = "keep"
    ignore: Annotated[
        Names, Option("columns that are neither used nor checked, separated by commas")
    ] = ()
    status: Annotated[
        Literal["exclude", "keep"],
        Option(
            "rows that a crowdsourcing platform marks as its test questions or as rejected "
            "(`_golden`, `_tainted`, `AssignmentStatus`, `GOLDEN:…`, `ASSIGNMENT:status`)",
        ),
    ] = "exclude"
    time: Annotated[
        str | None,
        Option(
            "the column with the time of each row, in ISO 8601; the last one of an annotator in a "
            "document gives periods, pace, and which of two deliveries counts",
            unset="none",
        ),
    ] = None
    separator: Annotated[
        str,
        Option(
            r"the separator of labels in a cell with several labels (`\n` is a line break); blanks "
            "around a label are removed",
            parse=_separator,
        ),
    ] = ""
    missing: Annotated[
        str, Option("the text of cells without a label (`NA`, `.`), in addition to empty cells")
    ] = ""
    delimiter: Annotated[
        str | None, Option("the separator of cells", unset="guessed", parse=_delimiter)
    ] = None
    encoding: Annotated[
        str, Option("the file's encoding", unset="from the byte order mark, else UTF-8")
    ] = "utf-8"
    sheet: Annotated[
        str | None,
        Option(
            "the sheet of an Excel workbook; `{annotator}` for all that have the columns of the "
            "first, each the work of the annotator whom it is called after",
            unset="the first",
        ),
    ] = None
    query: Annotated[
        str,
        Option(
            "one SELECT of DuckDB over the file as the table `source`, whose columns are those of "
            "labels or units (docs/how-to/query.md)"
        ),
    ] = ""

    def labels_in_cells(self, cells: Iterable[str]) -> list[str]:
        """Return the labels in cells, each once: the cells, or what a separator parts in them."""
        if not self.separator:
            return [*dict.fromkeys(cells)]
        parts = (one.strip() for cell in cells for one in cell.split(self.separator))
        return [*dict.fromkeys(filter(None, parts))]
