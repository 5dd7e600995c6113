"""Counts of units by document and category: the same where they are held sparse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import issparse

from accordeur.metrics.units.gamma_cat import gamma_cat_of_counts
from accordeur.tasks.analysis import count
from accordeur.tasks.layers import LayerSpec
from accordeur.tasks.units.alignment import DissimilaritySpec, UnitAlignment, read_category_pairs
from tests.tasks.stores import table, validated

TAGSET = tuple(f"c{k}" for k in range(12))
LAYER = LayerSpec("units", "units", TAGSET, ("anna", "ben"))
DISSIMILARITY = DissimilaritySpec()


def test_sparse_counts_give_the_same_gamma_cat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(5)
    rows = [
        f"d{d},{who},{10 * u + rng.integers(3)},{10 * u + 6},{TAGSET[rng.integers(3 * (d % 4))]}"
        for d in range(1, 24)
        if d % 4
        for u in range(4)
        for who in ("anna", "ben")
    ]
    path = table(tmp_path, "units.csv", "document,annotator,start,end,category", rows)
    store, shards = validated(tmp_path, [{"path": path}])
    done = count(store.url, [one.key for one in shards], [UnitAlignment(LAYER, DISSIMILARITY)])

    def result() -> tuple[bool, Any]:
        counts = read_category_pairs(store, done, LAYER)
        assert counts is not None
        found = gamma_cat_of_counts(
            counts, DISSIMILARITY.dissimilarity_for(LAYER), tagset=TAGSET, n_replicates=40
        )
        return issparse(counts.units), found

    is_sparse, dense = result()
    assert not is_sparse
    monkeypatch.setattr("accordeur.tasks.units.alignment.MOST_CELLS", 10)
    is_sparse, sparse = result()
    assert is_sparse
    assert list(sparse.gamma_k) == list(dense.gamma_k)
    for one, other in (
        (sparse.gamma_cat, dense.gamma_cat),
        *((sparse.gamma_k[name], dense.gamma_k[name]) for name in dense.gamma_k),
    ):
        assert one.value == pytest.approx(other.value, rel=1e-12, nan_ok=True)
        assert one.interval == pytest.approx(other.interval, rel=1e-12, nan_ok=True)
        assert (one.n_items, one.reason) == (other.n_items, other.reason)
