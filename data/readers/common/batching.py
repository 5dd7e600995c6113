"""Entries of a file to rows: many at a time where a format can, the others one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from ...blocks import Rows
from ...errors import DataError
from ...schema import Record

Entry = TypeVar("Entry")
_ENTRIES = 2048  # at most so many in a batch
_FEW = 16  # a batch that is not plain throughout is tried again in pieces of so many
_CHARACTERS = 1 << 21  # a batch ends with the entry that reaches so many


def batched_rows(
    entries: Iterable[Entry],
    size: Callable[[Entry], int],
    plain: Callable[[list[Entry]], list[Rows] | None],
    singly: Callable[[Entry], Iterable[Record]],
) -> Iterator[Rows]:
    """What `singly` gives for each entry, table by table in the same order.

    `plain` makes the rows of a batch at once, or returns None when one of its entries needs a
    second look. `size` is an entry's characters, which bounds the memory. The entries before a
    DataError come out before it.
    """
    held: list[Entry] = []
    characters = 0
    damage: DataError | None = None
    try:
        for entry in entries:
            held.append(entry)
            characters += size(entry)
            if len(held) >= _ENTRIES or characters >= _CHARACTERS:
                yield from _rows(held, plain, singly)
                held, characters = [], 0
    except DataError as error:
        damage = error
    yield from _rows(held, plain, singly)
    if damage is not None:
        raise damage


def _rows(
    held: list[Entry],
    plain: Callable[[list[Entry]], list[Rows] | None],
    singly: Callable[[Entry], Iterable[Record]],
) -> Iterator[Rows]:
    if not held:
        return
    rows = plain(held)
    if rows is not None:
        yield from rows
    elif len(held) > _FEW:
        for at in range(0, len(held), _FEW):
            yield from _rows(held[at : at + _FEW], plain, singly)
    else:
        for entry in held:
            yield from singly(entry)
