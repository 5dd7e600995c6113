"""Systems that are judged on one layer, of a run or of exports: from rows to verdicts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ...data.arrow_columns import column, rows_where
from ...data.store.in_memory import Tables
from ...data.validation.fates import are_of_first_pass
from ...metrics.agreement.coefficients import distance_name
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.item_name import place_of_item
from ...metrics.replacement.judge_comparison import LabelSimilarityFunction
from ...metrics.replacement.replacement_options import ReplacementSettings
from ...metrics.unit_rows import UnitRows, gap_code
from ...reports import results as page
from ..batches_and_periods import documents_by_group
from ..item_names import document_names
from ..layers import LayerSpec
from ..scores.evaluation import Presence
from ..scores.sides_of_shard import Against, units_of_shard
from ..stored_annotations import FIRST_PASS, finished_passes, label_rows, unit_rows
from .judge_checks import JudgeRuns, Lengths, document_lengths, lengths_of_items
from .judged_labels import Groups, judge_labels, label_similarity_function
from .judged_units import UnitRuns, annotated_units, judge_units

if TYPE_CHECKING:
    from ...metrics.alignment.dissimilarity import Dissimilarity

_LATER = pa.schema(
    {
        "document": pa.string(),
        "system": pa.string(),
        "pass": pa.int32(),
        "units": pa.list_(pa.int64()),  # start, end and category of each
    }
)


def batches_of_documents(store: Tables, keys: Sequence[str]) -> dict[str, str]:
    """Return the batch of each document, "" where it is unknown."""
    found: dict[str, str] = {}
    for key in keys:
        rows = store.accepted_rows(key, "documents", columns=["document", "batch"])
        found |= zip(rows["document"].to_pylist(), rows["batch"].to_pylist(), strict=True)
    return found


def _groups(batches: Mapping[str, str], names: Sequence[str]) -> Groups:
    """Return the batch of each of the documents; {} for fewer than two batches."""
    texts = {"document": [*batches], "batch": [*batches.values()]}
    table = pa.table({name: column(own, pa.string()) for name, own in texts.items()})
    members = documents_by_group(table, "batch", column(names, pa.string()))
    if len(members) < 2:
        return {}
    of_document = np.full(len(names), -1, np.int64)
    for g, positions in enumerate(members.values()):
        of_document[positions] = g
    return {"batch": (tuple(members), of_document)}


def later_labels(store: Tables, key: str, layer: LayerSpec) -> pa.Table:
    """Return the labels of the systems in passes after the first."""
    rows = label_rows(store, key, layer, layer.systems, first_pass=False)
    return rows_where(rows, ~are_of_first_pass(rows))


def judge_systems_on_labels(
    matrix: LabelMatrix,
    later: pa.Table,
    layer: LayerSpec,
    settings: ReplacementSettings,
    *,
    presence: Mapping[str, Presence],
    batches: Mapping[str, str],
    lengths: Lengths,
    similarity: LabelSimilarityFunction | None = None,
    with_documents: bool = True,
) -> page.Replacement:
    """Judge the systems of a layer of labels.

    matrix      labels of the layer's humans and systems, with their roles
    later       of `later_labels`
    batches     of `batches_of_documents`
    lengths     of the items; {}: unknown
    similarity  of two labels, in place of the alignment of the settings
    with_documents  whether the documents have names; else the file is the only one
    """
    names, documents = document_names(matrix), matrix.documents
    humans = matrix.codes[:, : len(layer.humans)]
    marginals = np.bincount(humans[humans >= 0], minlength=len(layer.tagset))
    by_distance = settings.alignment == "similarity" and similarity is None
    distances = layer.direct_distances(marginals) if by_distance else None
    assigned = {
        system: np.array([name not in one.not_assigned for name in names])[documents]
        for system, one in presence.items()
        if one.not_assigned and documents is not None
    }
    groups = {
        kind: (parts, index[documents])
        for kind, (parts, index) in _groups(batches, names).items()
        if documents is not None
    }
    distance = distance_name(layer.item_distance(), layer.tagset) if by_distance else ""
    if similarity is None:
        similarity = label_similarity_function(settings.alignment, layer.tagset, distances)
    else:
        distance = "own"
    return judge_labels(
        matrix if with_documents else replace(matrix, documents=None),
        settings,
        similarity=similarity,
        distance=distance,
        layer=layer.name,
        document_names=names if with_documents else (),
        groups=groups,
        assigned=assigned,
        runs=_runs(later, matrix, lengths, with_documents=with_documents),
    )


def _runs(
    later: pa.Table, matrix: LabelMatrix, lengths: Lengths, *, with_documents: bool
) -> JudgeRuns:
    """Return later passes of the systems, and the lengths of the items."""
    if not later.num_rows and not lengths:
        return JudgeRuns()
    keys = [place_of_item(name) for name in matrix.items]
    row_of = {key: i for i, key in enumerate(keys)}
    code_of = {category: k for k, category in enumerate(matrix.tagset)}
    passes: dict[str, dict[int, NDArray[np.int64]]] = {}
    for row in later.to_pylist():
        i = row_of.get((row["document"], row["item"]))
        if i is not None:
            of_system = passes.setdefault(row["annotator"], {})
            codes = of_system.setdefault(row["pass"], np.full(len(keys), -1))
            codes[i] = code_of.setdefault(row["label"], len(code_of))
    if not with_documents:
        keys = [("", item) for _, item in keys]
    return JudgeRuns(passes, lengths_of_items(keys, lengths) if lengths else None)


@dataclass(frozen=True, slots=True)
class JudgedUnits:
    """Units of the humans and systems of a layer.

    said       of `units_of_shard`
    later      a row per document that a system finished again, in a pass after the first
    documents  columns document and length
    """

    said: pa.Table
    later: pa.Table
    documents: pa.Table

    @classmethod
    def of_shard(cls, store: Tables, key: str, layer: LayerSpec) -> JudgedUnits:
        humans = [Against(name) for name in layer.humans]
        return cls(
            units_of_shard(store, key, layer, humans),
            _later_units(store, key, layer),
            store.accepted_rows(key, "documents", columns=["document", "length"]),
        )


def judge_units_of_layer(
    units: JudgedUnits,
    layer: LayerSpec,
    settings: ReplacementSettings,
    *,
    presence: Mapping[str, Presence],
    batches: Mapping[str, str],
    lengths: Lengths,
    dissimilarity: Dissimilarity | None,
) -> page.Replacement:
    """Judge the systems of a layer of units; arguments as of `judge_systems_on_labels`.

    dissimilarity  for the alignment `disorder`
    """
    names = sorted(set(units.said["document"].to_pylist()))
    number = {name: d for d, name in enumerate(names)}
    columns = (units.said[name] for name in ("document", "annotator", "units"))
    rows = {
        (number[document.as_py()], annotator.as_py()): _rows_of(found)
        for document, annotator, found in zip(*columns, strict=True)
    }
    assigned = [[name not in presence[s].not_assigned for s in layer.systems] for name in names]
    return judge_units(
        annotated_units(rows, layer.humans_and_systems, len(names)),
        layer.humans,
        layer.systems,
        settings,
        tagset=layer.tagset,
        document_names=names,
        dissimilarity=dissimilarity,
        layer=layer.name,
        groups=_groups(batches, names),
        assigned=np.array(assigned, np.bool_).reshape(-1, len(layer.systems)),
        runs=_unit_runs(units, lengths, number),
    )


def _unit_runs(units: JudgedUnits, lengths: Lengths, number: Mapping[str, int]) -> UnitRuns:
    """The later passes of the systems, and the lengths of the documents of these numbers."""
    columns = (units.later[name] for name in _LATER.names)
    passes = {
        (number[document.as_py()], system.as_py(), pass_.as_py()): _rows_of(found)
        for document, system, pass_, found in zip(*columns, strict=True)
        if document.as_py() in number
    }
    read = dict(zip(*(column.to_pylist() for column in units.documents.columns), strict=True))
    known = [read[name] if read[name] >= 0 else math.nan for name in number]
    return UnitRuns(passes, document_lengths(list(number), known, lengths))


def _rows_of(units: pa.ListScalar) -> UnitRows:
    return np.asarray(units.values.to_numpy().reshape(-1, 4), np.int64)


def _later_units(store: Tables, key: str, layer: LayerSpec) -> pa.Table:
    found: dict[tuple[str, str, int], list[int]] = {
        (document, annotator, pass_): []
        for document, annotator, pass_ in finished_passes(store, key, layer.name)
        if annotator in layer.systems and pass_ > FIRST_PASS
    }
    every = unit_rows(store, key, layer, layer.systems, first_pass=False)
    code = {category: k for k, category in enumerate(layer.tagset)}
    for row in every.filter(pc.greater(every["pass"], FIRST_PASS)).to_pylist():
        units = found[row["document"], row["annotator"], row["pass"]]
        category = code.get(row["category"], -1)
        gaps = gap_code(row["fragments"] or ())
        units += (row["start_offset"], row["end_offset"], category, gaps)
    rows = [dict(zip(_LATER.names, (*who, units), strict=True)) for who, units in found.items()]
    return pa.Table.from_pylist(rows, _LATER)
