"""Stores as a run has them after validation, for the tests of what comes next."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from accordeur.data.intake.sorted_runs import SLOT_BITS
from accordeur.data.store.store import Store
from accordeur.data.validation.rules import Declared
from accordeur.tasks.intake.ingest import SourceSpec, ingest
from accordeur.tasks.intake.validate import Shard, ValidationSpec, validate


def validated(
    folder: Path, sources: Sequence[dict[str, Any]], n_shards: int = 2
) -> tuple[Store, list[dict[str, Any]]]:
    """The store and the summaries of its shards."""
    url = str(folder / "store")
    plain = {
        "format": "auto", "annotator": None, "role": None, "batch": "", "layers": (), "options": {},
        "layer_names": {},
    }  # fmt: skip
    done = [ingest(url, SourceSpec(**{**plain, **source})) for source in sources]
    width = (1 << SLOT_BITS) // n_shards
    shards = [Shard(k, k * width, (k + 1) * width) for k in range(n_shards)]
    kept = [{"files": one["files"], "layers": one["layers"]} for one in done]
    found = validate(url, kept, shards, ValidationSpec(Declared()))["shards"]
    return Store(url), found


def table(folder: Path, name: str, header: str, rows: Sequence[str]) -> str:
    path = folder / name
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return str(path)
