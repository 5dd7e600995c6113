"""Measure what users call for agreement on items, beside other packages on the same labels.

    python -m venv build/peers
    build/peers/bin/pip install krippendorff irrCAC statsmodels scikit-learn
    accordeur compile
    python benchmarks/agreement.py --peers build/peers/bin/python [--rounds 3] [--rows 1000000]

Each call runs in a separate process. A call from Python is made once on little data before it is
measured (imports, kernels); a command is measured as a whole process. CPU seconds are user and
system, memory is the peak: above the loaded data for a call, of the process for a command. Labels
are generated from a seed. Writes `benchmarks/results/agreement.md`; exits with 1 if a value differs
from the peer's.
"""

from __future__ import annotations

import argparse
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
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "agreement.md"
DEMONSTRATION = ROOT / "flows" / "demo_campaign" / "exports" / "brat"
COMMAND = "import sys; sys.path.insert(0, {!r}); from accordeur.flows.cli import main; main()"
N_CATEGORIES = 8
N_ANNOTATORS = 10
N_ITEMS = 100_000
TOLERANCE = 5e-5  # irrCAC rounds its values
Data = Any


# ---------------------------------------------------------------------------------------- data


def matrix(n_items: int, missing: float) -> np.ndarray:
    """Labels of annotators who are right three times out of four, float64 (A, N), nan: missing."""
    rng = np.random.default_rng(0)
    truth = rng.choice(N_CATEGORIES, n_items, p=rng.dirichlet(np.full(N_CATEGORIES, 3.0)))
    guess = rng.integers(0, N_CATEGORIES, (N_ANNOTATORS, n_items))
    labels = np.where(rng.random(guess.shape) < 0.75, truth, guess) + 1.0
    labels[rng.random(guess.shape) < missing] = np.nan
    return labels


def columns(labels: np.ndarray) -> dict[str, list[str]]:
    annotators, items = np.indices(labels.shape)
    return {
        "item": [f"item-{k}" for k in items.ravel().tolist()],
        "annotator": [f"annotator-{k}" for k in annotators.ravel().tolist()],
        "label": [f"category-{k:.0f}" for k in labels.ravel().tolist()],
    }


def write_csv(path: Path, labels: np.ndarray) -> None:
    """Write by annotator: a process begins with the peak memory of the process that starts it."""
    with path.open("w", encoding="utf-8") as file:
        file.write("item,annotator,label\n")
        for k, row in enumerate(labels):
            file.writelines(f"item-{i},annotator-{k},category-{x:.0f}\n" for i, x in enumerate(row))


def as_matrix(labels: np.ndarray) -> Data:
    return labels


def two_annotators(labels: np.ndarray) -> Data:
    return labels[:2]


def pandas_frame(labels: np.ndarray) -> Data:
    import pandas as pd

    return pd.DataFrame(columns(labels))


def polars_frame(labels: np.ndarray) -> Data:
    import polars as pl

    return pl.DataFrame(columns(labels))


def arrow_table(labels: np.ndarray) -> Data:
    import pyarrow as pa

    return pa.table(columns(labels))


# ---------------------------------------------------------------------------------------- ours


def coefficient(name: str, **options: Any) -> Callable[[Data], float]:
    def call(data: Data) -> float:
        import accordeur as acc

        return float(acc.coefficient(name, data, **options).value)

    return call


def our_alpha(**options: Any) -> Callable[[Data], float]:
    def call(data: Data) -> float:
        import accordeur as acc

        return float(acc.krippendorff_alpha(data, **options).value)

    return call


def agreement(data: Data) -> float:
    import accordeur as acc

    return next(v.value for v in acc.agreement(data) if v.measure == "krippendorff_alpha")


# --------------------------------------------------------------------------------------- peers
# These run in the peers' interpreter, without the project's packages.


def alpha_of_peer(level: str) -> Callable[[Data], float]:
    def call(data: Data) -> float:
        import krippendorff

        return float(krippendorff.alpha(data, level_of_measurement=level))

    return call


def irrcac(name: str) -> Callable[[Data], float]:
    def call(data: Data) -> float:
        import pandas as pd
        from irrCAC.raw import CAC

        found = getattr(CAC(pd.DataFrame(data.T), digits=6), name)()
        return float(found["est"]["coefficient_value"])

    return call


def statsmodels_fleiss(data: Data) -> float:
    """Count with NumPy: statsmodels' own `aggregate_raters` takes minutes."""
    from statsmodels.stats.inter_rater import fleiss_kappa

    table = np.stack([(data == k + 1).sum(axis=0) for k in range(N_CATEGORIES)], axis=1)
    return float(fleiss_kappa(table))


def sklearn_cohen(data: Data) -> float:
    from sklearn.metrics import cohen_kappa_score

    return float(cohen_kappa_score(data[0], data[1]))


@dataclass(frozen=True)
class Call:
    """A call of a function.

    missing  share of labels that are missing
    slow     measured once
    """

    text: str
    function: Callable[[Data], float]
    convert: Callable[[np.ndarray], Data] = as_matrix
    missing: float = 0.2
    slow: bool = False


PEERS = {
    "krippendorff": Call("`krippendorff.alpha(m)`", alpha_of_peer("nominal")),
    "krippendorff interval": Call("`krippendorff.alpha`, interval", alpha_of_peer("interval")),
    "irrCAC gwet": Call("`CAC(frame).gwet()`", irrcac("gwet"), slow=True),
    "irrCAC conger": Call("`CAC(frame).conger()`", irrcac("conger"), slow=True),
    "statsmodels": Call("`fleiss_kappa`, counted by NumPy", statsmodels_fleiss, missing=0.0),
    "scikit-learn": Call("`cohen_kappa_score`", sklearn_cohen, two_annotators, missing=0.0),
}
ALONE: dict[str, Any] = {"replicates": 0}
OURS = {
    "alpha": Call("`acc.krippendorff_alpha(m, replicates=0)`", our_alpha(**ALONE)),
    "alpha interval": Call("`acc.krippendorff_alpha(m)`, with its interval", our_alpha()),
    "alpha numeric": Call(
        '`acc.krippendorff_alpha(m, level="interval", replicates=0)`',
        our_alpha(level="interval", **ALONE),
    ),
    "gwet": Call(
        '`acc.coefficient("gwet_ac1", m, replicates=0)`', coefficient("gwet_ac1", **ALONE)
    ),
    "conger": Call(
        '`acc.coefficient("conger_kappa", m, replicates=0)`', coefficient("conger_kappa", **ALONE)
    ),
    "fleiss": Call(
        '`acc.coefficient("fleiss_kappa", m, replicates=0)`, none missing',
        coefficient("fleiss_kappa", **ALONE),
        missing=0.0,
    ),
    "cohen": Call(
        '`acc.coefficient("cohen_kappa", m, replicates=0)`, two annotators, none missing',
        coefficient("cohen_kappa", **ALONE),
        two_annotators,
        missing=0.0,
    ),
    "pandas": Call("`acc.agreement(frame)`, pandas", agreement, pandas_frame, missing=0.0),
    "polars": Call("`acc.agreement(frame)`, polars", agreement, polars_frame, missing=0.0),
    "Arrow": Call("`acc.agreement(frame)`, Arrow", agreement, arrow_table, missing=0.0),
}
BESIDE = {  # our call: the peer's
    "alpha": "krippendorff",
    "alpha interval": "krippendorff",
    "alpha numeric": "krippendorff interval",
    "gwet": "irrCAC gwet",
    "conger": "irrCAC conger",
    "fleiss": "statsmodels",
    "cohen": "scikit-learn",
}
FRAMES = ("pandas", "polars", "Arrow")


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
    labels = matrix(rows // N_ANNOTATORS, one.missing)
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
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"accordeur {' '.join(arguments)} failed")
        cpu.append(used.ru_utime + used.ru_stime)
        wall.append(time.perf_counter() - clock)
        memory = max(memory, used.ru_maxrss / 1e3)
    return Measured(cpu, wall, memory)


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
        elif options.peers:
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
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", help="interpreter of the peers' environment")
    parser.add_argument("--rows", type=int, default=N_ITEMS * N_ANNOTATORS)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--to", type=Path, default=RESULTS, help="file of the tables")
    parser.add_argument("--call", help=argparse.SUPPRESS)
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT / "src"))
    if options.call:
        print(json.dumps(measure_here(options.call, options.rows, options.rounds)))
        return
    by_call, right = calls(options)
    note = (
        f"{options.rows // N_ANNOTATORS:,} items × {N_ANNOTATORS} annotators, {N_CATEGORIES} "
        "categories; m are floats (annotators, items), 20 % missing unless said; frames have a row "
        "per label and every usual coefficient has its interval. Medians of "
        f"{options.rounds} rounds (ranges); commands are whole processes. Python "
        f"{platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}."
    )
    tables = [*by_call, "", *commands(options), "", note, "", "Made by `benchmarks/agreement.py`."]
    options.to.write_text("\n".join(tables) + "\n", encoding="utf-8")
    sys.exit(0 if right else 1)


if __name__ == "__main__":
    main()
