"""Studies: the same numbers however they are cut, resumed, planned; bad data told first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cloudpickle
import pytest

from accordeur.data.store.ownership import claim
from accordeur.data.store.store import Store
from accordeur.flows.resampling_study import PreparedStudy, dry_run
from accordeur.flows.study.study_config import load_study
from accordeur.flows.study.study_plan import plan_lines
from accordeur.flows.toml_file import ConfigError
from accordeur.metrics.errors import MetricsError
from accordeur.reports.study.study_results import StudyResults
from accordeur.tasks.study.trials import run_jobs, stored_trial_numbers
from tests.flows.small import labels_csv
from tests.flows.studies import (
    MODELS,
    SUBSETS,
    SYNTHETIC,
    planned,
    run_here,
    study_file,
)


@pytest.mark.parametrize("batch_size", [35, 10])
def test_two_or_seven_batches_give_the_numbers_of_one(
    tmp_path: Path, synthetic: tuple[Path, StudyResults], batch_size: int
) -> None:
    results, plan = run_here(study_file(tmp_path, SYNTHETIC, batch_size=batch_size))
    assert sum(len(jobs) for jobs in plan.tasks) == 2 * 70 // batch_size
    assert results == synthetic[1]


def test_subsets_in_pieces_give_the_same_sums(tmp_path: Path) -> None:
    labels_csv(tmp_path)
    store = Store(str(tmp_path / "runs"))
    claim(store)
    text = SUBSETS + "[subsets]\nenumerate_up_to = 50\nsamples = 3000\n"
    whole, plan = run_here(study_file(tmp_path, text, batch_size=1000))
    assert sum(len(jobs) for jobs in plan.tasks) == 2
    store.delete_folder("studies")
    pieces, plan = run_here(study_file(tmp_path, text, batch_size=3))
    assert sum(len(jobs) for jobs in plan.tasks) > 7
    assert pieces == whole


def test_a_run_that_was_cut_computes_only_what_is_missing(tmp_path: Path) -> None:
    path = study_file(tmp_path, SYNTHETIC, batch_size=10)
    whole, _ = run_here(path)
    store = Store(str(tmp_path / "runs"))
    files = [file for file in store.list("studies") if "inputs." not in file]
    assert len(files) == 14
    lost, damaged, kept = files[2], files[9], files[5]
    store.local_path(lost).unlink()
    store.local_path(damaged).write_bytes(store.read_bytes(damaged)[:100])
    before = store.local_path(kept).stat().st_mtime_ns
    again, _, _, _ = planned(path)
    missing = [f"{j.place}/{j.first:09d}-{j.count}-" for jobs in again.tasks for j in jobs]
    assert sorted(missing) == sorted(path[: len(missing[0])] for path in (lost, damaged))
    assert (again.n_trials, again.n_kept) == (20, 120)
    resumed, _ = run_here(path)
    assert resumed == whole
    assert store.local_path(kept).stat().st_mtime_ns == before
    done, _, _, _ = planned(path)
    assert done.tasks == ()
    assert plan_lines(done)[1] == "trials: 0 to run, 140 kept from earlier runs"


def test_more_trials_are_added_to_those_kept(tmp_path: Path) -> None:
    run_here(study_file(tmp_path, SYNTHETIC, batch_size=35))
    more = SYNTHETIC.replace("trials = 70", "trials = 100")
    results, plan = run_here(study_file(tmp_path, more, batch_size=64))
    assert (plan.n_trials, plan.n_kept) == (60, 140)
    assert [part.n_trials for part in results.parts] == [100, 100]
    store = Store(str(tmp_path / "runs"))
    for key in plan.places.values():
        assert sorted(stored_trial_numbers(store, key).tolist()) == list(range(100))
    fewer, plan = run_here(study_file(tmp_path, SYNTHETIC, batch_size=35))
    assert plan.n_trials == 0
    assert [part.n_trials for part in fewer.parts] == [70, 70]


def test_another_seed_or_other_labels_are_another_study(tmp_path: Path) -> None:
    labels_csv(tmp_path)
    run_here(study_file(tmp_path, MODELS))
    assert planned(study_file(tmp_path, MODELS))[0].n_trials == 0
    seeded = MODELS.replace('kind = "', 'seed = 1\nkind = "')
    assert planned(study_file(tmp_path, seeded))[0].n_kept == 0
    labels_csv(tmp_path, seed=4)
    assert planned(study_file(tmp_path, MODELS))[0].n_kept == 0


def test_a_million_trials_can_be_planned(tmp_path: Path) -> None:
    path = study_file(tmp_path, SYNTHETIC.replace("trials = 70", "trials = 1_000_000"))
    plan = dry_run(str(path))
    assert (plan.n_trials, plan.n_kept) == (2_000_000, 0)
    assert sum(job.count for jobs in plan.tasks for job in jobs) == 2_000_000
    seconds = plan.seconds / len(plan.tasks)
    assert 3 < seconds < 16  # a task is seconds of work
    assert plan.bytes == 2_000_000 * 7 * 8  # trial, p2, κ, α and M(2), M(3), M(4)
    assert not (tmp_path / "runs").exists()
    words = "\n".join(plan_lines(plan))
    assert f"tasks: {len(plan.tasks)}" in words
    assert "core-hours: " in words
    assert "bytes: 112000000" in words


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (SUBSETS + "[subsets]\nks = [12]\n", "between 1 and the 9 annotators"),
        (SUBSETS.replace("ordered = true", "values = [0, 1, 2]"), "3 positions for the 5"),
        (
            SUBSETS.replace("[grid]", '[merged.few]\n9 = "x"\n[grid]\nmerged = ["few"]'),
            "'9' is not one of the categories",
        ),
        (
            SYNTHETIC.replace("n_annotators = [5]", "p2 = [[0.1, 0.2]]\ninfluence = [-1]"),
            "influence",
        ),
    ],
)
def test_what_the_data_cannot_take_is_told_before_a_server_starts(
    tmp_path: Path, text: str, sentence: str
) -> None:
    labels_csv(tmp_path)
    with pytest.raises((MetricsError, ConfigError), match=sentence):
        dry_run(str(study_file(tmp_path, text)))
    assert not (tmp_path / "runs").exists()


def test_no_task_carries_the_labels(tmp_path: Path) -> None:
    """Prefect sends the parameters of the flow with each task."""
    labels_csv(tmp_path, n_items=2000)
    path = study_file(tmp_path, MODELS)
    plan, _, _, source = planned(path)
    prepared = PreparedStudy(load_study(path), "", source, plan, {})
    assert len(cloudpickle.dumps(prepared)) < 1000


def test_trials_planned_with_other_plugins_are_refused(tmp_path: Path) -> None:
    plan, store, place, _ = planned(study_file(tmp_path, SYNTHETIC))
    [[job, *_], *_] = plan.tasks
    with pytest.raises(MetricsError, match=r"another state of the plugin mine 1\.0"):
        run_jobs(store.url, place, plan.study.root, [replace(job, plugins={"mine 1.0": "abc"})])
