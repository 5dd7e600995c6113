"""Parquet files that are the parts of one table: `train-0000.parquet`, `train-0001.parquet` …"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import IO, Any

from .column_names import is_person_name

_PART = re.compile(
    r"(?P<before>(.*?[-_.])??)(?P<number>[0-9]{4,}|(?<=part[-_.])[0-9]+)"
    r"(?P<after>(?P<all>-of-[0-9]+)?(-[0-9a-f]{8}-.*|[.][a-z0-9]+)?[.]parquet)",
    re.I,
)


class PartedTable(type(Path())):  # type: ignore[misc]  # the class of paths of this system
    """The path that a table in several files would have as one file.

    files    its parts, in order
    pattern  a path with `*` that only they match
    """

    files: tuple[Path, ...] = ()
    pattern: str = ""

    def exists(self, **_: Any) -> bool:
        return True

    def is_file(self, **_: Any) -> bool:
        return True

    def is_dir(self, **_: Any) -> bool:
        return False

    def stat(self, **options: Any) -> os.stat_result:
        return self.files[0].stat(**options)

    def open(self, *arguments: Any, **options: Any) -> IO[Any]:
        """Open the first part, for what looks at the beginning."""
        return self.files[0].open(*arguments, **options)  # type: ignore[no-any-return]


def with_joined_parts(files: Iterable[Path]) -> Iterator[Path]:
    """Yield files, one path for each table whose parts follow each other.

    The names of parts differ in a number, which counts them from 0 or 1, or is one `-of-` so many.
    """
    for key, group in groupby(files, _table_of_part):
        if key is None:
            yield from group
            continue
        parts = [*group]
        joined = _joined(parts) if len(parts) > 1 else None
        yield from parts if joined is None else [joined]


def parts_of(path: Path) -> tuple[Path, ...]:
    """Return the files of a table."""
    return path.files if isinstance(path, PartedTable) else (path,)


def _table_of_part(path: Path) -> tuple[Path, str, str] | None:
    match = _PART.fullmatch(path.name)
    if match is None or is_person_name(match["before"]):
        return None
    return path.parent, match["before"], match["after"]


def _joined(parts: list[Path]) -> PartedTable | None:
    matches = [match for one in parts if (match := _PART.fullmatch(one.name))]
    numbers = sorted(int(one["number"]) for one in matches)
    first, before, after = numbers[0], matches[0]["before"], matches[0]["after"]
    if not matches[0]["all"] and (first > 1 or numbers != [*range(first, first + len(numbers))]):
        return None
    folder = parts[0].parent
    found = PartedTable(folder / f"{before.rstrip('-_.') or folder.resolve().name}.parquet")
    found.files = tuple(sorted(parts, key=lambda one: one.name))
    found.pattern = str(folder / f"{before}*{after}")
    return found
