"""Intraclass correlations in a run: the command's numbers, gates, layers that hold no ratings."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accordeur.flows.campaign.file.campaign_config import load_campaign
from accordeur.flows.toml_file import ConfigError
from tests.flows.command_line import accordeur
from tests.flows.outcomes import results_of

CAMPAIGN = '[campaign]\nname = "Ratings"\n[[sources]]\npath = "labels.csv"\n'
GATE = '[[gates]]\nmeasure = "ICC(A,1)"\nlayer = "{layer}"\nat_least = 0.2\n'


def export(folder: Path) -> Path:
    rng = np.random.default_rng(4)
    items = rng.normal(3, 1, 30)
    rows = [
        f"d{i // 10},{layer},q{i},{name},{label}"
        for name, shift in (("ann", 0.0), ("ben", 0.3), ("cat", -0.2))
        for i, item in enumerate(items)
        for layer, label in (
            ("quality", round(item + shift + rng.normal(0, 0.5))),
            ("topic", "ab"[int(rng.random() < 0.4)]),
        )
        if rng.random() > 0.15
    ]
    path = folder / "labels.csv"
    path.write_text("\n".join(["document,layer,item,annotator,label", *rows]), encoding="utf-8")
    return path


@pytest.mark.long
@pytest.mark.services
def test_a_run_has_the_commands_values_and_a_gate_on_them(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    table = export(tmp_path)
    path = tmp_path / "campaign.toml"
    measures = '[items]\nmeasures = ["krippendorff_alpha", "icc_3_k"]\n'
    measures += 'groups = { first = ["ann", "ben"], second = ["cat"] }\n'
    layers = '[layers.quality]\ndistance = "interval"\n'
    gates = GATE.format(layer="quality") + GATE.format(layer="topic")
    path.write_text(f"{CAMPAIGN}{measures}{layers}{gates}[engine]\nworkers = 1\n", "utf-8")
    outcome, _ = run_campaign(path)
    results = results_of(outcome)
    of_layer = {one["layer"]: one["values"] for one in results["items"]}
    asked = ("--layer", "quality", "--measure", "icc_3_k", "--measure", "icc_2_1")
    done = accordeur("agree", table, *asked, "--json")
    of_command = {one["measure"]: one for one in json.loads(done.stdout)["results"]}
    found = {one["measure"]: one for one in of_layer["quality"]}
    for name in ("icc_3_k", "icc_2_1"):
        assert found[name]["value"] == pytest.approx(of_command[name]["value"], abs=1e-9)
        assert found[name]["interval"] == pytest.approx(of_command[name]["interval"], abs=1e-9)
    groups = (
        "--layer",
        "quality",
        "--group",
        "ann,ben",
        "--group",
        "cat",
        "--distance",
        "interval",
    )
    done = accordeur("agree", table, *groups, "--json")
    [of_groups, _] = json.loads(done.stdout)["results"]
    assert found["cross_replication"]["value"] == pytest.approx(of_groups["value"], abs=1e-9)
    study = next(one["ratings"] for one in results["items"] if one["layer"] == "quality")
    done = accordeur("ratings", table, "--layer", "quality", "--json")
    assert [one["value"] for one in study["pairs"]] == pytest.approx(
        [one["value"] for one in json.loads(done.stdout)["pairs"]]
    )
    topic = {one["measure"]: one for one in of_layer["topic"]}
    assert topic["icc_2_1"]["reason_code"] == "not_ratings"
    outcomes = {gate["layer"]: gate["outcome"] for gate in results["gates"]}
    assert outcomes == {"quality": "passed", "topic": "failed"}
    page = Path(outcome["report"]).read_text(encoding="utf-8")
    assert "ICC(A,1)" in page or "ICC(2,1)" in page


def test_an_icc_cannot_lead_the_report(tmp_path: Path) -> None:
    path = tmp_path / "campaign.toml"
    path.write_text(f'{CAMPAIGN}[items]\nmeasures = ["icc_2_1"]\n', "utf-8")
    with pytest.raises(ConfigError, match="icc_2_1 cannot lead the report"):
        load_campaign(path)


def test_the_command_takes_published_names_and_says_what_to_do_with_words(tmp_path: Path) -> None:
    table = export(tmp_path)
    done = accordeur("agree", table, "--layer", "quality", "--measure", "ICC(C,1)", "--json")
    assert [one["measure"] for one in json.loads(done.stdout)["results"]] == ["icc_3_1"]
    done = accordeur("agree", table, "--layer", "topic", "--measure", "icc_2_1")
    assert done.returncode != 0
    assert "the ratings must be numbers" in done.stderr
