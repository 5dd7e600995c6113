"""The Prefect server of a run: on loopback only, gone with its parent, plain when it fails."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

pytestmark = pytest.mark.services
ROOT = Path(__file__).resolve().parents[3]
START = """
import os, sys, time
from flows.engine.server import start_server
server = start_server()
fork = os.fork() if sys.argv[1:] == ["fork"] else None  # it holds the server's input open
if fork != 0:
    print(server.wait(), server.process.pid, fork or 0, flush=True)
time.sleep(600)
"""
TELL = """
from prefect import flow, get_run_logger, task
from flows.engine.runner import api_server

@task
def step():
    get_run_logger().info("said last")

@flow
def told():
    step()

with api_server():
    told()
"""


@pytest.mark.parametrize("beside", ["alone", "fork"])
def test_a_server_ends_with_its_parent_however_that_ends(tmp_path: Path, beside: str) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", START, beside],
        cwd=ROOT,
        env={**os.environ, "PREFECT_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
        | {"PREFECT_API_DATABASE_CONNECTION_URL": f"sqlite+aiosqlite:///{tmp_path}/prefect.db"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    try:
        url, pid, fork = parent.stdout.readline().split()
        server = psutil.Process(int(pid))
        addresses = [c.laddr.ip for c in server.net_connections() if c.status == "LISTEN"]
        assert addresses == ["127.0.0.1"]
        assert url.startswith("http://127.0.0.1:")
    finally:
        os.kill(parent.pid, signal.SIGKILL)
        parent.wait()
    try:
        server.wait(30)  # raises TimeoutExpired when it is still there
    finally:
        if int(fork):
            os.kill(int(fork), signal.SIGKILL)


def test_all_that_a_run_told_is_in_the_database_when_its_server_has_ended(tmp_path: Path) -> None:
    environment = {**os.environ, "PREFECT_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    environment["PREFECT_API_DATABASE_CONNECTION_URL"] = (
        f"sqlite+aiosqlite:///{tmp_path}/prefect.db"
    )
    environment.pop("PREFECT_API_URL", None)
    (tmp_path / "tell.py").write_text(TELL, encoding="utf-8")
    subprocess.run([sys.executable, "tell.py"], cwd=tmp_path, env=environment, check=True)
    with sqlite3.connect(tmp_path / "prefect.db") as database:
        for table in ("flow_run", "task_run"):
            assert database.execute(f"select state_type from {table}").fetchall() == [
                ("COMPLETED",)
            ]
        [(n_said,)] = database.execute("select count(*) from log where message = 'said last'")
    assert n_said == 1


def test_a_server_that_cannot_start_is_one_sentence(tmp_path: Path) -> None:
    nowhere = f"sqlite+aiosqlite:///{tmp_path}/no/such/folder/prefect.db"
    done = subprocess.run(
        [sys.executable, "-c", "from flows.engine import server\nserver.start_server().wait()"],
        cwd=ROOT,
        env={**os.environ, "PREFECT_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
        | {"PREFECT_API_DATABASE_CONNECTION_URL": nowhere},
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("flows.errors.UserError: the Prefect server of this run did not start (")
    assert "set PREFECT_API_URL" in last
