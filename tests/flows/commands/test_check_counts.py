"""`accordeur check` counts rejected rows as the account of rows does."""

from __future__ import annotations

import json
import re

from tests.flows.command_line import accordeur


def test_rejected_rows_of_a_source_are_those_of_the_account(tmp_path):
    rows = [f"{k},{who},{'ab'[k % 2]}" for k in range(10) for who in ("anna", "ben", "judge")]
    (tmp_path / "labels.csv").write_text("\n".join(["item,annotator,label", *rows]))
    campaign = tmp_path / "c.toml"
    campaign.write_text(
        '[campaign]\nname = "J"\n[[sources]]\npath = "labels.csv"\n'
        '[annotators.anna]\nrole = "human"\n'
    )
    checked = accordeur("check", campaign)
    assert checked.returncode == 1
    assert re.search(r"\b20 rows rejected:\s+20 annotator_known, the first", checked.stdout)
    assert "30 rows (30 labels) = 10 accepted + 20 rejected" in checked.stdout
    found = json.loads(accordeur("check", campaign, "--json").stdout)
    assert sum(one["rows"] for one in found["sources"][0]["rejected"]) == found["rows"]["rejected"]


def test_assignments_without_rows_are_not_counted_as_rows(tmp_path):
    for who, text in (("anna", "a word"), ("ben", "a word"), ("carl", "")):
        (tmp_path / "x" / who).mkdir(parents=True)
        (tmp_path / "x" / who / "d.txt").write_text("a word", encoding="utf-8")
        line = f"T1\tA 0 {len(text)}\t{text}\n" if text else ""
        (tmp_path / "x" / who / "d.ann").write_text(line, encoding="utf-8")
    campaign = tmp_path / "c.toml"
    campaign.write_text(
        '[campaign]\nname = "J"\n[[sources]]\npath = "x"\n[annotators]\nanna = {}\nben = {}\n'
    )
    checked = accordeur("check", campaign)
    assert re.search(
        r"\b0 rows rejected:\s+annotator_known \(documents or assignments: 1\)", checked.stdout
    )
    assert "2 rows (2 units) = 2 accepted + 0 rejected" in checked.stdout
