"""Every document of a batch alone, stage by stage: what `tasks.isolation.one_by_one` goes through.

A stage that takes all documents of a layer together is run, as it is, on a store of its own that
holds one document.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from ...data.schema import SCHEMAS
from ...data.store.store import Store
from ...data.validation.preparation import prepare
from ...metrics.agreement.counts import AgreementCounts, count
from ...metrics.agreement.label_matrix import HUMAN
from ...metrics.chance.plan import SampleJob
from ..arrays import read_arrays
from ..intake.validate import Shard, ValidationSpec, raw_rows
from ..layers import LayerSpec, continua_of, label_rows, matrix_of
from ..relations.counts import RelationSpec, count_relations
from ..units import chance
from ..units.alignment import DissimilaritySpec, aligned, alignment_place, corpus_from_arrays
from ..validity import reference, scoring
from ..validity.reference_parts import ReferenceSettings

Job: TypeAlias = tuple[str, Callable[[], object]]  # a document and its computation, alone


def _validating(
    store: Store, shard: Shard, sources: Sequence[Mapping[str, Any]], spec: ValidationSpec
) -> Iterator[Job]:
    raw, layers = raw_rows(store, sources, shard, spec)
    names = {name for rows in raw.values() for name in pc.unique(rows["document"]).to_pylist()}
    for name in sorted(names):
        rows = {table: _of(rows, name) for table, rows in raw.items()}
        yield name, partial(prepare, rows, spec.declared, layers)


def _counting(store: Store, key: str, layers: Sequence[LayerSpec]) -> Iterator[Job]:
    for layer in layers:
        rows = label_rows(store, key, layer, layer.humans)
        for name in sorted(pc.unique(rows["document"]).to_pylist()):
            yield name, partial(_count, _of(rows, name), layer)


def _count(rows: pa.Table, layer: LayerSpec) -> AgreementCounts:
    matrix = matrix_of(rows, layer, layer.humans, HUMAN)
    return count(matrix, by="documents", confusions=False)


def _aligning(
    store: Store, key: str, layer: LayerSpec, dissimilarity: DissimilaritySpec
) -> Iterator[Job]:
    metric = dissimilarity.for_layer(layer)
    for one in continua_of(store, key, layer, layer.humans, HUMAN):
        yield one[0], partial(aligned, [one], layer, metric)


def _drawing(
    store: Store,
    place: str,
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec,
    settings: chance.ChanceSettings,
) -> Iterator[Job]:
    """Virtual documents that are drawn from the one document, of the place of an alignment."""
    corpus = corpus_from_arrays([read_arrays(store, f"{place}/corpus.parquet")], layer)
    if corpus is None:
        return
    rows = store.read_table(f"{place}/alignments.parquet", columns=["document"])
    numbers = corpus.annotators_per_document
    for d, name in enumerate(rows["document"].to_pylist()):
        if numbers[d] >= 2:
            job = SampleJob("shuffle", int(numbers[d]), 0, 2)
            yield (
                name,
                partial(chance.drawn, corpus.document(d), layer, dissimilarity, settings, job),
            )


def _relating(store: Store, key: str, spec: RelationSpec) -> Iterator[Job]:
    def count_alone(alone: str) -> object:
        return count_relations(alone, [key], spec)

    paths = [path for layer, metric in spec.units for path in _aligned(store, key, layer, metric)]
    for name in _documents(store, key):
        yield name, partial(_alone, store, key, name, paths, count_alone)


def _referring(
    store: Store,
    key: str,
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec | None,
    settings: ReferenceSettings,
) -> Iterator[Job]:
    def build(alone: str) -> str:
        return reference.build_reference(alone, [key], layer, dissimilarity, settings, "alone")

    paths = _aligned(store, key, layer, dissimilarity)
    for name in _documents(store, key):
        yield name, partial(_alone, store, key, name, paths, build)


def _scoring(
    store: Store, key: str, layer: LayerSpec, arguments: Mapping[str, Any]
) -> Iterator[Job]:
    built = arguments["built"]
    paths = _aligned(store, key, layer, arguments["dissimilarity"])
    if built is not None and built.place:
        paths += store.list(built.place)

    def score(alone: str) -> str:
        return scoring.score_layer(alone, [key], layer, **arguments)

    for name in _documents(store, key):
        yield name, partial(_alone, store, key, name, paths, score)


def _documents(store: Store, key: str) -> list[str]:
    names: list[str] = store.read_table(f"accepted/{key}/documents.parquet")["document"].to_pylist()
    return sorted(names)


def _aligned(
    store: Store, key: str, layer: LayerSpec, dissimilarity: DissimilaritySpec | None
) -> list[str]:
    """The shard's alignments, where the layer has any."""
    if layer.is_labels:
        return []
    place = alignment_place(key, layer, dissimilarity or DissimilaritySpec())
    path = f"{place}/alignments.parquet"
    return [path] if store.exists(path) else []


def _alone(
    store: Store, key: str, document: str, further: Sequence[str], compute: Callable[[str], object]
) -> object:
    """Compute on a store that holds the document's rows of the shard, and of further files."""
    with tempfile.TemporaryDirectory() as folder:
        alone = Store(str(Path(folder)))
        paths = [f"accepted/{key}/{name}.parquet" for name in SCHEMAS]
        for path in [*paths, *further]:
            alone.write_table(path, _of(store.read_table(path), document))
        return compute(alone.url)


def _of(rows: pa.Table, document: str) -> pa.Table:
    return rows.filter(pc.equal(rows["document"], document))


STAGES: Mapping[str, Callable[..., Iterator[Job]]] = {
    "validate": _validating,
    "count labels": _counting,
    "align": _aligning,
    "chance": _drawing,
    "count relations": _relating,
    "references": _referring,
    "score systems": _scoring,
}
