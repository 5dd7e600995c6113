"""What a table was understood to be, for the first line that a command prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from .layout import Columns, Layout

Listener = Callable[["TableDescription"], None]


@dataclass(frozen=True, slots=True)
class TableDescription:
    """A table in words of its own columns.

    source        the file
    item          the columns that the item is made of; () if each row is one
    annotator     the column of the annotators, "" if there is none
    annotators    the annotators, as far as the first rows name all of them
    label         the column of the labels, "" in a table with a column per annotator
    values        the categories, as far as the first rows have all of them; () if unknown
    more          further columns that are used, by what they are
    """

    source: str
    layout: Layout
    item: tuple[str, ...] = ()
    annotator: str = ""
    annotators: tuple[str, ...] = ()
    label: str = ""
    values: tuple[str, ...] = ()
    more: tuple[tuple[str, str], ...] = ()

    @staticmethod
    def of(
        source: str,
        columns: Columns,
        header: Sequence[str],
        item_parts: Sequence[str],
        *,
        annotators: Sequence[str] = (),
        values: Sequence[str] = (),
    ) -> TableDescription:
        at = {name: header[k] for name, k in columns.at.items()}
        item = tuple(item_parts) or ((at["item"],) if "item" in at else ())
        is_wide = columns.layout is Layout.WIDE
        annotators = [name for _, name in columns.across] if is_wide else annotators
        more = tuple((name, at[name]) for name in _FURTHER if name in at)
        return TableDescription(
            source, columns.layout, item, at.get("annotator", ""), tuple(annotators),
            at.get("label", at.get("category", "")), tuple(values), more,
        )  # fmt: skip


_FURTHER = ("document", "layer", "pass", "role", "count")
_LISTENER: ContextVar[Listener | None] = ContextVar("listener", default=None)


def announce(description: TableDescription) -> None:
    """Tell the front end that listens what a table was understood to be."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(description)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Call `listener` for each table that is read, once for each description."""
    known: set[TableDescription] = set()

    def listen_once(description: TableDescription) -> None:
        if description not in known:
            known.add(description)
            listener(description)

    before = _LISTENER.set(listen_once)
    try:
        yield
    finally:
        _LISTENER.reset(before)


@contextmanager
def also_listening(listener: Listener) -> Iterator[None]:
    """Call `listener` as `listening` does, beside the front end that listens."""
    outer = _LISTENER.get()

    def tell_both(description: TableDescription) -> None:
        listener(description)
        if outer is not None:
            outer(description)

    with listening(tell_both):
        yield
