"""Every document of a batch alone, stage by stage: what `tasks.isolation.one_by_one` goes through.

A stage that takes all documents of a shard together is run on a store that holds one document.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from ...data.schema import SCHEMAS
from ...data.store.store import Store
from ...data.validation.preparation import prepare
from ...metrics.chance.plan import SampleJob
from ..analysis import Analysis
from ..arrays import read_arrays
from ..intake.validate import Shard, ValidationSpec, raw_rows
from ..layers import LayerSpec
from ..units import chance
from ..units.alignment import DissimilaritySpec, alignment_place, corpus_from_arrays
from ..validity import reference, scoring
from ..validity.reference_parts import ReferenceSettings

Job: TypeAlias = tuple[str, Callable[[], object]]  # a document and its computation, alone


class ByDocument(Protocol):
    """What was being done to parts of a campaign, document by document."""

    def documents(self, store: Store, part: Any) -> Iterator[Job]:
        """Every document of a part (a shard, its key, a place), with its computation."""


@dataclass(frozen=True, slots=True)
class Validating:
    """The validation of shards; `sources` and `spec` as `validate` takes them."""

    sources: Sequence[Mapping[str, Any]]
    spec: ValidationSpec

    def documents(self, store: Store, part: Shard) -> Iterator[Job]:
        raw, layers = raw_rows(store, self.sources, part, self.spec)
        names = {name for rows in raw.values() for name in pc.unique(rows["document"]).to_pylist()}
        for name in sorted(names):
            rows = {table: _of(rows, name) for table, rows in raw.items()}
            yield name, partial(prepare, rows, self.spec.declared, layers)


@dataclass(frozen=True, slots=True)
class Counting:
    """The counting of shards for analyses."""

    analyses: Sequence[Analysis]

    def documents(self, store: Store, part: str) -> Iterator[Job]:
        for analysis in self.analyses:
            further = [one for one in analysis.further_inputs(part) if store.exists(one)]
            yield from _documents_alone(store, part, further, partial(_count, part, analysis))


def _count(key: str, analysis: Analysis, alone: Store) -> object:
    return analysis.count(alone, "alone", key)


@dataclass(frozen=True, slots=True)
class Drawing:
    """Samples of chance, drawn from one document of a place of an alignment."""

    layer: LayerSpec
    dissimilarity: DissimilaritySpec
    settings: chance.ChanceSettings

    def documents(self, store: Store, part: str) -> Iterator[Job]:
        corpus = corpus_from_arrays([read_arrays(store, f"{part}/corpus.parquet")], self.layer)
        if corpus is None:
            return
        rows = store.read_table(f"{part}/alignments.parquet", columns=["document"])
        numbers = corpus.annotators_per_document
        for d, name in enumerate(rows["document"].to_pylist()):
            if numbers[d] >= 2:
                job = SampleJob("shuffle", int(numbers[d]), 0, 2)
                what = (self.layer, self.dissimilarity, self.settings, job)
                yield name, partial(chance.drawn, corpus.document(d), *what)


@dataclass(frozen=True, slots=True)
class Referring:
    """The reference of a layer; the fields as `build_reference` takes them."""

    layer: LayerSpec
    dissimilarity: DissimilaritySpec | None
    settings: ReferenceSettings

    def documents(self, store: Store, part: str) -> Iterator[Job]:
        def build(alone: Store) -> str:
            what = (self.layer, self.dissimilarity, self.settings)
            return reference.build_reference(alone.url, [part], *what, "alone")

        further = _aligned(store, part, self.layer, self.dissimilarity)
        yield from _documents_alone(store, part, further, build)


@dataclass(frozen=True, slots=True)
class Scoring:
    """The scores of a layer's systems; `arguments` as `score_layer` takes them."""

    layer: LayerSpec
    arguments: Mapping[str, Any]

    def documents(self, store: Store, part: str) -> Iterator[Job]:
        def score(alone: Store) -> str:
            return scoring.score_layer(alone.url, [part], self.layer, **self.arguments)

        built = self.arguments["built"]
        further = _aligned(store, part, self.layer, self.arguments["dissimilarity"])
        further += store.list(built.place) if built is not None and built.place else []
        yield from _documents_alone(store, part, further, score)


def _aligned(
    store: Store, key: str, layer: LayerSpec, dissimilarity: DissimilaritySpec | None
) -> list[str]:
    """The shard's alignments, where the layer has any."""
    if layer.is_labels:
        return []
    place = alignment_place(key, layer, dissimilarity or DissimilaritySpec())
    path = f"{place}/alignments.parquet"
    return [path] if store.exists(path) else []


def _documents_alone(
    store: Store, key: str, further: Sequence[str], compute: Callable[[Store], object]
) -> Iterator[Job]:
    """Each document of the shard, with the computation on a store that holds no other."""
    names: list[str] = store.read_table(f"accepted/{key}/documents.parquet")["document"].to_pylist()
    for name in sorted(names):
        yield name, partial(_alone, store, key, name, further, compute)


def _alone(
    store: Store,
    key: str,
    document: str,
    further: Sequence[str],
    compute: Callable[[Store], object],
) -> object:
    """Compute on a store that holds the document's rows of the shard, and of further files."""
    with tempfile.TemporaryDirectory() as folder:
        alone = Store(str(Path(folder)))
        paths = [f"accepted/{key}/{name}.parquet" for name in SCHEMAS]
        for path in [*paths, *further]:
            alone.write_table(path, _of(store.read_table(path), document))
        return compute(alone)


def _of(rows: pa.Table, document: str) -> pa.Table:
    return rows.filter(pc.equal(rows["document"], document))
