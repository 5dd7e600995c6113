"""A system's label that the declared distance cannot compare changes no value of agreement."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tests.flows.in_process import found
from tests.flows.small import NO_GRID
from tests.flows.stages_in_process import Measured, measured_in_process

SCALE = "1,2,3,4,5"


def table(path: Path, *, with_system: bool, unreadable: str = "unsure") -> Path:
    """Ratings of two humans, a reference, and a system that is not sure of each fifth item."""
    rng, rows = random.Random(1), ["document,item,annotator,role,label"]
    for i in range(40):
        truth = rng.randint(1, 5)
        for who, role in (("anna", "human"), ("ben", "human"), ("gold", "reference")):
            moved = 0 if role == "reference" else rng.choice([0, 0, 1, -1])
            rows.append(f"d{i % 8},i{i},{who},{role},{min(max(truth + moved, 1), 5)}")
        given = unreadable if i % 5 == 0 else str(truth)
        if with_system and given:
            rows.append(f"d{i % 8},i{i},gpt,system,{given}")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def run(folder: Path, source: Path, monkeypatch: pytest.MonkeyPatch, layer: str) -> Measured:
    folder.mkdir()
    campaign = folder / "campaign.toml"
    campaign.write_text(
        f'[campaign]\nname = "Distance"\n[[sources]]\npath = "{source}"\n{NO_GRID}'
        f"[intervals]\nreplicates = 50\n[layers.labels]\n{layer}",
        encoding="utf-8",
    )
    return measured_in_process(campaign, monkeypatch)


def scores(results: Any) -> dict[str, float]:
    [validity] = results["validity"]
    return {one["measure"]: one["value"] for one in validity["systems"][0]["values"]}


@pytest.mark.long
@pytest.mark.parametrize("distance", ["interval", "ordinal"])
def test_a_run_with_a_system_that_is_not_sure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, distance: str
) -> None:
    declared = f'distance = "{distance}"\n'
    alone = table(tmp_path / "alone.csv", with_system=False)
    beside = table(tmp_path / "beside.csv", with_system=True)
    silent = table(tmp_path / "silent.csv", with_system=True, unreadable="")
    of_alone, of_beside, of_silent, of_tagset = (
        run(tmp_path / name, source, monkeypatch, layer)
        for name, source, layer in (
            ("a", alone, declared),
            ("b", beside, declared),
            ("c", silent, declared),
            ("d", beside, f"{declared}tagset = [{', '.join(map(repr, SCALE.split(',')))}]\n"),
        )
    )
    for kind in ("items", "distributions", "resampling", "disagreements"):
        assert of_beside.results[kind] == of_alone.results[kind]
    assert scores(of_beside.results) == scores(of_silent.results)
    assert scores(of_beside.results)["accuracy"] == 0.8
    assert scores(of_tagset.results) == scores(of_beside.results)
    assert dict(of_tagset.account.rejected) == {"label_in_tagset": 8}


def test_score_leaves_such_labels_unscored_and_rejects_those_outside_the_tagset(
    tmp_path: Path,
) -> None:
    path = table(tmp_path / "labels.csv", with_system=True)
    asked = ["score", "--reference", path, "--system", path, "--replicates", "50"]
    by_distance = found(*asked, "--distance", "interval")
    by_tagset = found(*asked, "--distance", "interval", "--categories", SCALE)
    for one in (by_distance, by_tagset):
        [accuracy] = [
            row["value"]
            for row in one["results"]
            if row["measure"] == "accuracy" and row["system"] == "gpt" and not row["category"]
        ]
        assert accuracy == 0.8
    assert any("8 labels of systems or references" in note for note in by_distance["notes"])
    assert {row["rule"] for row in by_tagset["rejected"]} == {"label_in_tagset"}
    assert sum(by_tagset["rows"]["rejected"].values()) == 8


@pytest.mark.parametrize(
    "asked",
    [
        ["replace", "--expertise", "skilled", "--alignment", "rmse"],
        ["replace", "--expertise", "skilled", "--alignment", "similarity", "--scale", "interval"],
        ["mistakes", "--with-systems", "--scale", "interval"],
    ],
)
def test_replace_and_mistakes_take_such_a_label_as_missing(
    tmp_path: Path, asked: list[str]
) -> None:
    """Three humans, of whom none is a reference; the system is not sure, or silent."""
    unsure, silent = (
        table(tmp_path / f"{name}.csv", with_system=True, unreadable=given)
        for name, given in (("unsure", "unsure"), ("silent", ""))
    )
    for path in (unsure, silent):
        path.write_text(path.read_text("utf-8").replace(",reference,", ",human,"), "utf-8")
    of_unsure, of_silent = (found(asked[0], path, *asked[1:]) for path in (unsure, silent))
    [warning] = [w for w in of_unsure["warnings"] if w["code"] == "incomparable_labels"]
    assert "'unsure'" in warning["text"]
    assert not [w for w in of_silent["warnings"] if w["code"] == "incomparable_labels"]
    for name in of_silent.keys() - {"warnings", "rows", "rejected"}:
        assert of_unsure[name] == of_silent[name]
