"""Reading a source whole, sorted by table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.registry import AUTO
from accordeur.data.readers.sources import read_source
from accordeur.data.schema import TABLES


class Tables(dict[str, list[Any]]):
    """Records by table: `tables.units`, `tables.rejected` …"""

    def __getattr__(self, name: str) -> list[Any]:
        if name not in TABLES:
            raise AttributeError(name)
        return self[name]

    def by(self, table: str, **wanted: str) -> list[Any]:
        return [r for r in self[table] if all(getattr(r, k) == v for k, v in wanted.items())]


@pytest.fixture(scope="session")
def read() -> Callable[..., Tables]:
    """`read(path, format, annotator=…, extra={…})`: all records of a source by table."""

    def whole(path: str | Path, format: str = AUTO, **options: Any) -> Tables:
        tables = Tables({name: [] for name in TABLES})
        for record in read_source(path, format, SourceOptions(**options)):
            tables[record.TABLE].append(record)
        return tables

    return whole
