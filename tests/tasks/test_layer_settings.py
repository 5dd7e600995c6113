"""Which settings of a layer the counts of a shard depend on: those that they use, and no other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest

from accordeur.metrics.options import Sampling
from accordeur.metrics.prevalence.prevalence_options import PrevalenceOptions
from accordeur.metrics.replacement.replacement_options import ReplacementSettings
from accordeur.tasks.agreement.item_agreement import LabelAnalysis
from accordeur.tasks.analysis import Analysis, count_node
from accordeur.tasks.layers import LayerSpec
from accordeur.tasks.options import ItemSettings, ScoringSettings
from accordeur.tasks.prevalence.estimates_of_run import EstimateAnalysis
from accordeur.tasks.replacement.judges_of_run import ReplacementAnalysis
from accordeur.tasks.scores.scores_of_run import ScoreAnalysis
from accordeur.tasks.scores.soft_scores_of_run import SoftScoreAnalysis
from accordeur.tasks.units.alignment import DissimilaritySpec, UnitAlignment

LAYER = LayerSpec("mood", "items", ("x", "y"), ("ana", "boris"), ("tagger",), ("gold",))
OTHER: dict[str, Any] = {
    "name": "tone",
    "kind": "positions",
    "tagset": ("y", "x"),
    "humans": ("ana", "cleo"),
    "systems": ("parser",),
    "references": ("curator",),
    "audits": ("expert",),
    "distance": "ordinal",
    "distances": ((0.0, 0.5), (0.5, 0.0)),
    "sets": True,
    "adaptive": "queue/adaptive-1.parquet",
    "complete": True,
    "agreement": replace(LAYER, tagset=("x",)),
}
WHAT = {"name", "kind", "tagset", "sets", "agreement"}
CHOICE = {"adaptive", "complete"}
SCORING = ScoringSettings(Sampling(0))
USED: dict[str, tuple[Callable[[LayerSpec], Analysis], set[str]]] = {
    "count labels": (
        lambda layer: LabelAnalysis(layer, ItemSettings(Sampling(0))),
        {*WHAT, *CHOICE, "humans"},
    ),
    "align": (
        lambda layer: UnitAlignment(layer, DissimilaritySpec()),
        {*WHAT, *CHOICE, "humans", "distance", "distances"},
    ),
    "count scores": (
        lambda layer: ScoreAnalysis(layer, SCORING),
        {*WHAT, *CHOICE, "humans", "systems", "references", "audits"},
    ),
    "count labels of systems": (
        lambda layer: SoftScoreAnalysis(layer, "votes", SCORING),
        {*WHAT, *CHOICE, "humans", "systems"},
    ),
    "compare systems": (
        lambda layer: ReplacementAnalysis(layer, ReplacementSettings()),
        {*WHAT, *CHOICE, "humans", "systems"},
    ),
    "count labels of systems and audit": (
        lambda layer: EstimateAnalysis(layer, PrevalenceOptions()),
        {*WHAT, "adaptive", "humans", "systems"},
    ),
}


@pytest.mark.parametrize("stage", USED)
def test_counts_depend_on_the_settings_that_they_use(stage: str) -> None:
    analysis, used = USED[stage]

    def place(layer: LayerSpec) -> str:
        return count_node(analysis(layer).counting, "0123456789abcdef").place

    assert OTHER.keys() == {one.name for one in fields(LayerSpec)}
    others = {name: replace(LAYER, **{name: value}) for name, value in OTHER.items()}
    assert {name for name, other in others.items() if place(other) != place(LAYER)} == used
