"""An export has one account of its rows, in a quick look and in a run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from accordeur.data.store.store import Store
from accordeur.metrics.options import Sampling
from accordeur.tasks.inputs.reading_options import Reading
from accordeur.tasks.references.soft_reference import soft_labels_of_export
from tests.flows.campaign.test_row_account import account_of_campaign
from tests.flows.in_process import found


def accounts(
    folder: Path, command: str, rows: list[str], more: str, *options: str
) -> tuple[dict[str, object], dict[str, object]]:
    """The account of a quick look and of a run."""
    (folder / "rows.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    file = folder / "campaign.toml"
    file.write_text(f'[campaign]\nname = "x"\n[[sources]]\npath = "rows.csv"\n{more}', "utf-8")
    run = account_of_campaign(file, Store(str(folder / "store"))).as_json()
    return found(command, folder / "rows.csv", *options)["rows"], run


ROLES = ("--role", "tagger=system", "--role", "gold=reference")
PEOPLE = """
[annotators]
tagger = { role = "system" }
gold = { role = "reference" }
anna = {}
ben = {}
"""


@pytest.mark.parametrize("command", ["agree", "gamma"])
def test_later_passes_of_systems_and_references_are_theirs(tmp_path: Path, command: str) -> None:
    work = [(who, 1) for who in ("anna", "ben", "tagger", "gold")]
    work += [("tagger", 2), ("gold", 2)]
    if command == "agree":
        rows = ["document,item,annotator,label,pass"]
        rows += [f"d,{k},{who},x,{number}" for k in range(3) for who, number in work]
    else:
        rows = ["document,annotator,start,end,category,pass"]
        rows += [f"d,{who},{9 * k},{9 * k + 5},x,{n}" for k in range(3) for who, n in work]
    quick, run = accounts(tmp_path, command, rows, PEOPLE, *ROLES)
    assert quick == run
    assert (quick["measured"], quick["system"], quick["reference_only"]) == (6, 6, 6)


def test_labels_of_several_passes_do_not_hide_how_many_annotators_an_item_has(
    tmp_path: Path,
) -> None:
    rows = [f"d,{k},{who},x,{p}" for k in range(3) for who in ("anna", "ben") for p in (1, 2)]
    quick, run = accounts(tmp_path, "agree", ["document,item,annotator,label,pass", *rows], "")
    assert quick == run
    assert (run["measured"], run["excluded"]) == (6, {"later_pass": 6})
    assert run["most_annotators"] == 2


def test_soft_labels_of_an_export_whose_reference_labels_an_item_alone(tmp_path: Path) -> None:
    tasks = []
    for k, people in enumerate((["anna", "ben"], ["anna"])):
        value = {"type": "choices", "from_name": "t", "to_name": "x", "value": {"choices": ["a"]}}
        annotations = [
            {"completed_by": who, "ground_truth": who == "anna", "result": [value]}
            for who in people
        ]
        tasks.append({"id": k, "data": {"text": "one"}, "annotations": annotations})
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    reading = Reading(options={"ground_truth": "reference"})
    rows = soft_labels_of_export(path, reading, "votes", Sampling(0)).rows
    assert (rows.n_read, rows.measured, rows.also_reference) == (3, 3, 2)
