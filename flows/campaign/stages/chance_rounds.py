"""Chance samples in rounds, until every expected disorder has the requested precision."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ....data.store.manifest import SAMPLE
from ....data.store.series import Series
from ....data.store.store import Store
from ....metrics.chance.sample_plan import SampleJob
from ....tasks.analysis import Counted
from ....tasks.isolation import DocumentsOfChance, Probe
from ....tasks.layers import LayerSpec
from ....tasks.units.alignment import DissimilaritySpec
from ....tasks.units.chance import Drawing
from ....tasks.units.chance_rounds import (
    SMALL_SECONDS,
    SampleNeeds,
    add_drawn_samples,
    begin_chance_task,
    draw_chance_task,
    estimated_seconds,
    next_jobs,
)
from ...progress.names import name_of_range
from ..run import Run
from ..task_settings import settings_of_tasks
from ..task_settings.sharding import GROUPS_PER_WORKER


def sample_chance(
    run: Run,
    layer: LayerSpec,
    aligned: Sequence[Counted],
    dissimilarity: DissimilaritySpec,
) -> tuple[str, dict[Any, Any] | None]:
    """Gather the corpus, and draw chance samples until the requested precision is reached.

    aligned  results of aligning the shards

    One task gathers the corpus and draws the first rounds while they are small, to avoid waiting
    between rounds. Returns the place of the corpus, and (process, number of annotators) → rows of
    total, weight and gap; None if no document was finished.
    """
    chance = settings_of_tasks.gamma_settings(run.config)
    drawing = Drawing.of(layer, dissimilarity, chance)
    probe = Probe("chance", DocumentsOfChance(drawing, aligned))
    with run.stage(f"chance {layer.name}", 1) as stage:
        what = (aligned, drawing, chance)
        after = [one.place for one in aligned]
        first = run.submit(begin_chance_task, layer.name, *what, after=after, fresh=run.fresh)
        [begun] = run.gather([first], [probe], makes=lambda one: [one.corpus.place])
        place, needed = begun.corpus.place, begun.needed
        run.note(stage, [begun.corpus, *begun.drawn])
        kept: dict[Any, Any] = add_drawn_samples({}, begun.drawn)
        while needed is not None and (jobs := next_jobs(kept, needed, chance)):
            groups = _split_jobs(jobs, _n_sample_tasks(jobs, needed, run.config.engine.workers))
            draw = partial(run.submit, draw_chance_task)
            futures = [
                draw(
                    f"{layer.name}, {name_of_range('samples', group)}",
                    place,
                    drawing,
                    group,
                    after=[place],
                    fresh=run.fresh,
                )
                for group in groups
            ]
            stage["n_tasks"] += len(futures)
            probes = [probe] * len(futures)
            parts = run.gather(futures, probes, makes=lambda _part: [place])
            drawn = [one for part in parts for one in part]
            run.note(stage, drawn)
            kept = add_drawn_samples(kept, drawn)
        for folder in run.used.series:
            Series(Store(run.store_url), folder, SAMPLE).compact()
    if needed is None:
        return place, None
    return place, {key: counts.tolist() for key, counts in kept.items()}


def _n_sample_tasks(jobs: Sequence[SampleJob], needed: SampleNeeds, workers: int) -> int:
    """Return the number of tasks worth their overhead: about one per second of estimated work."""
    wanted = int(estimated_seconds(jobs, needed) / SMALL_SECONDS)
    return max(1, min(workers * GROUPS_PER_WORKER, wanted))


def _split_jobs(jobs: Sequence[SampleJob], n_groups: int) -> list[list[SampleJob]]:
    n = max(1, min(n_groups, len(jobs)))
    return [list(jobs[g::n]) for g in range(n)]
