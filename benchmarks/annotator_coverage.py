"""How often intervals at 95 % hold the value of the pool that the annotators come from.

    python benchmarks/annotator_coverage.py            # twenty minutes; --campaigns 20 for a look

Labels: two categories (.7, .3), pools of annotators whose accuracy varies little, much, or between
two types; truth: the value of an endless crew on endless items.

γ: each annotator of the pool leaves out, moves and confuses units at rates of their own. The truth
is γ of many documents, each with new annotators. A campaign has a few annotators, who annotate all
of its documents; the interval over documents treats them as fixed, `annotators` as a sample.

Writes benchmarks/results/coverage-annotators.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from accordeur.metrics.agreement.annotator_sample import with_intervals_for_new_annotators
from accordeur.metrics.agreement.coefficients import compute_coefficients
from accordeur.metrics.agreement.counts import count
from accordeur.metrics.agreement.evaluate import evaluate_matrix, labelled_items
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.agreement.resampling_units import resampling_units
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.options import Process, Sampling
from accordeur.metrics.units.annotator_sample import gamma_for_new_annotators
from accordeur.metrics.units.gamma import GAMMA_2015, gamma
from accordeur.metrics.units.gamma_settings import GammaSettings

RESULTS = Path(__file__).resolve().parent / "results" / "coverage-annotators.md"
CAMPAIGNS: tuple[tuple[int, int, tuple[Process, ...]], ...] = (
    (12, 3, ()),
    (12, 5, ()),
    (30, 5, ()),
    (4, 5, ("shuffle",)),
)
MANY = 1500  # documents that tell the truth
UNITS = 8  # per document

Rates = NDArray[np.float64]  # (A, 3): units left out, bounds moved, categories confused
POOLS: dict[str, Callable[[np.random.Generator, int], Rates]] = {
    "similar: beta, mean .83, sd .06": lambda rng, n: rng.beta(30, 6, n),
    "diverse: beta, mean .75, sd .17": lambda rng, n: rng.beta(4, 1.3, n),
    "two types: half .9, half .6": lambda rng, n: np.where(rng.random(n) < 0.5, 0.9, 0.6),
    "two types: .9, one in four .55": lambda rng, n: np.where(rng.random(n) < 0.75, 0.9, 0.55),
    "two types: .9, one in ten .5": lambda rng, n: np.where(rng.random(n) < 0.9, 0.9, 0.5),
}
ITEMS, CREWS = (20, 60, 200), (3, 4, 5, 6, 8, 10, 15)
OF_LABELS = ("krippendorff_alpha", "conger_kappa", "gwet_ac1")


def labels(rng: np.random.Generator, accuracy: Rates, n_items: int) -> LabelMatrix:
    truth = rng.random((n_items, 1)) < 0.3
    right = rng.random((n_items, accuracy.shape[-1])) < accuracy
    return LabelMatrix(
        codes=np.where(right, truth, ~truth).astype(np.int32),
        tagset=("A", "B"),
        annotators=tuple(map(str, range(accuracy.shape[-1]))),
    )


def of_labels(pool: str, n_items: int, n_annotators: int, n_campaigns: int) -> Rates:
    """Coverage by the interval for new annotators of each coefficient."""
    rng = np.random.default_rng(0)
    accuracy = np.full(2, POOLS[pool](rng, 1_000_000).mean())
    truth = [
        one.value
        for one in compute_coefficients(labels(rng, accuracy, 500_000), measures=OF_LABELS)
    ]
    held = np.zeros(len(truth))
    for campaign in range(n_campaigns):
        rng = np.random.default_rng([n_items, n_annotators, campaign])
        matrix = labels(rng, POOLS[pool](rng, n_annotators), n_items)
        sampling = Sampling(replicates=200, seed=campaign)
        estimates = evaluate_matrix(matrix, measures=OF_LABELS, sampling=sampling)[: len(truth)]
        found = with_intervals_for_new_annotators(
            estimates, count(matrix), resampling_units(labelled_items(matrix))
        )
        held += [
            one.interval[0] <= value <= one.interval[1]
            for one, value in zip(found, truth, strict=True)
        ]
    return held / n_campaigns


def table_of_labels(n_campaigns: int) -> list[str]:
    lines = [
        f"| α, κ, AC1: pool of annotators | items | {' | '.join(map(str, CREWS))} annotators |",
        "|---" * (2 + len(CREWS)) + "|",
    ]
    for pool, n_items in product(POOLS, ITEMS):
        held = [of_labels(pool, n_items, crew, n_campaigns) for crew in CREWS]
        cells = [f"{one.min():.2f}–{one.max():.2f}" for one in held]
        lines.append(f"| {pool} | {n_items} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    error = 1.96 * np.sqrt(0.9 * 0.1 / n_campaigns)
    text = f"Share of {n_campaigns:,} simulated campaigns whose interval at 95 % holds the value of"
    return [*lines, "", f"{text} the pool (± {error:.3f} at .9), least and most of the three.", ""]


def annotators(rng: np.random.Generator, n: int) -> Rates:
    """Of very different care: each rate has a standard deviation about as large as its mean."""
    return np.stack([rng.beta(1, 5, n), 0.8 * rng.beta(1, 2, n), rng.beta(1, 5, n)], axis=1)


def document(rng: np.random.Generator, rates: Rates) -> Continuum:
    """A document of `UNITS` true units as these annotators mark it."""
    n = len(rates)
    gaps, sizes = rng.integers(0, 21, UNITS), rng.integers(4, 20, UNITS)
    ends, truth = np.cumsum(gaps + sizes), rng.integers(0, 3, UNITS)
    owner, unit = np.nonzero(rng.random((n, UNITS)) >= rates[:, :1])
    moves = rng.normal(0, 1, (2, unit.size)) * rates[owner, 1] * sizes[unit] / 2
    starts = np.maximum(0.0, ends[unit] - sizes[unit] + np.round(moves[0]))
    categories = truth[unit]
    wrong = rng.random(unit.size) < rates[owner, 2]
    categories[wrong] = rng.integers(0, 3, wrong.sum())
    return Continuum(
        starts,
        np.maximum(starts + 1, ends[unit] + np.round(moves[1])),
        categories,
        owner,
        tuple(f"a{a}" for a in range(n)),
        tuple("xyz"),
        length=float(ends[-1]) + 10,
    )


def pool_gamma(n_annotators: int, processes: tuple[Process, ...]) -> float:
    """γ of documents that each have new annotators."""
    rng = np.random.default_rng(n_annotators)
    many = [document(rng, annotators(rng, n_annotators)) for _ in range(MANY)]
    return gamma(many, processes=processes, precision=0.004, replicates=0).corpus.value


def simulated(
    n_documents: int, n_annotators: int, processes: tuple[Process, ...], n_campaigns: int
) -> Sequence[float]:
    """Coverage over documents and for new annotators, both mean widths, noise over the error."""
    truth = pool_gamma(n_annotators, processes)
    settings = GammaSettings(replicates=300, processes=processes)
    rows = []
    for seed in range(n_campaigns):
        rng = np.random.default_rng([n_documents, n_annotators, seed])
        crew = annotators(rng, n_annotators)
        continua = [document(rng, crew) for _ in range(n_documents)]
        found = gamma(continua, GAMMA_2015, settings, seed=seed)
        fixed = found.corpus
        sampled = gamma_for_new_annotators(fixed, continua, found.expected, GAMMA_2015, settings)
        noise = float(sampled.detail.chance_noise)
        both = float(np.hypot(noise, float(sampled.detail.standard_error_annotators)))
        rows.append(
            [
                *(one.interval[0] <= truth <= one.interval[1] for one in (fixed, sampled)),
                *(one.interval[1] - one.interval[0] for one in (fixed, sampled)),
                noise / both if both else 0.0,
                fixed.value,
            ]
        )
    means = np.mean(rows, axis=0).tolist()
    return [truth, *means[:-1], means[-1] - truth]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--campaigns", type=int, default=150)
    parser.add_argument("--labels", action="store_true", help="keep the table of γ as it is")
    options = parser.parse_args()
    n_campaigns = options.campaigns
    of_labels_table = table_of_labels(n_campaigns)
    if options.labels:
        kept = RESULTS.read_text(encoding="utf-8").splitlines()
        of_gamma = kept[next(i for i, line in enumerate(kept) if "γ of the pool |" in line) :]
        RESULTS.write_text("\n".join([*of_labels_table, *of_gamma]) + "\n", encoding="utf-8")
        return
    columns = (
        "documents", "annotators", "process", "γ of the pool", "holds it: over documents",
        "for new annotators", "width: over documents", "for new annotators", "chance", "bias of γ",
    )  # fmt: skip
    lines = [*of_labels_table, f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for n_documents, n_annotators, processes in CAMPAIGNS:
        truth, *found, bias = simulated(n_documents, n_annotators, processes, n_campaigns)
        chance = "+".join(processes) or "random2"
        cells = [str(n_documents), str(n_annotators), chance, f"{truth:.3f}"]
        cells += [f"{one:.3f}" for one in found[:4]]
        lines.append(f"| {' | '.join(cells)} | {found[4]:.0%} | {bias:+.3f} |")
        print(lines[-1], flush=True)
    error = 1.96 * np.sqrt(0.95 * 0.05 / n_campaigns)
    text = (
        f"Share of {n_campaigns:,} simulated campaigns whose interval at 95 % holds the γ of the "
        f"pool (± {error:.3f}).\nChance: the standard error that the samples of chance are "
        "expected to add to that of the jackknife,\nrelative to it; it is subtracted. Bias: mean "
        "γ of the campaigns less γ of the pool."
    )
    lines += ["", text]
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
