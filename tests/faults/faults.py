"""Each fault on a true run: what is done to it, what it says, and whether its results are the same.

A fault is a function of a `Scene` (the folder, the servers, the unbroken run) that raises
AssertionError when the run does not come through; it returns what happened in a few words and the
store whose results must be those of `scene.unbroken`, bit for bit.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from data.store.manifest import MANIFEST, damage
from data.store.receipts import RECEIPT, kept
from data.store.store import Store
from tests.faults.campaign import POISONED, write_campaign
from tests.faults.runs import (
    LONGEST,
    ROOT,
    S3_CREDENTIALS,
    Door,
    Home,
    PrefectServer,
    fingerprint,
    n_places,
    results,
    s3_server,
    s3_url,
    until,
)

POISON = str(Path(__file__).parent / "poison")
CLOCK = str(Path(__file__).parent / "clock")


class NotHere(Exception):  # noqa: N818
    """The fault cannot be made on this machine: the message says why."""


@dataclass
class Scene:
    home: Home
    server: PrefectServer
    unbroken_store: Path = field(init=False)
    unbroken: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        campaign = self.campaign("unbroken")
        self.home.run(campaign)
        self.unbroken_store = campaign.parent / "store"
        self.unbroken = fingerprint(Store(str(self.unbroken_store)))

    def campaign(self, name: str, *, store: str = "store", without: str = "") -> Path:
        return write_campaign(self.home.folder / name, store=store, without=without)

    def copy(self, name: str) -> Path:
        """A campaign whose store is a copy of the unbroken run's, without its report."""
        campaign = self.campaign(name)
        shutil.copytree(self.unbroken_store, campaign.parent / "store")
        shutil.rmtree(campaign.parent / "store" / "reports")
        return campaign


def worker_killed(scene: Scene) -> tuple[str, Store]:
    campaign = scene.campaign("worker")
    store = campaign.parent / "store"
    command = scene.home.start(campaign)
    until(lambda: n_places(store, "accepted") > 0, command)
    victim = command.workers()[0]
    victim.kill()
    done = n_places(store, "aligned")
    command.end()
    return f"a worker killed while validating ({done} shards aligned)", Store(str(store))


def poisoned_document(scene: Scene) -> tuple[str, Store]:
    deaths = scene.home.folder / "deaths"
    campaign = scene.campaign("poisoned")
    output = scene.home.run(
        campaign,
        PYTHONPATH=os.pathsep.join([POISON, str(ROOT)]),
        ACCORDEUR_TEST_POISON=POISONED,
        ACCORDEUR_TEST_DEATHS=str(deaths),
    )
    store = Store(str(campaign.parent / "store"))
    n_deaths = len(deaths.read_text(encoding="utf-8").split())
    assert n_deaths >= 2, "the document killed nobody"
    assert f"document {POISONED} is left out" in output
    found = results(store)
    refused = found["validation"]["rejected"]
    assert {row["document"] for row in refused} == {POISONED}
    assert {row["rule"] for row in refused} == {"kills_worker"}
    assert any(alert["code"] == "documents_withdrawn" for alert in found["alerts"])
    assert (
        found["validation"]["rows_in"]
        == results(Store(str(scene.unbroken_store)))["validation"]["rows_in"]
    )
    other = scene.campaign("without", without=POISONED)
    scene.home.run(other)
    expected = results(Store(str(other.parent / "store")))
    for part in ("items", "units", "distributions", "resampling", "disagreements", "annotators"):
        assert found[part] == expected[part], f"{part} differ from those without the document"
    other_document = next(path for path in campaign.parent.rglob("d09.ann"))
    other_document.write_text("\n".join(other_document.read_text().splitlines()[:-1]) + "\n")
    output = scene.home.run(
        campaign,
        PYTHONPATH=os.pathsep.join([POISON, str(ROOT)]),
        ACCORDEUR_TEST_POISON=POISONED,
        ACCORDEUR_TEST_DEATHS=str(deaths),
    )
    assert f"document {POISONED} is left out as before" in " ".join(output.split())
    assert {row["document"] for row in results(store)["validation"]["rejected"]} == {POISONED}
    assert len(deaths.read_text(encoding="utf-8").split()) == n_deaths, "it killed again"
    rows = f"{len(refused)} rows rejected"
    return f"{n_deaths} processes died; isolated, {rows}, remembered; the rest as without it", store


def flow_killed(scene: Scene) -> tuple[str, Store]:
    campaign = scene.campaign("flow")
    folder = campaign.parent / "store"
    command = scene.home.start(campaign)
    until(lambda: n_places(folder, "counted"), command)
    workers = command.workers()
    os.kill(command.process.pid, signal.SIGKILL)
    command.process.wait()
    _, alive = psutil.wait_procs(workers, timeout=60)
    assert not alive, "workers outlived their flow"
    ended = list(folder.glob(f"reports/*/{MANIFEST}"))
    assert not ended, "the run had ended before it was killed"
    output = scene.home.run(campaign)
    assert "reused" in output
    reused = next(line for line in output.splitlines() if line.startswith("reused"))
    return f"killed and started again: {reused}", Store(str(folder))


def second_run(scene: Scene) -> tuple[str, Store]:
    campaign = scene.campaign("second")
    folder = campaign.parent / "store"
    command = scene.home.start(campaign)
    until(lambda: n_places(folder, "ingested"), command)
    command.process.send_signal(signal.SIGSTOP)  # or it might end before the second begins
    try:
        refused = scene.home.run(campaign, expected=2)
    finally:
        command.process.send_signal(signal.SIGCONT)
    assert "another run is writing to the store" in refused
    command.end()
    return "the second is refused with a sentence, the first undisturbed", Store(str(folder))


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
        assert "no space is left for the store" in sentences[0]
        store = Store(str(folder))
        places = _finished_places(store)
        assert places, "the disk was full before anything was kept"
        assert not [place for place in places if kept(store, place).receipt is None]
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
        assert damage(store, f"reports/run-0001/{MANIFEST}") == []
        assert store.list("locks") == []
        copy = scene.home.folder / "away" / "copy"
        for path in store.list("reports"):
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            (copy / path).write_bytes(store.read_bytes(path))
        door.shut()
    seconds = time.monotonic() - away
    return f"S3 refused connections for 15 s; done {seconds:.0f} s after it went", Store(str(copy))


def prefect_restarted(scene: Scene) -> tuple[str, Store]:
    campaign = scene.campaign("prefect")
    folder = campaign.parent / "store"
    command = scene.home.start(campaign)
    until(lambda: n_places(folder, "accepted"), command)
    scene.server.kill()
    time.sleep(5)
    scene.server.start()
    command.end()
    return "killed for 5 s and more while the run went on", Store(str(folder))


def prefect_gone(scene: Scene) -> tuple[str, Store]:
    campaign = scene.campaign("gone")
    folder = campaign.parent / "store"
    command = scene.home.start(campaign, PREFECT_CLIENT_MAX_RETRIES="1")
    until(lambda: n_places(folder, "accepted"), command)
    scene.server.kill()
    try:
        code = command.process.wait(LONGEST)
    finally:
        scene.server.start()
    if code:
        sentences = [line for line in command.output.splitlines() if line.startswith("accordeur:")]
        assert len(sentences) == 1, command.output[-3000:]
        assert "the Prefect server stopped answering" in sentences[0]
        assert "Traceback" not in command.output
    places = _finished_places(Store(str(folder)))
    assert places
    output = scene.home.run(campaign)
    assert "reused" in output or "its report stands" in output
    ended = "one sentence" if code else "it finished"
    return f"killed for good: {ended}, {len(places)} places kept; then finished", Store(str(folder))


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
    assert damage(store, f"reports/run-0001/{MANIFEST}") == []
    return f"{len(cut)} files cut, {len(changed)} with one bit changed: all told and redone", store


def clock_goes_back(scene: Scene) -> tuple[str, Store]:
    campaign = scene.copy("clock")
    folder = campaign.parent / "store"
    for place in sorted(folder.glob("aligned/*"))[::2]:
        shutil.rmtree(place)
    future = time.time() + 10 * 365 * 86_400
    for path in folder.rglob("*"):
        os.utime(path, (future, future))
    scene.home.run(campaign, PYTHONPATH=os.pathsep.join([CLOCK, str(ROOT)]))
    store = Store(str(folder))
    stages = {stage["name"]: stage for stage in results(store)["run"]["stages"]}
    align = stages["align names"]
    assert stages["validate"]["n_reused"] == stages["validate"]["n_parts"]
    assert 0 < align["n_reused"] < align["n_parts"]
    part = f"{align['n_reused']} of {align['n_parts']}"
    return f"files dated ten years ahead, a clock that goes back a day: {part} shards reused", store


FAULTS: dict[str, Callable[[Scene], tuple[str, Store]]] = {
    "a worker is killed in a task": worker_killed,
    "one document always kills its worker": poisoned_document,
    "the flow is killed and started again": flow_killed,
    "a second run on the same store": second_run,
    "the disk is full": disk_full,
    "the store does not answer": store_away,
    "the Prefect server is restarted": prefect_restarted,
    "the Prefect server stays away": prefect_gone,
    "files in the store are damaged": damaged_files,
    "the clock goes back": clock_goes_back,
}
NOT_COMPARED = (poisoned_document,)  # compared inside with a run without the document


def _finished_places(store: Store) -> list[str]:
    return [p.removesuffix(f"/{RECEIPT}") for p in store.list("") if p.endswith(f"/{RECEIPT}")]
