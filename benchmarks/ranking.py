"""Coverage of the 95 % intervals of pairs and of the sets of ranks of `accordeur rank`.

    python -m benchmarks.ranking [--trials 1000] [--minutes 60]

Raters have tastes and items favour systems: both are added to the strengths, and answers follow the
model with ties. 3 to 12 systems, 30 to 500 items, 3 to 40 raters, tastes with a standard deviation
of 0 to 1, designs in which some pairs and raters are several times as frequent as others. Half of
the cells are drawn by a seed of their own and kept back. The true strengths are those that the
model has for infinitely many items and raters of the design (tastes make preferences less
extreme).

All cells get trials in turn until `--minutes` are over, so that an early end leaves fewer trials
and no cell without any. Writes benchmarks/results/ranking.md.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

import numpy as np
from scipy.stats import beta

from accordeur.metrics.errors import MetricsError
from accordeur.metrics.options import Sampling
from accordeur.metrics.ranking.bradley_terry import Comparisons, fit_strengths, share_preferred
from accordeur.metrics.ranking.rank_sets import rank_systems

RESULTS = Path(__file__).parent / "results" / "ranking.md"
SEEDS = {"looked at": 6101, "kept back": 6102}
PER_HALF, AT_ONCE, LEAST, AIM = 24, 20, 0.90, 0.93
OF_ITEMS = 0.5  # standard deviation of what an item adds to a system
SYSTEMS, ITEMS, RATERS = (3, 4, 6, 8, 12), (30, 60, 120, 250, 500), (3, 4, 6, 10, 20, 40)
TASTES, TIES, SPREADS = (0.0, 0.3, 0.6, 1.0), (0.0, 0.5, 1.5), (0.3, 0.8, 1.5)


@dataclass(frozen=True)
class Cell:
    n_systems: int
    n_items: int
    n_raters: int
    answers: int
    taste: float
    ties: float
    spread: float
    is_unbalanced: bool

    @property
    def name(self) -> str:
        return (
            f"{self.n_systems} systems over ±{self.spread:g}, {self.n_items} items × "
            f"{self.answers}, {self.n_raters} raters, tastes {self.taste:g}, ties {self.ties:g}"
            f"{', unbalanced' if self.is_unbalanced else ''}"
        )

    @property
    def theta(self) -> np.ndarray:
        return np.linspace(self.spread, -self.spread, self.n_systems)

    @property
    def pairs(self) -> np.ndarray:
        return np.array([*combinations(range(self.n_systems), 2)])

    @property
    def shares_of_pairs(self) -> np.ndarray:
        return _shares(len(self.pairs), self.is_unbalanced)


@dataclass
class Tally:
    """Trials of a cell: share of pairs covered, whether all ranks are, ranks in a set; failures."""

    pairs: list[float] = field(default_factory=list)
    sets: list[bool] = field(default_factory=list)
    sizes: list[float] = field(default_factory=list)
    n_undefined: int = 0

    @property
    def n(self) -> int:
        return len(self.sets) + self.n_undefined

    @property
    def upper_limits(self) -> tuple[float, float]:
        """Upper 99 % limits of both coverages; pairs of one trial are not independent."""
        n, covered = len(self.sets), sum(self.sets)
        error = float(np.std(self.pairs, ddof=1)) / n**0.5
        of_sets = 1.0 if covered == n else float(beta.ppf(0.99, covered + 1, n - covered))
        return float(np.mean(self.pairs)) + 2.33 * error, of_sets


def _shares(n: int, is_unbalanced: bool) -> np.ndarray:
    """Return shares of n, of which the most frequent is five times as frequent as the rarest."""
    own = np.geomspace(5, 1, n) if is_unbalanced else np.ones(n)
    return np.asarray(own / own.sum())


def cells_of(seed: int) -> list[Cell]:
    rng, found = np.random.default_rng(seed), list[Cell]()
    while len(found) < PER_HALF:
        raters = int(rng.choice(RATERS))
        cell = Cell(
            int(rng.choice(SYSTEMS)), int(rng.choice(ITEMS)), raters,
            int(rng.integers(1, min(raters, 3) + 1)), float(rng.choice(TASTES)),
            float(rng.choice(TIES)), float(rng.choice(SPREADS)), bool(rng.integers(2)),
        )  # fmt: skip
        pairs = cell.n_systems * (cell.n_systems - 1) / 2
        if cell not in found and cell.n_items * cell.answers >= 4 * pairs:
            found.append(cell)
    return found


def _chances(cell: Cell, difference: np.ndarray) -> np.ndarray:
    """Return the probabilities (n, 3) of left, tie and right."""
    odds = np.stack(
        [np.exp(difference / 2), np.full(difference.shape, cell.ties), np.exp(-difference / 2)], -1
    )
    return np.asarray(odds / odds.sum(axis=-1, keepdims=True))


def true_strengths(cell: Cell) -> np.ndarray:
    """Fit the model to the expected answers over tastes and items, by Gauss–Hermite nodes."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(61)
    spread = (2 * (cell.taste**2 + OF_ITEMS**2)) ** 0.5
    first, second = cell.pairs.T
    d = (cell.theta[first] - cell.theta[second])[:, None] + spread * nodes
    expected = (_chances(cell, d) * weights[:, None]).sum(axis=1) / weights.sum()
    outcomes = [1, 0, -1] if cell.ties else [1, -1]
    expected = expected[:, [0, 1, 2] if cell.ties else [0, 2]] * cell.shares_of_pairs[:, None]
    n = len(outcomes)
    given = Comparisons(
        tuple(map(str, range(cell.n_systems))),
        np.repeat(first, n), np.repeat(second, n), np.tile(outcomes, len(first)),
        np.zeros(n * len(first), int), np.zeros(n * len(first), int), expected.ravel(),
    )  # fmt: skip
    return fit_strengths(given).theta


def drawn(cell: Cell, rng: np.random.Generator) -> Comparisons:
    k, n = cell.n_systems, cell.n_items * cell.answers
    tastes = rng.normal(0, cell.taste, (cell.n_raters, k))
    of_items = rng.normal(0, OF_ITEMS, (cell.n_items, k))
    items = np.repeat(np.arange(cell.n_items), cell.answers)
    often = np.log(_shares(cell.n_raters, cell.is_unbalanced))
    keys = often + rng.gumbel(size=(cell.n_items, cell.n_raters))
    raters = np.argsort(-keys, axis=1)[:, : cell.answers].ravel()
    pair = cell.pairs[rng.choice(len(cell.pairs), n, p=cell.shares_of_pairs)]
    left, right = rng.permuted(pair, axis=1).T
    own = cell.theta + tastes[raters] + of_items[items]
    at = np.arange(n)
    chances = _chances(cell, own[at, left] - own[at, right]).cumsum(axis=1)
    outcome = 1 - (rng.random(n)[:, None] > chances).sum(axis=1)
    return Comparisons(tuple(map(str, range(k))), left, right, outcome, items, raters)


def add_trial(cell: Cell, truth: np.ndarray, rng: np.random.Generator, tally: Tally) -> None:
    given = drawn(cell, rng)
    try:
        found = fit_strengths(given)
    except MetricsError:
        tally.n_undefined += 1
        return
    ranking = rank_systems(given, found, Sampling(seed=int(rng.integers(2**31))))
    first, second = (
        np.array([int(getattr(one, side)) for one in ranking.pairs]) for side in ("better", "worse")
    )
    limits = np.array([one.preferred.interval for one in ranking.pairs])
    true = share_preferred(truth[first] - truth[second], found.ties)  # as the limits are made
    tally.pairs.append(float(((limits[:, 0] <= true) & (true <= limits[:, 1])).mean()))
    ranks = {int(one.system): (one.first, one.last) for one in ranking.systems}
    tally.sets.append(all(low <= k + 1 <= high for k, (low, high) in ranks.items()))
    tally.sizes.append(float(np.mean([high - low + 1 for low, high in ranks.values()])))


def row(half: str, cell: Cell, own: Tally) -> str:
    return (
        f"| {half} | {cell.name} | {np.mean(own.pairs):.3f} | {np.mean(own.sets):.3f} "
        f"| {np.mean(own.sizes):.1f} | {own.n_undefined / own.n:.1%} | {own.n} |"
    )


def report(cells: Sequence[tuple[str, Cell]], tallies: Sequence[Tally]) -> str:
    least, most = min(one.n for one in tallies), max(one.n for one in tallies)
    about = (
        f"`benchmarks/ranking.py`, {least:,} to {most:,} trials a cell. A cell fails if the upper "
        f"99 % limit of its coverage is below {LEAST:g}; the aim is {AIM:g}. Sets: the true ranks "
        "of all systems are in their sets at once. Undefined: no strength can be estimated because "
        "some systems won everything against others. Items add to each system with a standard "
        f"deviation of {OF_ITEMS:g}. The cells kept back are drawn by a seed of their own."
    )
    lines = [
        "# Rankings: coverage of 95 % CIs of pairs and of sets of ranks",
        "",
        about,
        "",
        "| half | cells | pairs: failed; least / median | sets: failed; least / median |",
        "|---|--:|--:|--:|",
    ]
    for half in SEEDS:
        own = [t for (name, _), t in zip(cells, tallies, strict=True) if name == half]
        parts = []
        for k, values in enumerate(
            ([np.mean(t.pairs) for t in own], [np.mean(t.sets) for t in own])
        ):
            failed = sum(t.upper_limits[k] < LEAST for t in own)
            parts.append(f"{failed}; {min(values):.3f} / {np.median(values):.3f}")
        lines.append(f"| {half} | {len(own)} | {' | '.join(parts)} |")
    heads = "| half | cell | pairs | sets | ranks in a set | undefined | trials |"
    lines += ["", heads, "|---|---|--:|--:|--:|--:|--:|"]
    order = sorted(range(len(cells)), key=lambda i: float(np.mean(tallies[i].pairs)))
    lines += [row(*cells[i], tallies[i]) for i in order]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=60.0)
    options = parser.parse_args()
    cells = [(half, cell) for half, seed in SEEDS.items() for cell in cells_of(seed)]
    truths, tallies = [true_strengths(cell) for _, cell in cells], [Tally() for _ in cells]
    rngs = [np.random.default_rng([SEEDS[half], i]) for i, (half, _) in enumerate(cells)]
    until = time.monotonic() + 60 * options.minutes
    while tallies[-1].n < options.trials and time.monotonic() < until:
        for (_, cell), truth, rng, tally in zip(cells, truths, rngs, tallies, strict=True):
            for _ in range(AT_ONCE):
                add_trial(cell, truth, rng, tally)
        RESULTS.write_text(report(cells, tallies), encoding="utf-8")


if __name__ == "__main__":
    main()
