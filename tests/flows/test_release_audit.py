"""A release audit: its bundle is whole, its one command gives the same numbers, tampering shows."""

from __future__ import annotations

import hashlib
import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from accordeur.data.errors import DataError
from accordeur.data.store.checksums import write_checksums
from accordeur.data.store.store import Store
from accordeur.flows.cli import app
from accordeur.flows.release.bundle_check import (
    altered_files,
    altered_inputs,
    altered_numbers,
    checksum_file_hash,
    read_results,
)
from accordeur.flows.release.json_differences import json_differences
from accordeur.reports.language import LANGUAGES
from accordeur.reports.render import render_audit
from accordeur.reports.results import Results
from tests.flows.small import write_quick_demo
from tests.reports.browser import launched, n_pages

pytestmark = pytest.mark.services
ROOT = Path(__file__).resolve().parents[2]


def audited(campaign: Path) -> tuple[dict[str, Any], Any]:
    from accordeur.flows.release_audit import release_audit

    state = release_audit(str(campaign), return_state=True)
    outcome = state.result(raise_on_failure=False)
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome, state


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_quick_demo(tmp_path_factory.mktemp("released"))


@pytest.fixture(scope="module")
def bundle(campaign: Path, prefect_server: str) -> Path:
    outcome, state = audited(campaign)
    assert state.is_completed(), state.message
    return Path(outcome["bundle"])


@pytest.fixture
def copy(bundle: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(bundle, tmp_path / "copy"))


def seal_again(bundle: Path) -> None:
    write_checksums(Store(str(bundle.parent)), bundle.name)


def results_of(bundle: Path) -> dict[str, Any]:
    return json.loads((bundle / "results.json").read_text(encoding="utf-8"))


@pytest.mark.long
def test_the_bundle_is_whole(bundle: Path, campaign: Path) -> None:
    names = {path.relative_to(bundle).as_posix() for path in bundle.rglob("*") if path.is_file()}
    assert {
        "audit.html", "report.html", "results.json", "run.json", "summary.md", "values.parquet",
        "tables/rejected.parquet", "tables/assignments.parquet", "campaign.toml", "sbom.cdx.json",
        "manifest.json", "SHA256SUMS",
    } <= names  # fmt: skip
    assert not names & {"croissant.json", "README.md", "data/labels.parquet"}  # no [release]
    results = Results.model_validate(results_of(bundle))
    assert results.release is not None
    assert results.release.missing == []
    exports = campaign.parent / "exports"
    files = [path for path in exports.rglob("*") if path.is_file()]
    assert results.run.inputs == {
        path.relative_to(campaign.parent).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }
    assert {stage.n_reused for stage in read_results(bundle).run.stages} == {0}
    assert altered_files(bundle) == []
    assert altered_inputs(bundle, campaign) == []


@pytest.mark.long
def test_the_command_in_the_report_gives_the_same_numbers(bundle: Path, campaign: Path) -> None:
    command = shlex.split(results_of(bundle)["run"]["command"])
    assert " ".join(command) in (bundle / "report.html").read_text(encoding="utf-8")
    assert command[0] == "accordeur"
    done = subprocess.run(
        [sys.executable, "-m", "accordeur.flows.cli", *command[1:]],
        cwd=campaign.parent,
        env=None,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    place = next(line for line in done.stdout.splitlines() if line.startswith("bundle: "))
    again = results_of(Path(place.removeprefix("bundle: ")))
    assert list(json_differences(results_of(bundle), again)) == []


@pytest.mark.long
def test_measuring_again_tells_a_number_that_was_changed(copy: Path, campaign: Path) -> None:
    assert altered_numbers(copy, campaign) == []
    results = results_of(copy)
    results["items"][0]["values"][0]["value"] = 0.9
    (copy / "results.json").write_text(json.dumps(results), encoding="utf-8")
    page = next((copy / "documents").iterdir())
    page.write_text(page.read_text(encoding="utf-8") + "<p>", encoding="utf-8")
    number, *others = altered_numbers(copy, campaign)
    place = "results.json: items[sentiment].values[krippendorff_alpha].value"
    assert number.startswith(f"{place} is 0.9 in the bundle")
    assert "0.76" in number
    assert others == [f"documents/{page.name} differs when measured again"]


@pytest.mark.browser
def test_the_audit_page_of_the_demonstration_has_four_printed_pages(
    bundle: Path, tmp_path: Path, chromium: str
) -> None:
    path = tmp_path / "audit.html"
    with launched(chromium) as browser:
        tab = browser.new_page()
        for language in LANGUAGES:
            path.write_text(render_audit(read_results(bundle), language=language), encoding="utf-8")
            tab.goto(path.as_uri())
            assert n_pages(tab) <= 4, language
            assert tab.get_by_text("Krippendorff").first.is_visible()


def test_the_deposit_of_the_bundle_verifies(bundle: Path, tmp_path: Path) -> None:
    verify = ["audit", "--verify", str(bundle), "--sha256", checksum_file_hash(bundle)]
    done = CliRunner().invoke(app, [*verify, "--deposit", str(tmp_path / "corpus.zip")])
    assert done.exit_code == 0, done.output
    assert "deposit: " in done.output
    done = CliRunner().invoke(app, ["audit", "--verify", str(tmp_path / "corpus.zip")])
    assert (done.exit_code, "nothing differs\n" in done.output) == (0, True)


def test_a_bundle_that_differs_gives_no_deposit(copy: Path, tmp_path: Path) -> None:
    (copy / "summary.md").unlink()
    target = tmp_path / "corpus.zip"
    done = CliRunner().invoke(app, ["audit", "--verify", str(copy), "--deposit", str(target)])
    assert (done.exit_code, target.exists()) == (1, False)


def test_a_changed_file_is_told(copy: Path) -> None:
    path = copy / "results.json"
    path.write_text(path.read_text(encoding="utf-8").replace("0.7", "0.8", 1), encoding="utf-8")
    (copy / "summary.md").unlink()
    first, second, *others = altered_files(copy)
    assert (first, second) == ("results.json was changed", "summary.md is missing")
    assert all(one.endswith("does not match results.json") for one in others)


def test_a_changed_value_is_told_though_the_checksums_were_made_again(copy: Path) -> None:
    results = results_of(copy)
    results["items"][0]["values"][0]["value"] = 0.9
    (copy / "results.json").write_text(json.dumps(results), encoding="utf-8")
    seal_again(copy)
    assert altered_files(copy) == [
        "results.json was changed: it does not match manifest.json",
        "report.html does not match results.json",
        "audit.html does not match results.json",
        "summary.md does not match results.json",
        "values.parquet does not match results.json",
    ]


def test_a_changed_export_is_told(bundle: Path, campaign: Path, tmp_path: Path) -> None:
    elsewhere = write_quick_demo(tmp_path / "elsewhere")
    assert altered_inputs(bundle, elsewhere) == []
    exports = elsewhere.parent / "exports"
    (exports / "sentiment.csv").write_text("", encoding="utf-8")
    (exports / "brat" / "anna" / "02-letter.ann").unlink()
    (exports / "brat" / "anna" / "more.ann").write_text("", encoding="utf-8")
    assert altered_inputs(bundle, elsewhere) == [
        "exports/brat/anna/02-letter.ann is missing",
        "exports/sentiment.csv was changed",
        "exports/brat/anna/more.ann was added",
    ]


def test_what_is_no_bundle_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds no SHA256SUMS"):
        altered_files(tmp_path)


@pytest.mark.long
def test_an_incomplete_statement_fails_and_privacy_is_kept(
    tmp_path: Path, prefect_server: str
) -> None:
    campaign = write_quick_demo(tmp_path / "private")
    text = campaign.read_text(encoding="utf-8")
    text = text.replace('language = "en"', 'language = "en"\nprivacy = true', 1)
    text = text.replace('licence = "Apache-2.0"', "").replace('"Speech situation"', '"Other"')
    text = text.replace("an adjudicated reference", "a reference")  # the reference's own name
    for k, name in enumerate(("anna", "ben", "chloe")):
        text = text.replace(
            f'{name} = {{ role = "human" }}', f'{name} = {{ role = "human", pseudonym = "P{k}" }}'
        )
    text = text.replace('role = "reference" }', 'role = "reference", pseudonym = "R" }')
    campaign.write_text(text, encoding="utf-8")
    outcome, state = audited(campaign)
    assert (state.is_failed(), state.name) == (True, "NotReleasable")
    assert outcome["missing"] == ["licence", "Speech situation"]
    bundle = Path(outcome["bundle"])
    assert "its data statement lacks licence" in (bundle / "report.html").read_text("utf-8")
    inputs = results_of(bundle)["run"]["inputs"]
    assert len(inputs) > 70
    assert set(inputs) >= {"source 1, file 1", "source 4, file 12"}
    for path in bundle.rglob("*"):
        content = path.read_bytes() if path.is_file() else b""
        for secret in (b"anna", b"chloe", b"Clara Weiss", b"oils the hinges", b"guest"):
            assert secret not in content, f"{path.name} holds {secret.decode()}"
