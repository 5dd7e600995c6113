"""Untrusted SQLite databases: opened for reading only, whatever their schema says.

A view, a trigger, a function in a generated column or a journal beside the file could run while a
table is read. None does: only tables are read, the schema is not trusted, an authorizer refuses
everything but reading, and the file is taken as it is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from ..errors import DataError
from .budget import budget
from .files import open_regular

_MAGIC = b"SQLite format 3\x00"
_ALLOWED = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ)
_FUNCTIONS = ("count",)
_STEPS, _MOST_STEPS = 1_000_000, 20_000  # of the virtual machine, between looks and in all


@dataclass(frozen=True, slots=True)
class Database:
    """An open database. `tables` are the names of its tables, without views."""

    source: str
    tables: frozenset[str]
    _connection: sqlite3.Connection = field(repr=False)

    def rows(self, query: str) -> Iterator[tuple[str, ...]]:
        """Yield the rows that a query of the reader selects, as texts; NULL is "".

        Raises DataError if the database is damaged or lacks what the query names.
        """
        try:
            for row in self._connection.execute(query):
                yield tuple(map(_text, row))
        except (sqlite3.Error, OverflowError, MemoryError) as error:
            raise _damaged(self.source, error) from None


def is_sqlite(path: Path) -> bool:
    """Whether a file begins as an SQLite database does."""
    try:
        with open_regular(path) as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except (OSError, DataError):
        return False


@contextmanager
def open_database(path: Path, source: str) -> Iterator[Database]:
    """Open a database for reading. Raises DataError if it is none, too large or damaged."""
    limits = budget()
    if not is_sqlite(path):
        raise DataError(f"{source}: is no SQLite database")
    size = path.stat().st_size
    limits.require("file_bytes", size, source, f"it has {size:,} bytes")
    uri = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
    try:
        connection = sqlite3.connect(uri, uri=True)
    except sqlite3.Error as error:
        raise _damaged(source, error) from None
    with closing(connection):
        connection.text_factory = bytes
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, limits.file_bytes)
        try:
            for pragma in ("trusted_schema = OFF", "query_only = ON", "cell_size_check = ON"):
                connection.execute(f"PRAGMA {pragma}")
            found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            tables = frozenset(_text(name) for (name,) in found)
        except sqlite3.Error as error:
            raise _damaged(source, error) from None
        connection.set_authorizer(_authorize)
        steps = iter(range(_MOST_STEPS))
        connection.set_progress_handler(lambda: next(steps, None) is None, _STEPS)
        yield Database(source, tables, connection)


def _authorize(action: int, first: str | None, second: str | None, *_: object) -> int:
    if action in _ALLOWED or (action == sqlite3.SQLITE_FUNCTION and second in _FUNCTIONS):
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def _text(value: object) -> str:
    if value is None:
        return ""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _damaged(source: str, error: Exception) -> DataError:
    return DataError(f"{source}: the database cannot be read ({error})")
