"""Coverage of the 95 % intervals of `accordeur judge`, beside other packages.

    python -m benchmarks.judges [--trials 2000] [--kappa-trials 400] [--peers PYTHON]

* κ of a judge with each of some humans, mean, on 50 to 500 items
* true positive and true negative rate, on 10 to 200 items of the category
* the same in documents of five items, whose prevalence and difficulty differ (intraclass
  correlation .1), and with items on which all annotators err more often (.2): errors correlate
* share of a category in the corpus, corrected by an audit; unconditional, as an interval is given
  also where no value is shown

Half of the cells of κ and of the rates are drawn by a seed and kept back. PYTHON is an interpreter
of another environment that has truescore and judgy: both get the same labels. Writes
benchmarks/results/judges.md.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from scipy.stats import beta, binom

from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.agreement.one_with_each import one_with_each
from accordeur.metrics.intervals.share_and_rate_intervals import share_bounds
from accordeur.metrics.options import Sampling
from accordeur.metrics.prevalence.audit_counts import audit_table
from accordeur.metrics.prevalence.corrected_share import corrected_share_interval

RESULTS = Path(__file__).parent / "results" / "judges.md"
SEED, LEAST = 5511, 0.90
PER_DOCUMENT, ICC, SHARED = 5, 0.1, 0.2
PEERS = r"""
import json, sys, warnings
import numpy as np
import judgy, truescore
warnings.simplefilter("ignore")
def tried(call):
    try:
        low, high = call()
    except (ValueError, RuntimeError):  # what both raise where a correction is undefined
        return None
    return [float(low), float(high)]
out = []
for line in sys.stdin:
    one = json.loads(line)
    judge, human = np.array(one["judge"]), np.array(one["human"])
    at, rest = np.arange(human.size), judge[human.size:]
    ppi = lambda: (lambda e: (e.low, e.high))(truescore.ppi_estimate(judge, human, at))
    rg = lambda: (lambda e: (e.low, e.high))(truescore.rogan_gladen_estimate(judge, human, at))
    own = lambda: judgy.estimate_success_rate(human, judge[:human.size], rest, 400)[1:]
    print(json.dumps([tried(ppi), tried(rg), tried(own)]))
"""


@dataclass(frozen=True)
class KappaCell:
    n_items: int
    n_humans: int
    accuracy: float
    prevalence: float
    in_documents: bool = False

    @property
    def name(self) -> str:
        return (
            f"{self.n_items} items, {self.n_humans} humans, accuracy {self.accuracy:g}, "
            f"prevalence {self.prevalence:g}"
        )

    @property
    def truth(self) -> float:
        """κ of two who are each right with the accuracy, independently given the item's."""
        right, p = self.accuracy, self.prevalence
        variance = SHARED * right * (1 - right) if self.in_documents else 0.0
        same = right**2 + (1 - right) ** 2 + 2 * variance
        share = p * right + (1 - p) * (1 - right)
        chance = share**2 + (1 - share) ** 2
        return (same - chance) / (1 - chance)

    def _drawn(self, rng: np.random.Generator) -> tuple[np.ndarray | None, np.ndarray, np.ndarray]:
        """Return document, prevalence and accuracy of each item.

        The accuracy of half of the items is that of their document.
        """
        if not self.in_documents:
            every = np.ones(self.n_items)
            return None, self.prevalence * every, self.accuracy * every
        home = np.arange(self.n_items) // PER_DOCUMENT
        n = int(home[-1]) + 1
        prevalence = rng.beta(*_beta(self.prevalence, ICC), n)[home]
        of_document = rng.beta(*_beta(self.accuracy, SHARED), n)[home]
        own = rng.beta(*_beta(self.accuracy, SHARED), self.n_items)
        return home, prevalence, np.where(rng.random(self.n_items) < 0.5, of_document, own)

    def covered(self, trials: int) -> tuple[int, int]:
        rng, covered, given = np.random.default_rng([SEED, self.n_items]), 0, 0
        tagset, names = ("no", "yes"), tuple(f"a{k}" for k in range(self.n_humans + 1))
        for trial in range(trials):
            home, prevalence, accuracy = self._drawn(rng)
            truth = rng.random(self.n_items) < prevalence
            right = rng.random((self.n_items, self.n_humans + 1)) < accuracy[:, None]
            codes = np.where(right, truth[:, None], ~truth[:, None]).astype(np.int32)
            matrix = LabelMatrix(codes=codes, tagset=tagset, annotators=names, documents=home)
            [found] = one_with_each(
                matrix, 0, measures=["cohen_kappa"], sampling=Sampling(300, 0.95, trial)
            )
            low, high = found.mean.interval
            if np.isfinite(low):
                given += 1
                covered += low <= self.truth <= high
        return covered, given


def _beta(mean: float, correlation: float) -> tuple[float, float]:
    """Return the parameters of the beta distribution with this mean and intraclass correlation."""
    n = (1 - correlation) / correlation
    return mean * n, (1 - mean) * n


@dataclass(frozen=True)
class RateCell:
    n_positive: int
    rate: float
    in_documents: bool = False

    @property
    def name(self) -> str:
        return f"{self.n_positive} items of the category, rate {self.rate:g}"

    def covered(self, trials: int) -> tuple[int, int]:
        """Return the coverage, exact on independent items."""
        if self.in_documents:
            return self._covered_in_documents(trials)
        hits = np.arange(self.n_positive + 1)
        bounds = [_rate_bounds(int(h), self.n_positive) for h in hits]
        covers = np.array([low <= self.rate <= high for low, high in bounds])
        share = float(binom.pmf(hits, self.n_positive, self.rate) @ covers)
        return round(share * trials), trials

    def _covered_in_documents(self, trials: int) -> tuple[int, int]:
        rng, covered, given = np.random.default_rng([SEED, self.n_positive]), 0, 0
        n = np.full((self.n_positive // PER_DOCUMENT, 1), float(PER_DOCUMENT))
        for _ in range(trials):
            hits = rng.binomial(PER_DOCUMENT, rng.beta(*_beta(self.rate, ICC), n.shape))
            found = share_bounds(hits.astype(float), n, level=0.95)
            low, high = float(found.lower[0]), float(found.upper[0])
            given += bool(np.isfinite(low))
            covered += low <= self.rate <= high
        return covered, given


def _rate_bounds(hits: int, n: int) -> tuple[float, float]:
    rows = np.zeros((n, 1))
    rows[:hits] = 1.0
    found = share_bounds(rows, np.ones((n, 1)), level=0.95)
    return float(found.lower[0]), float(found.upper[0])


@dataclass(frozen=True)
class ShareCell:
    prevalence: float
    n_audited: int
    sensitivity: float = 0.85
    specificity: float = 0.9
    n_items: int = 2000

    @property
    def name(self) -> str:
        return f"prevalence {self.prevalence:g}, {self.n_audited} audited of {self.n_items:,}"

    def drawn(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Return the labels of the judge and of the humans; the audited items are the first."""
        truth = rng.random(self.n_items) < self.prevalence
        says = rng.random(self.n_items)
        judge = np.where(truth, says < self.sensitivity, says >= self.specificity)
        return judge.astype(np.int64), truth.astype(np.int64)


def _shares(cells: Sequence[ShareCell], trials: int, python: str | None) -> list[list[str]]:
    rows = []
    for cell in cells:
        rng, covered, lines = np.random.default_rng([SEED, cell.n_audited]), 0, []
        for _ in range(trials):
            judge, truth = cell.drawn(rng)
            human = np.where(np.arange(cell.n_items) < cell.n_audited, truth, -1)
            bounds = corrected_share_interval(audit_table(judge, human, 2).one_against_rest())
            covered += float(bounds.lower[1]) <= truth.mean() <= float(bounds.upper[1])
            if python is not None:
                audited = truth[: cell.n_audited].tolist()
                lines.append(json.dumps({"judge": judge.tolist(), "human": audited}))
        row = [cell.name, f"{covered / trials:.3f}"]
        if python is not None:
            row += _peers(python, lines, cell, trials)
        rows.append(row)
    return rows


def _peers(python: str, lines: list[str], cell: ShareCell, trials: int) -> list[str]:
    done = subprocess.run(
        [python, "-c", PEERS], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    rng, hits, none = np.random.default_rng([SEED, cell.n_audited]), np.zeros(3), np.zeros(3)
    for line in done.stdout.splitlines():
        truth = cell.drawn(rng)[1].mean()
        for k, bounds in enumerate(json.loads(line)):
            none[k] += bounds is None
            hits[k] += bounds is not None and bounds[0] <= truth <= bounds[1]
    return [
        f"{h / trials:.3f}" + (f" ({n / trials:.0%} none)" if n else "")
        for h, n in zip(hits, none, strict=True)
    ]


def _table(title: str, cells: Sequence[KappaCell | RateCell], trials: int) -> list[str]:
    kept = set(np.random.default_rng(SEED).permutation(len(cells))[: len(cells) // 2].tolist())
    lines = [
        f"## {title}",
        "",
        "| half | cell | coverage | given | fails |",
        "|---|---|--:|--:|---|",
    ]
    for k, cell in enumerate(cells):
        covered, given = cell.covered(trials)
        share = covered / given if given else float("nan")
        lines.append(
            f"| {'kept back' if k in kept else 'seen'} | {cell.name} | {share:.3f} | "
            f"{given / trials:.0%} | {'yes' if _fails(covered, given) else ''} |"
        )
    return [*lines, ""]


def _fails(covered: int, given: int) -> bool:
    """Whether the upper 99 % limit of the coverage is below 0.90 (Clopper & Pearson 1934)."""
    if covered == given:
        return False
    return bool(beta.ppf(0.995, covered + 1, given - covered) < LEAST)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=2000)
    parser.add_argument("--kappa-trials", type=int, default=400)
    parser.add_argument("--share-trials", type=int, default=1000)
    parser.add_argument("--peers")
    options = parser.parse_args()
    kappas = [
        KappaCell(*one) for one in product((50, 150, 500), (1, 3), (0.8, 0.95), (0.1, 0.3, 0.5))
    ]
    rates = [RateCell(*one) for one in product((10, 30, 100, 200), (0.8, 0.9, 0.95, 0.99))]
    clustered = [
        KappaCell(*one, in_documents=True)
        for one in product((50, 150, 500), (1, 3), (0.8, 0.95), (0.1, 0.3))
    ]
    rates_of_documents = [
        RateCell(*one, in_documents=True)
        for one in product((10, 30, 100, 200), (0.8, 0.9, 0.95, 0.99))
    ]
    shares = [ShareCell(*one) for one in product((0.02, 0.05, 0.1, 0.3), (50, 100, 200))]
    n_kappa, n_share = options.kappa_trials, options.share_trials
    peers = " | truescore PPI++ | truescore Rogan–Gladen | judgy" if options.peers else ""
    lines = [
        "# Judges: coverage of 95 % CIs",
        "",
        "A cell fails if the upper 99 % limit of its coverage is below 0.9.",
        "",
        *_table(f"Mean κ with each human, {n_kappa} trials", kappas, n_kappa),
        *_table("True positive and true negative rate, exact", rates, options.trials),
        *_table(
            f"Mean κ in documents of {PER_DOCUMENT} items, errors correlate, {n_kappa} trials",
            clustered,
            n_kappa,
        ),
        *_table(
            f"Rates in documents of {PER_DOCUMENT} items, {options.trials} trials",
            rates_of_documents,
            options.trials,
        ),
        f"## Corrected share, sensitivity .85, specificity .9, {n_share} trials",
        "",
        f"| cell | Accordeur{peers} |",
        f"|---|--:|{'--:|' * (3 if peers else 0)}",
        *(f"| {' | '.join(row)} |" for row in _shares(shares, n_share, options.peers)),
    ]
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
