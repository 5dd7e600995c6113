"""A data frame on its way to what the commands call: a table in a temporary file."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..tasks.exports.reading import Reading
from .frames import names

FILE = "data.parquet"


@contextmanager
def as_export(
    columns: Mapping[str, Sequence[Any]],
    file: str = FILE,
) -> Iterator[tuple[Path, Callable[[Sequence[Any]], Reading]]]:
    """The columns as a file that readers take, and how they read it with a tagset."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    def reading(order: Sequence[Any]) -> Reading:
        return Reading(
            format="table",
            options={name: name for name in columns},
            tagset=tuple(names(list(order), "category")),
        )

    with tempfile.TemporaryDirectory(prefix="accordeur-") as folder:
        path = Path(folder) / file
        pq.write_table(pa.table(dict(columns)), path)  # type: ignore[no-untyped-call]
        yield path, reading
