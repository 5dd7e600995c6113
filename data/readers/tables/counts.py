"""Tables of counts: one row per item, one column per category, cells that count annotators.

Packages compute Fleiss' κ from this form (`aggregate_raters` of statsmodels, `distrib` of irrCAC).
It does not say who gave a label, so each item has the annotators `label 1`, `label 2`, …
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from ...errors import DataError
from ...option_names import format_options, option
from ..common.span_rules import Problem
from .cells import Cell, parse_item_count
from .layout import Columns

if TYPE_CHECKING:
    from ..notes import SourceNotes

Cells: TypeAlias = Sequence[Sequence[str]]
"""The columns of a table's first rows; an empty or missing cell is ""."""
_FEWEST_ROWS = 3  # whose numbers show what they are
_MOST_ANNOTATORS = 10_000  # of an item: a typing error must not fill the memory


class CountsError(DataError):
    """A table whose cells are numbers of annotators would be read as one of labels."""


def category_columns(
    columns: Columns, cells: Cells, source: str, notes: SourceNotes, *, item_named: bool
) -> Columns:
    """Return the columns of a table of counts without those that are no category's.

    A column of names, or of numbers of the rows, before those of counts is the item, if no option
    names it. Other columns without a number, and one with the sum of the others, are not used. Both
    are added to the notes.

    item_named  whether an option names the item column, or says that there is none

    Raises DataError if fewer than two columns have counts.
    """
    found = columns.across
    counted = [one for one in found if any(cell.isdecimal() for cell in cells[one[0]])]
    before = [one for one in found if one not in counted] + counted[:1]
    items = [one for one in before if _names_rows(cells[one[0]])]
    at = columns.at
    if "item" not in at and not item_named and items:
        at = {**at, "item": items[0][0]}
        notes.name("item_columns", [items[0][1] or "1"])
        counted = [one for one in counted if one != items[0]]
    counted = [one for one in counted if not _is_total(one, counted, cells)]
    if len(counted) < 2:
        raise DataError(
            f"{source}: a table of counts has two columns or more with the number of annotators "
            f"who chose a category, and one that names the items (`{option('item')}`)"
        )
    unused = (name for k, name in found if (k, name) not in counted and k != at.get("item"))
    notes.name("ignored_columns", unused)
    return replace(columns, at=at, across=tuple(counted))


def _is_total(one: tuple[int, str], counted: Sequence[tuple[int, str]], cells: Cells) -> bool:
    """Whether a column is the last and has, in each row, the sum of two others or more."""
    if one != counted[-1] or len(counted) < 3:
        return False
    rows = zip(
        *([int(c) if c.isdecimal() else 0 for c in cells[k]] for k, _ in counted), strict=True
    )
    return all(2 * row[-1] == sum(row) for row in rows)


def require_no_counts(cells: Cells, source: str) -> None:
    """Raise DataError if the cells, or those after the first column, are numbers of annotators."""
    if are_counts(cells) or are_counts(cells[1:]):
        raise CountsError(
            f"{source}: the cells seem to be numbers of annotators, because all rows have one sum: "
            "if each says how many chose the category of its column, use "
            f"`{format_options(layout='counts')}` (agree, resample); if each is an annotator's "
            f"label, name the annotators' columns (`{option('annotator', 'NAME,NAME')}`)"
        )


def labels_of_counts(columns: Columns, row: Sequence[Cell]) -> list[str] | Problem:
    """Return the category of each label of the row's item, or why the row is rejected."""
    labels: list[str] = []
    for at, category in columns.across:
        number = parse_item_count(row[at])
        if isinstance(number, Problem):
            return number
        if number > _MOST_ANNOTATORS:
            message = f"{number:,} annotators of one item, more than {_MOST_ANNOTATORS:,}"
            return Problem("bad_count", str(row[at]), message)
        labels += [category] * number
    return labels


def are_counts(cells: Cells) -> bool:
    """Whether the cells say how many annotators chose the category of their column.

    All rows have one sum, and a category that nobody chose: rankings have no 0. One column may have
    something else.
    """
    numeric = [one for one in cells if all(cell.isdecimal() for cell in one)]
    if len(numeric) < 2 or len(numeric) + 1 < len(cells):
        return False
    rows = [tuple(map(int, row)) for row in zip(*numeric, strict=True)]
    if len(rows) < _FEWEST_ROWS or len({*rows}) < 2:
        return False
    sums = {sum(row) for row in rows}
    if len(rows[0]) == 2 and (max(sums) < 2 or len(rows) < 5):
        return False
    return len(sums) == 1 and max(sums) > 0 and any(0 in row for row in rows)


def _names_rows(column: Sequence[str]) -> bool:
    """Whether the values differ from row to row, and are texts or consecutive numbers."""
    if len({*column}) < len(column) or not all(column):
        return False
    if not all(cell.isdecimal() for cell in column):
        return True
    numbers = sorted(map(int, column))
    return len(column) >= _FEWEST_ROWS and numbers == [*range(numbers[0], numbers[-1] + 1)]
