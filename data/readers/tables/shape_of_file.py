"""Recognise the known shape of a file by its beginning."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from ...errors import DataError
from ..common.files.json_stream import iter_entries
from ..common.files.text import decode, first_bytes
from .delimited import sniff_delimiter, split_line
from .first_records import first_records
from .inspect_log import SUFFIX as INSPECT
from .known_shapes import SHAPES, Shape

_START = 1 << 16  # bytes of a table that are looked at


def known_shape(path: Path, shapes: Sequence[Shape] = SHAPES) -> Shape | None:
    """Return the known shape of a file by its beginning; None for others, and for folders."""
    suffix = path.suffix.lower()
    try:
        if suffix == INSPECT:
            return next((one for one in shapes if one.key == "inspect"), None)
        if suffix in (".csv", ".tsv"):
            return _shape_of_table(_beginning(path), shapes)
        if suffix == ".json" and (log := _shape_of_log(_beginning(path), shapes)):
            return log
        if suffix in (".json", ".jsonl", ".ndjson"):
            entry = next(iter_entries(path), None) if suffix == ".json" else None
            return _shape_of_records(path, entry, shapes)
        if suffix == ".parquet":
            return _shape_of_records(path, None, shapes)
    except DataError:
        return None
    return next((one for one in shapes if one.form == "lines" and suffix in one.pattern), None)


def _beginning(path: Path) -> str:
    """Return the first characters of a file, whose last one may be cut. Raises DataError."""
    data = first_bytes(path, _START)
    for cut in range(4):
        with suppress(DataError):
            return decode(data[: len(data) - cut], path.name)
    return decode(data, path.name)


def _shape_of_table(start: str, shapes: Sequence[Shape]) -> Shape | None:
    first = start.partition("\n")[0].rstrip("\r")
    columns = split_line(first, sniff_delimiter(first))
    return next((one for one in shapes if one.form == "table" and _has(one, columns, start)), None)


def _shape_of_log(start: str, shapes: Sequence[Shape]) -> Shape | None:
    logs = (one for one in shapes if one.form == "log")
    return next((one for one in logs if all(text in start for text in one.pattern)), None)


def _has(shape: Shape, columns: Sequence[str], start: str) -> bool:
    return shape.holds in start and all(
        any(fnmatchcase(column.casefold(), wanted.casefold()) for column in columns)
        for wanted in shape.pattern
    )


def _shape_of_records(
    path: Path, entry: dict[str, Any] | None, shapes: Sequence[Shape]
) -> Shape | None:
    first = next(iter(first_records(path, 1)), None)
    for form, record in (("map", entry), ("records", first)):
        for shape in shapes if record is not None else ():
            if shape.form == form and all(_reaches(record, one) for one in shape.pattern):
                return shape
    return None


def _reaches(value: object, path: str) -> bool:
    """Return whether the path leads to something; `annotators[].label`, `annotations.*`."""
    step, _, rest = path.partition(".")
    name = step.removesuffix("[]")
    if not isinstance(value, dict):
        return False
    found = [own for key, own in value.items() if name in ("*", key)]
    if step.endswith("[]"):
        found = [each for own in found if isinstance(own, list) for each in own]
    return any(not rest or _reaches(own, rest) for own in found)
