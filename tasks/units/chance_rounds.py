"""Rounds of chance samples: which to draw next, their cost, and small rounds in one task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.store.store import Store
from ...metrics.chance.corpus import Corpus
from ...metrics.chance.expected_disorder import mean_units_by_n_annotators
from ...metrics.chance.sample_plan import Kept, SampleJob, add_samples, plan_samples
from ...metrics.options import Process
from ...metrics.units.gamma_settings import GammaSettings
from ..analysis import Counted
from ..logged_task import logged_task, reuse_text
from ..node import Outcome, complete
from .chance import Drawing, DrawnSamples, corpus_node, draw_chance, read_gathered_corpus

SAMPLES_PER_JOB = 25
SMALL_SECONDS = 1.0  # shorter rounds do not get a task of their own
_SECONDS_PER_UNIT = 2e-5  # measured time to draw and align a virtual document; a rough estimate


@dataclass(frozen=True, slots=True)
class SampleNeeds:
    """Properties of a corpus that a flow needs to plan its samples.

    processes            chance models to sample
    annotator_counts     numbers of annotators of documents that need an expected disorder
    units_per_annotator  mean over annotators and documents
    """

    processes: tuple[Process, ...]
    annotator_counts: tuple[int, ...]
    units_per_annotator: float

    @classmethod
    def of(cls, corpus: Corpus, settings: GammaSettings) -> SampleNeeds:
        return cls(
            settings.processes_for(corpus),
            tuple(mean_units_by_n_annotators(corpus)),
            corpus.n_units / max(1, int(corpus.annotators_per_document.sum())),
        )


def next_jobs(kept: Kept, needed: SampleNeeds, settings: GammaSettings) -> list[SampleJob]:
    """Return the samples still missing; empty if every expected disorder is precise enough."""
    return plan_samples(
        kept,
        settings,
        processes=needed.processes,
        annotator_counts=needed.annotator_counts,
        batch=SAMPLES_PER_JOB,
    )


def estimated_seconds(jobs: Sequence[SampleJob], needed: SampleNeeds) -> float:
    """Estimate the time of the jobs on one worker, in seconds."""
    n_annotators = sum(job.count * job.n_annotators for job in jobs)
    return n_annotators * needed.units_per_annotator * _SECONDS_PER_UNIT


def add_drawn_samples(kept: Kept, drawn: Sequence[DrawnSamples]) -> dict[Any, NDArray[np.float64]]:
    """Add the samples returned by `draw_chance` to the existing ones."""
    counts = [np.array(one.samples, dtype=np.float64).reshape(-1, 3) for one in drawn]
    return add_samples(kept, [one.job for one in drawn], counts)


@dataclass(frozen=True, slots=True)
class BegunChance:
    """Corpus of a layer, and first samples drawn from it; `needed` is None without documents."""

    corpus: Outcome
    needed: SampleNeeds | None
    drawn: tuple[DrawnSamples, ...]


def begin_chance(
    store_url: str,
    shards: Sequence[Counted],
    drawing: Drawing,
    settings: GammaSettings,
    *,
    fresh: bool = False,
) -> BegunChance:
    """Gather the corpus, and draw samples from it while the rounds are small."""
    node = corpus_node(shards, drawing.layer, settings)
    [gathered] = complete(Store(store_url), [node], fresh=fresh)
    corpus = read_gathered_corpus(store_url, gathered.place, drawing.layer)
    drawn: list[DrawnSamples] = []
    if corpus is None:
        return BegunChance(gathered, None, ())
    needed = SampleNeeds.of(corpus, settings)
    kept: Kept = {}
    while (jobs := next_jobs(kept, needed, settings)) and (
        estimated_seconds(jobs, needed) < SMALL_SECONDS
    ):
        found = draw_chance(store_url, gathered.place, drawing, jobs, fresh=fresh)
        kept = add_drawn_samples(kept, found)
        drawn += found
    return BegunChance(gathered, needed, tuple(drawn))


def _samples_drawn(drawn: Sequence[DrawnSamples]) -> str:
    n_reused = sum(one.job.count for one in drawn if one.reused)
    return reuse_text(sum(one.job.count for one in drawn), n_reused, "chance sample")


begin_chance_task = logged_task(
    "begin chance", begin_chance, lambda begun: _samples_drawn(begun.drawn)
)
draw_chance_task = logged_task("draw chance", draw_chance, _samples_drawn)
