"""`accordeur serve` for real: a server with a scheduler, runs that fire, nothing open or told."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from accordeur.flows.errors import UserError
from accordeur.flows.schedule.serving import cron_schedule
from tests.flows.schedule.test_notify import SECRET, web
from tests.flows.schedule.test_webhook import post
from tests.flows.small import write_quick_demo

pytestmark = pytest.mark.services
ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 300.0  # a machine with other work; in peace a run is there in half a minute


@pytest.fixture
def home() -> Iterator[Path]:
    """With a short name: a temporary folder below a long one would not be inside it."""
    with tempfile.TemporaryDirectory(prefix="h", dir="/tmp") as folder:
        yield Path(folder)


@contextmanager
def serving(
    campaign: Path, home: Path, *options: str, **variables: str
) -> Iterator[subprocess.Popen[bytes]]:
    """`accordeur serve` with a Prefect home of its own; none of its processes is left after it."""
    folders = {"PREFECT_HOME": str(home), "TMPDIR": str(home), "PYTHONPATH": str(ROOT)}
    environment = {**os.environ, **folders, **variables}
    for name in ("PREFECT_API_URL", "PREFECT_API_AUTH_STRING"):
        environment.pop(name, None)
    with (home / "log.txt").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "accordeur.flows.cli", "serve", str(campaign), *options],
            cwd=campaign.parent,
            env=environment,
            stdout=log,
            stderr=log,
        )
        family: list[psutil.Process] = []
        try:
            yield process
            family = psutil.Process(process.pid).children(recursive=True)
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
        _, alive = psutil.wait_procs(family, timeout=30)
        assert not alive, [one.cmdline() for one in alive]


def until(found: Callable[[], Any], process: subprocess.Popen[bytes], home: Path) -> Any:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        if value := found():
            return value
        time.sleep(1)
    raise AssertionError((home / "log.txt").read_text(encoding="utf-8", errors="replace"))


def flow_runs(home: Path) -> list[tuple[str, str, int]]:
    """(flow, state, whether a schedule asked for it) of the runs of flows that were started."""
    [file] = home.glob(".accordeur-*/*/prefect.db")
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
        return database.execute(
            "select flow.name, flow_run.state_name, flow_run.auto_scheduled from flow_run "
            "join flow on flow.id = flow_run.flow_id where flow_run.start_time is not null"
        ).fetchall()


def listening(process: subprocess.Popen[bytes]) -> set[str]:
    """Addresses that the process or one of its descendants listens on."""
    try:
        family = psutil.Process(process.pid)
        processes = [family, *family.children(recursive=True)]
    except psutil.NoSuchProcess:
        return set()
    found = set()
    for one in processes:
        try:
            connections = one.net_connections("inet")
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
        found |= {c.laddr.ip for c in connections if c.status == psutil.CONN_LISTEN}
        found |= {c.laddr.ip for c in connections if c.laddr and not c.raddr and not c.status}
    return found


@pytest.mark.long
@pytest.mark.release
def test_a_cron_schedule_really_fires(home: Path, tmp_path: Path) -> None:
    campaign = write_quick_demo(tmp_path / "demo")
    results = campaign.parent / "store" / "reports" / "run-0001" / "results.json"
    with serving(campaign, home, "--cron", "* * * * *", "--log-json") as process:
        until(results.is_file, process, home)
        told = until(
            lambda: [
                run for run in flow_runs(home) if run[:2] == ("campaign quality", "Completed")
            ],
            process,
            home,
        )
        assert told[0][2] == 1  # the schedule asked for it, nobody else
        running = [run for run in flow_runs(home) if run[:2] == ("campaign quality", "Running")]
        assert len(running) <= 1
    assert json.loads(results.read_text(encoding="utf-8"))["gates"][0]["outcome"] == "passed"
    said = (home / "log.txt").read_text(encoding="utf-8").splitlines()
    lines = [json.loads(line) for line in said if line.startswith("{")]
    assert {"ingest", "report"} <= {one["stage"] for one in lines if one["event"] == "stage"}
    assert not [line for line in said if " | INFO" in line or " | ERROR" in line]


@pytest.mark.long
def test_exports_that_arrive_start_a_run_whose_failed_gate_is_told(
    home: Path, tmp_path: Path
) -> None:
    campaign = write_quick_demo(tmp_path / "demo")
    text = campaign.read_text(encoding="utf-8").replace("at_least = 0.4\n", "at_least = 0.99\n")
    campaign.write_text(text + '\n[notify]\nto = ["$ACCORDEUR_HOOK"]\n', encoding="utf-8")
    seen: set[str] = set()
    with web() as (url, bodies):
        arguments = ("--watch", "--look-every", "1")
        with serving(campaign, home, *arguments, ACCORDEUR_HOOK=url) as process:

            def told() -> bool:
                seen.update(listening(process))
                return bool(bodies)

            until(told, process, home)
            first = len(flow_runs(home))
            time.sleep(8)
            runs = flow_runs(home)
            assert len(runs) == first  # what was measured is not measured again
    [body] = bodies
    assert body["title"].endswith(": gate failed")
    assert [body["message"].count(f"gate {word}: ") for word in ("passed", "FAILED")] == [1, 1]
    assert ("campaign quality", "GateFailed", 0) in runs
    assert seen, "no socket was seen: the test looked at the wrong processes"
    assert seen <= {"127.0.0.1", "::1"}
    for file in (*home.rglob("*"), *(campaign.parent / "store").rglob("*")):
        if file.is_file():
            assert SECRET.encode() not in file.read_bytes(), file


@pytest.mark.long
def test_a_request_starts_a_run(home: Path, tmp_path: Path) -> None:
    campaign = write_quick_demo(tmp_path / "demo")
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    section = f'\n[trigger]\nwebhook = "{address}"\ntoken = "$HOOK_TOKEN"\n'
    campaign.write_text(campaign.read_text(encoding="utf-8") + section, encoding="utf-8")
    results = campaign.parent / "store" / "reports" / "run-0001" / "results.json"

    def is_told() -> bool:
        try:
            return post(address, SECRET) == 202
        except OSError:  # the server has not begun
            return False

    with serving(campaign, home, HOOK_TOKEN=SECRET) as process:
        until(is_told, process, home)
        assert post(address, "wrong") == 401
        until(results.is_file, process, home)
        until(lambda: flow_runs(home)[0][1].startswith(("Completed", "Gate")), process, home)
        assert listening(process) <= {"127.0.0.1", "::1"}


@pytest.mark.parametrize(
    ("cron", "timezone", "message"),
    [
        ("mondays", "UTC", "give minute, hour, day, month and weekday"),
        ("0 6 * * 1", "Mars/Olympus", "unknown time zone"),
    ],
)
def test_a_schedule_that_cannot_be_is_one_sentence(cron: str, timezone: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        cron_schedule(cron, timezone)
