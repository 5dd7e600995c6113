"""Virtual continua by chance model and index: every sample has its own seed.

The seed of a sample is derived only from (study, chance model, number of annotators, index), so a
sample does not depend on the worker, batch or order in which it is drawn.

The stream of sample i is NumPy's `Philox(SeedSequence(study, spawn_key=(…, i)))`. Creating these
objects for each sample took longer than drawing from them, so the keys of many streams are computed
together, and one generator switches from stream to stream. SeedSequence uses a hash (O'Neill 2015,
"Developing a seed_seq alternative") that NumPy guarantees to keep. Only the last word of its input
differs between samples, so only the effect of this word is recomputed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from ..alignment.continuum import Continuum
from ..arrays import Ints
from ..errors import MetricsError
from ..options import Chance, Process
from .chance_samples import ChanceSample, ExpectedDisorder
from .corpus import Corpus
from .random1 import draw_random1
from .random2 import draw_random2, draw_source_documents
from .shuffle import draw_shuffle, rotatable_document
from .statistical import draw_statistical, fit_unit_distributions, unit_numbers
from .virtual_documents import VirtualDocuments, as_continuum

PROCESSES: tuple[Process, ...] = get_args(Process)
DEFAULT_CHANCE = Chance()
_PREPARED = 16  # real documents cached for further draws
_POOL = 4  # number of words in SeedSequence's pool
_LEFT, _RIGHT = np.uint32(0xCA01F9DD), np.uint32(0x4973F715)
_HALF = np.uint32(16)


def batch_sampler(
    corpus: Corpus,
    process: Process,
    *,
    study: int,
    n_annotators: int | None = None,
    chance: Chance = DEFAULT_CHANCE,
) -> Callable[[Sequence[int]], VirtualDocuments]:
    """Return a function from the indices of samples to their draws; shared data is prepared once.

    n_annotators  number of annotators of the virtual documents; required if the documents of the
                  corpus differ in it. random1, shuffle and statistical start from a document with
                  as many annotators, drawn uniformly; random2 takes one annotator from each of that
                  many documents.
    chance        settings of random2 and shuffle; its choice of chance models is ignored
    """
    if process not in PROCESSES:
        raise MetricsError(f"the chance model is {process!r}; choose one of {', '.join(PROCESSES)}")
    n = common_number_of_annotators(corpus) if n_annotators is None else n_annotators
    if n < 2:
        raise MetricsError(f"a virtual document needs at least two annotators; n_annotators is {n}")
    corpus = corpus.in_order
    streams = partial(_streams, study, process, n)
    if process == "random2":
        return lambda indices: draw_random2(corpus, n, streams(indices), reconcile=chance.reconcile)
    models = _model_documents(corpus, process, n)

    def chosen(indices: Sequence[int]) -> Iterator[tuple[int, np.random.Generator]]:
        for rng in streams(indices):
            yield _model_drawn(models, rng), rng

    if process == "random1":
        return lambda indices: VirtualDocuments.join(
            [draw_random1(corpus, d, rng) for d, rng in chosen(indices)]
        )
    if process == "statistical":
        fitted, numbers = (
            fit_unit_distributions(corpus),
            lru_cache(_PREPARED)(partial(unit_numbers, corpus)),
        )
        return lambda indices: draw_statistical(
            ((numbers(d), rng) for d, rng in chosen(indices)), n, fitted
        )
    rotated = lru_cache(_PREPARED)(partial(rotatable_document, corpus, min_gap=chance.min_gap))
    return lambda indices: draw_shuffle(
        ((rotated(d), rng) for d, rng in chosen(indices)), n, axis=chance.axis
    )


def source_documents(
    corpus: Corpus, process: Process, *, study: int, n_annotators: int, indices: Sequence[int]
) -> Ints:
    """Return the documents that each of these samples starts from, int64 (count, k).

    k is `n_annotators` for random2, 1 for the other models (random1 and statistical also draw sizes
    and categories from all documents). The arguments are those of `batch_sampler`.
    """
    streams = _streams(study, process, n_annotators, indices)
    documents = np.argsort(corpus.order.documents)
    if process == "random2":
        candidates = documents[corpus.annotators_per_document[documents] > 0]
        drawn = [draw_source_documents(candidates.size, n_annotators, rng) for rng in streams]
        return candidates[np.array(drawn, dtype=np.int64).reshape(-1, n_annotators)]
    models = documents[_model_documents(corpus.in_order, process, n_annotators)]
    return np.array([[_model_drawn(models, rng)] for rng in streams], np.int64).reshape(-1, 1)


def _streams(
    study: int, process: Process, n_annotators: int, indices: Sequence[int]
) -> Iterator[np.random.Generator]:
    return sample_generators(study, (PROCESSES.index(process), n_annotators), indices)


def _model_documents(corpus: Corpus, process: Process, n_annotators: int) -> Ints:
    models = np.flatnonzero(corpus.annotators_per_document == n_annotators)
    if models.size == 0:
        raise MetricsError(
            f"no document of the corpus has {n_annotators} annotators: {process} starts from a "
            "real document"
        )
    return models


def _model_drawn(models: Ints, rng: np.random.Generator) -> int:
    return int(models[rng.integers(models.size)] if models.size > 1 else models[0])


def common_number_of_annotators(corpus: Corpus) -> int:
    """Number of annotators of every document. Raises MetricsError if documents differ."""
    found = np.unique(corpus.annotators_per_document)
    if found.size != 1:
        raise MetricsError(
            f"the documents have {', '.join(map(str, found))} annotators: set n_annotators, the "
            "number of annotators of the virtual documents"
        )
    return int(found[0])


def redraw_samples(
    corpus: Corpus, expected: ExpectedDisorder, *, study: int, chance: Chance
) -> Iterator[tuple[ChanceSample, list[Continuum]]]:
    """Yield each sample of the chosen chance model with its virtual documents, drawn again.

    `study` and `chance` must be the ones that `expected` was computed with, which gives the same
    seeds.
    """
    for sample in expected.samples:
        if sample.process != expected.process:
            continue
        draw = batch_sampler(
            corpus,
            sample.process,
            study=study,
            n_annotators=sample.n_annotators,
            chance=chance,
        )
        yield sample, [as_continuum(drawn, corpus.tagset) for drawn in draw(range(sample.n))]


def sample_generators(
    study: int, spawn_key: tuple[int, ...], indices: Sequence[int]
) -> Iterator[np.random.Generator]:
    """Yield the generator of each sample, in the order of the indices (from 0, below 2³²).

    It is always the same object: draw from it before requesting the next.
    """
    bits = np.random.Philox(0)
    begun = bits.state
    generator = np.random.Generator(bits)
    for key in philox_keys(study, spawn_key, np.asarray(indices, np.uint32)):
        begun["state"]["key"] = key
        bits.state = begun
        yield generator


def philox_keys(
    study: int, spawn_key: tuple[int, ...], indices: NDArray[np.uint32]
) -> NDArray[np.uint64]:
    """uint64 (count, 2): Philox keys of `SeedSequence(study, spawn_key=(*spawn_key, index))`."""
    pool = np.random.SeedSequence(study, spawn_key=spawn_key).pool
    n_words = max(_POOL, -(-study.bit_length() // 32)) + len(spawn_key)
    mixing = _hash_constants(0x43B0D7E5, 0x931E8875, n_before=_POOL * n_words)
    giving = _hash_constants(0x8B51F9DD, 0x58F38DED)
    words = _mix_upper_half_into_lower(
        _LEFT * pool - _RIGHT * _hash_words(indices[:, None], mixing)
    )
    return _hash_words(words, giving).astype("<u4").view("<u8").astype(np.uint64)


def _hash_constants(first: int, factor: int, n_before: int = 0) -> NDArray[np.uint32]:
    """Return the five constants around four words that are hashed after `n_before` others."""
    powers = [first * pow(factor, n_before + k, 1 << 32) for k in range(_POOL + 1)]
    return np.array([power & 0xFFFFFFFF for power in powers], dtype=np.uint32)


def _hash_words(words: NDArray[np.uint32], constants: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """uint32 (count, 4): hash each of four words with the constants before and after it."""
    return _mix_upper_half_into_lower((words ^ constants[:-1]) * constants[1:])


def _mix_upper_half_into_lower(words: NDArray[np.uint32]) -> NDArray[np.uint32]:
    return words ^ (words >> _HALF)
