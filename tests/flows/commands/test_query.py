"""`--query`, `query =` and `query=` read what one SELECT gives, with an account of its rows."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import accordeur as acc
from accordeur.flows.cli import app

pytest.importorskip("duckdb")
LABELS = {"i1": ["yes", "yes", ""], "i2": ["no", "no", "no"], "i3": ["no", "yes", "no"]}
RECORDS = [
    {
        "meta": {"id": item},
        "answers": [{"by": by, "is": one} for by, one in zip("abc", labels, strict=True)],
    }
    for item, labels in LABELS.items()
]
QUERY = (
    "select meta.id as item, one.by as annotator, one.is as label "
    "from (select meta, unnest(answers) as one from source)"
)


def run(*arguments: object, code: int = 0) -> str:
    done = CliRunner().invoke(app, [*map(str, arguments)])
    assert done.exit_code == code, done.output
    return f"{done.output}{done.exception or ''}"


@pytest.fixture
def export(tmp_path: Path) -> Path:
    (tmp_path / "x.sql").write_text(QUERY, encoding="utf-8")
    path = tmp_path / "x.json"
    path.write_text(json.dumps(RECORDS), encoding="utf-8")
    return path


@pytest.mark.long
def test_a_command_a_campaign_and_python_read_the_same_rows(export: Path) -> None:
    told = json.loads(run("agree", export, "--query", export.with_name("x.sql"), "--json"))
    percent = {one["measure"]: one["value"] for one in told["results"]}["percent_agreement"]
    assert percent == pytest.approx((1 + 1 + 1 / 3) / 3)
    digest = hashlib.sha256(QUERY.encode()).hexdigest()[:12]
    assert all(f"|query:{digest}|" in one["signature"] for one in told["results"])
    read = acc.read(export, query=QUERY)
    assert read.rules == {"empty_value": 1}
    assert acc.agreement(read)["percent_agreement"].value == percent
    campaign = export.with_name("campaign.toml")
    campaign.write_text(
        '[campaign]\nname = "q"\n[store]\nurl = "s"\n'
        f'[[sources]]\npath = "x.json"\nquery = """{QUERY}"""\n',
        encoding="utf-8",
    )
    checked = run("check", campaign, code=1)  # a row was rejected
    assert "9 rows" in checked
    assert "1 rejected" in checked


def test_a_query_may_be_given_as_it_is(export: Path) -> None:
    of_file = run("agree", export, "--query", export.with_name("x.sql"), "--json")
    assert run("agree", export, "--query", QUERY, "--json") == of_file


def test_a_query_that_is_no_file_or_no_select_is_one_sentence(export: Path) -> None:
    assert "no.sql: no such file" in run("agree", export, "--query", "no.sql", code=1)
    export.with_name("x.sql").write_text("drop table source", encoding="utf-8")
    said = run("agree", export, "--query", export.with_name("x.sql"), code=1)
    assert "the query must be exactly one SELECT" in said
