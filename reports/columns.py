"""Tables declared by their columns, for pages, the terminal, JSON and data frames.

A table is a list of rows of one type and of columns; a column says its heading, what it holds for a
row, and how a number is written. What is missing, how numbers are aligned and sorted, and the
language are decided where a table is shown: `page.tables.table`, `flows.commands.printing.tables`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

if TYPE_CHECKING:
    from markupsafe import Markup

Row = TypeVar("Row")
Key = TypeVar("Key")
Kind: TypeAlias = Literal["text", "code", "number", "interval", "picture"]
MISSING = "–"


Shape: TypeAlias = str | Callable[[float], str]


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """A column of a table.

    heading  its words
    value    what it holds for a row: a text, a number, two bounds, a picture, or a finished cell;
             None, "" or nan if it is missing
    shape    format of a number, or of both bounds of an interval, as in messages: "2" (digits),
             "0%", "+"; or a function
    when     whether the table has it: some columns are shown only if the data need them
    axis     picture in place of the heading
    whole    whether the terminal never breaks its texts
    reasons  whether its texts say why a row has no value
    """

    heading: str
    value: Callable[[Row], Any]
    kind: Kind = "text"
    shape: Shape = ""
    when: bool = True
    axis: Markup | None = None
    whole: bool = False
    reasons: bool = False

    def only_reason(self, rows: Iterable[Row]) -> str:
        """Return the text of a column of reasons if two or more rows have it and no other."""
        texts = [str(text) for text in map(self.value, rows if self.reasons else ()) if text]
        return texts[0] if len(texts) > 1 and len(set(texts)) == 1 else ""


@dataclass(frozen=True, slots=True)
class Table:
    """A titled table: rows and columns."""

    title: str
    rows: Sequence[Any]
    columns: Sequence[Column[Any]]


def text(
    heading: str, value: Callable[[Row], Any], *, when: bool = True, whole: bool = False
) -> Column[Row]:
    return Column(heading, value, when=when, whole=whole)


def reasons(heading: str, value: Callable[[Row], Any], *, when: bool = True) -> Column[Row]:
    return Column(heading, value, when=when, reasons=True)


def code(heading: str, value: Callable[[Row], Any]) -> Column[Row]:
    return Column(heading, value, "code")


def number(
    heading: str, value: Callable[[Row], Any], shape: Shape = "", *, when: bool = True
) -> Column[Row]:
    return Column(heading, value, "number", shape, when)


def interval(
    heading: str, value: Callable[[Row], Any], shape: Shape = "", *, when: bool = True
) -> Column[Row]:
    return Column(heading, value, "interval", shape, when)


def picture(heading: str, axis: Markup | None, value: Callable[[Row], Markup]) -> Column[Row]:
    return Column(heading, value, "picture", axis=axis)


def each(keys: Iterable[Key], column: Callable[[Key], Column[Row]]) -> list[Column[Row]]:
    """Return one column for each of several things, such as annotators or kinds of errors."""
    return [column(key) for key in keys]


def is_missing(value: object) -> bool:
    """Return whether a table has nothing to show for the value."""
    if isinstance(value, tuple):
        return not all(map(math.isfinite, value))
    return value is None or value == "" or (isinstance(value, float) and not math.isfinite(value))


def values_by_column(rows: Iterable[Row], *columns: Column[Row]) -> dict[str, list[Any]]:
    """Return name → values, as data frames are made of.

    An interval is two columns, `lower` and `upper`, after its heading.
    """
    every, found = list(rows), dict[str, list[Any]]()
    for column in with_distinct_headings([one for one in columns if one.when]):
        values = [column.value(row) for row in every]
        if column.kind == "interval":
            pairs = [(None, None) if pair is None else pair for pair in values]
            found[f"{column.heading}lower"] = [low for low, _ in pairs]
            found[f"{column.heading}upper"] = [high for _, high in pairs]
        else:
            found[column.heading] = values
    return found


def with_distinct_headings(columns: Sequence[Column[Row]]) -> list[Column[Row]]:
    """Return the columns without two of one heading, which names of columns cannot have.

    A repeated heading of intervals follows the heading of the value that each interval is of; any
    other is numbered.
    """
    number_of = Counter(one.heading for one in columns)
    found, of_value, used = list[Column[Row]](), "", Counter[str]()
    for one in columns:
        heading = one.heading
        if one.kind != "interval":
            of_value = heading
        elif number_of[heading] > 1:
            heading = f"{of_value} {heading}"
        used[heading] += 1
        again = f" ({used[heading]})" if used[heading] > 1 else ""
        found.append(replace(one, heading=f"{heading}{again}"))
    return found


def table_of_values(values: Mapping[str, Sequence[Any]], most: int | None = None) -> Table:
    """Inverse of `values_by_column`: `lower` and `upper` are one column again.

    most  rows that the table has at most; None: all
    """
    rows = [dict(zip(values, cells, strict=True)) for cells in zip(*values.values(), strict=True)]
    columns: list[Column[Any]] = []
    for name, cells in values.items():
        start = name.removesuffix("lower")
        if start != name and f"{start}upper" in values:
            columns.append(_bounds(f"{start}interval", name, f"{start}upper"))
        elif not (name.endswith("upper") and f"{name.removesuffix('upper')}lower" in values):
            kind: Kind = "number" if _are_numbers(cells) else "text"
            columns.append(Column(name, itemgetter(name), kind))
    return Table("", rows[:most], columns)


def _bounds(heading: str, lower: str, upper: str) -> Column[Any]:
    def both(row: Mapping[str, Any]) -> tuple[float, float] | None:
        bounds = row[lower], row[upper]
        return None if None in bounds else bounds

    return interval(heading.removeprefix("_"), both)


def _are_numbers(cells: Sequence[Any]) -> bool:
    return all(
        isinstance(one, float | int) and not isinstance(one, bool)
        for one in cells
        if not is_missing(one)
    )


class OwnColumn(NamedTuple):
    """The name of a column in the data, and whether its cells are whole numbers."""

    name: str
    is_whole: bool = False


def in_own_names(
    columns: Mapping[str, Sequence[Any]], named: Mapping[str, OwnColumn]
) -> dict[str, Sequence[Any]]:
    """Return the columns with the names and the numbers that they have in the data.

    named  internal name → column of the data
    """
    found: dict[str, Sequence[Any]] = {}
    for ours, cells in columns.items():
        own = named.get(ours, OwnColumn(ours))
        name = ours if own.name in columns else own.name
        found[name] = _whole_numbers(cells) if own.is_whole else cells
    return found


def _whole_numbers(cells: Sequence[Any]) -> Sequence[Any]:
    try:
        return [None if is_missing(one) else int(one) for one in cells]
    except ValueError:
        return cells
