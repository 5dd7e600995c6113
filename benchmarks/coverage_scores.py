"""Coverage of 95 % CIs of scores and of M(k), and their widths beside a percentile bootstrap.

    python benchmarks/coverage_scores.py --trials 2000   # five minutes on one core

Cells (`benchmarks.coverage_cells`) are drawn by a seed, and half of them was not looked at while
the rule was chosen (`--half`). In the first trials of each cell, the intervals are compared with
those of the functions that commands call. A cell fails if the upper 99 % limit of its coverage is
below .90. An undefined interval is no miss; its share is stated. A macro average is judged in the
first 500 trials, if both categories occur. The bootstrap is the former rule, expanded percentiles
over the same units, in the first --former trials. Writes benchmarks/results/coverage-scores.md,
unless one half is run.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from zlib import crc32

import numpy as np
from scipy.stats import beta

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from accordeur.metrics.arrays import divide
from accordeur.metrics.bootstrap import percentile_probabilities
from accordeur.metrics.quantiles import sample_quantiles
from benchmarks.coverage_cells import (
    Floats,
    PanelCell,
    ScoredCell,
    panel_cells,
    reported_cells,
    scored_cells,
)
from benchmarks.coverage_unit_cells import CorpusCell, ShareCell

RESULTS = Path(__file__).parent / "results" / "coverage-scores.md"
SumsCell = ScoredCell | PanelCell | ShareCell
LEAST, LEAST_REPORTED = 0.90, 0.85
MOST_UNDEFINED = 0.1
MACROS = 500  # trials in which a macro average is judged
CHECKED = 10  # trials of a cell whose intervals are compared with those of the commands' functions
COMPARED = 0.93  # coverage of the former rule from which widths are compared
WIDER = {20: 1.25, 40: 1.15}  # most width beside the former rule, from this number of units on


@dataclass(frozen=True)
class Coverage:
    """What became of the intervals of one measure in the trials of one cell.

    former, former_width  coverage and mean width of the bootstrap in the first trials, nan for
                          measures without it; width_beside: of ours in the same trials
    """

    cell: str
    units: int
    measure: str
    true: float
    n_valued: int
    n_defined: int
    n_covered: int
    width: float
    former: float
    former_width: float
    width_beside: float

    @property
    def share(self) -> float:
        return self.n_covered / self.n_defined if self.n_defined else np.nan

    @property
    def undefined(self) -> float:
        return 1 - self.n_defined / self.n_valued if self.n_valued else np.nan

    @property
    def upper(self) -> float:
        """Upper 99 % limit of the coverage (Clopper–Pearson)."""
        n, x = self.n_defined, self.n_covered
        return 1.0 if x == n else float(beta.ppf(0.995, x + 1, n - x))

    @property
    def wider(self) -> float:
        return self.width_beside / self.former_width if self.former_width else np.nan

    @property
    def is_compared(self) -> bool:
        return self.units >= min(WIDER) and self.former >= COMPARED

    @property
    def is_too_wide(self) -> bool:
        most = WIDER[max(n for n in WIDER if n <= self.units)] if self.is_compared else np.inf
        return self.wider > most


def coverages(cell: SumsCell, trials: int, former: int) -> list[Coverage]:
    """Simulate one cell. Raises AssertionError if a command's interval is another one."""
    rng = np.random.default_rng(crc32(cell.name.encode()))
    rows: dict[str, list[Floats]] = {name: [] for name in cell.truth}
    checked: list[dict[str, tuple[float, float]]] = []
    for trial in range(trials):
        labels = cell.labels(rng)
        for name, one in cell.sums(labels).items():
            if name != "macro F" or trial < MACROS:
                rows[name].append(one)
        if trial < CHECKED:
            found = cell.estimates(labels)
            checked.append({name: one.interval for name, one in found.items()})
    covered = []
    for name, of_trials in rows.items():
        successes, trials_ = np.moveaxis(np.array(of_trials), 2, 0)  # (T, U) or (T, U, 2)
        bounds = cell.intervals(name, successes, trials_)
        intervals = np.stack([bounds.lower, bounds.upper], axis=1)
        asked = np.array([one[name] for one in checked])
        np.testing.assert_allclose(intervals[: len(asked)], asked, atol=1e-9, err_msg=name)
        is_valued = (trials_.sum(axis=1) > 0).reshape(len(of_trials), -1).all(axis=1)
        intervals[~is_valued] = np.nan
        before = former_intervals(successes[:former], trials_[:former], rng)
        covered.append(coverage_of(cell, name, intervals, is_valued, before))
    return covered


def former_intervals(successes: Floats, trials: Floats, rng: np.random.Generator) -> Floats | None:
    """Return expanded percentiles of Σ successes / Σ trials, (T, 2); None for macro averages."""
    if successes.ndim > 2 or not len(successes):
        return None
    n_units = successes.shape[1]
    weights = rng.multinomial(n_units, np.full(n_units, 1 / n_units), 1000).astype(float)
    drawn = divide(weights @ successes.T, weights @ trials.T)
    tails = percentile_probabilities(0.95, n_units)
    return np.array([sample_quantiles(one[np.isfinite(one)], tails) for one in drawn.T])


def coverage_of(
    cell: SumsCell | CorpusCell,
    name: str,
    found: Floats,
    valued: np.ndarray,
    before: Floats | None,
) -> Coverage:
    """Count what became of the intervals (T, 2) of a measure; `before`: of the bootstrap."""
    true = cell.truth[name]
    defined, held = _held(found, true)
    former = former_width = beside = np.nan
    if before is not None:
        both = ~np.isnan(before).any(axis=1) & defined[: len(before)]
        is_known, is_held = _held(before, true)
        former = is_held.sum() / max(1, is_known.sum())
        former_width = float(np.diff(before[both]).mean()) if both.any() else np.nan
        beside = float(np.diff(found[: len(before)][both]).mean()) if both.any() else np.nan
    return Coverage(
        cell.name,
        cell.n_drawn,
        name,
        true,
        int(valued.sum()),
        int(defined.sum()),
        int(held.sum()),
        float(np.diff(found[defined]).mean()) if defined.any() else np.nan,
        former,
        former_width,
        beside,
    )


def _held(intervals: Floats, true: float) -> tuple[np.ndarray, np.ndarray]:
    """Return whether each interval (T, 2) is defined, and whether it contains the true value."""
    low, high = intervals.T
    return ~np.isnan(low), (low <= true + 1e-12) & (true - 1e-12 <= high)


def summary(rows: Sequence[Coverage], half: str) -> list[str]:
    """One line per measure of one half of the cells."""
    lines = []
    for measure in dict.fromkeys(one.measure for one in rows):
        some = [one for one in rows if one.measure == measure and one.n_defined]
        shares = np.array([one.share for one in some])
        failed = sum(one.upper < LEAST for one in some)
        compared = [one for one in some if one.is_compared]
        widths = "–"
        if compared:
            ratios = [one.wider for one in compared]
            too_wide = sum(one.is_too_wide for one in compared)
            widths = f"{np.median(ratios):.2f} / {max(ratios):.2f}; {too_wide} of {len(compared)}"
        former = np.array([one.former for one in some])
        before = f"{np.nanmin(former):.3f}" if np.isfinite(former).any() else "–"
        lines.append(
            f"| {half} | {measure} | {len(some)} | {failed} | {shares.min():.3f} / "
            f"{np.median(shares):.3f} | {sum(one.undefined > MOST_UNDEFINED for one in some)} | "
            f"{before} | "
            f"{widths} |"
        )
    return lines


HEAD = (
    "| half | measure | cells | failed | coverage: least / median | undefined in more than a tenth "
    "| bootstrap: least | width beside the bootstrap: median / most; too wide |\n"
    "|---|---|--:|--:|--:|--:|--:|--:|"
)


def lowest(rows: Sequence[Coverage], n: int) -> list[str]:
    """The cells with the lowest coverage."""
    lines = [
        "| measure | cell | true | coverage | undefined | width | bootstrap: coverage, width |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    worst = sorted((row for row in rows if row.n_defined), key=lambda row: row.share)[:n]
    lines += [
        f"| {one.measure} | {one.cell} | {one.true:.4f} | {one.share:.3f} | {one.undefined:.1%} | "
        f"{one.width:.3f} | {one.former:.3f}, {one.former_width:.3f} |"
        for one in worst
    ]
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=2000)
    parser.add_argument("--former", type=int, default=200, help="trials with the bootstrap too")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--half", choices=("both", "chose", "kept"), default="both")
    parser.add_argument("--only", choices=("all", "scores", "panels", "reported"), default="all")
    options = parser.parse_args()
    start = time.time()
    rows: dict[str, list[Coverage]] = {"chose the rule": [], "kept back": [], "reported": []}
    wanted: list[tuple[str, ScoredCell | PanelCell]] = []
    for name, cells in (("scores", scored_cells()), ("panels", panel_cells())):
        for half, of_half in cells.items():
            if options.only in ("all", name) and (
                options.half == "both" or half.startswith(options.half)
            ):
                wanted += [(half, one) for one in of_half]
    if options.only in ("all", "reported"):
        wanted += [("reported", one) for one in reported_cells()]
    simulate = partial(coverages, trials=options.trials, former=options.former)
    with ProcessPoolExecutor(options.processes) as pool:
        results = pool.map(simulate, [cell for _, cell in wanted])
        for (half, _), found in zip(wanted, results, strict=True):
            rows[half] += found
    lines = [
        "# Scores and M(k): coverage of 95 % CIs", "",
        f"{options.trials:,} trials a cell (`benchmarks/coverage_scores.py`); a cell fails if the "
        f"upper 99 % limit of its coverage is below {LEAST:g}. Undefined: share of the trials with "
        "a value but no interval. Bootstrap: the former rule, expanded percentiles over the same "
        f"units, in the first {options.former} trials. Macro F: the first {MACROS}. "
        f"Widths are compared in cells of {min(WIDER)} units and more whose bootstrap covers "
        f"{COMPARED:g} or more; too wide: above "
        + ", ".join(f"{most:g} from {n} units on" for n, most in WIDER.items()) + ".",
        "", HEAD,
    ]  # fmt: skip
    for half in ("chose the rule", "kept back"):
        lines += summary(rows[half], half)
    lines += ["", "Lowest of both halves:", ""]
    lines += lowest([*rows["chose the rule"], *rows["kept back"]], 15)
    if rows["reported"]:
        lines += ["", f"Reported, to be {LEAST_REPORTED:g} or more:", ""]
        lines += lowest(rows["reported"], len(rows["reported"]))
    text = "\n".join(lines) + "\n"
    print(text + f"\n{time.time() - start:.0f} s")
    if options.half == "both" and options.only == "all":
        RESULTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
