"""The first line of a command: what each table was understood to be, on standard error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..terminal import print_line

if TYPE_CHECKING:
    from ....data.readers.tables.description import TableDescription

_MOST_TABLES = 3


@contextmanager
def listening_to_tables() -> Iterator[None]:
    """Print a line for each of the first tables that are read."""
    from ....data.readers.tables.description import listening

    n_read = 0

    def say(description: TableDescription) -> None:
        nonlocal n_read
        from ....reports.language import Language
        from ....reports.table_description import table_sentence

        n_read += 1
        if n_read <= _MOST_TABLES:
            print_line(table_sentence(description, Language("en", ("account",))), error=True)

    with listening(say):
        yield
