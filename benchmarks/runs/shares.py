"""Processes held to a share of a core each, by the kernel: cgroup v1's `cpu` controller.

With fewer cores than processes, workers, flow, scheduler and server take turns, and a second worker
takes from the others what it gives. Workers held to a quarter of a core each leave room for all.
"""

from __future__ import annotations

import os
from pathlib import Path

import psutil

CONTROLLER = Path("/sys/fs/cgroup/cpu")
PERIOD = 20_000  # microseconds, in each of which a process may run for its share


class Shares:
    """A group of its own for each worker; they are removed at the end.

    Raises SystemExit where the controller cannot be written (it takes root).
    """

    def __init__(self, share: float) -> None:
        self._quota = int(share * PERIOD)
        self._held: dict[int, Path] = {}
        if not (CONTROLLER / "cpu.cfs_quota_us").exists() or not os.access(CONTROLLER, os.W_OK):
            raise SystemExit(
                f"--share: {CONTROLLER} is no cgroup v1 controller that can be written"
            )

    def hold(self, process: psutil.Process) -> None:
        """Limit it, if it is a worker: forked from the process that has imported the tasks."""
        parent = process.parent()
        if process.pid in self._held or parent is None:
            return
        if not any("forkserver" in word for word in parent.cmdline()):
            return
        group = self._held[process.pid] = CONTROLLER / f"worker-{process.pid}"
        group.mkdir()
        (group / "cpu.cfs_period_us").write_text(str(PERIOD))
        (group / "cpu.cfs_quota_us").write_text(str(self._quota))
        (group / "cgroup.procs").write_text(str(process.pid))

    def let_go(self) -> int:
        """Remove the groups of processes that have ended; returns how many were held."""
        for group in self._held.values():
            group.rmdir()
        return len(self._held)
