"""Plan of a study: cells, batches and their cost, before anything runs."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from ...data.store.store import Store
from ...metrics.resampling.grids.perfect_campaign import PerfectCampaign
from ...metrics.resampling.study import (
    Batch,
    Cell,
    Study,
    batch_size_for,
    bytes_per_row,
    plan_batches,
    run_trials,
)
from ...metrics.resampling.study_plugins import unit_degradations
from ...tasks.study.campaign_cells import SubsetCell
from ...tasks.study.looks import Looks, imprecise_cells
from ...tasks.study.study_cells import CellSpec, Inputs, build_cell, cell_place
from ...tasks.study.trials import TrialJob, stored_trial_numbers
from .study_config import GRID_KEYS, StudyConfig
from .study_inputs import Own, StudyInputs

_PILOT_SECONDS = 0.3
_TASKS_PER_WORKER = 4
_FEWEST_SECONDS = 1.0  # per task; in shorter tasks, the scheduler's own time matters
_DRAWN_WITH = {"synthetic": {"ties": "random"}}  # settings that do not change what is drawn
_P1_ONLY = ("spread", "wrong_class", "influence")


@dataclass(frozen=True, slots=True)
class Cost:
    """Cost of one trial of a cell."""

    seconds: float
    bytes: int


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """Work of a study: every cell, and the jobs that are not in the store yet, in tasks.

    rounds  of tasks, one for each look: a cell that is precise enough is in no later round
    """

    study: Study
    specs: tuple[CellSpec, ...]
    places: dict[str, str]
    looks: Looks
    rounds: tuple[tuple[tuple[TrialJob, ...], ...], ...]
    n_trials: int
    n_kept: int
    seconds: float
    bytes: int
    n_subsets: int = 0  # to evaluate, of a study of subsets

    @property
    def tasks(self) -> tuple[tuple[TrialJob, ...], ...]:
        return tuple(task for tasks in self.rounds for task in tasks)

    @property
    def core_hours(self) -> float:
        return self.seconds / 3600


class Rounds:
    """The tasks of a study, round after round, of the cells that have not stopped.

    Each round is to be done before the next is taken. trials_of: trials of each cell, by name;
    imprecise: the cells that end below the precision; n_run: trials of all tasks so far.
    """

    def __init__(self, planned: StudyPlan, store: Store, observed: Mapping[str, float]) -> None:
        self._planned, self._store, self._observed = planned, store, observed
        self.trials_of: dict[str, int] = {}
        self.imprecise = planned.specs
        self.n_run = 0

    def __iter__(self) -> Iterator[list[tuple[TrialJob, ...]]]:
        planned = self._planned
        cells = {cell.name: cell for cell in planned.study.cells}
        for count, tasks in zip(planned.looks.counts, planned.rounds, strict=True):
            wanted = {spec.name for spec in self.imprecise}
            if not wanted:
                return
            of_cells = [tuple(one for one in jobs if one.spec.name in wanted) for jobs in tasks]
            self.n_run += sum(one.count for jobs in of_cells for one in jobs)
            yield [jobs for jobs in of_cells if jobs]
            self.trials_of |= dict.fromkeys(wanted, count)
            self.imprecise = imprecise_cells(
                self._store, cells, self.imprecise, planned.places, self._observed,
                planned.looks, count,
            )  # fmt: skip


def cell_specs(config: StudyConfig, inputs: Inputs, own: Own | None = None) -> tuple[CellSpec, ...]:
    """Return every distinct combination of the grid's lists."""
    kind = config.study.kind
    lists = {key: getattr(config.grid, key) for key in GRID_KEYS[kind]}
    lists |= lists.pop("variables", {})
    for key, default in (("unanimous", (None,)), ("p2", (None,))):
        if key in lists:
            lists[key] = lists[key] or default
    if "n_annotators" in lists:
        found = own.n_annotators if own is not None else None
        lists["n_annotators"] = lists["n_annotators"] or (
            (found or 3,) if kind == "reading_grid" else (9,)
        )
    if inputs is not None:
        lists.pop("n_categories", None)
    if kind == "reading_grid" and "degradation" not in config.grid.model_fields_set:
        tagset = inputs.tagset if isinstance(inputs, PerfectCampaign) else config.units.categories
        if len(tagset) < 2:
            lists["degradation"] = tuple(one for one in lists["degradation"] if one != "category")
    specs: dict[str, CellSpec] = {}
    for values in product(*lists.values()):
        chosen: dict[str, Any] = dict(zip(lists, values, strict=True))
        if chosen.get("generator", "p1") != "p1":  # the older generators do not use p1
            chosen |= {key: lists[key][0] for key in _P1_ONLY}
        kind_of_error = unit_degradations().get(chosen.get("degradation", ""))
        if kind_of_error is not None and chosen["magnitude"] > kind_of_error.most:
            continue
        name, drawn = _cell_name(chosen), _cell_name(chosen | _DRAWN_WITH.get(kind, {}))
        if chosen.get("merged"):
            chosen["merged"] = tuple(config.merged[chosen["merged"]].items())
        fixed = _fixed_settings(config) | _measured_as(own, chosen)
        specs[name] = CellSpec(kind, name, tuple((chosen | fixed).items()), drawn)
    return tuple(specs.values())


def _cell_name(chosen: Mapping[str, Any]) -> str:
    return " ".join(f"{key}={_option_text(value)}" for key, value in chosen.items())


def _fixed_settings(config: StudyConfig) -> dict[str, Any]:
    """Return the options that are the same for every cell."""
    kind, data = config.study.kind, config.data
    common: dict[str, Any] = {"seed": config.study.seed, "ordered": data.ordered or not data.labels}
    common["values"] = data.values
    if kind == "subsets":
        return common | config.subsets.model_dump() | {"distance": config.study.distance}
    if kind == "reading_grid":
        return {"units": tuple(config.units.model_dump().items())}
    if kind == "reference_models":
        return common
    measured = {"coefficients": config.study.coefficients, "distance": config.study.distance}
    return common | config.items.model_dump() | measured


def _measured_as(own: Own | None, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the layer's own dissimilarity and chance models, if the study has them."""
    if own is None:
        return {}
    processes = own.processes
    if chosen["n_documents"] < chosen["n_annotators"]:  # random2 needs one document each
        processes = tuple(one for one in processes if one != "random2")
    return {
        "dissimilarity": own.dissimilarity, "layer": own.layer, "processes": processes or None,
    }  # fmt: skip


def _option_text(value: Any) -> str:
    if isinstance(value, tuple):
        return "-".join(_option_text(one) for one in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def plan_study(config: StudyConfig, source: StudyInputs, store: Store, *, fresh: bool) -> StudyPlan:
    """Return the tasks still to run and their cost, measured on a trial of each kind of cell.

    Raises MetricsError for options that the data do not support.
    """
    inputs = source.inputs
    specs = cell_specs(config, inputs, source.own)
    cells = {spec.name: build_cell(spec, inputs) for spec in specs}
    first = next(iter(cells.values()))
    trials = len(first.parts()) if isinstance(first, SubsetCell) else config.trials
    study = Study(config.study.name, tuple(cells.values()), trials, config.study.seed)
    places = {name: cell_place(cell, study.root) for name, cell in cells.items()}
    done = (
        {}
        if fresh
        else {name: stored_trial_numbers(store, place) for name, place in places.items()}
    )
    unfinished = [s for s in specs if fresh or (done[s.name] < trials).sum() < trials]
    costs = _estimated_costs(unfinished, cells, study)
    looks = Looks.of(config.study.precision or 0.0, trials)
    batches: list[Batch] = []
    rounds, before = [], 0
    for count in looks.counts:
        of_round: list[Batch] = []
        jobs: list[TrialJob] = []
        for spec in unfinished:
            name = spec.name
            size = config.engine.batch_size or batch_size_for(
                costs[name].seconds, seconds=config.engine.seconds_per_task
            )
            kept = {*range(before), *np.asarray(done.get(name, ()), dtype=np.int64).tolist()}
            missing = plan_batches(
                replace(study, cells=(cells[name],), trials=count),
                batch_size=size,
                done={name: kept},
            )
            of_round += missing
            jobs += [TrialJob(spec, places[name], b.first, b.count) for b in missing]
        seconds = [costs[b.cell].seconds * b.count for b in of_round]
        most, workers = config.engine.seconds_per_task, config.engine.workers
        rounds.append(_batch_jobs(jobs, seconds, most, workers))
        batches += of_round
        before = count
    n_missing = sum(b.count for b in batches)
    return StudyPlan(
        study=study,
        specs=specs,
        places=places,
        looks=looks,
        rounds=tuple(rounds),
        n_trials=n_missing,
        n_kept=trials * len(specs) - n_missing,
        seconds=sum(costs[b.cell].seconds * b.count for b in batches),
        bytes=sum(costs[b.cell].bytes * b.count for b in batches),
        n_subsets=sum(_n_subsets(cells[b.cell], b) for b in batches),
    )


def _n_subsets(cell: Cell, batch: Batch) -> int:
    if not isinstance(cell, SubsetCell):
        return 0
    return sum(part.count for part in cell.parts()[batch.first : batch.first + batch.count])


def _estimated_costs(
    specs: Sequence[CellSpec], cells: Mapping[str, Cell], study: Study
) -> dict[str, Cost]:
    """Return seconds and bytes of a trial, measured once for cells of the same cost."""
    found: dict[str, Cost] = {}
    measured: dict[Any, Cost] = {}
    middle = len(specs) // 2
    for spec in [*specs[middle:], *specs[:middle]]:  # a middle magnitude represents the others
        alike = tuple(pair for pair in spec.options if pair[0] in _COSTLY)
        if alike not in measured:
            measured[alike] = _measured_cost(cells[spec.name], study)
        found[spec.name] = measured[alike]
    return found


_COSTLY = (
    "n_annotators", "n_categories", "merged", "ties", "generator", "model", "measure",
    "degradation", "n_documents",
)  # fmt: skip


def _measured_cost(cell: Cell, study: Study) -> Cost:
    last = study.trials - 1  # for subsets, a large size
    middle = study.trials // 2
    rows = run_trials(cell, middle, 1, study=study.root)  # loads compiled code
    spent, n, count = 0.0, 0, 1
    while spent < _PILOT_SECONDS and n < 64:
        count = min(count, last + 1 - middle)
        started = time.process_time()
        rows = run_trials(cell, middle, count, study=study.root)
        spent += time.process_time() - started
        n += count
        count *= 2
    return Cost(spent / n, bytes_per_row(rows))


def _batch_jobs(
    jobs: Sequence[TrialJob], seconds: Sequence[float], most: float, workers: int
) -> tuple[tuple[TrialJob, ...], ...]:
    """Combine jobs into tasks of about equal length: enough for all workers, none too long."""
    share = sum(seconds) / (workers * _TASKS_PER_WORKER)
    target = min(most, max(_FEWEST_SECONDS, share))
    tasks: list[list[TrialJob]] = []
    filled = math.inf
    for job, cost in zip(jobs, seconds, strict=True):
        if filled + cost > target * 1.001:
            tasks.append([])
            filled = 0.0
        tasks[-1].append(job)
        filled += cost
    return tuple(tuple(one) for one in tasks)


def plan_lines(planned: StudyPlan) -> list[str]:
    """Summarise the plan in a few lines, for `--dry-run`."""
    n = planned.n_subsets
    subsets = [f"subsets: {n}, {planned.seconds / n:.2g} s each"] if n else []
    looks = ", ".join(map(str, planned.looks.counts))
    stops = [f"trials of a cell: {looks}, the first that is precise enough"]
    return [
        f"cells: {len(planned.specs)}",
        f"trials: {planned.n_trials} to run, {planned.n_kept} kept from earlier runs",
        *(stops if planned.looks.precision else ()),
        *subsets,
        f"tasks: {len(planned.tasks)}",
        f"core-hours: {planned.core_hours:.3g} ({planned.seconds:.3g} s, measured on trial runs)",
        f"bytes: {planned.bytes} of rows, before compression",
    ]
