"""A quick look, a check, the Python interface and a run give a row the same fate."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import accordeur as acc
from accordeur.data.store.store import Store
from tests.flows.campaign.test_row_account import account_of_campaign
from tests.flows.in_process import found, said

TEXT = "one two three four five six"


def campaign(folder: Path, source: str, more: str = "") -> Path:
    path = folder / "campaign.toml"
    text = f'[campaign]\nname = "x"\n[[sources]]\npath = "{source}"\n{more}'
    path.write_text(text, encoding="utf-8")
    return path


def checked(path: Path) -> dict[str, object]:
    rows: dict[str, object] = json.loads(said("check", path, "--json")[1])["rows"]
    return rows


def two_layers(folder: Path) -> Path:
    """A Label Studio export with two layers of labels, whose categories differ."""

    def choice(layer: str, label: str) -> dict[str, object]:
        value = {"choices": [label]}
        return {"type": "choices", "from_name": layer, "to_name": "text", "value": value}

    tasks = [
        {
            "id": k,
            "data": {"text": TEXT},
            "annotations": [
                {"completed_by": who, "result": [choice("topic", topic), choice("tone", "calm")]}
                for who, topic in (("anna", "a"), ("ben", "ab"[k % 2]))
            ],
        }
        for k in range(4)
    ]
    path = folder / "tasks.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    return path


def test_a_tagset_is_that_of_the_measured_layer(tmp_path: Path) -> None:
    path = two_layers(tmp_path)
    rows = found("agree", path, "--layer", "topic", "--categories", "a,b")["rows"]
    assert (rows["n_read"], rows["measured"]) == (16, 8)
    assert (rows["rejected"], rows["excluded"]) == ({}, {"other_layer": 8})
    file = campaign(tmp_path, str(path), '[layers.topic]\ncategories = ["a", "b"]\n')
    assert account_of_campaign(file, Store(str(tmp_path / "store"))).rejected == {}
    assert checked(file) == {"read": 16, "accepted": 16, "rejected": 0, "excluded": {}}


def brat(folder: Path) -> Path:
    """Two annotators; the second relation of each joins a unit that occurs twice."""
    lines = [
        *("T1\tX 0 3\tone", "T2\tX 4 7\ttwo", "T3\tX 4 7\ttwo"),
        *("R1\tNext Arg1:T1 Arg2:T2\t", "R2\tNext Arg1:T1 Arg2:T3\t"),
    ]
    for who in ("anna", "ben"):
        (folder / who).mkdir(parents=True)
        (folder / who / "d.txt").write_text(TEXT, encoding="utf-8")
        (folder / who / "d.ann").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def test_a_relation_to_a_rejected_unit_is_rejected(tmp_path: Path) -> None:
    folder = brat(tmp_path / "in")
    expected = {"unit_occurs_once": 2, "ends_accepted": 2}
    sides = ("--reference", folder / "anna", "--system", folder / "ben")
    scored = found("score", *sides)["rows"]
    measured = found("gamma", folder)["rows"]
    read = acc.read(folder)
    account = account_of_campaign(campaign(tmp_path, str(folder)), Store(str(tmp_path / "store")))
    assert scored["rejected"] == measured["rejected"] == read.rules == account.rejected == expected
    assert scored["n_read"] == measured["n_read"] == account.n_read == 10
    assert (scored["reference_only"], scored["system"]) == (3, 3)
    assert checked(tmp_path / "campaign.toml")["rejected"] == 4


def test_a_derived_assignment_is_no_row_of_a_file(tmp_path: Path) -> None:
    """An undeclared annotator's labels are rejected, and the assignment they imply with them."""
    rows = [f"{k},{who},x" for k in range(3) for who in ("anna", "ben", "guest")]
    (tmp_path / "t.csv").write_text("\n".join(["item,annotator,label", *rows]), encoding="utf-8")
    people = "[annotators]\nanna = {}\nben = {}\n"
    file = campaign(tmp_path, "t.csv", people)
    account = account_of_campaign(file, Store(str(tmp_path / "store")))
    assert (account.n_read, account.measured, account.rejected) == (9, 6, {"annotator_known": 3})
    assert checked(file) == {"read": 9, "accepted": 6, "rejected": 3, "excluded": {}}


@pytest.mark.parametrize("comment", ["# sat", "#x =", "# a", "#a b c d e"])
@pytest.mark.parametrize("scheme", ["labels", "iob2"])
def test_a_comment_of_conll_is_no_row(tmp_path: Path, comment: str, scheme: str) -> None:
    tags = ("N", "V", "N") if scheme == "labels" else ("B-X", "O", "B-X")
    words = [f"{word} P {tag}" for word, tag in zip("abc", tags, strict=True)]
    for who in ("anna", "ben"):
        (tmp_path / who).mkdir()
        lines = [words[0], comment, *words[1:]]
        (tmp_path / who / "d.conll").write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = "agree" if scheme == "labels" else "gamma"
    options = ("--option", f"scheme={scheme}", "--from", "conll")
    rows = found(command, tmp_path / "anna", tmp_path / "ben", *options)["rows"]
    n_rows = 3 if scheme == "labels" else 2
    assert (rows["n_read"], rows["measured"], rows["rejected"]) == (2 * n_rows, 2 * n_rows, {})
