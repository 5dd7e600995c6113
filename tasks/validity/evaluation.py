"""The evaluation of systems against a reference that a run and `accordeur score` share.

What is scored are the reference's documents. A document that a system lacks is wrong in full, and
counted; only a document that is declared as not assigned to the system is left out of its score.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...metrics.estimate import Estimate
from ...metrics.scoring.bootstrap import Counts, Statistic
from ...metrics.scoring.compare import Comparison, compare_all
from ...reports.notices import notice
from ...reports.value import Notice

COMPARISON_FACTOR = 10  # small p-values need more replicates than intervals do


@dataclass(frozen=True, slots=True)
class ScoringSettings:
    """How the intervals of scores are drawn, as plain values.

    not_assigned  system → regular expression of the documents that were not assigned to it
    """

    n_replicates: int = 1000
    level: float = 0.95
    seed: int = 0
    not_assigned: tuple[tuple[str, str], ...] = ()

    def sampling(self) -> dict[str, Any]:
        return {"n_replicates": self.n_replicates, "level": self.level, "seed": self.seed}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which values are computed.

    values    of a measure and a category ("" for all categories together)
    compared  measures by which every pair of systems is compared
    """

    values: Callable[[str, str], bool]
    compared: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Presence:
    """In which documents a system took part.

    present       documents in its export
    not_assigned  documents that it was declared not to be assigned
    """

    present: Set[str]
    not_assigned: Set[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ScoredDocuments:
    """The reference's documents: scored (of which missing, so wrong), and not assigned."""

    scored: int
    missing: int
    not_assigned: int

    @classmethod
    def of(cls, reference: Sequence[str], presence: Presence) -> ScoredDocuments:
        """`present` wins over a declaration that contradicts it."""
        excluded = excluded_documents(reference, presence)
        missing = sum(name not in presence.present for name in reference) - len(excluded)
        return cls(len(reference) - len(excluded), missing, len(excluded))

    def notices(self, system: str) -> list[Notice]:
        found = []
        if self.missing:
            found.append(
                notice("documents_missing", system=system, n=self.missing, total=self.scored)
            )
        if self.not_assigned:
            found.append(notice("documents_not_assigned", system=system, n=self.not_assigned))
        return found


def excluded_documents(reference: Sequence[str], presence: Presence) -> set[str]:
    """The reference's documents that were not assigned to the system, and that it lacks."""
    return {name for name in reference if name in presence.not_assigned - presence.present}


@dataclass(frozen=True, slots=True)
class Compared:
    """Counts by row and the statistic that makes the score of their sums."""

    counts: Counts
    statistic: Statistic


@dataclass(slots=True)
class SystemResult:
    """The scores of one system. `by_category` is category → values, `errors` kind → count."""

    system: str
    documents: ScoredDocuments
    values: list[Estimate] = field(default_factory=list)
    by_category: dict[str, list[Estimate]] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Evaluation:
    """All systems against one reference. `compared` is measure → system → its counts."""

    systems: list[SystemResult] = field(default_factory=list)
    baselines: list[Estimate] = field(default_factory=list)
    compared: dict[str, dict[str, Compared]] = field(default_factory=dict)


def compare_pairs(
    compared: Mapping[str, Mapping[str, Compared]], settings: ScoringSettings
) -> list[tuple[str, Comparison]]:
    """Every pair of systems by every measure; none without replicates."""
    found: list[tuple[str, Comparison]] = []
    for measure, of_system in compared.items():
        if len(of_system) < 2 or not settings.n_replicates:
            continue
        pairs = compare_all(
            {name: one.counts for name, one in of_system.items()},
            next(iter(of_system.values())).statistic,
            n_replicates=COMPARISON_FACTOR * settings.n_replicates,
            level=settings.level,
            seed=settings.seed,
        )
        found += [(measure, pair) for pair in pairs]
    return found


def dense(documents: NDArray[np.integer]) -> NDArray[np.int64] | None:
    """Indices without gaps (N,), or None where there is one document: items are then drawn."""
    found, index = np.unique(documents, return_inverse=True)
    return index.astype(np.int64) if found.size > 1 else None
