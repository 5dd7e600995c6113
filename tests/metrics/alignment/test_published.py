"""Values made by others: six continua of dkpro-statistics, the tests of pygamma-agreement.

dkpro/dkpro-statistics commit f7f4f891, Apache-2.0: `tests/corpora/dkpro_fixtures` (made by running
pygamma-agreement 0.5.9, whose figures are float32). bootphon/pygamma-agreement commit 44587efe,
MIT: `tests/corpora/pygamma_tests`.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accordeur.metrics.alignment.batch import batch_disorders
from accordeur.metrics.alignment.best_alignment import best_alignment
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import (
    Dissimilarity,
    category_costs,
    pair_cost,
    position_costs,
)

FIXTURES = sorted((Path(__file__).parents[2] / "corpora" / "dkpro_fixtures").glob("*.json"))


def load(rows: list[dict[str, Any]]) -> Continuum:
    annotators = sorted({row["annotator"] for row in rows})
    tagset = sorted({row["category"] for row in rows})
    return Continuum(
        np.array([row["start"] for row in rows], dtype=np.float64),
        np.array([row["end"] for row in rows], dtype=np.float64),
        np.array([tagset.index(row["category"]) for row in rows], dtype=np.int32),
        np.array([annotators.index(row["annotator"]) for row in rows], dtype=np.int32),
        tuple(annotators),
        tuple(tagset),
    )


def settings_of(fixture: dict[str, Any]) -> Dissimilarity:
    params = fixture["params"]
    return Dissimilarity(
        alpha=params["alpha"], beta=params["beta"], delta_empty=params["deltaEmpty"]
    )


def test_there_are_six_fixtures() -> None:
    assert len(FIXTURES) == 6


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_every_pair_dissimilarity(path: Path) -> None:
    fixture = json.loads(path.read_text())
    continuum, settings = load(fixture["continuum"]), settings_of(fixture)
    units = {
        name: np.flatnonzero(continuum.owners == a) for a, name in enumerate(continuum.annotators)
    }
    for pair in fixture["tier1"]["pairDissimilarities"]:
        u = units[pair["annotatorA"]][pair["unitIndexA"]]
        v = units[pair["annotatorB"]][pair["unitIndexB"]]
        position = settings.alpha * position_costs(continuum, [u], [v], settings)[0]
        category = settings.beta * category_costs(continuum, [u], [v], settings)[0]
        combined = pair_cost(continuum, int(u), int(v), settings)
        weighted = pair["combined"] == pytest.approx(
            settings.alpha * pair["positional"] + settings.beta * pair["categorical"], abs=1e-6
        )
        alpha, beta = (settings.alpha, settings.beta) if weighted else (1.0, 1.0)
        assert position == pytest.approx(alpha * pair["positional"], rel=1e-6, abs=1e-6)
        assert category == pytest.approx(beta * pair["categorical"], rel=1e-6, abs=1e-6)
        assert combined == pytest.approx(pair["combined"], rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_best_alignment_disorder(path: Path) -> None:
    fixture = json.loads(path.read_text())
    best = best_alignment(load(fixture["continuum"]), settings_of(fixture))
    assert best.gamma_disorder == pytest.approx(fixture["tier1"]["bestAlignmentDisorder"], abs=1e-6)
    assert best.optimal


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_disorder_of_every_sampled_continuum(path: Path) -> None:
    fixture = json.loads(path.read_text())
    samples = fixture["tier2"]["sampledContinua"]
    annotators = sorted({row["annotator"] for row in fixture["continuum"]})
    tagset = sorted({row["category"] for row in fixture["continuum"]})
    rows = [row for sample in samples for row in sample["units"]]
    found = batch_disorders(
        np.array([row["start"] for row in rows]),
        np.array([row["end"] for row in rows]),
        np.array([tagset.index(row["category"]) for row in rows], dtype=np.int32),
        np.array([annotators.index(row["annotator"]) for row in rows], dtype=np.int32),
        np.concatenate([[0], np.cumsum([len(sample["units"]) for sample in samples])]),
        len(annotators),
        settings_of(fixture),
        n_categories=len(tagset),
    )
    disorders = found.totals / (found.n_units / len(annotators))
    expected = [sample["bestAlignmentDisorder"] for sample in samples]
    np.testing.assert_allclose(disorders, expected, rtol=3e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("name", "disorder"),
    [("AlexPaulSuzan", 0.9606249332427979), ("annotation_paul_suzann_alex", 0.7049736380577087)],
)
def test_disorders_of_the_peers_own_tests(corpora: Path, name: str, disorder: float) -> None:
    # expected_values.json, "our_runs" with alpha 3.
    with (corpora / "pygamma_tests" / f"{name}.csv").open() as lines:
        rows = [
            {"annotator": a, "category": c, "start": float(s), "end": float(e)}
            for a, c, s, e in csv.reader(lines)
        ]
    best = best_alignment(load(rows), Dissimilarity(alpha=3.0))
    assert best.gamma_disorder == pytest.approx(disorder, abs=2e-6)


# Mathet, Widlöcher & Métivier 2015, figure 10, to the digits printed there
@pytest.mark.parametrize(
    ("a", "b", "distance", "digits"),
    [
        ((4, 14), (40, 44), 22.2, 1),
        ((4, 14), (20, 25), 3.2, 1),
        ((4, 14), (14, 24), 1.0, 6),
        ((20, 30), (20, 25), 0.11, 2),
        ((20, 25), (14, 24), 0.22, 2),
    ],
)
def test_positional_dissimilarities_of_2015(
    a: tuple[int, int], b: tuple[int, int], distance: float, digits: int
) -> None:
    continuum = Continuum(
        np.array([a[0], b[0]]), np.array([a[1], b[1]]), [0, 0], [0, 1], ("x", "y"), ("k",)
    )
    assert round(pair_cost(continuum, 0, 1, Dissimilarity()), digits) == distance
