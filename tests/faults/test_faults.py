"""Nothing is lost and nothing counted twice, whatever happens to a run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults.faults import FAULTS, NOT_COMPARED
from tests.faults.of_the_server import prefect_gone
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


_LONGEST = pytest.mark.release  # minutes of waiting for a server that never answers
NAMES = [
    pytest.param(name, marks=_LONGEST) if fault is prefect_gone else name
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
