"""Simulated corpora with a system's labels and a human audit, for `benchmarks/prevalence.py`.

Each function draws many corpora of a cell and returns, for each, the corrected interval, whether it
is given, the interval of the humans alone, and the true share.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accordeur.metrics.intervals.binomial import Bounds, wilson
from accordeur.metrics.prevalence.audit_counts import AuditCounts
from accordeur.metrics.prevalence.corrected_share import (
    corrected_share_interval,
    equivalent_item_audit,
    stratified_share_interval,
)
from accordeur.metrics.prevalence.correction_limits import FEWEST_AUDITED, FEWEST_DOCUMENTS

Array = NDArray[np.float64]
Generator = np.random.Generator


@dataclass(frozen=True)
class Cell:
    """A setting; `noise` is the error rate of the humans, which is part of the target."""

    prevalence: float
    sensitivity: float
    specificity: float
    audited: int
    items: int
    noise: float = 0.0

    @property
    def joint(self) -> Array:
        """(2, 2): P(system, human), category first."""
        p, right = self.prevalence, np.array([[1 - self.noise, self.noise]])
        of_truth = np.array(
            [
                [p * self.sensitivity, (1 - p) * (1 - self.specificity)],
                [p * (1 - self.sensitivity), (1 - p) * self.specificity],
            ]
        )
        return of_truth @ np.vstack([right, right[:, ::-1]])


@dataclass(frozen=True)
class Outcome:
    """Results of the trials of a cell: one number a trial."""

    given: NDArray[np.bool_]
    covered: NDArray[np.bool_]
    covered_of_corpus: NDArray[np.bool_]
    width: Array
    wilson: Array

    @property
    def coverage(self) -> float:
        """Of the trials with an answer: of the population or of the corpus, the lower."""
        if not self.given.any():
            return float("nan")
        return float(min(one[self.given].mean() for one in (self.covered, self.covered_of_corpus)))

    @property
    def relative_width(self) -> float:
        if not self.given.any():
            return float("nan")
        return float(self.width[self.given].mean() / self.wilson[self.given].mean())

    @property
    def refused(self) -> float:
        return float(1 - self.given.mean())


def covers(bounds: Bounds, value: Array | float) -> NDArray[np.bool_]:
    return np.asarray((bounds.lower <= value) & (value <= bounds.upper))


def outcome(
    audit: AuditCounts, bounds: Bounds, value: Array | float, of_corpus: Array | float
) -> Outcome:
    alone = audit.as_one_stratum()
    given = ~np.asarray(audit.has_unaudited_stratum, dtype=bool) & (
        audit.n_audited >= FEWEST_AUDITED
    )
    return Outcome(
        given,
        covers(bounds, value),
        covers(bounds, of_corpus),
        bounds.width,
        wilson(alone.n_hits, alone.n_audited).width,
    )


def draw_items(
    rng: Generator, joint: Array, n: int, n_items: int, trials: int
) -> tuple[Array, ...]:
    """Labels of system × human (trials, J, K): of the audit, and of the whole corpus."""
    flat, shape = joint.ravel() / joint.sum(), (trials, *joint.shape)
    audited = rng.multinomial(n, flat, size=trials).reshape(shape).astype(float)
    others = rng.multinomial(n_items - n, flat, size=trials).reshape(shape)
    return audited, audited + others


def one_against_rest(audited: Array, corpus: Array, k: int) -> AuditCounts:
    """Counts of category k of all trials."""
    n_items = corpus.sum(axis=(1, 2))
    by_system, hits = audited.sum(axis=2), audited[:, :, k]

    def split(of_system: Array) -> Array:
        own = of_system[:, k]
        return np.stack([own, of_system.sum(axis=1) - own], axis=-1)

    weights = split(corpus.sum(axis=2)) / n_items[:, None]
    return AuditCounts(weights, split(by_system), split(hits), n_items)


def random_items(rng: Generator, cell: Cell, trials: int, level: float = 0.95) -> Outcome:
    """A random audit of items; two categories."""
    audited, corpus = draw_items(rng, cell.joint, cell.audited, cell.items, trials)
    audit = one_against_rest(audited, corpus, 0)
    target = float(cell.joint[:, 0].sum())
    of_corpus = corpus[:, :, 0].sum(axis=1) / cell.items
    return outcome(audit, corrected_share_interval(audit, level), target, of_corpus)


def categories(
    rng: Generator, joint: Array, n: int, n_items: int, trials: int
) -> tuple[list[Outcome], float]:
    """A random audit with several categories: each one, and how often all intervals hold."""
    audited, corpus = draw_items(rng, joint, n, n_items, trials)
    n_categories = joint.shape[1]
    found, all_hold = [], np.ones(trials, dtype=bool)
    for k in range(n_categories):
        audit, target = one_against_rest(audited, corpus, k), float(joint[:, k].sum())
        of_corpus = corpus[:, :, k].sum(axis=1) / n_items
        found.append(outcome(audit, corrected_share_interval(audit), target, of_corpus))
        wide = corrected_share_interval(audit, 1 - 0.05 / n_categories)
        all_hold &= covers(wide, target) | ~found[-1].given
    return found, float(all_hold.mean())


def by_label(
    rng: Generator, joint: Array, per_label: NDArray[np.int64], n_items: int, trials: int
) -> list[Outcome]:
    """An audit that draws the same number of items of each label of the system."""
    shares = joint.sum(axis=1)
    of_system = rng.multinomial(n_items, shares, size=trials) / n_items
    hits = np.stack(
        [
            rng.multinomial(n, row / row.sum(), size=trials)
            for n, row in zip(per_label, joint, strict=True)
        ],
        axis=1,
    )
    sizes = np.broadcast_to(per_label.astype(float), of_system.shape)
    items = np.full(trials, float(n_items))
    found = []
    for k in range(joint.shape[1]):
        audit = AuditCounts(of_system, sizes, hits[:, :, k].astype(float), items)
        target = float(joint[:, k].sum())
        found.append(outcome(audit, stratified_share_interval(audit), target, target))
    return found


@dataclass(frozen=True)
class Documents:
    """Documents of a corpus: mean size, and how alike prevalence and errors are within one."""

    size: float
    alike: float
    errors_alike: float


def _of_documents(rng: Generator, mean: float, alike: float, shape: tuple[int, int]) -> Array:
    if alike == 0 or mean in (0, 1):
        return np.full(shape, mean)
    total = (1 - alike) / alike
    return rng.beta(max(mean * total, 1e-3), max((1 - mean) * total, 1e-3), shape)


def clustered(
    rng: Generator, cell: Cell, documents: Documents, trials: int, *, whole: bool
) -> Outcome:
    """Items in documents; the audit draws whole documents, or items. The target is the corpus."""
    n_documents = max(int(cell.items / documents.size), FEWEST_DOCUMENTS + 1)
    shape = (trials, n_documents)
    sizes = np.maximum(1, rng.poisson(documents.size * rng.lognormal(0, 0.4, shape)))
    hits = rng.binomial(sizes, _of_documents(rng, cell.prevalence, documents.alike, shape))
    rates = [
        _of_documents(rng, rate, documents.errors_alike, shape)
        for rate in (cell.sensitivity, 1 - cell.specificity)
    ]
    both, only_system = rng.binomial(hits, rates[0]), rng.binomial(sizes - hits, rates[1])
    n_items = sizes.sum(axis=1).astype(float)
    target = hits.sum(axis=1) / n_items
    by_system = both + only_system
    weight = by_system.sum(axis=1) / n_items
    weights = np.stack([weight, 1 - weight], axis=-1)
    if whole:
        d = max(FEWEST_DOCUMENTS, round(cell.audited / documents.size))
        d = min(d, n_documents - 1)
        strata = np.stack([by_system, sizes - by_system], axis=-1)[:, :d].astype(float)
        of_hits = np.stack([both, hits - both], axis=-1)[:, :d].astype(float)
        audit = equivalent_item_audit(weights, strata, of_hits, n_items)
        alone = equivalent_item_audit(
            np.ones((trials, 1)), strata.sum(-1, keepdims=True), of_hits.sum(-1, keepdims=True),
            n_items,
        )  # fmt: skip
        found = outcome(audit, corrected_share_interval(audit), target, target)
        given = ~np.asarray(audit.has_unaudited_stratum, dtype=bool) & (
            strata.sum(axis=(1, 2)) >= FEWEST_AUDITED
        )
        width = wilson(alone.n_hits, alone.n_audited).width
        return Outcome(given, found.covered, found.covered, found.width, width)
    cells = np.stack([both, only_system, hits - both, sizes - hits - only_system], axis=-1)
    totals = cells.sum(axis=1)
    drawn = np.stack(
        [rng.multivariate_hypergeometric(row, min(cell.audited, int(row.sum()))) for row in totals]
    ).astype(float)
    audit = AuditCounts(
        weights,
        np.stack([drawn[:, 0] + drawn[:, 1], drawn[:, 2] + drawn[:, 3]], axis=-1),
        drawn[:, [0, 2]],
        n_items,
    )
    return outcome(audit, corrected_share_interval(audit), target, target)
