"""Conversion of data frames to temporary files that the functions of the commands read."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..data.errors import DataError
from ..metrics.errors import MetricsError
from ..tasks.exports.reading import Reading
from .frames import names

FILE = "data.parquet"
_KEYWORDS = {
    "crew": "crews", "distance": "level", "level": "confidence", "measure": "measures",
    "system": "systems", "tagset": "order",
}  # fmt: skip


@contextmanager
def as_export(
    columns: Mapping[str, Sequence[Any]],
    file: str = FILE,
) -> Iterator[tuple[Path, Callable[[Sequence[Any]], Reading]]]:
    """Write the columns to a file, and yield its path and a function of the tagset that reads it.

    Errors name the keyword arguments instead of the command-line options, and no file.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    def reading(order: Sequence[Any]) -> Reading:
        return Reading(
            format="table",
            options={name: name for name in columns},
            tagset=tuple(names(list(order), "category")),
        )

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / file
        pq.write_table(pa.table(dict(columns)), path)  # type: ignore[no-untyped-call]
        try:
            yield path, reading
        except (DataError, MetricsError) as error:
            error.args = (in_python(str(error), path), *error.args[1:])
            raise


def in_python(message: str, path: Path | None = None) -> str:
    """Rewrite a command's message with keyword arguments for options, and without the file."""
    if path is not None:
        for name in (str(path), path.name):
            message = message.replace(f"{name}: ", "").replace(name, "the data")
    return re.sub(r"--(?!option)([a-z][a-z-]+)(?: (\w+)(?=`))?", _keyword, message)


def _keyword(flag: re.Match[str]) -> str:
    name = flag[1].replace("-", "_")
    value = f'"{flag[2]}"' if flag[2] else ""
    return f"{_KEYWORDS.get(name, name)}={value}"
