"""The expected disorder: one corpus file that workers draw from, samples in batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from prefect import task

from data.store import Store, settings_hash
from metrics.chance.corpus import Corpus
from metrics.chance.expected import sample_disorders
from metrics.chance.plan import SampleJob
from metrics.signature import VERSION
from tasks.alignment import DissimilaritySpec, corpus_from_arrays
from tasks.arrays import read_arrays, write_arrays
from tasks.layers import LayerSpec


@dataclass(frozen=True, slots=True)
class ChanceSettings:
    processes: tuple[str, ...] = ()  # none: random2 where the campaign allows it
    precision: float = 0.01
    min_samples: int = 30
    max_samples: int = 10_000
    reconcile: str = "rescale"
    max_documents: int = 20_000
    seed: int = 0


def gather_corpus(
    store_url: str,
    layer: LayerSpec,
    places: Sequence[str],
    settings: ChanceSettings,
    *,
    fresh: bool = False,
) -> str:
    """One file with the units that virtual documents are drawn from; returns its path.

    Of more than `max_documents` documents a seeded sample is taken, the same at each run.
    """
    store = Store(store_url)
    path = (
        f"corpora/{settings_hash(asdict(layer), list(places), asdict(settings), VERSION)}.parquet"
    )
    if fresh or not store.is_whole(path):
        parts = [read_arrays(store, f"{place}/corpus.parquet") for place in places]
        corpus = corpus_from_arrays(parts, layer)
        if corpus is not None and corpus.n_documents > settings.max_documents:
            corpus = _sampled(corpus, settings.max_documents, settings.seed)
        write_arrays(store, path, {} if corpus is None else _as_arrays(corpus))
    return path


def _as_arrays(corpus: Corpus) -> dict[str, NDArray[np.generic]]:
    return {
        field.name: getattr(corpus, field.name)
        for field in fields(corpus)
        if isinstance(getattr(corpus, field.name), np.ndarray)
    }


def _sampled(corpus: Corpus, n: int, seed: int) -> Corpus:
    chosen = np.sort(np.random.default_rng(seed).permutation(corpus.n_documents)[:n])
    parts: list[Any] = [_as_arrays(corpus.document(int(d))) for d in chosen]
    layer = LayerSpec("", "units", corpus.tagset, corpus.annotators)
    found = corpus_from_arrays(parts, layer)
    assert found is not None  # n ≥ 2 documents were chosen
    return found


@lru_cache(maxsize=2)
def read_corpus(store_url: str, path: str, layer: LayerSpec) -> Corpus | None:
    """The corpus of a file written by `gather_corpus`; kept by the worker between batches."""
    return corpus_from_arrays([read_arrays(Store(store_url), path)], layer)


def draw_chance(
    store_url: str,
    corpus_path: str,
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec,
    settings: ChanceSettings,
    jobs: Sequence[SampleJob],
    *,
    fresh: bool = False,
) -> list[list[list[float]]]:
    """(total, weight, gap) of the samples of each job; kept in the store for a restart."""
    store = Store(store_url)
    found = []
    for job in jobs:
        key = settings_hash(
            corpus_path, asdict(dissimilarity), asdict(layer), settings.seed, settings.reconcile,
            asdict(job), VERSION,
        )  # fmt: skip
        path = f"chance/{key}.parquet"
        if fresh or not store.is_whole(path):
            corpus = read_corpus(store_url, corpus_path, layer)
            if corpus is None:
                raise ValueError(f"layer {layer.name!r} has no units to draw from")
            drawn = sample_disorders(
                corpus,
                job.process,
                dissimilarity=dissimilarity.for_layer(layer),
                first=job.first,
                count=job.count,
                study=settings.seed,
                n_annotators=job.n_annotators,
                reconcile=settings.reconcile,  # type: ignore[arg-type]  # checked by the campaign file
            )
            write_arrays(store, path, {"samples": drawn})
        samples: Any = read_arrays(store, path)["samples"]
        found.append(samples.tolist())
    return found


@task(name="gather corpus", task_run_name="gather corpus {layer.name}")
def gather_corpus_task(
    store_url: str,
    layer: LayerSpec,
    places: Sequence[str],
    settings: ChanceSettings,
    *,
    fresh: bool = False,
) -> str:
    return gather_corpus(store_url, layer, places, settings, fresh=fresh)


@task(name="draw chance", task_run_name="draw chance {layer.name}")
def draw_chance_task(
    store_url: str,
    corpus_path: str,
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec,
    settings: ChanceSettings,
    jobs: Sequence[SampleJob],
    *,
    fresh: bool = False,
) -> list[list[list[float]]]:
    return draw_chance(store_url, corpus_path, layer, dissimilarity, settings, jobs, fresh=fresh)
