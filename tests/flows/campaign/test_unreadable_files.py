"""A campaign of which some files cannot be read: nobody knows how many rows they have."""

from __future__ import annotations

import json

import pytest

from tests.flows.command_line import accordeur_process

CAMPAIGN = """
[campaign]
name = "weeks"
[[sources]]
path = "exports/*"
format = "table"
[validation]
rejected_at_most = 0.2
"""


@pytest.mark.long
def test_a_gate_on_rejected_rows_fails_while_files_are_not_read(tmp_path):
    (tmp_path / "c.toml").write_text(CAMPAIGN)
    for name, column in (("w1-ada", "item"), ("w1-ben", "item"), ("w2-ada", "tweet")):
        rows = (f"{k},{name[3:]},{'ab'[k % 2]}" for k in range(20))
        folder = tmp_path / "exports" / name[:2]
        folder.mkdir(parents=True, exist_ok=True)
        text = "\n".join([f"{column},annotator,label", *rows])
        (folder / f"{name}.csv").write_text(text)
    ran = accordeur_process("run", tmp_path / "c.toml")
    assert ran.returncode == 1
    assert "w2/w2-ada.csv" in ran.stdout + ran.stderr
    assert "files that cannot be read: 1" in ran.stdout + ran.stderr
    [summary] = (tmp_path / "runs").rglob("summary.md")
    assert "1 failed" in summary.read_text()
    [results] = (tmp_path / "runs").rglob("results.json")
    codes = {one["code"] for one in json.loads(results.read_text())["alerts"]}
    assert "unreadable_files" in codes
