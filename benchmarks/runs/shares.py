"""Limits on the CPU share of processes, by the kernel: cgroup v1's `cpu` controller.

With fewer cores than processes, workers, flow, scheduler and server compete for CPU time, so a
second worker slows down the others. Workers limited to a quarter of a core each leave enough for
all.
"""

from __future__ import annotations

import os
from pathlib import Path

import psutil

CONTROLLER = Path("/sys/fs/cgroup/cpu")
PERIOD = 20_000  # microseconds of a scheduling period


class Shares:
    """One cgroup per worker; removed at the end.

    Raises SystemExit if the controller is not writable (root is required).
    """

    def __init__(self, share: float) -> None:
        self._quota = int(share * PERIOD)
        self._held: dict[int, Path] = {}
        if not (CONTROLLER / "cpu.cfs_quota_us").exists() or not os.access(CONTROLLER, os.W_OK):
            raise SystemExit(
                f"--share: {CONTROLLER} is no cgroup v1 controller that can be written"
            )

    def hold(self, process: psutil.Process) -> None:
        """Limit the process if it is a worker, forked from the process with the imported tasks."""
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
        """Remove the cgroups after the processes have ended; return their number."""
        for group in self._held.values():
            group.rmdir()
        return len(self._held)
