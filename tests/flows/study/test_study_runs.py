"""Real runs of studies on a server and Dask workers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from accordeur.data.store.manifest import manifest_damage, manifest_paths
from accordeur.data.store.store import Store
from accordeur.reports.study.study_results import StudyResults
from tests.flows.killed import start_and_kill
from tests.flows.studies import GRID, SYNTHETIC, study_file


@pytest.mark.services
def test_a_real_run_gives_the_numbers_of_one_process(
    tmp_path: Path, synthetic: tuple[Path, StudyResults], prefect_server: str
) -> None:
    from accordeur.flows.resampling_study import resampling_study

    path = study_file(tmp_path, SYNTHETIC, batch_size=10)
    outcome = resampling_study(str(path), return_state=True).result()
    assert (outcome["n_run"], outcome["n_kept"]) == (140, 0)
    folder = Path(outcome["report"]).parent
    assert folder.name == "study-0001"
    found = StudyResults.model_validate_json((folder / "results.json").read_text(encoding="utf-8"))
    assert found.parts == synthetic[1].parts
    assert [stage.name for stage in found.run.stages] == ["plan", "trials"]
    store = Store(str(tmp_path / "runs"))
    [manifest] = manifest_paths(store)
    assert manifest_damage(store, manifest) == []
    cut = next(one for one in store.list("studies") if one.endswith(".parquet"))
    content = store.read_bytes(cut)
    store.write_bytes(cut, content[:-1])
    assert f"{cut} is damaged" in manifest_damage(store, manifest)
    store.write_bytes(cut, content)
    again = resampling_study(str(path), return_state=True).result()
    assert (again["n_run"], again["n_kept"]) == (0, 140)
    assert Path(again["report"]).parent.name == "study-0002"
    assert json.loads((folder.parent / "study-0002" / "results.json").read_text())["parts"]


@pytest.mark.services
@pytest.mark.long
def test_a_study_killed_twice_in_the_middle_ends_as_an_unbroken_one(
    tmp_path: Path, prefect_server: str
) -> None:
    """SIGKILL of the run and its workers, twice; then one worker goes on; another store has two."""
    from accordeur.flows.resampling_study import resampling_study

    text = GRID.replace("trials = 6", "trials = 12").replace('["gamma", "u_alpha"]', '["gamma"]')
    killed, unbroken = tmp_path / "killed", tmp_path / "unbroken"
    for folder in (killed, unbroken):
        folder.mkdir()
    path = study_file(killed, text, batch_size=4)
    for n_files in (4, 8):
        start_and_kill("study", str(path), once=lambda n=n_files: len(rows_in(killed)) >= n)
    assert not list((killed / "runs").glob("reports/*/results.json"))
    kept = rows_in(killed)
    assert 2 <= len(kept) < 9 * 3
    resumed = resampling_study(
        str(study_file(killed, text, batch_size=4, workers=1)), return_state=True
    ).result()
    assert resumed["n_kept"] == 4 * len(kept)
    assert resumed["n_run"] + resumed["n_kept"] == 9 * 12
    after = rows_in(killed)
    assert {file: after[file] for file in kept} == kept, "a finished batch was written again"
    whole = resampling_study(
        str(study_file(unbroken, text, batch_size=12, workers=2)), return_state=True
    ).result()
    assert (whole["n_run"], whole["n_kept"]) == (9 * 12, 0)
    assert parts_of(resumed) == parts_of(whole)


def rows_in(folder: Path) -> dict[str, int]:
    """Files of rows, and when each was written."""
    return {
        str(path): path.stat().st_mtime_ns
        for path in (folder / "runs" / "studies").rglob("*.parquet")
        if "inputs" not in path.parts
    }


def parts_of(outcome: dict[str, Any]) -> Any:
    document = Path(outcome["report"]).with_name("results.json")
    return json.loads(document.read_text(encoding="utf-8"))["parts"]
