"""The check of systems that judge in a campaign: the report of the command, from its shards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from ...data.store.ownership import Folder
from ...data.store.store import Store
from ...metrics.agreement.label_matrix import HUMAN
from ...metrics.options import Sampling
from ...reports.results.judges import JudgeReport
from ..analysis import Counted, Counting, LayerAnalysis
from ..inputs.assessment_options import JudgeSettings
from ..item_codes import CODES, codes_table, read_stored_matrix
from ..layer_rows import LayerRows
from ..layers import LayerSpec
from ..options import Patterns
from ..replacement.judged_layers import batches_of_documents, later_labels
from ..scores.sides_of_shard import presence_in_shard, read_presence
from ..stored_annotations import label_rows, matrix_of_rows
from .judge_report import judge_report
from .judged_labels import JudgedLabels, LabelsToJudge, annotators_of

_AGREEMENT = "agreement"  # codes of the labels that agreement is computed on


@dataclass(frozen=True, slots=True)
class JudgeCounting(Counting):
    """Labels of humans, systems and references; `not_assigned` as in `ScoreCounting`."""

    folder = Folder.JUDGES
    layer: LayerSpec
    not_assigned: Patterns

    def count(self, store: Store, place: str, key: str) -> dict[str, Any]:
        layer, names = self.layer, annotators_of(self.layer)
        everyone = matrix_of_rows(label_rows(store, key, layer, names), layer, names, HUMAN)
        measured = LayerRows(store, key, layer.only_humans()).matrix()
        for name, matrix in ((CODES, everyone), (_AGREEMENT, measured)):
            store.write_table(f"{place}/{name}.parquet", codes_table(matrix))
        store.write_table(f"{place}/later.parquet", later_labels(store, key, layer))
        presence = presence_in_shard(store, key, layer, self.not_assigned)
        store.write_table(f"{place}/presence.parquet", presence)
        return {}


@dataclass(frozen=True, slots=True)
class JudgeAnalysis(LayerAnalysis):
    """The check of all systems of a layer.

    lengths     (document, item, length) of the items
    confidence  (system, "" for all; document; item; stated confidence)
    slices      (document, item, text) of the items
    """

    layer: LayerSpec
    options: JudgeSettings
    sampling: Sampling
    not_assigned: Patterns = ()
    lengths: tuple[tuple[str, str, float], ...] = ()
    confidence: tuple[tuple[str, str, str, float], ...] = ()
    slices: tuple[tuple[str, str, str], ...] = ()

    @property
    def counting(self) -> JudgeCounting:
        layer = self.layer.without_distance()
        own = layer.agreement and layer.agreement.without_distance()
        return JudgeCounting(replace(layer, agreement=own), self.not_assigned)

    def summarise(self, store: Store, counted: Sequence[Counted]) -> JudgeReport:
        layer, places = self.layer, [one.place for one in counted]
        later = pa.concat_tables([store.read_table(f"{place}/later.parquet") for place in places])
        humans = layer.only_humans()
        measured = read_stored_matrix(store, places, humans, name=_AGREEMENT)
        if measured.documents_to_resample is None:
            measured = replace(measured, documents=None)
        given = LabelsToJudge(
            layer,
            read_stored_matrix(store, places, layer, annotators_of(layer)),
            measured if len(humans.humans) > 1 else None,
            read_presence(store, places, layer),
            later,
            batches_of_documents(store, [one.key for one in counted]),
            {(document, item): length for document, item, length in self.lengths},
            self._confidence,
            {(document, item): text for document, item, text in self.slices},
        )
        judged = JudgedLabels.of(given, layer.item_distance(), self.options, self.sampling)
        return judge_report(judged)[0]

    @property
    def _confidence(self) -> dict[str, dict[tuple[str, str], float]]:
        found: dict[str, dict[tuple[str, str], float]] = {}
        for system, document, item, value in self.confidence:
            found.setdefault(system, {})[document, item] = value
        return found
