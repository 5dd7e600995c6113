"""`accordeur store` on a store with two runs: shown, checked, cleaned."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from accordeur.data.errors import DataError
from accordeur.data.store.manifest import UNFINISHED, delete_pages_of_old_runs, write_run_manifest
from accordeur.data.store.receipts import write_receipt
from accordeur.data.store.store import Store
from accordeur.flows.cli import app
from accordeur.flows.errors import UserError

FIRST, SECOND = f"{1:016x}", f"{2:016x}"


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    store = Store(str(tmp_path / "store"))
    for number in (1, 2):
        key = f"{number:016x}"
        store.write_json(f"accepted/{key}/facts.json", {"n": number})
        receipt = write_receipt(store, f"accepted/{key}")
        folder = f"reports/run-000{number}"
        store.write_json(f"{folder}/results.json", {})
        for page in ("report.html", "documents/a.html"):
            store.write_bytes(f"{folder}/{page}", b"")
        store.write_json(f"summarised/{key}/fields.json", {"n": number})
        of_summary = write_receipt(store, f"summarised/{key}")
        places = {one.place: one.digest.sha256 for one in (receipt, of_summary)}
        write_run_manifest(store, folder, {}, places=places, series={}, files=[])
    path = tmp_path / "campaign.toml"
    path.write_text(
        '[campaign]\nname = "x"\n[[sources]]\npath = "x"\n[store]\nurl = "store"\n',
        encoding="utf-8",
    )
    return path


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["store", *arguments], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


def test_what_the_store_holds_is_shown(campaign: Path) -> None:
    told = run(str(campaign))
    assert "accepted" in told
    assert "2 finished runs" in " ".join(told.split())


def test_a_sound_store_and_a_damaged_one(campaign: Path) -> None:
    assert run(str(campaign), "--check") == "every file of run-0002 matches its hash\n"
    (campaign.parent / f"store/accepted/{FIRST}/facts.json").write_text("{}")  # of run 1 only
    run(str(campaign), "--check")
    (campaign.parent / f"store/accepted/{SECOND}/facts.json").write_text("{}")
    with pytest.raises(UserError, match=rf"accepted/{SECOND}/facts\.json is missing or damaged"):
        run(str(campaign), "--check")


def test_only_what_the_last_runs_do_not_use_is_deleted(campaign: Path) -> None:
    assert run(str(campaign), "--clean").startswith("deleted 0 files")
    assert run(str(campaign), "--clean", "--keep", "1").startswith("deleted 4 files")
    store = Store(str(campaign.parent / "store"))
    assert store.list("summarised") == [
        f"summarised/{SECOND}/{name}.json" for name in ("fields", "receipt")
    ]
    assert store.list("accepted") == [
        f"accepted/{SECOND}/{name}.json" for name in ("facts", "receipt")
    ]
    run(str(campaign), "--check")


def test_nothing_is_deleted_that_a_killed_run_would_go_on_with(campaign: Path) -> None:
    Store(str(campaign.parent / "store")).write_json(UNFINISHED, {})
    with pytest.raises(DataError, match="start it again first"):
        run(str(campaign), "--clean")


def test_a_store_without_a_run_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "campaign.toml"
    path.write_text('[campaign]\nname = "x"\n[[sources]]\npath = "x"\n', encoding="utf-8")
    with pytest.raises(DataError, match="holds no finished run"):
        run(str(path))


def test_pages_of_the_last_runs_are_kept_and_results_of_all(campaign: Path) -> None:
    store = Store(str(campaign.parent / "store"))
    assert delete_pages_of_old_runs(store, keep_runs=2) == 0
    assert delete_pages_of_old_runs(store, keep_runs=1) == 2
    left = [path.removeprefix("reports/") for path in store.list("reports")]
    assert [path for path in left if path.endswith(".html")] == [
        "run-0002/documents/a.html",
        "run-0002/report.html",
    ]
    assert sum(path.endswith("results.json") for path in left) == 2
