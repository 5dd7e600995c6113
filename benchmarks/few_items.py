"""Coverage of 95 % CIs over few items, and how often teams of equal quality differ.

    python benchmarks/few_items.py                # about fifteen minutes on one core
    python benchmarks/few_items.py --campaigns 200

Campaigns are drawn from populations whose value is known exactly: the true category of an item is
drawn by prevalence, and each annotator's label by a confusion matrix.

* grid: 22 populations of 2 or 3 annotators and 2 to 4 categories, prevalence of the rarest .5 to
  .1, accuracy .85 or .95, with 10, 25 and 50 items
* unseen: 24 random populations of 2 to 4 annotators, each with its own confusion matrix
* weighted: five ordered categories, errors mostly between neighbours, squared differences
* missing: four annotators, 30 % of labels missing
* differences: two teams of two annotators and equal quality, on the same items or on others
* documents: three annotators, two categories, documents of varying prevalence and difficulty

The posterior over label profiles (`metrics.agreement.profiles`) is compared with the bootstrap
with expanded percentiles; a campaign without an interval counts as a miss. Cells are cached in
--cells. Writes benchmarks/results/coverage-items.md.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from zlib import crc32

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from accordeur.metrics.agreement.difference import STRENGTH
from accordeur.metrics.agreement.distances import distance_table
from accordeur.metrics.agreement.inference import bootstrap
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.agreement.profiles import pseudo_items, pseudo_mass
from accordeur.metrics.agreement.registry import compute
from accordeur.metrics.agreement.resampling_units import coefficient_values
from accordeur.metrics.agreement.weighted_sums import Sums, sums_of_rows
from accordeur.metrics.bootstrap import tails
from accordeur.metrics.measures import specification
from benchmarks.item_populations import Floats, Setting, grid, missing, teams, unseen, weighted

RESULTS = Path(__file__).resolve().parent / "results" / "coverage-items.md"

SIZES = (10, 25, 50)
N_DRAWS = 400
AT_ONCE = 200_000  # draws
PLAIN = (0.025, 0.975)


def coefficients(setting: Setting, sums: Sums, rows: Floats) -> Floats:
    specs = [specification(measure) for measure in setting.measures]
    tagset = tuple(map(str, range(len(setting.prevalence))))
    return coefficient_values(specs, sums.like(rows), setting.distance, tagset)


@dataclass(frozen=True)
class Population:
    setting: Setting
    sums: Sums
    flat: Floats
    chances: Floats
    pseudo: Floats
    mass: Floats

    @staticmethod
    def of(setting: Setting) -> Population:
        codes, chances = setting.profiles()
        sums = sums_of_rows(codes, len(setting.prevalence))
        pseudo = pseudo_items(sums.resampled(chances[None])).flat()
        table = distance_table(
            setting.distance,
            tagset=tuple(map(str, range(len(setting.prevalence)))),
            marginals=np.empty(0),
        )
        return Population(setting, sums, sums.flat(), chances, pseudo, pseudo_mass(table))

    @property
    def truth(self) -> Floats:
        return coefficients(self.setting, self.sums, 1e9 * self.chances[None] @ self.flat)[0]

    def posterior(self, rng: np.random.Generator, weights: Floats, strength: float = 1.0) -> Floats:
        """Return coefficients (B, M) for gamma weights of the profiles (B, M)."""
        pseudo = rng.standard_gamma(strength * self.mass, (weights.shape[0], self.mass.size))
        rows = weights @ self.flat + pseudo @ self.pseudo
        rows *= 1e9 / (weights.sum(axis=1) + pseudo.sum(axis=1))[:, None]
        return coefficients(self.setting, self.sums, rows)


def coverage(setting: Setting, n: int, n_campaigns: int, method: str) -> dict[str, list[float]]:
    """Return coverage and mean width of each measure."""
    rng = np.random.default_rng([n, crc32(setting.name.encode())])
    of = Population.of(setting)
    drawn = rng.multinomial(n, of.chances, size=n_campaigns)
    tables, times = np.unique(drawn, axis=0, return_counts=True)
    held, width = np.zeros(len(setting.measures)), np.zeros(len(setting.measures))
    step = max(1, AT_ONCE // N_DRAWS)
    probabilities = tails(0.95, n) if method == "bootstrap" else PLAIN
    for start in range(0, len(tables), step):
        some, weight = tables[start : start + step], times[start : start + step, None]
        value = coefficients(setting, of.sums, some @ of.flat)
        if method == "bootstrap":
            rows = rng.multinomial(n, np.repeat(some / n, N_DRAWS, axis=0)).astype(np.float64)
            found = coefficients(setting, of.sums, rows @ of.flat)
        else:
            shape = np.repeat(some, N_DRAWS, axis=0)
            found = of.posterior(rng, rng.standard_gamma(shape))
        found = found.reshape(len(some), N_DRAWS, -1)
        known = (~np.isnan(found)).sum(axis=1) > 1
        found = np.where(known[:, None], found, np.inf)
        lower, upper = np.nanquantile(found, probabilities, axis=1)
        if method == "bootstrap":
            known &= ~np.isnan(value)
        else:
            lower, upper = np.fmin(lower, value), np.fmax(upper, np.nan_to_num(value, nan=1.0))
        inside = known & (lower <= of.truth + 1e-12) & (of.truth - 1e-12 <= upper)
        held += (inside * weight).sum(axis=0)
        width += (np.where(known, upper - lower, 0.0) * weight).sum(axis=0)
    return {
        measure: [float(held[j] / n_campaigns), float(width[j] / n_campaigns)]
        for j, measure in enumerate(setting.measures)
    }


def rejections(setting: Setting, n: int, n_campaigns: int, method: str) -> dict[str, list[float]]:
    """Rate at which teams of equal quality differ at .05; `method`: `paired` or `independent`."""
    rng = np.random.default_rng([n, crc32(f"{method} {setting.name}".encode())])
    of = Population.of(setting)
    team = len(of.chances)
    joint = np.zeros((team, team))
    for t, share in enumerate(setting.prevalence):
        only = np.eye(len(setting.prevalence))[t]
        given = Setting("", tuple(only.tolist()), setting.confusions).profiles()[1]
        joint += share * np.outer(given, given)
    if method == "independent":
        joint = np.outer(of.chances, of.chances)
    rejected = np.zeros(len(setting.measures))
    for _ in range(n_campaigns):
        if method == "paired":
            table = rng.multinomial(n, joint.ravel())
            weights = rng.standard_gamma(table, (N_DRAWS, table.size)).reshape(-1, team, team)
            sides = [weights.sum(axis=2), weights.sum(axis=1)]
        else:
            sides = [
                rng.standard_gamma(rng.multinomial(n, of.chances), (N_DRAWS, team))
                for _ in range(2)
            ]
        one, two = (of.posterior(rng, side, STRENGTH) for side in sides)
        lower, upper = np.nanquantile(one - two, PLAIN, axis=0)
        rejected += (lower > 0) | (upper < 0)
    return {m: [float(rejected[j] / n_campaigns)] for j, m in enumerate(setting.measures)}


def of_documents(rarer: float, size: int, alike: float, n: int, n_campaigns: int) -> list[float]:
    """Coverage and mean width of α over n documents: posterior, then bootstrap."""

    def labels(rng: np.random.Generator, n_documents: int) -> LabelMatrix:
        documents = np.arange(n_documents).repeat(size)
        share = rng.beta(alike * rarer, alike * (1 - rarer), n_documents)[documents, None]
        right = rng.beta(alike, 0.15 * alike, n_documents)[documents, None]
        truth = rng.random((documents.size, 1)) < share
        guessed = rng.random((documents.size, 3)) < rarer
        seen = np.where(rng.random((documents.size, 3)) < right, truth, guessed)
        return LabelMatrix(
            codes=seen.astype(np.int32),
            tagset=("A", "B"),
            annotators=tuple("abc"),
            documents=documents,
        )

    alpha = "krippendorff_alpha"
    truth = compute(alpha, labels(np.random.default_rng(0), 200_000 // size)).value
    out = []
    for method in ("auto", "expanded-percentile"):
        held = width = 0.0
        for seed in range(1, n_campaigns + 1):
            matrix = labels(np.random.default_rng([n, seed]), n)
            found = bootstrap(
                matrix, measures=[alpha], seed=seed, n_replicates=N_DRAWS, method=method
            )[alpha]
            held += found.lower <= truth <= found.upper
            width += np.nan_to_num(found.upper - found.lower)
        out += [held / n_campaigns, width / n_campaigns]
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--campaigns", type=int, default=1000)
    parser.add_argument("--cells", type=Path, help="where computed cells are kept")
    options = parser.parse_args()
    kept: dict[str, dict[str, list[float]]] = {}
    if options.cells and options.cells.exists():
        for line in options.cells.read_text(encoding="utf-8").splitlines():
            kept.update(json.loads(line))
    found: dict[tuple[str, int, str], list[dict[str, list[float]]]] = {}
    start = time.process_time()
    for (kind, settings), n in product(STUDIES.items(), SIZES):
        for setting, method in product(settings(), METHODS[kind]):
            key = f"{setting.name}/{n}/{method}/{options.campaigns}"
            if key not in kept:
                measure = rejections if kind == "differences" else coverage
                kept[key] = measure(setting, n, options.campaigns, method)
                if options.cells:
                    with options.cells.open("a", encoding="utf-8") as file:
                        file.write(json.dumps({key: kept[key]}) + "\n")
            found.setdefault((kind, n, method), []).append(kept[key])
    documents: dict[tuple[float, int, float, int], list[float]] = {}
    for rarer, (size, alike), n in product((0.33, 0.1), DOCUMENTS, (3, 5, 8, 20)):
        key = f"documents {rarer} {size} {alike}/{n}/{options.campaigns}"
        if key not in kept:
            kept[key] = {"all": of_documents(rarer, size, alike, n, options.campaigns)}
            if options.cells:
                with options.cells.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({key: kept[key]}) + "\n")
        documents[rarer, size, alike, n] = kept[key]["all"]
    text = written(found, options.campaigns) + written_documents(documents)
    RESULTS.write_text(text, encoding="utf-8")
    print(f"{text}\n{time.process_time() - start:.0f} s of CPU")


DOCUMENTS = ((10, 8.0), (40, 8.0), (40, 100.0))  # items per document, similarity of documents
STUDIES = {
    "grid": grid, "weighted": weighted, "differences": teams, "missing": missing, "unseen": unseen,
}  # fmt: skip
METHODS = {
    "grid": ("posterior", "bootstrap"), "weighted": ("posterior", "bootstrap"),
    "differences": ("paired", "independent"), "missing": ("posterior",), "unseen": ("posterior",),
}  # fmt: skip


def written(
    found: dict[tuple[str, int, str], list[dict[str, list[float]]]], n_campaigns: int
) -> str:
    lines = [
        (
            "| settings | items | coefficient | least / median coverage | within .92–.97 | width | "
            "bootstrap: least / median | width |"
        ),
        "|---|---|---|---|---|---|---|---|",
    ]
    inside, least = [], 1.0
    for (kind, n, method), cells in found.items():
        if method != "posterior":
            continue
        for measure in cells[0]:
            held, width = np.array([cell[measure] for cell in cells]).T
            beside = "– | –"
            if (kind, n, "bootstrap") in found:
                old, old_width = np.array([c[measure] for c in found[kind, n, "bootstrap"]]).T
                beside = f"{old.min():.3f} / {np.median(old):.3f} | {old_width.mean():.2f}"
            within = (held >= 0.92) & (held <= 0.97)
            inside += within.tolist()
            least = min(least, float(held.min()))
            lines.append(
                f"| {kind} ({len(cells)}) | {n} | {measure} | {held.min():.3f} / "
                f"{np.median(held):.3f} | {within.mean():.0%} | {width.mean():.2f} | "
                f"{beside} |"
            )
    error = 1.96 * np.sqrt(0.95 * 0.05 / n_campaigns)
    lines += [
        "",
        (
            f"95 % CIs in {n_campaigns:,} simulated campaigns of each setting (± {error:.3f}), "
            f"from {N_DRAWS} draws. Posterior: least {least:.3f}, {np.mean(inside):.0%} of "
            f"{len(inside):,} cells within .92–.97."
        ),
        "",
        "| two teams of equal quality | items | coefficient | p ≤ .05: most / mean |",
        "|---|---|---|---|",
    ]
    for (kind, n, method), cells in found.items():
        for measure in cells[0] if kind == "differences" else ():
            rate = np.array([cell[measure][0] for cell in cells])
            lines.append(f"| {method} | {n} | {measure} | {rate.max():.3f} / {rate.mean():.3f} |")
    error = 1.96 * np.sqrt(0.05 * 0.95 / n_campaigns)
    lines += ["", f"Differences of two teams, {n_campaigns:,} campaigns a setting (± {error:.3f})."]
    return "\n".join(lines) + "\n"


def written_documents(cells: dict[tuple[float, int, float, int], list[float]]) -> str:
    lines = [
        "",
        (
            "| α: rarer category, items of a document | documents | posterior: coverage, width | "
            "bootstrap: coverage, width |"
        ),
        "|---|---|---|---|",
    ]
    for (rarer, size, alike, n), (held, width, old, old_width) in cells.items():
        kind = f"{rarer:g}, {size}, {'alike' if alike > 50 else 'unlike'}"
        lines.append(f"| {kind} | {n} | {held:.3f}, {width:.2f} | {old:.3f}, {old_width:.2f} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
