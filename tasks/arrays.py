"""Named arrays as one Parquet file: how counts travel between tasks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from data.store import Store

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


def read_arrays(store: Store, path: str) -> dict[str, NDArray[np.generic]]:
    return {
        row["name"]: np.frombuffer(row["values"], dtype=row["dtype"]).reshape(row["shape"])
        for row in store.read_table(path).to_pylist()
    }
