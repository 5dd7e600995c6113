"""The limits on what one untrusted file may take: bytes, entries, cells, depth.

A small file can describe billions of cells or bytes. Each limit counts what takes time and memory,
so that the same file is refused on every machine. An environment variable raises a limit.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, fields

from ..errors import DataError

_PREFIX = "ACCORDEUR_MAX_"
_UNITS = {
    "file_bytes": "bytes of a file that is read whole",
    "entry_bytes": "unpacked bytes of one file in an archive",
    "total_bytes": "unpacked bytes of all files of an archive",
    "entries": "files in an archive",
    "ratio": "times the size of the file",
    "cell_ratio": "cells for each byte of the file",
    "cells": "cells of a table",
    "depth": "levels of nesting",
    "blank_bytes": "bytes of blank lines one after another",
    "memory_bytes": "bytes of memory, and four times the size of the file",
    "query_bytes": "bytes of memory, and eight times the size of the file",
    "query_seconds": "seconds",
}


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits. The ratio applies from `ratio_from_bytes` and `ratio_from_cells` on.

    A short run of spaces compresses well and does no harm.
    """

    file_bytes: int = 256 << 20
    entry_bytes: int = 1 << 30
    total_bytes: int = 16 << 30
    entries: int = 100_000
    ratio: int = 300
    cell_ratio: int = 30
    cells: int = 500_000_000
    depth: int = 100
    blank_bytes: int = 1 << 20
    memory_bytes: int = 512 << 20
    query_bytes: int = 1 << 30
    query_seconds: int = 60
    ratio_from_bytes: int = 8 << 20
    ratio_from_cells: int = 10_000_000
    zip_depth: int = 3

    def breach(self, limit: str, source: str, what: str) -> DataError:
        """Return the error for content over a limit: `what` continues the name of the source."""
        return DataError(
            f"{source}: {what}; the limit is {getattr(self, limit):,} {_UNITS[limit]}: if the file "
            f"is right, raise it with {_PREFIX}{limit.upper()}"
        )

    def require(self, limit: str, found: int, source: str, what: str) -> None:
        """Raise DataError (`breach`) if the number found is above the limit."""
        if found > getattr(self, limit):
            raise self.breach(limit, source, what)

    def is_bomb(self, unpacked: int, packed: int) -> bool:
        """Return whether so many unpacked bytes are too many for `packed` bytes."""
        return unpacked > self.ratio_from_bytes and unpacked > self.ratio * max(packed, 1)

    def require_cells(self, n_cells: int, packed: int, source: str) -> None:
        """Raise DataError if so many cells are too many, for any file or for `packed` bytes."""
        what = f"it has {n_cells:,} cells or more"
        self.require("cells", n_cells, source, what)
        if n_cells > self.ratio_from_cells and n_cells > self.cell_ratio * max(packed, 1):
            raise self.breach("cell_ratio", source, what)


def budget() -> Budget:
    """Return the limits with what the environment changes.

    Raises DataError for a variable that is not a positive whole number.
    """
    given = {}
    for field in fields(Budget):
        text = os.environ.get(_PREFIX + field.name.upper())
        if text is None:
            continue
        if not (text.isascii() and text.isdigit() and 0 < len(text) <= 18 and int(text)):
            raise DataError(
                f"{_PREFIX}{field.name.upper()} is {text[:40]!r}: give a positive whole number"
            )
        given[field.name] = int(text)
    return Budget(**given)
