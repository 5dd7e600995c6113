from __future__ import annotations

import math

import numpy as np
import pytest

from accordeur.metrics.alignment.best_alignment import Alignment, best_alignment
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.units.category_pairs import category_pairs
from accordeur.metrics.units.gamma import gamma
from accordeur.metrics.units.gamma_cat import gamma_cat, gamma_cat_of_counts
from accordeur.metrics.units.gamma_cat_empty_pairs import gamma_cat_empty_pairs

D = Dissimilarity()


def aligned(continuum: Continuum, rows: list[list[int]]) -> Alignment:
    units = np.array(rows, dtype=np.int32)
    return Alignment(units, np.zeros(len(rows)), 0.0, continuum.n_units / continuum.n_annotators)


def test_by_hand_on_three_annotators() -> None:
    """One triple x, x, y and one pair y, y; bounds agree but for one unit moved by a quarter."""
    document = Continuum(
        [0, 0, 2, 20, 20],
        [8, 8, 10, 30, 30],
        [0, 0, 1, 1, 1],
        [0, 1, 2, 0, 1],
        ("a", "b", "c"),
        ("x", "y"),
    )
    alignment = aligned(document, [[0, 1, 2], [3, 4, -1]])
    result = gamma_cat([document], [alignment], D)
    near = 1 - (4 / 16) ** 2  # the weight of a pair with the moved unit
    weights = np.array([1, near, near]) / 2  # three real units: each pair counts half
    observed = (2 * near / 2) / (weights.sum() + 1)
    p = np.array([2, 3]) / 5
    assert result.gamma_cat.observed == pytest.approx(observed)
    assert result.gamma_cat.expected == pytest.approx(1 - (p**2).sum())
    assert result.gamma_cat.value == pytest.approx(1 - observed / (1 - (p**2).sum()))
    x = result.gamma_k["x"]  # all three pairs of the triple
    assert x.observed == pytest.approx(near / weights.sum())
    assert x.expected == pytest.approx(2 * p[1] / (2 - p[0]))
    y = result.gamma_k["y"]  # the two mixed pairs, and the pair of y
    assert y.observed == pytest.approx(near / (near + 1))
    assert y.expected == pytest.approx(2 * p[0] / (2 - p[1]))


def test_expected_is_what_random_pairs_cost() -> None:
    rng = np.random.default_rng(0)
    n = 400
    starts = np.tile(20.0 * np.arange(n), 2)
    codes = rng.choice(3, 2 * n, p=[0.6, 0.3, 0.1])
    document = Continuum(starts, starts + 10, codes, np.repeat([0, 1], n), ("a", "b"), tuple("xyz"))
    distances = np.array([[0, 0.5, 1], [0.5, 0, 0.2], [1, 0.2, 0]])
    d = Dissimilarity(beta=0.1, category_distances=distances)
    rows = [[i, n + i] for i in range(n)]
    result = gamma_cat([document], [aligned(document, rows)], d)
    assert result.gamma_cat.value == pytest.approx(0, abs=0.1)
    for k in result.gamma_k.values():
        assert k.value == pytest.approx(0, abs=0.15)


def test_agreement_on_categories_is_1_however_bounds_differ(degraded) -> None:
    documents = degraded(12, shift=0.3, omission=0.2, confusion=0)
    result = gamma(documents, precision=0.05)
    cat = gamma_cat(documents, result.alignments, D)
    assert result.corpus.value < 0.9
    assert cat.gamma_cat.value > 0.99
    assert cat.gamma_cat.interval[1] == pytest.approx(1)


def test_confusion_lowers_gamma_cat(degraded) -> None:
    values = []
    for confusion in (0.1, 0.3, 0.6):
        documents = degraded(20, shift=0.1, omission=0, confusion=confusion)
        d = Dissimilarity(beta=0.5)
        alignments = [best_alignment(c, d) for c in documents]
        values.append(gamma_cat(documents, alignments, d).gamma_cat.value)
    assert values[0] > values[1] > values[2]


def test_counts_add_over_batches(degraded) -> None:
    documents = degraded(9)
    alignments = [best_alignment(c, D) for c in documents]
    whole = gamma_cat(documents, alignments, D)
    parts = category_pairs(documents[:4], alignments[:4], D) + category_pairs(
        documents[4:], alignments[4:], D
    )
    again = gamma_cat_of_counts(parts, D, tagset=documents[0].tagset)
    assert again.gamma_cat.value == whole.gamma_cat.value
    assert again.gamma_cat.interval == whole.gamma_cat.interval
    assert parts.units.sum() == sum(c.n_units for c in documents)


def test_documents_of_one_annotator_make_no_interval_surer(degraded) -> None:
    """Few documents of a campaign are often annotated twice, to measure agreement."""
    documents = degraded(6, confusion=0.3)
    alone = [c.select_annotators(c.annotators[:1]) for c in degraded(60, seed=1)]
    alignments: list[Alignment | None] = [best_alignment(c, D) for c in documents]
    few = gamma_cat(documents, alignments, D)
    many = gamma_cat([*documents, *alone], [*alignments, *[None] * 60], D)
    assert many.gamma_cat.interval == few.gamma_cat.interval
    assert many.gamma_cat.detail.n_documents == 6
    assert many.gamma_k["x"].interval == few.gamma_k["x"].interval
    one = gamma_cat([documents[0], *alone], [alignments[0], *[None] * 60], D).gamma_cat
    assert math.isnan(one.interval[0])
    assert "replicates" not in one.signature


def test_delta_empty_changes_nothing(degraded) -> None:
    documents = degraded(6)
    values = []
    for delta in (1.0, 4.0):
        d = Dissimilarity(delta_empty=delta)
        alignments = [best_alignment(c, d) for c in documents]
        values.append(gamma_cat(documents, alignments, d).gamma_cat.value)
    assert values[0] == pytest.approx(values[1])


def test_units_without_category_are_a_category() -> None:
    starts = np.array([0.0, 20, 0, 20])
    document = Continuum(starts, starts + 10, [-1, 0, -1, -1], [0, 0, 1, 1], ("a", "b"), ("x", "y"))
    result = gamma_cat([document], [aligned(document, [[0, 2], [1, 3]])], D)
    assert result.gamma_cat.observed == pytest.approx(0.5)
    assert set(result.gamma_k) == {"x", "y", "(no category)"}
    assert str(result.gamma_k["y"].reason) == "no two units that stand near each other are aligned"


def test_the_signature_of_a_category_names_it(degraded) -> None:
    documents = degraded(3)
    result = gamma_cat(documents, [best_alignment(c, D) for c in documents], D)
    assert result.gamma_cat.signature.startswith("gamma_cat|dissimilarity:")
    line = result.gamma_k["y"].signature
    assert line.startswith("gamma_k|dissimilarity:")
    assert "|category:y|" in line


def test_undefined_cases() -> None:
    one = Continuum([0, 0], [10, 10], [0, 0], [0, 1], ("a", "b"), ("x", "y"))
    same = gamma_cat([one], [aligned(one, [[0, 1]])], D)
    assert math.isnan(same.gamma_cat.value)
    assert str(same.gamma_cat.reason) == "single category used"
    apart = gamma_cat([one], [aligned(one, [[0, -1], [-1, 1]])], D)
    assert str(apart.gamma_cat.reason) == "no two units that stand near each other are aligned"
    empty = Continuum([], [], [], [], ("a", "b"), ("x", "y"))
    assert math.isnan(gamma_cat([empty], [best_alignment(empty, D)], D).gamma_cat.value)
    function = Dissimilarity(pair_function=lambda c, u, v: np.zeros(u.shape))
    with pytest.raises(MetricsError, match="separate dissimilarities of position and category"):
        gamma_cat([one], [aligned(one, [[0, 1]])], function)


def test_the_peers_variant_counts_pairs_with_the_empty_unit() -> None:
    document = Continuum(
        [0, 0, 20, 20, 40],
        [10, 10, 30, 30, 50],
        [0, 1, 0, 0, 1],
        [0, 1, 0, 1, 0],
        ("a", "b"),
        ("x", "y"),
    )
    alignment = aligned(document, [[0, 1], [2, 3], [4, -1]])
    chance = [(document, aligned(document, [[0, 1], [2, -1], [-1, 3], [4, -1]]))]
    estimate = gamma_cat_empty_pairs([document], [alignment], chance, D)
    assert estimate.observed == pytest.approx((1 + 0 + 1) / 3)
    assert estimate.expected == pytest.approx((1 + 1 + 1 + 1) / 4)
    k = gamma_cat_empty_pairs([document], [alignment], chance, D, category=0)
    assert k.observed == pytest.approx((1 + 0) / 2)
    assert k.measure == "gamma_k_empty_pairs"
