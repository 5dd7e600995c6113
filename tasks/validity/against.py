"""What systems are scored against: an annotator with the role reference, or a built reference."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ...data.store.store import Store
from ..layers import LayerSpec, accepted


@dataclass(frozen=True, slots=True)
class Against:
    """`place` is None for an annotator's own rows, else where the built reference's rows are."""

    name: str
    place: str | None = None


def with_built_labels(
    store: Store, key: str, rows: pa.Table, layer: LayerSpec, place: str
) -> pa.Table:
    """The systems' rows of one shard and the built reference's of the same documents."""
    columns = ["document", "item", "annotator", "label"]
    built = store.read_table(f"{place}/reference.parquet", columns=columns)
    here = accepted(store, key, "documents", columns=["document"])["document"]
    kept = built.filter(pc.is_in(built["document"], value_set=here.combine_chunks()))
    by_systems = pc.is_in(rows["annotator"], value_set=pa.array(layer.systems, pa.string()))
    return pa.concat_tables([rows.filter(by_systems).select(columns), kept])


def built_units(store: Store, place: str, layer: LayerSpec) -> dict[str, NDArray[np.int64]]:
    """(start, end, category) rows of every document that the built reference speaks of."""
    documents = store.read_table(f"{place}/documents.parquet")["document"].to_pylist()
    table = store.read_table(f"{place}/reference.parquet")
    found: dict[str, list[tuple[int, int, int]]] = {name: [] for name in documents}
    code = {category: k for k, category in enumerate(layer.tagset)}
    for row in table.to_pylist():
        found[row["document"]].append((row["start"], row["end"], code.get(row["category"], -1)))
    return {name: np.array(rows, np.int64).reshape(-1, 3) for name, rows in found.items()}
