"""What happens to processes: workers, the flow, a second run."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import psutil

from accordeur.data.store.manifest import MANIFEST
from accordeur.data.store.receipts import RECEIPT
from accordeur.data.store.store import Store
from tests.faults.campaign import POISONED
from tests.faults.runs import (
    ROOT,
    n_places,
    results,
    until,
)
from tests.faults.scene import Scene

POISON = str(Path(__file__).parent / "poison")


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
    assert f"document {POISONED} is skipped" in output
    found = results(store)
    rejected = found["validation"]["rejected"]
    assert {row["document"] for row in rejected} == {POISONED}
    assert {row["rule"] for row in rejected} == {"kills_worker"}
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
    assert f"document {POISONED} is skipped as before" in " ".join(output.split())
    assert {row["document"] for row in results(store)["validation"]["rejected"]} == {POISONED}
    assert len(deaths.read_text(encoding="utf-8").split()) == n_deaths, "it killed again"
    rows = f"{len(rejected)} rows rejected"
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
    reused = next(line for line in output.splitlines() if "reused" in line)
    return f"killed and started again: {reused}", Store(str(folder))


def second_run(scene: Scene) -> tuple[str, Store]:
    campaign = scene.campaign("second")
    folder = campaign.parent / "store"
    command = scene.home.start(campaign)
    until(lambda: n_places(folder, "ingested"), command)
    command.process.send_signal(signal.SIGSTOP)  # or it might end before the second begins
    try:
        rejected = scene.home.run(campaign, expected=2)
    finally:
        command.process.send_signal(signal.SIGCONT)
    assert "another run is writing to the store" in rejected
    command.end()
    return "the second is rejected with a sentence, the first undisturbed", Store(str(folder))


def finished_places(store: Store) -> list[str]:
    return [p.removesuffix(f"/{RECEIPT}") for p in store.list("") if p.endswith(f"/{RECEIPT}")]
