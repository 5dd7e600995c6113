"""Predicted score of another crew from one crew, and alarm rate of the predictive check.

    python benchmarks/disagreement.py --data FOLDER [--repeats 8] [--checks 40]

FOLDER contains bluebirds, weather_sentiment, snow2008 and hs_brexit as long tables. From each, two
disjoint crews of n labels per item are drawn: the score of the first crew is predicted from its own
labels, and computed against the second crew. The check is run on simulated labels: annotators of
the model, items of unequal difficulty, and an annotator who copies another one half of the time.
Writes benchmarks/results/disagreement.md.
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.arrays import shares
from accordeur.metrics.distribution_scores import DISTRIBUTION_SCORES
from accordeur.metrics.references.label_models.predictive_check import predictive_check
from accordeur.metrics.scores.expected_annotator_score import expected_annotator_scores
from accordeur.metrics.scores.soft_scores import SoftReference, item_scores

RESULTS = Path(__file__).parent / "results" / "disagreement.md"
SIZES = {"bluebirds": (3, 5, 8, 12, 18), "weather": (3, 5, 8, 10), "rte": (3, 5), "brexit": (3,)}
MEASURES = tuple(DISTRIBUTION_SCORES)


def labels_of(folder: Path, name: str) -> list[NDArray[np.int64]]:
    """Return the labels of each item, as codes."""
    place, keys = {
        "bluebirds": ("bluebirds/bluebirds_long.csv", ("item", "label")),
        "weather": ("weather_sentiment/CF_amt.csv", (1, 2)),
        "rte": ("snow2008/rte.standardized.tsv", ("orig_id", "response")),
        "brexit": ("hs_brexit/HS-Brexit_long.csv", ("item", "label")),
    }[name]
    with (folder / place).open(newline="") as file:
        delimiter = "\t" if place.endswith("tsv") else ","
        named = isinstance(keys[0], str)
        rows = csv.DictReader(file, delimiter=delimiter) if named else csv.reader(file)
        found: dict[str, list[str]] = defaultdict(list)
        for row in rows:
            found[row[keys[0]]].append(row[keys[1]])  # type: ignore[index, call-overload]
    tagset = sorted({label for of_item in found.values() for label in of_item})
    return [np.array([tagset.index(label) for label in of_item]) for of_item in found.values()]


def crews(folder: Path, repeats: int) -> list[str]:
    lines = ["| data | n | " + " | ".join(MEASURES) + " |", "|---|---|" + "---|" * len(MEASURES)]
    rng = np.random.default_rng(0)
    for name, sizes in SIZES.items():
        items = labels_of(folder, name)
        width = max(int(one.max()) for one in items) + 1
        for n in sizes:
            foreseen, found = [], []
            for _ in range(repeats):
                drawn = [rng.permutation(one)[: 2 * n] for one in items if one.size >= 2 * n]
                one, other = (
                    np.stack([np.bincount(codes[part], minlength=width) for codes in drawn])
                    for part in (slice(0, n), slice(n, 2 * n))
                )
                reference = SoftReference(one, shares(one), positions=np.arange(width) * 1.0)
                foreseen.append(
                    [value.value for value in expected_annotator_scores(reference, MEASURES)]
                )
                found.append([item_scores(m, reference, shares(other)).mean() for m in MEASURES])
            ratios = np.mean(foreseen, axis=0) / np.mean(found, axis=0)
            lines.append(f"| {name} | {n} | " + " | ".join(f"{one:.2f}" for one in ratios) + " |")
    return lines


def simulated(seed: int, n_annotators: int, kind: str, n_items: int = 200) -> LabelMatrix:
    rng = np.random.default_rng(seed)
    truth, accuracy = rng.integers(0, 3, n_items), rng.uniform(0.6, 0.9, n_annotators)
    shift = rng.choice([-2.0, 0, 2], n_items)[:, None] if kind == "difficulty" else 0.0
    logits = np.log(accuracy / (1 - accuracy)) + shift
    right = rng.random((n_items, n_annotators)) < 1 / (1 + np.exp(-logits))
    wrong = (truth[:, None] + rng.integers(1, 3, right.shape)) % 3
    codes = np.where(right, truth[:, None], wrong)
    if kind == "copying":
        codes[:, 1] = np.where(rng.random(n_items) < 0.5, codes[:, 0], codes[:, 1])
    names = tuple(f"a{a}" for a in range(n_annotators))
    return LabelMatrix(codes=codes.astype(np.int32), tagset=("a", "b", "c"), annotators=names)


def checks(n: int) -> list[str]:
    kinds = ("model", "difficulty", "copying")
    lines = ["| annotators | " + " | ".join(kinds) + " |", "|---|---|---|---|"]
    for n_annotators in (3, 5, 8):
        rates = [
            np.mean([predictive_check(simulated(s, n_annotators, kind)).fails for s in range(n)])
            for kind in kinds
        ]
        lines.append(f"| {n_annotators} | " + " | ".join(f"{rate:.2f}" for rate in rates) + " |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repeats", type=int, default=8)
    parser.add_argument("--checks", type=int, default=40)
    given = parser.parse_args()
    text = [
        "# Disagreement as signal",
        "",
        "Made by `benchmarks/disagreement.py`.",
        "",
        "## Another crew",
        "",
        "The score that a crew of n foresees, over its score against a disjoint crew of n;",
        f"means of {given.repeats} pairs of crews. 1 is right.",
        "",
        *crews(given.data, given.repeats),
        "",
        "## Predictive check",
        "",
        f"Share of {given.checks} checks that fail at .05, 200 items. `model`: false alarms.",
        "",
        *checks(given.checks),
        "",
    ]
    RESULTS.write_text("\n".join(text), encoding="utf-8")


if __name__ == "__main__":
    main()
