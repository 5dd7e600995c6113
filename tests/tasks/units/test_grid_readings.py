"""A campaign's own reading grid: cells like its documents, kept rows, values read off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accordeur.data.store.store import Store
from accordeur.metrics.chance.corpus import corpus_of_continua
from accordeur.metrics.estimate import Estimate
from accordeur.metrics.resampling.grids.alignment_measures import AlignmentMeasure
from accordeur.metrics.resampling.grids.corpus_shuffling import shuffled_continuum
from accordeur.metrics.resampling.grids.perfect_campaign import uniform_campaign
from accordeur.reports.results import LayerResults, UnitAgreement
from accordeur.tasks.layer_results import write_results
from accordeur.tasks.layers import LayerSpec
from accordeur.tasks.node import Outcome, complete
from accordeur.tasks.options import GridOptions, GridSettings
from accordeur.tasks.stored_arrays import write_arrays
from accordeur.tasks.study.campaign_reading_grid import PlannedGrid, grid_node, plan_grid
from accordeur.tasks.study.trials import run_jobs
from accordeur.tasks.units.alignment import DissimilaritySpec
from accordeur.tasks.units.chance import _as_arrays

TAGSET = ("A", "B")
LAYER = LayerSpec("events", "units", TAGSET, ("annotator 1", "annotator 2", "annotator 3"))
OPTIONS = GridOptions(
    measures=("gamma",),
    degradations=("shift", "omission"),
    magnitudes=(0.0, 0.2, 0.5, 0.8),
    shifts=(0.0, 1.0, 2.0),
    trials=8,
    documents=2,
)
SETTINGS = GridSettings(OPTIONS)
NARROW = DissimilaritySpec(delta_empty=1.0)


@pytest.fixture
def campaign(tmp_path: Path) -> tuple[str, str, str]:
    """Two documents whose annotators each left out a fifth: store, corpus and summary."""
    model = uniform_campaign(n_units=15, categories=TAGSET)
    rng = np.random.default_rng(5)
    continua = [shuffled_continuum(model, {"omission": 0.2}, n_perfect=0, rng=rng) for _ in "ab"]
    store = Store(str(tmp_path))
    write_arrays(
        store, "corpus/corpus.parquet", _as_arrays(corpus_of_continua(continua, measure="γ"))
    )
    own = AlignmentMeasure("gamma")(continua)
    agreement = UnitAgreement(
        layer=LAYER.name,
        tagset=list(TAGSET),
        annotators=list(LAYER.humans),
        n_units=sum(one.n_units for one in continua),
        n_documents=len(continua),
        values=[Estimate("gamma", own)],
    )
    write_results(store, "summary", LayerResults(units=[agreement]))
    return store.url, "corpus", "summary"


def planned(
    campaign: tuple[str, str, str], settings: GridSettings, spec: DissimilaritySpec = NARROW
) -> PlannedGrid:
    found = plan_grid(campaign[0], campaign[1], LAYER, spec, settings)
    assert found is not None
    return found


def read(campaign: tuple[str, str, str], settings: GridSettings) -> dict[str, Any]:
    """The curves by degradation."""
    grid = planned(campaign, settings)
    run_jobs(campaign[0], grid.place, grid.root, grid.jobs)
    node = grid_node(LAYER, grid, Outcome(campaign[2], ""), settings)
    [done] = complete(Store(campaign[0]), [node])
    return {one["degradation"]: one for one in Store(campaign[0]).read_json(done.fields)["grids"]}


def test_omissions_are_read_as_what_they_are(campaign: tuple[str, str, str]) -> None:
    grids = read(campaign, SETTINGS)
    omission = grids["omission"]
    assert omission["means"][0] == pytest.approx(1)
    assert omission["means"] == sorted(omission["means"], reverse=True)
    low, high = omission["reading"]["interval"]
    assert low <= 0.2 <= high
    assert 0.1 < omission["reading"]["magnitude"] < 0.3
    assert grids["shift"]["magnitudes"] == [0, 1, 2]
    assert "documents:2|annotators:3|perfect:0|trials:8" in omission["signature"]


def test_more_trials_add_to_those_that_are_kept(campaign: tuple[str, str, str]) -> None:
    read(campaign, GridSettings(replace(OPTIONS, trials=3)))
    again = planned(campaign, SETTINGS)
    assert [(job.first, job.count) for job in again.jobs] == [(3, 5)] * 7
    grown = read(campaign, SETTINGS)
    assert planned(campaign, SETTINGS).jobs == ()
    assert read(campaign, SETTINGS) == grown
    whole = planned(campaign, replace(SETTINGS, seed=1))
    assert [(job.first, job.count) for job in whole.jobs] == [(0, 8)] * 7


def test_the_grid_is_of_the_campaigns_own_dissimilarity(campaign: tuple[str, str, str]) -> None:
    strict = GridSettings(replace(OPTIONS, degradations=("shift",)))
    of_place = planned(campaign, strict, DissimilaritySpec(alpha=1.0, beta=0.0))
    of_both = planned(campaign, strict)
    assert set(of_place.places).isdisjoint(of_both.places)


def test_the_annotators_of_a_degraded_document_are_bounded_as_asked(
    campaign: tuple[str, str, str],
) -> None:
    asked = [
        planned(campaign, GridSettings(replace(OPTIONS, annotators=n))).specs[0] for n in (2, 5)
    ]
    assert [spec["n_annotators"] for spec in asked] == [2, 3]  # the campaign's documents have 3


def test_a_standard_campaign_has_few_units_at_the_density_of_the_documents(
    campaign: tuple[str, str, str],
) -> None:
    grid = planned(campaign, replace(SETTINGS, units=25))
    store = Store(campaign[0])
    own = store.read_json(f"{planned(campaign, SETTINGS).place}/inputs.json")
    standard = store.read_json(f"{grid.place}/inputs.json")
    assert standard["n_units"] * grid.specs[0]["n_documents"] >= 25
    small = planned(campaign, replace(SETTINGS, units=5))
    less = store.read_json(f"{small.place}/inputs.json")
    assert (less["n_units"], small.specs[0]["n_documents"]) == (5, 1)
    assert less["length"] / 5 == pytest.approx(own["length"] / own["n_units"])
    grids = read(campaign, replace(SETTINGS, units=25))
    assert [one["n_units"] for one in grids.values()] == [25, 25]
    assert 0.1 < grids["omission"]["reading"]["magnitude"] < 0.3  # a fifth was left out


def test_a_layer_without_units_has_no_grid(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    write_arrays(store, "corpus/corpus.parquet", {})
    assert plan_grid(store.url, "corpus", LAYER, NARROW, SETTINGS) is None


def test_the_grid_of_a_standard_campaign_is_kept_until_the_campaign_has_doubled(
    tmp_path: Path,
) -> None:
    model, rng = uniform_campaign(n_units=4, categories=TAGSET), np.random.default_rng(5)
    continua = [shuffled_continuum(model, {"shift": 0.2}, n_perfect=0, rng=rng) for _ in range(32)]
    standard, places = replace(SETTINGS, units=8), {}
    for n in (16, 20, 31, 32):
        store = Store(str(tmp_path))
        corpus = corpus_of_continua(continua[:n], measure="γ")
        write_arrays(store, f"corpus-{n}/corpus.parquet", _as_arrays(corpus))
        places[n] = planned((store.url, f"corpus-{n}", ""), standard).places
    assert places[16] == places[20] == places[31] != places[32]
