"""Coverage of 95 % confidence intervals in simulated campaigns of few and many documents.

    python benchmarks/interval_coverage.py            # ten minutes; --campaigns 50 for a look
    python benchmarks/interval_coverage.py --many     # only the table of 10,000 units and more

Few: documents vary in difficulty, and are drawn from a corpus whose value is the true value. α:
three annotators, ten items per document, two categories, the rarer one with a share of 1/3 or 1/10
(units: `coverage_units.py`). Plain percentiles of the same resamples are compared with Accordeur's
expanded percentiles. Many: 10,000 and more documents or distinct rows, where intervals come from
the joint normal limit of the sums (`metrics.agreement.normal_limit`); the true value is that of
2,000,000 units. Writes benchmarks/results/coverage.md.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from accordeur.metrics.agreement.coefficients import compute_coefficient, compute_coefficients
from accordeur.metrics.agreement.interval_methods import (
    bootstrap_intervals,
    intervals_over_units,
)
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.agreement.normal_limit import METHOD
from accordeur.metrics.agreement.resampling_units import bootstrap_replicates, resampling_units
from accordeur.metrics.measures import coefficient_of
from accordeur.metrics.options import Sampling

RESULTS = Path(__file__).resolve().parent / "results" / "coverage.md"
SIZES = (3, 4, 5, 8, 12, 20, 30)
LARGE = 20_000  # documents of the corpus that defines the true α
ALPHA = "krippendorff_alpha"
OF_MANY = "| 10,000 units and more |"
PARTS, PART = 8, 250_000  # of the population that defines the true values of many units
NOMINAL = (ALPHA, "conger_kappa", "gwet_ac1", "percent_agreement")
INTERVAL = (ALPHA, "weighted_kappa", "gwet_ac2")


@dataclass(frozen=True)
class Many:
    """A kind of campaign of many units.

    rarest   share of every category except the first; 0: ratings from 0 to K − 1
    missing  share of the labels that are missing
    sizes    items of a document: all the same number, or log-normal around 1; 0: no documents
    """

    n_units: int
    n_annotators: int
    n_categories: int
    rarest: float
    missing: float
    sizes: str
    distance: str = "nominal"

    @property
    def measures(self) -> tuple[str, ...]:
        return NOMINAL if self.distance == "nominal" else INTERVAL

    def campaign(self, rng: np.random.Generator, n_units: int) -> LabelMatrix:
        n_items = np.ones(n_units, dtype=np.int64)
        if self.sizes == "unequal":
            n_items = np.ceil(rng.lognormal(0, 1.2, n_units)).astype(np.int64)
        elif self.sizes:
            n_items *= int(self.sizes)
        of_item = np.arange(n_units).repeat(n_items)
        make = self._categories if self.rarest else self._ratings
        codes = make(rng, n_units, of_item)
        codes[rng.random(codes.shape) < self.missing] = -1
        return LabelMatrix(
            codes=codes.astype(np.int32),
            tagset=tuple(map(str, range(self.n_categories))),
            annotators=tuple(map(str, range(self.n_annotators))),
            documents=of_item if self.sizes else None,
        )

    def _categories(
        self, rng: np.random.Generator, n_units: int, of_item: np.ndarray
    ) -> np.ndarray:
        """Documents (or items) differ in prevalence and accuracy; errors are as the prevalence."""
        k, shape = self.n_categories, (of_item.size, self.n_annotators)
        shares = np.append(1 - (k - 1) * self.rarest, np.full(k - 1, self.rarest))
        accuracy = rng.beta(6, 2, n_units)[of_item, None]
        own = rng.dirichlet(8 * shares, n_units).cumsum(axis=1)[of_item]
        truth = (rng.random((of_item.size, 1)) > own[:, :-1]).sum(axis=1)[:, None]
        guessed = np.searchsorted(shares.cumsum()[:-1], rng.random(shape))
        return np.where(rng.random(shape) < accuracy, truth, guessed)

    def _ratings(self, rng: np.random.Generator, n_units: int, of_item: np.ndarray) -> np.ndarray:
        """Errors are larger in more difficult documents (or items)."""
        level = rng.normal(0.5, 0.12, n_units)[of_item] + rng.normal(0, 0.1, of_item.size)
        spread = rng.gamma(3, 0.03, n_units)[of_item, None]
        seen = level[:, None] + spread * rng.standard_normal((of_item.size, self.n_annotators))
        return np.rint(seen.clip(0, 1) * (self.n_categories - 1)).astype(np.int64)


MANY_UNITS = (
    Many(10_000, 2, 2, 0.05, 0.0, "2"),
    Many(10_000, 3, 3, 0.05, 0.2, "unequal"),
    Many(20_000, 5, 5, 0.1, 0.3, "unequal"),
    Many(10_000, 3, 5, 0.05, 0.2, "unequal", "interval"),
    Many(10_000, 4, 21, 0.0, 0.2, "unequal", "interval"),
    Many(12_000, 3, 101, 0.0, 0.0, "", "interval"),
    Many(20_000, 3, 101, 0.0, 0.1, "", "interval"),
    Many(40_000, 5, 16, 0.05, 0.0, ""),
)


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


def of_alpha(n_documents: int, rarer: float, n_campaigns: int) -> tuple[float, float]:
    """Coverage of the true α by the expanded and the plain interval."""
    truth = compute_coefficient(ALPHA, labels(np.random.default_rng(0), LARGE, rarer)).value
    held = np.zeros(2)
    for seed in range(1, n_campaigns + 1):
        matrix = labels(np.random.default_rng([n_documents, seed]), n_documents, rarer)
        groups = resampling_units(matrix)
        [found] = bootstrap_intervals(groups, [coefficient_of(ALPHA)], Sampling(seed=seed))
        held[0] += found.lower <= truth <= found.upper
        replicates = bootstrap_replicates(groups, measures=[ALPHA], seed=seed)[:, 0]
        lower, upper = np.nanquantile(replicates, [0.025, 0.975])
        held[1] += lower <= truth <= upper
    return held[0] / n_campaigns, held[1] / n_campaigns


def of_many(setting: Many, n_campaigns: int) -> list[str]:
    """Cells of the table: coverage by coefficient, from the normal limit only, and all together."""
    parts = []
    for part in range(PARTS):
        matrix = setting.campaign(np.random.default_rng([1, part]), PART)
        found = compute_coefficients(matrix, measures=setting.measures, distance=setting.distance)
        parts.append([one.value for one in found])
    truth = dict(zip(setting.measures, np.mean(parts, axis=0).tolist(), strict=True))
    held: dict[str, list[bool]] = {name: [] for name in setting.measures}
    for seed in range(n_campaigns):
        matrix = setting.campaign(np.random.default_rng([2, seed]), setting.n_units)
        names = [name for name in held if not seed or held[name]]
        intervals = intervals_over_units(
            resampling_units(matrix),
            measures=names,
            sampling=Sampling(seed=seed),
            distance=setting.distance,
        )
        for name, one in intervals.items():
            if one.method == METHOD:
                held[name].append(one.lower <= truth[name] <= one.upper)
    return [
        f"{name} {np.mean(hits):.3f} (value {truth[name]:.3f})"
        for name, hits in held.items()
        if hits
    ]


def table_of_many(n_campaigns: int) -> list[str]:
    lines = [f"{OF_MANY} annotators | categories | missing | coverage of 95 % |", "|---" * 5 + "|"]
    for one in MANY_UNITS:
        units = f"{one.n_units:,} " + {
            "": "items with distinct rows",
            "unequal": "documents of unequal sizes",
        }.get(one.sizes, f"documents of {one.sizes} items")
        categories = (
            f"{one.n_categories}, rarest {one.rarest:g}, {one.distance}"
            if one.rarest
            else f"ratings from 0 to {one.n_categories - 1}, interval"
        )
        cells = [units, str(one.n_annotators), categories, f"{one.missing:.0%}"]
        lines.append(f"| {' | '.join([*cells, '; '.join(of_many(one, n_campaigns))])} |")
        print(lines[-1], flush=True)
    error = 1.96 * np.sqrt(0.95 * 0.05 / n_campaigns)
    text = (
        f"Share of {n_campaigns:,} simulated campaigns whose interval at 95 %, from the normal "
        f"limit of\nthe sums, holds the value of {PARTS * PART:,} units (± {error:.3f})."
    )
    return [*lines, "", text]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--campaigns", type=int, default=600)
    parser.add_argument("--many", action="store_true", help="keep the table of few documents")
    options = parser.parse_args()
    n_campaigns = options.campaigns
    if options.many:
        kept = RESULTS.read_text(encoding="utf-8").partition(OF_MANY)[0].rstrip().splitlines()
        lines = [*kept, "", *table_of_many(n_campaigns)]
        RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return
    columns: dict[str, list[tuple[float, float]]] = {}
    for rarer in (0.33, 0.1):
        columns[f"α, rarer category {rarer:g}"] = [of_alpha(n, rarer, n_campaigns) for n in SIZES]
    lines = [f"| documents | {' | '.join(columns)} |", "|---" * (1 + len(columns)) + "|"]
    for i, n in enumerate(SIZES):
        cells = [f"{column[i][0]:.3f} / {column[i][1]:.3f}" for column in columns.values()]
        lines.append(f"| {n} | {' | '.join(cells)} |")
    error = 1.96 * np.sqrt(0.95 * 0.05 / n_campaigns)
    text = (
        f"Share of {n_campaigns:,} simulated campaigns whose interval at 95 % holds the true "
        f"value,\nexpanded / plain percentiles of the same 1,000 resamples (± {error:.3f})."
    )
    lines += ["", text, "", *table_of_many(n_campaigns)]
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
