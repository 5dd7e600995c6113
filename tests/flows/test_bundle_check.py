"""A bundle made without a run: whole it says nothing, changed it says what."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest
from typer.testing import CliRunner

from accordeur.data.store.checksums import write_checksums
from accordeur.data.store.store import Store
from accordeur.flows.bundle_check import (
    altered_files,
    altered_tables,
    bundle_hash,
    differences_sentence,
)
from accordeur.flows.cli import app
from accordeur.metrics.signature import VERSION
from accordeur.reports.render import render
from accordeur.reports.results import Results
from accordeur.reports.results.circumstances import split_circumstances
from accordeur.reports.summary import markdown_summary
from accordeur.tasks.reporting.values_table import values_table
from tests.reports import samples


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    made = samples.typical()
    made = made.model_copy(update={"run": made.run.model_copy(update={"version": VERSION})})
    results = Results.model_validate_json(made.model_dump_json())
    store = Store(str(tmp_path))
    lasting, circumstances = split_circumstances(results)
    store.write_bytes("b/results.json", lasting.model_dump_json(indent=1).encode())
    store.write_bytes("b/run.json", circumstances.model_dump_json(indent=1).encode())
    store.write_bytes("b/report.html", render(results, language="fr").encode())
    store.write_bytes("b/summary.md", markdown_summary(results).encode())
    store.write_table("b/values.parquet", values_table(results))
    write_checksums(store, "b")
    return tmp_path / "b"


def test_a_whole_bundle_has_nothing_to_tell(bundle: Path) -> None:
    assert altered_files(bundle) == []
    assert differences_sentence([], "all files") == "nothing differs: all files"


def test_a_clock_changed_with_its_checksum_is_found(bundle: Path) -> None:
    path = bundle / "run.json"
    circumstances = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(circumstances | {"started": "2001-01-01T00:00:00+00:00"}))
    assert altered_files(bundle) == ["run.json was changed"]
    write_checksums(Store(str(bundle.parent)), "b")
    assert altered_files(bundle) == ["report.html does not match results.json"]


def test_a_value_changed_with_its_checksum_is_found(bundle: Path) -> None:
    path = bundle / "results.json"
    results = json.loads(path.read_text(encoding="utf-8"))
    results["items"][0]["values"][0]["value"] = 0.9
    path.write_text(json.dumps(results), encoding="utf-8")
    assert altered_files(bundle) == ["results.json was changed"]
    write_checksums(Store(str(bundle.parent)), "b")
    found = altered_files(bundle)
    assert [one.split()[0] for one in found] == ["report.html", "summary.md", "values.parquet"]
    assert differences_sentence(found, "").startswith("3 things differ: report.html does not match")


def test_a_table_changed_with_its_checksum_is_found_by_the_published_hash(bundle: Path) -> None:
    store = Store(str(bundle))
    store.write_table("reference/names/reference.parquet", pa.table({"label": ["A", "B"]}))
    published = write_checksums(Store(str(bundle.parent)), "b")
    assert bundle_hash(bundle) == published
    assert altered_files(bundle, published.upper()) == []
    store.write_table("reference/names/reference.parquet", pa.table({"label": ["A", "A"]}))
    write_checksums(Store(str(bundle.parent)), "b")
    assert altered_files(bundle) == []  # nothing else says what the label was
    assert altered_files(bundle, published) == ["SHA256SUMS does not have the published hash"]


def test_a_table_changed_with_its_checksum_is_found_by_the_exports(tmp_path: Path) -> None:
    released, again = Store(str(tmp_path / "b")), Store(str(tmp_path / "again"))
    for store, folder in ((released, ""), (again, "x/")):
        rows = pa.table({"label": ["A", "B"], "confidence": [float("nan"), 0.5]})
        store.write_table(f"{folder}reference/names/reference.parquet", rows)
        store.write_bytes(f"{folder}reference/names/tables/labels.csv", b"A\nB\n")
        store.write_bytes(f"{folder}report.html", folder.encode())
    assert altered_tables(released, again, "x/") == []
    changed = pa.table({"label": ["A", "A"], "confidence": [float("nan"), 0.5]})
    released.write_table("reference/names/reference.parquet", changed)
    released.write_bytes("reference/names/tables/labels.csv", b"A\nA\n")
    released.write_table("more.parquet", changed)
    assert altered_tables(released, again, "x/") == [
        "more.parquet is not measured",
        "reference/names/reference.parquet has different rows when measured again",
        "reference/names/tables/labels.csv differs when measured again",
    ]


def test_verifying_prints_the_hash_and_what_was_not_checked(bundle: Path) -> None:
    def verify(*arguments: str) -> tuple[int, str]:
        done = CliRunner().invoke(app, ["audit", "--verify", str(bundle), *arguments])
        return done.exit_code, done.output

    digest = bundle_hash(bundle)
    code, output = verify()
    assert (code, output.count("not checked: ")) == (0, 2)
    assert output.startswith(f"SHA-256 of its SHA256SUMS: {digest}\nnothing differs: ")
    code, output = verify("--sha256", digest)
    assert (code, output.count("not checked: ")) == (0, 1)
    code, output = verify("--sha256", digest[:-1] + "x")
    assert code == 1
    assert "1 thing differs: SHA256SUMS does not have the published hash" in output
