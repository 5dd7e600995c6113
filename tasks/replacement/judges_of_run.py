"""Analysis of the systems of a campaign that are candidates to replace an annotator."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ...data.store.ownership import Folder
from ...data.store.store import Store
from ...metrics.agreement.coefficients import distance_name
from ...metrics.agreement.label_matrix import HUMAN, LabelMatrix
from ...metrics.replacement.replacement_options import ReplacementSettings
from ...reports import results as page
from ..analysis import Counted, Counting, SummarisedAnalysis
from ..batches_and_periods import documents_by_group, documents_with_last_change
from ..intake.accepted import read_accepted
from ..item_names import split_item
from ..items.item_codes import read_stored_matrix, write_codes_of_shard
from ..layers import (
    FIRST_PASS,
    LayerSpec,
    document_names,
    finished_passes,
    label_rows,
    unit_rows,
)
from ..options import Patterns
from ..scores.sides_of_shard import Against, presence_in_shard, read_presence, units_of_shard
from ..units.alignment import DissimilaritySpec
from .judge_checks import JudgeRuns, document_lengths, lengths_of_items
from .judged_labels import Groups, judge_labels, label_similarity_function
from .judged_units import UnitRows, UnitRuns, annotated_units, judge_units

SYSTEM = "system"
_LATER = pa.schema(
    {
        "document": pa.string(),
        "system": pa.string(),
        "pass": pa.int32(),
        "units": pa.list_(pa.int64()),  # start, end and category of each
    }
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

    layer: LayerSpec
    not_assigned: Patterns

    @property
    def folder(self) -> Folder:
        return Folder.REPLACEMENT

    def count(self, store: Store, place: str, key: str) -> dict[str, Any]:
        if self.layer.is_labels:
            write_codes_of_shard(store, place, key, self.layer, self.layer.humans_and_systems)
            every = label_rows(store, key, self.layer, self.layer.systems, first_pass=False)
            later = every.filter(pc.greater(every["pass"], FIRST_PASS))
            store.write_table(f"{place}/later.parquet", later)
        else:
            humans = [Against(name) for name in self.layer.humans]
            said = units_of_shard(store, key, self.layer, humans)
            store.write_table(f"{place}/said.parquet", said)
            store.write_table(f"{place}/later.parquet", _later_units(store, key, self.layer))
            lengths = read_accepted(store, key, "documents", columns=["document", "length"])
            store.write_table(f"{place}/lengths.parquet", lengths)
        presence = presence_in_shard(store, key, self.layer, self.not_assigned)
        store.write_table(f"{place}/presence.parquet", presence)
        return {}


@dataclass(frozen=True, slots=True)
class ReplacementAnalysis(SummarisedAnalysis):
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
    def layer_name(self) -> str:
        return self.layer.name

    @property
    def counting(self) -> ReplacementCounting:
        layer = replace(self.layer.without_distance(), references=())
        return ReplacementCounting(layer, self.not_assigned)

    def summarise(self, store: Store, counted: Sequence[Counted]) -> page.LayerResults:
        found = (self._labels if self.layer.is_labels else self._units)(store, counted)
        facts = dict(zip(self.layer.systems, self.facts, strict=True))
        systems = [one.model_copy(update=asdict(facts[one.system])) for one in found.systems]
        return page.LayerResults(replacement=[found.model_copy(update={"systems": systems})])

    def _labels(self, store: Store, counted: Sequence[Counted]) -> page.Replacement:
        layer, places = self.layer, [one.place for one in counted]
        matrix = read_stored_matrix(store, places, layer, self.layer.humans_and_systems)
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
        batches = _batches(store, counted, layer, names)
        in_batches = {
            kind: (groups, index[documents])
            for kind, (groups, index) in batches.items()
            if documents is not None
        }
        return judge_labels(
            replace(matrix, roles=roles),
            self.how,
            similarity=label_similarity_function(self.how.alignment, layer.tagset, distances),
            distance=distance_name(layer.item_distance(), layer.tagset) if by_distance else "",
            layer=layer.name,
            document_names=names,
            groups=in_batches,
            assigned=assigned,
            runs=self._runs(store, places, matrix),
        )

    def _runs(self, store: Store, places: Sequence[str], matrix: LabelMatrix) -> JudgeRuns:
        """Return later passes of the systems, and the lengths of the items."""
        tables = [store.read_table(f"{place}/later.parquet") for place in places]
        later = pa.concat_tables(tables).to_pylist()
        if not later and not self.lengths:
            return JudgeRuns()
        keys = [split_item(name) for name in matrix.items]
        row_of = {key: i for i, key in enumerate(keys)}
        code_of = {category: k for k, category in enumerate(matrix.tagset)}
        passes: dict[str, dict[int, NDArray[np.int64]]] = {}
        for row in later:
            i = row_of.get((row["document"], row["item"]))
            if i is not None:
                of_system = passes.setdefault(row["annotator"], {})
                codes = of_system.setdefault(row["pass"], np.full(len(keys), -1))
                codes[i] = code_of.setdefault(row["label"], len(code_of))
        lengths = {(document, item): length for document, item, length in self.lengths}
        return JudgeRuns(passes, lengths_of_items(keys, lengths) if lengths else None)

    def _units(self, store: Store, counted: Sequence[Counted]) -> page.Replacement:
        layer, places = self.layer, [one.place for one in counted]
        said = pa.concat_tables([store.read_table(f"{place}/said.parquet") for place in places])
        names = sorted(set(said["document"].to_pylist()))
        number = {name: d for d, name in enumerate(names)}
        columns = (said[name] for name in ("document", "annotator", "units"))
        rows = {
            (number[document.as_py()], annotator.as_py()): _rows_of(units)
            for document, annotator, units in zip(*columns, strict=True)
        }
        presence = read_presence(store, places, layer)
        assigned = [[name not in presence[s].not_assigned for s in layer.systems] for name in names]
        metric = self.dissimilarity
        return judge_units(
            annotated_units(rows, self.layer.humans_and_systems, len(names)),
            layer.humans,
            layer.systems,
            self.how,
            tagset=layer.tagset,
            document_names=names,
            dissimilarity=None if metric is None else metric.dissimilarity_for(layer),
            layer=layer.name,
            groups=_batches(store, counted, layer, names),
            assigned=np.array(assigned, np.bool_).reshape(-1, len(layer.systems)),
            runs=self._unit_runs(store, places, number),
        )

    def _unit_runs(
        self, store: Store, places: Sequence[str], number: Mapping[str, int]
    ) -> UnitRuns:
        """The later passes of the systems, and the lengths of the documents of these numbers."""
        later, documents = (
            pa.concat_tables([store.read_table(f"{place}/{name}.parquet") for place in places])
            for name in ("later", "lengths")
        )
        columns = (later[name] for name in _LATER.names)
        passes = {
            (number[document.as_py()], system.as_py(), pass_.as_py()): _rows_of(units)
            for document, system, pass_, units in zip(*columns, strict=True)
            if document.as_py() in number
        }
        read = dict(zip(*(column.to_pylist() for column in documents.columns), strict=True))
        known = [read[name] if read[name] >= 0 else math.nan for name in number]
        given = {(document, item): length for document, item, length in self.lengths}
        return UnitRuns(passes, document_lengths(list(number), known, given))


def _rows_of(units: pa.ListScalar) -> UnitRows:
    return np.asarray(units.values.to_numpy().reshape(-1, 3), np.int64)


def _later_units(store: Store, key: str, layer: LayerSpec) -> pa.Table:
    """A row per document that a system finished again, in a pass after the first."""
    found: dict[tuple[str, str, int], list[int]] = {
        (document, annotator, pass_): []
        for document, annotator, pass_ in finished_passes(store, key, layer.name)
        if annotator in layer.systems and pass_ > FIRST_PASS
    }
    every = unit_rows(store, key, layer, layer.systems, first_pass=False)
    code = {category: k for k, category in enumerate(layer.tagset)}
    for row in every.filter(pc.greater(every["pass"], FIRST_PASS)).to_pylist():
        units = found[row["document"], row["annotator"], row["pass"]]
        units += (row["start_offset"], row["end_offset"], code.get(row["category"], -1))
    rows = [dict(zip(_LATER.names, (*who, units), strict=True)) for who, units in found.items()]
    return pa.Table.from_pylist(rows, _LATER)


def _batches(
    store: Store, counted: Sequence[Counted], layer: LayerSpec, names: Sequence[str]
) -> Groups:
    """Return the batch of each document; {} for fewer than two batches."""
    changes = pa.concat_tables(
        [documents_with_last_change(store, one.key, layer) for one in counted]
    )
    members = documents_by_group(changes, "batch", names)
    if len(members) < 2:
        return {}
    of_document = np.full(len(names), -1, np.int64)
    for g, positions in enumerate(members.values()):
        of_document[positions] = g
    return {"batch": (tuple(members), of_document)}
