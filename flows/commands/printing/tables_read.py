"""The first line of a command, on standard error: what each table was understood to be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..terminal import before_output, print_line

if TYPE_CHECKING:
    from ....data.readers.tables.description import TableDescription

_MOST_TABLES = 3


@contextmanager
def listening_to_tables() -> Iterator[None]:
    """Keep what the first tables are, and print a line for each before the first output."""
    from ....data.readers.tables.description import listening

    described: list[TableDescription] = []

    def say() -> None:
        if not described:
            return
        from ....reports.language import Language
        from ....tasks.inputs.table_sentences import table_sentence

        say_in = Language("en", ("account",))
        for one in described[:_MOST_TABLES]:
            print_line(table_sentence(one, say_in), error=True)
        if (n := len(described) - _MOST_TABLES) > 0:
            print_line(say_in("table_read.more", n=n), error=True)

    with listening(described.append), before_output(say):
        yield
