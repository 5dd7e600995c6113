"""A bundle made without a run: whole it says nothing, changed it says what."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from data.store.checksums import write_checksums
from data.store.store import Store
from flows.bundle_check import altered_files, told
from metrics.signature import VERSION
from reports.render import render
from reports.results import Results
from reports.results.circumstances import separated
from reports.summary import markdown_summary
from tasks.reporting.values_table import values_table
from tests.reports import samples


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    made = samples.typical()
    made = made.model_copy(update={"run": made.run.model_copy(update={"version": VERSION})})
    results = Results.model_validate_json(made.model_dump_json())
    store = Store(str(tmp_path))
    lasting, circumstances = separated(results)
    store.write_bytes("b/results.json", lasting.model_dump_json(indent=1).encode())
    store.write_bytes("b/run.json", circumstances.model_dump_json(indent=1).encode())
    store.write_bytes("b/report.html", render(results, language="fr").encode())
    store.write_bytes("b/summary.md", markdown_summary(results).encode())
    store.write_table("b/values.parquet", values_table(results))
    write_checksums(store, "b")
    return tmp_path / "b"


def test_a_whole_bundle_has_nothing_to_tell(bundle: Path) -> None:
    assert altered_files(bundle) == []
    assert told([], "all files") == "nothing differs: all files"


def test_a_clock_changed_with_its_checksum_is_found(bundle: Path) -> None:
    path = bundle / "run.json"
    circumstances = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(circumstances | {"started": "2001-01-01T00:00:00+00:00"}))
    assert altered_files(bundle) == ["run.json was changed"]
    write_checksums(Store(str(bundle.parent)), "b")
    assert altered_files(bundle) == ["report.html does not show what results.json says"]


def test_a_value_changed_with_its_checksum_is_found(bundle: Path) -> None:
    path = bundle / "results.json"
    results = json.loads(path.read_text(encoding="utf-8"))
    results["items"][0]["values"][0]["value"] = 0.9
    path.write_text(json.dumps(results), encoding="utf-8")
    assert altered_files(bundle) == ["results.json was changed"]
    write_checksums(Store(str(bundle.parent)), "b")
    found = altered_files(bundle)
    assert [one.split()[0] for one in found] == ["report.html", "summary.md", "values.parquet"]
    assert told(found, "").startswith("3 things differ: report.html does not show")
