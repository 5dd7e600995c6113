"""Chance and whole γ: how long, how precise, and beside the peer.

    python benchmarks/chance.py
    python benchmarks/chance.py --peer /path/to/other/env/bin/python [--long]

Prints Markdown tables: the expected disorder of a corpus of 10,000 documents × 3 annotators × 25
units to 1 % by each process; γ with 30 samples on one document, beside pygamma-agreement (its own
environment, its CBC solver) on the same units. The peer's γ uses its own sampler, so its value is
compared through the observed disorder, which is the same number in both.
`--long` adds the sizes that take the peer minutes.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from metrics.alignment.continuum import Continuum
from metrics.alignment.dissimilarity import Dissimilarity
from metrics.chance.corpus import corpus_of
from metrics.chance.expected import expected_disorder
from metrics.chance.sampler import PROCESSES
from metrics.unitizing.gamma import gamma

SIZES = ((3, 25), (3, 100))
LONG_SIZES = ((5, 25), (4, 100))
PEER = """
import json, sys, time
import numpy as np
from pyannote.core import Segment
from pygamma_agreement import (Continuum, CombinedCategoricalDissimilarity,
                               ShuffleContinuumSampler)
rows = json.load(open(sys.argv[1]))
def build(part):
    continuum = Continuum()
    for annotator, start, end, category in part:
        continuum.add(annotator, Segment(start, end), category)
    return continuum
dissimilarity = CombinedCategoricalDissimilarity(alpha=1, beta=1, delta_empty=1)
# the first γ compiles: not timed
build(rows[::6]).compute_gamma(dissimilarity, n_samples=2, sampler=ShuffleContinuumSampler())
np.random.seed(0)
continuum = build(rows)
start = time.perf_counter()
result = continuum.compute_gamma(dissimilarity, n_samples=30, precision_level=None,
                                 sampler=ShuffleContinuumSampler())
seconds = time.perf_counter() - start
print(json.dumps({"seconds": seconds, "gamma": float(result.gamma),
                  "observed": float(result.observed_disorder)}))
"""


def document(rng: np.random.Generator, n_annotators: int, n_units: int) -> Continuum:
    """A perfect annotation degraded: bounds shifted by up to a fifth, a tenth left out."""
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


def timed(run: Callable[[], object], repeats: int) -> tuple[float, object]:
    """Median seconds of several runs, and the last result."""
    seconds = []
    result: object = None
    for _ in range(repeats):
        start = time.perf_counter()
        result = run()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds), result


def corpus_table(repeats: int) -> None:
    rng = np.random.default_rng(0)
    documents = [document(rng, 3, 25) for _ in range(10_000)]
    seconds, _ = timed(lambda: corpus_of(documents), repeats)
    corpus = corpus_of(documents)
    print("\n10,000 documents × 3 annotators × 25 units, expected disorder to 1 %\n")
    print(f"(flat arrays of the corpus: {seconds:.2f} s)\n")
    print("| process | seconds | samples | expected disorder | precision reached |")
    print("|---|---|---|---|---|")
    for process in PROCESSES:

        def run(process: str = process) -> object:
            return expected_disorder(
                corpus, processes=(process,), dissimilarity=Dissimilarity(), seed=1
            )

        seconds, found = timed(run, repeats)
        print(
            f"| {process} | {seconds:.3f} | {found.n_samples} | {found.value:.4f} | "
            f"{100 * found.precision:.2f} % |"
        )
        if found.precision > 0.01:
            raise SystemExit(f"{process}: the precision asked was not reached")


def peer_run(python: str, continuum: Continuum) -> dict[str, float]:
    rows = [
        [continuum.annotators[o], float(s), float(e), continuum.tagset[c]]
        for s, e, c, o in zip(
            continuum.starts,
            continuum.ends,
            continuum.categories,
            continuum.owners,
            strict=True,
        )
    ]
    with tempfile.TemporaryDirectory() as folder:
        units, script = Path(folder) / "units.json", Path(folder) / "peer.py"
        units.write_text(json.dumps(rows), encoding="utf-8")
        script.write_text(PEER, encoding="utf-8")
        done = subprocess.run(
            [python, str(script), str(units)], check=False, capture_output=True, text=True
        )
    if done.returncode:
        raise SystemExit(f"the peer failed: {done.stderr[-800:]}")
    return json.loads(done.stdout.splitlines()[-1])


def gamma_table(peer: str | None, sizes: tuple[tuple[int, int], ...], repeats: int) -> None:
    print("\nγ of one document with 30 shuffled samples\n")
    print("| annotators × units | ms | γ | peer ms | peer γ | ratio |")
    print("|---|---|---|---|---|---|")
    rng = np.random.default_rng(1)
    for n_annotators, n_units in sizes:
        one = document(rng, n_annotators, n_units)

        def run(one: Continuum = one) -> object:
            # a loose precision stops at the least number of samples, 30
            return gamma([one], processes=["shuffle"], precision=0.9, n_bootstrap=0)

        seconds, found = timed(run, repeats)
        ours = found.corpus
        row = f"| {n_annotators} × {n_units} | {1e3 * seconds:.1f} | {ours.value:.3f} |"
        if peer is None:
            print(f"{row} | | |")
            continue
        theirs = peer_run(peer, one)
        if abs(theirs["observed"] - ours.observed) > 1e-4:
            raise SystemExit(f"observed disorders differ: {ours.observed}, {theirs['observed']}")
        print(
            f"{row} {1e3 * theirs['seconds']:.0f} | {theirs['gamma']:.3f} | "
            f"{theirs['seconds'] / seconds:,.0f} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer", help="python of an environment with pygamma-agreement")
    parser.add_argument("--long", action="store_true", help="sizes that take the peer minutes")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    print(f"Python {platform.python_version()}, {platform.machine()}, {platform.system()}")
    warm = [document(np.random.default_rng(2), n, 6) for n in (2, 3, 4, 5)]
    for one in warm:  # compiles or loads the kernels
        gamma([one], processes=["shuffle"], precision=0.9, n_bootstrap=0)
    corpus_table(options.repeats)
    gamma_table(options.peer, SIZES + (LONG_SIZES if options.long else ()), options.repeats)


if __name__ == "__main__":
    main()
