"""Systems that are to replace an annotator, in a run: the command's numbers, gates, the page."""

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
from tests.flows.small import NO_GRID

RIGHT = {"ann": 0.85, "ben": 0.8, "cat": 0.75, "gpt": 0.9, "llama": 0.4}


def exports(folder: Path) -> Path:
    rng = np.random.default_rng(8)
    truth = rng.integers(0, 3, 120)
    rows = [
        f"d{i // 10:02},q{i % 10},{name},{'system' if name in ('gpt', 'llama') else 'human'},"
        f"{'123'[label if rng.random() < right else rng.integers(0, 3)]},{number}"
        for name, right in RIGHT.items()
        for number in ((1, 2) if name == "gpt" else (1,))
        for i, label in enumerate(truth)
        if not (name == "llama" and i >= 110)  # it was not assigned the last document
    ]
    path = folder / "labels.csv"
    header = "document,item,annotator,role,label,pass"
    lengths = [f"d{i // 10:02},q{i % 10},{rng.integers(10, 900)}" for i in range(120)]
    (folder / "lengths.csv").write_text("\n".join(["document,item,length", *lengths]) + "\n")
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def campaign(folder: Path, more: str) -> Path:
    path = folder / "campaign.toml"
    path.write_text(
        f'[campaign]\nname = "Judges"\n[[sources]]\npath = "labels.csv"\n{more}'
        f"{NO_GRID}[chance]\nprecision = 0.1\n[engine]\nworkers = 1\n",
        encoding="utf-8",
    )
    return path


@pytest.mark.services
def test_a_run_says_what_the_command_says(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    table = exports(tmp_path)
    gates = "".join(
        f'[[gates]]\nmeasure = "advantage"\nof = "{of}"\nat_least = -0.15\n'
        for of in ("gpt", "llama")
    )
    roles = "".join(f'[annotators.{name}]\nrole = "human"\n' for name in ("ann", "ben", "cat"))
    roles += '[annotators.gpt]\nrole = "system"\nversion = "gpt 7.1"\n'
    roles += '[annotators.llama]\nrole = "system"\nnot_assigned = "d11"\n'
    section = (
        '[replacement]\nexpertise = "skilled"\nlengths = "lengths.csv"\n'
        'earlier = { gpt = "llama" }\n'
    )
    gates += '[[gates]]\nmeasure = "self_consistency"\nat_least = 0.5\n'
    outcome, _ = run_campaign(campaign(tmp_path, f"{roles}{section}{gates}"))
    results = results_of(outcome)
    [replacement] = results["replacement"]
    of_run = {one["system"]: one for one in replacement["systems"]}
    own = ("--lengths", tmp_path / "lengths.csv", "--earlier", "gpt=llama")
    done = accordeur("replace", table, "--expertise", "skilled", *own, "--json")
    of_command = {one["system"]: one for one in json.loads(done.stdout)["systems"]}
    for key in ("panel", "new_annotators", "annotators", "alt_stability", "over", "n_lost"):
        assert of_run["gpt"][key] == of_command["gpt"][key], key
    assert of_run["gpt"]["lost"] == of_command["gpt"]["lost"]
    # Documents that a system was not assigned are not compared; the command counts them as lost.
    assert (of_run["llama"]["n_missing"], of_command["llama"]["n_missing"]) == (0, 10)
    assert of_run["llama"]["values"][0]["n_items"] == 110
    outcomes = [(gate["measure"], gate["of"], gate["outcome"]) for gate in results["gates"]]
    assert outcomes == [
        ("advantage", "gpt", "passed"),
        ("advantage", "llama", "failed"),
        ("self_consistency", "gpt", "passed"),
    ]
    checks = {one["measure"]: one for one in of_run["gpt"]["checks"]}
    assert checks.keys() == {"self_consistency", "changed_labels", "advantage_change"}
    of_gpt = {one["measure"]: one for one in of_command["gpt"]["checks"]}
    assert checks["self_consistency"]["interval"] == of_gpt["self_consistency"]["interval"]
    assert [p["name"] for p in of_run["gpt"]["parts"] if p["kind"] == "length"] == [
        p["name"] for p in of_command["gpt"]["parts"] if p["kind"] == "length"
    ]
    [agreement] = results["items"]
    assert agreement["annotators"] == ["ann", "ben", "cat"]
    page = Path(outcome["report"]).read_text(encoding="utf-8")
    assert "gpt may replace one of these 3 annotators" in page
    assert "llama may not replace one of these 3 annotators" in page
    assert "gpt 7.1" in page
    assert "Give version in [annotators.llama] of the campaign file." in page


def unit_exports(folder: Path) -> Path:
    """Spans of 40 documents; gpt marks what is there, llama next to nothing."""
    rng = np.random.default_rng(3)
    marked = {"ann": 0.9, "ben": 0.85, "cat": 0.8, "gpt": 0.95, "llama": 0.1}
    rows = [
        f"d{d:02},{name},{'system' if name in ('gpt', 'llama') else 'human'},"
        f"{20 * i},{20 * i + 8 + (rng.random() < 0.1)},{'xy'[i % 2]},{number}"
        for d in range(40)
        for name, share in marked.items()
        for number in ((1, 2) if name == "gpt" and d % 4 else (1,))
        for i in range(6)
        if i == 5 or rng.random() < share
    ]
    path = folder / "labels.csv"
    path.write_text("\n".join(["document,annotator,role,start,end,category,pass", *rows]) + "\n")
    lengths = [f"d{d:02},{rng.integers(120, 140)}" for d in range(40)]
    (folder / "lengths.csv").write_text("\n".join(["document,length", *lengths]) + "\n")
    return path


@pytest.mark.services
def test_a_run_judges_systems_on_units_as_the_command_does(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    table = unit_exports(tmp_path)
    roles = "".join(f'[annotators.{name}]\nrole = "human"\n' for name in ("ann", "ben", "cat"))
    roles += "".join(f'[annotators.{name}]\nrole = "system"\n' for name in ("gpt", "llama"))
    section = (
        '[replacement]\nexpertise = "skilled"\nalignment = "disorder"\nlengths = "lengths.csv"\n'
        '[[gates]]\nmeasure = "unit_count_ratio"\nof = "gpt"\nat_least = 0.8\n'
    )
    outcome, _ = run_campaign(campaign(tmp_path, roles + section))
    results = results_of(outcome)
    [of_run] = results["replacement"]
    options = ("--expertise", "skilled", "--alignment", "disorder", "--json",
               "--lengths", tmp_path / "lengths.csv")  # fmt: skip
    of_command = json.loads(accordeur("replace", table, *options).stdout)
    assert of_run["kind"] == "units"
    for one, other in zip(of_run["systems"], of_command["systems"], strict=True):
        for key in ("panel", "annotators", "curve", "lost", "over", "checks"):
            assert one[key] == other[key], key
        parts = [{k: v for k, v in part.items() if k != "value"} for part in one["parts"]]
        assert [part["name"] for part in parts if part["kind"] == "category"] == ["x", "y"]
    verdicts = {one["system"]: one["panel"]["verdict"] for one in of_run["systems"]}
    assert verdicts == {"gpt": "may", "llama": "may_not"}
    page = Path(outcome["report"]).read_text(encoding="utf-8")
    assert "llama: documents in which it fits the others less" in page


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ("epsilon = 2", "replacement.epsilon"),
        ('expertise = "expert"\nepsilon = 0.1', "give either expertise or epsilon"),
        ('alignment = "kappa"', "'accuracy', 'rmse', 'similarity', "),
        ('positions = ["A"]', "the two categories that choose the answer shown first"),
    ],
)
def test_mistakes_in_the_section_are_named(tmp_path: Path, section: str, words: str) -> None:
    exports(tmp_path)
    with pytest.raises(ConfigError, match=words):
        load_campaign(campaign(tmp_path, f"[replacement]\n{section}\n"))


def test_a_gate_on_a_coefficient_of_a_system_names_what_to_use_instead(tmp_path: Path) -> None:
    exports(tmp_path)
    system = '[annotators.gpt]\nrole = "system"\n'
    gate = '[[gates]]\nmeasure = "cohen_kappa"\nat_least = 0.5\n'
    load_campaign(campaign(tmp_path, system + gate))
    with pytest.raises(ConfigError, match=r"section \[replacement\] \(`accordeur replace`\)"):
        load_campaign(campaign(tmp_path, f'{system}{gate}of = "gpt"\n'))
