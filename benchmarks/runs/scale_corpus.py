"""Campaigns of three annotators for whole runs, made by degrading the units of a reference."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ANNOTATORS = ("anna", "ben", "chloe")
CATEGORIES = ("PER", "LOC", "ORG", "MISC")
KEPT = 0.9  # share of the reference's units kept by each annotator
LENGTH_A_UNIT = 200  # characters of a document per unit of its reference
N_SOURCES = 4


@dataclass(frozen=True, slots=True)
class Size:
    """Size of a campaign; `units`: mean per annotator and document, at constant density."""

    documents: int
    units: float = 9.0

    @classmethod
    def parse(cls, text: str) -> Size:
        """Parse `2000` or `2000x25`. Raises ValueError."""
        documents, _, units = text.partition("x")
        return cls(int(documents), float(units) if units else cls(0).units)

    def __str__(self) -> str:
        return f"{self.documents}x{self.units:g}"


def write_exports(folder: Path, size: Size) -> None:
    """Write exports with shifted, omitted and mislabelled units."""
    folder.mkdir(parents=True)
    rng = np.random.default_rng(0)
    mean = size.units / KEPT
    length = round(mean * LENGTH_A_UNIT)
    for source, documents in enumerate(np.array_split(np.arange(size.documents), N_SOURCES)):
        n_units = rng.poisson(mean, documents.size)
        document = np.repeat(documents, n_units)
        start = rng.integers(0, length - 60, document.size)
        end = start + rng.integers(3, 40, document.size)
        category = rng.integers(0, len(CATEGORIES), document.size)
        parts = []
        for name in ANNOTATORS:
            kept = rng.random(document.size) > 1 - KEPT
            moved = rng.integers(-2, 3, (2, document.size)) * (rng.random(document.size) < 0.2)
            wrong = rng.random(document.size) < 0.1
            said = np.where(wrong, rng.integers(0, len(CATEGORIES), document.size), category)
            table = {
                "document": np.char.add("doc-", document[kept].astype(str)),
                "annotator": np.full(kept.sum(), name),
                "start": np.maximum(0, start + moved[0])[kept],
                "end": (end + moved[1] + 4)[kept],
                "category": np.array(CATEGORIES)[said[kept]],
            }
            parts.append(pa.table(table))
        pq.write_table(pa.concat_tables(parts), folder / f"part-{source}.parquet")


def write_campaign(folder: Path, size: Size, workers: int) -> Path:
    """Write a campaign folder; existing exports are reused."""
    if not (folder / "exports").exists():
        write_exports(folder / "exports", size)
    sources = "".join(
        f'[[sources]]\npath = "exports/part-{k}.parquet"\nformat = "table"\n'
        for k in range(N_SOURCES)
    )
    campaign = folder / f"campaign-{workers}.toml"
    campaign.write_text(
        f'[campaign]\nname = "scale"\n{sources}[engine]\nin_process_mb = 0\nworkers = {workers}\n'
        f'[store]\nurl = "store-{workers}"\n',
        encoding="utf-8",
    )
    return campaign


def units_in(campaign: Path) -> int:
    """Count the units of all annotators in the exports."""
    exports = (campaign.parent / "exports").glob("*.parquet")
    return sum(pq.read_metadata(one).num_rows for one in exports)
