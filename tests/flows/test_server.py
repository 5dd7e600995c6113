"""The Prefect server of a run: on loopback only, gone with its parent, plain when it fails."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

pytestmark = pytest.mark.services
ROOT = Path(__file__).resolve().parents[2]
START = """
import sys, time
from flows.engine.server import start_server
server = start_server()
print(server.wait(), server.process.pid, flush=True)
time.sleep(600)
"""


def test_a_server_ends_with_its_parent_however_that_ends(tmp_path: Path) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", START],
        cwd=ROOT,
        env={**os.environ, "PREFECT_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
        | {"PREFECT_API_DATABASE_CONNECTION_URL": f"sqlite+aiosqlite:///{tmp_path}/prefect.db"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    try:
        url, pid = parent.stdout.readline().split()
        server = psutil.Process(int(pid))
        addresses = [c.laddr.ip for c in server.net_connections() if c.status == "LISTEN"]
        assert addresses == ["127.0.0.1"]
        assert url.startswith("http://127.0.0.1:")
    finally:
        os.kill(parent.pid, signal.SIGKILL)
        parent.wait()
    server.wait(30)  # raises TimeoutExpired when it is still there


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
