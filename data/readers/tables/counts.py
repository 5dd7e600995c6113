"""Tables of counts: one row per item, one column per category, cells that count annotators.

Packages compute Fleiss' κ from this form (`aggregate_raters` of statsmodels, `distrib` of irrCAC).
It does not say who gave a label, so each item has the annotators `label 1`, `label 2`, …
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ...errors import DataError
from ...option_names import format_options, option
from ..common.span_rules import Problem
from .cells import Cell, parse_item_count
from .column_names import is_annotator_name, is_count_name
from .layout import Columns

if TYPE_CHECKING:
    from ..notes import SourceNotes

Cells: TypeAlias = Sequence[Sequence[str]]
"""The columns of a table's first rows; an empty or missing cell is ""."""
_FEWEST_ROWS = 3  # whose numbers show what they are
_FEWEST_COMPETING, _FEWEST_ERRORS = 10, 1.5  # rows; standard errors of their mean correlation
_FEWEST_SUMS = 5  # rows that show what the total is of
_MOST_ANNOTATORS = 10_000  # of an item: a typing error must not fill the memory
_COUNTING = "n|nb|num|numbers?|counts?|votes|voters"
_JUDGED = r"annotat\w*|raters?|ratings?|coders?|judges?|judge?ments?|workers?|voters?|votes|labels"
_BEFORE = re.compile(
    rf"(?P<stem>(.*[\W_])?({_COUNTING})([\W_]+of)?[\W_]+)(?P<category>.*\w.*)", re.I
)
_AFTER = re.compile(r"(?P<category>.*\w.*)(?P<stem>[\W_](counts?|votes|voters))", re.I)
_TOTAL = re.compile(
    rf"total|sum|(total|sum|{_COUNTING})[\W_]+(of[\W_]+)?({_JUDGED})"
    rf"|({_JUDGED})[\W_]+(total|sum|{_COUNTING})",
    re.I,
)
_OF_OTHERS = re.compile(  # what is counted besides the labels of a category
    rf"(all|total|sum|{_JUDGED}|words?|tok(en)?s?|char(acter)?s?|sent(ence)?s?|lines?|pages?"
    r"|letters?|syllables?|items?|cases?|obs|(dis)?agree\w*|wins?|draws?|ties)([\W_].*)?",
    re.I,
)
_ANSWER = re.compile(r"yes|no|maybe|unsure|true|false|positive|neutral|negative", re.I)
_MOST_PARTS = 30  # columns of a total
_MOST_DIGITS = 9  # of a count
_LONGEST_NAME = 200  # in which the patterns search; a damaged file has longer ones


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
    found, at = columns.across, columns.at
    names = [name for _, name in found]
    certain = columns_of_counts(names, [cells[k] for k, _ in found])
    counted = [found[k] for k in certain] or [
        one for one in found if any(map(_is_count, cells[one[0]]))
    ]
    before = [one for one in found if one not in counted] + counted[:1]
    items = [one for one in before if _names_rows(cells[one[0]])]
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
        *([int(c) if _is_count(c) else 0 for c in cells[k]] for k, _ in counted), strict=True
    )
    return all(2 * row[-1] == sum(row) for row in rows)


def require_no_counts(names: Sequence[str], cells: Cells, source: str) -> None:
    """Raise DataError if the cells, or those after the first column, are numbers of annotators.

    names  of the columns
    """
    why = "all rows have one sum" if are_counts(cells) or are_counts(cells[1:]) else ""
    why = why or ("a high one goes with low ones in its row" if are_rivals(names, cells) else "")
    if called := [names[k] for k in columns_of_counts(names, cells)]:
        why = why or f"{', '.join(called)} are called so, or add up to a column that is"
    if why:
        raise CountsError(
            f"{source}: the cells seem to be numbers of annotators, because {why}: "
            "if each says how many chose the category of its column, use "
            f"`{format_options(layout='counts')}` (agree, resample); if each is an annotator's "
            f"label, name the annotators' columns (`{option('annotator', 'NAME,NAME')}`)"
        )


def columns_of_counts(names: Sequence[str], cells: Cells) -> list[int]:
    """Return the columns whose names say that they count annotators; [] if none do.

    They are called `yes` and `no`, or `n_yes` and `n_no`, or are beside each other and have a sum
    that is called so.
    Somebody's labels could be called so, too, but are never 0 and have not one sum in each row.
    """
    given = {k: [*filter(None, one)] for k, one in enumerate(cells)}
    numeric = [k for k, one in given.items() if one and all(map(_is_count, one))]
    numbers = {k: [int(cell or 0) for cell in cells[k]] for k in numeric}
    n_rows = min(map(len, cells), default=0)
    for found in (*_called_like_counts(names, numeric), *_parts_of_totals(names, numbers)):
        rows = [*zip(*(numbers[k] for k in found), strict=True)]
        are_shares = n_rows >= _FEWEST_SUMS and len({*map(sum, rows)}) == 1 < len({*rows})
        has_zero = n_rows >= _FEWEST_ROWS and any(0 in row for row in rows)
        if (has_zero or are_shares) and max(map(max, rows)) > 1:
            return found
    return []


def _called_like_counts(names: Sequence[str], numeric: Sequence[int]) -> Iterator[list[int]]:
    """Yield columns called `yes`, `no`, as nobody is, or `n_yes`, `n_no`.

    If there is `m_no` too, an annotator is called n.
    """
    answers = [k for k in numeric if _ANSWER.fullmatch(names[k].strip())]
    if len(answers) > 1 and len(answers) >= len(numeric) - 1:  # beside numbers of items, at most
        yield answers
    families: dict[str, dict[int, str]] = {}
    for k in numeric:
        name = names[k].strip().casefold()[:_LONGEST_NAME]
        for counted in (_BEFORE.fullmatch(name), _AFTER.fullmatch(name)):
            if counted and not _OF_OTHERS.fullmatch(counted["category"]):
                families.setdefault(counted["stem"], {})[k] = counted["category"]
    for own in families.values():
        others = (names[k].strip().casefold() for k in numeric if k not in own)
        if len(own) > 1 and not any(name.endswith((*own.values(),)) for name in others):
            yield [*own]


def _parts_of_totals(names: Sequence[str], numbers: dict[int, list[int]]) -> Iterator[list[int]]:
    """Yield the fewest neighbouring columns of which another one is the sum, often by its name."""
    shown = {k: names[k].strip()[:_LONGEST_NAME] for k in numbers}
    called = {k for k, name in shown.items() if is_count_name(name) or _TOTAL.fullmatch(name)}
    for total in sorted(numbers, key=lambda k: k not in called):
        others = [k for k in numbers if k != total]
        fewest = (2, _FEWEST_SUMS) if total in called else (3, _FEWEST_COMPETING)
        sums = np.array(numbers[total])
        before = np.cumsum([np.zeros_like(sums), *(numbers[k] for k in others)], axis=0)
        if len(sums) < fewest[1] or (total not in called and len({*numbers[total]}) == 1):
            continue
        sizes = range(fewest[0], min(len(others), _MOST_PARTS) + 1)
        for block in (range(k, k + n) for n in sizes for k in range(len(others) + 1 - n)):
            if (before[block.stop] - before[block.start] == sums).all():
                found = [others[k] for k in block]
                if not all(is_annotator_name(names[k]) for k in found):  # whose numbers add up
                    yield found
                break


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
    numeric = [one for one in cells if all(map(_is_count, one))]
    if len(numeric) < 2 or len(numeric) + 1 < len(cells):
        return False
    rows = [tuple(map(int, row)) for row in zip(*numeric, strict=True)]
    if len(rows) < _FEWEST_ROWS or len({*rows}) < 2:
        return False
    sums = {sum(row) for row in rows}
    if len(rows[0]) == 2 and (max(sums) < 2 or len(rows) < 5):
        return False
    return len(sums) == 1 and max(sums) > 0 and any(0 in row for row in rows)


def are_rivals(names: Sequence[str], cells: Cells) -> bool:
    """Whether columns of numbers from 0 on are high where the others are low, as shares are."""
    if len(cells) < 3 or any(map(is_annotator_name, names)) or not all(map(_has_counts, cells)):
        return False
    numbers = np.array([[int(cell or 0) for cell in one] for one in cells])
    if (numbers.std(axis=1) == 0).any() or numbers.max() < 2 or (numbers > 0).all():
        return False
    related = np.corrcoef(numbers)[np.triu_indices(len(cells), 1)]
    return bool(related.max() < 0 and related.mean() * numbers.shape[1] ** 0.5 < -_FEWEST_ERRORS)


def _has_counts(column: Sequence[str]) -> bool:
    return len(column) >= _FEWEST_COMPETING and all(map(_is_count, column))


def _is_count(cell: str) -> bool:
    return cell.isdecimal() and len(cell) <= _MOST_DIGITS


def _names_rows(column: Sequence[str]) -> bool:
    """Whether the values differ from row to row, and are texts or consecutive numbers."""
    if len({*column}) < len(column) or not all(column):
        return False
    if not all(map(_is_count, column)):
        return True
    numbers = sorted(map(int, column))
    return len(column) >= _FEWEST_ROWS and numbers == [*range(numbers[0], numbers[-1] + 1)]
