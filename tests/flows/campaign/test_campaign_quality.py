"""Whole runs: a real Prefect server, real Dask workers, real files."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cloudpickle
import pyarrow.parquet as pq
import pytest

from accordeur.data.errors import DataError
from accordeur.reports.render import render
from accordeur.reports.results import Results
from tests.flows.outcomes import refused_as_gates, results_of
from tests.flows.runs import campaign_run
from tests.flows.small import write_quick_demo
from tests.reports.browser import Watched, launched, open_all, violations
from tests.reports.html_check import english_in

pytestmark = pytest.mark.services

ROOT = Path(__file__).resolve().parents[3]

Run = Callable[..., tuple[dict[str, Any], Any]]


def comparable(results: dict[str, Any]) -> dict[str, Any]:
    """Everything but the clock, the timings, the earlier runs and what changed since."""
    kept = {key: value for key, value in results.items() if key not in ("run", "history", "drift")}
    kept["run"] = {
        k: v for k, v in results["run"].items() if k not in ("started", "stages", "changes")
    }
    return kept


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_quick_demo(tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="module")
def sizes() -> dict[str, int]:
    """Task → bytes that a Dask scheduler would get for it; filled by the run of `unbroken`."""
    return {}


@pytest.fixture(scope="module")
def unbroken(demo: Path, prefect_server: str, sizes: dict[str, int]) -> dict[str, Any]:
    """The demonstration campaign, run once for all tests of this module."""
    from accordeur.flows.campaign.run import Run

    def weighed(run: Run, task: Any, what: str, *positional: Any, **keyword: Any) -> Any:
        sizes[f"{task.name}, {what}"] = len(cloudpickle.dumps((task, positional, keyword)))
        return submit(run, task, what, *positional, **keyword)

    submit = Run.submit
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Run, "submit", weighed)
        return campaign_run(demo)[0]


@pytest.mark.long
def test_a_task_is_sent_in_at_most_100_kilobytes(
    unbroken: dict[str, Any], sizes: dict[str, int]
) -> None:
    """The parts of γ also get the chance samples, 32 bytes each."""
    assert len(sizes) > 10
    [units] = Results.model_validate(results_of(unbroken)).units
    n_bytes = 32 * sum(process.n_samples for process in units.chance)
    samples = {name: n_bytes for name in sizes if "gamma" in name}
    found = {name: size - samples.get(name, 0) for name, size in sizes.items()}
    assert {name: size for name, size in found.items() if size > 100_000} == {}


def test_every_row_is_accounted_for_and_the_faults_are_found(unbroken: dict[str, Any]) -> None:
    assert (unbroken["rows_in"], unbroken["rows_rejected"]) == (548, 8)
    assert unbroken["rows_in"] == unbroken["rows_accepted"] + unbroken["rows_rejected"]
    rows = results_of(unbroken)["validation"]["rejected"]
    assert sorted((row["rule"], row["source"], row["location"]) for row in rows) == [
        ("annotator_known", "sentiment.csv", ""),
        ("annotator_known", "sentiment.csv", "line 140"),
        ("category_in_tagset", "ben/05-complaint.ann", "line 6"),
        ("label_in_tagset", "sentiment.csv", "line 138"),
        ("label_occurs_once", "sentiment.csv", "line 139"),
        ("outside_document", "anna/04-inventory.ann", "line 5"),
        ("unit_occurs_once", "ben/11-postcard.ann", "line 5"),
        ("zero_length", "chloe/09-interview.ann", "line 5"),
    ]


def test_the_results_are_valid_and_whole(unbroken: dict[str, Any]) -> None:
    results = Results.model_validate(results_of(unbroken))
    assert [gate.outcome for gate in results.gates] == ["passed", "passed"]
    [items], [units] = results.items, results.units
    alpha = next(v for v in items.values if v.measure == "krippendorff_alpha")
    assert alpha.value == pytest.approx(0.7605, abs=5e-4)
    assert alpha.interval[0] < alpha.value < alpha.interval[1]
    assert "distance:ordinal" in alpha.signature
    gamma = units.values[0]
    assert gamma.value == pytest.approx(1 - gamma.observed / gamma.expected, abs=1e-12)
    assert {process.process for process in units.chance} == {"random2", "shuffle"}
    chosen = next(process for process in units.chance if process.chosen)
    assert chosen.mean == min(process.mean for process in units.chance)
    assert chosen.precision <= 0.1
    assert len(units.per_pair) == 3 == len(units.leave_one_out)
    assert [point.k for point in results.resampling[0].points] == [1, 2, 3]
    assert {v.reference for v in results.validity} == {"adjudicated"}
    assert {s.system for v in results.validity for s in v.systems} == {"tagger"}


def test_no_agreement_coefficient_stands_beside_a_system(unbroken: dict[str, Any]) -> None:
    results = results_of(unbroken)
    names = {
        v["measure"] for one in results["validity"] for s in one["systems"] for v in s["values"]
    }
    assert not any(re.search("kappa|alpha|_pi|gamma|ac1", name) for name in names)
    assert "tagger" not in json.dumps(results["items"]) + json.dumps(results["units"])


def test_the_report_asks_no_other_host_for_anything(unbroken: dict[str, Any]) -> None:
    html = Path(unbroken["report"]).read_text(encoding="utf-8")
    assert "The tuner" in html
    assert not re.search(r"""(src|href|action)=["']?https?:""", html)
    assert "@import" not in html


@pytest.mark.long
@pytest.mark.browser
def test_the_page_is_sound_for_everyone(unbroken: dict[str, Any], chromium: str) -> None:
    address = Path(unbroken["report"]).as_uri()
    with launched(chromium) as browser:
        tab = Watched(browser.new_page())
        tab.page.goto(address)
        open_all(tab.page)
        # Its colours are those of the pages in tests/reports/test_page_in_browser.py.
        assert violations(tab.page, contrast=False) == []
        assert tab.faults == []
        assert tab.requests == [address]


def test_the_page_in_french_is_french(unbroken: dict[str, Any]) -> None:
    results = Results.model_validate(results_of(unbroken))
    own = (results.campaign.name, results.campaign.contact)
    assert english_in(render(results, language="fr"), names=own) == []


def test_the_tables_beside_the_report_can_be_read(unbroken: dict[str, Any]) -> None:
    folder = Path(unbroken["report"]).parent
    values = pq.read_table(folder / "values.parquet").to_pylist()
    assert all(
        row["signature"] or math.isnan(row["value"]) for row in values if row["part"] == "corpus"
    )
    found = {path.stem: pq.read_table(path) for path in (folder / "tables").iterdir()}
    assert found.keys() == {"documents", "assignments", "labels", "units", "rejected"}
    assert found["rejected"].num_rows == unbroken["rows_rejected"]
    for name, table in found.items():
        parts = (folder.parents[1] / "accepted").glob(f"*/{name}.parquet")
        assert table.num_rows == sum(pq.read_metadata(part).num_rows for part in parts)
    assignments = found["assignments"].to_pylist()
    assert {(row["annotator"], row["role"]) for row in assignments} == {
        ("anna", "human"), ("ben", "human"), ("chloe", "human"),
        ("tagger", "system"), ("adjudicated", "reference"),
    }  # fmt: skip
    assert not {"text", "sha256"} & set(found["documents"].column_names)


def test_queries_of_the_page_on_tables_answer(
    unbroken: dict[str, Any], demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("duckdb", reason="the query of the page is one of DuckDB")
    pytest.importorskip("polars", reason="the query of the page is one of polars")
    page = (ROOT / "docs" / "how-to" / "tables.md").read_text(encoding="utf-8")
    found: dict[str, Any] = {}
    monkeypatch.chdir(demo.parent)
    for block in re.findall(r"^```python\n(.*?)^```", page, flags=re.S | re.M):
        exec(block, found)
    tables = Path(unbroken["report"]).parent / "tables"
    humans = {"anna", "ben", "chloe"}
    units = [row for row in pq.read_table(tables / "units.parquet").to_pylist()
             if row["annotator"] in humans]  # fmt: skip
    rows = found["lengths"].fetchall()
    assert {name: n for name, n, _ in rows} == Counter(row["category"] for row in units)
    lengths = sum(row["end_offset"] - row["start_offset"] for row in units)
    assert sum(n * mean for _, n, mean in rows) == pytest.approx(lengths)
    given: dict[tuple[str, str], set[str]] = {}
    for row in pq.read_table(tables / "labels.parquet").to_pylist():
        given.setdefault((row["document"], row["item"]), set()).update(row["labels"])
    disputed = {place: sorted(labels) for place, labels in given.items() if len(labels) > 1}
    assert {(d, i): labels for d, i, labels in found["disputed"].rows()} == disputed
    assert found["rejected"]["len"].sum() == unbroken["rows_rejected"]


def test_no_column_of_the_store_needs_quotation_marks_in_sql(
    unbroken: dict[str, Any], demo: Path
) -> None:
    duckdb = pytest.importorskip("duckdb", reason="its list of reserved words is looked at")
    words = "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category = 'reserved'"
    reserved = {word for (word,) in duckdb.sql(words).fetchall()}
    assert {"end", "where", "table"} < reserved
    files = list((demo.parent / "store").rglob("*.parquet"))
    names = {name for path in files for name in pq.read_schema(path).names}
    assert "start_offset" in names
    assert not names & reserved
    assert all(b"accordeur.schema_version" in pq.read_metadata(path).metadata for path in files)


def n_parts(outcome: dict[str, Any], stage: str) -> int:
    return next(
        int(one["n_parts"]) for one in results_of(outcome)["run"]["stages"] if one["name"] == stage
    )


def test_a_run_of_which_nothing_changed_computes_nothing(
    unbroken: dict[str, Any], demo: Path, run_campaign: Run
) -> None:
    folder = Path(unbroken["report"]).parent
    again, state = run_campaign(demo)
    assert state.is_completed()
    assert again["reuse"] == "nothing changed since run 1: its report is up to date"
    for name in ("report", "gates", "main", "rows_in", "rows_rejected"):
        assert again[name] == unbroken[name], name
    assert [one.name for one in folder.parent.iterdir()] == ["run-0001"]

    values = folder / "values.parquet"
    content = values.read_bytes()
    values.write_bytes(content[:-1])
    try:
        damaged, _ = run_campaign(demo)
    finally:
        values.write_bytes(content)
    results = results_of(damaged)
    stages = {stage["name"]: stage for stage in results["run"]["stages"]}
    n_shards = stages["validate"]["n_reused"]
    assert stages["ingest"]["n_reused"] == 4
    assert n_shards == stages["count labels"]["n_reused"]
    assert stages["align entities"]["n_reused"] == stages["align entities"]["n_parts"] == 12
    assert comparable(results) == comparable(results_of(unbroken))
    assert len(results["history"]) == 2
    assert damaged["changes"] == []
    assert damaged["reuse"].endswith("nothing had changed")


def test_a_run_computes_only_what_changed(
    unbroken: dict[str, Any], demo: Path, run_campaign: Run
) -> None:
    n_shards = n_parts(unbroken, "validate")
    changed = demo.parent / "exports" / "brat" / "anna" / "02-letter.ann"
    before = changed.read_text(encoding="utf-8")
    changed.write_text("\n".join(before.splitlines()[1:]) + "\n", encoding="utf-8")
    try:
        third, _ = run_campaign(demo)
    finally:
        changed.write_text(before, encoding="utf-8")
    stages = {stage["name"]: stage for stage in results_of(third)["run"]["stages"]}
    assert stages["ingest"]["n_reused"] == 3
    assert stages["validate"]["n_reused"] == n_shards - 1
    assert stages["align entities"]["n_parts"] - stages["align entities"]["n_reused"] == 1
    assert stages["count labels"]["n_reused"] == n_shards - 1
    assert third["changes"][0].endswith(": 1 changed (02-letter)")
    assert third["reuse"].startswith("computed: ingest 1 of 4, ")
    gamma_before = results_of(unbroken)["units"][0]["values"][0]["value"]
    assert results_of(third)["units"][0]["values"][0]["value"] != gamma_before


def test_every_measure_of_the_results_may_have_a_gate(unbroken: dict[str, Any]) -> None:
    assert refused_as_gates(results_of(unbroken)) == set()


@pytest.fixture
def edited(demo: Path) -> Iterator[Path]:
    """The campaign file of the demonstration, which a test changes; its store has one campaign."""
    text = demo.read_text(encoding="utf-8")
    yield demo
    demo.write_text(text, encoding="utf-8")


@pytest.mark.long
def test_a_failed_gate_fails_the_run_and_an_undecided_one_where_it_is_asked_to(
    edited: Path, unbroken: dict[str, Any], run_campaign: Run
) -> None:
    text = edited.read_text(encoding="utf-8").replace("at_least = 0.45", "at_least = 0.7605")
    edited.write_text(text, encoding="utf-8")
    outcome, state = run_campaign(edited)
    assert (state.is_completed(), state.name) == (True, "GateUndecided")
    assert "1 gate undecided: krippendorff_alpha" in state.message
    assert [gate["outcome"] for gate in outcome["gates"]] == ["undecided", "passed"]
    assert not any(gate["fails_run"] for gate in outcome["gates"])
    report = Path(outcome["report"]).read_text(encoding="utf-8")
    assert "Quality gates: 1 undecided and 1 passed." in report
    strict = text.replace("at_least = 0.7605", 'at_least = 0.7605\nundecided = "fail"')
    edited.write_text(strict.replace("at_least = 0.4\n", "at_least = 0.99\n"), encoding="utf-8")
    outcome, state = run_campaign(edited)
    assert (state.is_failed(), state.name) == (True, "GateFailed")
    cause = f"; {outcome['cause'].rstrip('.')}" if outcome["cause"] else ""
    assert [gate["outcome"] for gate in outcome["gates"]] == ["undecided", "failed"]
    failed = "1 gate failed: gamma (entities); 1 gate undecided: krippendorff_alpha (sentiment)"
    assert state.message == f"{failed}{cause}"


def test_a_campaign_that_must_be_clean_stops_at_rejected_rows(
    edited: Path, unbroken: dict[str, Any], run_campaign: Run
) -> None:
    text = edited.read_text(encoding="utf-8") + '\n[validation]\non_rejected = "stop"\n'
    edited.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=r"8 of 548 rows were rejected and validation\.on_rej"):
        run_campaign(edited)
