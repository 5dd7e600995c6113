"""The bundle of a study: what it holds, and what a rerun says of it."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from accordeur.data.errors import DataError
from accordeur.data.store.checksums import write_checksums
from accordeur.data.store.store import Store
from accordeur.flows.cli import app
from accordeur.flows.study.study_bundle import (
    Rerun,
    compare_with_bundle,
    read_study_results,
    write_bundle,
)
from accordeur.flows.study.study_config import load_study
from accordeur.flows.toml_file import ConfigError
from accordeur.reports.bibliography import bibliography
from accordeur.reports.study.study_results import StudyResults
from accordeur.tasks.study.study_report import points_table
from tests.flows.small import labels_csv
from tests.flows.studies import GRID, MODELS, SYNTHETIC, run_here, study_file


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study")
    path = study_file(folder, SYNTHETIC)
    run_here(path, folder="out")
    figures = write_bundle(folder / "bundle", path, Store(load_study(path).store.url), "out")
    assert "own-modification_rate-krippendorff_alpha" in figures
    return folder / "bundle"


@pytest.mark.long
def test_the_bundle_holds_what_a_paper_cites(bundle: Path) -> None:
    results = read_study_results(bundle)
    n_points = sum(len(curve.points) for part in results.parts for curve in part.curves)
    with (bundle / "points.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    table = pq.read_table(bundle / "points.parquet")
    assert len(rows) == table.num_rows == n_points
    assert [float(row["y"]) for row in rows] == table["y"].to_pylist()
    with (bundle / "columns.csv").open(encoding="utf-8") as file:
        described = {row["column"]: row["description"] for row in csv.DictReader(file)}
    assert list(described) == table.column_names
    assert {field.name: field.metadata[b"description"].decode() for field in table.schema} == (
        described
    )
    readme = (bundle / "README.md").read_text(encoding="utf-8")
    listed = {line.split("`")[1] for line in readme.splitlines() if line.startswith("| `")}
    assert listed == {one.name for one in bundle.iterdir()} - {"README.md"}
    assert "accordeur study --rerun ." in readme
    assert "Krippendorff" in (bundle / "references.bib").read_text(encoding="utf-8")
    for form, start in (("svg", b"<?xml"), ("pdf", b"%PDF")):
        drawn = sorted((bundle / "figures").glob(f"*.{form}"))
        assert len(drawn) == 3
        assert all(path.read_bytes().startswith(start) for path in drawn)


def test_a_point_of_several_trials_has_the_interval_of_its_mean(bundle: Path) -> None:
    points = [p for part in read_study_results(bundle).parts for c in part.curves for p in c.points]
    for point in points:
        assert (point.mean_low <= point.y <= point.mean_high) == (point.n > 1)


def test_equal_results_are_reproduced_byte_for_byte(bundle: Path, tmp_path: Path) -> None:
    again, _ = run_here(study_file(tmp_path, SYNTHETIC, batch_size=7))
    found = compare_with_bundle(bundle, again, points_table(again))
    assert (found.holds, found.is_same, found.differences) == (True, True, [])
    assert found.n_points == len((bundle / "points.csv").read_text().splitlines()) - 1


def test_the_last_digit_is_no_difference_and_the_next_one_is(bundle: Path) -> None:
    def changed(by: float) -> Rerun:
        results = read_study_results(bundle).model_dump()
        results["parts"][0]["curves"][0]["points"][1]["y"] += by
        other = StudyResults.model_validate(results)
        return compare_with_bundle(bundle, other, points_table(other))

    nearly, other = changed(1e-14), changed(1e-9)
    assert (nearly.holds, nearly.is_same) == (True, False)
    assert "own, krippendorff_alpha at 3: y was 0." in nearly.first
    assert not other.holds
    [line] = other.differences
    assert "own, krippendorff_alpha at 3: y was 0." in line


def test_what_differs_is_named(bundle: Path, tmp_path: Path) -> None:
    copy = tmp_path / "bundle"
    shutil.copytree(bundle, copy)
    results = read_study_results(copy)
    run = results.run
    elsewhere = results.model_copy(
        update={"run": run.model_copy(update={"versions": run.versions | {"numpy": "1.0"}})}
    )
    points = points_table(results)
    assert compare_with_bundle(copy, elsewhere, points).versions == {
        "numpy": (run.versions["numpy"], "1.0")
    }
    other_data = results.model_copy(update={"run": run.model_copy(update={"input_hash": "0"})})
    assert "the data are not those" in compare_with_bundle(copy, other_data, points).differences[0]
    (copy / "study.toml").write_text("changed", encoding="utf-8")
    assert compare_with_bundle(copy, results, points).changed == ["study.toml was changed"]


def test_a_folder_that_is_no_bundle_or_not_new_is_refused(bundle: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds no results of a study"):
        read_study_results(tmp_path)
    with pytest.raises(DataError, match="is not an empty folder: name another with --to"):
        write_bundle(bundle, bundle / "study.toml", Store(str(tmp_path)), "out")


def test_data_of_ones_own_take_the_place_of_those_of_the_file(tmp_path: Path) -> None:
    labels_csv(tmp_path, n=5, n_items=40)
    path = study_file(tmp_path, MODELS)
    other = tmp_path / "elsewhere.csv"
    assert load_study(path, data=[other]).data.labels == str(other)
    with pytest.raises(ConfigError, match="reads one file, 2 were given"):
        load_study(path, data=[other, other])
    with pytest.raises(ConfigError, match="reads no data"):
        load_study(study_file(tmp_path, GRID), data=[other])


@pytest.mark.parametrize(("text", "keys"), [
    (SYNTHETIC, ["bregeon2018", "krippendorff2004", "davies1982", "conger1980"]),
    (MODELS, ["bregeon2018", "dawid1979"]),
    (GRID, ["mathet2011", "mathet2015"]),
])  # fmt: skip
def test_the_measures_and_models_are_cited(text: str, keys: list[str], tmp_path: Path) -> None:
    labels_csv(tmp_path, n=5, n_items=40)
    results, _ = run_here(study_file(tmp_path, text.replace("trials = 70", "trials = 8")))
    assert set(keys) <= {*results.sources} <= bibliography().keys()


@pytest.mark.long
@pytest.mark.services
def test_the_command_writes_a_bundle_and_a_stranger_reruns_it(
    tmp_path: Path, prefect_server: str
) -> None:
    path = study_file(tmp_path, SYNTHETIC.replace("trials = 70", "trials = 8"))
    runner = CliRunner()
    written = runner.invoke(app, ["study", str(path), "--to", str(tmp_path / "bundle")])
    assert written.exit_code == 0, written.output
    shutil.move(tmp_path / "bundle", tmp_path / "received")
    again = runner.invoke(app, ["study", "--rerun", str(tmp_path / "received")])
    assert again.exit_code == 0, again.output
    assert "equal byte for byte" in again.output
    results = tmp_path / "received" / "results.json"
    _change(results, lambda one: one["run"]["versions"].update(numpy="1.26"))
    points = tmp_path / "received" / "points.csv"
    points.write_text(points.read_text(encoding="utf-8").replace(",0.1", ",0.2"), encoding="utf-8")
    write_checksums(Store(str(tmp_path / "received")), "")
    other = runner.invoke(app, ["study", "--rerun", str(tmp_path / "received")])
    assert other.exit_code == 1
    assert "differs: " in other.output
    assert "version: numpy was 1.26" in other.output


def _change(path: Path, change: Any) -> None:
    content = json.loads(path.read_text(encoding="utf-8"))
    change(content)
    path.write_text(json.dumps(content), encoding="utf-8")
