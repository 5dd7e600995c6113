"""A run that is killed in the middle, with its server and its workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 240.0


def start_and_kill(*command: str, once: Callable[[], object]) -> None:
    """Start `accordeur COMMAND …`, and kill it with all its processes as soon as `once()` is true.

    Raises AssertionError where it ends before, or does not get there.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "accordeur.flows.cli", *command],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + PATIENCE
        while not once():
            assert process.poll() is None, f"{command[0]} ended before it could be killed"
            assert time.monotonic() < deadline, f"{command[0]} did not get to where it is killed"
            time.sleep(0.01)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
