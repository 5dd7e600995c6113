"""A store is Accordeur's and one campaign's, and only what a run wrote is ever deleted."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.data.store.manifest import delete_pages_of_old_runs, delete_stale, write_run_manifest
from accordeur.data.store.ownership import RECORD
from accordeur.data.store.receipts import write_receipt
from accordeur.data.store.store import Store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of a user with two campaign files."""
    for name in ("a.toml", "b.toml", "notes.txt"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    return tmp_path


@pytest.fixture
def store(folder: Path) -> Store:
    return Store(str(folder / "runs"))


def contents(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


def add_run(store: Store, number: int) -> None:
    place = f"accepted/{number:016x}"
    store.write_json(f"{place}/facts.json", {"n": number})
    receipt = write_receipt(store, place)
    folder = f"reports/run-{number:04d}"
    store.write_bytes(f"{folder}/report.html", f"page {number}".encode())
    store.write_json(f"{folder}/results.json", {})
    write_run_manifest(
        store, folder, {}, places={place: receipt.digest.sha256}, series={}, files=[]
    )


def test_two_campaign_files_in_a_folder_do_not_share_a_store(folder: Path, store: Store) -> None:
    with store.lock(folder / "a.toml"):
        pass
    with (
        pytest.raises(DataError, match=r'runs of a\.toml: .*url = "runs-b".* delete') as told,
        store.lock(folder / "b.toml"),
    ):
        pass
    assert len(str(told.value)) <= 400 + len(str(folder))
    with store.lock(folder / "a.toml"):
        pass


def test_campaign_files_of_one_name_are_told_apart_by_their_folders(
    folder: Path, store: Store
) -> None:
    with store.lock(folder / "a.toml"):
        pass
    copy = folder / "copy" / "a.toml"
    copy.parent.mkdir()
    copy.touch()
    with pytest.raises(DataError) as told, store.lock(copy):
        pass
    assert f"runs of {folder / 'a.toml'}: give copy/a.toml a store" in str(told.value)


def test_a_store_follows_a_campaign_that_is_renamed_or_moved(folder: Path, store: Store) -> None:
    with store.lock(folder / "a.toml"):
        pass
    (folder / "a.toml").rename(folder / "c.toml")
    with store.lock(folder / "c.toml"):
        pass
    with pytest.raises(DataError, match=r"runs of c\.toml"), store.lock(folder / "b.toml"):
        pass
    moved = folder.with_name("moved")
    folder.rename(moved)
    there = Store(str(moved / "runs"))
    with there.lock(moved / "c.toml"):
        pass
    there.local_path(RECORD).unlink()
    with there.lock(moved / "b.toml"):
        pass


def test_a_study_shares_the_store_of_a_campaign(folder: Path, store: Store) -> None:
    with store.lock():
        pass
    with store.lock(folder / "a.toml"):
        pass
    with store.lock():
        pass
    with pytest.raises(DataError, match=r"runs of a\.toml"), store.lock(folder / "b.toml"):
        pass


@pytest.mark.parametrize("name", ["reports", "accepted", "studies"])
def test_a_folder_of_the_user_with_a_name_of_the_store_is_refused(folder: Path, name: str) -> None:
    (folder / name).mkdir()
    (folder / name / "mine.html").write_text("mine", encoding="utf-8")
    before = contents(folder)
    with (
        pytest.raises(DataError, match=f"{name} was not made by Accordeur"),
        Store(str(folder)).lock(folder / "a.toml"),
    ):
        pass
    with pytest.raises(DataError, match="was not made by Accordeur"):
        Store(str(folder)).delete_folder(name)
    assert contents(folder) == before


@pytest.mark.parametrize("is_recorded", [True, False])
def test_files_of_the_user_in_a_store_survive_all_that_deletes(
    folder: Path, is_recorded: bool
) -> None:
    """The store is a folder that the user works in; without the record it is one of 0.1.0."""
    store = Store(str(folder))
    with store.lock(folder / "a.toml"):
        for number in (1, 2):
            add_run(store, number)
    if not is_recorded:
        store.local_path(RECORD).unlink()
    own = (
        ".writing-notes", "reports/.writing-notes", "accepted/mine.csv", "accepted/mine/labels.csv",
        f"accepted/{1:016x}/remarks.txt", "summarised/mine.json", "reports/run-0001/mine.html",
        "reports/mine.html", "reports/run-mine/manifest.json", "locks/mine.json",
    )  # fmt: skip
    for name in own:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("mine", encoding="utf-8")
    partial = "accepted/.writing-" + 32 * "0" + "-units.parquet"
    store.local_path(partial).touch()
    with store.lock(folder / "a.toml"):
        assert store.delete_partial_files() == 1
        assert delete_pages_of_old_runs(store, keep_runs=1) == 1
        assert delete_stale(store, keep_runs=1)[0] == 2
    left = contents(folder)
    assert {name: left[name] for name in own} == dict.fromkeys(own, "mine")
    assert "reports/run-0002/report.html" in left
    assert f"accepted/{2:016x}/facts.json" in left
    assert partial not in left
    assert f"accepted/{1:016x}/facts.json" not in left


def test_a_page_that_the_user_changed_is_kept(folder: Path, store: Store) -> None:
    with store.lock(folder / "a.toml"):
        for number in (1, 2):
            add_run(store, number)
        store.local_path("reports/run-0001/report.html").write_text("with remarks")
        assert delete_pages_of_old_runs(store, keep_runs=1) == 0


def test_a_folder_is_never_replaced_by_a_file(folder: Path) -> None:
    (folder / "results").mkdir()
    (folder / "results" / "mine.txt").write_text("mine", encoding="utf-8")
    before = contents(folder)
    with pytest.raises(DataError, match="results exists already and was not made by Accordeur"):
        Store(str(folder)).write_bytes("results", b"page")
    with pytest.raises(DataError, match=r"notes\.txt exists already"):
        Store(str(folder)).write_bytes("notes.txt/page.html", b"page")
    with pytest.raises(DataError, match="results exists already"):
        Store(str(folder)).delete("results")
    assert contents(folder) == before


def test_what_is_in_the_way_in_a_store_is_moved_aside(folder: Path, store: Store) -> None:
    with store.lock(folder / "a.toml"):
        pass
    for name in (".lock", "unfinished.json"):
        store.local_path(name).unlink(missing_ok=True)
        store.local_path(name).mkdir()
        store.local_path(f"{name}/mine.txt").write_text(name, encoding="utf-8")
    store.local_path("queue").write_text("queue", encoding="utf-8")
    with store.lock(folder / "a.toml"):
        store.write_json("unfinished.json", {})
        store.write_json("queue/round.json", {})
    assert store.read_json("queue/round.json") == {}
    aside = {text for path, text in contents(folder / "runs").items() if path.startswith("aside/")}
    assert aside == {".lock", "unfinished.json", "queue"}
