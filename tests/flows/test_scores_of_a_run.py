"""Systems that lack documents: a run counts them as errors, as `accordeur score` does."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from accordeur.data.errors import DataError
from tests.flows.in_process import found, said
from tests.flows.outcomes import results_of
from tests.flows.small import NO_GRID

pytestmark = pytest.mark.services
Run = Callable[..., tuple[dict[str, Any], Any]]

SOURCES = {"gold": "reference", "near": "system", "far": "system"}


def campaign_of(folder: Path, head: str, rows: dict[str, list[str]], more: str = "") -> Path:
    """A campaign of one table for each annotator of SOURCES."""
    listed = roles = ""
    for who, role in SOURCES.items():
        (folder / f"{who}.csv").write_text("\n".join([head, *rows[who]]) + "\n", encoding="utf-8")
        listed += f'[[sources]]\npath = "{who}.csv"\nformat = "table"\n'
        roles += f'[annotators.{who}]\nrole = "{role}"\n' + (more if who == "near" else "")
    path = folder / "campaign.toml"
    path.write_text(
        f'[campaign]\nname = "Systems"\n{listed}{roles}'
        f"{NO_GRID}[intervals]\nreplicates = 200\n[engine]\nworkers = 1\n",
        encoding="utf-8",
    )
    return path


def scored(folder: Path) -> dict[str, Any]:
    systems = ("--system", folder / "near.csv", "--system", folder / "far.csv")
    return found("score", "--reference", folder / "gold.csv", *systems, "--replicates", 200)


def value(values: Sequence[dict[str, Any]], measure: str, system: str = "") -> dict[str, Any]:
    [one] = (v for v in values if v["measure"] == measure and v.get("system", "") == system
             and not v.get("category"))  # fmt: skip
    return one


def system_of(results: dict[str, Any], name: str) -> dict[str, Any]:
    [validity] = results["validity"]
    return next(one for one in validity["systems"] if one["system"] == name)


def assert_as_scored(run: dict[str, Any], command: dict[str, Any]) -> None:
    assert run["value"] == pytest.approx(command["value"], abs=1e-12)
    assert run["interval"] == pytest.approx(command["interval"], abs=1e-12)
    assert (run["n_items"], run["signature"]) == (command["n_items"], command["signature"])


def labels(*, lacking: Sequence[int], items_lacking: Sequence[int] = ()) -> dict[str, list[str]]:
    """Ten documents of ten items; two systems, of which `near` lacks documents and items."""
    rng = random.Random(5)
    rows: dict[str, list[str]] = {who: [] for who in SOURCES}
    for d in range(10):
        for i in range(10):
            label = rng.choice(["A", "A", "B", "C"])
            rows["gold"].append(f"d{d},i{i},gold,{label}")
            wrong = rng.random()
            if d not in lacking and i not in items_lacking:
                rows["near"].append(f"d{d},i{i},near,{label if wrong > 0.1 else 'B'}")
            rows["far"].append(f"d{d},i{i},far,{label if wrong > 0.4 else 'C'}")
    rows["far"] += ["elsewhere,i0,far,A", "d0,not in the reference,far,A"]
    return rows


LABEL_HEAD = "document,item,annotator,label"


def test_missing_labels_are_errors(tmp_path: Path, run_campaign: Run) -> None:
    """A system that lacks three documents of ten and an item in each is wrong there."""
    rows = labels(lacking=(2, 5, 7), items_lacking=(3,))
    outcome, _ = run_campaign(campaign_of(tmp_path, LABEL_HEAD, rows))
    results, by_command = results_of(outcome), scored(tmp_path)
    near, far = (system_of(results, name) for name in ("near", "far"))
    accuracy = value(near["values"], "accuracy")
    assert accuracy["n_items"] == 100
    assert accuracy["value"] <= 0.63
    assert_as_scored(accuracy, value(by_command["results"], "accuracy", "near"))
    assert (near["n_documents"], near["n_missing_documents"]) == (10, 3)
    assert (far["n_documents"], far["n_missing_documents"]) == (10, 0)
    assert near["errors"] == by_command["errors"]["near"]
    assert near["errors"]["missed"] == 37
    assert far["errors"]["not_in_reference"] == 1
    assert by_command["documents"]["near"] == {"scored": 10, "missing": 3, "not_assigned": 0}
    for told in (outcome["alerts"], by_command["notes"]):
        assert any("near lacks 3 of the 10 documents of the reference" in one for one in told)
    [compared], [pair] = results["validity"][0]["comparisons"], by_command["comparisons"]
    assert {compared["first"], compared["second"]} == {pair["first"], pair["second"]}
    assert abs(compared["difference"]) == pytest.approx(abs(pair["difference"]), abs=1e-12)


def test_missing_units_are_errors(tmp_path: Path, run_campaign: Run) -> None:
    rng = random.Random(6)
    rows: dict[str, list[str]] = {who: [] for who in SOURCES}
    for d in range(8):
        for u in range(6):
            start, category = 20 * u, rng.choice("XYZ")
            rows["gold"].append(f"d{d},gold,{start},{start + 8},{category}")
            if d not in (1, 4) and rng.random() > 0.1:
                end = start + 8 + rng.choice((0, 0, 2))
                rows["near"].append(f"d{d},near,{start},{end},{category}")
            moved = start + rng.choice((0, 3))
            rows["far"].append(f"d{d},far,{moved},{start + 8},{rng.choice('XYZ')}")
    outcome, _ = run_campaign(campaign_of(tmp_path, "document,annotator,start,end,category", rows))
    results, by_command = results_of(outcome), scored(tmp_path)
    near = system_of(results, "near")
    for measure in ("exact_f", "slot_error_rate", "observed_disorder"):
        run, command = (
            value(near["values"], measure),
            value(by_command["results"], measure, "near"),
        )
        assert_as_scored(run, command)
    assert (near["n_documents"], near["n_missing_documents"]) == (8, 2)
    assert near["errors"] == by_command["errors"]["near"]
    assert near["errors"]["missed"] >= 12
    assert value(near["values"], "exact_recall")["n_items"] == 48
    assert len(results["validity"][0]["comparisons"]) == 1


def test_a_document_that_was_not_assigned_is_left_out_and_counted(
    tmp_path: Path, run_campaign: Run
) -> None:
    rows = labels(lacking=(2, 5, 7))
    more = "not_assigned = '^d[27]$'\n"
    outcome, _ = run_campaign(campaign_of(tmp_path, LABEL_HEAD, rows, more))
    results = results_of(outcome)
    near = system_of(results, "near")
    assert (near["n_documents"], near["n_missing_documents"], near["n_not_assigned"]) == (8, 1, 2)
    assert value(near["values"], "accuracy")["n_items"] == 80
    assert system_of(results, "far")["n_documents"] == 10
    [comparison] = results["validity"][0]["comparisons"]  # on the documents that both were assigned
    assert math.isfinite(comparison["difference"])
    assert any(
        "not assigned to near, excluded from its scores: 2" in one for one in outcome["alerts"]
    )


def without_documents(rows: dict[str, list[str]]) -> dict[str, list[str]]:
    """The rows of one document of the reference, without their first column."""
    return {
        who: [row.partition(",")[2] for row in own if row.startswith("d0,")]
        for who, own in rows.items()
    }


def test_tables_without_documents_give_one_number(tmp_path: Path, run_campaign: Run) -> None:
    """Each table is a document that is named after its file: gold, near and far."""
    rng = random.Random(8)
    units = {who: list[str]() for who in SOURCES}
    for start in range(0, 400, 10):
        for who, error in (("gold", 0.0), ("near", 0.1), ("far", 0.4)):
            category = "X" if rng.random() >= error else "Y"
            units[who].append(f"{who},{start},{start + 6},{category}")
    of_labels = without_documents(labels(lacking=(2,)))
    for kind, head, rows, measure in (
        ("labels", LABEL_HEAD.partition(",")[2], of_labels, "accuracy"),
        ("units", "annotator,start,end,category", units, "exact_f"),
    ):
        folder = tmp_path / kind
        folder.mkdir()
        outcome, _ = run_campaign(campaign_of(folder, head, rows))
        results, by_command = results_of(outcome), scored(folder)
        [validity] = results["validity"]
        assert validity["coverage"] == by_command["coverage"]
        for name in ("near", "far"):
            system = system_of(results, name)
            found = value(system["values"], measure)
            assert 0.4 < found["value"] < 1
            assert_as_scored(found, value(by_command["results"], measure, name))
            assert system["errors"] == by_command["errors"][name]
            assert system["n_missing_documents"] == 0


def test_the_items_of_humans_without_documents_are_those_of_the_reference(
    tmp_path: Path, run_campaign: Run
) -> None:
    rows = without_documents(labels(lacking=(2,)))
    campaign = campaign_of(tmp_path, "item,annotator,label", rows)
    people = [f"i{i},{who},A" for i in range(10) for who in ("ann", "ben")]
    (tmp_path / "people.csv").write_text("\n".join(["item,annotator,label", *people]))
    with campaign.open("a") as file:
        file.write('[[sources]]\npath = "people.csv"\nformat = "table"\n')
    outcome, _ = run_campaign(campaign)
    [validity] = results_of(outcome)["validity"]
    assert validity["coverage"]["n_all"] == 11  # with one that only a system has
    assert "no document of the reference" not in said("check", campaign)[1]


def test_a_run_refuses_a_system_without_a_document_of_the_reference(
    tmp_path: Path, run_campaign: Run
) -> None:
    """The run, `check` and `score` state the same sentence."""
    rows = labels(lacking=())
    rows["near"] = [row.replace(",", ".txt,", 1) for row in rows["near"]]
    campaign = campaign_of(tmp_path, LABEL_HEAD, rows)
    with pytest.raises(DataError) as refused:
        run_campaign(campaign)
    sentence = str(refused.value)
    assert sentence.startswith("'near': no document of the reference is in the other exports ('d0'")
    code, checked = said("check", campaign)
    assert (code, sentence in checked) == (2, True)
    one = ("--system", tmp_path / "near.csv")
    assert said("score", "--reference", tmp_path / "gold.csv", *one) == (2, sentence)
