"""Accuracy of plans: simulated pilots of 40 items by 3 annotators, and the planned campaigns.

    python benchmarks/planning.py            # a few minutes; --pilots 10 for a quick look

Seven populations of labels. Up to the pilot's number of annotators (2, 3), the plan gives a number
of items: the table has the mean width of the 95 % CI of campaigns of that size, as a share of the
requested width, and the same after planning again with the first half of the campaign. Above it
(4, 5), the plan gives a range: the table has its coverage of the number of items that the
population needs, and its width. Writes benchmarks/results/planning.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from accordeur.metrics.agreement.evaluate import evaluate_matrix
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.options import Sampling
from accordeur.metrics.resampling.label_pilot import pilot_variance
from accordeur.metrics.resampling.planning import PilotVariance
from accordeur.metrics.resampling.planning_error import (
    pilots_without_each_group,
    range_beyond_pilot,
)

RESULTS = Path(__file__).resolve().parent / "results" / "planning.md"
ITEMS, ANNOTATORS, WIDTH, ALPHA = 40, 3, 0.2, "krippendorff_alpha"
LARGE = 20_000  # items of the campaign that represents the population
CAMPAIGNS = 8  # per plan

HEAD = """# Do plans hold?

`python benchmarks/planning.py`: {pilots} pilots of 40 items by 3 annotators in each population, a
95 % CI of width 0.2 asked for. Mean width of the campaigns, as a share of the width that was
promised (1 is right, 0.9 to 1.1 the aim): planned from the pilot by 2 and by 3 annotators, and
planned again from the first half of the campaign (mean, smallest and largest campaign). Then the
share of the ranges given for 4 and 5 annotators that hold the number of items the population
needs, and how wide these ranges are.

| population | 2 annotators | 3 annotators | planned again | 3, single plans | 4: held | 5: held |
|---|---|---|---|---|---|---|
"""

Labels = NDArray[np.int32]
Population = Callable[[np.random.Generator, int, int], Labels]


def beta_binomial(a: float, b: float) -> Population:
    """Two categories; each item has its own probability of the first."""

    def drawn(rng: np.random.Generator, n_items: int, n: int) -> Labels:
        share = rng.beta(a, b, n_items)
        return (rng.random((n_items, n)) < share[:, None]).astype(np.int32)

    return drawn


def latent_class(prevalence: float, accuracy: tuple[float, ...], k: int = 2) -> Population:
    """Each item has a true category; annotator j identifies it with accuracy j, or errs."""

    def drawn(rng: np.random.Generator, n_items: int, n: int) -> Labels:
        shares = np.r_[prevalence, np.full(k - 1, (1 - prevalence) / (k - 1))]
        true = rng.choice(k, n_items, p=shares)
        seen = rng.random((n_items, n)) < np.resize(accuracy, n)
        wrong = (true[:, None] + rng.integers(1, k, (n_items, n))) % k
        return np.where(seen, true[:, None], wrong).astype(np.int32)

    return drawn


def hard_items(share: float, k: int = 3) -> Population:
    """A share of the items is labelled at random; annotators agree on the others."""

    def drawn(rng: np.random.Generator, n_items: int, n: int) -> Labels:
        true, hard = rng.integers(0, k, n_items), rng.random(n_items) < share
        return np.where(hard[:, None], rng.integers(0, k, (n_items, n)), true[:, None]).astype(
            np.int32
        )

    return drawn


POPULATIONS: dict[str, Population] = {
    "beta-binomial, balanced": beta_binomial(0.5, 0.5),
    "beta-binomial, skewed": beta_binomial(0.4, 1.2),
    "two classes, accuracy .9": latent_class(0.5, (0.9,)),
    "two classes, one of a tenth": latent_class(0.1, (0.93,)),
    "four classes, accuracies .75 to .95": latent_class(0.4, (0.85, 0.75, 0.95), 4),
    "three classes, 30 % hard items": hard_items(0.3),
    "two classes, one poor annotator of three": latent_class(0.5, (0.95, 0.9, 0.7)),
}


def matrix(labels: Labels) -> LabelMatrix:
    names = tuple(f"c{k}" for k in range(int(labels.max()) + 1))
    return LabelMatrix(
        codes=labels, tagset=names, annotators=tuple(f"a{j}" for j in range(labels.shape[1]))
    )


def width(labels: Labels, seed: int) -> float:
    [found] = evaluate_matrix(matrix(labels), measures=(ALPHA,), sampling=Sampling(seed=seed))[:1]
    return found.interval[1] - found.interval[0]


def mean_width(population: Population, rng: np.random.Generator, n_items: int, a: int) -> float:
    """Mean width for campaigns by `a` of the pilot's annotators, drawn again for each."""
    widths = []
    for seed in range(CAMPAIGNS):
        labels = population(rng, n_items, ANNOTATORS)
        widths.append(width(labels[:, rng.permutation(ANNOTATORS)[:a]], seed))
    return float(np.mean(widths))


def documents_for(a: int) -> Callable[[PilotVariance], float | None]:
    return lambda pilot: pilot.unrounded_documents_for(WIDTH, a)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pilots", type=int, default=40)
    arguments = parser.parse_args()
    lines = []
    for name, population in POPULATIONS.items():
        rng = np.random.default_rng(1)
        needed = {}
        for a in (4, 5):
            large = pilot_variance(matrix(population(rng, LARGE, a)))
            needed[a] = large.documents_for(WIDTH, a) or 0
        ratios: dict[int, list[float]] = {2: [], 3: []}
        again: list[float] = []
        held: dict[int, list[bool]] = {4: [], 5: []}
        factors: dict[int, list[float]] = {4: [], 5: []}
        for _ in range(arguments.pilots):
            labels = population(rng, ITEMS, ANNOTATORS)
            pilot, left_out = (
                pilot_variance(matrix(labels)),
                pilots_without_each_group(matrix(labels)),
            )
            for a, found in ratios.items():
                planned = pilot.documents_for(WIDTH, a)
                assert planned is not None
                found.append(mean_width(population, rng, planned, a) / WIDTH)
            planned = pilot.documents_for(WIDTH, 3) or ITEMS
            half = population(rng, max(ITEMS, planned // 2), 3)
            replanned = pilot_variance(matrix(half)).documents_for(WIDTH, 3) or ITEMS
            again.append(mean_width(population, rng, replanned, 3) / WIDTH)
            for a in held:
                low, high = range_beyond_pilot(documents_for(a), a, pilot, left_out)
                held[a].append(low <= needed[a] <= high)
                factors[a].append((high / low) ** 0.5)
        cells = [name, *(f"{np.mean(found):.2f}" for found in ratios.values())]
        cells += [f"{np.mean(again):.2f} ({min(again):.2f} … {max(again):.2f})"]
        cells += [f"{min(ratios[3]):.2f} … {max(ratios[3]):.2f}"]
        cells += [f"{np.mean(held[a]):.2f} (×/÷ {np.median(factors[a]):.1f})" for a in held]
        lines.append("| " + " | ".join(cells) + " |")
        print(lines[-1], flush=True)
    RESULTS.write_text(HEAD.format(pilots=arguments.pilots) + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
