"""Error rates and power of the verdicts of `accordeur replace`, and their run time.

    python benchmarks/replacement.py [--trials 1000]

The accuracies of a pool of annotators are drawn from a beta distribution with mean .8 and standard
deviation .06; a wrong label is any of the other categories. For each panel, the system's accuracy
is set so that its true mean advantage is exactly −ε (then both verdicts are wrong), or .1 or .2
above (power). For new annotators, it is set for the pool, and each trial draws its own panel.

By category, a system exactly as good as the annotators has the advantage 0 in each of them.
Writes benchmarks/results/replacement.md.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accordeur.metrics.replacement.alt_test import alt_test
from accordeur.metrics.replacement.judge_comparison import (
    compare_labels,
    equal_labels,
    majorities_of_others,
)
from accordeur.metrics.replacement.replaceability import replaceability
from accordeur.metrics.replacement.replacement_options import ReplacementSettings
from accordeur.metrics.replacement.verdict import (
    Verdict,
    advantage_sums,
    decide_for_new_annotators,
    decide_for_panel,
)

RESULTS = Path(__file__).parent / "results" / "replacement.md"
K = 3
COLUMNS = (
    *("items", "annotators", "ε", "−ε: alt-test", "may", "stable may", "may not"),
    *("new annotators: may", "+.1: alt-test", "may", "stable may"),
    *("+.2: alt-test", "may", "stable may"),
)
CELLS = {0.1: (3, 5, 10), 0.2: (3,)}  # ε → annotators
PANELS = 10
CALIBRATION = 20_000  # items used to set a system's accuracy
Probabilities = NDArray[np.float64]


def pool(n: int, rng: np.random.Generator) -> Probabilities:
    mean, deviation = 0.8, 0.06
    concentration = mean * (1 - mean) / deviation**2 - 1
    return rng.beta(mean * concentration, (1 - mean) * concentration, n)


def answers(right: Probabilities, n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return codes (N, A); the true category is 0 without loss of generality."""
    wrong = rng.integers(1, K, (n, right.size))
    return np.where(rng.random((n, right.size)) < right, 0, wrong)


def advantage(panel: Probabilities, system: float, rng: np.random.Generator) -> float:
    drawn = answers(np.append(panel, system), CALIBRATION, rng)
    found = compare_labels(drawn[:, :-1], drawn[:, -1], equal_labels)
    return float(found.advantage.mean())


def calibrated(panels: list[Probabilities], wanted: float, seed: int) -> float:
    """Return the system's accuracy that yields the wanted mean advantage over the panels."""
    low, high = 0.0, 1.0
    for _ in range(10):
        middle = (low + high) / 2
        rng = np.random.default_rng(seed)
        mean = float(np.mean([advantage(panel, middle, rng) for panel in panels]))
        low, high = (middle, high) if mean < wanted else (low, middle)
    return (low + high) / 2


@dataclass
class Tally:
    alt: int = 0
    may: int = 0
    stable: int = 0
    may_not: int = 0
    new: int = 0
    trials: int = 0

    def add(self, panel: Probabilities, system: float, n: int, epsilon: float, seed: int) -> None:
        drawn = answers(np.append(panel, system), n, np.random.default_rng(seed))
        found = compare_labels(drawn[:, :-1], drawn[:, -1], equal_labels)
        sums = advantage_sums(found.compared, found.advantage)
        here = decide_for_panel(sums, epsilon, n_stability_replicates=200, seed=seed)
        new = decide_for_new_annotators(sums, epsilon, here)
        self.trials += 1
        self.alt += alt_test(found, epsilon).passed
        self.may += here.verdict is Verdict.MAY
        self.stable += here.verdict is Verdict.MAY and here.is_stable
        self.may_not += here.verdict is Verdict.MAY_NOT
        self.new += new.verdict is Verdict.MAY

    def share(self, name: str) -> str:
        return f"{getattr(self, name) / self.trials:.3f}".replace("0.", ".", 1)


@dataclass
class Setting:
    """Panels of one size with systems of the wanted advantage, for any number of items."""

    a: int
    epsilon: float

    def __post_init__(self) -> None:
        rng = np.random.default_rng(self.a)
        self.panels = [pool(self.a, rng) for _ in range(PANELS)]
        self.systems = [
            [calibrated([panel], above - self.epsilon, p) for p, panel in enumerate(self.panels)]
            for above in (0.0, 0.1, 0.2)
        ]
        of_pool = [pool(self.a, rng) for _ in range(PANELS)]
        self.of_pool = calibrated(of_pool, -self.epsilon, self.a)

    def row(self, n: int, trials: int) -> str:
        null, *power = tallies = [Tally() for _ in range(3)]
        for tally, systems in zip(tallies, self.systems, strict=True):
            for trial in range(trials):
                p = trial % PANELS
                tally.add(self.panels[p], systems[p], n, self.epsilon, trial)
        new, rng = Tally(), np.random.default_rng(n)
        for trial in range(trials):
            new.add(pool(self.a, rng), self.of_pool, n, self.epsilon, 10**6 + trial)
        shares = [null.share(name) for name in ("alt", "may", "stable", "may_not")]
        shares.append(new.share("new"))
        shares += [tally.share(name) for tally in power for name in ("alt", "may", "stable")]
        return f"| {n} | {self.a} | {self.epsilon:g} | " + " | ".join(shares) + " |"


def category_row(shares: tuple[float, ...], of_item: int, campaigns: int, n: int = 1500) -> str:
    """Advantages of a system like the six annotators (.75), `of_item` of whom label an item."""
    found, verdicts = [], 0
    for seed in range(campaigns):
        rng = np.random.default_rng(seed)
        truth = rng.choice(K, n, p=shares)
        labels = (truth[:, None] + answers(np.full(7, 0.75), n, rng)) % K
        absent = np.argsort(rng.random((n, 6)), axis=1) >= of_item
        humans = np.where(absent, -1, labels[:, :6])
        comparison = compare_labels(humans, labels[:, 6], equal_labels)
        decided = [
            decide_for_panel(
                advantage_sums(comparison.compared & (own > 0), comparison.advantage, None, own),
                0.1,
            )
            for own in majorities_of_others(humans, K)
        ]
        found.append([one.mean for one in decided])
        verdicts += sum(one.verdict is Verdict.MAY_NOT for one in decided)
    mean = np.mean(found, axis=0)
    error = float(np.std(found, axis=0, ddof=1).max()) / campaigns**0.5
    values = " | ".join(f"{one:+.4f}" for one in mean)
    return (
        f"| {' / '.join(f'{one:.2f}' for one in shares)} | {of_item} | {values} | {error:.4f} | "
        f"{verdicts / (K * campaigns):.3f} |"
    )


def category_lines(campaigns: int) -> list[str]:
    rows = [
        category_row(shares, of_item, campaigns)
        for shares in ((1 / 3, 1 / 3, 1 / 3), (0.6, 0.25, 0.15), (0.8, 0.15, 0.05))
        for of_item in (2, 3, 6)
    ]
    return [
        "",
        "## By category",
        "",
        f"A system exactly as good as six annotators, {campaigns} campaigns of 1,500 items per",
        "row: mean advantage by category, its largest standard error, and the share of verdicts",
        "“may not” at ε = .1. An item is in the category of the majority of the *other*",
        "annotators, and in each of several in part.",
        "",
        "| shares | labels of an item | first | second | third | error | may not |",
        "|" + "---|" * 7,
        *rows,
    ]


def seconds() -> float:
    rng = np.random.default_rng(1)
    drawn = answers(np.full(9, 0.7), 6400, rng)
    clock = time.perf_counter()
    for system in range(6):
        found = compare_labels(drawn[:, :3], drawn[:, 3 + system], equal_labels)
        replaceability(f"s{system}", found, "abc", ReplacementSettings(replicates=1000))
    return time.perf_counter() - clock


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1000)
    trials = parser.parse_args().trials
    took = seconds()
    lines = [
        "# Verdicts on systems that are to replace an annotator",
        "",
        f"Made by `benchmarks/replacement.py`, {trials:,} trials per cell. At a true advantage of",
        "−ε every verdict is wrong; +.1 and +.2 above it are the power to say “may”.",
        "",
        f"| {' | '.join(COLUMNS)} |",
        "|" + "---|" * len(COLUMNS),
    ]
    for epsilon, sizes in CELLS.items():
        for a in sizes:
            setting = Setting(a, epsilon)
            for n in (50, 100, 200, 400):
                lines.append(setting.row(n, trials))
                print(lines[-1], flush=True)
    lines += category_lines(trials // 5)
    lines += [
        "",
        f"6,400 items × 3 annotators × 6 systems × 1,000 resamples: {took:.1f} s.",
        "",
    ]
    RESULTS.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
