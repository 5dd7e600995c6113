"""Stores as a run has them after validation, for the tests of what comes next."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from accordeur.data.intake.sorted_runs import SLOT_BITS
from accordeur.data.intake.spill import Spilled
from accordeur.data.store.store import Store
from accordeur.data.validation.rule import Declared
from accordeur.tasks.intake.ingest import RawFiles, SourceSpec, ingest
from accordeur.tasks.intake.shards import Shard, ValidatedShard
from accordeur.tasks.intake.validate import ValidationSpec, validate


def validated(
    folder: Path, sources: Sequence[dict[str, Any]], n_shards: int = 2
) -> tuple[Store, list[ValidatedShard]]:
    """The store and the summaries of its shards."""
    url = str(folder / "store")
    plain = {
        "format": "auto", "annotator": None, "role": None, "batch": "", "layers": (), "options": {},
        "layer_names": {},
    }  # fmt: skip
    done = [ingest(url, SourceSpec(**{**plain, **source})) for source in sources]
    width = (1 << SLOT_BITS) // n_shards
    shards = [Shard(k, k * width, (k + 1) * width) for k in range(n_shards)]
    kept = [one.raw for one in done]
    found = validate(url, kept, shards, ValidationSpec(Declared()))
    return Store(url), found


def raw_files(spilled: Spilled) -> RawFiles:
    """Where the rows of a source are that no export was read for."""
    layers = {table: sorted(names) for table, names in spilled.layers.items()}
    return RawFiles(spilled.files, layers)


def table(folder: Path, name: str, header: str, rows: Sequence[str]) -> str:
    path = folder / name
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return str(path)
