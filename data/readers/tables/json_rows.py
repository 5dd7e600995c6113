"""Rows of a table as JSON: one object per line, or one list of objects or of labels.

Values stay as they are written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from ...errors import DataError
from ...untrusted.documents import read_text
from ..common.files.lines import MAX_LINE_BYTES, decode_line, iter_byte_blocks
from ..common.span_rules import Problem
from .cells import ROWS, Batch, Cell, Row, as_cell
from .delimited import numbered_first_line

LABEL = "label"
_JSON = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_TEXT_TYPES = frozenset({str, type(None)})


def json_rows(path: Path) -> tuple[list[str], Iterator[Batch]]:
    """Return the first object's keys, which are the columns, and the rows, which may omit keys."""
    first = _json_object(numbered_first_line(path, max_bytes=MAX_LINE_BYTES)[1])
    if isinstance(first, Problem):
        raise DataError(f"{path.name}: {first.message} in the first line")
    header = list(first)
    return header, _batches(path, header)


def json_list_rows(path: Path) -> tuple[list[str], Iterator[Batch]]:
    """Return the columns and the rows of a list of objects, or of a list of labels (`label`).

    The columns are the keys of the first object; the other ones may omit keys.
    """
    text = read_text(path, path.name)
    try:
        values = _JSON.decode(text.strip())
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path.name}: not JSON ({error})") from None
    if not isinstance(values, list) or not values:
        raise DataError(f"{path.name}: a table as JSON must be a list of rows")
    header = list(values[0]) if isinstance(values[0], dict) else [LABEL]
    return header, _listed(values, header)


def _listed(values: list[Any], header: list[str]) -> Iterator[Batch]:
    for start in range(0, len(values), ROWS):
        part = values[start : start + ROWS]
        rows = [_listed_row(one, header) for one in part]
        yield Batch(range(start + 1, start + len(part) + 1), rows)


def _listed_row(value: object, header: list[str]) -> Row:
    if isinstance(value, dict):
        cells = [as_cell(cell) for cell in map(value.get, header)]
    elif header == [LABEL] and not isinstance(value, list):
        cells = [as_cell(value)]
    else:
        return Problem("not_an_object", str(value)[:200], "a row must be a JSON object")
    if _has_lone_surrogate(cells):
        shown = "half of a surrogate pair is not a character"
        return Problem("lone_surrogate", repr(cells)[:200], shown)
    return cells


def _batches(path: Path, header: list[str]) -> Iterator[Batch]:
    for number, block, encoding in iter_byte_blocks(path):
        if isinstance(block, Problem):
            yield Batch([number], [block])
            continue
        numbers: list[int] = []
        rows: list[Row] = []
        for k, raw in enumerate(block.split(b"\n"), number):
            if raw and not raw.isspace():
                numbers.append(k)
                rows.append(_cells(raw, header, encoding))
        if rows:
            yield Batch(numbers, rows)


def _cells(raw: bytes, header: list[str], encoding: str) -> Row:
    try:
        cells = [*map(from_json(raw).get, header)]
        if _TEXT_TYPES.issuperset(map(type, cells)):
            return cells
    except (ValueError, AttributeError):
        pass
    return _exact_cells(raw, header, encoding)


def _exact_cells(raw: bytes, header: list[str], encoding: str) -> Row:
    """Parse what the fast parser loses: how a number is written, what is wrong with a line."""
    line = decode_line(raw, encoding)
    if isinstance(line, Problem):
        return line
    value = _json_object(line)
    if isinstance(value, Problem):
        return value
    cells = [cell if type(cell) is str else as_cell(cell) for cell in map(value.get, header)]
    if _SURROGATE.search(line) and _has_lone_surrogate(cells):
        return Problem("lone_surrogate", line[:200], "half of a surrogate pair is not a character")
    return cells


def _json_object(line: str) -> dict[str, Any] | Problem:
    try:
        value = _JSON.decode(line)
    except (ValueError, RecursionError) as error:
        return Problem("bad_json", line[:200], f"not JSON ({error})")
    if not isinstance(value, dict):
        return Problem("not_an_object", line[:200], "a row must be a JSON object")
    return value


def _has_lone_surrogate(cells: list[Cell]) -> bool:
    flat = [cell if isinstance(cell, str) else "".join(cell or ()) for cell in cells]
    try:
        "".join(flat).encode()
    except UnicodeEncodeError:
        return True
    return False
