"""Three pictures of Prefect's interface for docs/how-to/scheduling.md: `make pictures`.

They show the demonstration campaign: the stages of a run, its verdict, the deployment that
`accordeur serve` makes. The server is Prefect's own, on loopback, with a home that is thrown away.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Page, sync_playwright

FOLDER = Path(__file__).parent
SIZE = {"width": 1280, "height": 800}
MOST_BYTES = 200_000
PATIENCE = 180.0


@contextmanager
def running(*arguments: str, **environment: str) -> Iterator[None]:
    """A Python module that runs until the block ends."""
    command = [sys.executable, "-P", "-m", *arguments]
    process = subprocess.Popen(command, env=environment)  # noqa: S603 - the commands below
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def until(found: Callable[[], Any]) -> Any:
    """What `found` returns as soon as it is true."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with suppress(httpx.TransportError):
            if one := found():
                return one
        time.sleep(0.5)
    raise SystemExit("Prefect's server did not answer in time")


def take(page: Page, name: str, url: str, *, height: int) -> None:
    """Save the top of the page once it has settled."""
    page.goto(url)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(4000)  # the graph is laid out in a web worker
    path = FOLDER / f"prefect-{name}.png"
    page.screenshot(path=path, clip={"x": 0, "y": 0, "width": 1280, "height": height})
    if path.stat().st_size > MOST_BYTES:
        raise SystemExit(f"{path.name} has more than {MOST_BYTES} bytes")


def main(chromium: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    site = f"http://127.0.0.1:{port}"
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        environment = os.environ | {
            "PREFECT_HOME": folder,
            "PREFECT_API_URL": f"{site}/api",
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            "DO_NOT_TRACK": "1",
        }
        server = ("prefect", "server", "start", "--host", "127.0.0.1", "--port", port)
        stack.enter_context(running(*server, **environment))
        until(lambda: httpx.get(f"{site}/api/health").is_success)
        command = [sys.executable, "-P", "-m", "accordeur.flows.cli"]
        campaign = Path(folder, "letters")
        demo = [*command, "demo", "letters", campaign]
        subprocess.run(demo, env=environment, check=True)  # noqa: S603 - our own command
        serve = ("serve", f"{campaign}/campaign.toml", "--cron", "0 6 * * 1")
        stack.enter_context(running("accordeur.flows.cli", *serve, **environment))

        def rows(kind: str) -> Any:
            return httpx.post(f"{site}/api/{kind}/filter", json={}).json()

        [deployment] = until(lambda: rows("deployments"))
        until(lambda: any(run["state_name"] == "Scheduled" for run in rows("flow_runs")))
        done = [run for run in rows("flow_runs") if run["state_name"] == "Completed"]
        [verdict] = [one for one in rows("artifacts") if one["key"].endswith("-verdict")]
        [stages] = [run for run in done if run["parent_task_run_id"] is not None]
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE, reduced_motion="reduce")
        take(page, "graph", f"{site}/runs/flow-run/{stages['id']}", height=510)
        take(page, "verdict", f"{site}/artifacts/artifact/{verdict['id']}", height=620)
        take(page, "schedule", f"{site}/deployments/deployment/{deployment['id']}", height=510)
        browser.close()


if __name__ == "__main__":
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        raise SystemExit("Chromium is not installed (Debian and Ubuntu: apt-get install chromium)")
    main(found)
