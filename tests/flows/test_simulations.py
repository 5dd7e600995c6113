"""Simulations as a flow: margins of a table or of a last run, a page, an entry point."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from prefect.flows import load_flow_from_entrypoint

from accordeur.data.errors import DataError
from accordeur.data.store.manifest import write_run_manifest
from accordeur.data.store.store import Store
from accordeur.flows.simulations import simulation_source
from accordeur.flows.toml_file import ConfigError
from accordeur.metrics.agreement.label_matrix import label_matrix
from accordeur.metrics.agreement.simulations.known_annotators import MEASURES
from accordeur.metrics.agreement.simulations.simulated_campaign import margins_of, run_experiment
from accordeur.metrics.options import Sampling
from accordeur.reports import results as page
from accordeur.reports.study.study_results import StudyResults
from accordeur.tasks.agreement.item_agreement import LabelAnalysis
from accordeur.tasks.analysis import count
from accordeur.tasks.layers import LayerSpec
from accordeur.tasks.options import ItemSettings
from accordeur.tasks.simulation import SimulationSource, write_simulation
from tests.reports.html_check import checked
from tests.tasks.stores import table, validated

TAGSET = ("x", "y", "z")
NOWHERE = {"campaign": "", "layer": "", "labels": "", "store": ""}


def written(folder: Path) -> tuple[Path, list[tuple[str, str, str]]]:
    """A table of three annotators on 80 items, three categories of which x is frequent."""
    rng = np.random.default_rng(2)
    true = rng.choice(3, 80, p=[0.7, 0.2, 0.1])
    rows = [
        (f"i{i:02d}", who, TAGSET[t if rng.random() < 0.8 else rng.integers(3)])
        for i, t in enumerate(true)
        for who in "abc"
    ]
    path = folder / "labels.csv"
    path.write_text("item,annotator,label\n" + "\n".join(map(",".join, rows)) + "\n", "utf-8")
    return path, rows


def campaign_that_was_run(folder: Path) -> Path:
    """A campaign file whose store has the results of a run, from its own summary of labels."""
    _, rows = written(folder)
    path = table(
        folder,
        "topics.csv",
        "document,layer,item,annotator,label",
        ["d,topic," + ",".join(row) for row in rows],
    )
    store, shards = validated(folder, [{"path": path}])
    layer = LayerSpec("topic", "items", TAGSET, ("a", "b", "c"))
    measures = ("krippendorff_alpha", "conger_kappa", "percent_agreement")
    labels = LabelAnalysis(layer, ItemSettings(Sampling(0), measures=measures))
    counted = count(store.url, [shard.key for shard in shards], [labels])
    found = labels.summarise(store, counted).model_dump(mode="json")
    results = {name: found[name] for name in ("items", "distributions", "units")}
    keep_results(folder / "runs", results)
    file = folder / "campaign.toml"
    file.write_text('[campaign]\nname = "c"\n[[sources]]\npath = "labels.csv"\n', "utf-8")
    return file


def keep_results(runs: Path, results: dict[str, Any]) -> None:
    store = Store(str(runs))
    stated = {"schema_version": page.SCHEMA_VERSION, **results}
    store.write_json("reports/run-0001/results.json", stated)
    write_run_manifest(store, "reports/run-0001", {}, places={}, series={}, files=[])


def test_the_margins_of_a_run_are_those_of_its_labels(tmp_path: Path) -> None:
    file = campaign_that_was_run(tmp_path)
    _, rows = written(tmp_path)
    items, annotators, labels = zip(*rows, strict=True)
    matrix = label_matrix(items=items, annotators=annotators, labels=labels, tagset=TAGSET)
    (source, _), plain = simulation_source(**{**NOWHERE, "campaign": str(file)}), margins_of(matrix)
    assert source.name == "c: topic"
    assert source.store == str(tmp_path / "runs")
    assert source.margins.shares == pytest.approx(plain.shares)
    assert source.margins.agreement == pytest.approx(plain.agreement)
    assert source.margins.n_items == 80
    assert set(source.observed) == {"krippendorff_alpha", "conger_kappa", "percent_agreement"}


def test_rows_set_aside_stand_on_the_page_of_a_campaign_and_of_a_table(tmp_path: Path) -> None:
    file = campaign_that_was_run(tmp_path)
    aside = page.RejectedRow(
        source="labels.csv",
        location="line 9",
        rule="label_given",
        value="",
        message="",
        link="../x",
    )
    found = page.Validation(rows_in=9, rows_accepted=8, rows_rejected=1, rejected=[aside])
    kept, path = Store(str(tmp_path / "runs")), "reports/run-0001/results.json"
    results = {**kept.read_json(path), "validation": found.model_dump(mode="json")}
    keep_results(tmp_path / "runs", results)
    of_run, _ = simulation_source(**{**NOWHERE, "campaign": str(file)})
    table, _ = written(tmp_path)
    table.write_text(f"{table.read_text('utf-8')}i00,a,x\n", "utf-8")
    of_table, _ = simulation_source(**{**NOWHERE, "labels": str(table), "store": str(tmp_path)})
    for source, counts in ((of_run, "9 rows of all tables"), (of_table, "241 rows of all tables")):
        assert source.validation is not None
        assert [row.link for row in source.validation.rejected] == [""]  # told from another page
        curve = run_experiment(source.margins, "prevalence", trials=2, seed=1)
        outcome = write_simulation(
            source, "prevalence", curve, "out", trials=2, seed=1, command="", started=""
        )
        html = Path(outcome["report"]).read_text("utf-8")
        assert checked(html).faults == []
        assert counts in html


@pytest.mark.parametrize("experiment", ["prevalence", "categories"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_page_has_a_curve_for_each_measure(
    tmp_path: Path, experiment: str, language: str
) -> None:
    _, rows = written(tmp_path)
    items, annotators, labels = zip(*rows, strict=True)
    matrix = label_matrix(items=items, annotators=annotators, labels=labels, tagset=TAGSET)
    observed = {"conger_kappa": 0.5}
    source = SimulationSource("c", str(tmp_path), margins_of(matrix), observed, language)
    curve = run_experiment(source.margins, experiment, trials=40, seed=1)
    outcome = write_simulation(
        source, experiment, curve, "out", trials=40, seed=1, command="accordeur simulate …",
        started="",
    )  # fmt: skip
    html = Path(outcome["report"]).read_text("utf-8")
    check = checked(html)
    assert check.faults == []
    assert html.count('<svg class="chart') == len(MEASURES)
    found = StudyResults.model_validate_json((tmp_path / "out" / "results.json").read_text("utf-8"))
    [part] = found.parts
    assert [one.y for one in part.curves] == list(MEASURES)
    assert found.observed == {"cohen_kappa": 0.5}  # that of many annotators stands for it
    kappa = next(one for one in part.curves if one.y == "cohen_kappa")
    assert all(p.low <= p.y <= p.high for p in kappa.points)
    own = [p for p in kappa.points if p.x == part.settings["own"]]
    assert len(own) == 1
    points = pq.read_table(tmp_path / "out" / "points.parquet")
    assert points.num_rows == sum(len(one.points) for one in part.curves)
    if experiment == "prevalence":
        assert own[0].y > kappa.points[-1].y  # rarer than here, κ falls
    if language == "en":
        assert f"κ of such annotators is {own[0].y:.3f}" in html


@pytest.mark.parametrize(
    ("given", "error", "sentence"),
    [
        ({}, ConfigError, "give either a campaign file"),
        ({"labels": "labels.csv"}, ConfigError, "with --to"),
        (
            {"labels": "labels.csv", "store": "s", "layer": "l"},
            ConfigError,
            "applies only with --campaign",
        ),
        ({"campaign": "new.toml"}, ConfigError, "has not been run"),
        (
            {"campaign": "campaign.toml", "layer": "mood"},
            DataError,
            "the layers of the last run are topic",
        ),
    ],
)
def test_what_is_missing_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: dict, error: type, sentence: str
) -> None:
    file = campaign_that_was_run(tmp_path)
    text = file.read_text("utf-8") + '[store]\nurl = "empty"\n'
    (tmp_path / "new.toml").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=sentence):
        simulation_source(**{**NOWHERE, **given})


@pytest.mark.services
def test_the_entry_point_runs_on_a_server(prefect_server: str, tmp_path: Path) -> None:
    flow = load_flow_from_entrypoint("accordeur.flows.simulations.simulation")
    file = campaign_that_was_run(tmp_path)
    arguments = {"campaign": str(file), "layer": "topic", "trials": 20, "seed": 4}
    first = flow("prevalence", **arguments, return_state=True).result()
    again = flow("prevalence", **arguments, return_state=True).result()
    assert [Path(one["report"]).parent.name for one in (first, again)] == [
        "simulation-0001",
        "simulation-0002",
    ]
    documents = [
        json.loads(Path(one["report"]).with_name("results.json").read_text("utf-8"))
        for one in (first, again)
    ]
    assert documents[0]["parts"] == documents[1]["parts"]
    assert "seed:4" in documents[0]["parts"][0]["signature"]
    assert documents[0]["run"]["command"].endswith("--layer topic --trials 20 --seed 4")
