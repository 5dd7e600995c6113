from __future__ import annotations

import math

import numpy as np
import pytest

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.units.gamma_settings import GammaSettings
from accordeur.metrics.units.holistic_agreement import HOLISTIC_2011, compare_greedy, holistic

FAST = GammaSettings(precision=0.03, replicates=100)


def test_the_dissimilarity_of_2011() -> None:
    assert HOLISTIC_2011.position == "sporadic"
    assert HOLISTIC_2011.delta_empty == 4.0
    assert (HOLISTIC_2011.alpha, HOLISTIC_2011.beta) == (1.0, 1.0)


def test_disorder_is_the_mean_over_unitary_alignments() -> None:
    """Two pairs, one perfect and one shifted by a quarter of the length, and a lone unit."""
    document = Continuum(
        [0, 0, 30, 32, 70],
        [8, 8, 38, 40, 80],
        [0] * 5,
        [0, 1, 0, 1, 0],
        ("a", "b"),
        ("x",),
        length=99,
    )
    result = holistic([document] * 3, settings=GammaSettings(processes=("shuffle",), precision=0.1))
    shifted = ((2 + 2) / 8) ** 2
    assert result.corpus.observed == pytest.approx((0 + shifted + 4) / 3)
    assert result.corpus.measure == "holistic"


def test_one_annotator_alone_has_the_greatest_disorder() -> None:
    alone = Continuum([0, 30], [8, 38], [0, 0], [0, 0], ("a", "b"), ("x",), length=99)
    both = Continuum([0, 30], [8, 38], [0, 0], [0, 1], ("a", "b"), ("x",), length=99)
    nobody = Continuum([], [], [], [], ("a", "b"), ("x",), length=99)
    settings = GammaSettings(processes=("random1",), precision=0.1, replicates=0)
    result = holistic([alone, both, nobody], settings=settings)
    assert result.documents[0].observed == pytest.approx(4.0)
    assert math.isnan(result.documents[2].value)
    assert str(result.documents[2].reason) == "no annotator marked a unit"


def test_perfect_agreement_is_1(degraded) -> None:
    assert holistic(degraded(shift=0, omission=0, confusion=0), settings=FAST).corpus.value == 1.0


def test_duplicating_a_document_changes_no_disorder(degraded) -> None:
    """Why 2011 takes a mean: the same annotations twice have the disorder of once."""
    document = degraded(1)[0]
    twice = Continuum(
        np.concatenate([document.starts, document.starts + document.length]),
        np.concatenate([document.ends, document.ends + document.length]),
        np.tile(document.categories, 2),
        np.tile(document.owners, 2),
        document.annotators,
        document.tagset,
        length=2 * document.length,
    )
    settings = GammaSettings(processes=("shuffle",), precision=0.1)
    once, both = (holistic([c], settings=settings).corpus.observed for c in (document, twice))
    assert both == pytest.approx(once)


def test_the_greedy_alignment_stands_beside_the_exact_one(degraded) -> None:
    documents = degraded(14, shift=0.4, omission=0.2)
    exact = holistic(documents, settings=FAST)
    greedy = compare_greedy(documents, exact, settings=FAST)
    assert (greedy.excess >= -1e-9).all()
    assert greedy.excess.max() > 0.01
    assert greedy.agreement.observed >= exact.corpus.observed
    assert greedy.agreement.expected >= exact.corpus.expected - 1e-9  # the same samples
    assert greedy.difference == pytest.approx(greedy.agreement.value - exact.corpus.value)
    assert greedy.agreement.signature.startswith("holistic_greedy|")


def test_greedy_is_exact_on_perfect_agreement(degraded) -> None:
    documents = degraded(shift=0, omission=0, confusion=0)
    exact = holistic(documents, settings=FAST)
    greedy = compare_greedy(documents, exact, settings=FAST)
    assert (greedy.excess == 0).all()
    assert greedy.difference == 0


def test_greedy_needs_the_expectation_of_the_corpus(degraded) -> None:
    settings = GammaSettings(per="document", precision=0.2)
    documents = degraded(2, n_units=3)
    exact = holistic(documents, Dissimilarity.sporadic(), settings=settings)
    with pytest.raises(MetricsError, match="per='corpus'"):
        compare_greedy(documents, exact, settings=settings)
