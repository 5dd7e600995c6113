"""Scores of systems against the label distribution, beside the scores of other annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ...data.errors import DataError
from ...data.readers.tables.distributions import Distributions
from ...metrics.agreement.distances import (
    Distance,
    category_values,
    compares_numbers,
    needs_ordered_categories,
)
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.arrays import shares
from ...metrics.coded_warning import CodedWarning
from ...metrics.dirichlet_multinomial import fit_dirichlet, posterior_means
from ...metrics.distribution_scores import DISTRIBUTION_SCORES, FLOOR
from ...metrics.estimate import Estimate
from ...metrics.options import Sampling, SoftRule
from ...metrics.references.soft_labels import soft_labels
from ...metrics.scores.expected_annotator_score import expected_annotator_scores
from ...metrics.scores.soft_scores import (
    SoftReference,
    item_scores,
    soft_score,
    soft_statistic,
)
from ..options import MeasureSelection
from .evaluation import Evaluation, Presence, SystemResult, renumber_documents

MAIN = next(iter(DISTRIBUTION_SCORES))
OTHER_ANNOTATORS, ALL_LABELS = "other_annotators", "shares_of_all_labels"

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SoftPrediction:
    """Predictions of a system for N items.

    distribution  float64 (N, K), nan rows where the system has no prediction
    own_errors    float64 (N,): share of an item's annotators whose label was predicted wrongly, if
                  the system predicts the label of each annotator; else None
    """

    distribution: Floats
    own_errors: Floats | None = None

    @classmethod
    def of_codes(cls, codes: NDArray[np.integer], width: int) -> SoftPrediction:
        """Convert labels (N,) to distributions with probability 1; -1 means no label."""
        found = np.eye(width)[codes]
        found[codes < 0] = np.nan
        return cls(found)

    @classmethod
    def of_predicted_labels(
        cls, predicted: NDArray[np.int32], annotators: LabelMatrix
    ) -> SoftPrediction:
        """Convert predictions (N, A) of the label of each of the annotators; -1 means none."""
        counts = replace(annotators, codes=predicted).counts()
        asked = annotators.n_labels
        missed = ((annotators.codes >= 0) & (annotators.codes != predicted)).sum(axis=1)
        own_errors = np.where(asked > 0, missed / np.maximum(1, asked), np.nan)
        return cls(shares(counts), own_errors)

    @classmethod
    def of_distributions(
        cls, found: Distributions, items: Sequence[tuple[str, str]], width: int, system: str
    ) -> SoftPrediction:
        """Convert distributions by (document, item), or by item if the table has no documents.

        Raises DataError if item names are ambiguous between documents, and if no item is found.
        """
        rows = np.full((len(items), width), np.nan)
        without = any(document is None for document, _ in found)
        if without and len({item for _, item in items}) < len(items):
            raise DataError(
                f"{system}: items of several documents have the same name: give the column "
                "`document`"
            )
        for i, (document, item) in enumerate(items):
            one = found.get((None if without else document, item))
            if one is not None:
                rows[i] = one
        if np.isnan(rows).all():
            raise DataError(
                f"{system}: none of its items is an item of the annotators, such as {items[0][1]}"
            )
        return cls(rows)

    def select_items(self, kept: NDArray[np.bool_]) -> SoftPrediction:
        own = self.own_errors
        return SoftPrediction(self.distribution[kept], None if own is None else own[kept])


@dataclass(frozen=True, slots=True)
class SoftSides:
    """Labels of the annotators, and predictions of systems for the same items.

    document_names  names of the matrix's document indices
    distance        distance of the layer; if ordered, it gives the scale of the Wasserstein
                    distance
    """

    humans: LabelMatrix
    systems: Mapping[str, SoftPrediction]
    presence: Mapping[str, Presence]
    document_names: Sequence[str]
    distance: Distance = "nominal"


def positions_on_scale(distance: Distance, tagset: Sequence[str]) -> Floats | None:
    """Return the positions of the categories: their ranks or values; None without a scale."""
    if not needs_ordered_categories(distance):
        return None
    values = category_values(tagset) if compares_numbers(distance) else None
    return np.arange(len(tagset), dtype=np.float64) if values is None else values


def score_distributions(
    sides: SoftSides, rule: SoftRule, sampling: Sampling, wanted: MeasureSelection
) -> Evaluation:
    """Score every system on the labelled items, by each measure that the layer allows."""
    humans = sides.humans
    labelled = np.asarray((humans.codes >= 0).any(axis=1))
    homes = np.zeros(humans.n_items, np.int64) if humans.documents is None else humans.documents
    names = [sides.document_names[d] for d in np.unique(homes[labelled]).tolist()]
    found = Evaluation.unscored(names, {system: sides.presence[system] for system in sides.systems})
    positions = positions_on_scale(sides.distance, humans.tagset)
    measures = [
        name
        for name, one in DISTRIBUTION_SCORES.items()
        if wanted.values(name, "") and (positions is not None or not one.needs_scale)
    ]
    if not labelled.any() or not measures:
        return found
    counts = humans.counts()
    probabilities = soft_labels(humans, rule).probabilities
    reference = SoftReference(counts, probabilities, positions, homes, rule)
    shared = labelled
    for system, result in found.systems.items():
        excluded = sides.presence[system].excluded(names)
        at = [d for d, name in enumerate(sides.document_names) if name in excluded]
        chosen = labelled & ~np.isin(homes, at)
        shared = shared & chosen
        if chosen.any():
            of_system = sides.systems[system].select_items(chosen)
            result.values = _soft_scores(
                _reference_on_items(reference, chosen), of_system, measures, sampling
            )
            found.notices += _soft_notices(system, result)
    whole = _reference_on_items(reference, labelled)
    of_all = np.broadcast_to(counts.sum(axis=0) / counts.sum(), probabilities[labelled].shape)
    found.beside = {ALL_LABELS: _soft_scores(whole, SoftPrediction(of_all), measures, sampling)}
    if rule != "dawid_skene":
        made = shares if rule == "votes" else partial(posterior_means, prior=fit_dirichlet(counts))
        of_others = expected_annotator_scores(whole, measures, distribution=made, sampling=sampling)
        found.beside = {OTHER_ANNOTATORS: of_others, **found.beside}
    if shared.any():
        of_shared = _reference_on_items(reference, shared)
        for measure in filter(wanted.compared, measures):
            for system, one in sides.systems.items():
                part = one.select_items(shared)
                scores = item_scores(measure, of_shared, part.distribution, part.own_errors)
                found.add_for_comparison(
                    measure,
                    system,
                    of_shared.sums_by_document(scores),
                    soft_statistic(measure),
                )
    return found


def _reference_on_items(reference: SoftReference, kept: NDArray[np.bool_]) -> SoftReference:
    """Restrict the reference to some items; with a single document, items are resampled."""
    part = reference.select_items(kept)
    return (
        part
        if part.documents is None
        else replace(part, documents=renumber_documents(part.documents))
    )


def _soft_scores(
    reference: SoftReference,
    system: SoftPrediction,
    measures: Sequence[str],
    sampling: Sampling,
) -> list[Estimate]:
    return [
        soft_score(measure, reference, system.distribution, system.own_errors, sampling=sampling)
        for measure in measures
    ]


def _soft_notices(system: str, result: SystemResult) -> list[CodedWarning]:
    """Warn of items without a prediction, and of labels with probability 0, which get the floor."""
    notices = []
    n_items = result.values[0].n_items
    if n_missing := result.values[0].detail.n_missing:
        figures: dict[str, float | int | str] = {"system": system, "n": n_missing, "total": n_items}
        notices.append(CodedWarning("soft_missing", figures))
    impossible = sum(value.detail.n_impossible for value in result.values)
    if impossible:
        notices.append(
            CodedWarning(
                "soft_impossible",
                {"system": system, "n": impossible, "total": n_items, "floor": FLOOR},
            )
        )
    return notices
