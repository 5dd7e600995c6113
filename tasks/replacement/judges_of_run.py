"""Analysis of the systems of a campaign that are candidates to replace an annotator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pyarrow as pa

from ...data.store.ownership import Folder
from ...data.store.store import Store
from ...metrics.replacement.replacement_options import ReplacementSettings
from ...reports import results as page
from ..agreement.humans_and_systems import with_roles
from ..analysis import Counted, Counting, LayerAnalysis
from ..item_codes import read_stored_matrix, write_codes_of_shard
from ..layers import LayerSpec
from ..options import Patterns
from ..scores.sides_of_shard import presence_in_shard, read_presence
from ..units.alignment import DissimilaritySpec
from .judge_checks import Lengths
from .judged_layers import (
    JudgedUnits,
    batches_of_documents,
    judge_systems_on_labels,
    judge_units_of_layer,
    later_labels,
)


@dataclass(frozen=True, slots=True)
class JudgeFacts:
    """Description of a judging system in the campaign file."""

    version: str = ""
    prompt: str = ""
    decoding: str = ""


@dataclass(frozen=True, slots=True)
class ReplacementCounting(Counting):
    """Labels or units of humans and systems; `not_assigned` as in `ScoreCounting`."""

    folder = Folder.REPLACEMENT
    layer: LayerSpec
    not_assigned: Patterns

    def count(self, store: Store, place: str, key: str) -> dict[str, Any]:
        layer = self.layer
        if layer.is_labels:
            write_codes_of_shard(store, place, key, layer, layer.humans_and_systems)
            store.write_table(f"{place}/later.parquet", later_labels(store, key, layer))
        else:
            units = JudgedUnits.of_shard(store, key, layer)
            store.write_table(f"{place}/said.parquet", units.said)
            store.write_table(f"{place}/later.parquet", units.later)
            store.write_table(f"{place}/lengths.parquet", units.documents)
        presence = presence_in_shard(store, key, self.layer, self.not_assigned)
        store.write_table(f"{place}/presence.parquet", presence)
        return {}


@dataclass(frozen=True, slots=True)
class ReplacementAnalysis(LayerAnalysis):
    """Analysis of every system of a layer of labels or units against its human annotators.

    not_assigned   as in `ScoreCounting`
    dissimilarity  the campaign's, of units
    lengths        (document, item, length) of the items; of units ("", document, length)
    facts          what the campaign file says of each system
    """

    layer: LayerSpec
    how: ReplacementSettings
    not_assigned: Patterns = ()
    dissimilarity: DissimilaritySpec | None = None
    lengths: tuple[tuple[str, str, float], ...] = ()
    facts: tuple[JudgeFacts, ...] = ()

    @property
    def counting(self) -> ReplacementCounting:
        layer = self.layer.without_distance().without_references()
        return ReplacementCounting(layer, self.not_assigned)

    def summarise(self, store: Store, counted: Sequence[Counted]) -> page.LayerResults:
        found = (self._labels if self.layer.is_labels else self._units)(store, counted)
        facts = dict(zip(self.layer.systems, self.facts, strict=True))
        systems = [one.model_copy(update=asdict(facts[one.system])) for one in found.systems]
        return page.LayerResults(replacement=[found.model_copy(update={"systems": systems})])

    def _labels(self, store: Store, counted: Sequence[Counted]) -> page.Replacement:
        layer, places = self.layer, [one.place for one in counted]
        tables = [store.read_table(f"{place}/later.parquet") for place in places]
        return judge_systems_on_labels(
            with_roles(read_stored_matrix(store, places, layer, layer.humans_and_systems), layer),
            pa.concat_tables(tables),
            layer,
            self.how,
            presence=read_presence(store, places, layer),
            batches=batches_of_documents(store, [one.key for one in counted]),
            lengths=self._lengths,
        )

    def _units(self, store: Store, counted: Sequence[Counted]) -> page.Replacement:
        layer, places, metric = self.layer, [one.place for one in counted], self.dissimilarity
        tables = {
            name: pa.concat_tables(
                [store.read_table(f"{place}/{name}.parquet") for place in places]
            )
            for name in ("said", "later", "lengths")
        }
        return judge_units_of_layer(
            JudgedUnits(tables["said"], tables["later"], tables["lengths"]),
            layer,
            self.how,
            presence=read_presence(store, places, layer),
            batches=batches_of_documents(store, [one.key for one in counted]),
            lengths=self._lengths,
            dissimilarity=None if metric is None else metric.dissimilarity_for(layer),
        )

    @property
    def _lengths(self) -> Lengths:
        return {(document, item): length for document, item, length in self.lengths}
