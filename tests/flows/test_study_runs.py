"""Real runs of studies on a server and Dask workers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reports.study.results import StudyResults
from tests.flows.studies import (
    SYNTHETIC,
    study_file,
)


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
