"""Samples of chance in rounds, until every expected disorder is as precise as asked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from data.manifest import SAMPLE
from data.series import Series
from data.store import Store
from flows.campaign import plan
from flows.campaign.run import GROUPS_PER_WORKER, Run
from flows.progress.names import ranges_named
from metrics.chance.corpus import Corpus
from metrics.chance.plan import SampleJob
from tasks.isolation import Probe
from tasks.layers import LayerSpec
from tasks.units.alignment import DissimilaritySpec
from tasks.units.chance_rounds import (
    SMALL_SECONDS,
    draw_chance_task,
    draw_first_rounds_task,
    kept_with,
    next_jobs,
    seconds_of,
)


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

    places: of the alignments that the corpus was gathered from. One task draws the first rounds
    where they are small, so that they do not wait for one another here.
    """
    chance = plan.chance_settings(run.config)
    probe = Probe(
        "chance",
        tuple(places),
        {"layer": layer, "dissimilarity": dissimilarity, "settings": chance},
    )
    what = (corpus_place, layer, dissimilarity, chance)
    kept: dict[Any, Any] = {}
    while jobs := next_jobs(kept, corpus, chance):
        if not kept and seconds_of(jobs, corpus) < SMALL_SECONDS:
            first = f"{layer.name}, first {ranges_named('samples', jobs)}"
            futures = [run.submit(draw_first_rounds_task, first, *what, fresh=run.fresh)]
        else:
            groups = _dealt(jobs, _n_sample_tasks(jobs, corpus, run.config.engine.workers))
            names = [f"{layer.name}, {ranges_named('samples', group)}" for group in groups]
            draw = partial(run.submit, draw_chance_task)
            futures = [
                draw(name, *what, group, fresh=run.fresh)
                for name, group in zip(names, groups, strict=True)
            ]
        stage["n_tasks"] += len(futures)
        drawn = [one for part in run.gather(futures, [probe] * len(futures)) for one in part]
        run.note(stage, drawn)
        kept = kept_with(kept, drawn)
    for folder in run.ledger.series:
        Series(Store(run.store_url), folder, SAMPLE).compact()
    return {key: counts.tolist() for key, counts in kept.items()}


def _n_sample_tasks(jobs: Sequence[SampleJob], corpus: Corpus, workers: int) -> int:
    """As many tasks as are worth their overhead: one a second or so of estimated work."""
    wanted = int(seconds_of(jobs, corpus) / SMALL_SECONDS)
    return max(1, min(workers * GROUPS_PER_WORKER, wanted))


def _dealt(jobs: Sequence[SampleJob], n_groups: int) -> list[list[SampleJob]]:
    n = max(1, min(n_groups, len(jobs)))
    return [list(jobs[g::n]) for g in range(n)]
