"""The exception class of `reports`."""

from __future__ import annotations


class ReportError(ValueError):
    """Something that cannot be shown; the message says what is wrong, where, and what to do."""
