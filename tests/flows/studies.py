"""Study files and their runs in this process, for the tests of studies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from accordeur.data.store.store import Store
from accordeur.flows.study.study_config import load_study
from accordeur.flows.study.study_inputs import StudyInputs, read_inputs_of, units_of_study
from accordeur.flows.study.study_plan import Rounds, StudyPlan, plan_study
from accordeur.reports.study.study_results import StudyResults
from accordeur.tasks.study.study_cells import write_inputs
from accordeur.tasks.study.study_report import StudyReportSpec, write_study_report
from accordeur.tasks.study.trials import run_jobs

SYNTHETIC = """
[study]
name = "synthetic"
kind = "synthetic"
trials = 70
[items]
n_items = 60
[grid]
n_annotators = [5]
n_categories = [3]
ties = ["random", "nearest_mean"]
[observed]
krippendorff_alpha = 0.62
[store]
url = "runs"
"""

SUBSETS = """
[study]
name = "subsets"
kind = "subsets"
[data]
labels = "labels.csv"
ordered = true
[grid]
ties = ["nearest_mean", "random"]
"""

MODELS = """
[study]
name = "models"
kind = "reference_models"
trials = 6
[data]
labels = "labels.csv"
"""

GRID = """
[study]
name = "grid"
kind = "reading_grid"
trials = 6
[units]
n_units = 10
[grid]
measure = ["gamma", "u_alpha"]
degradation = ["omission", "category", "false_positives"]
magnitude = [0, 0.4, 0.8]
[observed]
gamma = 0.7
"""


def study_file(folder: Path, text: str, *, batch_size: int | None = None, workers: int = 2) -> Path:
    path = folder / "study.toml"
    engine = f"[engine]\nworkers = {workers}\n"
    engine += "" if batch_size is None else f"batch_size = {batch_size}\n"
    path.write_text(text + engine, encoding="utf-8")
    return path


def planned(path: Path) -> tuple[StudyPlan, Store, str, StudyInputs]:
    config = load_study(path)
    source = read_inputs_of(config)
    store = Store(config.store.url)
    place = write_inputs(store, source.inputs)
    return plan_study(config, source, store, fresh=False), store, place, source


def run_here(path: Path, *, folder: str = "out") -> tuple[StudyResults, StudyPlan]:
    """The stages of the flow in this process."""
    plan, store, place, source = planned(path)
    rounds = Rounds(plan, store, source.observed)
    for tasks in rounds:
        for jobs in tasks:
            run_jobs(store.url, place, plan.study.root, jobs)
    config = load_study(path)
    spec = StudyReportSpec(
        name=config.study.name,
        kind=config.study.kind,
        description="",
        trials=plan.study.trials,
        seed=0,
        root=plan.study.root,
        command="accordeur study study.toml",
        config_hash="",
        observed=source.observed,
        validation=source.validation,
        units=units_of_study(config),
        looks=plan.looks,
        trials_of=rounds.trials_of,
        imprecise=tuple(one.name for one in rounds.imprecise),
    )
    write_study_report(store.url, place, plan.specs, plan.places, spec, "", [], folder)
    return StudyResults.model_validate(store.read_json(f"{folder}/results.json")), plan


def curve(results: StudyResults, part: int, name: str, **wanted: Any) -> list[Any]:
    [found] = [
        one
        for one in results.parts[part].curves
        if one.name == name and all(getattr(one, key) == value for key, value in wanted.items())
    ]
    return found.points
