"""Coverage and width of the corrected shares of a corpus (`accordeur estimate`).

    python -m benchmarks.prevalence [--trials 4000] [--seed 20261126] [--data FOLDER]

The grid is the trial's; the hold-out is drawn by the seed. The method was fixed before the hold-out
was run. FOLDER holds data sets with labels of systems and humans on all items, which are not part
of the repository: audits are drawn from them many times. Writes benchmarks/results/prevalence.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from time import process_time

import numpy as np

from accordeur.metrics.prevalence.audit_counts import AuditCounts, audit_table
from accordeur.metrics.prevalence.corrected_share import corrected_share_interval
from accordeur.metrics.prevalence.correction_limits import FEWEST_FOR_SAVING
from accordeur.metrics.prevalence.differences import (
    PairedCounts,
    accuracy_difference_interval,
    share_difference_interval,
)
from accordeur.metrics.prevalence.savings import lower_correlation_limit, saved_share
from accordeur.metrics.prevalence.scale_mean import corrected_mean
from accordeur.tasks.prevalence.corpus_estimates import LEAST_CLAIMED
from benchmarks.prevalence_cells import (
    Array,
    Cell,
    Documents,
    Generator,
    Outcome,
    by_label,
    categories,
    clustered,
    covers,
    draw_items,
    one_against_rest,
    random_items,
)
from benchmarks.prevalence_data import data_tables
from benchmarks.prevalence_units import units_table

RESULTS = Path(__file__).parent / "results" / "prevalence.md"
LEAST_GIVEN = 0.1  # of the audits of a cell, so that its coverage is known
Row = tuple[str, ...]


def grid() -> Iterator[Cell]:
    """500 settings without and 150 with human errors of 10 %."""
    sizes, prevalences = (50, 100, 200, 400, 1000), (0.02, 0.05, 0.1, 0.3, 0.5)
    plain = ((0.6, 0.7, 0.8, 0.9, 0.95), (0.8, 0.9, 0.95, 0.98), (0.0,))
    noisy = ((0.6, 0.8, 0.95), (0.8, 0.95), (0.1,))
    for sensitivities, specificities, noises in (plain, noisy):
        for p, se, sp, noise, n in product(
            prevalences, sensitivities, specificities, noises, sizes
        ):
            yield Cell(p, se, sp, n, 5000, noise)


def drawn_cell(rng: Generator, *, noise: float = 0.0, most_items: int = 50_000) -> Cell:
    """A cell of the hold-out."""

    def log_uniform(low: float, high: float) -> float:
        return float(np.exp(rng.uniform(np.log(low), np.log(high))))

    n = round(log_uniform(20, 1000))
    items = round(log_uniform(max(500, 1.5 * n), most_items))
    specificity = 1 - log_uniform(0.002, 0.5)
    p, sensitivity = log_uniform(0.005, 0.5), rng.uniform(0.3, 0.99)
    return Cell(p, sensitivity, specificity, n, items, noise)


def drawn_categories(rng: Generator) -> Array:
    """A table system × human of two to six categories."""
    k = int(rng.integers(2, 7))
    shares = np.maximum(rng.dirichlet(np.full(k, 0.7)), 0.005)
    shares /= shares.sum()
    right = rng.uniform(0.4, 0.99, k)
    wrong = rng.dirichlet(np.ones(k), k)
    np.fill_diagonal(wrong, 0)
    wrong *= ((1 - right) / wrong.sum(axis=1))[:, None]
    return np.asarray(((wrong + np.diag(right)) * shares[:, None]).T)


def holdout(rng: Generator, trials: int) -> Iterator[tuple[str, list[Outcome]]]:
    """300 cells: 120 of two categories, 60 of several, 50 of noisy humans, 70 of documents."""
    for _ in range(120):
        yield "two categories", [random_items(rng, drawn_cell(rng), trials)]
    for _ in range(60):
        cell, joint = drawn_cell(rng), drawn_categories(rng)
        found, _ = categories(rng, joint, cell.audited, cell.items, trials)
        yield "2–6 categories, each", found
    for _ in range(50):
        noise = float(rng.uniform(0.02, 0.2))
        yield "noisy humans", [random_items(rng, drawn_cell(rng, noise=noise), trials)]
    for k in range(70):
        cell = drawn_cell(rng, most_items=5_000)
        documents = Documents(rng.uniform(2, 30), rng.uniform(0, 0.4), rng.uniform(0, 0.3))
        whole = k < 40
        name = "documents, whole ones drawn" if whole else "documents, items drawn"
        yield name, [clustered(rng, cell, documents, min(trials, 2000), whole=whole)]


def summary(name: str, n_cells: int, outcomes: Sequence[Outcome]) -> Row:
    """One row: coverage, width and refusals over the outcomes that are ever given."""
    coverages = np.array([one.coverage for one in outcomes if one.given.mean() >= LEAST_GIVEN])
    widths = np.array([one.relative_width for one in outcomes if one.given.mean() >= LEAST_GIVEN])
    refused = np.array([one.refused for one in outcomes])
    return (
        name,
        str(n_cells),
        f"{coverages.min():.3f}",
        f"{np.median(coverages):.3f}",
        str(int((coverages < 0.93).sum())),
        f"{widths.mean():.3f}",
        f"{widths.max():.3f}",
        f"{refused.mean():.1%}",
        f"{(refused > 0.5).mean():.1%}",
    )


HEAD = (
    "cells", "n", "min. coverage", "median", "below .93", "mean width", "max. width",
    "audits refused", "cells that refuse over half",
)  # fmt: skip


def simulated_shares(rng: Generator, trials: int) -> list[Row]:
    cells = list(grid())
    rows = [summary("trial's grid", len(cells), [random_items(rng, one, trials) for one in cells])]
    kinds: dict[str, list[list[Outcome]]] = {}
    for name, found in holdout(rng, trials):
        kinds.setdefault(name, []).append(found)
    every = [one for some in kinds.values() for found in some for one in found]
    rows.append(summary("hold-out, all", sum(map(len, kinds.values())), every))
    for name, some in kinds.items():
        rows.append(summary(f"– {name}", len(some), [one for found in some for one in found]))
    drawn = []
    for prevalence, right, n in product((0.25, 0.7, 0.9), (0.6, 0.8, 0.95), (10, 25, 100)):
        shares = np.array([prevalence, *[(1 - prevalence) / 3] * 3])
        joint = ((1 - right) / 3 + (right - (1 - right) / 3) * np.eye(4)) * shares
        drawn += by_label(rng, joint, np.full(4, n), 5000, 5 * trials)
    return [*rows, summary("audit by label, four categories", 27, drawn)]


def simultaneous(rng: Generator, trials: int) -> str:
    """How often the Bonferroni intervals of all categories of a cell hold."""
    found = [
        categories(rng, drawn_categories(rng), drawn_cell(rng).audited, 5000, trials)[1]
        for _ in range(60)
    ]
    return f"{min(found):.3f}, median {np.median(found):.3f}"


def saved(rng: Generator, trials: int) -> Row:
    """How often the lower limit of the saving is above the saving, and how often it is claimed."""
    above, claims = [], []
    for cell in grid():
        audited, corpus = draw_items(rng, cell.joint, cell.audited, cell.items, trials)
        audit = one_against_rest(audited, corpus, 0)
        both, p, w = cell.joint[0, 0], cell.joint[:, 0].sum(), cell.joint[0].sum()
        phi = (both - p * w) / np.sqrt(p * (1 - p) * w * (1 - w))
        counts = ~np.asarray(audit.has_unaudited_stratum) & (
            audit.n_rarer_class >= FEWEST_FOR_SAVING
        )
        limit = saved_share(lower_correlation_limit(audit), audit.n_audited, audit.n_items)
        is_claimed = counts & (limit >= LEAST_CLAIMED)
        truth = max(phi, 0.0) ** 2 * (1 - cell.audited / cell.items)
        above.append((is_claimed & (limit > truth)).mean())
        claims.append(is_claimed.mean())
    return (f"{np.mean(claims):.1%}", f"{np.mean(above):.2%}", f"{max(above):.1%}")


def differences(rng: Generator, trials: int) -> list[Row]:
    """Difference of two systems, and of two batches; width beside Bonett–Price or Wilson's."""
    cells = list(product((2, 4), (0.6, 0.8, 0.9), (0.0, 0.03, 0.1), (0.0, 0.5), (50, 200, 1000)))
    on_grid = [_systems(rng, *one, 5000, 5 * trials) for one in cells]
    drawn = [
        _systems(
            rng, int(rng.integers(2, 7)), rng.uniform(0.5, 0.97), rng.uniform(0, 0.3),
            rng.uniform(0, 0.8), round(np.exp(rng.uniform(np.log(20), np.log(1000)))), 5000, trials,
        )
        for _ in range(100)
    ]  # fmt: skip
    [own] = rng.spawn(1)
    batches = [_batches(own, drawn_cell(own), drawn_cell(own), trials) for _ in range(100)]
    return [
        _of_pairs("two systems, grid", on_grid),
        _of_pairs("two systems, hold-out", drawn),
        _of_pairs("two batches, hold-out", [one for one in batches if one is not None]),
    ]


def _of_pairs(name: str, pairs: Sequence[tuple[float, float]]) -> Row:
    coverage, width = np.array(pairs).T
    return (
        name, str(len(pairs)), f"{coverage.min():.3f}", f"{np.median(coverage):.3f}",
        str(int((coverage < 0.93).sum())), f"{width.mean():.3f}", f"{width.max():.3f}",
    )  # fmt: skip


def _systems(
    rng: Generator, k: int, right: float, less: float, alike: float, n: int, items: int, trials: int
) -> tuple[float, float]:
    """Two systems that err together with the chance `alike`, on k equally frequent labels."""
    joint = np.zeros((3, 3))  # stratum (first smaller, same, larger) × outcome (−1, 0, 1)
    other = max(right - less, 0.05)
    both = alike * min(right, other) + (1 - alike) * right * other
    off = 1 / (k - 1)
    joint[1, 1] += both
    for first_right, chance in ((True, right - both), (False, other - both)):
        joint[[0, 2], 2 if first_right else 0] += chance / 2
    neither = 1 - right - other + both
    joint[1, 1] += neither * off
    joint[[0, 2], 1] += neither * (1 - off) / 2
    audited, corpus = draw_items(rng, joint, n, items, trials)
    weights = corpus.sum(axis=2) / items
    counts = PairedCounts(weights, audited, np.full(trials, float(items)))
    bounds, truth = accuracy_difference_interval(counts), right - other
    covered = min(
        covers(bounds, truth).mean(),
        covers(bounds, (corpus[:, :, 2] - corpus[:, :, 0]).sum(axis=1) / items).mean(),
    )
    wins, losses = audited[:, :, 2].sum(axis=1), audited[:, :, 0].sum(axis=1)
    p, q = (wins + 1) / (n + 2), (losses + 1) / (n + 2)
    width = 2 * 1.96 * np.sqrt((p + q - (p - q) ** 2) / (n + 2))
    return float(covered), float(bounds.width.mean() / width.mean())


def _batches(rng: Generator, first: Cell, second: Cell, trials: int) -> tuple[float, float] | None:
    audits = []
    for one in (first, second):
        audited, corpus = draw_items(rng, one.joint, one.audited, one.items, trials)
        audits.append(one_against_rest(audited, corpus, 0))
    given = ~np.asarray(audits[0].has_unaudited_stratum) & ~np.asarray(
        audits[1].has_unaudited_stratum
    )
    if given.mean() < LEAST_GIVEN:
        return None
    bounds, alone = (
        share_difference_interval(*audits),
        share_difference_interval(*(a.as_one_stratum() for a in audits)),
    )
    covered = covers(bounds, first.prevalence - second.prevalence)[given].mean()
    return float(covered), float(bounds.width[given].mean() / alone.width[given].mean())


def means(rng: Generator, trials: int) -> Row:
    """Mean of a label of five values: coverage of the corpus, and width beside the humans alone."""
    dists = ([0.2] * 5, [0.05, 0.1, 0.2, 0.3, 0.35], [0.85, 0.1, 0.03, 0.01, 0.01])
    coverage, width = [], []
    for shares, right, n in product(dists, (0.5, 0.8, 0.95), (30, 100, 400)):
        held, ratio = [], []
        for _ in range(trials // 8):
            truth = rng.choice(5, 2000, p=shares).astype(float)
            near = np.clip(truth + rng.choice([-1, 1], 2000), 0, 4)
            system = np.where(rng.random(2000) < right, truth, near)
            human = np.where(np.arange(2000) < n, truth, np.nan)
            found = corrected_mean(system, human, scale=np.arange(5.0))
            held.append(found.interval[0] <= truth.mean() <= found.interval[1])
            ratio.append(np.diff(found.interval)[0] / np.diff(found.humans_interval)[0])
        coverage.append(np.mean(held))
        width.append(np.mean(ratio))
    return (
        str(len(coverage)), f"{min(coverage):.3f}", f"{np.median(coverage):.3f}",
        f"{np.mean(width):.3f}", f"{max(width):.3f}",
    )  # fmt: skip


def seconds(rng: Generator) -> float:
    """CPU time of the shares of 10⁶ items with four categories."""
    system = rng.integers(0, 4, 10**6)
    human = np.where(np.arange(10**6) < 1000, rng.integers(0, 4, 10**6), -1)
    corrected_share_interval(
        AuditCounts(*(np.ones((1, 2)),) * 3, np.ones(1))
    )  # loads what it needs
    start = process_time()
    corrected_share_interval(audit_table(system, human, 4).one_against_rest())
    return process_time() - start


def table(head: Sequence[str], rows: Sequence[Row]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--trials", type=int, default=4000)
    options.add_argument("--seed", type=int, default=20261126)
    options.add_argument("--data", type=Path)
    options.add_argument("--to", type=Path, default=RESULTS)
    given = options.parse_args()
    rng, trials = np.random.default_rng(given.seed), given.trials
    start = process_time()
    cells = (*HEAD[:2], *HEAD[2:7])
    parts = [
        "# What a corpus contains: coverage and width of the corrected estimates",
        (
            f"Made by `benchmarks/prevalence.py`: {trials:,} trials a cell (five times as many of "
            f"two systems and of audits by label), 95 % intervals, seed {given.seed}. Coverage is "
            "of the population's share or of the corpus's, whichever is lower, among the audits "
            "that were given an interval; cells with fewer than a tenth of them are only in the "
            "refusals. Width is relative to Wilson's interval of as many human labels alone, drawn "
            "at random (of documents: at their effective sample size). An audit is refused below "
            "20 items or 10 documents, and where the system's category or the rest has no audited "
            "item."
        ),
        "## Shares",
        table(HEAD, simulated_shares(rng, trials)),
        (
            "All intervals of a cell with 2–6 categories at once (Bonferroni): coverage at least "
            f"{simultaneous(rng, trials)} in 60 cells."
        ),
        "## Savings",
        table(
            ("audits with a claim", "claims above the true saving", "most in a cell"),
            [saved(rng, trials)],
        ),
        "## Differences",
        (
            "Width: beside Bonett–Price (two systems), or the same method on the humans alone "
            "(batches)."
        ),
        table(cells, differences(rng, trials)),
        "## Means of a label of five values",
        "Width: beside the same method on the humans alone.",
        table(("cells", *HEAD[2:4], *HEAD[5:7]), [means(rng, trials)]),
    ]
    if given.data is not None:
        parts += data_tables(rng, given.data, trials, table)
    parts += units_table(np.random.default_rng([given.seed, 1]), trials // 2, table)
    parts.append(f"10⁶ items: {seconds(rng):.2f} CPU seconds.")
    given.to.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    print(f"{process_time() - start:.0f} CPU seconds; {given.to}")


if __name__ == "__main__":
    main()
