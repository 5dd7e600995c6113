"""Analysis of a campaign's systems against the label distribution of its annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...data.readers.tables.distributions import read_distributions
from ...data.store.ownership import Folder
from ...data.store.store import Store
from ...metrics.item_name import place_of_item
from ...metrics.options import SoftRule
from ...reports.results import LayerResults
from ..analysis import Counted, Counting, LayerAnalysis
from ..item_codes import read_stored_matrix, write_codes_of_shard
from ..item_names import document_names
from ..layers import LayerSpec
from ..options import MeasureSelection, Patterns, ScoringSettings
from .evaluation import Presence
from .scores_of_run import as_validity
from .sides_of_shard import presence_in_shard, read_presence
from .soft_scores import MAIN, SoftPrediction, SoftSides, score_distributions


@dataclass(frozen=True, slots=True)
class SoftCounting(Counting):
    """Labels of humans and systems; `not_assigned` as in `ScoreCounting`."""

    folder = Folder.SOFT
    layer: LayerSpec
    not_assigned: Patterns

    def count(self, store: Store, place: str, key: str) -> dict[str, Any]:
        write_codes_of_shard(store, place, key, self.layer, self.layer.humans_and_systems)
        presence = presence_in_shard(store, key, self.layer, self.not_assigned)
        store.write_table(f"{place}/presence.parquet", presence)
        return {}


@dataclass(frozen=True, slots=True)
class SoftScoreAnalysis(LayerAnalysis):
    """Analysis of every system of a layer of labels; its labels count as certain distributions.

    distributions  system → table of its distributions (`data.readers.tables.distributions`), with
                   the hash of its contents
    """

    layer: LayerSpec
    rule: SoftRule
    how: ScoringSettings
    distributions: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def counting(self) -> SoftCounting:
        layer = self.layer.without_distance().without_references()
        return SoftCounting(layer, self.how.not_assigned)

    def summarise(self, store: Store, counted: Sequence[Counted]) -> LayerResults:
        layer, places = self.layer, [one.place for one in counted]
        matrix = read_stored_matrix(store, places, layer, self.layer.humans_and_systems)
        n_humans, width = len(layer.humans), len(layer.tagset)
        names = document_names(matrix)
        presence = read_presence(store, places, layer)
        systems = {
            system: SoftPrediction.of_codes(matrix.codes[:, n_humans + s], width)
            for s, system in enumerate(layer.systems)
        }
        items = [place_of_item(name) for name in matrix.items] if self.distributions else []
        for system, (path, _) in self.distributions.items():
            rows = read_distributions(Path(path), layer.tagset)
            systems[system] = SoftPrediction.of_distributions(rows, items, width, system)
            presence[system] = Presence(frozenset(names))
        sides = SoftSides(
            matrix.select_annotators(range(n_humans)), systems, presence, names, layer.distance
        )
        wanted = MeasureSelection(lambda *_: True, lambda measure: measure == MAIN)
        found = score_distributions(sides, self.rule, self.how.sampling, wanted)
        validity = as_validity(found, layer, f"soft: {self.rule}", self.how.sampling)
        validity = validity.model_copy(update={"soft": self.rule})
        # Labels give all others probability 0; noted beside the scores, not in every alert.
        alerts = [one for one in validity.notices if one.code != "soft_impossible"]
        return LayerResults(validity=[validity], alerts=alerts)
