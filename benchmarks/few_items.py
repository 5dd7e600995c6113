"""Coverage of 95 % CIs over few items, and how often teams of equal quality differ.

    python benchmarks/few_items.py --campaigns 150 --kept-back 400   # ten minutes on one core

* cells: 300 kinds of campaign (`benchmarks.item_cells`), half of which were kept back while the
  rule was chosen. An undefined interval counts as a miss. The rule is that of `acc.agreement`
  (`intervals_over_units`), beside draws with the whole prior and equal tails (over documents,
  Student's), whatever the number of annotators.
* documents: three annotators, two categories, documents of varying prevalence and difficulty,
  beside the bootstrap with expanded percentiles
* differences: two teams of two annotators and equal quality, on the same items or on others

What is computed is kept in --cells. Writes benchmarks/results/coverage-items.md.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from zlib import crc32

import numpy as np
from scipy.special import ndtr

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from accordeur.metrics.agreement import coefficient_posterior
from accordeur.metrics.agreement import counts as item_counts
from accordeur.metrics.agreement.coefficient_difference import STRENGTH
from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.interval_methods import (
    bootstrap_intervals,
    intervals_over_units,
    posterior_intervals,
)
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.agreement.resampling_units import (
    coefficient_values,
    point_values,
    resampling_units,
)
from accordeur.metrics.agreement.summands import CountedSummands
from accordeur.metrics.agreement.sums import Feature, Sums, weighted_sums
from accordeur.metrics.measures import coefficient_of
from accordeur.metrics.options import Sampling
from accordeur.metrics.quantiles import normal_probability, t_quantile
from benchmarks.item_cells import Cell, cells, kept_back
from benchmarks.item_populations import Setting, teams

RESULTS = Path(__file__).resolve().parent / "results" / "coverage-items.md"
N_DRAWS = 400
DOCUMENTS = ((10, 8.0), (40, 8.0), (40, 100.0))  # items per document, similarity of documents
Row = list[float]


def coverage(cell: Cell, number: int, campaigns: range) -> Row:
    """Coverage by the rule and with the whole prior, mean widths and undefined values, (5 M,)."""
    truth = np.array(cell.truth())
    specs = [coefficient_of(measure) for measure in cell.measures]
    held = np.zeros((5, len(truth)))
    for campaign in campaigns:
        options = {"seed": campaign, "distance": cell.distance}
        matrix = cell.campaign(np.random.default_rng([number, campaign]))
        groups = resampling_units(matrix)
        found = intervals_over_units(
            groups,
            measures=cell.measures,
            sampling=Sampling(replicates=N_DRAWS, seed=campaign),
            distance=cell.distance,
        )
        rule = np.array([found[measure].bounds for measure in cell.measures]).T
        values = point_values(groups, specs, cell.distance)
        defined = np.isfinite(values)
        whole = coefficient_posterior.posterior_draws(
            groups, measures=cell.measures, n_draws=N_DRAWS, **options
        )
        tails = coefficient_posterior.tail_probabilities(0.95, groups, 1.0)
        before = np.nanquantile(np.where(np.isnan(whole), np.inf, whole), tails, axis=0)
        before = np.fmin(before[0], values), np.fmax(before[1], values)
        for row, (lower, upper) in enumerate((rule, before)):
            held[row] += defined & (lower <= truth + 1e-9) & (truth - 1e-9 <= upper)
            held[2 + row] += np.where(defined, np.nan_to_num(upper - lower), 0.0)
        held[4] += ~defined
    return (held / len(campaigns)).ravel().tolist()


def rejections(setting: Setting, n: int, n_campaigns: int, paired: bool) -> Row:
    """Rate at which teams of equal quality differ at .05, by measure."""
    kind = "paired" if paired else "independent"
    rng = np.random.default_rng([n, crc32(f"{kind} {setting.name}".encode())])
    codes, chances = setting.profiles()
    k, team = len(setting.prevalence), len(chances)
    names = tuple(map(str, range(codes.shape[1]))), tuple(map(str, range(k)))
    matrix = LabelMatrix(codes=codes, annotators=names[0], tagset=names[1])
    kinds = CountedSummands(item_counts.count(matrix, by="items"))
    pseudo = coefficient_posterior.pseudo_items(weighted_sums(kinds, chances[None]), np.arange(k))
    mass = STRENGTH * coefficient_posterior.pseudo_item_weights(1 - np.eye(k))
    specs = [coefficient_of(measure) for measure in setting.measures]

    def drawn(weights: np.ndarray) -> np.ndarray:
        unseen = rng.standard_gamma(mass, (len(weights), mass.size))
        scale = 1e9 / (weights.sum(axis=1) + unseen.sum(axis=1))[:, None]

        def read(feature: Feature) -> np.ndarray:
            return (
                weights @ kinds.feature_matrix(feature) + unseen @ pseudo.feature_matrix(feature)
            ) * scale

        return coefficient_values(specs, Sums(kinds, read), "nominal", matrix.tagset)

    t = t_quantile(n - 1, 0.975)  # as `posterior_difference`
    tails = (normal_probability(-t), normal_probability(t))
    joint = np.zeros((team, team))
    for t, share in enumerate(setting.prevalence):
        given = Setting("", tuple(np.eye(k)[t].tolist()), setting.confusions).profiles()[1]
        joint += share * np.outer(given, given)
    rejected = np.zeros(len(specs))
    for _ in range(n_campaigns):
        if paired:
            table = rng.multinomial(n, joint.ravel())
            weights = rng.standard_gamma(table, (N_DRAWS, table.size)).reshape(-1, team, team)
            sides = [weights.sum(axis=2), weights.sum(axis=1)]
        else:
            sides = [
                rng.standard_gamma(rng.multinomial(n, chances), (N_DRAWS, team)) for _ in range(2)
            ]
        one, two = (drawn(side) for side in sides)
        lower, upper = np.nanquantile(one - two, tails, axis=0)
        rejected += (lower > 0) | (upper < 0)
    return (rejected / n_campaigns).tolist()


def of_documents(rarer: float, size: int, alike: float, n: int, n_campaigns: int) -> Row:
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
    truth = compute_coefficient(alpha, labels(np.random.default_rng(0), 200_000 // size)).value
    out = []
    for method in (posterior_intervals, bootstrap_intervals):
        held = width = 0.0
        for seed in range(1, n_campaigns + 1):
            groups = resampling_units(labels(np.random.default_rng([n, seed]), n))
            sampling = Sampling(replicates=N_DRAWS, seed=seed)
            [found] = method(groups, [coefficient_of(alpha)], sampling)
            held += found.lower <= truth <= found.upper
            width += np.nan_to_num(found.upper - found.lower)
        out += [held / n_campaigns, width / n_campaigns]
    return out


def written_cells(found: dict[int, Row], n_campaigns: dict[bool, int]) -> list[str]:
    """Tables of the cells: by half, annotators and what is resampled; then the worst."""
    kept = kept_back()
    rows = []
    for number, flat in found.items():
        cell = cells()[number]
        values = np.array(flat).reshape(5, -1).T.tolist()
        rows += [(number, cell, m, *v) for m, v in zip(cell.measures, values, strict=True)]
    lines = [
        (
            "| half | resampled | annotators | values | least / median | within .91–.97 | below "
            ".91 | above .97 | width | whole prior: least | within | width |"
        ),
        "|---" * 12 + "|",
    ]
    for is_kept, documents, (fewest, most) in product(
        (True, False), (False, True), ((2, 2), (3, 5), (6, 10), (13, 25))
    ):
        some = np.array([
            one[3:] for one in rows
            if (one[0] in kept) == is_kept and bool(one[1].size) == documents
            and fewest <= one[1].n_annotators <= most
        ])  # fmt: skip
        if len(some):
            lines.append(_line(some, is_kept, documents, f"{fewest}–{most}"))
    for is_kept in (True, False):
        some = np.array([one[3:] for one in rows if (one[0] in kept) == is_kept])
        if len(some):
            lines.append(_line(some, is_kept, None, "2–25"))
    lines += ["", _summary([one for one in rows if one[0] in kept], n_campaigns[True])]
    lines += ["", "Lowest coverage of all:", ""]
    for number, cell, measure, held, before, width, _, undefined in sorted(
        rows, key=lambda one: one[3]
    )[:12]:
        lines.append(
            f"* {held:.3f} (whole prior {before:.3f}, width {width:.2f}, undefined "
            f"{undefined:.0%}): {measure}, cell {number}: {cell.n_items} items × "
            f"{cell.n_annotators} annotators, {cell.n_categories} categories, accuracy "
            f"{cell.accuracy:.2f}, rarest {cell.rarest or 1 / cell.n_categories:.2f}, missing "
            f"{cell.missing:g}{', unequal' if cell.unequal else ''}"
            f"{f', documents of {cell.size}' if cell.size else ''}, {cell.distance}"
        )
    sizes = " and ".join(
        f"{n:,} of each {'kept back' if kept_ else 'of the half that chose the rule'}"
        for kept_, n in n_campaigns.items()
    )
    lines += ["", f"95 % CIs from {N_DRAWS} draws in simulated campaigns: {sizes}."]
    return lines


def _line(some: np.ndarray, is_kept: bool, documents: bool | None, annotators: str) -> str:
    held, before, width, old_width, _ = some.T
    over = "both" if documents is None else "documents" if documents else "items"
    low, high = held < 0.91, held > 0.97
    within = (before >= 0.91) & (before <= 0.97)
    return (
        f"| {'kept back' if is_kept else 'chose the rule'} | {over} | {annotators} | {len(held)} | "
        f"{held.min():.3f} / {np.median(held):.3f} | {(~low & ~high).mean():.0%} | "
        f"{low.mean():.0%} | {high.mean():.0%} | {width.mean():.2f} | {before.min():.3f} | "
        f"{within.mean():.0%} | {old_width.mean():.2f} |"
    )


def _summary(kept: Sequence[tuple], n_campaigns: int) -> str:
    if not kept:
        return ""
    held, before = np.array([one[3:5] for one in kept]).T
    error = 1.645 * np.sqrt(0.88 * 0.12 / n_campaigns)
    worse = held < np.minimum(before, 0.95) - 0.03
    expected = [_share_within(one, n_campaigns) for one in (held, before)]
    return (
        f"Half kept back: {np.mean((held >= 0.91) & (held <= 0.97)):.1%} of {len(held)} values are "
        f"within .91–.97, {np.mean(held < 0.91):.1%} below; {np.sum(held < 0.88 - error)} are "
        f"significantly below .88 (with the whole prior {np.sum(before < 0.88 - error)}); "
        f"{np.sum(worse)} are lower by more than .03 than with the whole prior (or than .95). "
        f"Without the error of {n_campaigns} campaigns, whose standard deviation is "
        f"{np.sqrt(0.95 * 0.05 / n_campaigns):.3f}, {expected[0]:.0%} would be within (with the "
        f"whole prior {expected[1]:.0%}), if coverage is normal."
    )


def _share_within(held: np.ndarray, n_campaigns: int) -> float:
    """Share of true coverages in .91–.97, normal with the variance beyond the binomial one."""
    mean = held.mean()
    sd = np.sqrt(max(held.var() - mean * (1 - mean) / n_campaigns, 1e-9))
    return float(np.diff(ndtr((np.array([0.91, 0.97]) - mean) / sd))[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--campaigns", type=int, default=1000)
    parser.add_argument("--kept-back", type=int, help="campaigns of each cell kept back")
    parser.add_argument("--cells", type=Path, help="where computed cells are kept")
    parser.add_argument("--written", action="store_true", help="write only what is in --cells")
    options = parser.parse_args()
    known: dict[str, Row] = {}
    if options.cells and options.cells.exists():
        for line in options.cells.read_text(encoding="utf-8").splitlines():
            known.update(json.loads(line))

    def remembered(key: str, work: Callable[[], Row]) -> Row | None:
        if key not in known and not options.written:
            known[key] = work()
            if options.cells:
                with options.cells.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({key: known[key]}) + "\n")
        return known.get(key)

    start = time.process_time()
    n = options.kept_back or options.campaigns
    n_campaigns = {True: n, False: options.campaigns}
    kept = kept_back()
    found: dict[int, Row] = {}
    for number in sorted(range(len(cells())), key=lambda one: one not in kept):
        times = n_campaigns[number in kept]
        row = remembered(
            f"cell {number}/{times}", lambda c=number, t=times: coverage(cells()[c], c, range(t))
        )
        if row:
            found[number] = row
    lines = written_cells(found, n_campaigns)
    lines += ["", "| two teams of equal quality | items | coefficient | p ≤ .05: most / mean |"]
    lines += ["|---|---|---|---|"]
    for paired, size in product((True, False), (10, 25, 50)):
        kind = "paired" if paired else "independent"
        rates = [
            remembered(
                f"{kind} {one.name}/{size}/{n}",
                lambda o=one, s=size, p=paired: rejections(o, s, n, p),
            )
            for one in teams()
        ]
        table = np.array([one for one in rates if one])
        for j, measure in enumerate(next(iter(teams())).measures if len(table) else ()):
            rate = table[:, j]
            lines.append(f"| {kind} | {size} | {measure} | {rate.max():.3f} / {rate.mean():.3f} |")
    lines += ["", f"{n:,} campaigns a setting (± {1.96 * np.sqrt(0.05 * 0.95 / n):.3f}).", ""]
    lines += [
        (
            "| α of 3 annotators: rarer category, items of a document | documents | posterior: "
            "coverage, width | bootstrap: coverage, width |"
        ),
        "|---|---|---|---|",
    ]
    for rarer, (size, alike), count in product((0.33, 0.1), DOCUMENTS, (3, 5, 8, 20)):
        row = remembered(
            f"documents {rarer} {size} {alike}/{count}/{n}",
            lambda r=rarer, s=size, a=alike, c=count: of_documents(r, s, a, c, n),
        )
        if row:
            kind = f"{rarer:g}, {size}, {'alike' if alike > 50 else 'unlike'}"
            held, width, old, old_width = row
            lines.append(
                f"| {kind} | {count} | {held:.3f}, {width:.2f} | {old:.3f}, {old_width:.2f} |"
            )
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines) + f"\n{time.process_time() - start:.0f} s of CPU")


if __name__ == "__main__":
    main()
