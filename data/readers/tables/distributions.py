"""Tables of distributions: the probability of each category for each item.

The columns are `item`, `document` (if there are documents), and either one column per category or a
column `probabilities` with a JSON object of category → probability. A row's probabilities sum to 1;
rounding errors up to `_ROUNDING` are normalised. Accordeur writes soft labels in this format.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from pathlib import Path

from ...errors import DataError
from ...option_names import option
from ...untrusted.documents import parse_json
from ..common.span_rules import Problem
from .cells import Cell
from .given import Given
from .reader import SUFFIXES, open_table
from .table_file import TableFile

PROBABILITIES = "probabilities"
_OWN = ("item", "document", "n_labels", "label", "annotator")
_ROUNDING = 0.02

Distributions = dict[tuple[str | None, str], tuple[float, ...]]
"""(document, item) → probabilities in the order of the tagset; document None: not given."""


def category_column(category: str) -> str:
    """Return the name of a category's column, distinct from the table's own columns."""
    return f"p_{category}" if category in (*_OWN, PROBABILITIES) else category


def is_distribution_table(path: Given, tagset: Collection[str]) -> bool:
    """Return whether the columns form a table of distributions over some of these categories."""
    is_table = not isinstance(path, Path) or (path.suffix.lower() in SUFFIXES and path.is_file())
    if not is_table:
        return False
    header = open_table(path).header
    categories = {category_column(one) for one in tagset}.intersection(header)
    return "item" in header and (PROBABILITIES in header or len(categories) > 1)


def read_distributions(path: Given, tagset: Sequence[str]) -> Distributions:
    """Read the distribution of each item. Categories without a column have probability 0.

    Raises DataError for a repeated item, an invalid probability, and probabilities that do not sum
    to 1.
    """
    file = open_table(path)
    found: Distributions = {}
    for where, row in file.rows():
        if isinstance(row, Problem):
            raise DataError(f"{path.name}, {where}: {row.message}")
        cells = dict(zip(file.header, row, strict=False))
        key = (_text_or_none(cells.get("document")), _text_or_none(cells.get("item")) or "")
        if not key[1]:
            raise DataError(f"{path.name}, {where}: the cell `item` is empty")
        if key in found:
            raise DataError(f"{path.name}, {where}: item {key[1]!r} has a second distribution")
        found[key] = _distribution(f"{path.name}, {where}", cells, file, tagset)
    return found


def _distribution(
    where: str, cells: dict[str, Cell], file: TableFile, tagset: Sequence[str]
) -> tuple[float, ...]:
    if PROBABILITIES in file.header:
        given = _object(where, cells.get(PROBABILITIES))
        if unknown := sorted(given.keys() - set(tagset)):
            raise DataError(
                f"{where}: the annotators do not use {', '.join(map(repr, unknown))} "
                f"({', '.join(tagset)}); declare all categories with {option('categories')}"
            )
        numbers = [_probability(where, given.get(category, 0)) for category in tagset]
    else:
        numbers = [
            _probability(where, cells.get(category_column(category)) or 0) for category in tagset
        ]
    total = sum(numbers)
    if abs(total - 1) > _ROUNDING:
        raise DataError(
            f"{where}: the probabilities of {', '.join(tagset)} add up to {total:.3f}, not to 1; "
            f"if a category is missing here, declare all of them with {option('categories')}"
        )
    return tuple(number / total for number in numbers)


def _object(where: str, cell: Cell) -> dict[str, object]:
    try:
        found = cell if isinstance(cell, dict) else parse_json(str(cell), where)
    except DataError:
        found = None
    if not isinstance(found, dict):
        raise DataError(
            f"{where}: `{PROBABILITIES}` must be a JSON object of category and probability, such "
            'as {"yes": 0.7, "no": 0.3}'
        )
    return found


def _probability(where: str, value: object) -> float:
    try:
        number = float(str(value))
    except ValueError:
        number = math.nan
    if not 0 <= number <= 1:
        raise DataError(f"{where}: {value!r} is not a probability between 0 and 1")
    return number


def _text_or_none(cell: Cell) -> str | None:
    return None if cell is None else str(cell).strip() or None
