"""Shared parts of scores of labels, units and structures: settings, results, comparisons.

The documents of the reference are scored. A document that a system lacks counts as entirely wrong;
only documents declared as not assigned to the system are excluded from its score.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...metrics.bootstrap import Counts
from ...metrics.coded_warning import CodedWarning
from ...metrics.estimate import Estimate, add_reading_settings
from ...metrics.intervals.evaluate import Statistic
from ...metrics.options import Sampling
from ...metrics.results import ReferenceCoverage, SystemComparison
from ...metrics.scores.category_counts import CategoryCounts
from ...metrics.scores.compare_systems import compare_all_systems
from ...metrics.scores.precision_recall_f import (
    AVERAGES,
    RATES,
    precision_recall_f,
    rates_by_category,
)
from ..options import MeasureSelection

FEWEST_WITHOUT_ERRORS = 30  # no error in so many: fewer than 10 % wrong (rule of three)
FEWEST_ALONE = 10  # items or units that only the reference and a system have
COMPARISON_FACTOR = 10  # small p-values need more replicates than intervals


@dataclass(frozen=True, slots=True)
class Presence:
    """Participation of a system in documents.

    present       documents in its export
    not_assigned  documents declared as not assigned to it
    """

    present: Set[str]
    not_assigned: Set[str] = frozenset()

    def excluded(self, reference: Sequence[str]) -> set[str]:
        """Return the reference's documents that the system lacks and was not assigned."""
        return {name for name in reference if name in self.not_assigned - self.present}


@dataclass(frozen=True, slots=True)
class ScoredDocuments:
    """Numbers of the reference's documents: scored (including missing ones) and not assigned."""

    scored: int
    missing: int
    not_assigned: int

    @classmethod
    def of(cls, reference: Sequence[str], presence: Presence) -> ScoredDocuments:
        """Count the documents; a document that is present counts as assigned."""
        excluded = presence.excluded(reference)
        missing = sum(name not in presence.present for name in reference) - len(excluded)
        return cls(len(reference) - len(excluded), missing, len(excluded))

    def notices(self, system: str) -> list[CodedWarning]:
        found = []
        if self.missing:
            found.append(
                CodedWarning(
                    "documents_missing", {"system": system, "n": self.missing, "total": self.scored}
                )
            )
        if self.not_assigned:
            found.append(
                CodedWarning("documents_not_assigned", {"system": system, "n": self.not_assigned})
            )
        return found


@dataclass(frozen=True, slots=True)
class ResampledScore:
    """Counts by row, and the statistic that computes the score from their sums."""

    counts: Counts
    statistic: Statistic


@dataclass(slots=True)
class SystemResult:
    """Scores of one system: `by_category` values by category, `errors` counts by kind."""

    documents: ScoredDocuments
    values: list[Estimate] = field(default_factory=list)
    by_category: dict[str, list[Estimate]] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)

    def add(self, values: Iterable[Estimate], wanted: MeasureSelection) -> None:
        self.values += [one for one in values if wanted.values(one.measure, "")]

    def add_rates(
        self,
        counts: CategoryCounts,
        sampling: Sampling,
        wanted: MeasureSelection,
        *,
        prefix: str = "",
    ) -> None:
        """Add precision, recall and F: micro and macro averages, and per category."""
        for average in AVERAGES:
            names = {r: f"{prefix}{'macro_' * (average == 'macro')}{r}" for r in RATES}
            if any(wanted.values(name, "") for name in names.values()):
                rates = precision_recall_f(counts, average=average, sampling=sampling)
                self.add((replace(getattr(rates, r), measure=names[r]) for r in RATES), wanted)
        chosen = {
            category: [rate for rate in RATES if wanted.values(f"{prefix}{rate}", category)]
            for category in counts.tagset
        }
        if any(chosen.values()):
            for category, rates in rates_by_category(counts, sampling=sampling).items():
                self.by_category.setdefault(category, []).extend(
                    replace(getattr(rates, rate), measure=f"{prefix}{rate}")
                    for rate in chosen[category]
                )


@dataclass(slots=True)
class Evaluation:
    """Scores of all systems against one reference. `compared` is measure → system → its counts.

    coverage  of the reference; None if that is a distribution of labels
    error     of the reference, if an audit estimates it
    instead_of  built reference that is not scored against because an annotator has the role
    beside   other results for comparison, by name: other annotators, the shares of all labels
    notices  warnings about single systems, besides those about their documents
    """

    systems: dict[str, SystemResult]
    coverage: ReferenceCoverage | None = None
    error: Estimate | None = None
    instead_of: str = ""
    baselines: list[Estimate] = field(default_factory=list)
    beside: dict[str, list[Estimate]] = field(default_factory=dict)
    notices: list[CodedWarning] = field(default_factory=list)
    compared: dict[str, dict[str, ResampledScore]] = field(default_factory=dict)

    @classmethod
    def unscored(cls, reference: Sequence[str], presence: Mapping[str, Presence]) -> Evaluation:
        """Return an evaluation without scores for systems on these documents of the reference."""
        return cls(
            {
                system: SystemResult(ScoredDocuments.of(reference, one))
                for system, one in presence.items()
            }
        )

    @property
    def is_empty(self) -> bool:
        scores = (one.values or one.by_category for one in self.systems.values())
        return not (self.baselines or any(scores))

    def warn_if_same(self, system: str, n_wrong: int, n: int, *, is_whole: bool) -> None:
        """Warn of a system without any error, which may be the reference or have made it.

        is_whole  whether the two have nothing else, either
        """
        if not n_wrong and (is_whole or n >= FEWEST_WITHOUT_ERRORS):
            self.notices.append(CodedWarning("same_as_reference", {"system": system, "n": n}))

    def warn_if_copied(self, system: str, n_wrong: int, n: int) -> None:
        """Warn of a system that has everything of the reference that no human has.

        On what two humans or more annotated; a system that lacks some of it is not like the
        reference because one is made from the other.
        """
        if not n_wrong and n >= FEWEST_ALONE:
            self.notices.append(CodedWarning("copies_reference", {"system": system, "n": n}))

    def rows(self) -> Iterator[tuple[str, str, Estimate]]:
        """Yield (system, category, value); "" is the system of baselines, and all categories."""
        for system, one in self.systems.items():
            yield from ((system, "", value) for value in one.values)
            for category, values in one.by_category.items():
                yield from ((system, category, value) for value in values)
        yield from (("", "", value) for value in self.baselines)
        for name, values in self.beside.items():
            yield from ((f"({name.replace('_', ' ')})", "", value) for value in values)

    def add_for_comparison(
        self, measure: str, system: str, counts: Counts, statistic: Statistic
    ) -> None:
        self.compared.setdefault(measure, {})[system] = ResampledScore(counts, statistic)

    def add_reading_settings(self, settings: Mapping[str, str]) -> None:
        """Add to all signatures how the data were read."""
        for one in self.systems.values():
            one.values = add_reading_settings(one.values, settings)
            one.by_category = {
                name: add_reading_settings(v, settings) for name, v in one.by_category.items()
            }
        self.baselines = add_reading_settings(self.baselines, settings)
        self.beside = {name: add_reading_settings(v, settings) for name, v in self.beside.items()}


def compare_pairs_of_systems(
    compared: Mapping[str, Mapping[str, ResampledScore]], sampling: Sampling
) -> list[tuple[str, SystemComparison]]:
    """Compare every pair of systems by every measure; [] without replicates."""
    found: list[tuple[str, SystemComparison]] = []
    for measure, of_system in compared.items():
        if len(of_system) < 2 or not sampling.replicates:
            continue
        pairs = compare_all_systems(
            {name: one.counts for name, one in of_system.items()},
            next(iter(of_system.values())).statistic,
            n_replicates=COMPARISON_FACTOR * sampling.replicates,
            level=sampling.confidence_level,
            seed=sampling.seed,
        )
        found += [(measure, pair) for pair in pairs]
    return found


def renumber_documents(documents: NDArray[np.integer]) -> NDArray[np.int64] | None:
    """Renumber documents without gaps (N,); None for one document, so that items are resampled."""
    found, index = np.unique(documents, return_inverse=True)
    return index.astype(np.int64) if found.size > 1 else None
