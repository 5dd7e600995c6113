"""Scores of systems that judge, against the reference, with confusion, confidence, differences."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ...metrics.arrays import numbered
from ...metrics.scores.stated_confidence import StatedConfidence, stated_confidence
from ...reports.results.judges import (
    MOST_ITEMS_OF_CELL,
    CategoryScores,
    ConfusionCell,
    JudgeScores,
    ScoreDifference,
)
from ..inputs.assessment_options import ScoreOptions
from ..item_names import document_names
from ..scores.evaluation import Evaluation, SystemResult, compare_pairs_of_systems
from ..scores.label_scores import MAIN, LabelSides, score_labels
from .judged_labels import JudgedLabels


def evaluate_scores(judged: JudgedLabels) -> Evaluation:
    homes = judged.matrix.documents
    sides = LabelSides(
        judged.reference,
        {system: judged.codes(system) for system in judged.systems},
        judged.presence,
        np.zeros(judged.matrix.n_items, np.int64) if homes is None else homes,
        document_names(judged.matrix),
        judged.layer.tagset,
    )
    return score_labels(sides, judged.sampling, ScoreOptions().selected_measures(MAIN))


def scores_by_system(judged: JudgedLabels, evaluation: Evaluation) -> list[JudgeScores]:
    evaluation.add_reading_settings(judged.given.reading)
    return [_scores_of_system(judged, system, one) for system, one in evaluation.systems.items()]


def _scores_of_system(judged: JudgedLabels, system: str, scored: SystemResult) -> JudgeScores:
    stated = _confidence(judged, system)
    return JudgeScores(
        system=system,
        values=scored.values,
        categories=[
            CategoryScores(
                category=category, n_reference=values[0].detail.n_reference, values=values
            )
            for category, values in scored.by_category.items()
            if values
        ],
        confidence=[] if stated is None else [stated.brier, stated.calibration_error],
        reliability=[] if stated is None else list(stated.bins),
        confusion=list(_confusion(judged, system)),
    )


def _confidence(judged: JudgedLabels, system: str) -> StatedConfidence | None:
    """Compare the stated confidence of a system with the reference; None if none is given."""
    read = judged.given.confidence
    if not read:
        return None
    own = read.get(system, read.get("", {}))
    keys = [judged.document_and_item(i) for i in range(judged.matrix.n_items)]
    given = np.array([own.get(key, own.get(("", key[1]), math.nan)) for key in keys])
    codes = judged.codes(system)
    chosen = np.isfinite(given) & (judged.reference >= 0) & (codes >= 0)
    homes = judged.resampled.documents_to_resample
    return stated_confidence(
        given[chosen],
        (codes == judged.reference)[chosen],
        documents=None if homes is None else numbered(homes[chosen])[1],
        sampling=judged.sampling,
    )


def _confusion(judged: JudgedLabels, system: str) -> Iterator[ConfusionCell]:
    """Yield the cells with items, the most frequent first within each reference label."""
    codes, tagset = judged.codes(system), (*judged.layer.tagset, "")
    referenced = judged.reference >= 0
    for k, category in enumerate(judged.layer.tagset):
        for j, label in enumerate(tagset):
            code = -1 if label == "" and j == len(tagset) - 1 else j
            where = np.flatnonzero(referenced & (judged.reference == k) & (codes == code))
            if where.size:
                yield ConfusionCell(
                    reference=category,
                    label=label,
                    n=where.size,
                    items=[_item_name(judged, i) for i in where[:MOST_ITEMS_OF_CELL].tolist()],
                )


def _item_name(judged: JudgedLabels, item: int) -> str:
    document, name = judged.document_and_item(item)
    return f"{document}/{name}" if document else name


def differences(judged: JudgedLabels, evaluation: Evaluation) -> list[ScoreDifference]:
    return [
        ScoreDifference(
            measure=measure,
            first=one.first,
            second=one.second,
            difference=one.difference,
            interval=one.interval,
            p_value=one.p_corrected,
            reason=one.reason,
        )
        for measure, one in compare_pairs_of_systems(evaluation.compared, judged.sampling)
    ]
