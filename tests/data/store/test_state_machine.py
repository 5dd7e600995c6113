"""Random histories of a store: runs, kills, damage, changes, cleaning, and a second writer.

The campaign is a product of two numbers, in three nodes with receipts, a series of samples and a
report with a manifest. Whatever happens, a run gives the value of its inputs or an error.
"""

from __future__ import annotations

import shutil
import tempfile
import uuid
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
)

from accordeur.data.errors import DataError
from accordeur.data.store.hashes import Digest, settings_hash
from accordeur.data.store.manifest import (
    UNFINISHED,
    delete_pages_of_old_runs,
    delete_stale,
    manifest_damage,
    manifest_paths,
    write_run_manifest,
)
from accordeur.data.store.ownership import RECORD
from accordeur.data.store.receipts import read_kept, write_receipt
from accordeur.data.store.series import Series
from accordeur.data.store.store import Store

N_SAMPLES = 6
FOREIGN = (
    "notes.txt", ".writing-notes", "accepted/mine.csv", "accepted/mine/labels.csv",
    "reports/mine.html", "reports/run-0001/mine.html", "chance/mine.parquet", "locks/mine.json",
)  # fmt: skip


class KilledError(BaseException):
    """The process dies; no handler of the product runs on for it."""


class WatchedStore(Store):
    """A store that notes what was written whole, and dies at its nth write, leaving half a file."""

    def __init__(self, url: str, whole: dict[str, str], n_writes: int | None = None) -> None:
        super().__init__(url)
        self.whole, self.left = whole, n_writes

    def write_bytes(self, path: str, content: bytes | pa.Buffer) -> str:
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                folder, _, name = path.rpartition("/")
                place = self.local_path(f"{folder}/.writing-{uuid.uuid4().hex}-{name}".lstrip("/"))
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(bytes(content)[: len(bytes(content)) // 2])
                raise KilledError
        written = super().write_bytes(path, content)
        self.whole[path] = Digest.of(content).sha256
        return written

    def delete(self, path: str) -> None:
        if self.left is not None and self.left <= 0:
            raise KilledError
        super().delete(path)


def place_of(
    store: Store, name: str, *inputs: object, compute: Callable[[], int]
) -> tuple[str, int]:
    """The place of a node and its value: reused if it is whole, else computed."""
    place = f"{name}/{settings_hash(*inputs)}"
    receipt = read_kept(store, place).receipt
    if receipt is None:
        store.write_table(f"{place}/value.parquet", pa.table({"value": [compute()]}))
        receipt = write_receipt(store, place)
    return place, int(store.read_table(f"{place}/value.parquet")["value"][0].as_py())


def samples_of(store: Store, key: str) -> tuple[str, list[int]]:
    folder = f"chance/{settings_hash(key)}"
    series = Series(store, folder, "sample")
    for first in range(0, N_SAMPLES, 2):
        if series.read(first, 2) is None:
            numbers = [first, first + 1]
            drawn = [n * len(key) for n in numbers]
            series.write(first, 2, pa.table({"sample": numbers, "drawn": drawn}))
    series.compact(most=2)
    found = series.read(0, N_SAMPLES)
    assert found is not None
    return folder, found["drawn"].to_pylist()


def measure(store: Store, a: int, b: int) -> int:
    """What a run does: every number comes from the store, or is computed and kept there."""
    store.delete_partial_files()
    store.write_json(UNFINISHED, {"folder": "reports/run-0001"})
    first, read = place_of(store, "ingested", a, compute=lambda: a)
    second, product = place_of(store, "accepted", first, b, compute=lambda: read * b)
    folder, drawn = samples_of(store, f"{second} {'x' * (b % 3)}")
    third, total = place_of(store, "summarised", second, compute=lambda: product + 1)
    assert drawn == [n * len(f"{second} {'x' * (b % 3)}") for n in range(N_SAMPLES)]
    number = 1 + sum(path.endswith("/results.json") for path in store.list("reports"))
    report = f"reports/run-{number:04d}"
    store.write_bytes(f"{report}/report.html", f"<p>{total}</p>".encode())
    summary = store.write_json(f"soft/{settings_hash(total)}.json", {"total": total})
    store.write_json(f"{report}/results.json", {"total": total})
    places = {}
    for place in (first, second, third):
        receipt = read_kept(store, place).receipt
        assert receipt is not None
        places[place] = receipt.digest.sha256
    write_run_manifest(
        store, report, {}, places=places, series={folder: N_SAMPLES}, files=[summary]
    )
    store.delete(UNFINISHED)
    assert manifest_damage(store, f"{report}/manifest.json") == []
    return total


class Histories(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.campaign = self.folder / "campaign.toml"
        self.campaign.touch()
        self.url = str(self.folder / "runs")
        self.inputs = (2, 3)
        self.whole: dict[str, str] = {}
        self.damaged: set[str] = set()
        self.foreign: dict[str, str] = {}

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    def store(self, n_writes: int | None = None) -> WatchedStore:
        return WatchedStore(self.url, self.whole, n_writes)

    def locked(
        self, action: Callable[[WatchedStore], object], campaign: Path, n_writes: int | None = None
    ) -> str:
        """Do it as the only writer; return why it was refused, "" if it was not."""
        store = self.store(n_writes)
        try:
            with store.lock(campaign):
                action(store)
        except KilledError:
            return ""
        except DataError as error:
            return str(error)
        return ""

    def is_allowed(self, refusal: str, *sentences: str) -> bool:
        """Whether nothing was refused, or for these reasons, or as no file shows whose it is."""
        unclear = RECORD in self.damaged and "was not made by Accordeur" in refusal
        return not refusal or unclear or any(one in refusal for one in sentences)

    @initialize()
    def begin(self) -> None:
        self.run()

    @rule()
    def run(self) -> None:
        found: list[int] = []
        refusal = self.locked(lambda s: found.append(measure(s, *self.inputs)), self.campaign)
        assert self.is_allowed(refusal), refusal
        assert found == ([] if refusal else [self.inputs[0] * self.inputs[1] + 1])

    @rule(n_writes=st.integers(0, 20))
    def kill(self, n_writes: int) -> None:
        refusal = self.locked(lambda s: measure(s, *self.inputs), self.campaign, n_writes)
        assert self.is_allowed(refusal), refusal

    @rule()
    def run_while_another_runs(self) -> None:
        def both(first: WatchedStore) -> None:
            refusal = self.locked(lambda _: None, self.campaign)
            assert "another run is writing" in refusal
            measure(first, *self.inputs)

        refusal = self.locked(both, self.campaign)
        assert self.is_allowed(refusal), refusal

    @rule(a=st.integers(0, 3), b=st.integers(0, 3))
    def change(self, a: int, b: int) -> None:
        self.inputs = (a, b)

    @rule(data=st.data(), how=st.sampled_from(["flip", "cut", "empty", "delete", "folder"]))
    def damage(self, data: st.DataObject, how: str) -> None:
        files = [path for path in self.store().list("") if path in self.whole]
        if not files:
            return
        path = data.draw(st.sampled_from(files))
        file = Path(self.url) / path
        content = bytearray(file.read_bytes())
        if how == "flip" and content:
            content[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(
                st.integers(0, 7)
            )
            file.write_bytes(content)
        elif how == "cut":
            file.write_bytes(content[: len(content) // 2])
        elif how == "empty":
            file.write_bytes(b"")
        else:
            file.unlink()
            if how == "folder":
                file.mkdir()
        self.damaged.add(path)
        self.whole.pop(path)

    @rule(keep=st.integers(1, 2))
    def clean(self, keep: int) -> None:
        def both(store: WatchedStore) -> None:
            delete_pages_of_old_runs(store, keep_runs=keep)
            delete_stale(store, keep_runs=keep)
            last = [path for path in manifest_paths(store) if path.startswith("reports/run-0")][-1:]
            assert not last or self.damaged or manifest_damage(store, last[0]) == []

        refusal = self.locked(both, self.campaign)
        assert self.is_allowed(refusal, "did not finish"), refusal

    @rule(name=st.sampled_from(FOREIGN))
    def add_foreign_file(self, name: str) -> None:
        place = Path(self.url) / name
        if not place.parent.is_file() and not place.parent.parent.is_file():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(name, encoding="utf-8")
            self.foreign[name] = name

    @rule(name=st.sampled_from(["one.toml", "two.toml"]))
    def rename_campaign(self, name: str) -> None:
        self.campaign = self.campaign.rename(self.folder / name)
        self.run()

    @rule()
    def run_another_campaign(self) -> None:
        other = self.folder / "other.toml"
        other.touch()
        refusal = self.locked(lambda _: None, other)
        other.unlink()
        assert self.is_allowed(refusal, "holds the runs of"), refusal
        assert refusal or RECORD in self.damaged

    @invariant()
    def nothing_foreign_is_lost(self) -> None:
        for name, content in self.foreign.items():
            assert (Path(self.url) / name).read_text(encoding="utf-8") == content

    @invariant()
    def no_partial_file_is_visible(self) -> None:
        """Every file is as it was last written whole, or damaged by this test, or the user's."""
        store = self.store()
        for path in store.list(""):
            if path in self.whole:
                digest = store.digest(path)
                assert digest is not None
                assert digest.sha256 == self.whole[path], path
            else:
                known = path in self.damaged or path in self.foreign or path == ".lock"
                assert known or path.startswith("aside/"), path


Histories.TestCase.settings = settings(
    max_examples=20,
    stateful_step_count=12,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)
TestHistories = Histories.TestCase
