"""A reading grid measures as the layer is measured: its distances, weights, Δ∅ and processes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accordeur.flows.study.study_config import load_study
from accordeur.flows.study.study_inputs import read_inputs_of
from accordeur.flows.toml_file import ConfigError
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.resampling.grids.alignment_measures import AlignmentMeasure
from accordeur.metrics.resampling.study import GridCell
from accordeur.metrics.units.observed import align_documents
from accordeur.tasks.study.study_cells import build_cell
from tests.flows.studies import planned, run_here, study_file

GRID = """
[study]
name = "grid"
kind = "reading_grid"
trials = 4
{data}
[grid]
degradation = ["category", "omission"]
magnitude = [0, 0.5]
{more}
"""
CAMPAIGN = """
[campaign]
name = "events"
[[sources]]
path = "units.csv"
format = "pygamma_csv"
layer_names = { "" = "events" }
[layers.events]
categories = ["X", "Y", "Z"]
distance = { X = { Y = 0.25 } }
[units]
alpha = 2
beta = 0.5
delta_empty = 1.5
[chance]
processes = ["statistical"]
[reading_grid]
trials = 0
[intervals]
replicates = 0
"""


def units_csv(folder: Path) -> None:
    """Three annotators, an omission now and then, X and Y mixed up by one of them."""
    rng = np.random.default_rng(0)
    rows = [
        f"{who},{'YXZ'[i % 3] if who == 'c' else 'XYZ'[i % 3]},{start},{start + 20}"
        for who in "abc"
        for i, start in enumerate(range(0, 480, 40))
        if rng.random() > 0.1
    ]
    (folder / "units.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")


def cells(path: Path) -> list[GridCell]:
    config, source = load_study(path), read_inputs_of(load_study(path))
    plan, *_ = planned(path)
    assert config.study.kind == "reading_grid"
    made = [build_cell(spec, source.inputs) for spec in plan.specs]
    return [cell for cell in made if isinstance(cell, GridCell)]


@pytest.mark.long
def test_declared_distances_and_weights_make_the_grid(tmp_path: Path) -> None:
    units_csv(tmp_path)
    data = '[data]\nunits = ["units.csv"]\nformat = "pygamma_csv"\n'
    plain = run_here(study_file(tmp_path, GRID.format(data=data, more="")))[0]
    declared = "[dissimilarity]\nbeta = 0\ndistance = { X = { Y = 0.1, Z = 0.1 } }\n"
    path = study_file(tmp_path, GRID.format(data=data, more=declared))
    own = run_here(path, folder="own")[0]
    assert own.observed["gamma"] > plain.observed["gamma"]
    halves = [
        next(p.y for p in part.curves[0].points if p.x == 0.5)
        for results in (plain, own)
        for part in results.parts
        if part.settings["degradation"] == "category"
    ]
    assert halves[1] == pytest.approx(1)  # a category that weighs nothing costs nothing
    assert halves[0] < 0.8
    assert own.parts[0].settings["beta"] == 0
    assert re.search(r"\|beta:0.*\|categories:matrix [0-9a-f]+", own.parts[0].signature)
    assert "beta" not in plain.parts[0].settings


def test_made_units_may_have_weights_and_their_categories_are_checked(tmp_path: Path) -> None:
    more = '[dissimilarity]\nposition = "sporadic"\ndistance = { A = { B = 0.5 } }\n'
    [first, *_] = cells(study_file(tmp_path, GRID.format(data="", more=more)))
    assert isinstance(first.measure, AlignmentMeasure)
    used = first.measure.dissimilarity
    assert isinstance(used, Dissimilarity)
    assert used.category_distances is not None
    assert (used.position, used.delta_empty, used.category_distances[0, 1]) == ("sporadic", 4, 0.5)
    wrong = more.replace("B =", "C =")
    with pytest.raises(ConfigError, match=r"dissimilarity\.distance: distances name 'C', which is"):
        planned(study_file(tmp_path, GRID.format(data="", more=wrong)))


@pytest.mark.long
@pytest.mark.services
def test_a_campaigns_layer_is_taken_as_the_run_measured_it(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    units_csv(tmp_path)
    (tmp_path / "campaign.toml").write_text(CAMPAIGN, encoding="utf-8")
    path = study_file(tmp_path, GRID.format(data='[data]\ncampaign = "campaign.toml"\n', more=""))
    with pytest.raises(ConfigError, match=r"campaign\.toml has not been run"):
        planned(path)
    outcome, _ = run_campaign(tmp_path / "campaign.toml")
    [gamma] = [one["value"] for one in outcome["main"] if one["measure"] == "gamma"]
    source = read_inputs_of(load_study(path))
    assert source.observed == {"gamma": gamma}
    made = cells(path)
    assert len(made) == 4
    for cell in made:
        assert cell.n_annotators == 3
        assert isinstance(cell.measure, AlignmentMeasure)
        assert cell.measure.processes == ("statistical",)
        used = cell.measure.dissimilarity
        assert used is not None
        assert used.category_distances is not None
        assert (used.alpha, used.beta, used.delta_empty) == (2, 0.5, 1.5)
        assert used.category_distances[0].tolist() == [0, 0.25, 1]
    assert sorted(cell.model.lengths) == [20] * cell.model.lengths.size
    assert align_documents([], used) == []
    results, _ = run_here(path)
    assert [part.label for part in results.parts] == ["category", "omission"]
    assert all(part.readings for part in results.parts)
