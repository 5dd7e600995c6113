"""Records of a source, prepared as a shard of a run is."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence

import pyarrow as pa

from accordeur.data.intake.sorted_runs import SLOT_BITS
from accordeur.data.intake.spill import read_slots, spill
from accordeur.data.schema import (
    SCHEMAS,
    Record,
    Unit,
)
from accordeur.data.store.store import Store
from accordeur.data.validation.accepted import Accepted
from accordeur.data.validation.preparation import prepare
from accordeur.data.validation.rule import Declared

DECLARED = Declared(
    tagsets={"units": ("A", "B"), "labels": ("x", "y")},
    roles={"anna": "human", "ben": "human"},
)


def prepared(*sources: Sequence[Record], declared: Declared = DECLARED) -> Accepted:
    with tempfile.TemporaryDirectory() as folder:
        store = Store(folder)
        raw: dict[str, list[pa.Table]] = {name: [] for name in SCHEMAS}
        layers = []
        for origin, records in enumerate(sources):
            spilled = spill(records, store, f"source{origin}")
            layers.append(
                sorted(name or table for table, names in spilled.layers.items() for name in names)
            )
            for name, files in spilled.files.items():
                part = read_slots(store, files, name, 0, 1 << SLOT_BITS)
                raw[name].append(
                    part.append_column("origin", pa.array([origin] * part.num_rows, pa.int32()))
                )
        return prepare({k: pa.concat_tables(v) for k, v in raw.items()}, declared, layers)


def rules_broken(result: Accepted) -> list[tuple[str, str, str]]:
    rows = result.rejected.to_pylist()
    return sorted((row["table_name"], row["rule"], row["value"]) for row in rows)


def unit(name: str = "T1", start: int = 0, end: int = 3, category: str = "A", **more: str) -> Unit:
    return Unit("d", more.pop("annotator", "anna"), name, start, end, category, **more)  # type: ignore[arg-type]
