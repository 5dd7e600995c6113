"""Versions on which the keys of stored results depend."""

from __future__ import annotations

from ..data.schema import SCHEMA_VERSION
from ..metrics.plugins import plugin_files
from ..metrics.signature import VERSION

RESULTS = 21
"""Number of the results: every commit that changes a value or the reading of a file raises it.

A store would otherwise answer with the old values, as nothing that they were computed from changed.
"""


def result_versions() -> dict[str, str | int | dict[str, str]]:
    """Return the versions of code, plugins, tables and results, on which every result depends."""
    return {
        "version": VERSION,
        "schema_version": SCHEMA_VERSION,
        "results": RESULTS,
        "plugins": plugin_files(),
    }
