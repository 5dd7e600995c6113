"""Named arrays in one Parquet file, the form in which tasks exchange counts."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..data.store.store import Store

_SCHEMA = pa.schema(
    [
        ("name", pa.string()),
        ("dtype", pa.string()),
        ("shape", pa.list_(pa.int64())),
        ("values", pa.large_binary()),
    ]
)


def write_arrays(store: Store, path: str, arrays: Mapping[str, NDArray[np.generic]]) -> str:
    rows = [
        {
            "name": name,
            "dtype": array.dtype.str,
            "shape": list(array.shape),
            "values": np.ascontiguousarray(array).tobytes(),
        }
        for name, array in arrays.items()
    ]
    return store.write_table(path, pa.Table.from_pylist(rows, schema=_SCHEMA))


def read_arrays(
    store: Store, path: str, names: Collection[str] | None = None
) -> dict[str, NDArray[np.generic]]:
    """Return all arrays of a file, or only the named ones; read-only views of the file's memory."""
    table = store.read_table(path)
    found = {}
    for row, name in enumerate(table["name"].to_pylist()):
        if names is None or name in names:
            values = np.frombuffer(table["values"][row].as_buffer(), table["dtype"][row].as_py())
            found[name] = values.reshape(table["shape"][row].as_py())
    return found
