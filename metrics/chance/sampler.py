"""Virtual continua by process and index: every sample has a seed of its own.

The seed of a sample is derived from (study, process, number of annotators, index) alone, so a
sample is the same whichever worker draws it, in whichever batch and order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Literal, get_args

import numpy as np

from metrics.alignment.continuum import Continuum
from metrics.chance.corpus import Corpus, Draw, as_continuum, as_corpus
from metrics.chance.random1 import draw_random1
from metrics.chance.random2 import Reconcile, draw_random2
from metrics.chance.shuffle import Axis, draw_shuffle, rotatable
from metrics.chance.statistical import draw_statistical, fit, numbers_of
from metrics.errors import MetricsError

Process = Literal["random1", "random2", "shuffle", "statistical"]
PROCESSES: tuple[Process, ...] = get_args(Process)
_PREPARED = 16  # real documents kept ready to draw from


def generator(study: int, process: Process, n_annotators: int, index: int) -> np.random.Generator:
    """The random generator of one sample (Philox, keyed by NumPy's SeedSequence)."""
    key = (PROCESSES.index(process), n_annotators, index)
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(study, spawn_key=key)))


def drawer(
    corpus: Corpus,
    process: Process,
    *,
    study: int,
    n_annotators: int | None = None,
    reconcile: Reconcile = "rescale",
    min_gap: float = 1.0,
    axis: Axis = "real",
) -> Callable[[int], Draw]:
    """A function from a sample's index to its draw; what is common to all is prepared once.

    n_annotators  of the virtual documents; needed when the documents of the corpus differ in it.
                  random1, shuffle and statistical start from a document that has as many, drawn
                  uniformly; random2 takes one annotator from each of that many documents.
    """
    if process not in PROCESSES:
        raise MetricsError(
            f"the chance process is {process!r}; choose one of {', '.join(PROCESSES)}"
        )
    n = number_of_annotators(corpus) if n_annotators is None else n_annotators
    if n < 2:
        raise MetricsError(f"a virtual document needs at least two annotators, asked for {n}")
    if process == "random2":
        return lambda index: draw_random2(
            corpus, n, generator(study, process, n, index), reconcile=reconcile
        )
    models = np.flatnonzero(corpus.annotators_per_document == n)
    if models.size == 0:
        raise MetricsError(
            f"no document of the corpus has {n} annotators: {process} starts from a real document"
        )
    fitted = fit(corpus) if process == "statistical" else None
    numbers = lru_cache(_PREPARED)(partial(numbers_of, corpus))
    rotated = lru_cache(_PREPARED)(partial(rotatable, corpus, min_gap=min_gap))

    def draw(index: int) -> Draw:
        rng = generator(study, process, n, index)
        document = int(models[rng.integers(models.size)])
        if process == "random1":
            return draw_random1(corpus, document, rng)
        if fitted is not None:
            return draw_statistical(numbers(document), rng, fitted)
        return draw_shuffle(rotated(document), rng, axis=axis)

    return draw


def number_of_annotators(corpus: Corpus) -> int:
    """The number of annotators that all documents share. Raises MetricsError where they differ."""
    found = np.unique(corpus.annotators_per_document)
    if found.size != 1:
        raise MetricsError(
            f"the documents have {', '.join(map(str, found))} annotators: say for how many the "
            "virtual documents are (n_annotators)"
        )
    return int(found[0])


def sample(
    corpus: Corpus | Sequence[Continuum],
    *,
    process: Process,
    study: int,
    index: int,
    n_annotators: int | None = None,
    reconcile: Reconcile = "rescale",
    min_gap: float = 1.0,
    axis: Axis = "real",
) -> Continuum:
    """One virtual continuum of a chance process; the same for the same (study, process, index).

    See `drawer` for the arguments. Raises MetricsError for an unknown process and for random2
    with fewer documents than annotators, RoleError where an annotator is not human.
    """
    flat = as_corpus(corpus)
    draw = drawer(
        flat,
        process,
        study=study,
        n_annotators=n_annotators,
        reconcile=reconcile,
        min_gap=min_gap,
        axis=axis,
    )
    return as_continuum(draw(index), flat.tagset)
