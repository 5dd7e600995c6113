"""Measure what users call for agreement on items, beside other packages on the same labels.

    python -m venv build/peers
    build/peers/bin/pip install krippendorff irrCAC statsmodels scikit-learn
    accordeur compile
    python benchmarks/agreement.py --peers build/peers/bin/python [--rounds 3] [--rows 1000000]
        [--campaign-rows 2000000]

Each call runs in a separate process. A call from Python is made once on little data before it is
measured (imports, kernels); a command is measured as a whole process with the workers and the
server that it starts. CPU seconds are user and system, memory is the peak: above the loaded data
for a call, of the largest process for a command. Labels are generated from a seed. Writes
`benchmarks/results/agreement.md`; exits with 1 if a value differs from the peer's.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agreement_calls import (
    BESIDE,
    FRAMES,
    N_ANNOTATORS,
    N_CATEGORIES,
    OURS,
    PEERS,
    matrix,
    write_campaign,
    write_csv,
)

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "agreement.md"
DEMONSTRATION = ROOT / "flows" / "demo_campaign" / "exports" / "brat"
COMMAND = "import sys; sys.path.insert(0, {!r}); from accordeur.flows.cli import main; main()"
N_ITEMS = 100_000
CAMPAIGN_ROWS = 2_000_000
PER_ITEM = 5  # labels of an item of the campaign
CHILD_SUBREAPER = 36  # option of prctl(2): descendants whose parent has ended become our children
TOLERANCE = 5e-5  # irrCAC rounds its values


# ----------------------------------------------------------------------------------- measuring


@dataclass(frozen=True)
class Measured:
    """CPU and wall seconds of each round, and megabytes."""

    cpu: list[float]
    wall: list[float]
    memory: float
    value: float = float("nan")

    def row(self) -> str:
        return f"{seconds(self.cpu)} | {seconds(self.wall)} | {self.memory:.0f}"


def seconds(rounds: Sequence[float]) -> str:
    """The median with the range, to three significant digits."""
    shown = f"{statistics.median(rounds):.3g}"
    return f"{shown} ({min(rounds):.3g}–{max(rounds):.3g})" if len(rounds) > 1 else shown


class PeakMemory:
    """Sample the resident memory of this process; `ru_maxrss` would include loading."""

    def __enter__(self) -> PeakMemory:
        self.base = self.peak = resident()
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()
        return self

    def watch(self) -> None:
        while not self.stop.wait(0.005):
            self.peak = max(self.peak, resident())

    def __exit__(self, *_: object) -> None:
        self.stop.set()
        self.thread.join()
        self.peak = max(self.peak, resident())


def resident() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


def measure_here(name: str, rows: int, rounds: int) -> dict[str, Any]:
    """Measure a call in this process, and return the fields of `Measured`."""
    one = {**OURS, **PEERS}[name]
    labels = matrix(one.times * rows // N_ANNOTATORS, one.missing)
    one.function(one.convert(labels[:, :1000]))
    data = one.convert(labels)
    cpu, wall, value = [], [], float("nan")
    with PeakMemory() as memory:
        for _ in range(1 if one.slow else rounds):
            before, clock = time.process_time(), time.perf_counter()
            value = one.function(data)
            cpu.append(time.process_time() - before)
            wall.append(time.perf_counter() - clock)
    return {
        "cpu": cpu,
        "wall": wall,
        "memory": (memory.peak - memory.base) / 1e6,
        "value": value,
    }


def measure_call(python: str, name: str, options: argparse.Namespace) -> Measured:
    """Measure a call in a process of its own."""
    arguments = ["--call", name, "--rows", str(options.rows), "--rounds", str(options.rounds)]
    done = subprocess.run(
        [python, __file__, *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{name} failed:\n{done.stderr}")
    return Measured(**json.loads(done.stdout.splitlines()[-1]))


def measure_command(arguments: Sequence[str], rounds: int) -> Measured:
    """Measure a command of `accordeur` as a whole process."""
    cpu, wall, memory = [], [], 0.0
    command = [sys.executable, "-c", COMMAND.format(str(ROOT / "src")), *arguments]
    for _ in range(rounds):
        clock = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        wall.append(time.perf_counter() - clock)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"accordeur {' '.join(arguments)} failed")
        every = [used, *descendants()]
        cpu.append(sum(one.ru_utime + one.ru_stime for one in every))
        memory = max(memory, *(one.ru_maxrss / 1e3 for one in every))
    return Measured(cpu, wall, memory)


def descendants() -> list[resource.struct_rusage]:
    """Wait for the processes that outlive the command that started them; return what they used."""
    found = []
    while True:
        try:
            found.append(os.wait4(-1, 0)[2])
        except ChildProcessError:
            return found


# ------------------------------------------------------------------------------------- results


def calls(options: argparse.Namespace) -> tuple[list[str], bool]:
    """Return the table of the calls from Python, and whether all values equal the peers'."""
    lines = [
        "| call | CPU (s) | wall (s) | memory (MB) | peer | its CPU (s) | ours / its | value |",
        "|---|---|---|---|---|---|---|---|",
    ]
    peers: dict[str, Measured] = {}
    alphas: set[float] = set()
    right = True
    for name, call in OURS.items():
        ours = measure_call(sys.executable, name, options)
        cells = ["–", "–", "–", f"{ours.value:.6f}"]
        if name in FRAMES:
            alphas.add(ours.value)
        elif options.peers and name in BESIDE:
            peer = BESIDE[name]
            if peer not in peers:
                peers[peer] = measure_call(options.peers, peer, options)
            theirs = peers[peer]
            same = abs(ours.value - theirs.value) < TOLERANCE
            right &= same
            ratio = statistics.median(ours.cpu) / statistics.median(theirs.cpu)
            cells = [PEERS[peer].text, seconds(theirs.cpu), f"{ratio:.3g}"]
            cells.append(f"{ours.value:.6f} {'=' if same else f'≠ {theirs.value:.6f}'}")
        lines.append(f"| {call.text} | {ours.row()} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    return lines, right and len(alphas) == 1


def commands(options: argparse.Namespace) -> list[str]:
    """Return the table of the commands."""
    lines = ["| command | CPU (s) | wall (s) | memory (MB) |", "|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        big, small = Path(folder) / "big.csv", Path(folder) / "small.csv"
        write_csv(big, matrix(options.rows // N_ANNOTATORS, 0.0))
        write_csv(small, matrix(6, 0.0)[:3])
        for text, arguments, rounds in (
            (f"`accordeur agree`, {options.rows:,} rows", ["agree", str(big)], options.rounds),
            ("`accordeur agree`, 18 rows", ["agree", str(small)], 2 * options.rounds),
            ("`accordeur gamma`, demonstration", ["gamma", str(DEMONSTRATION)], options.rounds),
        ):
            lines.append(f"| {text} | {measure_command(arguments, rounds).row()} |")
            print(lines[-1], flush=True)
        path = write_campaign(
            Path(folder), matrix(options.campaign_rows // PER_ITEM, 0.0)[:PER_ITEM]
        )
        for text in (f"`accordeur run`, {options.campaign_rows:,} labels", "the same, unchanged"):
            lines.append(f"| {text} | {measure_command(['run', str(path)], 1).row()} |")
            print(lines[-1], flush=True)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", help="interpreter of the peers' environment")
    parser.add_argument("--rows", type=int, default=N_ITEMS * N_ANNOTATORS)
    parser.add_argument("--campaign-rows", type=int, default=CAMPAIGN_ROWS)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--to", type=Path, default=RESULTS, help="file of the tables")
    parser.add_argument("--call", help=argparse.SUPPRESS)
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT / "src"))
    if options.call:
        print(json.dumps(measure_here(options.call, options.rows, options.rounds)))
        return
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # modules are compiled once, as if installed
    ctypes.CDLL(None).prctl(CHILD_SUBREAPER, 1, 0, 0, 0)
    by_call, right = calls(options)
    note = (
        f"{options.rows // N_ANNOTATORS:,} items × {N_ANNOTATORS} annotators, {N_CATEGORIES} "
        "categories; m are floats (annotators, items), 20 % missing unless said; frames have a row "
        "per label and every usual coefficient has its interval. The value of the diagnosis is its "
        f"number of findings; the campaign has {PER_ITEM} annotators and is run once. Medians of "
        f"{options.rounds} rounds (ranges); commands are whole processes. Python "
        f"{platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}."
    )
    tables = [*by_call, "", *commands(options), "", note, "", "Made by `benchmarks/agreement.py`."]
    options.to.write_text("\n".join(tables) + "\n", encoding="utf-8")
    sys.exit(0 if right else 1)


if __name__ == "__main__":
    main()
