"""The writers by name."""

from __future__ import annotations

from ..errors import DataError
from . import brat, csv_tables, inception_xmi, label_studio
from .base import Writer

WRITERS: dict[str, Writer] = {
    writer.NAME: writer
    for writer in (brat.WRITER, inception_xmi.WRITER, label_studio.WRITER, csv_tables.WRITER)
}


def writer(name: str) -> Writer:
    """Return the writer of a format. Raises DataError with the list of formats if it is unknown."""
    if name not in WRITERS:
        raise DataError(f"no writer for format {name!r}; formats: {', '.join(WRITERS)}")
    return WRITERS[name]
