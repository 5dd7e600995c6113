"""Samples of chance in rounds, until every expected disorder is as precise as asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from data.manifest import SAMPLE
from data.series import Series
from data.store import Store
from flows import plan
from flows.names import ranges_named
from flows.run import GROUPS_PER_WORKER, Run
from metrics.chance.corpus import Corpus
from metrics.chance.expected import unit_shares
from metrics.chance.plan import SampleJob, add_samples, plan_samples
from metrics.unitizing.settings import GammaSettings
from tasks.alignment import DissimilaritySpec
from tasks.chance import draw_chance_task
from tasks.isolation import Probe
from tasks.layers import LayerSpec

SAMPLES_PER_JOB = 25
SECONDS_PER_UNIT = 2e-5  # of drawing and aligning a virtual document, measured; only a guide


def sample_chance(
    run: Run,
    corpus: Corpus,
    corpus_place: str,
    places: Sequence[str],
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec,
    stage: dict[str, Any],
) -> dict[Any, Any]:
    """Rounds of samples until every expected disorder is as precise as asked.

    places: of the alignments that the corpus was gathered from.
    """
    chance = plan.chance_settings(run.config)
    processes = GammaSettings(processes=chance.processes or None).processes_for(corpus)  # type: ignore[arg-type]  # checked by the campaign file
    workers = run.config.engine.workers
    probe = Probe(
        "chance",
        tuple(places),
        {"layer": layer, "dissimilarity": dissimilarity, "settings": chance},
    )
    kept: dict[Any, Any] = {}
    while jobs := plan_samples(
        kept,
        processes=processes,
        annotator_counts=unit_shares(corpus),
        precision=chance.precision,
        min_samples=chance.min_samples,
        max_samples=chance.max_samples,
        batch=SAMPLES_PER_JOB,
    ):
        groups = _dealt(jobs, _n_sample_tasks(jobs, corpus, workers))
        futures = [
            run.submit(
                draw_chance_task,
                f"{layer.name}, {ranges_named('samples', group)}",
                corpus_place,
                layer,
                dissimilarity,
                chance,
                group,
                fresh=run.fresh,
            )
            for group in groups
        ]
        stage["n_tasks"] += len(groups)
        results = run.gather(futures, [probe] * len(futures))
        run.note(stage, [one for part in results for one in part])
        drawn = {
            job: one["samples"]
            for group, part in zip(groups, results, strict=True)
            for job, one in zip(group, part, strict=True)
        }
        kept = add_samples(kept, jobs, [_as_counts(drawn[job]) for job in jobs])
    for folder in run.ledger.series:
        Series(Store(run.store_url), folder, SAMPLE).compact()
    return {key: counts.tolist() for key, counts in kept.items()}


def _n_sample_tasks(jobs: Sequence[SampleJob], corpus: Corpus, workers: int) -> int:
    """As many tasks as are worth their overhead: one a second or so of estimated work."""
    units = corpus.n_units / max(1, corpus.annotators_per_document.sum())
    seconds = sum(job.count * job.n_annotators for job in jobs) * units * SECONDS_PER_UNIT
    return max(1, min(workers * GROUPS_PER_WORKER, int(seconds)))


def _as_counts(rows: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    return np.array(rows, dtype=np.float64).reshape(-1, 3)


def _dealt(jobs: Sequence[SampleJob], n_groups: int) -> list[list[SampleJob]]:
    n = max(1, min(n_groups, len(jobs)))
    return [list(jobs[g::n]) for g in range(n)]
