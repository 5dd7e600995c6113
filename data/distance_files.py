"""Files with distances between categories."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from .errors import DataError
from .readers.common.span_rules import Problem
from .readers.tables.options import TableOptions
from .readers.tables.reader import open_table
from .untrusted.budget import budget
from .untrusted.documents import read_json, read_text
from .untrusted.files import require_regular

Square: TypeAlias = tuple[list[str], list[tuple[str, list[object]]]]
"""Names of the columns; name and cells of each row."""

Pair: TypeAlias = tuple[str, str, object]
FORMS = (
    "square, with the categories in the first row and column, or has three columns: category, "
    "category, distance"
)


def read_distance_file(path: Path) -> Square | list[Pair]:
    """Read a table of distances: a square, or pairs of categories.

    A JSON file maps category → category → distance. Raises DataError for another form.
    """
    require_regular(path)
    if not path.is_file():
        raise DataError(f"{path}: no such file; give a table of distances between categories")
    if path.suffix.lower() == ".json":
        return list(_pairs_of_json(path))
    header, *rows = list(_text_rows(path)) or [[]]
    names = [row[0] for row in rows]
    if len(header) == 3 and {*names} != {*header[1:]}:
        return [(row[0], row[1], row[2]) for row in rows if len(row) == 3]
    if len(header) < 2:
        raise DataError(f"{path.name}: a table of distances is {FORMS}")
    return header[1:], [(row[0], list(row[1:])) for row in rows]


def is_category_tree(path: Path) -> bool:
    """Whether a text file has lines of single names, as a taxonomy by indentation has."""
    if path.suffix.lower() != ".txt" or not path.is_file():
        return False
    return not any(mark in line.strip() for line in _lines(path) for mark in ",;\t")


def read_category_tree(path: Path) -> list[tuple[str, ...]]:
    """Read a taxonomy, one category per line, indented below its parent, as paths from the root.

    Raises DataError for an indentation that no earlier line has, without a category, and for more
    levels than the budget allows.
    """
    limits = budget()
    found: list[tuple[str, ...]] = []
    above: list[tuple[int, str]] = []  # indentations and names of the parents
    for number, line in enumerate(_lines(path), 1):
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip())
        known = {0, *(one for one, _ in above)}
        if above and indent < above[-1][0] and indent not in known:
            raise DataError(
                f"{path.name}, line {number}: the indentation of {line.strip()!r} is that of no "
                "line above it"
            )
        above = [one for one in above if one[0] < indent]
        above.append((indent, line.strip()))
        what = f"line {number} is at level {len(above)}"
        limits.require("depth", len(above), path.name, what)
        found.append(tuple(name for _, name in above))
    if not found:
        raise DataError(f"{path.name}: a taxonomy has one category per line")
    return found


def _lines(path: Path) -> list[str]:
    return read_text(path, path.name).splitlines()


def _text_rows(path: Path) -> Iterator[list[str]]:
    for where, row in open_table(path, TableOptions(header="no")).rows():
        if isinstance(row, Problem):
            raise DataError(f"{path.name}, {where}: {row.message}")
        yield [str("" if cell is None else cell).strip() for cell in row]


def _pairs_of_json(path: Path) -> Iterator[Pair]:
    found = read_json(path, path.name)
    if not isinstance(found, Mapping) or not all(
        isinstance(one, Mapping) for one in found.values()
    ):
        raise DataError(
            f'{path.name}: distances in JSON map two categories: {{"Former": {{"New": 0.5}}}}'
        )
    for first, others in found.items():
        yield from ((first, second, value) for second, value in others.items())
