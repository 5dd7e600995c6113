"""Best alignments: time and its growth, compared with pygamma-agreement in one run.

    python benchmarks/alignment.py
    python benchmarks/alignment.py --peer-python PYTHON [--peer-seconds 60] [--sizes 3x25,5x25]

PYTHON is the interpreter of a separate environment with `pygamma-agreement[CBC]`, which is never
imported here. Its exact mode uses CBC if cvxpy finds it, else GLPK_MI; the table states the solver.
Its fast mode is not exact. A case in which the peer takes longer than --peer-seconds is stopped and
omitted. Equality is checked in the same run by evaluating the peer's alignment with our float64
dissimilarities (its own values are float32); the script exits with 1 if an exact alignment of the
peer is better than ours, or worse by more than 1e-9.

Continua are degraded references (bounds shifted by up to 30 % of the length, 10 % omitted, 10 %
added, 15 % relabelled) and pure chance (each annotator's units drawn independently). Times are
medians of wall-clock seconds on one thread, for one continuum aligned repeatedly on both sides; the
last column is our time over 20 alternating continua. Writes benchmarks/results/alignment.md.
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
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from accordeur.metrics.alignment.best_alignment import best_alignment  # noqa: E402
from accordeur.metrics.alignment.continuum import Continuum  # noqa: E402
from accordeur.metrics.alignment.dissimilarity import Dissimilarity, pair_costs  # noqa: E402
from accordeur.metrics.alignment.precompile_kernels import compile_kernels  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "alignment.md"
SIZES = ((3, 25), (3, 100), (2, 500), (5, 25), (4, 100), (3, 500), (4, 200))
SIZES_OF_CHANCE = SIZES[:5]
OURS_ONLY = ((5, 200), (6, 25), (8, 25), (9, 25), (10, 30), (12, 12))
N_IN_TURN = 20
GROWTH = (100, 1_000, 10_000, 100_000)
SETTINGS = Dissimilarity()
A_WHILE = 0.3  # seconds of our alignments, about the duration of the peer's fast mode

PEER = """
import json, sys, time
import numpy as np, cvxpy
from pyannote.core import Segment
from pygamma_agreement import CombinedCategoricalDissimilarity, Continuum
case, fast, rounds = json.load(open(sys.argv[1])), sys.argv[2] == "fast", int(sys.argv[3])
def build(rows):
    continuum = Continuum()
    for start, end, code, owner in rows:
        continuum.add(f"a{int(owner):02}", Segment(start, end), f"k{int(code)}")
    return continuum
continuum = build(case)
small = build([row for a in {row[3] for row in case} for row in [r for r in case if r[3] == a][:4]])
settings = CombinedCategoricalDissimilarity(alpha=1, beta=1, delta_empty=1)
def run(continuum):
    if fast:
        continuum.measure_best_window_size(settings)
        return continuum.get_fast_alignment(settings, continuum.best_window_size)
    return continuum.get_best_alignment(settings)
times = []
run(small)  # compiles
for _ in range(rounds):
    begun = time.perf_counter()
    best = run(continuum)
    times.append(time.perf_counter() - begun)
units = [
    [[u.segment.start, u.segment.end, int(u.annotation[1:]), int(a[1:])]
     for a, u in unitary.n_tuple if u is not None]
    for unitary in best.unitary_alignments
]
solver = "CBC" if "CBC" in cvxpy.installed_solvers() else "GLPK_MI"
print(json.dumps({"times": times, "units": units, "solver": solver}))
"""


def reference(n_units: int, rng: np.random.Generator) -> np.ndarray:
    """Return (n, 3): start, end, category of units in order, with gaps."""
    gaps, lengths = rng.integers(0, 21, n_units), rng.integers(1, 20, n_units)
    ends = np.cumsum(gaps + lengths)
    return np.column_stack([ends - lengths, ends, rng.integers(0, 4, n_units)]).astype(float)


def degraded(n_annotators: int, n_units: int, seed: int) -> Continuum:
    """Return a continuum of each annotator's degraded version of one reference."""
    rng = np.random.default_rng(seed)
    truth = reference(n_units, rng)
    parts = []
    for _ in range(n_annotators):
        units = truth[rng.random(n_units) >= 0.1].copy()
        lengths = units[:, 1] - units[:, 0]
        shifts = np.round(rng.uniform(-0.3, 0.3, (len(units), 2)) * lengths[:, None])
        units[:, :2] = np.maximum(units[:, :2] + shifts, 0)
        units[:, 1] = np.maximum(units[:, 1], units[:, 0] + 1)
        relabelled = rng.random(len(units)) < 0.15
        units[relabelled, 2] = rng.integers(0, 4, relabelled.sum())
        n_added = rng.binomial(n_units, 0.1)
        starts = np.floor(rng.uniform(0, truth[-1, 1], n_added))
        added = np.column_stack(
            [starts, starts + rng.integers(1, 20, n_added), rng.integers(0, 4, n_added)]
        )
        parts.append(np.vstack([units, added]))
    return continuum_of(parts)


def chance(n_annotators: int, n_units: int, seed: int) -> Continuum:
    """Return a continuum of units drawn independently for each annotator."""
    rng = np.random.default_rng(seed)
    return continuum_of([reference(n_units, rng) for _ in range(n_annotators)])


def continuum_of(parts: list[np.ndarray]) -> Continuum:
    units = np.vstack(parts)
    owners = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    names = tuple(f"a{a:02}" for a in range(len(parts)))
    return Continuum(
        units[:, 0], units[:, 1], units[:, 2].astype(int), owners, names, tuple("wxyz")
    )


def ours(continuum: Continuum, rounds: int) -> tuple[float, float, bool]:
    """Return (median seconds, total disorder, proven optimal)."""
    best = best_alignment(continuum, SETTINGS)
    return statistics.median(timed(continuum, rounds)), best.total, best.optimal


def timed(continuum: Continuum, rounds: int, at_least: float = 0.0) -> list[float]:
    """Time at least `rounds` alignments, repeated until they take `at_least` seconds in total."""
    times: list[float] = []
    while len(times) < rounds or sum(times) < at_least:
        begun = time.perf_counter()
        best_alignment(continuum, SETTINGS)
        times.append(time.perf_counter() - begun)
    return times


def ours_in_turn(make: Callable[[int, int, int], Continuum], n: int, m: int) -> float:
    """Return median seconds over alternating continua, which defeats branch prediction."""
    continua = [make(n, m, seed) for seed in range(1, N_IN_TURN + 1)]
    times = []
    for _ in range(4):
        for continuum in continua:
            begun = time.perf_counter()
            best_alignment(continuum, SETTINGS)
            times.append(time.perf_counter() - begun)
    return statistics.median(times[N_IN_TURN:])


def peer(
    python: str, continuum: Continuum, mode: str, rounds: int, seconds: float
) -> dict[str, Any] | None:
    """Return the peer's times and alignment, or None if it did not finish in time."""
    rows = np.column_stack(
        [continuum.starts, continuum.ends, continuum.categories, continuum.owners]
    )
    with tempfile.TemporaryDirectory() as folder:
        script, case = Path(folder, "peer.py"), Path(folder, "case.json")
        script.write_text(PEER)
        case.write_text(json.dumps(rows.tolist()))
        try:
            done = subprocess.run(
                [python, str(script), str(case), mode, str(rounds)],
                capture_output=True,
                text=True,
                check=True,
                timeout=seconds,
            )
        except subprocess.TimeoutExpired:
            return None
        except subprocess.CalledProcessError as failure:
            sys.exit(f"the peer failed ({mode}): {failure.stderr.strip().splitlines()[-1]}")
    answer: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return answer


def total_of(continuum: Continuum, alignment: list[list[list[float]]]) -> float:
    """Return the float64 total disorder of an alignment of [start, end, code, owner] lists."""
    place = {}
    columns = (continuum.starts, continuum.ends, continuum.categories, continuum.owners)
    for u, key in enumerate(zip(*columns, strict=True)):
        place[tuple(float(x) for x in key)] = u
    units = np.full((len(alignment), continuum.n_annotators), -1)
    for row, members in enumerate(alignment):
        for member in members:
            units[row, int(member[3])] = place[tuple(float(x) for x in member)]
    first, second = np.triu_indices(continuum.n_annotators, 1)
    return float(
        pair_costs(continuum, units[:, first], units[:, second], SETTINGS).mean(axis=1).sum()
    )


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:,.3g} ms" if seconds < 1 else f"{seconds:,.1f} s"


def side_by_side(
    sizes: list[tuple[int, int]], python: str, seconds: float
) -> tuple[list[str], bool]:
    lines = [
        "| continuum | ours | peer, exact | ratio | peer, fast | ratio | fast above | in turn |",
        "|---|---|---|---|---|---|---|---|",
    ]
    fine, solver = True, "?"
    for name, make in (("degraded", degraded), ("chance", chance)):
        for n, m in sizes:
            if make is chance and (n, m) not in SIZES_OF_CHANCE:
                continue
            continuum = make(n, m, 1)
            _, total, optimal = ours(continuum, 1)
            times, answers = timed(continuum, 31, A_WHILE), {}
            for mode in ("fast", "exact"):  # ours before and after, as the machine's speed varies
                rounds = 3 if mode == "fast" or n * m <= 100 else 1
                answers[mode] = peer(python, continuum, mode, rounds, seconds)
                times += timed(continuum, 31, A_WHILE)
            mine = statistics.median(times)
            cells = [f"{name} {n} × {m}", milliseconds(mine)]
            excess = "–"
            for mode in ("exact", "fast"):
                answer = answers[mode]
                if answer is None:
                    cells += [f"> {seconds:g} s", f"> {seconds / mine:,.0f}"]
                    continue
                solver = answer["solver"]
                theirs = total_of(continuum, answer["units"])
                if mode == "exact":
                    fine = fine and optimal and abs(theirs - total) <= 1e-9 * max(1.0, total)
                else:
                    excess = f"{theirs / total - 1:+.2%}"
                    fine = fine and theirs >= total - 1e-9
                typical = statistics.median(answer["times"])
                cells += [milliseconds(typical), f"{typical / mine:,.0f}"]
            cells += [excess, milliseconds(ours_in_turn(make, n, m))]
            lines.append("| " + " | ".join(cells) + " |")
            print(lines[-1], flush=True)
    verdict = (
        "All alignments of the exact peer, evaluated in float64, cost what ours cost."
        if fine
        else "**An alignment of the exact peer does not cost what ours costs.**"
    )
    return [*lines, "", f"Peer: pygamma-agreement 0.5.9, solver {solver}. {verdict}"], fine


def alone() -> list[str]:
    lines = ["| continuum | median | proven optimal |", "|---|---|---|"]
    for name, make in (("degraded", degraded), ("chance", chance)):
        for n, m in OURS_ONLY:
            seconds, _, optimal = ours(make(n, m, 1), 5)
            lines.append(f"| {name} {n} × {m} | {milliseconds(seconds)} | {optimal} |")
            print(lines[-1], flush=True)
    return lines


def growth() -> list[str]:
    lines = ["| 3 annotators × units | median | per unit | peak memory |", "|---|---|---|---|"]
    for m in GROWTH:
        continuum = degraded(3, m, 1)
        seconds, _, _ = ours(continuum, 3)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        per_unit = seconds / continuum.n_units * 1e6
        lines.append(f"| {m:,} | {milliseconds(seconds)} | {per_unit:.2f} µs | {peak:.0f} MB |")
        print(lines[-1], flush=True)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--peer-python", help="interpreter with pygamma-agreement[CBC]")
    parser.add_argument("--peer-seconds", type=float, default=60.0)
    parser.add_argument("--sizes", help="annotators x units, such as 3x25,5x25")
    options = parser.parse_args()
    sizes = list(SIZES)
    if options.sizes:
        sizes = [tuple(int(x) for x in size.split("x")) for size in options.sizes.split(",")]  # type: ignore[misc]
    compile_kernels()
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    load = f"load {os.getloadavg()[0]:.1f} at the start"
    parts = ["# Best alignments", "", f"Machine: {machine}; {load}. One thread, medians.", ""]
    parts += ["## Cost against length", "", *growth(), ""]
    parts += ["## Many annotators", "", *alone(), ""]
    fine = True
    if options.peer_python:
        table, fine = side_by_side(sizes, options.peer_python, options.peer_seconds)
        parts += ["## Beside the peer", "", *table, ""]
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text("\n".join(parts))
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
