"""Labels saved by `accordeur next`, and accuracy of its estimates.

    python benchmarks/next_labels.py DATA [--repetitions 40]

DATA contains `snow2008/rte.standardized.tsv` (Snow et al. 2008), `bluebirds/` (Welinder et al.
2010) and `weather_sentiment/CF_amt.csv`. Collected labels are replayed: an assigned label is the
one that the annotator gave, and an item is assigned only to its annotators. A campaign starts with
a random label per item; each further round has 5 % of the items. "Uniform" assigns every label at
random, to items with the fewest labels first. The consensus is computed with the model of `next`.
Repetition r has seed r. α is compared with α of all labels of the data set.

The closed loop has 400 items and 20 simulated annotators: 15 are right with a probability of .65 to
.95, 5 guess. Every round is followed by an audit of the same 120 random gold labels; the loop stops
when the Clopper–Pearson bound is at most .10.

For the goal `agreement` a campaign starts with one label on every item and a second on a quarter;
then 8 rounds have labels for a quarter of the items, all random. "Labels for the same width" are
those with which the goal reaches the width of the interval that uniform annotation ends with,
interpolated between rounds. Writes benchmarks/results/next-labels.md.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.evaluate import evaluate_matrix
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.options import Sampling
from accordeur.metrics.resampling.interval_forecast import interval_width_ratio, label_pair_variance
from accordeur.metrics.resampling.next_labels import (
    Limits,
    class_and_label_posteriors,
    consensus_error_limit,
    next_for_agreement,
    next_labels,
    random_order,
)

RESULTS = Path(__file__).parent / "results" / "next-labels.md"
BUDGETS = (3.0, 4.0, 4.4, 5.0)  # labels per item
SHARE, DEPTH = Limits().random_share, Limits().random_depth
SHARES = (1.0, 0.2, SHARE)  # 1: uniform
ROUND = 0.05  # of the items
N_DESIGNS, DESIGN_ITEMS = 300, 360  # the items that 45 % of 4 labels per item complete on RTE
NARROW_SEEDS, NARROW_ROUNDS = range(10), 8
LOOP = (400, 20, 120, 0.10)  # items, annotators, audited items, target
LOOP_COLUMNS = [
    *("labels", "labels needed: mean (range)", "true error", "audit bound kept"),
    "error of the model's posteriors kept",
]
NARROW_COLUMNS = [
    *("data", "width", "labels for the same width: mean (range)", "found / forecast width: mean"),
    *("within 10%", "within 15%"),
]
NAMES = {"rte": "RTE", "bluebirds": "bluebirds", "weather": "weather sentiment"}


@dataclass(frozen=True)
class Crowd:
    """All labels of a data set, codes (N, A) with -1 for none, and the gold labels (N,)."""

    codes: NDArray[np.int32]
    gold: NDArray[np.int64]
    n_categories: int
    items: tuple[str, ...]
    annotators: tuple[str, ...]

    def matrix(self, codes: NDArray[np.int32]) -> LabelMatrix:
        return LabelMatrix(
            codes=codes,
            tagset=tuple(map(str, range(self.n_categories))),
            annotators=self.annotators,
            items=self.items,
            roles=("human",) * len(self.annotators),
        )


def read(name: str, folder: Path) -> Crowd:
    """Read a data set; of two labels by an annotator on an item, the first counts."""
    if name == "rte":
        lines = (folder / "snow2008" / "rte.standardized.tsv").read_text().splitlines()[1:]
        rows = [(one[2], one[1], one[3], one[4]) for one in (line.split("\t") for line in lines)]
    elif name == "bluebirds":
        with (folder / "bluebirds" / "bluebirds_gold.csv").open() as file:
            gold = {row[0]: row[1] for row in csv.reader(file)}
        with (folder / "bluebirds" / "bluebirds_long.csv").open() as file:
            rows = [(item, who, label, gold[item]) for item, who, label in csv.reader(file)][1:]
    else:
        with (folder / "weather_sentiment" / "CF_amt.csv").open() as file:
            rows = [(row[1], row[0], row[2], row[3]) for row in csv.reader(file)]
    items, people = (sorted({row[k] for row in rows}) for k in (0, 1))
    labels = sorted({row[2] for row in rows} | {row[3] for row in rows})
    codes = np.full((len(items), len(people)), -1, np.int32)
    truth = np.zeros(len(items), np.int64)
    for item, who, label, of_item in rows:
        i, a = items.index(item), people.index(who)
        codes[i, a] = labels.index(label) if codes[i, a] < 0 else codes[i, a]
        truth[i] = labels.index(of_item)
    return Crowd(codes, truth, len(labels), tuple(items), tuple(people))


def alpha(crowd: Crowd, codes: NDArray[np.int32]) -> float:
    return float(compute_coefficient("krippendorff_alpha", crowd.matrix(codes)).value)


@dataclass(frozen=True)
class Collected:
    """A campaign in progress: all its labels, and the labels of the random share."""

    codes: NDArray[np.int32]
    design: NDArray[np.bool_]

    @property
    def n(self) -> int:
        return int((self.codes >= 0).sum())


def collect(crowd: Crowd, before: Collected, n: int, share: float, seed: int) -> Collected:
    """Return the campaign after a round of n labels."""
    codes, design = before.codes.copy(), before.design.copy()
    depth = before.n // len(crowd.gold) + 1 if share == 1 else DEPTH
    for one in next_labels(
        crowd.matrix(before.codes),
        n,
        Limits(random_share=share, random_depth=depth, seed=seed),
        design=before.design,
        allowed=crowd.codes >= 0,
    ):
        codes[one.item, one.annotator] = crowd.codes[one.item, one.annotator]
        design[one.item, one.annotator] |= one.purpose == "random"
    return Collected(codes, design)


def begin(crowd: Crowd, seed: int) -> Collected:
    shape = crowd.codes.shape
    nothing = Collected(np.full(shape, -1, np.int32), np.zeros(shape, np.bool_))
    return collect(crowd, nothing, shape[0], 1.0, seed)


def replay(crowd: Crowd, share: float, seed: int) -> list[list[float]]:
    """For each budget: accuracy, estimated accuracy, α of the random share, α of all labels."""
    n_items = len(crowd.gold)
    now, found = begin(crowd, seed), []
    for budget in BUDGETS:
        while (left := round(budget * n_items) - now.n) > 0:
            now = collect(crowd, now, min(left, max(1, round(ROUND * n_items))), share, seed)
        posterior, _ = class_and_label_posteriors(crowd.matrix(now.codes))
        right = float((posterior.argmax(axis=1) == crowd.gold).mean())
        random = np.where(now.design, now.codes, -1).astype(np.int32)
        promised = float(posterior.max(axis=1).mean())
        found.append([right, promised, alpha(crowd, random), alpha(crowd, now.codes)])
    return found


def designs(crowd: Crowd) -> tuple[float, float]:
    """Mean and standard error of α − α of all labels, over random shares of DESIGN_ITEMS items."""
    whole, errors = alpha(crowd, crowd.codes), []
    for seed in range(N_DESIGNS):
        order = random_order(crowd.items, crowd.annotators, seed)
        keys = np.where(crowd.codes >= 0, order.cells, np.iinfo(np.uint64).max)
        rank = keys.argsort(axis=1).argsort(axis=1)
        drawn = (rank < DEPTH) & (crowd.codes >= 0)
        drawn[np.argsort(order.items)[DESIGN_ITEMS:]] = False
        errors.append(alpha(crowd, np.where(drawn, crowd.codes, -1).astype(np.int32)) - whole)
    return float(np.mean(errors)), float(np.std(errors) / np.sqrt(N_DESIGNS))


def simulated(rng: np.random.Generator) -> Crowd:
    n_items, n_annotators, _, _ = LOOP
    truth = rng.integers(0, 2, n_items)
    ability = np.where(
        np.arange(n_annotators) < n_annotators * 3 // 4, rng.uniform(0.65, 0.95, n_annotators), 0.5
    )
    right = rng.random((n_items, n_annotators)) < ability
    codes = np.where(right, truth[:, None], 1 - truth[:, None]).astype(np.int32)
    items = tuple(f"item{i}" for i in range(n_items))
    return Crowd(codes, truth, 2, items, tuple(f"annotator{a}" for a in range(n_annotators)))


def loop(seed: int, share: float) -> tuple[int, float, float, float]:
    """Return labels until the audited error is reached, true error, bound, and model's error."""
    rng = np.random.default_rng(seed)
    crowd = simulated(rng)
    n_items, n_annotators, n_audited, target = LOOP
    audited = rng.permutation(n_items)[:n_audited]
    now = begin(crowd, seed)
    while True:
        posterior, _ = class_and_label_posteriors(crowd.matrix(now.codes))
        wrong = posterior.argmax(axis=1) != crowd.gold
        bound = consensus_error_limit(int(wrong[audited].sum()), n_audited)
        if bound <= target or now.n == n_items * n_annotators:
            model = float(1 - posterior.max(axis=1).mean())
            return now.n, float(wrong.mean()), bound, model
        now = collect(crowd, now, round(ROUND * n_items), share, seed)


def narrow(crowd: Crowd, seed: int, *, uniform: bool) -> tuple[list[int], list[float], list[float]]:
    """Labels and width of the interval before each round; width after it in expected widths."""
    allowed = crowd.codes >= 0
    n_items = len(crowd.gold)
    start = Limits(random_share=1, random_depth=2, seed=seed)
    codes = np.full(crowd.codes.shape, -1, np.int32)
    for one in next_labels(crowd.matrix(codes), n_items + n_items // 4, start, allowed=allowed):
        codes[one.item, one.annotator] = crowd.codes[one.item, one.annotator]
    n_labels, widths, ratios, expected = [], [], [], float("nan")
    for _ in range(NARROW_ROUNDS + (1 if uniform else 3)):  # the goal may need more labels
        matrix, given = crowd.matrix(codes), codes >= 0
        [found] = evaluate_matrix(
            matrix, measures=("krippendorff_alpha",), sampling=Sampling(seed=seed)
        )
        n_labels.append(int(given.sum()))
        widths.append(found.interval[1] - found.interval[0])
        ratios.append(widths[-1] / expected)
        variance = label_pair_variance(matrix)
        depth = max(2, given.sum() // n_items + 1)
        if uniform:
            limits = Limits(random_share=1, random_depth=int(depth), seed=seed)
            chosen = next_labels(matrix, n_items // 4, limits, allowed=allowed)
        else:
            chosen = next_for_agreement(
                given,
                n_items // 4,
                Limits(seed=seed),
                items=crowd.items,
                annotators=crowd.annotators,
                variance=None if variance is None else variance.variance_of_agreement,
                allowed=allowed,
            )
        for one in chosen:
            codes[one.item, one.annotator] = crowd.codes[one.item, one.annotator]
        expected = widths[-1] * interval_width_ratio(
            variance, given.sum(axis=1), (codes >= 0).sum(axis=1)
        )
    return n_labels, widths, ratios[1:]


def narrowing(crowd: Crowd) -> list[object]:
    """Width that uniform annotation ends with, labels for it, and how right the forecasts are."""
    needed, ends, ratios = [], [], []
    for seed in NARROW_SEEDS:
        n_uniform, of_uniform, _ = narrow(crowd, seed, uniform=True)
        n_labels, widths, forecasts = narrow(crowd, seed, uniform=False)
        reached = np.minimum.accumulate(widths)
        n = np.interp(-np.log(of_uniform[-1]), -np.log(reached), n_labels)
        needed.append(n / n_uniform[-1])
        ends.append(of_uniform[-1])
        ratios += forecasts
    off = np.abs(np.array(ratios) - 1)
    return [
        f"{np.mean(ends):.3f}",
        f"{np.mean(needed):.0%} ({min(needed):.0%}–{max(needed):.0%})",
        f"{np.mean(ratios):.3f}",
        f"{(off <= 0.1).mean():.0%}",
        f"{(off <= 0.15).mean():.0%}",
    ]


def _row(cells: list[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _table(head: list[str], rows: list[list[object]]) -> str:
    return "\n".join([_row(list(head)), "|---" * len(head) + "|", *map(_row, rows)])


def _each(of: Callable[[int], float], form: str) -> list[object]:
    return [format(of(k), form) for k in range(len(BUDGETS))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--repetitions", type=int, default=40)
    given = parser.parse_args()
    seeds, started = range(given.repetitions), time.process_time()
    accuracy, agreement, promised = [], [], []
    for name, title in NAMES.items():
        crowd = read(name, given.data)
        whole = alpha(crowd, crowd.codes)
        for share in SHARES:
            found = np.array([replay(crowd, share, seed) for seed in seeds])
            how = "uniform" if share == 1 else f"next, random share {share:g}"
            mean, spread = found[:, :, 0].mean(axis=0), found[:, :, 0].std(axis=0, ddof=1)
            accuracy.append(
                [title, how, *(f"{m:.3f} ± {s:.3f}" for m, s in zip(mean, spread, strict=True))]
            )
            over = found[:, :, 1] - found[:, :, 0]
            promised.append([title, how, *_each(lambda k, o=over: float(o[:, k].mean()), "+.3f")])
            error = found[:, :, 2] - whole
            bias, rmse = error.mean(axis=0), np.sqrt((error**2).mean(axis=0))
            naive = (found[:, :, 3] - whole).mean(axis=0)
            agreement.append(
                [
                    title,
                    how,
                    *(f"{b:+.3f} / {r:.3f}" for b, r in zip(bias, rmse, strict=True)),
                    " ".join(f"{one:+.3f}" for one in naive),
                ]
            )
            print(title, how, accuracy[-1][2:], agreement[-1][2:], flush=True)
    design_bias, design_error = designs(read("rte", given.data))
    loops = {share: np.array([loop(seed, share) for seed in seeds]) for share in (1.0, SHARE)}
    rows = []
    for share, one in loops.items():
        n = one[:, 0]
        rows.append(
            [
                "uniform" if share == 1 else f"next, random share {share:g}",
                f"{n.mean():,.0f} ({n.min():,.0f}–{n.max():,.0f})",
                f"{one[:, 1].mean():.3f}",
                f"{(one[:, 1] <= one[:, 2]).mean():.0%}",
                f"{(one[:, 1] <= one[:, 3]).mean():.0%}",
            ]
        )
    saved = 1 - loops[SHARE][:, 0].mean() / loops[1.0][:, 0].mean()
    narrowed = [[title, *narrowing(read(name, given.data))] for name, title in NAMES.items()]
    budgets = [f"{one:g}" for one in BUDGETS]
    seconds = time.process_time() - started
    RESULTS.write_text(
        f"""\
# What to annotate next

`python benchmarks/next_labels.py DATA`: {given.repetitions} repetitions with the seeds 0 to
{given.repetitions - 1}, {seconds:,.0f} s of CPU. The docstring describes data and replay.

## Accuracy of the consensus against gold, by labels per item

Mean ± standard deviation over repetitions.

{_table(["data", "labels", *budgets], accuracy)}

## α of the random share, bias / RMSE against α of all labels

The last column is the bias of α over all collected labels, for the same budgets: what agreement
would be if adaptively collected labels counted. The standard error of a bias is about
RMSE / √{given.repetitions}.

{_table(["data", "labels", *budgets, "bias of α over all labels"], agreement)}

{N_DESIGNS} random shares of {DESIGN_ITEMS} RTE items with {DEPTH} labels each, without a campaign:
bias {design_bias:+.4f}, standard error {design_error:.4f}.

## `--goal agreement`: labels for the width of the interval that uniform annotation reaches

{len(NARROW_SEEDS)} campaigns of {NARROW_ROUNDS} rounds. Labels are in labels of uniform annotation,
forecasts of a round in the width that was found after it; the intervals are bootstrapped.

{_table(NARROW_COLUMNS, narrowed)}

## Promised minus true accuracy when the model's own posteriors are believed

{_table(["data", "labels", *budgets], promised)}

## Closed loop: labels until the audited error is at most {LOOP[3]:g}

{_table(LOOP_COLUMNS, rows)}

`next` needs {saved:.0%} fewer labels.
""",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
