"""A bundle made without a run: whole it says nothing, changed it says what."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pyarrow as pa
import pytest
from typer.testing import CliRunner

from accordeur.data.errors import DataError
from accordeur.data.store.checksums import write_checksums
from accordeur.data.store.hashes import Digest
from accordeur.data.store.manifest import write_run_manifest
from accordeur.data.store.store import Store
from accordeur.flows.campaign.file.campaign_config import Config, load_campaign
from accordeur.flows.cli import app
from accordeur.flows.release.bundle_check import (
    altered_files,
    altered_inputs,
    altered_numbers,
    altered_other_files,
    checksum_file_hash,
    compared_files,
    differences_lines,
)
from accordeur.flows.release.software import FILE as SOFTWARE
from accordeur.flows.release.software import bill_of_materials_json, code_hash
from accordeur.metrics.signature import VERSION
from accordeur.reports.render import render, render_audit
from accordeur.reports.results import Results
from accordeur.reports.results.circumstances import split_circumstances
from accordeur.reports.summary import markdown_summary
from accordeur.tasks.reporting.document_pages import write_document_pages
from accordeur.tasks.reporting.reported_values import values_table
from tests.data.untrusted.bombs import long_text_of_a_dictionary
from tests.reports import samples

LABELS = "reference/names/reference.parquet"
UNPUBLISHED = "SHA256SUMS was changed: it does not have the published hash"
CAMPAIGN = b"[campaign]"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle as an audit leaves it in the store."""
    results = samples.typical()
    run = results.run.model_copy(
        update={"version": VERSION, "config_hash": hashlib.sha256(CAMPAIGN).hexdigest()[:16]}
    )
    results = results.model_copy(update={"run": run})
    results = Results.model_validate_json(results.model_dump_json())
    store, folder = Store(str(tmp_path_factory.mktemp("store"))), "audits/audit-0001"
    results, _ = write_document_pages(store, results, folder, most=1, drawn=1, language="fr")
    lasting, circumstances = split_circumstances(results)
    store.write_bytes(f"{folder}/results.json", lasting.model_dump_json(indent=1).encode())
    store.write_bytes(f"{folder}/run.json", circumstances.model_dump_json(indent=1).encode())
    store.write_bytes(f"{folder}/report.html", render(results, language="fr").encode())
    store.write_bytes(f"{folder}/audit.html", render_audit(results, language="fr").encode())
    store.write_bytes(f"{folder}/summary.md", markdown_summary(results).encode())
    store.write_bytes(f"{folder}/campaign.toml", CAMPAIGN)
    store.write_bytes(f"{folder}/{SOFTWARE}", bill_of_materials_json())
    store.write_table(f"{folder}/values.parquet", values_table(results))
    store.write_table(f"{folder}/{LABELS}", pa.table({"label": ["A", "B"]}))
    write_run_manifest(store, folder, {}, places={}, series={}, files=[])
    write_checksums(store, folder)
    return Path(store.local_path(folder))


@pytest.fixture
def bundle(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "b"))


def seal_again(bundle: Path) -> str:
    return write_checksums(Store(str(bundle.parent)), bundle.name)


def verified(bundle: Path, *arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["audit", "--verify", str(bundle), *arguments])
    return done.exit_code, done.output


def change_label(bundle: Path) -> None:
    Store(str(bundle)).write_table(LABELS, pa.table({"label": ["A", "A"]}))


def change_number(bundle: Path) -> None:
    path = bundle / "results.json"
    results = json.loads(path.read_text(encoding="utf-8"))
    results["items"][0]["values"][0]["value"] = 0.9
    path.write_text(json.dumps(results), encoding="utf-8")


def change_page(bundle: Path) -> None:
    path = bundle / "audit.html"
    path.write_text(path.read_text(encoding="utf-8").replace("0,641", "0,941"), encoding="utf-8")


def change_page_of_document(bundle: Path) -> None:
    path = next((bundle / "documents").iterdir())
    path.write_text(path.read_text(encoding="utf-8") + "<p>", encoding="utf-8")


def change_campaign(bundle: Path) -> None:
    (bundle / "campaign.toml").write_bytes(CAMPAIGN + b"# seed = 1")


def change_clock(bundle: Path) -> None:
    path = bundle / "run.json"
    circumstances = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(circumstances | {"started": "2001-01-01T00:00:00+00:00"}))


def add_file(bundle: Path) -> None:
    (bundle / "more.csv").write_text("A\n", encoding="utf-8")


def remove_file(bundle: Path) -> None:
    (bundle / LABELS).unlink()


UNLIKE_RESULTS = [
    *("report.html does not match results", "audit.html does not match results"),
    *("summary.md does not match results", "values.parquet does not match results"),
]
UNLIKE_CLOCK = [
    *("report.html does not match", "audit.html does not match", "documents/entities-"),
]
CHANGES = {  # change → what is found, and what is found though the checksums were made again
    change_label: (
        [f"{LABELS} was changed"],
        [f"{LABELS} was changed: it does not match manifest"],
    ),
    change_number: (
        ["results.json was changed", *UNLIKE_RESULTS],
        ["results.json was changed: it does not match manifest", *UNLIKE_RESULTS],
    ),
    change_page: (
        ["audit.html was changed", "audit.html does not match results.json"],
        ["audit.html was changed: it", "audit.html does not match results.json"],
    ),
    change_page_of_document: (
        ["documents/entities-harbour", "documents/entities-harbour"],
        ["documents/entities-harbour", "documents/entities-harbour"],
    ),
    change_campaign: (
        ["campaign.toml was changed", "campaign.toml does not match results.json"],
        ["campaign.toml was changed: it", "campaign.toml does not match results.json"],
    ),
    change_clock: (
        ["run.json was changed", *UNLIKE_CLOCK],
        ["run.json was changed: it", *UNLIKE_CLOCK],
    ),
    add_file: (["more.csv was added"], ["more.csv was added: manifest.json does not list it"]),
    remove_file: ([f"{LABELS} is missing"], [f"{LABELS} is missing: manifest.json lists it"]),
}


def test_a_whole_bundle_has_no_differences(bundle: Path) -> None:
    assert altered_files(bundle, checksum_file_hash(bundle).upper()) == []
    assert differences_lines([]) == ["nothing differs"]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_change_is_found_with_the_name_of_its_file(
    bundle: Path, change: Callable[[Path], None]
) -> None:
    plain, sealed = CHANGES[change]
    change(bundle)
    assert_found(plain, verified(bundle))
    published = checksum_file_hash(bundle)
    seal_again(bundle)
    assert_found([UNPUBLISHED, *sealed], verified(bundle, "--sha256", published))


def assert_found(beginnings: list[str], verified: tuple[int, str]) -> None:
    code, output = verified
    lines = [line.strip() for line in output.splitlines() if line.startswith("  ")]
    assert (code, len(lines)) == (1, len(beginnings)), output
    for line, beginning in zip(lines, beginnings, strict=True):
        assert line.startswith(beginning)


def test_a_changed_checksum_is_told_from_a_changed_file(bundle: Path) -> None:
    published = checksum_file_hash(bundle)
    sums = bundle / "SHA256SUMS"
    line = next(one for one in sums.read_text().splitlines() if one.endswith("summary.md"))
    sums.write_text(sums.read_text().replace(line, f"{'0' * 64}  summary.md"))
    changed = "the checksum of summary.md was changed in SHA256SUMS"
    assert altered_files(bundle) == [changed]
    assert altered_files(bundle, published) == [UNPUBLISHED, changed]


def test_a_table_changed_with_checksum_and_manifest_needs_the_published_hash(
    bundle: Path,
) -> None:
    published = checksum_file_hash(bundle)
    change_label(bundle)
    manifest = json.loads((bundle / "manifest.json").read_text(encoding="utf-8"))
    digest = asdict(Digest.of((bundle / LABELS).read_bytes()))
    manifest["files"][f"audits/audit-0001/{LABELS}"] = digest
    (bundle / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    seal_again(bundle)
    assert altered_files(bundle) == []  # no other file says what the label was
    assert altered_files(bundle, published) == [UNPUBLISHED]


def test_a_bundle_without_a_manifest_is_not_whole(bundle: Path) -> None:
    (bundle / "manifest.json").unlink()
    seal_again(bundle)
    assert altered_files(bundle) == ["manifest.json is missing or lists no file of the bundle"]


@pytest.mark.parametrize(
    ("name", "before", "after", "maker"),
    [
        ("results.json", f'"{VERSION}"', '"0.0.9"', "Accordeur 0.0.9"),
        (SOFTWARE, code_hash(), "0" * 64, f"another state of Accordeur {VERSION}"),
        (SOFTWARE, "accordeur:code:sha256", "unknown", f"another state of Accordeur {VERSION}"),
    ],
)
def test_pages_of_other_code_are_not_compared(
    bundle: Path, name: str, before: str, after: str, maker: str
) -> None:
    path = bundle / name
    path.write_text(path.read_text("utf-8").replace(before, after), encoding="utf-8")
    change_page(bundle)
    manifest = json.loads((bundle / "manifest.json").read_text(encoding="utf-8"))
    for changed in (name, "audit.html"):
        digest = asdict(Digest.of((bundle / changed).read_bytes()))
        manifest["files"][f"audits/audit-0001/{changed}"] = digest
    (bundle / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    seal_again(bundle)
    code, output = verified(bundle)
    assert code == 0, output
    said = "made by another version of Accordeur, so that they cannot be compared; the tables were"
    assert f"({said}: {maker} wrote them, and this is {VERSION})" in output


def test_a_table_changed_with_its_checksum_is_found_by_the_exports(tmp_path: Path) -> None:
    released, again = Store(str(tmp_path / "b")), Store(str(tmp_path / "again"))
    for store, folder in ((released, ""), (again, "x/")):
        rows = pa.table({"label": ["A", "B"], "confidence": [float("nan"), 0.5]})
        store.write_table(f"{folder}reference/names/reference.parquet", rows)
        store.write_bytes(f"{folder}reference/names/tables/labels.csv", b"A\nB\n")
        store.write_bytes(f"{folder}report.html", folder.encode())
    assert altered_other_files(released, again, "x/") == []
    changed = pa.table({"label": ["A", "A"], "confidence": [float("nan"), 0.5]})
    released.write_table("reference/names/reference.parquet", changed)
    released.write_bytes("reference/names/tables/labels.csv", b"A\nA\n")
    released.write_table("more.parquet", changed)
    released.write_bytes("croissant.json", b"{}")
    again.write_bytes("x/croissant.json", b"{ }")
    again.write_bytes("x/data.jsonl", b"")
    assert altered_other_files(released, again, "x/", {"data.jsonl"}) == [
        "croissant.json differs when measured again",
        "more.parquet is not measured",
        "reference/names/reference.parquet has different rows when measured again",
        "reference/names/tables/labels.csv differs when measured again",
    ]


def test_verifying_prints_the_hash_and_what_was_not_checked(bundle: Path) -> None:
    digest = checksum_file_hash(bundle)
    code, output = verified(bundle)
    assert (code, output.count("not checked: ")) == (0, 3)
    assert output.startswith(f"SHA-256 of its SHA256SUMS: {digest}\nnothing differs\nchecked: ")
    code, output = verified(bundle, "--sha256", digest)
    assert (code, output.count("not checked: ")) == (0, 2)
    assert "\nchecked: the checksums against the published hash\n" in output


def test_only_files_that_the_bundle_has_are_said_to_be_compared(bundle: Path) -> None:
    assert compared_files(bundle) == "values.parquet and the campaign file"
    (bundle / "campaign.toml").unlink()
    assert compared_files(bundle) == "values.parquet"


def test_what_was_not_checked_is_said_beside_every_difference(bundle: Path) -> None:
    """The summary, the campaign file and an unknown file at once, and results that end early."""
    (bundle / "summary.md").write_text("# 1.0", encoding="utf-8")
    change_campaign(bundle)
    add_file(bundle)
    (bundle / "values.parquet").write_bytes(b"PAR1")
    code, output = verified(bundle)
    for found in (
        *("summary.md was changed", "campaign.toml was changed", "more.csv was added"),
        *(
            "values.parquet was changed",
            "summary.md does not match",
            "campaign.toml does not match",
        ),
        *("not checked: all numbers and tables", "checked: each file against its checksum"),
    ):
        assert found in output
    path = bundle / "results.json"
    path.write_bytes(path.read_bytes()[:1000])
    code, output = verified(bundle)
    assert (code, "more.csv was added" in output, "results.json was changed" in output) == (1,) * 3
    assert "not checked: the pages and the documents of the release" in output


HOSTILE = """
[campaign]
name = "theirs"
[[sources]]
path = "export.csv"
[store]
url = "s3://elsewhere/store"
[report]
index = "s3://elsewhere/index"
[release]
pseudonym_key = "/etc/hostname"
[engine]
dask = "theirs.Cluster"
in_process_mb = 0
arguments = { preload = ["theirs"] }
[notify]
on = ["completed", "failed"]
command = ["sh", "-c", "touch ran"]
to = ["json://elsewhere.example/hook"]
"""


def test_verifying_runs_and_contacts_nothing_that_the_campaign_file_names(
    bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = tmp_path / "campaign.toml"
    campaign.write_text(HOSTILE, encoding="utf-8")
    opened: list[str] = []
    measured: list[Config] = []

    class Opened(Store):
        def __init__(self, url: str) -> None:
            opened.append(url)
            super().__init__(url)

    class MeasuredError(Exception):
        pass

    def measure(config: Config, request: object) -> None:
        measured.append(config)
        raise MeasuredError

    monkeypatch.setattr("accordeur.flows.release.bundle_check.Store", Opened)
    monkeypatch.setattr("accordeur.flows.release.bundle_check.measure", measure)
    with pytest.raises(MeasuredError):
        altered_numbers(bundle, campaign)
    [config] = measured
    defaults = load_text(tmp_path, '[campaign]\nname = "x"\n[[sources]]\npath = "x"\n')
    assert (config.engine, config.notify) == (defaults.engine, defaults.notify)
    assert config.report.index == ""
    assert config.release is not None
    assert config.release.pseudonym_key == ""
    assert Path(config.store.url).name
    assert not [url for url in (*opened, config.store.url) if "elsewhere" in url]


def load_text(folder: Path, text: str) -> Config:
    path = folder / "other.toml"
    path.write_text(text, encoding="utf-8")
    return load_campaign(path)


def test_another_campaign_file_is_a_difference(bundle: Path, tmp_path: Path) -> None:
    campaign = tmp_path / "campaign.toml"
    campaign.write_text(HOSTILE, encoding="utf-8")
    assert altered_inputs(bundle, campaign) == [
        "campaign.toml is not the campaign file that was measured: its hash differs"
    ]


def test_checksums_that_are_a_pipe_are_not_waited_for(bundle: Path, main_in_process) -> None:
    (bundle / "SHA256SUMS").unlink()
    os.mkfifo(bundle / "SHA256SUMS")
    assert "holds no SHA256SUMS" in main_in_process("audit", "--verify", bundle)


def test_a_name_that_is_not_utf8_is_an_added_file(bundle: Path) -> None:
    (bundle / os.fsdecode(b"caf\xe9")).write_bytes(b"")
    assert altered_files(bundle) == ["caf\\xe9 was added"]


def test_a_link_to_a_folder_above_itself_ends(bundle: Path) -> None:
    (bundle / "loop").symlink_to(bundle)
    code, output = verified(bundle)
    assert (code, "was added" in output) == (1, True)


@pytest.mark.parametrize("content", [b"PAR1", b"", pytest.param(None, id="texts of six gigabytes")])
def test_a_table_that_cannot_be_read_is_named_and_no_run_is_advised(
    bundle: Path, content: bytes | None, main_in_process
) -> None:
    if content is None:
        long_text_of_a_dictionary(bundle / "values.parquet")
    else:
        (bundle / "values.parquet").write_bytes(content)
    store = Store(str(bundle))
    manifest = store.read_json("manifest.json")
    own = next(path for path in manifest["files"] if path.endswith("values.parquet"))
    manifest["files"][own] = asdict(store.digest("values.parquet"))
    store.write_json("manifest.json", manifest)
    seal_again(bundle)
    output = main_in_process("audit", "--verify", bundle, code=1)
    assert "values.parquet" in output
    assert "--fresh" not in output


def test_an_unlisted_file_of_an_archive_that_is_a_bomb_is_not_unpacked(
    bundle: Path, tmp_path: Path, main_in_process
) -> None:
    (bundle / "more").write_bytes(bytes(32 << 20))
    archive = shutil.make_archive(str(tmp_path / "corpus"), "zip", bundle.parent, bundle.name)
    assert "times its size" in main_in_process("audit", "--verify", archive)


def test_rounds_and_decisions_that_a_bundle_holds_are_not_measured(tmp_path: Path) -> None:
    bundle, again = Store(str(tmp_path / "bundle")), Store(str(tmp_path / "again"))
    bundle.write_table("queue/round-0001.parquet", pa.table({"item": ["1"]}))
    bundle.write_table("queue/other.parquet", pa.table({"item": ["1"]}))
    assert altered_other_files(bundle, again, "again/") == ["queue/other.parquet is not measured"]


def test_a_folder_whose_name_is_not_utf8_is_one_sentence(bundle: Path, tmp_path: Path) -> None:
    odd = tmp_path / os.fsdecode(b"b\xff")
    shutil.move(bundle, odd)
    done = CliRunner().invoke(app, ["audit", "--verify", str(odd)])
    assert isinstance(done.exception, DataError)
    assert "has a name that is not UTF-8: rename it" in str(done.exception)
