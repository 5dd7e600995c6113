"""Compare γ with 30 chance samples, and the command on a small file, with pygamma-agreement.

    python benchmarks/gamma.py --peer-python PYTHON [--peer-seconds 300]

PYTHON is the interpreter of a separate environment with `pygamma-agreement[CBC]`. Continua are
the degraded references of benchmarks/alignment.py. Both sides draw 30 samples by shuffling, each
with its own generator, so values differ by chance; the observed disorder is the same number on both
sides and is checked (the peer's is float32). The command reads a CSV of 16 units, computes and
prints: the peer's with its defaults, ours with its full output (samples until 1 %, γ-cat, 1,000
bootstrap replicates). Medians of wall-clock seconds. Writes benchmarks/results/gamma.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from accordeur.metrics.alignment.continuum import Continuum  # noqa: E402
from accordeur.metrics.alignment.precompile_kernels import compile_kernels  # noqa: E402
from accordeur.metrics.units.gamma import gamma  # noqa: E402
from benchmarks.alignment import degraded, milliseconds  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "gamma.md"
SIZES = ((3, 25), (3, 100), (5, 25), (4, 200))
N_SAMPLES = 30
A_WHILE = 1.0

PEER = """
import json, sys, time
import numpy as np
from pyannote.core import Segment
from pygamma_agreement import (Continuum, CombinedCategoricalDissimilarity,
                               ShuffleContinuumSampler)
rows, fast, n_samples = json.load(open(sys.argv[1])), sys.argv[2] == "fast", int(sys.argv[3])
def build(part):
    continuum = Continuum()
    for annotator, start, end, category in part:
        continuum.add(annotator, Segment(start, end), category)
    return continuum
settings = CombinedCategoricalDissimilarity(alpha=1, beta=1, delta_empty=1)
def run(continuum, n):
    return continuum.compute_gamma(settings, n_samples=n, precision_level=None, fast=fast,
                                   sampler=ShuffleContinuumSampler())
run(build(rows[::6]), 2)  # compiles: not timed
np.random.seed(0)
continuum = build(rows)
times = []
while len(times) < 3 and sum(times) < 10:  # once where it is slow
    begun = time.perf_counter()
    result = run(continuum, n_samples)
    result.gamma
    times.append(time.perf_counter() - begun)
print(json.dumps({"seconds": float(np.median(times)), "gamma": float(result.gamma),
                  "observed": float(result.observed_disorder)}))
"""


def rows_of(continuum: Continuum) -> list[list[Any]]:
    """Return [annotator, start, end, category] of each unit."""
    columns = (continuum.owners, continuum.starts, continuum.ends, continuum.categories)
    return [
        [continuum.annotators[o], float(s), float(e), continuum.tagset[k]]
        for o, s, e, k in zip(*columns, strict=True)
    ]


def peer(python: str, continuum: Continuum, mode: str, limit: float) -> dict[str, float] | None:
    """Return the peer's answer, or None if it took longer than the limit."""
    with tempfile.TemporaryDirectory() as folder:
        units, script = Path(folder, "units.json"), Path(folder, "peer.py")
        units.write_text(json.dumps(rows_of(continuum)), encoding="utf-8")
        script.write_text(PEER, encoding="utf-8")
        command = [python, str(script), str(units), mode, str(N_SAMPLES)]
        try:
            done = subprocess.run(
                command, check=False, capture_output=True, text=True, timeout=limit
            )
        except subprocess.TimeoutExpired:
            return None
    if done.returncode:
        raise SystemExit(f"the peer failed: {done.stderr[-800:]}")
    answer: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return answer


def ours(continuum: Continuum, rounds: int) -> tuple[list[float], Any]:
    """Return (seconds of each round, γ of one document with the minimum number of samples).

    Rounds are repeated for at least a second in total: the speed of a shared machine varies within
    a second, and the peer's runs take longer.
    """
    times: list[float] = []
    found = gamma([continuum], processes=["shuffle"], precision=0.9, replicates=0)
    while len(times) < rounds or sum(times) < A_WHILE:
        begun = time.perf_counter()
        found = gamma([continuum], processes=["shuffle"], precision=0.9, replicates=0)
        times.append(time.perf_counter() - begun)
    return times, found.corpus


def gamma_table(python: str | None, limit: float) -> list[str]:
    """Run ours before and after the peer's two modes, as the machine's speed varies."""
    lines = [
        "| continuum | ours | γ | peer, exact | γ | ratio | peer, fast | γ | ratio |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for n, m in SIZES:
        continuum = degraded(n, m, 1)
        times, found = ours(continuum, 11)
        answers = {}
        for mode in ("fast", "exact") if python else ():
            answers[mode] = peer(python, continuum, mode, limit)
            times += ours(continuum, 11)[0]
        mine = statistics.median(times)
        cells = [f"{n} × {m}", milliseconds(mine), f"{found.value:.3f}"]
        for mode in ("exact", "fast") if python else ():
            answer = answers[mode]
            if answer is None:
                cells += [f"> {limit:g} s", "–", f"> {limit / mine:,.0f}"]
                continue
            if mode == "exact" and abs(answer["observed"] - found.observed) > 1e-4:
                raise SystemExit(
                    f"observed disorders differ: {found.observed}, {answer['observed']}"
                )
            ratio = f"{answer['seconds'] / mine:,.0f}"
            cells += [milliseconds(answer["seconds"]), f"{answer['gamma']:.3f}", ratio]
        lines.append("| " + " | ".join(cells) + " |")
        print(lines[-1], flush=True)
    return lines


def seconds_of(command: list[str], rounds: int) -> float:
    """Return the median seconds of a command, without the first run, which may compile.

    Python caches compiled modules, as it does by default.
    """
    times = []
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(rounds + 1):
        begun = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, cwd=ROOT, env=environment)
        times.append(time.perf_counter() - begun)
    return statistics.median(times[1:])


def command_table(python: str | None) -> list[str]:
    lines = ["| command on 16 units | seconds | ratio |", "|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "units.csv")
        rows = rows_of(degraded(2, 8, 3))[:16]
        path.write_text("".join(f"{a},{k},{s:g},{e:g}\n" for a, s, e, k in rows), encoding="utf-8")
        mine = seconds_of([sys.executable, "-m", "accordeur.flows.cli", "gamma", str(path)], 7)
        lines.append(f"| accordeur gamma | {mine:.2f} | 1 |")
        if python:
            theirs = seconds_of([str(Path(python).parent / "pygamma-agreement"), str(path)], 3)
            lines.append(f"| pygamma-agreement | {theirs:.2f} | {theirs / mine:.1f} |")
    print("\n".join(lines[2:]), flush=True)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--peer-python", help="interpreter with pygamma-agreement[CBC]")
    parser.add_argument("--peer-seconds", type=float, default=300.0)
    options = parser.parse_args()
    compile_kernels()
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    parts = ["# Whole γ, 30 samples, and the command", ""]
    parts += [f"Machine: {machine}; load {os.getloadavg()[0]:.1f} at the start. Medians.", ""]
    parts += [*gamma_table(options.peer_python, options.peer_seconds), ""]
    parts += [*command_table(options.peer_python), ""]
    parts += ["Peer: pygamma-agreement 0.5.9 with CBC.", ""]
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
