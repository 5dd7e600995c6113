"""The one exception class of `data`."""

from __future__ import annotations


class DataError(ValueError):
    """A source that cannot be read at all: the message says what, where and what to do.

    A single bad row never raises; it becomes a `data.schema.Rejected` record.
    """
