"""Units of two passes."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from accordeur.tasks.analysis import count
from accordeur.tasks.layers import LayerSpec
from accordeur.tasks.passes import gamma_between_passes
from accordeur.tasks.units.alignment import DissimilaritySpec, UnitAlignment, read_category_use
from accordeur.tasks.units.category_use import unit_distribution
from tests.tasks.stores import table, validated


def test_units_of_two_passes_and_their_distribution(tmp_path: Path) -> None:
    from accordeur.metrics.units.gamma_settings import GammaSettings

    rows = []
    for d in range(3):
        for pass_ in (1, 2):
            rows += [f"d{d},anna,{s},{s + 5},{c},{pass_}" for s, c in ((0, "A"), (20, "B"))]
        rows.append(f"d{d},ben,0,5,A,1")
    path = table(tmp_path, "units.csv", "document,annotator,start,end,category,pass", rows)
    store, shards = validated(tmp_path, [{"path": path, "batch": "all"}])
    layer = LayerSpec("units", "units", ("A", "B"), ("anna", "ben"))
    keys = [shard.key for shard in shards]
    settings = GammaSettings(precision=0.1, replicates=20)
    [(name, gamma)] = gamma_between_passes(
        store, keys, layer, DissimilaritySpec().dissimilarity_for(layer), settings
    )
    assert (name, gamma.value) == ("anna", pytest.approx(1.0))
    aligned = count(store.url, keys, [UnitAlignment(layer, DissimilaritySpec())])
    assert all(one.facts["has_passes"] == (one.facts["n_documents"] > 0) for one in aligned)
    places = [one.place for one in aligned]
    documents = pa.concat_tables(store.read_table(f"{p}/alignments.parquet") for p in places)
    distribution = unit_distribution(layer, read_category_use(store, places), documents)
    assert distribution.counts == [[3, 3], [3, 0]]
    assert distribution.batches == []
    assert distribution.document_counts == [[2, 1]] * 3
