"""Counts of an audit: how often humans give a category in each stratum of a system's labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Floats, Ints
from ..errors import MetricsError


@dataclass(frozen=True, slots=True)
class AuditCounts:
    """What the audit found in each of J strata of the corpus; any number of cases beside.

    weights  float64 (..., J): share of all items in the stratum; rows sum to 1
    sizes    float64 (..., J): audited items
    hits     float64 (..., J): audited items to which humans give the category
    n_items  float64 (...): items of the corpus, N
    """

    weights: Floats
    sizes: Floats
    hits: Floats
    n_items: Floats

    @property
    def n_audited(self) -> Floats:
        return np.asarray(self.sizes.sum(axis=-1))

    @property
    def n_hits(self) -> Floats:
        return np.asarray(self.hits.sum(axis=-1))

    @property
    def rates(self) -> Floats:
        """(..., J): share of hits in each stratum; that of the audit where nothing was audited."""
        with np.errstate(invalid="ignore", divide="ignore"):
            pooled = np.broadcast_to((self.n_hits / self.n_audited)[..., None], self.hits.shape)
            return np.where(self.sizes > 0, self.hits / self.sizes, pooled)

    @property
    def share(self) -> Floats:
        """(...): corrected share of the category in the corpus, Σ weight · rate."""
        return np.asarray((self.weights * self.rates).sum(axis=-1))

    @property
    def n_rarer_class(self) -> Floats:
        """(...): audited items of the rarer human class, with or without the category."""
        return np.minimum(self.n_hits, self.n_audited - self.n_hits)

    @property
    def has_unaudited_stratum(self) -> Floats:
        """(...): whether a stratum with items of the corpus has none in the audit."""
        return np.asarray(((self.weights > 0) & (self.sizes == 0)).any(axis=-1))

    def as_one_stratum(self) -> AuditCounts:
        """Return the same audit as a single stratum, without the labels of the system."""
        one = np.ones((*self.sizes.shape[:-1], 1))
        return AuditCounts(one, self.n_audited[..., None], self.n_hits[..., None], self.n_items)

    def scale_sizes(self, factor: Floats | float) -> AuditCounts:
        """Return an audit with the same rates, and sizes multiplied by a factor (...)."""
        by = np.asarray(factor)[..., None]
        return AuditCounts(self.weights, self.sizes * by, self.hits * by, self.n_items)


@dataclass(frozen=True, slots=True)
class AuditTable:
    """Labels of a system and of humans, counted once; every share is derived from it.

    totals   int64 (K + 1,): items of the corpus with each label of the system; last: without label
    audited  int64 (K + 1, K): audited items with each label of the system and of the humans
    """

    totals: Ints
    audited: Ints

    @property
    def n_items(self) -> int:
        return int(self.totals.sum())

    @property
    def n_audited(self) -> int:
        return int(self.audited.sum())

    @property
    def system_shares(self) -> Floats:
        """(K,): share of all items with each label of the system."""
        return np.asarray(self.totals[:-1] / self.n_items, dtype=np.float64)

    @property
    def human_label_counts(self) -> Ints:
        """(K,): audited items with each label of the humans."""
        return np.asarray(self.audited.sum(axis=0))

    def one_against_rest(self) -> AuditCounts:
        """(K, 2): of each category, the items that the system gives it, and all others."""
        k = np.arange(self.audited.shape[1])
        sizes = self.audited.sum(axis=1)
        hits = self.audited[k, k]
        return AuditCounts(
            weights=np.stack([self.system_shares, 1 - self.system_shares], axis=-1),
            sizes=np.stack([sizes[k], self.n_audited - sizes[k]], axis=-1).astype(np.float64),
            hits=np.stack([hits, self.human_label_counts - hits], axis=-1).astype(np.float64),
            n_items=np.full(len(k), float(self.n_items)),
        )

    def by_label(self) -> AuditCounts:
        """(K, J): of each category, one stratum for each label of the system that occurs."""
        used = self.totals > 0
        n_categories, n_strata = self.audited.shape[1], int(used.sum())
        wide = (n_categories, n_strata)
        return AuditCounts(
            weights=np.broadcast_to(self.totals[used] / self.n_items, wide),
            sizes=np.broadcast_to(self.audited[used].sum(axis=1).astype(np.float64), wide),
            hits=self.audited[used].T.astype(np.float64),
            n_items=np.full(n_categories, float(self.n_items)),
        )

    def correctness_by_label(self) -> AuditCounts:
        """(J,): whether system and humans agree, in one stratum for each label of the system."""
        used = self.totals > 0
        k = np.arange(self.audited.shape[1])
        right = np.zeros(len(self.totals))
        right[k] = self.audited[k, k]
        return AuditCounts(
            weights=self.totals[used] / self.n_items,
            sizes=self.audited[used].sum(axis=1).astype(np.float64),
            hits=right[used],
            n_items=np.asarray(float(self.n_items)),
        )


def audit_table(system: Ints, human: Ints, n_categories: int) -> AuditTable:
    """Count the labels of a corpus.

    system  int (N,): index of the system's label of each item, -1 without
    human   int (N,): index of the humans' label, -1 for items that were not audited

    Raises MetricsError for arrays of different lengths, and for indices out of range.
    """
    if system.shape != human.shape:
        raise MetricsError(f"{len(system)} labels of the system and {len(human)} of the humans")
    if len(system) and max(system.max(), human.max()) >= n_categories:
        raise MetricsError(f"a label has an index above {n_categories - 1}, the last category")
    strata = np.where(system < 0, n_categories, system)
    is_audited = human >= 0
    cells = strata[is_audited] * n_categories + human[is_audited]
    counts = np.bincount(cells, minlength=(n_categories + 1) * n_categories)
    return AuditTable(
        np.bincount(strata, minlength=n_categories + 1),
        counts.reshape(n_categories + 1, n_categories),
    )
