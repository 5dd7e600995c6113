"""Stage that computes a campaign's own reading grid, which interprets values on units."""

from __future__ import annotations

from ....data.store.store import Store
from ....tasks.layers import LayerSpec
from ....tasks.node import Outcome
from ....tasks.study.campaign_reading_grid import PlannedGrid, grid_node, plan_grid_task
from ....tasks.study.trials import run_jobs_task
from ....tasks.units.alignment import DissimilaritySpec
from ...progress.flow_runs import edge_from
from ...progress.names import name_of_jobs
from ..run import Run
from ..task_settings import settings_of_tasks
from ..task_settings.sharding import GROUPS_PER_WORKER


def compute_reading_grid(
    run: Run,
    layer: LayerSpec,
    corpus_place: str,
    summary: Outcome,
    dissimilarity: DissimilaritySpec,
) -> list[str]:
    """Return the path of the layer's curves; [] without trials or units."""
    settings = settings_of_tasks.grid_settings(run.config)
    if not settings.grid.trials:
        return []
    what = (corpus_place, layer, dissimilarity, settings)
    planning = run.submit(plan_grid_task, layer.name, *what, after=[corpus_place], fresh=run.fresh)
    planned: PlannedGrid | None = planning.result()
    if planned is None:
        return []
    n_tasks = min(len(planned.jobs), run.config.engine.workers * GROUPS_PER_WORKER)
    with run.stage(f"reading grid {layer.name}", n_tasks + 1) as stage:
        stage["n_parts"] = len(planned.places)
        stage["n_reused"] = len(planned.places) - len(planned.jobs)
        groups = [planned.jobs[g::n_tasks] for g in range(n_tasks)]
        run.made[planned.place] = [edge_from(planning)]
        run.gather(
            [
                run.submit(
                    run_jobs_task,
                    name_of_jobs(group),
                    planned.place,
                    planned.root,
                    group,
                    after=[planned.place],
                )
                for group in groups
            ],
            makes=lambda _done: planned.places,
        )
        run.used.series |= dict.fromkeys(planned.places, settings.grid.trials)
        run.used.files += Store(run.store_url).list(planned.place)
        nodes = {layer.name: [grid_node(layer, planned, summary, settings)]}
        done = run.complete_within(stage, nodes, task="summarise reading grid")
        return [one.fields for one in done]
