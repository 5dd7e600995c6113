"""Audits drawn many times from data sets in which humans and a system labelled all items."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from accordeur.metrics.agreement.label_matrix import LabelMatrix, label_matrix
from accordeur.metrics.arrays import Flags
from accordeur.metrics.intervals.binomial import clopper_pearson
from accordeur.metrics.prevalence.audit_counts import AuditCounts
from accordeur.metrics.prevalence.corrected_share import corrected_share_interval
from accordeur.metrics.references.votes import majority
from benchmarks.prevalence_cells import Generator, covers

_OF_AUDIT = (0.05, 0.1, 0.25)  # audited shares of the items
_RAREST = 0.01  # share of a category that is tried


@dataclass(frozen=True)
class DataSet:
    """Items with the label of a judge and the majority of the humans."""

    name: str
    judge: str
    system: Sequence[str]
    human: Sequence[str]


def data_sets(folder: Path) -> Iterator[DataSet]:
    """Labels of language models (alttest), of one annotator, and of experts, as the judges."""
    for name in ("summeval", "lesion", "wax"):
        rows = list(csv.DictReader((folder / "alttest" / f"{name}.csv").open(encoding="utf-8")))
        people = [one for one in rows[0] if one.startswith("human_")]
        labels = {str(k): [row[one] for one in people] for k, row in enumerate(rows)}
        for judge in ("gpt-4o", "gemini_flash"):
            given = [row[f"model_{judge}"] for row in rows]
            yield _with_majority(name, judge, given, labels)
    rows = list(csv.DictReader((folder / "hs_brexit" / "HS-Brexit_long.csv").open()))
    own = {row["item"]: row["label"] for row in rows if row["annotator"] == "Ann1"}
    others: dict[str, list[str]] = {one: [] for one in own}
    for row in rows:
        if row["annotator"] != "Ann1":
            others[row["item"]].append(row["label"])
    yield _with_majority("hs_brexit", "one annotator", list(own.values()), others)
    path = folder / "snow2008" / "rte.standardized.tsv"
    rows = list(csv.DictReader(path.open(), delimiter="\t"))
    gold, crowd = {row["orig_id"]: row["gold"] for row in rows}, dict[str, list[str]]()
    for row in rows:
        crowd.setdefault(row["orig_id"], []).append(row["response"])
    yield _with_majority("snow2008 RTE", "experts", [gold[one] for one in crowd], crowd)


def _with_majority(
    name: str, judge: str, given: Sequence[str], labels: dict[str, list[str]]
) -> DataSet:
    """Items on whose label the majority of the humans decides."""
    rows = [
        (item, str(a), label)
        for item, some in labels.items()
        for a, label in enumerate(some)
        if label
    ]
    items, annotators, texts = zip(*rows, strict=True)
    matrix: LabelMatrix = label_matrix(items=items, annotators=annotators, labels=texts)
    codes = majority(matrix).codes
    of_item = {
        item: matrix.tagset[code]
        for item, code in zip(matrix.items, codes, strict=False)
        if code >= 0
    }
    both = [
        (own, of_item[item]) for item, own in zip(labels, given, strict=True) if item in of_item
    ]
    return DataSet(name, judge, [own for own, _ in both], [label for _, label in both])


def data_tables(
    rng: Generator,
    folder: Path,
    trials: int,
    table: Callable[[Sequence[str], Sequence[tuple[str, ...]]], str],
) -> list[str]:
    """The section on the data sets."""
    rows = [row for one in data_sets(folder) for row in _rows(rng, one, trials)]
    head = (
        "data", "judge", "items", "audited", "categories", "φ", "min. coverage",
        "of the humans alone", "width / Clopper–Pearson", "labels saved", "refused",
    )  # fmt: skip
    return [
        "## Data sets",
        (
            f"{trials:,} random audits of each; the target is the majority of all humans in the "
            "whole data set. Over its categories with a share of 1 % to 99 %: range of φ, lowest "
            "coverage, mean width beside Clopper–Pearson of the humans alone, and human labels "
            "saved at equal width. The judges are language models, and, where there are none, one "
            "of the annotators and the experts, as a judge of what the others say."
        ),
        table(head, rows),
    ]


def _rows(rng: Generator, data: DataSet, trials: int) -> Iterator[tuple[str, ...]]:
    system, human = np.array(data.system), np.array(data.human)
    names = [one for one in np.unique(human) if _RAREST <= (human == one).mean() <= 1 - _RAREST]
    for share in _OF_AUDIT:
        n = round(share * len(human))
        if n < 20:
            continue
        found = [_category(rng, system == one, human == one, n, trials) for one in names]
        phi, coverage, alone, width, refused = np.array(found).T
        saved = 1 - width**2
        yield (
            data.name, data.judge, f"{len(human):,}", str(n), str(len(names)),
            f"{np.nanmin(phi):.2f} … {np.nanmax(phi):.2f}", f"{np.nanmin(coverage):.3f}",
            f"{alone.min():.3f}", f"{np.nanmean(width):.2f}", f"{np.nanmean(saved):.0%}",
            f"{refused.mean():.0%}",
        )  # fmt: skip


def _category(
    rng: Generator, system: Flags, human: Flags, n: int, trials: int
) -> tuple[float, ...]:
    """φ, coverage, coverage of the humans alone, relative width, refusals of one category."""
    cells = [int((system & human).sum()), int((system & ~human).sum())]
    cells += [int((~system & human).sum()), int((~system & ~human).sum())]
    drawn = rng.multivariate_hypergeometric(cells, n, size=trials).astype(float)
    weights = np.broadcast_to([system.mean(), 1 - system.mean()], (trials, 2))
    audit = AuditCounts(
        weights,
        np.stack([drawn[:, 0] + drawn[:, 1], drawn[:, 2] + drawn[:, 3]], axis=-1),
        drawn[:, [0, 2]],
        np.full(trials, float(len(human))),
    )
    bounds, given = corrected_share_interval(audit), ~np.asarray(audit.has_unaudited_stratum)
    alone = clopper_pearson(audit.n_hits, audit.n_audited)
    nothing = not given.any()
    return (
        float(np.corrcoef(human, system)[0, 1]),
        float("nan") if nothing else float(covers(bounds, human.mean())[given].mean()),
        float(covers(alone, human.mean()).mean()),
        float("nan") if nothing else float(bounds.width[given].mean() / alone.width[given].mean()),
        float(1 - given.mean()),
    )
