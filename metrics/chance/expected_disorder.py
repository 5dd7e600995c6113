"""Expected disorder: the disorder of chance annotation, to a required precision.

Virtual documents of each chance model are drawn until the 95 % CI of their mean disorder is within
the required relative precision (Mathet, Widlöcher & Métivier 2015: n ≥ (1.96·CV/precision)²). The
expected disorder is the lowest mean of the models (Mathet & Widlöcher 2011, section 4.5).

Disorder depends on the number of annotators (a single unit costs Δ∅ however many annotators could
have marked it), so documents with different numbers of annotators have different expectations: a
corpus has one sample per chance model and number of annotators.

Samples are drawn and aligned on all cores of the machine. To distribute them further, pass a
map-like `compute` to `expected_disorder`, or run the loop of `metrics.chance.sample_plan` yourself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import TypeAlias

import numpy as np

from ..alignment.continuum import Continuum
from ..alignment.dissimilarity import Dissimilarity
from ..arrays import Floats
from ..errors import MetricsError
from ..measure import Objective
from ..options import Chance, Process
from ..threads import available_threads
from .chance_samples import ExpectedDisorder, Weighting
from .corpus import Corpus, as_corpus
from .disorders import disorders_of_draws
from .sample_drawing import DEFAULT_CHANCE, batch_sampler
from .sample_plan import SampleJob, add_samples, expected_disorder_of_samples, plan_samples

_WORTH_THREADS = 500_000  # units × annotators⁴ of the samples, about two milliseconds of alignment
_UNITS_TOGETHER = 200_000  # units of samples drawn at once

Compute: TypeAlias = Callable[
    [Callable[[SampleJob], Floats], Sequence[SampleJob]],
    Iterable[Floats],
]


def sample_disorders(
    corpus: Corpus | Sequence[Continuum],
    job: SampleJob,
    *,
    dissimilarity: Dissimilarity,
    objective: Objective = "sum",
    study: int,
    chance: Chance = DEFAULT_CHANCE,
    time_limit: float | None = None,
    threads: int = 1,
) -> Floats:
    """Return (total, weight, gap) of the samples of a job; float64 (count, 3).

    A job is one batch of work for a worker. See `metrics.chance.sample_drawing.batch_sampler` for
    the arguments.
    """
    flat = as_corpus(corpus)
    draw = batch_sampler(
        flat, job.process, study=study, n_annotators=job.n_annotators, chance=chance
    )
    return disorders_of_draws(
        draw(range(job.first, job.first + job.count)),
        flat.tagset,
        dissimilarity,
        objective=objective,
        time_limit=time_limit,
        threads=threads,
    )


def mean_units_by_n_annotators(corpus: Corpus) -> dict[int, float]:
    """Sum the mean number of units per annotator over documents, by number of annotators ≥ 2.

    Numbers of annotators whose documents have no units are omitted, because they need no chance
    samples.
    """
    n_annotators = corpus.annotators_per_document
    n_units = np.diff(corpus.unit_offsets[corpus.set_offsets])
    return {
        n: float(n_units[n_annotators == n].sum() / n)
        for n in np.unique(n_annotators[n_units > 0]).tolist()
        if n >= 2
    }


def expected_disorder(
    corpus: Corpus | Sequence[Continuum],
    chance: Chance = DEFAULT_CHANCE,
    *,
    dissimilarity: Dissimilarity,
    objective: Objective = "sum",
    seed: int,
    weighting: Weighting = "units",
    time_limit: float | None = None,
    batch: int = 16,
    compute: Compute | None = None,
) -> ExpectedDisorder:
    """Sample every chance model to the required precision and choose the lowest expected disorder.

    chance   its chance models (random2 by default), precision and numbers of samples
    compute  called as `compute(function, jobs)`; returns the results in the order of the jobs:
             `map` (one after the other), an executor's `map` or a Dask client's gather of its map;
             None: one thread per core

    `value` is nan if no document has a unit. Raises MetricsError for a corpus without a document of
    two annotators, an unknown chance model, settings out of range, or random2 with fewer documents
    than annotators.
    """
    processes = chance.processes or ("random2",)
    flat = as_corpus(corpus)
    if (flat.annotators_per_document < 2).all():
        raise MetricsError("no document has two annotators: there is nothing to compare")
    shares = mean_units_by_n_annotators(flat)
    if not shares:
        return ExpectedDisorder((), {}, processes[0], chance.precision)
    function = partial(
        sample_disorders,
        flat,
        dissimilarity=dissimilarity,
        objective=objective,
        study=seed,
        chance=chance,
        time_limit=time_limit,
    )
    on_jobs = compute or partial(_on_all_cores, units_a_sample=flat.n_units / flat.n_documents)
    kept: dict[tuple[Process, int], Floats] = {}
    while jobs := plan_samples(
        kept,
        chance,
        processes=processes,
        annotator_counts=shares,
        weighting=weighting,
        batch=batch,
    ):
        kept = add_samples(kept, jobs, on_jobs(function, jobs))
    return expected_disorder_of_samples(
        kept, shares=shares, precision=chance.precision, weighting=weighting
    )


def _on_all_cores(
    function: Callable[..., Floats], jobs: Sequence[SampleJob], units_a_sample: float
) -> list[Floats]:
    """Run jobs of the same chance model and number of annotators together, in threads if useful."""
    results: list[Floats] = []
    for (_, n_annotators), group in groupby(jobs, key=lambda job: (job.process, job.n_annotators)):
        left = list(group)
        pays = units_a_sample * sum(j.count for j in left) * n_annotators**4 >= _WORTH_THREADS
        together = max(1, int(_UNITS_TOGETHER / (units_a_sample * left[0].count)))
        for run in (left[i : i + together] for i in range(0, len(left), together)):
            counts = function(
                replace(run[0], count=sum(job.count for job in run)),
                threads=available_threads() if pays else 1,
            )
            results += np.split(counts, np.cumsum([job.count for job in run[:-1]]))
    return results
