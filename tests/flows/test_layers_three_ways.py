"""Two layers of labels and one of units in an export: each asked alone, and all in a campaign."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import accordeur as acc
from tests.flows.in_process import found
from tests.flows.small import NO_GRID
from tests.flows.stages_in_process import Measured, measured_in_process
from tests.flows.three_ways import assert_same

TEXT = "The cat and the dog saw the man in the house with a red door. " * 2
LAYERS = {"topic": ["sport", "news", "other"], "tone": ["good", "bad"]}


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """Label Studio: 24 tasks by two of three annotators, of whom one leaves every fifth tone out;
    the units of one place quote another text and are rejected."""
    rng, tasks = random.Random(7), []
    for t in range(24):
        topic, tone = (rng.choice(names) for names in LAYERS.values())
        annotations = []
        for who in rng.sample(["ann", "ben", "cat"], 2 if t else 1):
            own = topic if rng.random() < 0.7 else rng.choice(LAYERS["topic"])
            result = [_choice("topic", own)]
            if who != "cat" or t % 5:
                result.append(_choice("tone", tone if rng.random() < 0.8 else "bad"))
            for u in range(3):
                start = 30 * u + rng.randint(0, 3)
                span = {"start": start, "end": start + rng.randint(4, 9)}
                quoted = "zebra" if (t, u) == (3, 1) else TEXT[start : span["end"]]
                label = {"labels": [rng.choice(["PER", "LOC"])], "text": quoted, **span}
                result.append({"from_name": "entities", "to_name": "text", "type": "labels",
                               "id": f"{t}{who}{u}", "value": label})  # fmt: skip
            annotations.append({"id": 10 * t + len(annotations), "result": result,
                                "completed_by": {"email": f"{who}@x.org"}})  # fmt: skip
        tasks.append({"id": t + 1, "data": {"text": TEXT}, "annotations": annotations})
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    return path


def _choice(layer: str, name: str) -> dict[str, Any]:
    return {"from_name": layer, "to_name": "text", "type": "choices", "value": {"choices": [name]}}


@pytest.fixture
def run(export: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Measured:
    campaign = tmp_path / "campaign.toml"
    campaign.write_text(
        f'[campaign]\nname = "Three layers"\n[[sources]]\npath = "{export}"\n{NO_GRID}'
        "[chance]\nprecision = 0.3\nmax_samples = 60\n[intervals]\nreplicates = 50\n"
        '[items]\nmeasures = ["krippendorff_alpha"]\n[units]\nmeasures = ["gamma", "gamma_cat"]\n',
        encoding="utf-8",
    )
    return measured_in_process(campaign, monkeypatch)


def test_each_layer_alone_and_in_a_run(export: Path, run: Measured) -> None:
    accounts = []
    for layer in LAYERS:
        command = found("agree", export, "--layer", layer, "--measure", "krippendorff_alpha",
                        "--replicates", "50")  # fmt: skip
        python = acc.agreement(
            str(export), layer=layer, measures=["krippendorff_alpha"], replicates=50
        )
        [of_run] = [one for one in run.results["items"] if one["layer"] == layer]
        assert_same(command["results"], of_run["values"][:1])
        assert_same(command["results"], [one.to_dict() for one in python])
        assert python.rows.as_json() == command["rows"]
        accounts.append(command["rows"])
    fast: dict[str, Any] = {"precision": 0.3, "max_samples": 60, "replicates": 50}
    flags = [
        text for name, one in fast.items() for text in (f"--{name}".replace("_", "-"), str(one))
    ]
    command = found("gamma", export, "--layer", "entities", *flags)
    units = acc.gamma(str(export), layer="entities", **fast)
    assert_same(command["results"], units.to_document()["results"])
    [of_run] = run.results["units"]
    named = {one["measure"]: one for one in of_run["values"]}
    assert_same(command["results"], [named[one["measure"]] for one in command["results"]])
    assert units.values.rows.as_json() == command["rows"]
    accounts.append(command["rows"])
    _assert_parts_of(run.account.as_json(), accounts)


def _assert_parts_of(whole: dict[str, Any], parts: list[dict[str, Any]]) -> None:
    """All read and reject the same rows; what each measures and excludes is that of the run."""
    for part in parts:
        assert part["n_read"] == whole["n_read"]
        assert part["rejected"] == whole["rejected"] == {"surface_mismatch": 2}
        assert part["excluded"]["empty_answer"] == whole["excluded"]["empty_answer"] > 0
    assert whole["measured"] == sum(part["measured"] for part in parts)
    alone = [part["excluded"]["single_annotator"] for part in parts]
    assert whole["excluded"]["single_annotator"] == sum(alone)
    assert whole["excluded"].keys() == {"empty_answer", "single_annotator"}
    kinds = {"empty_answer", "single_annotator", "other_layer", "other_kind"}
    assert all(part["excluded"].keys() <= kinds for part in parts)
