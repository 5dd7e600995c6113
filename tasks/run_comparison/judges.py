"""Drift of judges between two runs: changed labels, and the change of the advantage."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...data.errors import DataError
from ...metrics.agreement.label_matrix import HUMAN, LabelMatrix
from ...metrics.errors import MetricsError
from ...metrics.replacement.judge_checks import Sampled, advantage_change, changed_labels
from ...metrics.replacement.judge_comparison import compare_labels
from ...reports.portfolio.portfolio_results import JudgeDrift
from ...reports.results import Replacement, Results
from ..intake.accepted import TablesOfReport
from ..layers import LayerSpec, direct_distances, label_rows, matrix_of
from ..replacement.judged_labels import similarity_of
from .runs import RunToCompare


def judge_drifts(first: RunToCompare, second: RunToCompare) -> list[JudgeDrift]:
    """Compare each system that labels items in both runs with the annotators of the second.

    Drift is computed on the items that the system labelled in both runs, with the panel of the
    second run. Layers without tables, and layers whose categories are sets, are skipped.
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
            found += _drifts_of_layer(first, second, judged, systems)
        except (DataError, KeyError, MetricsError):
            continue
    return found


def _drifts_of_layer(
    first: RunToCompare, second: RunToCompare, judged: Replacement, systems: list[str]
) -> list[JudgeDrift]:
    layer = _layer_of_runs(judged.layer, (first.results, second.results), systems)
    now = _matrix(second, layer, (*layer.humans, *systems))
    before = _matrix(first, layer, systems)
    row_of = {name: i for i, name in enumerate(before.items)}
    at = np.array([row_of.get(name, -1) for name in now.items])
    humans = now.codes[:, : len(layer.humans)]
    marginals = np.bincount(humans[humans >= 0], minlength=len(layer.tagset))
    distance = judged.systems[0].values[0].how.distance or "nominal"
    distances = direct_distances(distance, layer.tagset, marginals)
    similarity = similarity_of(judged.alignment, layer.tagset, distances)
    how = Sampled(now.drawn_documents, 1 - 2 * judged.error)
    panel = {
        one.system: np.isin(layer.humans, [test.annotator for test in one.annotators])
        for one in judged.systems
    }
    drifts = []
    for s, system in enumerate(systems):
        own = now.codes[:, len(layer.humans) + s]
        earlier: NDArray[np.int32] = np.where(at >= 0, before.codes[at, s], -1)
        both = compare_labels(humans, own, similarity, missing="excluded")
        then = compare_labels(humans, earlier, similarity, missing="excluded")
        kept = panel[system]
        drifts.append(
            JudgeDrift(
                layer=judged.layer,
                system=system,
                changed=changed_labels(own, earlier, how),
                advantage=advantage_change(both.of_annotators(kept), then.of_annotators(kept), how),
            )
        )
    return drifts


def _layer_of_runs(name: str, runs: tuple[Results, ...], systems: list[str]) -> LayerSpec:
    """Return the layer with the categories of both runs. Raises MetricsError for sets."""
    parts = [part for run in runs for part in run.items if part.layer == name]
    if len(parts) != len(runs) or any(part.labels for part in parts):
        raise MetricsError(f"layer {name!r} cannot be compared")
    tagset = tuple(dict.fromkeys((*parts[1].tagset, *parts[0].tagset)))
    return LayerSpec(name, "items", tagset, tuple(parts[1].annotators), tuple(systems))


def _matrix(
    run: RunToCompare, layer: LayerSpec, annotators: tuple[str, ...] | list[str]
) -> LabelMatrix:
    rows = label_rows(run.store, TablesOfReport(run.folder), layer, annotators)
    return matrix_of(rows, layer, annotators, HUMAN)
