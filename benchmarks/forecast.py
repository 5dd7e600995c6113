"""Forecasts of a generalizability study, compared with panels of other annotators.

    python -m benchmarks.forecast FOLDER [draws]

Three annotators are the pilot; from the others, two disjoint panels of k are drawn. Eρ²(k)
forecasts the correlation of the panels' means, the reliability for relative decisions, and Φ(k)
their concordance (Lin 1989), the reliability for absolute decisions. FOLDER contains
`wordsim.standardized.tsv` and `valence.standardized.tsv` of Snow et al. (2008). Writes
benchmarks/results/forecast.md.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from accordeur.metrics.agreement.generalizability import decision_study

RESULTS = Path(__file__).parent / "results" / "forecast.md"
PILOT, KS = 3, (1, 2, 3)
SIMULATED = ((50, (1.0, 0.1, 1.0)), (50, (1.0, 0.5, 0.5)))
Draw = Callable[[np.random.Generator], np.ndarray]


def simulated(n: int, variances: tuple[float, ...]) -> Draw:
    """Draw new items and annotators each time: ratings (n, 9)."""
    items, raters, error = np.sqrt(variances)

    def draw(rng: np.random.Generator) -> np.ndarray:
        return (
            rng.normal(0, items, (n, 1)) + rng.normal(0, raters, 9) + rng.normal(0, error, (n, 9))
        )

    return draw


def of_crowd(path: Path) -> Draw:
    """Draw the ten ratings of each item in random order, as items have different annotators."""
    by_item: dict[str, list[float]] = {}
    with path.open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            by_item.setdefault(row["orig_id"], []).append(float(row["response"]))
    table = np.array([ratings for ratings in by_item.values() if len(ratings) == 10])

    return lambda rng: rng.permuted(table, axis=1)


def panels(ratings: np.ndarray, k: int) -> tuple[float, float]:
    """Correlation and concordance of the means of two panels of k annotators after the pilot."""
    first, second = ratings[:, PILOT : PILOT + k].mean(1), ratings[:, PILOT + k :][:, :k].mean(1)
    between = np.cov(first, second)
    shift = (first.mean() - second.mean()) ** 2
    correlation = between[0, 1] / np.sqrt(between[0, 0] * between[1, 1])
    return correlation, 2 * between[0, 1] / (between[0, 0] + between[1, 1] + shift)


def row(name: str, draw: Draw, draws: int) -> list[str]:
    rng = np.random.default_rng(1)
    found = []
    for _ in range(draws):
        ratings = draw(rng)
        forecast = [one.value for one in decision_study(ratings[:, :PILOT], annotators=KS)]
        found.append(
            [
                forecast,
                [
                    one
                    for both in zip(*(panels(ratings, k) for k in KS), strict=True)
                    for one in both
                ],
            ]
        )
    forecast, held_out = np.nanmean(np.array(found), axis=0)
    error = np.sqrt(np.nanmean((np.array(found)[:, 0] - np.array(found)[:, 1]) ** 2, axis=0))
    return [
        f"| {name} | {k} | {forecast[j]:.3f} | {held_out[j]:.3f} | {error[j]:.3f} | "
        f"{forecast[j + 3]:.3f} | {held_out[j + 3]:.3f} | {error[j + 3]:.3f} |"
        for j, k in enumerate(KS)
    ]


def main(folder: Path, draws: int) -> None:
    sources: list[tuple[str, Draw]] = [
        (f"simulated, {n} items, variances {', '.join(f'{v:g}' for v in variances)}",
         simulated(n, variances))
        for n, variances in SIMULATED
    ]  # fmt: skip
    sources += [
        (f"{name} (Snow et al. 2008)", of_crowd(folder / f"{name}.standardized.tsv"))
        for name in ("wordsim", "valence")
    ]
    lines = [
        "# Forecast of reliability and held-out annotators",
        "",
        f"`python -m benchmarks.forecast FOLDER {draws}`: Eρ²(k) and Φ(k) forecast from a pilot of",
        f"{PILOT} annotators, and the correlation and concordance of the means of two panels of k",
        f"annotators who are not in the pilot. Means and root mean square differences of {draws}",
        "draws; variances are of items, annotators and residual. A difference has two sources: the",
        "pilot, and the panels.",
        "",
        "| data | k | Eρ² | held out | difference | Φ | held out | difference |",
        "|" + "---|" * 8,
    ]
    for name, draw in sources:
        lines += row(name, draw, draws)
        print(lines[-1], flush=True)
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200)
