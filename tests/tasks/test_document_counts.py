"""Counts of documents that are not held: made from the labels, they are the same."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accordeur.metrics.agreement.counts import AgreementCounts, count
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.agreement.registry import from_counts
from accordeur.metrics.options import Sampling
from accordeur.tasks import analysis
from accordeur.tasks.document_counts import CountsFromLabels, CountsInMemory, fit_in_memory
from accordeur.tasks.items.counts import read_counts
from accordeur.tasks.items.summary import LabelAnalysis
from accordeur.tasks.layers import LayerSpec
from accordeur.tasks.options import ItemSettings
from tests.tasks.stores import table, validated

TAGSET = ("A", "B", "C", "D")
LAYER = LayerSpec("labels", "items", TAGSET, ("anna", "ben", "chloe"))
MEASURES = ("krippendorff_alpha", "fleiss_kappa")


@pytest.fixture
def matrix() -> LabelMatrix:
    """Forty documents of five items in any order, a fifth of the labels missing."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 4, 200)
    codes = np.where(rng.random((200, 3)) < 0.3, rng.integers(0, 4, (200, 3)), truth[:, None])
    codes = np.where(rng.random((200, 3)) < 0.2, -1, codes).astype(np.int32)
    documents = rng.permutation(np.arange(200) % 40)
    return LabelMatrix(codes=codes, tagset=TAGSET, annotators=LAYER.humans, documents=documents)


def test_recounted_documents_have_the_counts_that_were_held(matrix: LabelMatrix) -> None:
    held, again = CountsInMemory(count(matrix, by="documents")), CountsFromLabels(matrix)
    chosen = np.array([31, 2, 17, 39, 0])
    one, other = held.per_document(chosen), again.per_document(chosen)
    sizes = np.searchsorted(one.sizes, other.sizes)  # numbers of labels that occur among these
    for name in (field.name for field in fields(AgreementCounts)):
        ours, theirs = getattr(other, name), getattr(one, name)
        if name in ("items", "labels", "pairs"):
            assert theirs.sum() == ours.sum()
            theirs = theirs[:, sizes]
        elif name == "sizes":
            theirs = theirs[sizes]
        np.testing.assert_array_equal(ours, theirs, err_msg=name)
    np.testing.assert_array_equal(again.labels(chosen), held.labels(chosen))
    assert again.pooled(chosen).n_documents == 1
    for measure in MEASURES:
        ours, theirs = (from_counts(measure, of.pooled(chosen)) for of in (again, held))
        assert ours == theirs


def test_no_document_at_all_has_no_labels() -> None:
    codes, documents = np.empty((0, 3), np.int32), np.empty(0, np.int64)
    matrix = LabelMatrix(codes=codes, tagset=TAGSET, annotators=LAYER.humans, documents=documents)
    assert CountsFromLabels(matrix).labels(np.arange(0)).shape == (0, 4)


def test_as_many_groups_are_drawn_as_fit_and_all_documents_where_they_do(
    matrix: LabelMatrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts, every = CountsFromLabels(matrix), np.arange(40)
    assert (counts.resampled_units(every).n_units, counts.resampled_units(every).over) == (
        40,
        "documents",
    )
    monkeypatch.setattr("accordeur.tasks.document_counts.FEWEST_GROUPS", 2)
    monkeypatch.setattr("accordeur.tasks.document_counts.MOST_CELLS", 3 * 16 * 7)
    assert not fit_in_memory(40, 3, 4)
    groups = counts.resampled_units(every)
    assert (groups.n_units, groups.over) == (7, "groups of documents")
    whole = CountsInMemory(count(matrix, by="documents")).resampled_units(every)
    np.testing.assert_allclose(groups.sums.total().flat(), whole.sums.total().flat(), rtol=1e-12)


def summary_of(folder: Path, rows: list[str]) -> tuple[dict[str, Any], list[AgreementCounts]]:
    folder.mkdir()
    path = table(folder, "labels.csv", "document,item,annotator,label,layer", rows)
    store, shards = validated(folder, [{"path": path, "batch_pattern": "^([a-z]+)-"}])
    labels = LabelAnalysis(LAYER, ItemSettings(Sampling(30), measures=MEASURES))
    done = analysis.count(store.url, [shard.key for shard in shards], [labels])
    parts = [read_counts(store, one.place, LAYER) for one in done]
    found = labels.summarise(store, done)
    return found, parts


def test_a_summary_without_counts_of_documents_says_the_same(
    matrix: LabelMatrix, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert matrix.documents is not None
    rows = [
        f"{'may' if d % 2 else 'june'}-{d},i{i},{who},{TAGSET[code]},labels"
        for i, (d, codes) in enumerate(zip(matrix.documents, matrix.codes, strict=True))
        for who, code in zip(LAYER.humans, codes, strict=True)
        if code >= 0
    ]
    held, each = summary_of(tmp_path / "held", rows)
    monkeypatch.setattr("accordeur.tasks.document_counts.FEWEST_GROUPS", 2)
    monkeypatch.setattr("accordeur.tasks.document_counts.MOST_CELLS", 3 * 16 * 15)
    found, sums = summary_of(tmp_path / "recounted", rows)
    assert sum(part.n_documents for part in each) == 40
    assert [part.n_documents for part in sums] == [1] * len(each)  # of shards of 20 documents
    assert found["distribution"] == held["distribution"]
    assert found["items"]["per_document"] == held["items"]["per_document"]
    assert len(found["points"]) == 2
    for one, other in zip(found["points"], held["points"], strict=True):
        assert one["value"] == pytest.approx(other["value"], rel=1e-12)
    for one, other in zip(found["items"]["values"], held["items"]["values"], strict=True):
        assert one["value"] == pytest.approx(other["value"], rel=1e-12)
        assert one["interval"] == pytest.approx(other["interval"], abs=0.15)
        assert "/groups of documents/" in one["signature"]
