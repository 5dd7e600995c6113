"""Studies: the same numbers however they are cut, resumed, planned; what the page says."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from data.store import Store
from flows.config import ConfigError
from flows.resampling_study import dry_run
from flows.study_config import load_study
from flows.study_plan import StudyPlan, describe, plan_study, read_inputs_of
from metrics.agreement.label_matrix import LabelMatrix
from metrics.errors import MetricsError
from metrics.resampling.subsets import modification_rate
from reports.study.render import render_study, study_messages
from reports.study.results import StudyResults
from tasks.readings import label_readings
from tasks.study import kept_trials, run_jobs
from tasks.study_cells import write_inputs
from tasks.study_report import StudyReportSpec, assemble_study
from tests.reports.html_check import checked

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


def labels_csv(folder: Path, *, n: int = 9, n_items: int = 40, seed: int = 3) -> np.ndarray:
    """Five ordered classes, each annotator noisy around an item's place on the scale."""
    rng = np.random.default_rng(seed)
    latent = rng.uniform(0.5, 3.5, n_items)
    codes = np.clip(np.rint(latent[:, None] + rng.normal(0, 0.7, (n_items, n))), 0, 4).astype(int)
    rows = [f"{i},a{a:02d},{codes[i, a]}" for i in range(n_items) for a in range(n)]
    text = "item,annotator,label\n" + "\n".join(rows) + "\n"
    (folder / "labels.csv").write_text(text, encoding="utf-8")
    return codes


def study_file(folder: Path, text: str, *, batch_size: int | None = None) -> Path:
    path = folder / "study.toml"
    engine = "" if batch_size is None else f"[engine]\nbatch_size = {batch_size}\n"
    path.write_text(text + engine, encoding="utf-8")
    return path


def planned(path: Path) -> tuple[StudyPlan, Store, str, dict[str, float]]:
    config = load_study(path)
    inputs, observed = read_inputs_of(config)
    store = Store(config.store.url)
    place = write_inputs(store, inputs)
    return plan_study(config, inputs, store, fresh=False), store, place, observed


def run_here(path: Path, *, folder: str = "out") -> tuple[StudyResults, StudyPlan]:
    """The stages of the flow in this process."""
    plan, store, place, observed = planned(path)
    for jobs in plan.tasks:
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
        observed=observed,
    )
    assemble_study(store.url, place, plan.specs, plan.keys, spec, "", [], folder)
    return StudyResults.model_validate(store.read_json(f"{folder}/results.json")), plan


def curve(results: StudyResults, part: int, name: str, **wanted: Any) -> list[Any]:
    [found] = [
        one
        for one in results.parts[part].curves
        if one.name == name and all(getattr(one, key) == value for key, value in wanted.items())
    ]
    return found.points


@pytest.fixture(scope="module")
def synthetic(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, StudyResults]:
    path = study_file(tmp_path_factory.mktemp("synthetic"), SYNTHETIC, batch_size=70)
    return path, run_here(path)[0]


@pytest.mark.parametrize("batch_size", [35, 10])
def test_two_or_seven_batches_give_the_numbers_of_one(
    tmp_path: Path, synthetic: tuple[Path, StudyResults], batch_size: int
) -> None:
    results, plan = run_here(study_file(tmp_path, SYNTHETIC, batch_size=batch_size))
    assert sum(len(jobs) for jobs in plan.tasks) == 2 * 70 // batch_size
    assert results == synthetic[1]


def test_subsets_in_pieces_give_the_same_sums(tmp_path: Path) -> None:
    labels_csv(tmp_path)
    text = SUBSETS + "[subsets]\nenumerate_up_to = 50\nsamples = 3000\n"
    whole, plan = run_here(study_file(tmp_path, text, batch_size=1000))
    assert sum(len(jobs) for jobs in plan.tasks) == 2
    Store(str(tmp_path / "runs")).delete_folder("studies")
    pieces, plan = run_here(study_file(tmp_path, text, batch_size=3))
    assert sum(len(jobs) for jobs in plan.tasks) > 7
    assert pieces == whole


def test_a_run_that_was_cut_computes_only_what_is_missing(tmp_path: Path) -> None:
    path = study_file(tmp_path, SYNTHETIC, batch_size=10)
    whole, _ = run_here(path)
    store = Store(str(tmp_path / "runs"))
    files = [file for file in store.list("studies") if "/inputs/" not in file]
    assert len(files) == 14
    lost, damaged, kept = files[2], files[9], files[5]
    store.local_path(lost).unlink()
    store.local_path(damaged).write_bytes(store.read_bytes(damaged)[:100])
    before = store.local_path(kept).stat().st_mtime_ns
    again, _, _, _ = planned(path)
    assert sorted(job.path for jobs in again.tasks for job in jobs) == sorted([lost, damaged])
    assert (again.n_trials, again.n_kept) == (20, 120)
    resumed, _ = run_here(path)
    assert resumed == whole
    assert store.local_path(kept).stat().st_mtime_ns == before
    done, _, _, _ = planned(path)
    assert done.tasks == ()
    assert describe(done)[1] == "trials: 0 to run, 140 kept from earlier runs"


def test_more_trials_are_added_to_those_kept(tmp_path: Path) -> None:
    run_here(study_file(tmp_path, SYNTHETIC, batch_size=35))
    more = SYNTHETIC.replace("trials = 70", "trials = 100")
    results, plan = run_here(study_file(tmp_path, more, batch_size=64))
    assert (plan.n_trials, plan.n_kept) == (60, 140)
    assert [part.n_trials for part in results.parts] == [100, 100]
    store = Store(str(tmp_path / "runs"))
    for key in plan.keys.values():
        assert sorted(kept_trials(store, key).tolist()) == list(range(100))
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
    words = "\n".join(describe(plan))
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
            "'9' is not in the tagset",
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


def _plateaus(points: list[Any]) -> list[float]:
    """Step from 2j - 1 to 2j annotators over the mean of the steps around it, j = 2..5."""
    step = [a.y - b.y for a, b in pairwise(points)]
    return [step[2 * j] / ((step[2 * j - 1] + step[2 * j + 1]) / 2) for j in range(1, 5)]


def test_plateaus_by_pairs_under_nearest_mean_and_none_under_random(tmp_path: Path) -> None:
    """Brégeon 2018, 3.2.3: 25 annotators, 5 ordered classes."""
    codes = labels_csv(tmp_path, n=25, n_items=300)
    text = SUBSETS + "[subsets]\nenumerate_up_to = 3000\nsamples = 400\n"
    results, _ = run_here(study_file(tmp_path, text))
    assert [part.settings["ties"] for part in results.parts] == ["nearest_mean", "random"]
    near, lot = curve(results, 0, "exact"), curve(results, 1, "exact")
    assert max(_plateaus(near)) < 0.5
    assert min(_plateaus(lot)) > 0.7
    # and the study's exact curve is that of the metric, its subsets' mean where all are listed
    matrix = LabelMatrix(
        codes.astype(np.int32), tuple("01234"), tuple(f"a{a:02d}" for a in range(25))
    )
    exact = modification_rate(matrix, ties="random", bootstrap=0)
    assert [p.y for p in lot] == pytest.approx(exact.rate.tolist(), abs=1e-12)
    subsets = curve(results, 1, "subsets")
    assert [p.n for p in subsets[:4]] == [25, 300, 2300, 400]
    assert [p.y for p in subsets[:3]] == pytest.approx([p.y for p in lot[:3]], abs=1e-9)
    worst = results.parts[1].worst
    assert all(len(one.annotators) == one.k for one in worst)
    assert all(one.rate >= point.high - 1e-4 for one, point in zip(worst, subsets, strict=True))


def test_bluebirds_rate_falls_with_the_coefficient_of_the_very_subset(
    tmp_path: Path, shared_data: Path
) -> None:
    """39 annotators: sampled. Binary labels: M(2j - 1) = M(2j) under random, exactly."""
    table = shared_data / "bluebirds" / "bluebirds_long.csv"
    text = SUBSETS.replace('"labels.csv"', f'"{table}"').replace('"nearest_mean", ', "")
    text += "[subsets]\nks = [3, 4, 5, 6, 11]\nenumerate_up_to = 10_000\nsamples = 2000\n"
    results, _ = run_here(study_file(tmp_path, text))
    exact = curve(results, 0, "exact")
    assert exact[0].y == pytest.approx(exact[1].y, abs=1e-9)
    assert exact[2].y == pytest.approx(exact[3].y, abs=1e-9)
    bins = [p for p in curve(results, 0, "by_coefficient", k=5) if p.n >= 50]
    assert len(bins) >= 5
    assert bins[-1].y < bins[0].y / 1.5


def test_rate_by_coefficient_with_sd_and_trials(synthetic: tuple[Path, StudyResults]) -> None:
    _, results = synthetic
    for k in (2, 3, 4):
        for measure in ("krippendorff_alpha", "conger_kappa"):
            bins = curve(results, 0, "by_coefficient", k=k, x_name=measure)
            assert sum(p.n for p in bins) == 70
            assert all(math.isnan(p.sd) == (p.n == 1) for p in bins)
            assert all((p.x / 0.05 - 0.5) == pytest.approx(round(p.x / 0.05 - 0.5)) for p in bins)
            assert bins[-1].y < 0.05 < bins[0].y
    own = curve(results, 0, "own")
    inside = curve(results, 0, "by_coefficient", k=3, x_name="krippendorff_alpha")
    [of_bin] = [p for p in inside if p.x == pytest.approx(0.625)]
    assert (own[1].n, own[1].y) == (of_bin.n, pytest.approx(of_bin.y))


def test_the_trials_are_kept_as_one_table(synthetic: tuple[Path, StudyResults]) -> None:
    path, results = synthetic
    trials = pq.read_table(path.parent / "runs" / "out" / "trials.parquet")
    assert trials.num_rows == 140
    assert len(set(trials["cell"].to_pylist())) == 2
    points = pq.read_table(path.parent / "runs" / "out" / "points.parquet")
    assert points.num_rows == sum(len(c.points) for p in results.parts for c in p.curves)


def test_reference_models_stop_moving(tmp_path: Path) -> None:
    labels_csv(tmp_path)
    results, _ = run_here(study_file(tmp_path, MODELS))
    assert [part.label for part in results.parts] == ["majority", "dawid skene"]
    for part in range(2):
        change = curve(results, part, "model")
        assert [p.x for p in change] == list(range(1, 9))
        assert change[0].y > change[-1].y
        assert all(0 <= p.y <= 1 for p in curve(results, part, "coverage"))


def test_a_reading_grid_is_read_both_ways(tmp_path: Path) -> None:
    results, _ = run_here(study_file(tmp_path, GRID))
    assert [part.label for part in results.parts][:3] == [
        "gamma, omission",
        "gamma, category",
        "gamma, false positives",
    ]
    omission = curve(results, 0, "grid")
    assert [p.x for p in omission] == [0, 0.4, 0.8]
    assert omission[0].y == pytest.approx(1)
    assert omission[0].y > omission[1].y > omission[2].y
    assert all(p.low <= p.mean_low <= p.y <= p.mean_high <= p.high for p in omission[1:])
    [reading] = results.parts[0].readings
    assert 0 < reading.low <= reading.magnitude <= reading.high < 0.8
    # added units overlap others of the same annotator: uα has no value there, and it is counted
    overlapped = results.parts[5]
    assert overlapped.n_undefined > 0
    assert overlapped.n_undefined == sum(6 - p.n for p in overlapped.curves[0].points)


def test_units_of_ones_own_make_the_grid(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    starts = np.arange(12) * 40
    rows = [
        f"{who},{'XY'[i % 2]},{start + rng.integers(0, 4)},{start + 20 + rng.integers(0, 4)}"
        for who in "ab"
        for i, start in enumerate(starts)
    ]
    (tmp_path / "units.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    text = GRID.split("[units]")[0] + '[data]\nunits = ["units.csv"]\nformat = "pygamma_csv"\n'
    text += '[grid]\ndegradation = ["omission"]\nmagnitude = [0, 0.5]\n'
    results, _ = run_here(study_file(tmp_path, text))
    assert 0.8 < results.observed["gamma"] < 1
    [reading] = results.parts[0].readings
    assert 0 <= reading.magnitude < 0.3


def test_readings_of_a_campaign(tmp_path: Path) -> None:
    codes = labels_csv(tmp_path, n=5, n_items=80)
    matrix = LabelMatrix(codes.astype(np.int32), tuple("01234"), tuple("abcde"))
    found = label_readings(matrix, layer="emotion")
    [reading], [table] = found.readings, found.tables
    assert reading.value == table.value
    assert [p.k for p in table.points] == list(range(2, 25))
    rate = next(p.modification_rate for p in table.points if p.k == 5)
    assert f"about {rate:.1%} of the reference would change" in reading.sentences[0].text
    assert (
        f"with 5 annotators like these (nominal α {table.value:.3f})" in reading.sentences[0].text
    )
    below = [p.k for p in table.points if p.modification_rate >= 0.05]
    assert f"changes from {max(below) + 1} annotators on" in reading.sentences[1].text
    assert label_readings(matrix, layer="emotion") == found


@pytest.mark.parametrize(
    ("codes", "sentence"),
    [([[0, 0], [0, 0]], "single category used"), ([[0, 0], [1, 1]], "cannot be reached")],
)
def test_readings_say_why_there_is_no_table(codes: list[list[int]], sentence: str) -> None:
    matrix = LabelMatrix(np.array(codes, dtype=np.int32), ("x", "y"), ("a", "b"))
    found = label_readings(matrix, layer="l")
    assert found.tables == []
    assert sentence in found.readings[0].sentences[0].text
    alone = LabelMatrix(np.zeros((3, 1), np.int32), ("x", "y"), ("a",))
    assert label_readings(alone, layer="l").readings == []


def test_the_page_is_whole_in_both_languages(synthetic: tuple[Path, StudyResults]) -> None:
    _, results = synthetic
    assert study_messages("en").keys() == study_messages("fr").keys()
    for language, word in (("en", "Resampling study"), ("fr", "Étude de rééchantillonnage")):
        html = render_study(results, language=language)
        assert html == render_study(results, language=language)
        check = checked(html)
        assert check.faults == []
        assert max(check.identifiers.values()) == 1
        assert set(check.references) <= set(check.identifiers)
        assert word in html
    assert "Where α is 0.620, as yours" in render_study(results)


@pytest.mark.services
def test_a_real_run_gives_the_numbers_of_one_process(
    tmp_path: Path, synthetic: tuple[Path, StudyResults], prefect_server: str
) -> None:
    from flows.resampling_study import resampling_study

    path = study_file(tmp_path, SYNTHETIC, batch_size=10)
    outcome = resampling_study(str(path), return_state=True).result()
    assert (outcome["n_run"], outcome["n_kept"]) == (140, 0)
    folder = Path(outcome["report"]).parent
    assert folder.name == "study-0001"
    found = StudyResults.model_validate_json((folder / "results.json").read_text(encoding="utf-8"))
    assert found.parts == synthetic[1].parts
    assert [stage.name for stage in found.run.stages] == ["plan", "trials"]
    again = resampling_study(str(path), return_state=True).result()
    assert (again["n_run"], again["n_kept"]) == (0, 140)
    assert Path(again["report"]).parent.name == "study-0002"
    assert json.loads((folder.parent / "study-0002" / "results.json").read_text())["parts"]


@pytest.mark.browser
def test_the_page_in_chromium(
    tmp_path: Path, synthetic: tuple[Path, StudyResults], chromium: str
) -> None:
    from playwright.sync_api import sync_playwright

    from tests.reports.test_page_in_browser import ARGUMENTS, AXE, RUN_AXE

    grid, _ = run_here(study_file(tmp_path, GRID))
    pages = {"synthetic": synthetic[1], "grid": grid}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        for name, results in pages.items():
            address = tmp_path / f"{name}.html"
            address.write_text(render_study(results), encoding="utf-8")
            page = browser.new_page(viewport={"width": 1200, "height": 900})
            faults: list[str] = []
            asked: list[str] = []
            page.on("console", lambda message, kept=faults: kept.append(message.text))
            page.on("request", lambda request, kept=asked: kept.append(request.url))
            page.goto(address.as_uri())
            page.evaluate(
                "document.querySelectorAll('details').forEach((one) => { one.open = true })"
            )
            page.evaluate(AXE)
            assert page.evaluate(RUN_AXE, {"resultTypes": ["violations"]}) == []
            assert faults == []
            assert [url for url in asked if not url.startswith("data:")] == [address.as_uri()]
            assert page.locator("svg.chart").count() >= 6
            page.set_viewport_size({"width": 320, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= 320
        browser.close()
