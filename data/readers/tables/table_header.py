"""The lines above the rows of a table: titles, remarks, and the names of its columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from ...errors import DataError
from ..common.span_rules import Problem, is_number
from .cells import Batch, Row
from .delimited import delimited_batches
from .header_lines import names_of_two_lines
from .options import TableOptions
from .platform_status import names_of_cells
from .table_file import TableFile

_MOST_TITLES, _LOOKED_AT = 20, 100  # lines above the header, and all that are looked at


def table_with_header(
    batches: Iterator[Batch], own: TableOptions, word: str, source: str
) -> TableFile:
    """Take the first row as the header, unless the names are given or there is none."""
    if own.columns:
        return TableFile([*own.columns], batches, word)
    first = next(batches, None)
    if first is None:
        raise DataError(f"{source}: the file is empty")
    while not any(first.head(1)[0]) and len(first) > 1:  # lines of separators above the header
        first.drop_first()
    titles = _without_titles(first) if own.header is None else []
    [row] = first.head(1)
    if isinstance(row, Problem):
        raise DataError(f"{source}, {word} {first.numbers[0]}: {row.message}")
    if own.header == "no":
        numbered = [str(k) for k in range(1, len(row) + 1)]
        return TableFile(numbered, chain([first], batches), word)
    first.drop_first()
    cells = _names(row)
    if own.header == "two" and len(first):
        [below] = first.head(1)
        first.drop_first()
        cells = names_of_two_lines(cells, [] if isinstance(below, Problem) else _names(below))
    if len(first):
        cells = names_of_cells(cells, first.head(1)[0])
        rows = first.head(_LOOKED_AT)
        cells = ["", *cells] if own.header is None and _have_names(rows, len(cells)) else cells
        cells = _told_apart(cells, rows)
    rest = chain([first] if len(first) else [], batches)
    return TableFile(cells, rest, word, assumed=own.header is None, titles=titles)


def _without_titles(batch: Batch) -> list[str]:
    """Remove the lines above the header that are a title or remarks; return these.

    A title is in the first cell alone; remarks begin with `#`, as the header may that is below, and
    no later row does.
    """
    rows = [row if isinstance(row, list) else [] for row in batch.head(_LOOKED_AT)]
    texts = [str(row[0] or "") if row else "" for row in rows]
    n = next((k for k, row in enumerate(rows) if any(row[1:]) and texts[k][:1] != "#"), 0)
    if n > _MOST_TITLES or any(text[:1] == "#" for text in texts[n:]):
        return []
    if n == len(rows) - 1 or not any(rows[n + 1][1:]):  # no row of the same table is below
        return []
    n -= n > 0 and texts[n - 1][:1] == "#" and len(rows[n - 1]) == len(rows[n])
    for _ in range(n):
        batch.drop_first()
    return [*filter(None, texts[:n])]


def _names(row: list[Any]) -> list[str]:
    """Return the cells of a line of names, up to the last one."""
    while row and row[-1] is None:
        row.pop()
    return [str(cell or "").strip() for cell in row]


def _told_apart(names: list[str], rows: Sequence[Row]) -> list[str]:
    """Return names of which none occurs twice (`0.1` for the second `0`), if it is a header.

    That is, if a word is above numbers in some column; else the line may be data.
    """
    columns = zip(
        *(row for row in rows if isinstance(row, list) and len(row) == len(names)), strict=True
    )
    is_header = any(
        len(cells) > 1 and name and not is_number(name) and all(map(is_number, map(str, cells)))
        for name, cells in zip(names, columns, strict=False)
    )
    if not is_header:
        return names
    seen = Counter[str]()
    found = []
    for name in names:
        found.append(f"{name}.{seen[name]}" if name and seen[name] else name)
        seen[name] += 1
    return found if len({*filter(None, found)}) == len([*filter(None, found)]) else names


def _have_names(rows: Sequence[Row], width: int) -> bool:
    """Whether rows have one cell more than the header, names as `write.table` of R gives them."""
    names = [row[0] for row in rows if isinstance(row, list) and len(row) == width + 1 and row[-1]]
    return width > 1 and len({*names}) == len(rows) > 1


def is_plain(path: Path, own: TableOptions, delimiter: str) -> bool:
    """Whether any reader of a delimited file finds the same names and cells in its first lines."""
    first = next(delimited_batches(path, own.encoding, delimiter), Batch([], []))
    rows = [row for row in first.head(_LOOKED_AT) if isinstance(row, list)]
    has_marks = delimiter == "\t" and any('"' in str(cell) for row in rows for cell in row)
    if has_marks or not rows:
        return not has_marks
    return table_with_header(iter([first]), own, "", "").header == _names(rows[0])
