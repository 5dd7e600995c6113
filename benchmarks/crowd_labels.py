"""Consensus of labels beside crowd-kit: accuracy, and reliability of annotators, in one run.

    python -m benchmarks.crowd_labels DATA MORE --peer-python PYTHON

DATA contains bluebirds, snow2008 and weather_sentiment, as `next_labels.py` reads them; MORE is a
folder with `label.csv` (item, worker, label) and `truth.csv` (item, truth) per data set, as in the
repository yuan-li/truth-inference-at-scale. PYTHON is an interpreter with crowd-kit.

The five sets of the comparison, and the choice of the model, were fixed before any accuracy was
seen: `consensus` is what `accordeur consensus` and the rule of this name give; `held_out`, what
`accordeur consensus --rule held_out` gives, is the model with the least held-out log-loss. Neither
sees a gold label. An item that a rule leaves open counts as wrong. Reliability: rank correlation of
the estimated reliability with the share of right labels, over annotators with ten labels or more of
items with gold.

An audit draws 100 items of a set (of bluebirds 54, half of them) at random, 40 times, and their
gold labels calibrate the confidence of `consensus`. The other items are sorted by confidence and
cut into quarters: `stated` is the mean confidence of each, `right` its share of right labels, both
over the drawings. A quarter holds if they differ by .05 at most, or if what is stated lies in the
95 % Clopper–Pearson interval of what is right; `held` is the share of the quarters of single
drawings that hold.

Writes benchmarks/results/crowd-labels.md.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from scipy.stats import beta, spearmanr

from accordeur.metrics.agreement.label_matrix import LabelMatrix, label_matrix
from accordeur.metrics.arrays import Floats
from accordeur.metrics.references.audited_confidence import audited_confidence
from accordeur.metrics.references.label_list import LabelList
from accordeur.metrics.references.label_models.dawid_skene import (
    annotator_confusion_rates,
    consensus_of_labels,
    dawid_skene,
)
from accordeur.metrics.references.label_models.glad import glad
from accordeur.metrics.references.label_models.held_out_loss import compare_label_models
from accordeur.metrics.references.label_models.mace import mace

RESULTS = Path(__file__).parent / "results" / "crowd-labels.md"
PEER = Path(__file__).parent / "crowd_labels_peer.py"
FIVE = ("RTE", "bluebirds", "weather sentiment", "dogs", "music genres")
MORE = {
    "dogs": "SpectralMethodsMeetEM/dog",
    "music genres": "active-crowd-toolkit/MS",
    "weather sentiment, few labels": "active-crowd-toolkit/CF",
    "sentence polarity": "active-crowd-toolkit/SP",
    "sentence polarity, 20 labels": "active-crowd-toolkit/SP_amt",
    "ZenCrowd India": "active-crowd-toolkit/ZenCrowd_in",
    "ZenCrowd United States": "active-crowd-toolkit/ZenCrowd_us",
    "sentiment of tweets": "crowd_truth_inference/d_sentiment",
    "web search": "SpectralMethodsMeetEM/web",
    "products": "crowd_truth_inference/d_jn-product",
}
_FEWEST = 10
_N_AUDITED, _N_AUDITS, _CLOSE = 100, 40, 0.05
Rows = list[tuple[str, str, str]]


@dataclass(frozen=True)
class Crowd:
    """Labels (item, annotator, label) and the gold label of some items."""

    rows: Rows
    gold: Mapping[str, str]

    @property
    def matrix(self) -> LabelMatrix:
        items, annotators, labels = zip(*self.rows, strict=True)
        return label_matrix(items=items, annotators=annotators, labels=labels)

    @property
    def labels(self) -> LabelList:
        items, annotators, tags = (sorted({row[k] for row in self.rows}) for k in range(3))
        codes = (
            np.array([{name: n for n, name in enumerate(names)}[row[k]] for row in self.rows])
            for k, names in enumerate((items, annotators, tags))
        )
        columns = tuple(codes)
        order = np.argsort(columns[0], kind="stable")
        of_items, of_annotators, of_labels = (one[order] for one in columns)
        return LabelList(
            of_items, of_annotators, of_labels, len(items), tuple(annotators), tuple(tags),
            tuple(items),
        )  # fmt: skip


def unique(rows: Rows) -> Rows:
    """Return the first label of each annotator on each item."""
    found: dict[tuple[str, str], str] = {}
    for item, annotator, label in rows:
        found.setdefault((item, annotator), label)
    return [(item, annotator, label) for (item, annotator), label in found.items()]


def read_shared(folder: Path) -> dict[str, Crowd]:
    lines = (folder / "snow2008" / "rte.standardized.tsv").read_text().splitlines()[1:]
    rte = [line.split("\t") for line in lines]
    birds = folder / "bluebirds"
    with (birds / "bluebirds_gold.csv").open() as gold, (birds / "bluebirds_long.csv").open() as of:
        bird_gold = {row[0]: row[1] for row in csv.reader(gold)}
        bird_rows = [(item, who, label) for item, who, label in csv.reader(of)][1:]
    with (folder / "weather_sentiment" / "CF_amt.csv").open() as file:
        weather = list(csv.reader(file))
    return {
        "RTE": Crowd(unique([(r[2], r[1], r[3]) for r in rte]), {r[2]: r[4] for r in rte}),
        "bluebirds": Crowd(unique(bird_rows), bird_gold),
        "weather sentiment": Crowd(
            unique([(r[1], r[0], r[2]) for r in weather]), {r[1]: r[3] for r in weather}
        ),
    }


def read_more(folder: Path) -> Crowd:
    with (folder / "label.csv").open() as labels, (folder / "truth.csv").open() as truth:
        rows = [(r["item"], r["worker"], r["label"]) for r in csv.DictReader(labels)]
        return Crowd(unique(rows), {r["item"]: r["truth"] for r in csv.DictReader(truth)})


@dataclass(frozen=True)
class Answer:
    """Label of each item, and estimated reliability of each annotator; {} where there is none."""

    labels: Mapping[str, str]
    reliability: Mapping[str, float]


def ours(crowd: Crowd) -> dict[str, Answer]:
    given = crowd.labels
    votes = given.vote_shares()
    best = votes.max(axis=1)
    untied = (votes >= best[:, None] - 1e-9).sum(axis=1) == 1
    majority = {
        name: given.tagset[int(code)]
        for name, code, is_clear in zip(given.item_names, votes.argmax(axis=1), untied, strict=True)
        if is_clear
    }
    found = {"majority": Answer(majority, _diagonal(given, votes))}
    models = {
        "Dawid–Skene": dawid_skene(given),
        "one coin": dawid_skene(given, one_coin=True),
        "consensus": consensus_of_labels(given),
        "GLAD": glad(given),
        "MACE": mace(given),
    }
    for name, made in models.items():
        labels = {
            item: given.tagset[code]
            for item, code in zip(given.item_names, made.reference.codes.tolist(), strict=True)
            if code >= 0
        }
        own = {"GLAD": "ability", "MACE": "competence"}.get(name)
        reliability = (
            dict(zip(given.annotator_names, made.parameters[own].tolist(), strict=True))
            if own
            else _diagonal(given, made.posterior, one_coin=name == "one coin")
        )
        found[name] = Answer(labels, reliability)
    rules = {"dawid_skene": "Dawid–Skene", "glad": "GLAD", "mace": "MACE"}
    chosen = compare_label_models(given)[0].rule
    found["held_out"] = found[rules.get(chosen, chosen)]
    return found


def _diagonal(given: LabelList, posterior: Any, *, one_coin: bool = False) -> dict[str, float]:
    """Return the expected share of right labels of each annotator, from the rates of a model."""
    rates = annotator_confusion_rates(given, posterior, 0.0, one_coin=one_coin)
    prevalence = np.nanmean(posterior, axis=0)
    right = np.einsum("akk,k->a", rates, prevalence / prevalence.sum())
    return dict(zip(given.annotator_names, right.tolist(), strict=True))


def peers(crowd: Crowd, python: str) -> dict[str, Answer]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "labels.json"
        path.write_text(json.dumps(crowd.rows), encoding="utf-8")
        said = subprocess.run(
            [python, str(PEER), str(path)], capture_output=True, text=True, check=True
        ).stdout
    return {
        name: Answer(one["labels"], one["reliability"])
        for name, one in json.loads(said.splitlines()[-1]).items()
    }


def accuracy(crowd: Crowd, answer: Answer) -> float:
    asked = {row[0] for row in crowd.rows} & crowd.gold.keys()
    return sum(answer.labels.get(item) == crowd.gold[item] for item in asked) / len(asked)


def rank_correlation(crowd: Crowd, answer: Answer) -> float:
    right: dict[str, list[bool]] = {}
    for item, annotator, label in crowd.rows:
        if item in crowd.gold:
            right.setdefault(annotator, []).append(label == crowd.gold[item])
    names = [n for n, r in right.items() if len(r) >= _FEWEST and n in answer.reliability]
    if len(names) < 3:
        return float("nan")
    shares = [np.mean(right[name]) for name in names]
    return float(spearmanr(shares, [answer.reliability[name] for name in names]).statistic)


@dataclass(frozen=True)
class Quarters:
    """Items by confidence, in quarters: what is stated, what is right, and what holds."""

    n_audited: int
    accuracy: float
    stated: Floats
    right: Floats
    holds: bool  # each quarter, over all drawings
    held: float


def audited(crowd: Crowd) -> Quarters:
    """Calibrate the confidence of `consensus` on random audits, and test it on the other items."""
    matrix = crowd.matrix
    codes = consensus_of_labels(matrix).reference.codes
    code_of = {label: k for k, label in enumerate(matrix.tagset)}
    truth = np.array([code_of.get(crowd.gold.get(str(item), ""), -1) for item in matrix.items])
    known = np.flatnonzero(truth >= 0)
    n_audited = min(_N_AUDITED, len(known) // 2)
    stated, right, held = [], [], []
    for seed in range(_N_AUDITS):
        drawn = np.random.default_rng(seed).permutation(known)
        audit = np.full(len(truth), -1)
        audit[drawn[:n_audited]] = truth[drawn[:n_audited]]
        confidence = audited_confidence(matrix, codes, audit)
        rest = np.sort(drawn[n_audited:])
        quarters = np.array_split(rest[np.argsort(confidence[rest], kind="stable")], 4)
        stated.append([confidence[one].mean() for one in quarters])
        right.append([(codes == truth)[one].mean() for one in quarters])
        held += map(_holds, stated[-1], right[-1], map(len, quarters))
    mean_stated, mean_right = np.mean(stated, axis=0), np.mean(right, axis=0)
    size = len(rest) // 4
    holds = all(_holds(*pair, size) for pair in zip(mean_stated, mean_right, strict=True))
    accuracy = float((codes == truth)[known].mean())
    return Quarters(n_audited, accuracy, mean_stated, mean_right, holds, float(np.mean(held)))


def _holds(stated: float, right: float, n: int) -> bool:
    k = round(right * n)
    low = beta.ppf(0.025, k, n - k + 1) if k else 0.0
    high = beta.ppf(0.975, k + 1, n - k) if k < n else 1.0
    return bool(abs(stated - right) <= _CLOSE or low <= stated <= high)


def audit_table(found: Mapping[str, Quarters]) -> list[str]:
    """The lines of the table: a row per set."""
    lines = ["| data | audited | accuracy | stated | right | holds | held |"]
    lines += ["|---|--:|--:|---|---|---|--:|"]
    for name, one in found.items():
        stated, right = (", ".join(f"{k:.3f}" for k in part) for part in (one.stated, one.right))
        lines.append(
            f"| {name} | {one.n_audited} | {one.accuracy:.3f} | {stated} | {right} "
            f"| {'yes' if one.holds else 'no'} | {one.held:.0%} |"
        )
    return lines


def table(
    crowds: Mapping[str, Crowd], found: Mapping[str, Mapping[str, Answer]], value: Any
) -> list[str]:
    columns = [*next(iter(found.values()))]
    lines = [f"| data | {' | '.join(columns)} |", "|---" + "|--:" * len(columns) + "|"]
    for name, answers in found.items():
        cells = (value(crowds[name], answers[column]) for column in columns)
        lines.append(f"| {name} | {' | '.join(f'{cell:.3f}' for cell in cells)} |")
    return lines


def report(
    crowds: Mapping[str, Crowd],
    found: Mapping[str, Mapping[str, Answer]],
    audits: Mapping[str, Quarters],
) -> str:
    theirs = [n for n in next(iter(found.values())) if n.startswith("crowd-kit")]
    said, of_audits = __doc__.split("\n\n")[3:5]
    lines = ["# Consensus of labels beside crowd-kit", "", said, ""]
    lines += ["| data | items | with gold | annotators | categories | labels per item |"]
    lines += ["|---|--:|--:|--:|--:|--:|"]
    for name in found:
        rows, given = crowds[name].rows, crowds[name].labels
        n_gold = len({row[0] for row in rows} & crowds[name].gold.keys())
        lines.append(
            f"| {name} | {given.n_items:,} | {n_gold:,} | {len(given.annotator_names)} "
            f"| {len(given.tagset)} | {len(rows) / given.n_items:.1f} |"
        )
    for chosen in ("consensus", "held_out"):
        for title, names in (("five sets", FIVE), ("all sets", tuple(found))):
            gaps = {
                name: max(accuracy(crowds[name], found[name][one]) for one in theirs)
                - accuracy(crowds[name], found[name][chosen])
                for name in names
                if name in found
            }
            n_near = sum(gap <= 0.01 + 1e-9 for gap in gaps.values())
            worst = max(gaps, key=lambda name: gaps[name])
            said = (
                f"`{chosen}`, {title}: within .01 of the best of crowd-kit's on {n_near} of "
                f"{len(gaps)}; furthest on {worst} ({gaps[worst]:+.3f})."
            )
            lines += ["", said]
    lines += ["", "## Accuracy", "", *table(crowds, found, accuracy)]
    lines += ["", "## Reliability of annotators", "", *table(crowds, found, rank_correlation)]
    lines += [
        "",
        "## Confidence from an audit",
        "",
        of_audits,
    ]
    lines += ["", *audit_table(audits)]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("more", type=Path)
    parser.add_argument("--peer-python", required=True)
    options = parser.parse_args()
    crowds = read_shared(options.data)
    crowds |= {name: read_more(options.more / folder) for name, folder in MORE.items()}
    found: dict[str, dict[str, Answer]] = {}
    audits = {name: audited(crowds[name]) for name in FIVE}
    for name, crowd in crowds.items():
        found[name] = ours(crowd) | peers(crowd, options.peer_python)
        print(name, {k: round(accuracy(crowd, v), 3) for k, v in found[name].items()}, flush=True)
        RESULTS.write_text(report(crowds, found, audits), encoding="utf-8")


if __name__ == "__main__":
    main()
