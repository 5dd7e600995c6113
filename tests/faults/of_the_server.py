"""What happens to Prefect's server."""

from __future__ import annotations

import time

from accordeur.data.store.store import Store
from tests.faults.runs import (
    LONGEST,
    finished_places,
    n_places,
    until,
)
from tests.faults.scene import Scene


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
    places = finished_places(Store(str(folder)))
    assert places
    output = scene.home.run(campaign)
    assert "reused" in output or "its report is up to date" in output
    ended = "one sentence" if code else "it finished"
    return f"killed for good: {ended}, {len(places)} places kept; then finished", Store(str(folder))
