"""Labels of systems against a reference: accuracy, p_o, precision, recall and F, errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...metrics.scoring import accuracy as labels
from ...metrics.scoring.baseline import majority_class, observed_agreement, reference_by_itself
from ...metrics.scoring.rates import (
    Average,
    Rate,
    precision_recall_f,
    rate_statistic,
    rates_by_category,
)
from ...metrics.scoring.ratio import ratio
from .distances import direct_distances
from .evaluation import (
    Compared,
    Evaluation,
    Presence,
    ScoredDocuments,
    ScoringSettings,
    SystemResult,
    Wanted,
    dense,
    excluded_documents,
)

_AVERAGES: tuple[Average, ...] = ("micro", "macro")
_RATES: tuple[Rate, ...] = ("precision", "recall", "f")
MAIN = "accuracy"


@dataclass(frozen=True, slots=True)
class LabelSides:
    """Codes (N,) of N items by the reference and by each system, -1 for no label.

    documents       int64 (N,): index into `document_names`, in which each item is
    distance        the name of the distance of p_o; `distances` a (K, K) table in its place
    """

    reference: NDArray[np.integer]
    systems: Mapping[str, NDArray[np.integer]]
    documents: NDArray[np.int64]
    document_names: Sequence[str]
    tagset: tuple[str, ...]
    distance: str = "nominal"
    distances: NDArray[np.float64] | None = None

    def sorted_by_document(self) -> LabelSides:
        """The same with documents in the order of their names, which replicates depend on."""
        rank = np.argsort(np.argsort(np.array(self.document_names, dtype=object)))
        order = np.argsort(rank[self.documents], kind="stable")
        return replace(
            self,
            reference=self.reference[order],
            systems={name: codes[order] for name, codes in self.systems.items()},
            documents=rank[self.documents[order]].astype(np.int64),
            document_names=sorted(self.document_names),
        )


def evaluate_labels(
    sides: LabelSides,
    presence: Mapping[str, Presence],
    settings: ScoringSettings,
    wanted: Wanted,
) -> Evaluation:
    """Every system's labels of the items that the reference labels."""
    sides = sides.sorted_by_document()
    in_reference = sides.reference >= 0
    given = np.unique(sides.documents[in_reference])
    reference_documents = [sides.document_names[d] for d in given.tolist()]
    distances = sides.distances
    if distances is None:
        marginals = np.bincount(sides.reference[in_reference], minlength=len(sides.tagset))
        distances = direct_distances(sides.distance, sides.tagset, marginals)
    sides = replace(sides, distances=distances)
    found = Evaluation()
    assigned = {
        system: np.isin(sides.documents, given)
        & ~_in_documents(sides, excluded_documents(reference_documents, presence[system]))
        for system in sides.systems
    }
    for system, codes in sides.systems.items():
        result = SystemResult(system, ScoredDocuments.of(reference_documents, presence[system]))
        chosen = in_reference & assigned[system]
        if chosen.any():
            _score(sides, codes, chosen, result, settings, wanted)
            outside = assigned[system] & ~in_reference & (codes >= 0)
            result.errors["not_in_reference"] = int(outside.sum())
        found.systems.append(result)
    shared = np.logical_and.reduce([in_reference, *assigned.values()])
    if shared.any():
        found.compared = _compared(sides, shared, wanted)
    whole = _counts(sides, sides.reference, in_reference)
    by_itself = reference_by_itself(
        whole.categories.reference,
        distances=distances,
        rows=whole.categories.rows,
        **settings.sampling(),
    )
    found.baselines = [
        one
        for one in (majority_class(whole, **settings.sampling()), by_itself)
        if wanted.values(one.measure, "")
    ]
    return found


def _in_documents(sides: LabelSides, names: set[str]) -> NDArray[np.bool_]:
    indices = [d for d, name in enumerate(sides.document_names) if name in names]
    return np.isin(sides.documents, indices)


def _counts(
    sides: LabelSides, codes: NDArray[np.integer], chosen: NDArray[np.bool_]
) -> labels.LabelCounts:
    return labels.score_labels(
        sides.reference[chosen],
        codes[chosen],
        tagset=sides.tagset,
        documents=dense(sides.documents[chosen]),
    )


def _score(
    sides: LabelSides,
    codes: NDArray[np.integer],
    chosen: NDArray[np.bool_],
    result: SystemResult,
    settings: ScoringSettings,
    wanted: Wanted,
) -> None:
    sampling = settings.sampling()
    counts = _counts(sides, codes, chosen)
    found = [labels.accuracy(counts, **sampling)]
    for average in _AVERAGES:
        prefix = "macro_" if average == "macro" else ""
        if any(wanted.values(f"{prefix}{rate}", "") for rate in _RATES):
            rates = precision_recall_f(counts.categories, average=average, **sampling)
            found += [replace(getattr(rates, rate), measure=f"{prefix}{rate}") for rate in _RATES]
    found.append(
        observed_agreement(
            sides.reference[chosen],
            codes[chosen],
            tagset=sides.tagset,
            distances=sides.distances,
            documents=dense(sides.documents[chosen]),
            **sampling,
        )
    )
    result.values = [one for one in found if wanted.values(one.measure, "")]
    for category, rates in rates_by_category(counts.categories, **sampling).items():
        of_category = [getattr(rates, rate) for rate in _RATES if wanted.values(rate, category)]
        if of_category:
            result.by_category[category] = of_category
    confusion = counts.confusion
    correct = int(np.trace(confusion[:, :-1]))
    result.errors = {
        "correct": correct,
        "wrong_category": int(confusion[:, :-1].sum()) - correct,
        "missed": int(confusion[:, -1].sum()),
    }


def _compared(
    sides: LabelSides, shared: NDArray[np.bool_], wanted: Wanted
) -> dict[str, dict[str, Compared]]:
    """The counts of all systems on the documents that were assigned to all of them."""
    found: dict[str, dict[str, Compared]] = {}
    for system, codes in sides.systems.items():
        counts = _counts(sides, codes, shared)
        stacked, tagset = counts.categories.stacked(), counts.tagset
        one_by_measure = {
            MAIN: Compared(labels.accuracy_counts(counts), ratio),
            "f": Compared(
                counts.categories.stacked(pooled=True), rate_statistic("f", tagset=tagset)
            ),
            "macro_f": Compared(stacked, rate_statistic("f", tagset=tagset, average="macro")),
        }
        for measure, one in one_by_measure.items():
            if wanted.compared(measure):
                found.setdefault(measure, {})[system] = one
    return found
