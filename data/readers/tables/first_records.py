"""The first records of a file of JSON or Parquet, which may have lists and objects as values."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

from ..common.files.json_stream import iter_objects
from .parts import parts_of


def first_records(path: Path, n: int) -> list[dict[str, Any]]:
    """Return the first `n` records. Raises DataError for a damaged file."""
    if path.suffix.lower() != ".parquet":
        found = (value for _, value in islice(iter_objects(path), n))
        return [value for value in found if isinstance(value, dict)]
    from ...untrusted.parquet import open_parquet

    batches = open_parquet(parts_of(path)[0]).batches(n)
    return next((batch.to_pylist() for batch in batches), [])[:n]
