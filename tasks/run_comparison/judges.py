"""Drift of judges between two runs: changed labels, and the change of the advantage."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...data.errors import DataError
from ...data.store.in_memory import TablesOfReport
from ...metrics.agreement.coefficients import resolve_set_distance
from ...metrics.agreement.label_matrix import HUMAN, LabelMatrix
from ...metrics.errors import MetricsError
from ...metrics.estimate import Estimate
from ...metrics.reason import Reason, ReasonCode
from ...metrics.replacement.judge_checks import CheckedItems, advantage_change, changed_labels
from ...metrics.replacement.judge_comparison import LabelSimilarityFunction, compare_labels
from ...metrics.signature import TABLE
from ...reports.portfolio.portfolio_results import JudgeChange
from ...reports.results import Replacement, Results
from ..layers import LayerSpec, direct_distances
from ..replacement.judged_labels import label_similarity_function
from ..stored_annotations import label_rows, matrix_of_rows
from .runs import RunToCompare


def judge_changes(first: RunToCompare, second: RunToCompare) -> list[JudgeChange]:
    """Compare each system that labels items in both runs with the annotators of the second.

    Drift is computed on the items that the system labelled in both runs, with the panel of the
    second run. It is undefined, with a reason, where the tables of a run lack the layer; so is the
    change of the advantage where a table declares the distances, which no report contains.
    """
    found = []
    for judged in second.results.replacement:
        before = {
            one.system
            for other in first.results.replacement
            if other.layer == judged.layer
            for one in other.systems
        }
        systems = [one.system for one in judged.systems if one.system in before]
        if judged.kind != "items" or not systems:
            continue
        try:
            found += _changes_of_layer(first, second, judged, systems)
        except (DataError, MetricsError) as error:
            reason = Reason(ReasonCode.NOT_COMPUTABLE, error=str(error))
            found += [
                JudgeChange(
                    layer=judged.layer,
                    system=system,
                    changed=Estimate("changed_labels", math.nan, reason=reason),
                    advantage=Estimate("advantage_change", math.nan, reason=reason),
                )
                for system in systems
            ]
    return found


def _changes_of_layer(
    first: RunToCompare, second: RunToCompare, judged: Replacement, systems: list[str]
) -> list[JudgeChange]:
    layer = _layer_of_runs(judged.layer, (first.results, second.results), systems)
    now = _label_matrix(second, layer, (*layer.humans, *systems))
    before = _label_matrix(first, layer, systems)
    row_of = {name: i for i, name in enumerate(before.items)}
    at = np.array([row_of.get(name, -1) for name in now.items])
    humans = now.codes[:, : len(layer.humans)]
    similarity = _similarity_function(judged, layer, now)
    how = CheckedItems(now.documents_to_resample, 1 - 2 * judged.error)
    panel = {
        one.system: np.isin(layer.humans, [test.annotator for test in one.annotators])
        for one in judged.systems
    }
    changes = []
    for s, system in enumerate(systems):
        own = now.codes[:, len(layer.humans) + s]
        earlier: NDArray[np.int32] = np.where(at >= 0, before.codes[at, s], -1)
        changed = changed_labels(own, earlier, how)
        if similarity is None:
            reason = Reason(ReasonCode.DISTANCES_NOT_IN_REPORT)
            advantage = Estimate("advantage_change", math.nan, reason=reason)
        else:
            both, then = (
                compare_labels(humans, labels, similarity, missing="excluded").select_annotators(
                    panel[system]
                )
                for labels in (own, earlier)
            )
            advantage = advantage_change(both, then, how)
        changes.append(
            JudgeChange(layer=judged.layer, system=system, changed=changed, advantage=advantage)
        )
    return changes


def _similarity_function(
    judged: Replacement, layer: LayerSpec, labels: LabelMatrix
) -> LabelSimilarityFunction | None:
    """Return the similarity that the study used; None if a table declares its distances."""
    distance = judged.systems[0].values[0].how.distance or "nominal"
    if distance.startswith(TABLE):
        return None
    codes = labels.codes[:, : len(layer.humans)]
    marginals = np.bincount(codes[codes >= 0], minlength=len(layer.tagset))
    distances = direct_distances(resolve_set_distance(distance, labels), layer.tagset, marginals)
    return label_similarity_function(judged.alignment, layer.tagset, distances)


def _layer_of_runs(name: str, runs: tuple[Results, ...], systems: list[str]) -> LayerSpec:
    """Return the layer with the categories of both runs. Raises MetricsError if one lacks it."""
    parts = [part for run in runs for part in run.items if part.layer == name]
    if len(parts) != len(runs):
        raise MetricsError(f"layer {name!r} has no agreement in one of the runs")
    tagset = tuple(dict.fromkeys((*parts[1].tagset, *parts[0].tagset)))
    sets = any(part.labels for part in parts)
    return LayerSpec(name, "items", tagset, tuple(parts[1].annotators), tuple(systems), sets=sets)


def _label_matrix(
    run: RunToCompare, layer: LayerSpec, annotators: tuple[str, ...] | list[str]
) -> LabelMatrix:
    rows = label_rows(run.store, TablesOfReport(run.folder), layer, annotators)
    return matrix_of_rows(rows, layer, annotators, HUMAN)
