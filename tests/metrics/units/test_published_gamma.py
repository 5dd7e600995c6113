"""γ on the peer's example files and on the DKPro fixtures (made by pygamma-agreement 0.5.9)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from accordeur.metrics.alignment.best_alignment import best_alignment
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.chance.corpus import corpus_of_continua
from accordeur.metrics.chance.disorders import disorders_of_draws
from accordeur.metrics.chance.sample_plan import expected_disorder_of_samples
from accordeur.metrics.options import Chance
from accordeur.metrics.units.gamma import gamma
from accordeur.metrics.units.gamma_cat_empty_pairs import gamma_cat_empty_pairs
from accordeur.metrics.units.gamma_from_counts import gamma_of_counts
from accordeur.metrics.units.observed import count_disorder
from tests.metrics.chance.one_draw import draw_continuum

pytestmark = pytest.mark.shared
A3 = Dissimilarity(alpha=3, beta=1)
FIXTURES = (
    "01_two_annotators_simple",
    "02_unequal_counts",
    "03_identical_perfect",
    "04_three_annotators",
    "05_larger_two_annotators",
    "06_weighted_alpha3_beta2",
)


@pytest.fixture(scope="module")
def published(shared_data: Path) -> dict:
    path = shared_data / "pygamma_tests" / "expected_values.json"
    return json.loads(path.read_text(encoding="utf-8"))


def chance_of(continuum: Continuum, process: str, *, count: int, min_gap: float = 1.0):
    corpus = corpus_of_continua([continuum])
    virtual = [
        draw_continuum(corpus, process=process, study=4772, index=i, chance=Chance(min_gap=min_gap))
        for i in range(count)
    ]
    return [(c, best_alignment(c, A3)) for c in virtual]


@pytest.mark.parametrize("name", ["3by100", "2by1000"])
def test_the_larger_files(name, shared_data, published, unit_table) -> None:
    """γ and, in the peer's own variant, γ-cat and γ-k within the ranges its tests assert."""
    continuum = unit_table(shared_data / "pygamma_tests" / f"{name}.csv")
    known = published[f"{name}.csv"]
    result = gamma([continuum], A3, processes=["statistical"], precision=0.01)
    low, high = known["gamma"]
    assert low <= result.corpus.value <= high
    alignment = result.alignments[0]
    assert alignment.optimal
    assert alignment.units.shape[0] == pytest.approx(known["n_unitary"], abs=2)  # ties
    chance = chance_of(continuum, "statistical", count=30)
    low, high = known["gamma_cat"]
    peer = gamma_cat_empty_pairs([continuum], [alignment], chance, A3)
    assert low <= peer.value <= high
    for category, (low, high) in known["gamma_k"].items():
        k = gamma_cat_empty_pairs(
            [continuum], [alignment], chance, A3, category=continuum.tagset.index(category)
        )
        assert low - 0.015 <= k.value <= (high or 1.0) + 0.015


@pytest.mark.parametrize(
    "name", ["annotation_dalton", "annotation_paul_suzann_alex", "example_figure10", "3by100"]
)
def test_observed_disorders_of_the_peer(name, shared_data, published, unit_table) -> None:
    continuum = unit_table(shared_data / "pygamma_tests" / f"{name}.csv")
    known = published["our_runs"][name]
    assert count_disorder(continuum, A3).disorders[0] == pytest.approx(known["disorder"], abs=2e-5)


@pytest.mark.parametrize("name", ["annotation_dalton", "annotation_paul_suzann_alex"])
def test_statistical_is_near_the_peers_sampler(name, shared_data, published, unit_table) -> None:
    continuum = unit_table(shared_data / "pygamma_tests" / f"{name}.csv")
    known = published["our_runs"][name]
    result = gamma([continuum], A3, processes=["statistical"], precision=0.01)
    assert result.corpus.value == pytest.approx(known["gamma"], abs=0.02)


@pytest.mark.parametrize("name", FIXTURES)
def test_dkpro_fixtures_with_their_own_null_continua(name, shared_data) -> None:
    path = shared_data / "dkpro_fixtures" / "pygamma" / f"fixture_{name}.json"
    fixture = json.loads(path.read_text(encoding="utf-8"))
    parameters = fixture["params"]
    dissimilarity = Dissimilarity(
        alpha=parameters["alpha"], beta=parameters["beta"], delta_empty=parameters["deltaEmpty"]
    )
    units = fixture["continuum"]
    annotators = sorted({u["annotator"] for u in units})
    nulls = fixture["tier2"]["sampledContinua"]
    everything = [*units, *(u for null in nulls for u in null["units"])]
    tagset = sorted({u["category"] for u in everything})
    continua = [
        continuum_of(rows, annotators, tagset) for rows in (units, *(n["units"] for n in nulls))
    ]

    counts = count_disorder(continua[0], dissimilarity)
    assert counts.disorders[0] == pytest.approx(fixture["tier1"]["bestAlignmentDisorder"], abs=1e-6)

    corpus = corpus_of_continua(continua[1:])
    drawn = disorders_of_draws(
        corpus.as_virtual_documents(np.arange(corpus.n_documents)), corpus.tagset, dissimilarity
    )
    disorders = [null["bestAlignmentDisorder"] for null in nulls]
    np.testing.assert_allclose(drawn[:, 0] / drawn[:, 1], disorders, atol=2e-6)

    n = len(annotators)
    given = expected_disorder_of_samples(
        {("statistical", n): drawn}, shares={n: 1.0}, weighting="equal"
    )
    assert given.value == pytest.approx(np.mean(disorders), abs=1e-6)

    whole = fixture["tier3"]
    expected = expected_disorder_of_samples(
        {("statistical", n): np.tile([whole["expectedDisorder"], 1.0, 0.0], (30, 1))},
        shares={n: 1.0},
    )
    assert gamma_of_counts(counts, expected).value == pytest.approx(whole["gamma"], abs=1e-5)


def continuum_of(rows: list[dict], annotators: list[str], tagset: list[str]) -> Continuum:
    # the peer's samples may begin before 0: the whole document is moved, which changes nothing
    origin = min(0.0, *(row["start"] for row in rows))
    return Continuum(
        [row["start"] - origin for row in rows],
        [row["end"] - origin for row in rows],
        [tagset.index(row["category"]) for row in rows],
        [annotators.index(row["annotator"]) for row in rows],
        tuple(annotators),
        tuple(tagset),
    )
