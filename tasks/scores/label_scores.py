"""Scores of labels against a reference: accuracy, p_o, precision, recall and F, errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...metrics.agreement.coefficients import distance_name
from ...metrics.agreement.distances import Distance
from ...metrics.options import Sampling
from ...metrics.results import ReferenceCoverage
from ...metrics.scores import accuracy as labels
from ...metrics.scores.baseline import (
    chance_of_reference,
    majority_class_accuracy,
    observed_agreement,
)
from ...metrics.scores.precision_recall_f import rate_statistic
from ...metrics.scores.score_estimates import SHARE_OF_COLUMNS
from ..layers import direct_distances
from ..options import MeasureSelection
from .evaluation import (
    Evaluation,
    Presence,
    SystemResult,
    renumber_documents,
)

MAIN = "accuracy"


@dataclass(frozen=True, slots=True)
class LabelSides:
    """Codes (N,) of N items by the reference and by each system, -1 for no label.

    The items are all that anybody labelled.

    documents  int64 (N,): index of each item's document in `document_names`
    distance   distance of p_o
    """

    reference: NDArray[np.integer]
    systems: Mapping[str, NDArray[np.integer]]
    presence: Mapping[str, Presence]
    documents: NDArray[np.int64]
    document_names: Sequence[str]
    tagset: tuple[str, ...]
    distance: Distance = "nominal"
    distances: NDArray[np.float64] | None = None

    def sorted_by_document(self) -> LabelSides:
        """Sort the documents by name, so that bootstrap replicates do not depend on their order."""
        rank = np.argsort(np.argsort(np.array(self.document_names, dtype=object)))
        order = np.argsort(rank[self.documents], kind="stable")
        return replace(
            self,
            reference=self.reference[order],
            systems={name: codes[order] for name, codes in self.systems.items()},
            documents=rank[self.documents[order]].astype(np.int64),
            document_names=sorted(self.document_names),
        )

    def select_items(self, chosen: NDArray[np.bool_]) -> LabelSides:
        return replace(
            self,
            reference=self.reference[chosen],
            systems={name: codes[chosen] for name, codes in self.systems.items()},
            documents=self.documents[chosen],
        )

    def assigned(self, system: str) -> NDArray[np.bool_]:
        """Which items (N,) are in documents that the system was assigned."""
        excluded = self.presence[system].excluded(self.document_names)
        names = np.array([name not in excluded for name in self.document_names], np.bool_)
        return np.asarray(names[self.documents])

    def n_wrong(self, system: str, chosen: NDArray[np.bool_]) -> tuple[int, int]:
        """Return how many of the chosen items a system labels differently, and their number."""
        differ = self.systems[system][chosen] != self.reference[chosen]
        return int(differ.sum()), differ.size

    def counts(self, system: str, chosen: NDArray[np.bool_]) -> labels.LabelCounts:
        """Count the chosen items of a system; "" is the reference itself."""
        codes = self.systems[system] if system else self.reference
        return labels.count_labels(
            self.reference[chosen],
            codes[chosen],
            tagset=self.tagset,
            documents=renumber_documents(self.documents[chosen]),
        )


def score_labels(sides: LabelSides, sampling: Sampling, wanted: MeasureSelection) -> Evaluation:
    """Score every system's labels on the items that the reference labels."""
    sides = sides.sorted_by_document()
    in_reference = sides.reference >= 0
    given = np.unique(sides.documents[in_reference])
    names = [sides.document_names[d] for d in given.tolist()]
    if sides.distances is None:
        marginals = np.bincount(sides.reference[in_reference], minlength=len(sides.tagset))
        distances = direct_distances(sides.distance, sides.tagset, marginals)
        sides = replace(sides, distances=distances)
    found = Evaluation.unscored(names, {system: sides.presence[system] for system in sides.systems})
    n_items, n_covered = in_reference.size, int(in_reference.sum())
    found.coverage = ReferenceCoverage(n_covered, n_items, n_items - n_covered)
    shared = in_reference
    for system, result in found.systems.items():
        excluded = sides.presence[system].excluded(names)
        assigned = [d for d in given.tolist() if sides.document_names[d] not in excluded]
        is_assigned = np.isin(sides.documents, assigned)
        shared = shared & is_assigned
        if (in_reference & is_assigned).any():
            _score_system(sides, system, in_reference & is_assigned, result, sampling, wanted)
            outside = is_assigned & ~in_reference & (sides.systems[system] >= 0)
            result.errors["not_in_reference"] = int(outside.sum())
            is_whole = np.array_equal(sides.reference, sides.systems[system])
            n_wrong, n = sides.n_wrong(system, in_reference & is_assigned)
            found.warn_if_same(system, n_wrong, n, is_whole=is_whole)
    if shared.any():
        _add_comparisons(sides, shared, found, wanted)
    whole = sides.counts("", in_reference)
    by_itself = chance_of_reference(
        whole.categories.reference,
        distances=sides.distances,
        distance=distance_name(sides.distance, sides.tagset),
        rows=whole.categories.rows,
        sampling=sampling,
    )
    majority = majority_class_accuracy(whole, sampling=sampling)
    found.baselines = [one for one in (majority, by_itself) if wanted.values(one.measure, "")]
    return found


def warn_of_copies(
    found: Evaluation, sides: LabelSides, humans: Mapping[str, NDArray[np.integer]]
) -> None:
    """Compare the systems with the reference on the items where every human differs from it."""
    given = np.array(list(humans.values())).reshape(-1, sides.reference.size)
    alone = ((given != sides.reference) | (given < 0)).all(axis=0) & ((given >= 0).sum(axis=0) > 1)
    for system in sides.systems:
        chosen = alone & (sides.reference >= 0) & sides.assigned(system)
        found.warn_if_copied(system, *sides.n_wrong(system, chosen))


def _score_system(
    sides: LabelSides,
    system: str,
    chosen: NDArray[np.bool_],
    result: SystemResult,
    sampling: Sampling,
    wanted: MeasureSelection,
) -> None:
    counts = sides.counts(system, chosen)
    result.add([labels.accuracy(counts, sampling=sampling)], wanted)
    result.add_rates(counts.categories, sampling, wanted)
    p_o = observed_agreement(
        sides.reference[chosen],
        sides.systems[system][chosen],
        tagset=sides.tagset,
        distances=sides.distances,
        distance=distance_name(sides.distance, sides.tagset),
        documents=renumber_documents(sides.documents[chosen]),
        sampling=sampling,
    )
    result.add([p_o], wanted)
    correct, labelled = int(np.trace(counts.confusion)), int(counts.confusion[:, :-1].sum())
    result.errors = {
        "correct": correct,
        "wrong_category": labelled - correct,
        "missed": int(counts.confusion[:, -1].sum()),
    }


def _add_comparisons(
    sides: LabelSides, shared: NDArray[np.bool_], found: Evaluation, wanted: MeasureSelection
) -> None:
    """Store the counts of all systems on the documents that all of them were assigned."""
    for measure in filter(wanted.compared, (MAIN, "f", "macro_f")):
        for system in sides.systems:
            counts = sides.counts(system, shared)
            rows = counts.categories.stacked(pooled=measure == "f")
            match measure:
                case "f":
                    found.add_for_comparison(measure, system, rows, rate_statistic("f"))
                case "macro_f":
                    found.add_for_comparison(
                        measure, system, rows, rate_statistic("f", average="macro")
                    )
                case _:
                    found.add_for_comparison(
                        measure, system, labels.accuracy_counts(counts), SHARE_OF_COLUMNS
                    )
