"""Expected disorder: one corpus file from which workers draw samples in batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...data.store.manifest import SAMPLE
from ...data.store.receipts import Kept, kept, write_receipt
from ...data.store.series import Series
from ...data.store.store import Store
from ...metrics.chance.corpus import Corpus
from ...metrics.chance.expected import sample_disorders
from ...metrics.chance.sample_plan import SampleJob
from ...metrics.unitizing.settings import GammaSettings
from ..analysis import Counted, Outcome, finished_outcome, reused
from ..arrays import read_arrays, write_arrays
from ..cache_keys import cache_key
from ..layers import LayerSpec
from .alignment import DissimilaritySpec, corpus_from_arrays

_PARTS = ("total", "weight", "gap")


def gather_corpus(
    store_url: str,
    layer: LayerSpec,
    shards: Sequence[Counted],
    settings: GammaSettings,
    *,
    fresh: bool = False,
) -> Outcome:
    """Gather the units from which virtual documents are drawn into one place.

    shards  results of `alignment`

    Above `max_documents` documents, a seeded sample is taken, the same in each run; only one shard
    is in memory at a time.
    """
    store = Store(store_url)
    places = [shard.place for shard in shards]
    place = f"corpora/{cache_key(asdict(layer), places, asdict(settings))}"
    found = kept(store, place) if not fresh else Kept()
    if found.receipt is not None:
        return reused(found.receipt)
    parts = []
    for shard, chosen in zip(shards, _documents_to_draw_from(shards, settings), strict=True):
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
    return finished_outcome(write_receipt(store, place), damaged=found.damaged)


def _documents_to_draw_from(
    shards: Sequence[Counted], settings: GammaSettings
) -> list[NDArray[np.int64]]:
    """Return the numbers of the documents to draw from, by shard."""
    bounds = np.cumsum([0, *(shard.facts["n_documents"] for shard in shards)])
    chosen = np.arange(bounds[-1])
    if chosen.size > settings.max_documents:
        order = np.random.default_rng(settings.seed).permutation(chosen.size)
        chosen = np.sort(order[: settings.max_documents])
    found = np.searchsorted(chosen, bounds)
    return [chosen[a:b] - first for a, b, first in zip(found[:-1], found[1:], bounds, strict=False)]


def _as_arrays(corpus: Corpus) -> dict[str, Any]:
    return {
        field.name: getattr(corpus, field.name)
        for field in fields(corpus)
        if isinstance(getattr(corpus, field.name), np.ndarray)
    }


@lru_cache(maxsize=2)
def read_corpus(store_url: str, place: str, layer: LayerSpec) -> Corpus | None:
    """Read the corpus of a place of `gather_corpus`; workers cache it between batches."""
    return corpus_from_arrays([read_arrays(Store(store_url), f"{place}/corpus.parquet")], layer)


@dataclass(frozen=True, slots=True)
class Drawn:
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
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec,
    settings: GammaSettings,
    jobs: Sequence[SampleJob],
    *,
    fresh: bool = False,
) -> list[Drawn]:
    """Draw the samples of each job, unless they are in the store and `fresh` is false."""
    store = Store(store_url)
    known: dict[str, Series] = {}
    done: list[Drawn] = []
    for job in jobs:
        folder = samples_folder(corpus_place, layer, dissimilarity, settings, job)
        if folder not in known:
            known[folder] = Series(store, folder, SAMPLE)
        series = known[folder]
        table = None if fresh else series.read(job.first, job.count)
        is_kept = table is not None
        if table is None:
            table = _draw_sample(store_url, corpus_place, layer, dissimilarity, settings, job)
            series.write(job.first, job.count, table)
        samples = np.stack([table[name].to_numpy() for name in _PARTS], axis=1).tolist()
        done.append(Drawn(job, samples, folder, is_kept))
    return [replace(one, damaged=tuple(known[one.series].damaged)) for one in done]


def samples_folder(
    corpus_place: str,
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec,
    settings: GammaSettings,
    job: SampleJob,
) -> str:
    """Return the folder of the series of samples that the job belongs to."""
    kind = {k: v for k, v in asdict(job).items() if k not in ("first", "count")}
    key = cache_key(
        corpus_place, asdict(dissimilarity), asdict(layer), settings.seed, settings.reconcile,
        settings.min_gap, settings.axis, kind,
    )  # fmt: skip
    return f"chance/{key}"


def _draw_sample(
    store_url: str,
    corpus_place: str,
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec,
    settings: GammaSettings,
    job: SampleJob,
) -> pa.Table:
    corpus = read_corpus(store_url, corpus_place, layer)
    if corpus is None:
        raise ValueError(f"layer {layer.name!r} has no units to draw from")
    found = draw_samples(corpus, layer, dissimilarity, settings, job)
    numbers = np.arange(job.first, job.first + job.count)
    return pa.table({SAMPLE: numbers, **dict(zip(_PARTS, found.T, strict=True))})


def draw_samples(
    corpus: Corpus,
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec,
    settings: GammaSettings,
    job: SampleJob,
) -> NDArray[np.float64]:
    """Return (total, weight, gap) of the job's samples; float64 (count, 3)."""
    return sample_disorders(
        corpus,
        job,
        dissimilarity=dissimilarity.for_layer(layer),
        study=settings.seed,
        chance=settings,
    )
