"""Coverage of 95 % confidence intervals in simulated campaigns of few and many documents.

    python benchmarks/interval_coverage.py            # ten minutes; --campaigns 50 for a look

Documents vary in difficulty, and are drawn from a large corpus whose value is the true value. α:
three annotators, ten items per document, two categories, the rarer one with a share of 1/3 or 1/10.
γ: three annotators, eight units per document, with random2 and with the chance models used for few
documents. Plain percentiles of the same resamples are compared with Accordeur's expanded
percentiles. Writes benchmarks/results/coverage.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from accordeur.metrics.agreement.inference import bootstrap
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.agreement.registry import compute
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.chance.sampler import Process
from accordeur.metrics.unitizing.gamma import gamma
from accordeur.metrics.unitizing.gamma_from_counts import bootstrap_gamma, expected_per_document

RESULTS = Path(__file__).resolve().parent / "results" / "coverage.md"
SIZES = (3, 4, 5, 8, 12, 20, 30)
LARGE = 20_000  # documents of the corpus that defines the true α
MANY = 3_000  # documents of the corpus that defines the true γ
ALPHA = "krippendorff_alpha"


def labels(rng: np.random.Generator, n_documents: int, rarer: float) -> LabelMatrix:
    """Simulate three annotators with higher error rates in more difficult documents."""
    documents = np.arange(n_documents).repeat(10)
    share = rng.beta(8 * rarer, 8 * (1 - rarer), n_documents)[documents]
    right = rng.beta(8, 1.2, n_documents)[documents, None]
    truth = (rng.random(documents.size) < share)[:, None]
    guessed = rng.random((documents.size, 3)) < rarer
    seen = np.where(rng.random((documents.size, 3)) < right, truth, guessed)
    return LabelMatrix(
        codes=seen.astype(np.int32), tagset=("A", "B"), annotators=tuple("abc"), documents=documents
    )


def document(rng: np.random.Generator) -> Continuum:
    """Simulate eight units; errors are more frequent in more difficult documents."""
    gaps, sizes = rng.integers(0, 21, 8), rng.integers(4, 20, 8)
    ends = np.cumsum(gaps + sizes)
    left_out, moved, confused = rng.beta(1, 6), rng.beta(1.2, 3), rng.beta(1, 6)
    owner, unit = np.nonzero(rng.random((3, 8)) >= left_out)
    moves = np.round(rng.uniform(-moved, moved, (2, unit.size)) * sizes[unit] / 2)
    starts = np.maximum(0.0, ends[unit] - sizes[unit] + moves[0])
    categories = rng.integers(0, 3, 8)[unit]
    wrong = rng.random(unit.size) < confused
    categories[wrong] = rng.integers(0, 3, wrong.sum())
    return Continuum(
        starts,
        np.maximum(starts + 1, ends[unit] + moves[1]),
        categories,
        owner,
        tuple("abc"),
        tuple("xyz"),
        length=float(ends[-1]) + 10,
    )


def of_alpha(n_documents: int, rarer: float, n_campaigns: int) -> tuple[float, float]:
    """Coverage of the true α by the expanded and the plain interval."""
    truth = compute(ALPHA, labels(np.random.default_rng(0), LARGE, rarer)).value
    held = np.zeros(2)
    for seed in range(1, n_campaigns + 1):
        matrix = labels(np.random.default_rng([n_documents, seed]), n_documents, rarer)
        for k, method in enumerate(("expanded-percentile", "percentile")):
            found = bootstrap(matrix, measures=[ALPHA], seed=seed, method=method)[ALPHA]  # type: ignore[arg-type]  # of a loop
            held[k] += found.lower <= truth <= found.upper
    return held[0] / n_campaigns, held[1] / n_campaigns


def of_gamma(
    n_documents: int,
    population: Sequence[Continuum],
    truth: float,
    processes: tuple[Process, ...],
    n_campaigns: int,
) -> tuple[float, float]:
    """Coverage of the true γ, with new chance samples for each campaign."""
    held = np.zeros(2)
    for seed in range(n_campaigns):
        rng = np.random.default_rng([n_documents, seed])
        drawn = rng.choice(len(population), n_documents, replace=False)
        found = gamma([population[d] for d in drawn], processes=processes, seed=seed)
        rows = expected_per_document(found.observed, found.expected, found.influences)
        resamples = bootstrap_gamma(found.observed, rows, n_replicates=1000, seed=seed)
        lower, upper = np.quantile(resamples, [0.025, 0.975])
        held += [
            found.corpus.interval[0] <= truth <= found.corpus.interval[1],
            lower <= truth <= upper,
        ]
    return held[0] / n_campaigns, held[1] / n_campaigns


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--campaigns", type=int, default=600)
    n_campaigns = parser.parse_args().campaigns
    rng = np.random.default_rng(5)
    population = [document(rng) for _ in range(MANY)]
    columns: dict[str, list[tuple[float, float]]] = {}
    for rarer in (0.33, 0.1):
        columns[f"α, rarer category {rarer:g}"] = [of_alpha(n, rarer, n_campaigns) for n in SIZES]
    chances: tuple[tuple[Process, ...], ...] = (("random2",), ("shuffle", "statistical"))
    for processes in chances:
        truth = gamma(population, processes=processes, precision=0.003, replicates=0).corpus.value
        columns[f"γ, {' and '.join(processes)}"] = [
            of_gamma(n, population, truth, processes, n_campaigns) for n in SIZES
        ]
    lines = [f"| documents | {' | '.join(columns)} |", "|---" * (1 + len(columns)) + "|"]
    for i, n in enumerate(SIZES):
        cells = [f"{column[i][0]:.3f} / {column[i][1]:.3f}" for column in columns.values()]
        lines.append(f"| {n} | {' | '.join(cells)} |")
    error = 1.96 * np.sqrt(0.95 * 0.05 / n_campaigns)
    text = (
        f"Share of {n_campaigns:,} simulated campaigns whose interval at 95 % holds the true "
        f"value,\nexpanded / plain percentiles of the same 1,000 resamples (± {error:.3f})."
    )
    lines += ["", text]
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
