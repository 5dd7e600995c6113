"""A plugin changes while a worker or `accordeur serve` runs: its old value is never served."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.flows.schedule.test_notify import SECRET
from tests.flows.schedule.test_serving import home, serving, until
from tests.flows.schedule.test_webhook import post
from tests.plugins.test_changed_plugins import (
    CAMPAIGN,
    LABELS,
    ROOT,
    install,
    objects,
    site,
)

__all__ = ["home", "site"]  # fixtures
pytestmark = [pytest.mark.services, pytest.mark.long]
BEFORE, AFTER = 1 - 0.25 / 0.5, 1 - 0.25 / 0.25


def path_of(site: Path) -> str:
    return os.pathsep.join([str(site), str(ROOT / "src")])


def free_address() -> str:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return f"127.0.0.1:{free.getsockname()[1]}"


def write_campaign(folder: Path, section: str) -> Path:
    (folder / "labels.csv").write_text(LABELS)
    campaign = folder / "campaign.toml"
    campaign.write_text(CAMPAIGN + section)
    return campaign


def values(folder: Path) -> list[float]:
    """Return the plugin's value in each run's results, in the order of the runs."""
    found = []
    for file in sorted(folder.rglob("run-*/results.json")):
        of_run = objects(json.loads(file.read_text()))
        [value] = {one["value"] for one in of_run if one.get("measure") == "mine"}
        found.append(value)
    return found


@contextmanager
def one_worker(site: Path, address: str) -> Iterator[None]:
    """A scheduler and a worker of Dask that are not the run's own."""
    host, _, port = address.rpartition(":")
    here = ["--host", host, "--no-dashboard"]
    commands = [
        ["scheduler", "--port", port, "--dashboard-address", f"{host}:0", *here],
        ["worker", f"tcp://{address}", "--nthreads", "1", "--no-nanny", *here],
    ]
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "dask", *command],
            env={**os.environ, "PYTHONPATH": path_of(site)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for command in commands
    ]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


def test_an_outside_worker_computes_anew_or_refuses(site: Path, tmp_path: Path) -> None:
    address = free_address()
    campaign = write_campaign(tmp_path, f'[engine]\ndask = "tcp://{address}"\nretries = 0\n')

    def run() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "accordeur", "run", str(campaign)],
            env={**os.environ, "PYTHONPATH": path_of(site)},
            capture_output=True,
            text=True,
            check=False,
        )

    with one_worker(site, address):
        first = run()
        assert values(tmp_path) == [pytest.approx(BEFORE)], first.stdout + first.stderr
        install(site, 0.25, "1.1")
        refused = run()
        assert refused.returncode != 0
        assert "plugin my-plugin 1." in refused.stdout + refused.stderr
        assert values(tmp_path) == [pytest.approx(BEFORE)]
    with one_worker(site, address):
        again = run()
    assert values(tmp_path)[-1] == pytest.approx(AFTER), again.stdout + again.stderr


@pytest.mark.release
def test_a_served_campaign_computes_anew(site: Path, home: Path, tmp_path: Path) -> None:
    address = free_address()
    campaign = write_campaign(
        tmp_path, f'[trigger]\nwebhook = "{address}"\ntoken = "$HOOK_TOKEN"\n'
    )

    def is_told() -> bool:
        try:
            return post(address, SECRET) == 202
        except OSError:  # the server has not begun
            return False

    with serving(campaign, home, HOOK_TOKEN=SECRET, PYTHONPATH=path_of(site)) as process:
        until(is_told, process, home)
        until(lambda: values(tmp_path), process, home)
        assert values(tmp_path) == [pytest.approx(BEFORE)]
        install(site, 0.25)
        assert is_told()
        until(lambda: len(values(tmp_path)) > 1, process, home)
        assert values(tmp_path)[1:] == [pytest.approx(AFTER)]
