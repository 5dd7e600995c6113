"""Confused categories are counted over all documents and all pairs of annotators."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np

from accordeur.metrics.agreement.counts import count
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.units.observed import align_documents
from accordeur.reports.results import Repair
from accordeur.tasks.agreement.categories import confused_categories_of_labels
from accordeur.tasks.confused_categories import confused_pairs
from accordeur.tasks.layers import LayerSpec
from accordeur.tasks.stored_annotations import AnnotatedDocument
from accordeur.tasks.units.alignment import counts_of_alignments

TAGSET = ("x", "y", "z")


def counted(repairs: list[Repair]) -> dict[tuple[str, str], tuple[int, int]]:
    return {(one.first, one.second): (one.count, one.out_of) for one in repairs}


def by_hand(pairs: list[tuple[str, str]]) -> dict[tuple[str, str], tuple[int, int]]:
    """Count the pairs of both categories, and those with either."""
    found = Counter(tuple(sorted(pair)) for pair in pairs)
    return {
        (c, k): (n, sum(m for pair, m in found.items() if c in pair or k in pair))
        for (c, k), n in found.items()
        if c != k
    }


def test_exchanges_count_in_both_directions() -> None:
    pairs = np.array([[10, 5, 0], [5, 20, 1], [0, 1, 5]])
    found = counted(confused_pairs("l", TAGSET, pairs))
    assert found == {("x", "y"): (5, 36), ("y", "z"): (1, 31)}


def test_every_pair_of_many_annotators_counts() -> None:
    rng = np.random.default_rng(1)
    codes = rng.integers(-1, 3, (30, 12)).astype(np.int32)
    names = tuple("abcdefghijkl")
    matrix = LabelMatrix(codes=codes, tagset=TAGSET, annotators=names, documents=np.arange(30) % 4)
    layer = LayerSpec("l", "items", TAGSET, names)
    pairs = [
        (TAGSET[a], TAGSET[b])
        for row in codes.tolist()
        for a, b in combinations(row, 2)
        if a >= 0 and b >= 0
    ]
    assert counted(confused_categories_of_labels(count(matrix, by="documents"), layer)) == by_hand(
        pairs
    )


def test_units_are_counted_in_the_alignments_of_all_documents() -> None:
    rng = np.random.default_rng(2)
    found, pairs = [], []
    for d in range(40):
        categories = rng.integers(0, 3, (4, 3))  # of each unit and annotator
        starts = np.repeat(10.0 * np.arange(4), 3)
        owners = np.tile(np.arange(3), 4).astype(np.int32)
        flat = categories.ravel().astype(np.int32)
        continuum = Continuum(starts, starts + 5, flat, owners, ("a", "b", "c"), TAGSET)
        names = [f"u{i}" for i in range(12)]
        found.append(AnnotatedDocument(f"d{d}", continuum, names))
        for row in categories.tolist():
            pairs += [(TAGSET[a], TAGSET[b]) for a, b in combinations(row, 2)]
    layer = LayerSpec("l", "units", TAGSET, ("a", "b", "c"))
    # Categories cost little, so that units at the same place are aligned.
    dissimilarity = Dissimilarity(beta=0.1)
    alignments = align_documents([one for _, one, _ in found], dissimilarity)
    _, counts, _ = counts_of_alignments(found, alignments, layer, dissimilarity)
    assert counted(confused_pairs("l", TAGSET, counts["confused"])) == by_hand(pairs)
