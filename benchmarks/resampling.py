"""Speed of resampling: exact M(k), complete enumeration and synthetic trials.

    python benchmarks/resampling.py [--rounds 3] [--threads 2] [--quick]

No other package does this, so the baseline for enumeration is a NumPy loop over
`itertools.combinations` in the same process (one-hot labels added per subset), on some of the
subsets. Each line checks its own result: enumeration and loop against the exact M(k), trials
against M(k) of their campaign. Wall seconds are medians of the rounds, after one call that compiles
or loads the kernels; a difference from the CPU seconds indicates a busy machine. `--quick` omits
the campaign of 200 annotators.
"""

from __future__ import annotations

import argparse
import itertools
import math
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.bootstrap import trial_seed
from accordeur.metrics.resampling.majority import TIES
from accordeur.metrics.resampling.subsets.modification_rate import modification_rate
from accordeur.metrics.resampling.subsets.subset_votes import modified_items_in_order, vote_rows
from accordeur.metrics.resampling.synthetic.synthetic_annotators import (
    Synthesis,
    item_profile,
    synthetic_labels,
)
from accordeur.metrics.resampling.synthetic.trials import run_synthetic_trials
from tests.metrics.resampling.whole_distribution import subset_distribution

LOOP_SUBSETS = 3_000  # subsets in the NumPy loop


def campaign(n: int, n_items: int, n_categories: int, *, seed: int = 0) -> LabelMatrix:
    """Items of varying difficulty: the share of annotators who guess is uniform."""
    rng = np.random.default_rng(seed)
    base = rng.integers(0, n_categories, (n_items, 1))
    lot = rng.integers(0, n_categories, (n_items, n))
    codes = np.where(rng.random((n_items, n)) < rng.random((n_items, 1)), lot, base)
    return LabelMatrix(
        codes=codes.astype(np.int32),
        tagset=tuple("abcdefgh"[:n_categories]),
        annotators=tuple(f"annotator {a}" for a in range(n)),
    )


def timed(work: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Return median wall and CPU seconds."""
    wall, cpu = [], []
    for _ in range(rounds):
        start, start_cpu = time.perf_counter(), time.process_time()
        work()
        wall.append(time.perf_counter() - start)
        cpu.append(time.process_time() - start_cpu)
    return statistics.median(wall), statistics.median(cpu)


def exact_table(rounds: int, threads: int, *, quick: bool) -> None:
    print("| exact M(k), every k | ties | wall s | CPU s | asked |")
    print("|---|---|---|---|---|")
    sizes = [(25, 300, 5, "< 0.2 s")] + ([] if quick else [(200, 10_000, 5, "< 10 s")])
    for n, n_items, n_categories, asked in sizes:
        matrix = campaign(n, n_items, n_categories)
        for ties in TIES:

            def work(matrix: LabelMatrix = matrix, ties: str = ties) -> None:
                modification_rate(matrix, ties=ties, ordered=True, threads=threads)

            if n < 100:
                work()
            wall, cpu = timed(work, rounds if n < 100 else 1)
            print(
                f"| {n} annotators × {n_items} items × {n_categories} | {ties} | "
                f"{wall:.3f} | {cpu:.3f} | {asked} |"
            )


def numpy_loop(matrix: LabelMatrix, k: int, most: int) -> tuple[float, float]:
    """Mean rate of the first `most` k-subsets by a loop over combinations, and its CPU seconds."""
    n_categories = len(matrix.tagset)
    one_hot = (matrix.codes[:, :, None] == np.arange(n_categories)).astype(np.int64)
    whole = one_hot.sum(axis=1)
    tied = whole == whole.max(axis=1, keepdims=True)
    reference = tied / tied.sum(axis=1, keepdims=True)
    start, total, n_subsets = time.process_time(), 0.0, 0
    for subset in itertools.islice(itertools.combinations(range(matrix.n_annotators), k), most):
        counts = one_hot[:, list(subset)].sum(axis=1)
        tied = counts == counts.max(axis=1, keepdims=True)
        kept = (reference * tied).sum(axis=1) / tied.sum(axis=1)
        total += 1 - kept.mean()
        n_subsets += 1
    return total / n_subsets, time.process_time() - start


def enumeration_table(rounds: int, threads: int) -> bool:
    n, n_items = 25, 300
    matrix = campaign(n, n_items, 5)
    sizes = range(2, n + 1)
    subsets = sum(math.comb(n, k) for k in sizes)
    exact = modification_rate(matrix, ks=sizes, n_replicates=0).rate
    subset_distribution(matrix, ks=[2])
    print(
        "\n| every subset of size ≥ 2 | wall s | CPU s | subset-items / s | per CPU s | "
        "× NumPy loop, a CPU s | asked |"
    )
    print("|---|---|---|---|---|---|---|")
    _, seconds = numpy_loop(matrix, 12, LOOP_SUBSETS)
    loop = LOOP_SUBSETS * n_items / seconds
    print(f"| NumPy loop ({LOOP_SUBSETS} subsets of 12) | | {seconds:.2f} | | {loop:.2e} | 1 | |")
    correct = True
    for coefficient in (None, "conger_kappa"):
        result = subset_distribution(
            matrix, ks=sizes, most=subsets, coefficient=coefficient, threads=threads
        )
        correct &= bool(np.abs(result.rate - exact).max() < 1e-12)

        def work(coefficient: str | None = coefficient) -> None:
            subset_distribution(
                matrix, ks=sizes, most=subsets, coefficient=coefficient, threads=threads
            )

        wall, cpu = timed(work, rounds)
        speed, each = subsets * n_items / wall, subsets * n_items / cpu
        name = "votes" if coefficient is None else "votes and κ"
        print(
            f"| {subsets:,} subsets × {n_items} items, {name} | {wall:.1f} | {cpu:.1f} | "
            f"{speed:.2e} | {each:.2e} | {each / loop:.0f} | ≥ 5e8, ≥ 100 × |"
        )
    small = campaign(9, 100, 5)
    mean, _ = numpy_loop(small, 4, 10**6)
    correct &= abs(mean - modification_rate(small, ks=[4], n_replicates=0).rate[0]) < 1e-12
    print(f"\nEnumeration and loop equal the exact M(k): {correct}")
    return bool(correct)


def trials_table(rounds: int) -> bool:
    profile, made = item_profile(campaign(25, 100, 5)), Synthesis()
    run_synthetic_trials(profile, made, count=2)

    def enumerate_all() -> np.ndarray:
        rates = np.empty((2_000, 7))
        for trial in range(2_000):
            codes = synthetic_labels(
                profile, made, np.random.default_rng(trial_seed("s", "", trial))
            )
            matrix = LabelMatrix(codes=codes, tagset=profile.tagset, annotators=tuple("abcdefghi"))
            rows = vote_rows(matrix, ties="random", values=np.arange(5.0))
            for q, k in enumerate(range(2, 9)):
                modified, _ = modified_items_in_order(rows, k, first=0, count=math.comb(9, k))
                rates[trial, q] = modified.mean() / 100
        return rates

    print("\n| 2,000 trials × all subsets of 9 annotators × 100 items | wall s | CPU s | asked |")
    print("|---|---|---|---|")
    exact = run_synthetic_trials(profile, made, study="s")
    wall, cpu = timed(lambda: run_synthetic_trials(profile, made, study="s"), rounds)
    print(f"| M(k) exact, κ and α | {wall:.2f} | {cpu:.2f} | < 10 s |")
    listed = enumerate_all()
    wall, cpu = timed(enumerate_all, rounds)
    print(f"| every subset one by one | {wall:.2f} | {cpu:.2f} | < 10 s |")
    correct = bool(np.abs(exact.rate - listed).max() < 1e-12)
    print(f"\nBoth give the same rates: {correct}")
    return correct


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    exact_table(options.rounds, options.threads, quick=options.quick)
    correct = enumeration_table(options.rounds, options.threads)
    return 0 if trials_table(options.rounds) and correct else 1


if __name__ == "__main__":
    sys.exit(main())
