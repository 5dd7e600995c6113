"""The expected disorder of a corpus of 10,000 documents × 3 annotators × 25 units, to 1 %.

    python benchmarks/chance.py

One row for each chance model; the script fails if the requested precision was not reached. Writes
benchmarks/results/chance.md.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.alignment.precompile_kernels import compile_kernels
from accordeur.metrics.chance.corpus import corpus_of_continua
from accordeur.metrics.chance.expected_disorder import ExpectedDisorder, expected_disorder
from accordeur.metrics.chance.sample_drawing import PROCESSES
from accordeur.metrics.options import Chance

RESULTS = Path(__file__).resolve().parent / "results" / "chance.md"


def document(rng: np.random.Generator, n_annotators: int, n_units: int) -> Continuum:
    """Degrade a perfect annotation: bounds shifted by up to 20 %, 10 % of units omitted."""
    length = 40.0 * n_units
    starts = np.sort(rng.uniform(0, length, n_units)).round()
    sizes = rng.uniform(8, 30, n_units).round()
    categories = rng.integers(0, 4, n_units)
    owners, units = np.nonzero(rng.random((n_annotators, n_units)) > 0.1)
    moves = rng.uniform(-0.2, 0.2, (2, units.size)) * sizes[units]
    begins = np.maximum(0, starts[units] + moves[0].round())
    ends = np.maximum(begins + 1, starts[units] + sizes[units] + moves[1].round())
    wrong = rng.random(units.size) < 0.05
    return Continuum(
        begins,
        ends,
        np.where(wrong, rng.integers(0, 4, units.size), categories[units]),
        owners,
        tuple(f"annotator {a}" for a in range(n_annotators)),
        tuple("wxyz"),
        length=length + 100,
    )


def timed(run: Callable[[], ExpectedDisorder], repeats: int) -> tuple[float, ExpectedDisorder]:
    """Return the median seconds of several runs, and the last result."""
    seconds, results = [], []
    for _ in range(repeats):
        start = time.perf_counter()
        results.append(run())
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds), results[-1]


def corpus_table(repeats: int) -> list[str]:
    rng = np.random.default_rng(0)
    documents = [document(rng, 3, 25) for _ in range(10_000)]
    seconds, _ = timed(lambda: corpus_of_continua(documents), repeats)
    corpus = corpus_of_continua(documents)
    lines = [
        f"Flat arrays of the corpus: {seconds:.2f} s.",
        "",
        "| process | seconds | samples | expected disorder | precision reached |",
        "|---|---|---|---|---|",
    ]
    for process in PROCESSES:

        def run(process: str = process) -> ExpectedDisorder:
            return expected_disorder(
                corpus, Chance((process,)), dissimilarity=Dissimilarity(), seed=1
            )

        seconds, found = timed(run, repeats)
        lines.append(
            f"| {process} | {seconds:.3f} | {found.n_samples} | {found.value:.4f} | "
            f"{100 * found.precision:.2f} % |"
        )
        print(lines[-1], flush=True)
        if found.precision > 0.01:
            raise SystemExit(f"{process}: the precision asked was not reached")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    compile_kernels()
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    parts = ["# Expected disorder: 10,000 documents × 3 annotators × 25 units, to 1 %", ""]
    parts += [f"Machine: {machine}; load {os.getloadavg()[0]:.1f} at the start. Medians.", ""]
    parts += [*corpus_table(options.repeats), ""]
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
