"""`accordeur run` and `accordeur score` on the same files: one number for one question."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from accordeur.flows.commands.score import as_json
from accordeur.flows.scoring.score import score
from accordeur.flows.scoring.scores import Options
from tests.flows.outcomes import results_of

pytestmark = pytest.mark.services
Run = Callable[..., tuple[dict[str, Any], Any]]
Key = tuple[str, str, str]  # system ("" of a baseline), category, measure

LABEL_HEAD = "document,item,annotator,label"
UNIT_HEAD = "document,annotator,start,end,category"


def write(path: Path, head: str, rows: Sequence[str]) -> Path:
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return path


def campaign_of(folder: Path, sources: dict[str, tuple[str, str]], more: str = "") -> Path:
    """A campaign of tables: file name → (annotator of it, role)."""
    listed = "".join(f'[[sources]]\npath = "{name}"\nformat = "table"\n' for name in sources)
    roles = "".join(f'[annotators.{who}]\nrole = "{role}"\n' for who, role in sources.values())
    path = folder / "campaign.toml"
    path.write_text(
        f'{more}\n[campaign]\nname = "One number"\n{listed}{roles}'
        "[intervals]\nreplicates = 200\n[engine]\nworkers = 1\n",
        encoding="utf-8",
    )
    return path


def of_run(results: dict[str, Any]) -> dict[Key, dict[str, Any]]:
    [validity] = results["validity"]
    found: dict[Key, dict[str, Any]] = {}
    for one in validity["systems"]:
        for value in one["values"]:
            found[one["system"], "", value["measure"]] = value
        for part in one["per_category"]:
            found[one["system"], part["name"], part["value"]["measure"]] = part["value"]
    for one in validity["baselines"]:
        for value in one["values"]:
            found["", "", value["measure"]] = value
    return found


def of_score(reference: Path, systems: Sequence[Path]) -> tuple[dict[Key, Any], dict[str, Any]]:
    found = score(str(reference), list(map(str, systems)), options=Options(n_replicates=200))
    plain = json.loads(json.dumps(as_json(found)))
    keyed = {(row["system"], row["category"], row["measure"]): row for row in plain["results"]}
    return keyed, plain


def same(first: Any, second: Any) -> bool:
    return first == second or math.isclose(first, second, rel_tol=0, abs_tol=1e-12)


def assert_equal(run: dict[Key, dict[str, Any]], scored: dict[Key, dict[str, Any]]) -> None:
    assert set(run) <= set(scored), set(run) - set(scored)
    for key, value in run.items():
        other = scored[key]
        for field in ("value", "n_items"):
            assert same(value[field], other[field]), (key, field, value[field], other[field])
        for bound, expected in zip(value["interval"], other["interval"], strict=True):
            assert same(bound, expected), (key, value["interval"], other["interval"])
        assert value["signature"] == other["signature"], key


def labels_of_documents(
    folder: Path, *, lacking: Sequence[int] = (), items_lacking: Sequence[int] = ()
) -> list[Path]:
    """Ten documents of ten items; two systems, of which `near` lacks documents and items."""
    rng = random.Random(5)
    gold, near, far = [], [], []
    for d in range(10):
        for i in range(10):
            label = rng.choice(["A", "A", "B", "C"])
            gold.append(f"d{d},i{i},gold,{label}")
            wrong = rng.random()
            if d not in lacking and i not in items_lacking:
                near.append(f"d{d},i{i},near,{label if wrong > 0.1 else 'B'}")
            far.append(f"d{d},i{i},far,{label if wrong > 0.4 else 'C'}")
    far.append("elsewhere,i0,far,A")
    far.append("d0,not in the reference,far,A")
    return [
        write(folder / f"{name}.csv", LABEL_HEAD, rows)
        for name, rows in (("gold", gold), ("near", near), ("far", far))
    ]


LABEL_SOURCES = {
    "gold.csv": ("gold", "reference"), "near.csv": ("near", "system"), "far.csv": ("far", "system"),
}  # fmt: skip


def test_scores_of_labels_are_those_of_the_command(tmp_path: Path, run_campaign: Run) -> None:
    """A system that lacks three documents of ten and an item in each is wrong there, in both."""
    gold, near, far = labels_of_documents(tmp_path, lacking=(2, 5, 7), items_lacking=(3,))
    outcome, _ = run_campaign(campaign_of(tmp_path, LABEL_SOURCES))
    results = results_of(outcome)
    scored, plain = of_score(gold, [near, far])
    assert_equal(of_run(results), scored)
    accuracy = scored["near", "", "accuracy"]
    assert accuracy["n_items"] == 100
    assert accuracy["value"] <= 0.63
    [of_near, of_far] = sorted(results["validity"][0]["systems"], key=lambda s: s["system"])[::-1]
    assert (of_near["n_documents"], of_near["n_missing_documents"]) == (10, 3)
    assert (of_far["n_documents"], of_far["n_missing_documents"]) == (10, 0)
    assert of_near["errors"] == plain["errors"]["near"]
    assert of_near["errors"]["missed"] == 37
    assert of_far["errors"]["not_in_reference"] == 1
    assert plain["documents"]["near"] == {"scored": 10, "missing": 3, "not_assigned": 0}
    sentence = "near lacks 3 of the 10 documents of the reference"
    assert any(sentence in alert for alert in outcome["alerts"])
    assert any(sentence in note for note in plain["notes"])
    [compared] = results["validity"][0]["comparisons"]
    [pair] = plain["comparisons"]
    assert {compared["first"], compared["second"]} == {pair["first"], pair["second"]}
    assert same(abs(compared["difference"]), abs(pair["difference"]))


def units_of_documents(folder: Path, *, lacking: Sequence[int] = ()) -> list[Path]:
    rng = random.Random(6)
    gold, near, far = [], [], []
    for d in range(8):
        for u in range(6):
            start, category = 20 * u, rng.choice("XYZ")
            gold.append(f"d{d},gold,{start},{start + 8},{category}")
            if d not in lacking and rng.random() > 0.1:
                near.append(f"d{d},near,{start},{start + 8 + rng.choice((0, 0, 2))},{category}")
            far.append(f"d{d},far,{start + rng.choice((0, 3))},{start + 8},{rng.choice('XYZ')}")
    return [
        write(folder / f"{name}.csv", UNIT_HEAD, rows)
        for name, rows in (("gold", gold), ("near", near), ("far", far))
    ]


def test_scores_of_units_are_those_of_the_command(tmp_path: Path, run_campaign: Run) -> None:
    gold, near, far = units_of_documents(tmp_path, lacking=(1, 4))
    outcome, _ = run_campaign(campaign_of(tmp_path, LABEL_SOURCES))
    results = results_of(outcome)
    scored, plain = of_score(gold, [near, far])
    assert_equal(of_run(results), scored)
    of_near = next(s for s in results["validity"][0]["systems"] if s["system"] == "near")
    assert (of_near["n_documents"], of_near["n_missing_documents"]) == (8, 2)
    assert of_near["errors"] == plain["errors"]["near"]
    assert of_near["errors"]["missed"] >= 12
    assert scored["near", "", "exact_recall"]["n_items"] == 48
    assert len(results["validity"][0]["comparisons"]) == 1


def test_a_document_that_was_not_assigned_is_left_out_and_counted(
    tmp_path: Path, run_campaign: Run
) -> None:
    labels_of_documents(tmp_path, lacking=(2, 5, 7))
    path = campaign_of(tmp_path, LABEL_SOURCES)
    text = path.read_text(encoding="utf-8")
    text = text.replace("[annotators.near]", "[annotators.near]\nnot_assigned = '^d[27]$'")
    path.write_text(text, encoding="utf-8")
    outcome, _ = run_campaign(path)
    [validity] = results_of(outcome)["validity"]
    near = next(one for one in validity["systems"] if one["system"] == "near")
    assert (near["n_documents"], near["n_missing_documents"], near["n_not_assigned"]) == (8, 1, 2)
    accuracy = next(value for value in near["values"] if value["measure"] == "accuracy")
    assert accuracy["n_items"] == 80
    [comparison] = validity["comparisons"]  # on the documents that both were assigned
    far = next(one for one in validity["systems"] if one["system"] == "far")
    assert far["n_documents"] == 10
    assert math.isfinite(comparison["difference"])
    assert any(
        "not assigned to near, excluded from its scores: 2" in one for one in outcome["alerts"]
    )
