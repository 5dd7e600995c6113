"""Fixtures shared by every test: the development data, Prefect, Chromium, a throw-away store."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import hypothesis
import pytest

from accordeur.flows.engine.environment import set_environment

ROOT = Path(__file__).resolve().parent.parent


set_environment()  # as the command does, before anything imports NumPy
# No test depends on the speed of the machine.
hypothesis.settings.register_profile(
    "any machine",
    deadline=None,
    max_examples=50,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("any machine")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort files with slow tests first, so that none is left for one worker at the end."""
    slow = ("long", "services", "browser")  # the slowest first
    rank = {item.path: len(slow) for item in items}
    for item in items:
        marks = [k for k, name in enumerate(slow) if item.get_closest_marker(name)]
        rank[item.path] = min([rank[item.path], *marks])
    items.sort(key=lambda item: rank[item.path])
    if os.environ.get("CI"):  # servers, clusters and browsers may fail for the machine's reasons
        for item in items:
            if item.get_closest_marker("services") or item.get_closest_marker("browser"):
                item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(autouse=True)
def _same_place_after_each_test() -> Iterator[None]:
    """Undo what a run in this process does to it: it moves to a folder of its own."""
    place, temporary = Path.cwd(), tempfile.tempdir
    variables = {name: os.environ.get(name) for name in ("PYTHONSAFEPATH", "TMPDIR")}
    yield
    os.chdir(place)
    tempfile.tempdir = temporary
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The development data beside the checkout: real exports that may not be redistributed."""
    path = Path(os.environ.get("ACCORDEUR_SHARED_DATA", ROOT.parent / "shared" / "data"))
    if not path.is_dir():
        pytest.skip("the development data (../shared/data) is not beside this checkout")
    return path


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The project's own small corpora."""
    return ROOT / "tests" / "corpora"


@pytest.fixture(scope="module")
def object_store() -> Iterator[str]:
    """The URL of a campaign in an empty bucket, over the real S3 protocol on loopback."""
    import boto3
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    # Moto keeps buckets in the process, whichever server made them.
    urlopen(Request(f"http://{host}:{port}/moto-api/reset", method="POST")).close()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ACCESS_KEY_ID", "test")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "test")
        client = boto3.client("s3", endpoint_url=f"http://{host}:{port}", region_name="us-east-1")
        client.create_bucket(Bucket="corpora")
        yield f"s3://corpora/campaign?scheme=http&endpoint_override={host}:{port}&region=us-east-1"
    server.stop()


@pytest.fixture(scope="session")
def prefect_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of one real Prefect API server for a worker process, in a home of its own."""
    home = tmp_path_factory.mktemp("prefect")
    os.environ["PREFECT_HOME"] = str(home)
    os.environ["PREFECT_API_AUTH_STRING"] = "tests"  # of commands in processes of their own, too
    from websockets.asyncio import connection

    from accordeur.flows.engine.api import api_server

    # Prefect's thread pings its server to the end of the session with numbers from the global
    # generator; Hypothesis takes that for a strategy that uses `random`, and warns at times
    connection.random = random.Random()  # type: ignore[assignment]

    with api_server() as url:
        os.environ["PREFECT_API_URL"] = url
        yield url
        del os.environ["PREFECT_API_URL"]


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Debian's Chromium; in CI its absence is a failure, elsewhere a skip."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is missing: `make test` installs it as root on Debian or Ubuntu")
        pytest.skip("Chromium is not installed (on Debian or Ubuntu: apt-get install chromium)")
    return path


@pytest.fixture
def main_in_process(capfd: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Return a function that runs a command here and returns all that it writes."""
    from accordeur.flows.cli import run

    def called(*arguments: object, code: int | None = 2) -> str:
        with pytest.raises(SystemExit) as ended:
            run([str(one) for one in arguments])
        written = capfd.readouterr()
        assert code is None or (ended.value.code or 0) == code, written
        return written.out + written.err

    return called
