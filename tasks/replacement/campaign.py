"""Systems of a campaign that are to replace an annotator, as an analysis of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from ...data.store.hashes import settings_hash
from ...data.store.store import Store
from ...metrics.agreement.label_matrix import HUMAN
from ...metrics.replacement.options import ReplacementSettings
from ...metrics.signature import VERSION
from ..analysis import Counted, SummarisedAnalysis
from ..groups import last_changes, members_by_group
from ..items.counts import codes_table, read_matrix
from ..layers import LayerSpec, document_names, label_rows, matrix_of
from ..options import ScoringSettings
from ..scores.campaign import presence_in_shard, read_presence
from .labels import Groups, judge_labels, similarity_of

SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class ReplacementAnalysis(SummarisedAnalysis):
    """Every system of a layer of labels against its human annotators.

    scoring  says which documents were not assigned to a system
    """

    layer: LayerSpec
    how: ReplacementSettings
    scoring: ScoringSettings

    @property
    def name(self) -> str:
        return self.layer.name

    @property
    def annotators(self) -> tuple[str, ...]:
        return (*self.layer.humans, *self.layer.systems)

    def place(self, key: str) -> str:
        what = (asdict(self.layer), self.scoring.not_assigned, VERSION)
        return f"replacement/{settings_hash(key, *what)}"

    def count(self, store: Store, place: str, key: str) -> dict[str, Any]:
        """Write the labels of humans and systems on the items of the shard."""
        rows = label_rows(store, key, self.layer, self.annotators)
        matrix = matrix_of(rows, self.layer, self.annotators, HUMAN)
        store.write_table(f"{place}/codes.parquet", codes_table(matrix))
        presence = presence_in_shard(store, key, self.layer, self.scoring)
        store.write_table(f"{place}/presence.parquet", presence)
        return {}

    def settings(self) -> list[object]:
        return [asdict(self.layer), asdict(self.how)]

    def summarise(self, store: Store, counted: Sequence[Counted]) -> dict[str, Any]:
        layer, places = self.layer, [one.place for one in counted]
        matrix = read_matrix(store, places, layer, self.annotators)
        names = document_names(matrix)
        roles = (HUMAN,) * len(layer.humans) + (SYSTEM,) * len(layer.systems)
        humans = matrix.codes[:, : len(layer.humans)]
        marginals = np.bincount(humans[humans >= 0], minlength=len(layer.tagset))
        by_distance = self.how.alignment == "similarity"
        distances = layer.direct_distances(marginals) if by_distance else None
        presence = read_presence(store, places, layer)
        documents = matrix.documents
        assigned = {
            system: np.array([name not in one.not_assigned for name in names])[documents]
            for system, one in presence.items()
            if one.not_assigned and documents is not None
        }
        found = judge_labels(
            replace(matrix, roles=roles),
            self.how,
            similarity=similarity_of(self.how.alignment, layer.tagset, distances),
            distance=layer.distance if by_distance else "",
            layer=layer.name,
            document_names=names,
            groups=_batches(store, [one.key for one in counted], layer, names, documents),
            assigned=assigned,
        )
        return {"replacement": found.model_dump(mode="json")}


def _batches(
    store: Store,
    keys: Sequence[str],
    layer: LayerSpec,
    names: Sequence[str],
    documents: Any,
) -> Groups:
    """The batch of each item, where the campaign has two batches or more."""
    changes = pa.concat_tables([last_changes(store, key, layer) for key in keys])
    members = members_by_group(changes, "batch", names)
    if documents is None or len(members) < 2:
        return {}
    of_document = np.full(len(names), -1, np.int64)
    for g, positions in enumerate(members.values()):
        of_document[positions] = g
    return {"batch": (tuple(members), of_document[documents])}
