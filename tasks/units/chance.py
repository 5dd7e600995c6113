"""Expected disorder: one corpus file from which workers draw samples in batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...data.store.manifest import SAMPLE
from ...data.store.ownership import Folder
from ...data.store.series import Series
from ...data.store.store import Store
from ...metrics.chance.corpus import Corpus
from ...metrics.chance.drawing_order import hashes_of_documents
from ...metrics.chance.expected_disorder import sample_disorders
from ...metrics.chance.sample_plan import SampleJob
from ...metrics.options import Chance
from ...metrics.row_order import mixed
from ...metrics.signature import input_hash
from ...metrics.units.gamma_settings import GammaSettings
from ..analysis import Counted
from ..layers import LayerSpec
from ..node import Job, Node, place_of
from ..stored_arrays import read_arrays, write_arrays
from .alignment import DissimilaritySpec, corpus_from_arrays

_PARTS = ("total", "weight", "gap")


@dataclass(frozen=True, slots=True)
class CorpusSettings:
    """Documents from which virtual documents are drawn.

    Above `max_documents` documents, a seeded sample is taken, the same in each run.
    """

    layer: LayerSpec
    max_documents: int
    seed: int


def corpus_node(shards: Sequence[Counted], layer: LayerSpec, chance: GammaSettings) -> Node:
    """Return the node that gathers the units of all shards; one shard is in memory at a time.

    shards  results of `alignment`
    """
    settings = CorpusSettings(layer, chance.max_documents, chance.seed)
    return Node(Folder.CORPORA, tuple(shards), settings, _gather_corpus)


def _gather_corpus(
    store: Store, place: str, settings: CorpusSettings, shards: Sequence[Counted]
) -> None:
    layer = settings.layer
    parts = []
    documents = _documents_to_draw_from(store, shards, settings)
    for shard, chosen in zip(shards, documents, strict=True):
        if not chosen.size:
            continue
        part = corpus_from_arrays([read_arrays(store, f"{shard.place}/corpus.parquet")], layer)
        assert part is not None  # not None, as it contains chosen documents
        if chosen.size < part.n_documents:  # copied, so that the rest of the shard is freed
            taken = [_as_arrays(part.document(int(d))) for d in chosen]
            part = corpus_from_arrays(taken, layer)
            assert part is not None
        parts.append(_as_arrays(part))
    corpus = corpus_from_arrays(parts, layer)
    write_arrays(store, f"{place}/corpus.parquet", {} if corpus is None else _as_arrays(corpus))


def _documents_to_draw_from(
    store: Store, shards: Sequence[Counted], settings: CorpusSettings
) -> list[NDArray[np.int64]]:
    """Return the numbers of the documents to draw from, by shard, chosen by their units."""
    bounds = np.cumsum([0, *(shard.facts["n_documents"] for shard in shards)])
    chosen = np.arange(bounds[-1])
    if chosen.size > settings.max_documents:
        parts = [
            corpus_from_arrays(
                [read_arrays(store, f"{shard.place}/corpus.parquet")], settings.layer
            )
            for shard in shards
        ]
        hashes = np.concatenate([hashes_of_documents(part) for part in parts if part is not None])
        seeded = np.argsort(mixed(hashes + np.uint64(settings.seed % 2**64)), kind="stable")
        chosen = np.sort(seeded[: settings.max_documents])
    found = np.searchsorted(chosen, bounds)
    return [chosen[a:b] - first for a, b, first in zip(found[:-1], found[1:], bounds, strict=False)]


def _as_arrays(corpus: Corpus) -> dict[str, Any]:
    return {
        field.name: getattr(corpus, field.name)
        for field in fields(corpus)
        if isinstance(getattr(corpus, field.name), np.ndarray)
    }


@lru_cache(maxsize=2)
def read_gathered_corpus(store_url: str, place: str, layer: LayerSpec) -> Corpus | None:
    """Read the corpus of a place of `corpus_node`; workers cache it between batches."""
    return corpus_from_arrays([read_arrays(Store(store_url), f"{place}/corpus.parquet")], layer)


@dataclass(frozen=True, slots=True)
class Drawing:
    """How chance samples of a layer are drawn.

    how  only the options that affect a sample; how many are needed is planned apart
    """

    layer: LayerSpec
    dissimilarity: DissimilaritySpec
    seed: int
    how: Chance

    @classmethod
    def of(
        cls, layer: LayerSpec, dissimilarity: DissimilaritySpec, settings: GammaSettings
    ) -> Drawing:
        how = Chance(reconcile=settings.reconcile, min_gap=settings.min_gap, axis=settings.axis)
        return cls(layer, dissimilarity, settings.seed, how)


@dataclass(frozen=True, slots=True)
class DrawnSamples:
    """Chance samples, (total, weight, gap) each, and their series in the store.

    reused   whether the samples were already in the store
    damaged  files of the series that had changed since they were written
    """

    job: SampleJob
    samples: Sequence[Sequence[float]]
    series: str
    reused: bool = False
    damaged: tuple[str, ...] = ()


def draw_chance(
    store_url: str,
    corpus_place: str,
    drawing: Drawing,
    jobs: Sequence[SampleJob],
    *,
    fresh: bool = False,
) -> list[DrawnSamples]:
    """Draw the samples of each job, unless they are in the store and `fresh` is false."""
    store = Store(store_url)
    corpus = read_gathered_corpus(store_url, corpus_place, drawing.layer)
    if corpus is None:
        raise ValueError(f"layer {drawing.layer.name!r} has no units to draw from")
    units = input_hash([*_as_arrays(corpus.in_order).values(), "\0".join(corpus.tagset)])
    known: dict[str, Series] = {}
    done: list[DrawnSamples] = []
    for job in jobs:
        folder = _samples_folder(units, drawing, job)
        if folder not in known:
            known[folder] = Series(store, folder, SAMPLE)
        series = known[folder]
        table = None if fresh else series.read(job.first, job.count)
        is_kept = table is not None
        if table is None:
            found = draw_samples(corpus, drawing, job)
            numbers = np.arange(job.first, job.first + job.count)
            table = pa.table({SAMPLE: numbers, **dict(zip(_PARTS, found.T, strict=True))})
            series.write(job.first, job.count, table)
        samples = np.stack([table[name].to_numpy() for name in _PARTS], axis=1).tolist()
        done.append(DrawnSamples(job, samples, folder, is_kept))
    return [replace(one, damaged=tuple(known[one.series].damaged)) for one in done]


def _samples_folder(units: str, drawing: Drawing, job: SampleJob) -> str:
    """Return the folder of the series of samples that the job belongs to.

    It is named by the units that are drawn from, so that neither new labels nor pseudonyms draw
    them again.

    units  hash of the corpus without the names of its annotators
    """
    how = (drawing.dissimilarity, drawing.layer.distance_matrix(), drawing.seed, drawing.how)
    return place_of(Folder.CHANCE, (units, job.process, job.n_annotators), how)


def draw_samples(corpus: Corpus, drawing: Drawing, job: SampleJob) -> NDArray[np.float64]:
    """Return (total, weight, gap) of the job's samples; float64 (count, 3)."""
    return sample_disorders(
        corpus,
        job,
        dissimilarity=drawing.dissimilarity.dissimilarity_for(drawing.layer),
        study=drawing.seed,
        chance=drawing.how,
    )


def jobs_of_chance(store: Store, drawing: Drawing, aligned: Sequence[Counted]) -> Iterator[Job]:
    """Yield each document of the alignments, with two chance samples drawn from it alone."""
    for shard in aligned:
        arrays = read_arrays(store, f"{shard.place}/corpus.parquet")
        corpus = corpus_from_arrays([arrays], drawing.layer)
        if corpus is None:
            continue
        rows = store.read_table(f"{shard.place}/alignments.parquet", columns=["document"])
        numbers = corpus.annotators_per_document
        for d, name in enumerate(rows["document"].to_pylist()):
            if numbers[d] >= 2:
                job = SampleJob("shuffle", int(numbers[d]), 0, 2)
                yield name, partial(draw_samples, corpus.document(d), drawing, job)
