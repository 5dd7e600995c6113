"""Resampling studies: a grid of cells by trials, distributed with Dask, stored incrementally.

Every trial has its own seed and every batch of trials its own file, so an interrupted run can be
resumed, trials can be added to stored ones, and the results do not depend on the number of workers
or on the batch size.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from prefect import flow
from prefect.futures import as_completed

from ..data.errors import DataError
from ..data.store.hashes import settings_hash
from ..data.store.manifest import write_run_manifest
from ..data.store.store import Store
from ..data.untrusted.files import read_file
from ..metrics.signature import VERSION
from ..tasks.study.study_cells import write_inputs
from ..tasks.study.study_report import StudyReportSpec, write_study_report_task
from ..tasks.study.trials import run_jobs_task, trial_series
from .campaign.run import message_on_killed_workers
from .engine.runner import killed_worker, task_runner
from .engine.store_lock import lock_in_turn
from .numbering import next_study
from .progress.artifacts import ProgressArtifact, artifact_key
from .progress.flow_runs import edge_from, flow_run_name, study_tag, tag_flow_run
from .progress.names import name_of_jobs, name_task
from .progress.watcher import watcher
from .schedule.notify import begin_run, notify
from .study.study_config import StudyConfig, load_study
from .study.study_inputs import StudyInputs, read_inputs_of, units_of_study
from .study.study_plan import Rounds, StudyPlan, plan_study


def dry_run(study: str, *, fresh: bool = False, data: Sequence[str] = ()) -> StudyPlan:
    """Plan the remaining work of a study; nothing is written."""
    config = load_study(Path(study), data=[Path(one) for one in data])
    return plan_study(config, read_inputs_of(config), Store(config.store.url), fresh=fresh)


@flow(name="resampling study", flow_run_name=flow_run_name, log_prints=False, on_crashed=[notify])
def resampling_study(
    study: str, fresh: bool = False, data: tuple[str, ...] = (), store: str = ""
) -> dict[str, Any]:
    """Run a resampling study: compute the trials missing in the store, and write the page.

    Args:
        study: Path of the study file (TOML).
        fresh: Delete the stored trials of the study's cells, and run every trial again.
        data: Files in place of those that the study file names.
        store: Folder or URL in place of its store.

    Returns the location of the page, and the numbers of trials run and reused. Raises ConfigError,
    DataError and MetricsError.
    """
    begin_run(study)
    config = load_study(Path(study), data=[Path(one) for one in data], store=store)
    tag_flow_run(study_tag(config.study.name))
    trials = Store(config.store.url)
    with lock_in_turn(trials):
        clock = time.perf_counter()
        watcher().stage("plan", 1)
        source = read_inputs_of(config)
        planned = plan_study(config, source, trials, fresh=fresh)
        watcher().advance()
        stage = _stage_facts("plan", clock, 1, 0)
        # A cluster is not worth starting for the work of a single task
        is_small = planned.seconds <= config.engine.seconds_per_task
        with task_runner(config.engine, is_small=is_small) as runner:
            on_runner = run_study.with_options(
                task_runner=runner, flow_run_name=lambda: config.study.name
            )
            outcome: dict[str, Any] = on_runner(
                PreparedStudy(config, read_file(Path(study)).decode(), source, planned, stage),
                fresh=fresh,
                command=f"accordeur study {Path(study).name}",
            )
    return outcome


class PreparedStudy:
    """Wrapper that keeps a study's data from Prefect's server and from every task.

    The server stores the parameters of a flow, and each task is sent with them; workers read the
    labels from the store.
    """

    __slots__ = ("config", "planned", "source", "stage", "text")

    def __init__(
        self, config: StudyConfig, text: str, source: StudyInputs, planned: StudyPlan,
        stage: dict[str, Any],
    ) -> None:  # fmt: skip
        self.config, self.source, self.planned, self.stage = config, source, planned, stage
        self.text = text

    def __reduce__(self) -> tuple[type[object], tuple[()]]:
        return object, ()


@flow(name="run study", validate_parameters=False)
def run_study(study: PreparedStudy, *, fresh: bool, command: str) -> dict[str, Any]:
    """Run the stages of a study on the given task runner."""
    config, source, planned = study.config, study.source, study.planned
    tag_flow_run(study_tag(config.study.name))
    store, url = Store(config.store.url), config.store.url
    started = datetime.now(UTC).isoformat(timespec="seconds")
    if fresh:
        for folder in planned.places.values():
            store.delete_folder(folder)
    place = write_inputs(store, source.inputs)
    stages = [study.stage]

    clock = time.perf_counter()
    watcher().stage("trials", len(planned.tasks))
    progress = ProgressArtifact()
    progress.begin(f"{artifact_key(config.study.name)}-progress")
    task = run_jobs_task.with_options(retries=config.engine.retries, retry_delay_seconds=1)
    about: dict[Any, str] = {}
    futures = []
    rounds, done, n_tasks = Rounds(planned, store, source.observed), 0, len(planned.tasks)
    for tasks in rounds:
        of_round = []
        for jobs in tasks:
            what = name_of_jobs(jobs)
            of_round.append(name_task(task, what).submit(url, place, planned.study.root, jobs))
            about[of_round[-1].task_run_id] = what
        for future in as_completed(of_round):
            try:
                future.result()
            except killed_worker():
                raise DataError(
                    message_on_killed_workers(f"run trials, {about[future.task_run_id]}")
                ) from None
            done += 1
            watcher().advance(about[future.task_run_id])
            progress.update(100.0 * done / n_tasks, f"{done} of {n_tasks} batches of trials")
        futures += of_round
    for folder in planned.places.values():
        trial_series(store, folder).compact()
    n_kept = sum(rounds.trials_of.values()) - rounds.n_run
    stages.append(_stage_facts("trials", clock, len(futures), n_kept))

    spec = StudyReportSpec(
        name=config.study.name,
        kind=config.study.kind,
        description=config.study.description,
        trials=planned.study.trials,
        seed=config.study.seed,
        root=planned.study.root,
        command=command,
        config_hash=settings_hash(
            config.model_dump(mode="json", exclude={"store", "engine", "notify"})
        ),
        file=study.text,
        language=config.report.language,
        observed=source.observed,
        validation=source.validation,
        units=units_of_study(config),
        looks=planned.looks,
        trials_of=rounds.trials_of,
        imprecise=tuple(spec.name for spec in rounds.imprecise),
    )
    watcher().stage("report", 1)
    folder = next_study(store)
    assemble = name_task(write_study_report_task, config.study.name)
    outcome: dict[str, Any] = assemble.submit(
        url,
        place,
        planned.specs,
        planned.places,
        spec,
        started,
        stages,
        folder,
        wait_for=[edge_from(future) for future in futures],
    ).result()
    write_run_manifest(
        store,
        folder,
        {"version": VERSION, "config_hash": spec.config_hash},
        places={},
        series={planned.places[name]: count for name, count in rounds.trials_of.items()},
        files=store.list(place) if place else [],
    )
    watcher().advance()
    progress.update(100.0, "done")
    return {
        **outcome,
        "n_run": rounds.n_run,
        "n_kept": n_kept,
        "stages": stages,
        "set_aside": source.set_aside,
    }


def _stage_facts(name: str, clock: float, n_tasks: int, n_reused: int) -> dict[str, Any]:
    seconds = round(time.perf_counter() - clock, 3)
    return {"name": name, "seconds": seconds, "n_tasks": n_tasks, "n_reused": n_reused}
