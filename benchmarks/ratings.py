"""Coverage of the intervals of ICC with missing ratings, in simulated campaigns.

    python -m benchmarks.ratings [replications]

Ratings are normal, with variance components of items, annotators and residual; cells are missing
at random. Writes benchmarks/results/ratings.md.
"""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path

import numpy as np

from accordeur.metrics.agreement.rating_variances import rating_variances

RESULTS = Path(__file__).parent / "results" / "ratings.md"
SIZES = ((20, 3), (20, 10), (50, 5), (100, 3), (100, 10))
MISSING = (0.2, 0.3)
VARIANCES = ((1.0, 0.1, 1.0), (1.0, 0.5, 0.5), (3.0, 0.1, 0.5))
FORMS = ("icc_1_1", "icc_2_1", "icc_3_1")
SYMBOLS = ("ICC(1,1)", "ICC(2,1)", "ICC(3,1)")


def ratings_of(
    rng: np.random.Generator, n: int, k: int, variances: tuple[float, ...], missing: float
) -> np.ndarray:
    """Ratings (n, k), nan where missing."""
    items, raters, error = np.sqrt(variances)
    found = rng.normal(0, items, (n, 1)) + rng.normal(0, raters, k) + rng.normal(0, error, (n, k))
    found[rng.random((n, k)) < missing] = np.nan
    return found


def coverage(
    n: int, k: int, variances: tuple[float, ...], missing: float, replications: int, seed: int
) -> dict[str, tuple[float, float]]:
    """Coverage of the 95 % intervals, and their mean width.

    ICC(1,1) is simulated without an effect of annotators, as its model has none.
    """
    items, raters, error = variances
    true = {
        "icc_1_1": items / (items + error),
        "icc_2_1": items / (items + raters + error),
        "icc_3_1": items / (items + error),
    }
    rng = np.random.default_rng(seed)
    held = {name: [] for name in FORMS}
    for _ in range(replications):
        alone = ratings_of(rng, n, k, (items, 0.0, error), missing)
        nested = rating_variances(alone, same_raters=False)
        crossed = rating_variances(ratings_of(rng, n, k, variances, missing))
        intervals = (
            nested.consistency_interval(0.95),
            crossed.agreement_interval(0.95, seed=0),
            crossed.consistency_interval(0.95),
        )
        for name, (low, high) in zip(FORMS, intervals, strict=True):
            held[name].append((low <= true[name] <= high, high - low))
    return {name: tuple(np.mean(rows, axis=0)) for name, rows in held.items()}


def main(replications: int) -> None:
    lines = [
        "# Intervals of ICC with missing ratings",
        "",
        f"`python -m benchmarks.ratings {replications}`: share of 95 % intervals that contain the",
        "true value, and their mean width. Normal ratings, cells missing at random;",
        f"{replications} simulated campaigns in each row; standard error of a coverage about",
        f"{np.sqrt(0.05 * 0.95 / replications):.3f}.",
        "",
        "| items | annotators | missing | variances (items, annotators, residual) | "
        + " | ".join(f"{name} | width" for name in SYMBOLS)
        + " |",
        "|" + "---|" * 10,
    ]
    everything = {name: [] for name in FORMS}
    for seed, ((n, k), missing, variances) in enumerate(product(SIZES, MISSING, VARIANCES)):
        found = coverage(n, k, variances, missing, replications, seed)
        cells = [f"{share:.3f} | {width:.2f}" for share, width in found.values()]
        for name, (share, _) in found.items():
            everything[name].append(share)
        shown = ", ".join(f"{one:g}" for one in variances)
        lines.append(f"| {n} | {k} | {missing:.0%} | {shown} | " + " | ".join(cells) + " |")
        print(lines[-1], flush=True)
    ranges = [f"{min(v):.3f}–{max(v):.3f} (mean {np.mean(v):.3f})" for v in everything.values()]
    summary = "; ".join(f"{symbol} {text}" for symbol, text in zip(SYMBOLS, ranges, strict=True))
    lines += ["", f"Over all rows: {summary}."]
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
