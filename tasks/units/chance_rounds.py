"""Rounds of samples: what is to be drawn next, what it costs, several small ones in one task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from prefect import task

from metrics.chance.corpus import Corpus
from metrics.chance.expected import unit_shares
from metrics.chance.plan import Kept, SampleJob, add_samples, plan_samples
from metrics.unitizing.settings import GammaSettings
from tasks.layers import LayerSpec
from tasks.units.alignment import DissimilaritySpec
from tasks.units.chance import ChanceSettings, draw_chance, read_corpus

SAMPLES_PER_JOB = 25
SMALL_SECONDS = 1.0  # a round below is not worth a task of its own
_SECONDS_PER_UNIT = 2e-5  # of drawing and aligning a virtual document, measured; only a guide


def next_jobs(kept: Kept, corpus: Corpus, settings: ChanceSettings) -> list[SampleJob]:
    """The samples still missing; empty when every expected disorder is as precise as asked."""
    asked = GammaSettings(processes=settings.processes or None)  # type: ignore[arg-type]  # checked by the campaign file
    return plan_samples(
        kept,
        processes=asked.processes_for(corpus),
        annotator_counts=unit_shares(corpus),
        precision=settings.precision,
        min_samples=settings.min_samples,
        max_samples=settings.max_samples,
        batch=SAMPLES_PER_JOB,
    )


def seconds_of(jobs: Sequence[SampleJob], corpus: Corpus) -> float:
    """What they may take one worker."""
    units = corpus.n_units / max(1, corpus.annotators_per_document.sum())
    return sum(job.count * job.n_annotators for job in jobs) * units * _SECONDS_PER_UNIT


def kept_with(kept: Kept, drawn: Sequence[Mapping[str, Any]]) -> dict[Any, NDArray[np.float64]]:
    """The samples kept with those that `draw_chance` returned."""
    counts = [np.array(one["samples"], dtype=np.float64).reshape(-1, 3) for one in drawn]
    return add_samples(kept, [one["job"] for one in drawn], counts)


def draw_first_rounds(
    store_url: str,
    corpus_place: str,
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec,
    settings: ChanceSettings,
    *,
    fresh: bool = False,
) -> list[dict[str, Any]]:
    """As `chance.draw_chance`, of the first round and those after it while they are small."""
    corpus = read_corpus(store_url, corpus_place, layer)
    assert corpus is not None  # there are jobs
    kept: Kept = {}
    drawn: list[dict[str, Any]] = []
    while (jobs := next_jobs(kept, corpus, settings)) and (
        not drawn or seconds_of(jobs, corpus) < SMALL_SECONDS
    ):
        found = draw_chance(
            store_url, corpus_place, layer, dissimilarity, settings, jobs, fresh=fresh
        )
        kept = kept_with(kept, found)
        drawn += found
    return drawn


@task(name="draw chance", task_run_name="draw chance {layer.name}")
def draw_chance_task(
    store_url: str,
    corpus_place: str,
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec,
    settings: ChanceSettings,
    jobs: Sequence[SampleJob],
    *,
    fresh: bool = False,
) -> list[dict[str, Any]]:
    return draw_chance(store_url, corpus_place, layer, dissimilarity, settings, jobs, fresh=fresh)


@task(name="draw chance", task_run_name="draw chance {layer.name}")
def draw_first_rounds_task(
    store_url: str,
    corpus_place: str,
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec,
    settings: ChanceSettings,
    *,
    fresh: bool = False,
) -> list[dict[str, Any]]:
    return draw_first_rounds(store_url, corpus_place, layer, dissimilarity, settings, fresh=fresh)
