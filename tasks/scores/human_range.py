"""Human range: humans and systems scored against the same references, by the same rule.

| scores | reference | who |
|---|---|---|
| same reference | adjudicated, or given by an annotator with that role | humans, as the systems |
| leave-one-out | built by the rule without one human | that human, and each system |

They give context to a system's score, and are neither agreement nor scores of the humans. The first
favours humans whose annotations the adjudicators saw. A reference that the rule builds from the
humans contains their own annotations, so they are not scored against it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...data.store.store import Store
from ...metrics.agreement.label_matrix import HUMAN, LabelMatrix
from ...metrics.alignment.best_alignment import best_alignment
from ...metrics.alignment.continuum import Continuum
from ...metrics.estimate import Estimate
from ...metrics.estimate_detail import Detail
from ...metrics.options import NO_INTERVALS, Sampling
from ...metrics.scores.accuracy import accuracy, count_labels
from ...metrics.scores.precision_recall_f import precision_recall_f
from ...metrics.scores.unit_match_counts import match_units
from ...metrics.unit_rows import UnitRows, gap_code
from ...reports import results as page
from ..layers import LayerSpec
from ..references.consensus import consensus_by_document
from ..references.reference_labels import reference_by_rule
from ..references.reference_settings import ReferenceSettings
from ..references.reference_units import document_reference
from ..stored_annotations import stored_continua
from ..units.alignment import DissimilaritySpec
from .evaluation import renumber_documents
from .label_scores import LabelSides
from .unit_scores import UnitSides, units_of_documents

LABEL = "human, against a reference built without them (leave-one-out)"
LABEL_OF_SYSTEM = "system, against a reference built without one human (leave-one-out)"
MOST_DOCUMENTS = 500  # of units: each is realigned without each annotator
MOST_ANNOTATORS = 40
FEWEST_ANNOTATORS = 3  # so that each reference without one of them has two

Codes = NDArray[np.integer]
Continua = Sequence[tuple[str, Continuum]]


@dataclass(frozen=True, slots=True)
class HumanRange:
    """Rule for the others' reference: without decisions, as these were based on all annotators.

    Bounds are the median, as the annotator who agrees best is known only for the whole layer.
    """

    reference: ReferenceSettings
    dissimilarity: DissimilaritySpec | None = None

    def __post_init__(self) -> None:
        read = replace(self.reference, bounds="median", decisions=(), gold=None, privacy=False)
        object.__setattr__(self, "reference", read)

    def plain_rule(self) -> ReferenceSettings:
        adjudicated = self.reference.rule == "adjudicated"
        return replace(self.reference, rule="majority") if adjudicated else self.reference

    def scores_humans(self, layer: LayerSpec) -> bool:
        """Whether there are humans to score, and none of them is the reference."""
        return 2 <= len(layer.humans) <= MOST_ANNOTATORS and self.reference.annotator is None


@dataclass(slots=True)
class LeaveOneOut:
    """Scores against each reference built without one human: of that human, and of the systems."""

    humans: list[page.SystemScores] = field(default_factory=list)
    systems: list[page.SystemScores] = field(default_factory=list)

    def add(
        self, layer: LayerSpec, without: str, human: list[Estimate],
        systems: Mapping[str, list[Estimate]],
    ) -> None:  # fmt: skip
        self.humans.append(_scores(layer, without, human, without))
        self.systems += [_scores(layer, name, found, without) for name, found in systems.items()]


def score_human_labels(
    sides: LabelSides, humans: Mapping[str, Codes], layer: LayerSpec, sampling: Sampling
) -> list[page.SystemScores]:
    """Score each human against the reference of the systems, on the items that they labelled."""
    of_humans = {
        name: (np.where(codes >= 0, sides.reference, -1), codes) for name, codes in humans.items()
    }
    return [
        _scores(layer, name, _accuracy(reference, codes, sides, sampling))
        for name, (reference, codes) in of_humans.items()
        if (reference >= 0).any()
    ]


def leave_one_out_labels(
    sides: LabelSides,
    humans: Mapping[str, Codes],
    layer: LayerSpec,
    settings: HumanRange,
    sampling: Sampling,
) -> LeaveOneOut:
    """Score each human and the systems on the items that the human labelled and the others resolve.

    Empty for fewer than three humans.
    """
    found, rule = LeaveOneOut(), settings.plain_rule()
    if len(humans) < FEWEST_ANNOTATORS:
        return found
    codes_of_humans = np.stack(list(humans.values()), axis=1).astype(np.int32)
    labelled = np.asarray((codes_of_humans >= 0).any(axis=1))
    sides, codes_of_humans = sides.select_items(labelled), codes_of_humans[labelled]
    matrix = LabelMatrix(codes=codes_of_humans, tagset=sides.tagset, annotators=tuple(humans))
    for a, (name, own) in enumerate(zip(humans, codes_of_humans.T, strict=True)):
        others = matrix.select_annotators([b for b in range(len(humans)) if b != a])
        if not (others.codes >= 0).any():  # only this human labelled the layer
            continue
        made = reference_by_rule(others, rule, ordered=layer.ordered)
        reference = np.where(own >= 0, made.codes, -1)
        of_systems = {
            system: _accuracy(
                np.where(sides.assigned(system), reference, -1), codes, sides, NO_INTERVALS
            )
            for system, codes in sides.systems.items()
        }
        found.add(layer, name, _accuracy(reference, own, sides, sampling), of_systems)
    return found


def _accuracy(
    reference: Codes, codes: Codes, sides: LabelSides, sampling: Sampling
) -> list[Estimate]:
    documents = renumber_documents(sides.documents)
    counts = count_labels(reference, codes, tagset=sides.tagset, documents=documents)
    return [accuracy(counts, sampling=sampling)]


def score_human_units(
    sides: UnitSides,
    humans: Mapping[str, Mapping[str, UnitRows]],
    layer: LayerSpec,
    sampling: Sampling,
) -> list[page.SystemScores]:
    """Score each human against the reference of the systems, in the documents they finished."""
    return [
        _scores(layer, name, _exact_rates(sides.reference, rows, documents, layer, sampling))
        for name, rows in ((name, sides.decided(own)) for name, own in humans.items())
        if (documents := sorted(rows.keys() & sides.reference.keys()))
    ]


def leave_one_out_units(
    store: Store,
    keys: Sequence[str],
    sides: UnitSides,
    layer: LayerSpec,
    settings: HumanRange,
    sampling: Sampling,
) -> LeaveOneOut:
    """Score each human and the systems in documents that the human and two others finished."""
    documents = [
        (document, continuum)
        for key in keys
        for document, continuum, _ in stored_continua(store, key, layer, layer.humans, HUMAN)
        if continuum.n_annotators >= FEWEST_ANNOTATORS
    ]
    return leave_one_out_in_documents(documents[:MOST_DOCUMENTS], sides, layer, settings, sampling)


def leave_one_out_in_documents(
    documents: Continua,
    sides: UnitSides,
    layer: LayerSpec,
    settings: HumanRange,
    sampling: Sampling,
) -> LeaveOneOut:
    found = LeaveOneOut()
    for name in layer.humans if documents else ():
        own, reference = _units_without(documents, name, layer, settings)
        of_systems = {
            system: _exact_rates(
                reference,
                rows,
                sorted(reference.keys() - sides.not_assigned(system)),
                layer,
                NO_INTERVALS,
            )
            for system, rows in sides.systems.items()
        }
        of_human = _exact_rates(reference, own, list(reference), layer, sampling)
        found.add(layer, name, of_human, of_systems)
    return found


def _exact_rates(
    reference: Mapping[str, UnitRows],
    rows: Mapping[str, UnitRows],
    documents: Sequence[str],
    layer: LayerSpec,
    sampling: Sampling,
) -> list[Estimate]:
    """Return precision, recall and F of the exact match."""
    sides = [units_of_documents(one, documents) for one in (reference, rows)]
    counts = match_units(*sides, tagset=layer.tagset, n_documents=len(documents))
    rates = precision_recall_f(counts, sampling=sampling)
    return [
        replace(rate, measure=f"exact_{rate.measure}")
        for rate in (rates.precision, rates.recall, rates.f)
    ]


def _units_without(
    documents: Continua, name: str, layer: LayerSpec, settings: HumanRange
) -> tuple[dict[str, UnitRows], dict[str, UnitRows]]:
    """Return the annotator's units by document, and those of the reference by the others."""
    rule = settings.plain_rule()
    parted = {
        document: _split_off_annotator(continuum, name)
        for document, continuum in documents
        if name in continuum.annotators
    }
    own = {document: rows for document, (_, rows) in parted.items()}
    if rule.rule == "consensus":
        results = consensus_by_document([others for others, _ in parted.values()])
        made = [
            [(one.start, one.end, one.category, gap_code(one.fragments)) for one in result.units]
            for result in results
        ]
    else:
        metric = (settings.dissimilarity or DissimilaritySpec()).dissimilarity_for(layer)
        made = []
        for document, (others, _) in parted.items():
            support = None if rule.support is None else min(rule.support, others.n_annotators)
            alignment = best_alignment(others, metric)
            of_rule = replace(rule, support=support)
            one = document_reference(document, others, alignment, [], layer, of_rule)
            gaps = map(gap_code, one.fragments)
            made.append([*zip(one.starts, one.ends, one.categories, gaps, strict=True)])
    return own, {
        document: np.array(rows, np.int64).reshape(-1, 4)
        for document, rows in zip(parted, made, strict=True)
    }


def _split_off_annotator(continuum: Continuum, name: str) -> tuple[Continuum, UnitRows]:
    """Split the continuum into the other annotators, and the annotator's units."""
    others = [one for one in continuum.annotators if one != name]
    own = continuum.rows_of(continuum.annotators.index(name))
    return continuum.select_annotators(others), own


def _scores(
    layer: LayerSpec, name: str, values: list[Estimate], without: str = ""
) -> page.SystemScores:
    """The scores of a human or a system, with the reference that they were made against."""
    label = LABEL if name == without else LABEL_OF_SYSTEM
    detail = Detail(n_others=len(layer.humans) - 1, read_as=label) if without else Detail()
    return page.SystemScores(
        system=name,
        layer=layer.name,
        kind="items" if layer.is_labels else "units",
        values=[replace(one, detail=one.detail | detail) for one in values],
        without=without,
    )
