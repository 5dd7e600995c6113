"""What happens to the store: its disk, its service, its files, their times."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from accordeur.data.store.manifest import MANIFEST, manifest_damage
from accordeur.data.store.receipts import RECEIPT, read_kept
from accordeur.data.store.store import Store
from tests.faults.runs import (
    ROOT,
    S3_CREDENTIALS,
    Door,
    circumstances,
    finished_places,
    results,
    s3_server,
    s3_url,
    until,
)
from tests.faults.scene import NotHere, Scene

CLOCK = str(Path(__file__).parent / "clock")


@contextmanager
def small_disk(folder: Path, n_bytes: int) -> Iterator[Callable[[int], None]]:
    """A file system of that size on the folder; yields what makes it another size."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        raise NotHere("needs root, to mount a small file system")
    folder.mkdir(parents=True)
    options = ["mount", "-t", "tmpfs", "-o", f"size={n_bytes}", "tmpfs", str(folder)]
    if subprocess.run(options, capture_output=True, check=False).returncode:
        raise NotHere("this container may not mount a file system")

    def resize(size: int) -> None:
        again = ["mount", "-o", f"remount,size={size}", str(folder)]
        subprocess.run(again, check=True, capture_output=True)

    try:
        yield resize
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=False, capture_output=True)


def disk_full(scene: Scene) -> tuple[str, Store]:
    campaign = scene.campaign("disk")
    folder = campaign.parent / "store"
    paths = [path for path in scene.unbroken_store.rglob("*") if path.is_file()]
    needed = sum(-(-path.stat().st_size // 4096) * 4096 for path in paths)
    with small_disk(folder, needed // 2) as resize:
        output = scene.home.run(campaign, expected=2)
        sentences = [line for line in output.splitlines() if line.startswith("accordeur:")]
        assert len(sentences) == 1, output[-3000:]
        assert "cannot be used (No space left on device): free some space" in sentences[0]
        store = Store(str(folder))
        places = finished_places(store)
        assert places, "the disk was full before anything was kept"
        assert not [place for place in places if read_kept(store, place).receipt is None]
        resize(needed * 4)
        output = scene.home.run(campaign)
        assert "damaged" not in output
        copy = campaign.parent / "copy"
        shutil.copytree(folder, copy)
    return f"one sentence; {len(places)} places sound; finished after room was made", Store(
        str(copy)
    )


def store_away(scene: Scene) -> tuple[str, Store]:
    with s3_server() as port:
        door = Door(port)
        door.open()
        url = s3_url(door.port)
        campaign = scene.campaign("away", store=url)
        os.environ.update(S3_CREDENTIALS)
        store = Store(url)
        command = scene.home.start(campaign)
        until(
            lambda: [path for path in store.list("counted") if path.endswith(f"/{RECEIPT}")],
            command,
            every=1.0,
        )
        door.shut()
        away = time.monotonic()
        time.sleep(15)
        door.open()
        command.end()
        assert manifest_damage(store, f"reports/run-0001/{MANIFEST}") == []
        assert store.list("locks") == []
        copy = scene.home.folder / "away" / "copy"
        for path in store.list("reports"):
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            (copy / path).write_bytes(store.read_bytes(path))
        door.shut()
    seconds = time.monotonic() - away
    return f"S3 rejected connections for 15 s; done {seconds:.0f} s after it went", Store(str(copy))


def store_gone(scene: Scene) -> tuple[str, Store]:
    """The store stops to answer in mid-run, for good; a later run continues."""
    patience = 10.0
    with s3_server() as port:
        door = Door(port)
        door.open()
        url = s3_url(door.port, "gone")
        campaign = scene.campaign("gone", store=url)
        os.environ.update(S3_CREDENTIALS)
        store = Store(url)
        command = scene.home.start(campaign, ACCORDEUR_STORE_PATIENCE=f"{patience:.0f}")
        until(
            lambda: [path for path in store.list("counted") if path.endswith(f"/{RECEIPT}")],
            command,
            every=1.0,
        )
        door.shut()
        gone = time.monotonic()
        output = command.end(expected=2)
        seconds = time.monotonic() - gone
        sentences = [line for line in output.splitlines() if line.startswith("accordeur:")]
        assert len(sentences) == 1, output[-3000:]
        assert "has not answered for 10 s" in sentences[0]
        assert seconds < 2 * patience, f"given up after {seconds:.0f} s"
        door.open()
        command = scene.home.start(campaign)
        command.end()
        copy = scene.home.folder / "gone" / "copy"
        for path in store.list("reports"):
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            (copy / path).write_bytes(store.read_bytes(path))
        door.shut()
    return f"S3 went away for good: given up after {seconds:.0f} s of 10 s' patience", Store(
        str(copy)
    )


def damaged_files(scene: Scene) -> tuple[str, Store]:
    campaign = scene.copy("damaged")
    folder = campaign.parent / "store"
    cut = [
        sorted(folder.glob("ingested/*/units-*.parquet"))[0],
        sorted(folder.glob("accepted/*/units.parquet"))[0],
        sorted(folder.glob("chance/*/*.parquet"))[0],
        sorted(folder.glob("counted/*/receipt.json"))[0],
    ]
    for path in cut:
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    changed = [
        sorted(folder.glob("aligned/*/counts.parquet"))[0],
        sorted(folder.glob("corpora/*/corpus.parquet"))[0],
    ]
    for path in changed:
        content = bytearray(path.read_bytes())
        content[len(content) // 3] ^= 1
        path.write_bytes(content)
    output = scene.home.run(campaign)
    store = Store(str(folder))
    for path in (*cut, *changed):
        name = path.relative_to(folder).as_posix()
        assert f"damaged in the store, computed again: {name}" in " ".join(output.split()), name
    assert any(alert["code"] == "store_damaged" for alert in results(store)["alerts"])
    assert manifest_damage(store, f"reports/run-0001/{MANIFEST}") == []
    return f"{len(cut)} files cut, {len(changed)} with one bit changed: all told and redone", store


def clock_goes_back(scene: Scene) -> tuple[str, Store]:
    campaign = scene.copy("clock")
    folder = campaign.parent / "store"
    shards = {receipt.parent for receipt in folder.glob("aligned/*/receipt.json")}
    kept_documents = set(folder.glob("aligned/*")) - shards
    for place in [*kept_documents, *sorted(shards)[::2]]:
        shutil.rmtree(place)
    future = time.time() + 10 * 365 * 86_400
    for path in folder.rglob("*"):
        os.utime(path, (future, future))
    scene.home.run(campaign, PYTHONPATH=os.pathsep.join([CLOCK, str(ROOT)]))
    store = Store(str(folder))
    stages = {stage["name"]: stage for stage in circumstances(store)["stages"]}
    align = stages["align names"]
    assert stages["validate"]["n_reused"] == stages["validate"]["n_parts"]
    assert 0 < align["n_reused"] < align["n_parts"]
    part = f"{align['n_reused']} of {align['n_parts']}"
    return f"files dated ten years ahead, a clock that goes back a day: {part} shards reused", store
