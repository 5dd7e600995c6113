"""Coverage of 95 % CIs of measures on objects over few items, and their speed.

    python benchmarks/object_coverage.py --trials 1000   # twenty minutes on one core

Strings of 20 bits that annotators copy with errors, at an error rate of each item (Hamming
distance), and numbers whose annotators are four times as far apart on half of the items (squared
distance, whose mean a few items determine). The true value is that of 20,000 items. Writes
benchmarks/results/coverage-objects.md.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.arrays import Floats
from accordeur.metrics.objects.evaluate import MeasuredObjects
from accordeur.metrics.objects.object_distance import ObjectDistance
from accordeur.metrics.options import Sampling

RESULTS = Path(__file__).parent / "results" / "coverage-objects.md"
MEASURES = ("krippendorff_alpha", "alpha_random2", "mean_distance")


def distance(name: str) -> ObjectDistance:
    if name == "strings":
        return ObjectDistance(
            name="hamming",
            read=lambda text: np.frombuffer(text.encode(), np.uint8),
            distances=lambda first, second: (np.array(first) != np.array(second)).mean(axis=1),
            compares_items=True, metric=True, is_text=False, largest=1.0, source="Hamming 1950",
        )  # fmt: skip
    return ObjectDistance(
        name="squares",
        read=float,
        distances=lambda first, second: (np.array(first) - np.array(second)) ** 2,
        compares_items=True, metric=False, is_text=False, largest=None, source="",
    )  # fmt: skip


def drawn(name: str, n_items: int, n_annotators: int, seed: int) -> LabelMatrix:
    rng, shape = np.random.default_rng(seed), (n_items, n_annotators)
    if name == "strings":
        errors = rng.random((*shape, 20)) < rng.beta(1, 6, (n_items, 1, 1))
        bits = (rng.random((n_items, 1, 20)) < 0.5) ^ errors
        texts = ["".join(map(str, row)) for row in bits.astype(int).reshape(-1, 20).tolist()]
    else:
        noise = rng.normal(size=shape) * rng.choice([0.5, 2.0], (n_items, 1))
        texts = [repr(one) for one in (rng.normal(0, 2, (n_items, 1)) + noise).ravel().tolist()]
    tagset, codes = np.unique(texts, return_inverse=True)
    return LabelMatrix(
        codes=codes.reshape(shape).astype(np.int32),
        tagset=tuple(tagset.tolist()),
        annotators=tuple(f"a{k}" for k in range(n_annotators)),
        items=tuple(map(str, range(n_items))),
    )


def coverage(name: str, n_items: int, n_annotators: int, trials: int, truth: Floats) -> Floats:
    """Return the share of trials whose interval contains the true value, for each measure."""
    hits = np.zeros(len(MEASURES))
    for trial in range(trials):
        labels = drawn(name, n_items, n_annotators, 100 + trial)
        values = MeasuredObjects.from_matrix(labels, distance(name), Sampling()).values(MEASURES)
        low, high = np.array([one.interval for one in values]).T
        hits += (low <= truth) & (truth <= high)
    return hits / trials


def seconds(n_items: int) -> float:
    """Return the time of all measures with chance and intervals, two annotators."""
    labels, started = drawn("strings", n_items, 2, 1), time.perf_counter()
    MeasuredObjects.from_matrix(labels, distance("strings"), Sampling()).values()
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1000)
    trials = parser.parse_args().trials
    lines = [
        "# Measures on objects: coverage of 95 % CIs, and speed", "",
        f"{trials} trials (`benchmarks/object_coverage.py`).", "",
        f"| objects | annotators | items | {' | '.join(MEASURES)} |",
        f"|---|--:|--:|{'--:|' * len(MEASURES)}",
    ]  # fmt: skip
    for name in ("strings", "numbers"):
        for n_annotators in (2, 3):
            labels = drawn(name, 20_000, n_annotators, 9)
            measured = MeasuredObjects.from_matrix(labels, distance(name), Sampling(replicates=0))
            truth = np.array([one.value for one in measured.values(MEASURES)])
            for n_items in (30, 100):
                found = coverage(name, n_items, n_annotators, trials, truth)
                cells = " | ".join(f"{one:.3f}" for one in found)
                lines.append(f"| {name} | {n_annotators} | {n_items} | {cells} |")
    lines += ["", f"10,000 items of two annotators: {seconds(10_000):.1f} s on one core.", ""]
    RESULTS.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
