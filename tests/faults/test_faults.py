"""Nothing is lost and nothing counted twice, whatever happens to a run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults.faults import FAULTS, NOT_COMPARED
from tests.faults.of_processes import flow_killed, worker_killed
from tests.faults.of_the_server import prefect_restarted
from tests.faults.of_the_store import damaged_files, disk_full
from tests.faults.runs import Home, PrefectServer, fingerprint
from tests.faults.scene import NotHere, Scene

pytestmark = [pytest.mark.services, pytest.mark.long]


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder = tmp_path_factory.mktemp("faults")
    server = PrefectServer(folder / "prefect")
    server.start()
    try:
        yield Scene(Home(folder, server.url), server)
    finally:
        server.kill()


IN_CI = (worker_killed, flow_killed, disk_full, prefect_restarted, damaged_files)
NAMES = [
    name if fault in IN_CI else pytest.param(name, marks=pytest.mark.release)
    for name, fault in FAULTS.items()
]


@pytest.mark.parametrize("name", NAMES)
def test_results_are_those_of_an_unbroken_run(scene: Scene, name: str) -> None:
    try:
        _, store = FAULTS[name](scene)
    except NotHere as reason:
        pytest.skip(str(reason))
    if FAULTS[name] not in NOT_COMPARED:
        assert fingerprint(store) == scene.unbroken
