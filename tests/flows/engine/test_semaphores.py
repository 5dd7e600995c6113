"""Semaphores of a killed run are deleted by the next one, and no others."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from accordeur.flows.engine.semaphores import delete_recorded_semaphores, record_semaphores
from tests.flows.command_line import alone

SHARED = Path("/dev/shm")
pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="semaphores are files on Linux")
KILLED = """
import multiprocessing, os, signal
from accordeur.flows.engine.private_folder import private_folder
from accordeur.flows.engine.semaphores import record_semaphores
queue = multiprocessing.get_context("forkserver").Queue()
record_semaphores(private_folder())
print((private_folder() / "semaphores").read_text(), flush=True)
os.killpg(0, signal.SIGKILL)
"""
NEXT = "from accordeur.flows.engine.private_folder import private_folder; private_folder()"


def python(code: str, temporary: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        env=alone(temporary, TMPDIR=str(temporary)),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        start_new_session=True,  # killed with what removes semaphores
    )


def test_the_next_run_deletes_what_a_killed_run_recorded(tmp_path: Path) -> None:
    own = multiprocessing.get_context("forkserver").Lock()  # of another program
    record_semaphores(tmp_path)
    others = {line.partition(" ")[2] for line in (tmp_path / "semaphores").read_text().splitlines()}
    killed = python(KILLED, tmp_path)
    assert killed.returncode == -signal.SIGKILL
    names = [line.partition(" ")[2] for line in killed.stdout.split("\n") if line]
    assert len(names) >= 3
    assert all((SHARED / name).exists() for name in names)
    assert python(NEXT, tmp_path).returncode == 0
    assert not any((SHARED / name).exists() for name in names)
    assert others
    assert all((SHARED / name).exists() for name in others)
    del own


def test_a_semaphore_that_has_the_name_but_is_another_file_is_kept(tmp_path: Path) -> None:
    other = SHARED / f"sem.test-{os.getpid()}"
    other.touch()
    try:
        (tmp_path / "semaphores").write_text(f"1 {other.name}\nno number\n1 ../{tmp_path.name}")
        assert delete_recorded_semaphores(tmp_path) == 0
        assert other.exists()
    finally:
        other.unlink()
