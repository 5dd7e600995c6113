"""What a reference among the annotators decides is not open: on the page, and in `adjudicate`."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.flows.command_line import accordeur

CAMPAIGN = """
[campaign]
name = "screening"
[[sources]]
path = "labels.csv"
format = "table"
[[sources]]
path = "units.csv"
format = "table"
[annotators]
final = { role = "reference" }
[reading_grid]
trials = 0
"""
DISPUTED = (3, 6, 9)


def write_exports(folder: Path, n_decided: int) -> None:
    labels = ["document,item,annotator,label"]
    units = ["document,annotator,start,end,category"]
    for k in range(30):
        for who in ("kim", "lou"):
            labels.append(f"d{k},i,{who},{'xy'[k % 2 ^ (who == 'lou' and k in DISPUTED)]}")
            units.append(f"d{k},{who},{who == 'lou' and k in DISPUTED:d},9,A")
        if k < n_decided:
            labels.append(f"d{k},i,final,{'xy'[k % 2]}")
            units.append(f"d{k},final,0,9,A")
    (folder / "labels.csv").write_text("\n".join(labels) + "\n", encoding="utf-8")
    (folder / "units.csv").write_text("\n".join(units) + "\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("n_decided", "open_"), [(7, ("d9",)), pytest.param(30, (), marks=pytest.mark.long)]
)
def test_what_a_reference_decides_is_not_open(
    tmp_path: Path, n_decided: int, open_: tuple[str, ...]
) -> None:
    write_exports(tmp_path, n_decided)
    campaign = tmp_path / "c.toml"
    campaign.write_text(CAMPAIGN, encoding="utf-8")
    done = accordeur("run", campaign)
    assert done.returncode == 0, done.stdout + done.stderr
    [page] = tmp_path.rglob("report.html")
    results = json.loads(page.with_name("results.json").read_text(encoding="utf-8"))
    decided = {(one["layer"], one["document"]): one["decided"] for one in results["disagreements"]}
    assert len(decided) == 6
    assert {place[1] for place, by in decided.items() if not by} == {*open_}
    assert {"final": "y"} in decided.values()
    assert {"final": ""} in decided.values()
    words = page.read_text(encoding="utf-8")
    assert ("2 disagreements to discuss" in words) == bool(open_)
    assert ("6 disagreements, all decided" in words) == (not open_)
    assert "decision: y (final)" in words
    assert "accordeur annotators CAMPAIGN" in words

    out = tmp_path / "open.csv"
    done = accordeur("adjudicate", campaign, out)
    n_open = 2 * len(open_)
    assert done.stdout == (
        f"6 disagreements, {n_open} open, {6 - n_open} decided by a reference: {out}\n"
    )
    with out.open(encoding="utf-8-sig", newline="") as stream:
        assert {row["document"] for row in csv.DictReader(stream)} == {*open_}
