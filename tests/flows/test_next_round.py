"""The closed loop: a campaign, its queue, the requested labels, the campaign again."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from tests.flows.in_process import found, said
from tests.flows.outcomes import results_of
from tests.read_labels import read_labels

ABILITY = {"ann": 0.95, "ben": 0.85, "cat": 0.75, "dan": 0.55}
TRUTH = np.random.default_rng(1).integers(0, 2, 60)


def label(item: str, annotator: str) -> str:
    """What the annotator says of the item, whenever the label is requested."""
    truth = int(TRUTH[int(item[1:])])
    seed = [int(item[1:]), *annotator.encode()]
    right = np.random.default_rng(seed).random() < ABILITY.get(annotator, 1)
    return ["no", "yes"][truth if right else 1 - truth]


def begin(folder: Path, more: str = "") -> Path:
    names = list(ABILITY)
    rows = [
        f"d{i // 6},q{i},{names[i % 4]},human,{label(f'q{i}', names[i % 4])}" for i in range(60)
    ]
    rows += [f"d{i // 6},q{i},ben,human,{label(f'q{i}', 'ben')}" for i in range(0, 60, 4)]
    text = "\n".join(["document,item,annotator,role,label", *rows]) + "\n"
    (folder / "first.csv").write_text(text, encoding="utf-8")
    campaign = folder / "campaign.toml"
    campaign.write_text(
        '[campaign]\nname = "Loop"\n[[sources]]\npath = "first.csv"\n'
        '[[gates]]\nmeasure = "krippendorff_alpha"\nat_least = 0.4\n'
        f"[intervals]\nreplicates = 200\n[next]\nbudget = 30\n{more}",
        encoding="utf-8",
    )
    return campaign


def answer(campaign: Path, queue: Path, number: int) -> int:
    """Fill in the queue as the annotators would, and declare it as a source; the labels given."""
    with (queue / "queue.csv").open(encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    with (campaign.parent / f"round-{number}.csv").open("w", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["document", "item", "annotator", "role", "label"])
        writer.writeheader()
        for row in rows:
            del row["purpose"]
            writer.writerow(row | {"label": label(row["item"], row["annotator"])})
    text = campaign.read_text(encoding="utf-8")
    source = f'[[sources]]\npath = "round-{number}.csv"\n[[gates]]'
    campaign.write_text(text.replace("[[gates]]", source), encoding="utf-8")
    return len(rows)


def _assert_no_work_for_who_left(campaign: Path) -> None:
    text = campaign.read_text(encoding="utf-8")
    names = {}
    for day in ("true", "2026-01-31", "9999-12-31"):
        campaign.write_text(f"{text}[annotators.dan]\nleft = {day}\n", encoding="utf-8")
        planned = found("next", campaign, "--dry-run")
        names[day] = {row["annotator"] for row in planned["assignments"] if not row["exists"]}
        assert planned["left"] == ([] if day.startswith("9") else ["dan"])
    assert names == {"true": {*["ann", "ben", "cat"]}, "2026-01-31": {*["ann", "ben", "cat"]},
                     "9999-12-31": {*ABILITY}}  # fmt: skip
    campaign.write_text(text, encoding="utf-8")


def _assert_no_round_where_nothing_is_assigned_or_written(campaign: Path) -> None:
    folder = campaign.parent / "somebodys"
    folder.mkdir()
    (folder / "queue.csv").write_text("work", encoding="utf-8")
    assert "exists already" in said("next", campaign, "--to", folder)[1]
    nothing = found("next", campaign, "--per-item", "1")
    assert (nothing["round"], nothing["queue"], nothing["folder"]) == (1, None, None)
    assert "nothing to assign" in said("next", campaign, "--per-item", "1")[1]


@pytest.mark.long
@pytest.mark.services
def test_a_queue_comes_back_as_labels_and_the_loop_knows_when_to_stop(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    campaign = begin(tmp_path)
    run_campaign(campaign)
    _assert_no_work_for_who_left(campaign)
    _assert_no_round_where_nothing_is_assigned_or_written(campaign)
    first = found("next", campaign, "--audit", "40", "--target-error", "0.2")
    assert first["round"] == 1
    assert first["audit"] == {"n_audited": 0, "n_wrong": 0, "bound": None}
    assert first["stop"] is False
    purposes = [row["purpose"] for row in first["assignments"] if not row["exists"]]
    assert {one: purposes.count(one) for one in purposes} == {
        "random": 14, "informative": 16, "audit": 40,
    }  # fmt: skip
    stored = pq.read_table(first["queue"]).to_pylist()
    assert [row["item"] for row in stored] == [row["item"] for row in first["assignments"]]

    assert answer(campaign, Path(first["folder"]), 1) == 70
    outcome, _ = run_campaign(campaign)
    results = results_of(outcome)
    assert results["items"][0]["n_items"] == 60
    warning = next(one for one in results["alerts"] if one["code"] == "adaptive_labels")
    assert warning["figures"]["n"] == 16
    assert "16 collected because they were informative" in outcome["account"]

    second = found("next", campaign, "--target-error", "0.2")
    assert second["audit"]["n_audited"] == 40
    assert second["n_labels"] == 75 + 30
    assert second["n_random"] == 75 + 14
    assert f" {second['n_measured']} measured" in outcome["account"]
    assert second["stop"] is (second["audit"]["bound"] <= 0.2)
    assert 0 < second["expected_width"] < np.diff(second["agreement"]["interval"])[0]
    alpha = results["items"][0]["values"][0]
    assert second["agreement"]["value"] == alpha["value"]
    assert second["agreement"]["interval"] == alpha["interval"]

    again, _ = run_campaign(campaign)  # the second round takes labels into the random share
    joined = sum(row["exists"] for row in second["assignments"])
    codes = [
        one["figures"]["n"]
        for one in results_of(again)["alerts"]
        if one["code"] == "adaptive_labels"
    ]
    assert codes == [16 - joined]


@pytest.mark.services
def test_the_files_of_a_round_go_into_every_tool(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    campaign = begin(tmp_path, 'per_annotator = 9\nmay_annotate = { ann = "^d[0-4]$" }\n')
    run_campaign(campaign)
    to = tmp_path / "queue"
    rows = [row for row in found("next", campaign, "--to", to)["assignments"] if not row["exists"]]
    cells = {(row["document"], row["item"], row["annotator"]) for row in rows}
    assert len(cells) == 30
    assert all(document < "d5" for document, _, who in cells if who == "ann")
    assert max(sum(who == name for *_, who in cells) for name in ABILITY) <= 9
    tasks = json.loads((to / "label_studio.json").read_text(encoding="utf-8"))
    assert cells == {
        (task["data"]["accordeur_document"], task["data"]["accordeur_item"], who)
        for task in tasks
        for who in task["meta"]["annotators"]
    }
    for tool in ("doccano", "prodigy"):
        lines = [
            (json.loads(line), file.stem)
            for file in (to / tool).glob("*.jsonl")
            for line in file.read_text(encoding="utf-8").splitlines()
        ]
        names = [(line.get("meta", line), who) for line, who in lines]
        assert cells == {
            (one["accordeur_document"], one["accordeur_item"], who) for one, who in names
        }
    with (to / "inception.csv").open(encoding="utf-8-sig") as file:
        pairs = {tuple(row.values()) for row in csv.DictReader(file)}
    assert pairs == {(document, who) for document, _, who in cells}
    assert read_labels(tmp_path / "first.csv").annotators  # the queue has the columns of a table

    code, output = said("next", campaign, "--dry-run", "--goal", "agreement")
    assert code == 0
    assert "informative" not in output
    assert "the error of the consensus is unknown" in output
    assert not (tmp_path / "runs" / "queue" / "round-0002.parquet").exists()


@pytest.mark.long
@pytest.mark.services
def test_a_scheduled_round_measures_and_writes_until_its_targets_are_reached(
    tmp_path: Path, prefect_server: str
) -> None:
    from accordeur.flows.next_round import next_round

    assert prefect_server
    campaign = begin(tmp_path, "target_width = 0.01\n")
    state = next_round(str(campaign), return_state=True)
    assert Path(state.result()["queue"]).is_file()
    text = campaign.read_text(encoding="utf-8")
    campaign.write_text(text.replace("target_width = 0.01", "target_width = 2"), encoding="utf-8")
    state = next_round(str(campaign), return_state=True)
    assert state.name == "TargetsReached"
    assert not (tmp_path / "runs" / "queue" / "round-0002.parquet").exists()


def test_a_campaign_without_a_run_is_refused(tmp_path: Path) -> None:
    code, sentence = said("next", begin(tmp_path))
    assert code == 2
    assert "run the campaign first" in sentence
