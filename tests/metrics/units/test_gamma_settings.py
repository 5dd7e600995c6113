"""γ with other dissimilarities and settings: what changes, what is rejected, what is signed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.errors import MetricsError, RoleError
from accordeur.metrics.units.gamma import gamma
from accordeur.metrics.units.observed import count_disorder
from tests.metrics.units.gamma_cases import FAST


def test_delta_empty_rescales_the_categorical_part(degraded) -> None:
    """A fault known of a peer: with Δ∅ = 3 everything is three times as much, and γ the same."""
    documents = degraded(12, confusion=0.4)
    one, three = (
        gamma(documents, Dissimilarity(alpha=2, delta_empty=delta), **FAST).corpus
        for delta in (1.0, 3.0)
    )
    assert three.observed == pytest.approx(3 * one.observed)
    assert three.value == pytest.approx(one.value)


def test_the_hamming_dissimilarity_takes_the_mean_length_of_the_campaign(degraded) -> None:
    documents = degraded(12)
    result = gamma(documents, Dissimilarity("hamming"), **FAST)
    sizes = np.concatenate([c.ends - c.starts for c in documents])
    assert f"mean_length:{sizes.mean():g}" in result.corpus.signature
    by_hand = gamma(documents, Dissimilarity("hamming", mean_length=float(sizes.mean())), **FAST)
    assert by_hand.corpus.value == pytest.approx(result.corpus.value)


def test_more_categories_than_a_byte_holds() -> None:
    """A fault known of a peer: more than 127 categories."""
    n = 300
    starts = np.tile(20.0 * np.arange(n), 2)
    tagset = tuple(f"category {k}" for k in range(n))
    same, shifted = (
        Continuum(
            starts,
            starts + 10,
            np.concatenate([np.arange(n), (np.arange(n) + by) % n]),
            np.repeat([0, 1], n),
            ("a", "b"),
            tagset,
        )
        for by in (0, 128)
    )
    d = Dissimilarity()
    assert count_disorder(same, d).disorders[0] == 0.0
    assert count_disorder(shifted, d).disorders[0] == pytest.approx(1.0)  # d_cat of every pair


def test_units_without_category_differ_from_the_labelled_ones() -> None:
    document = Continuum(
        [0, 0, 20, 20], [9, 9, 29, 29], [-1, -1, 0, -1], [0, 1, 0, 1], ("a", "b"), ("x",)
    )
    assert count_disorder(document, Dissimilarity()).totals[0] == pytest.approx(1.0)
    blind = Dissimilarity(unlabelled_distance=0.0)
    assert count_disorder(document, blind).totals[0] == pytest.approx(0.0)


def test_a_pair_function_of_the_user(degraded) -> None:
    def by_start(continuum, u, v):
        return np.abs(continuum.starts[u] - continuum.starts[v]) / 20

    d = Dissimilarity(pair_function=by_start)
    documents = degraded(4, n_units=4)
    result = gamma(documents, d, processes=["shuffle"], precision=0.2, replicates=10)
    assert 0 < result.corpus.value < 1
    assert "dissimilarity:function by_start" in result.corpus.signature


def test_the_signature_says_what_was_done(degraded) -> None:
    line = gamma(degraded(12), Dissimilarity(alpha=3), **FAST).corpus.signature
    for setting in (
        "gamma|",
        "dissimilarity:positional",
        "alpha:3",
        "delta_empty:1",
        "expected_per:corpus",
        "processes:random2",
        "precision:0.05",
        "seed:0",
        "samples:",
        "input:",
    ):
        assert setting in line
    other = gamma(degraded(12, seed=1), Dissimilarity(alpha=3), **FAST).corpus.signature
    assert line.split("input:")[1] != other.split("input:")[1]


def test_a_system_among_the_annotators_is_refused(degraded) -> None:
    document = degraded(1)[0]
    mixed = replace(document, roles=("human", "human", "system"))
    with pytest.raises(RoleError, match="'annotator 2' is a system"):
        gamma([mixed])
    with pytest.raises(RoleError):
        count_disorder([mixed], Dissimilarity())


def test_bad_settings_are_refused(degraded) -> None:
    documents = degraded(3)
    for wrong, message in (
        ({"precision": 2.0}, "relative"),
        ({"processes": ["dice"]}, "choose one of"),
        ({"per": "page"}, "corpus or document"),
        ({"confidence_level": 1.0}, "confidence_level"),
        ({"replicates": -1}, "at least 0"),
        ({"processes": ["random2"], "reconcile": "stretch"}, "rescale, tile or truncate"),
    ):
        with pytest.raises(MetricsError, match=message):
            gamma(documents, **wrong)
    with pytest.raises(MetricsError, match="at least one"):
        gamma([])
    with pytest.raises(MetricsError, match="3 virtual annotators"):
        gamma(documents[:2], processes=["random2"])
