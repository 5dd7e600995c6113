"""What users of Prefect find in its interface: names, tags, descriptions, artifacts, a graph."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from prefect import get_client
from prefect.client.orchestration import SyncPrefectClient
from prefect.client.schemas.filters import (
    ArtifactFilter,
    ArtifactFilterFlowRunId,
    FlowRunFilter,
    FlowRunFilterParentFlowRunId,
    LogFilter,
    LogFilterFlowRunId,
    TaskRunFilter,
    TaskRunFilterFlowRunId,
)
from prefect.client.schemas.objects import Artifact, FlowRun, TaskRun
from prefect.logging.handlers import APILogWorker
from prefect.settings import PREFECT_API_URL, temporary_settings

from tests.flows.small import write_small

pytestmark = pytest.mark.services
GATES = """
[[gates]]
measure = "krippendorff_alpha"
layer = "labels"
at_least = 0.01
[[gates]]
measure = "gamma"
at_most = 0.1
"""


@dataclass(frozen=True)
class Seen:
    """A run of the campaign as the server has it: the flow, its stages, what hangs on them."""

    run: FlowRun
    stages: FlowRun
    tasks: list[TaskRun]
    artifacts: dict[str, Artifact]
    log: list[str]
    log_of_tasks: list[str]
    log_of_run: list[str]
    report: Path


def seen_by_the_server(campaign: Path, url: str) -> Seen:
    from accordeur.flows.campaign_quality import campaign_quality

    state = campaign_quality(str(campaign), return_state=True)
    outcome: Any = state.result(raise_on_failure=False)
    APILogWorker.drain_all(timeout=10)
    with temporary_settings({PREFECT_API_URL: url}), get_client(sync_client=True) as client:
        run = client.read_flow_run(state.state_details.flow_run_id)
        below = FlowRunFilter(parent_flow_run_id=FlowRunFilterParentFlowRunId(any_=[run.id]))
        [stages] = client.read_flow_runs(flow_run_filter=below)
        tasks = recorded_tasks(client, stages.id)
        found = client.read_artifacts(
            artifact_filter=ArtifactFilter(flow_run_id=ArtifactFilterFlowRunId(any_=[run.id]))
        )
        below_and_run = LogFilterFlowRunId(any_=[stages.id, run.id])
        logs = client.read_logs(LogFilter(flow_run_id=below_and_run), limit=200)
    artifacts = {str(one.key): one for one in found}
    of_stages = [one for one in logs if one.flow_run_id == stages.id]
    said = [one.message for one in of_stages if one.task_run_id is None]
    of_tasks = [one.message for one in of_stages if one.task_run_id is not None]
    of_run = [one.message for one in logs if one.flow_run_id == run.id]
    return Seen(run, stages, tasks, artifacts, said, of_tasks, of_run, Path(outcome["report"]))


def recorded_tasks(client: SyncPrefectClient, stages: UUID) -> list[TaskRun]:
    """Read the task runs when the server has recorded the last one: it learns of them by events."""
    of_stages = TaskRunFilter(flow_run_id=TaskRunFilterFlowRunId(any_=[stages]))
    for _ in range(600):
        tasks = client.read_task_runs(task_run_filter=of_stages)
        have_ended = all(one.state is not None and one.state.is_final() for one in tasks)
        if have_ended and any("report" in one.name for one in tasks):
            return tasks
        time.sleep(0.1)
    raise AssertionError([one.name for one in tasks])


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory, prefect_server: str) -> Seen:
    campaign = write_small(tmp_path_factory.mktemp("seen"))
    campaign.write_text(campaign.read_text(encoding="utf-8") + GATES, encoding="utf-8")
    return seen_by_the_server(campaign, prefect_server)


def test_a_run_is_named_after_its_campaign_and_when_it_was_due(seen: Seen) -> None:
    assert re.fullmatch(r"Small, \d{4}-\d\d-\d\d \d\d:\d\d UTC", seen.run.name)
    assert seen.stages.name == "Small"


def test_a_run_is_tagged_with_its_campaign_and_layers(seen: Seen) -> None:
    tags = ["campaign: Small", "layer: labels", "layer: units"]
    assert sorted(seen.run.tags) == sorted(seen.stages.tags) == tags


def test_the_verdict_is_an_artifact_that_names_the_report(seen: Seen) -> None:
    assert set(seen.artifacts) == {"small-verdict"}
    verdict = seen.artifacts["small-verdict"]
    assert verdict.type == "markdown"
    summary = seen.report.with_name("summary.md").read_text(encoding="utf-8")
    assert str(verdict.data) == f"{summary}\nReport of Small: `{seen.report}`\n"


def test_the_verdict_has_value_interval_threshold_and_state_of_each_gate(seen: Seen) -> None:
    lines = str(seen.artifacts["small-verdict"].data).splitlines()
    assert "✕ **Quality gates: 1 passed, 1 failed.**" in lines
    start = lines.index(
        "| quality gate | value | 95 % CI | threshold | distance | change | state |"
    )
    alpha, gamma = lines[start + 2 : start + 4]
    number, interval = r"0\.\d{3}", r"\[-?0\.\d{3}, [01]\.\d{3}\]"
    passed = (
        rf"\| α \(labels\) \| {number} \| {interval} \| `>= 0.01` \| \+0\.\d+ \|  \| ✓ passed \|"
    )
    failed = rf"\| γ \(units\) \| {number} \| {interval} \| `<= 0.1` \| −0\.\d+ \|  \| ✕ failed \|"
    assert re.fullmatch(passed, alpha), alpha
    assert re.fullmatch(failed, gamma), gamma


def test_each_stage_is_one_sentence_of_the_log(seen: Seen) -> None:
    assert "rows: 104 in = 104 accepted + 0 rejected" in seen.log
    for stage in ("ingest", "validate", "count labels", "align units", "report"):
        assert [one for one in seen.log if re.match(rf"{stage}: \d+ tasks? in \d+ s", one)], stage


def test_tasks_log_their_rows_and_documents(seen: Seen) -> None:
    assert "4 documents, 8 assignments, 40 units" in seen.log_of_tasks
    assert "4 documents: 104 rows in = 104 accepted + 0 rejected; 1 shard" in seen.log_of_tasks
    assert any(re.fullmatch(r"\d+ chance samples", one) for one in seen.log_of_tasks)


def test_a_run_without_notifications_has_no_hooks(seen: Seen) -> None:
    assert seen.log_of_run
    assert not [one for one in seen.log_of_run if "hook" in one]


def test_a_missing_file_is_refused_before_the_run(prefect_server: str, tmp_path: Path) -> None:
    from accordeur.flows.campaign_quality import campaign_quality

    state = campaign_quality(str(tmp_path / "missing.toml"), return_state=True)
    assert state.is_failed()
    assert "missing.toml: no such file" in str(state.message)


def stages_before(seen: Seen) -> dict[str, set[str]]:
    """Stage → the stages of the tasks that its tasks come after, in the graph of the run."""
    stage_of = {one.id: one.name.split(",")[0] for one in seen.tasks}
    before: dict[str, set[str]] = {stage: set() for stage in stage_of.values()}
    for one in seen.tasks:
        for edges in one.task_inputs.values():
            before[stage_of[one.id]] |= {stage_of[edge.id] for edge in edges}
    return before


def test_the_graph_of_a_run_goes_from_its_exports_to_its_report(seen: Seen) -> None:
    before = stages_before(seen)
    assert before["ingest"] == set()
    assert before["validate"] == {"ingest"}
    assert before["count labels"] == before["align units"] == {"validate"}
    assert before["agreement"] == {"count labels"}
    [report] = [stage for stage in before if "report" in stage]
    assert "agreement" in before[report]
    assert all(found for stage, found in before.items() if stage != "ingest"), before


@pytest.mark.long
def test_the_graph_has_its_edges_on_dask_too(
    seen: Seen, tmp_path: Path, prefect_server: str
) -> None:
    campaign = write_small(tmp_path, "workers = 1\nin_process_mb = 0")
    campaign.write_text(campaign.read_text(encoding="utf-8") + GATES, encoding="utf-8")
    on_dask = seen_by_the_server(campaign, prefect_server)
    before, in_process = stages_before(on_dask), stages_before(seen)
    assert before.keys() == in_process.keys()
    for stage, found in before.items():  # Prefect adds edges where a result is passed on as it is
        assert found <= in_process[stage], stage
        assert found or stage == "ingest", stage


def test_a_report_that_stands_is_shown_by_the_run_that_found_nothing_new(
    run_campaign: Callable[..., Any], tmp_path: Path, prefect_server: str
) -> None:
    campaign = write_small(tmp_path)
    run_campaign(campaign)
    from accordeur.flows.campaign_quality import campaign_quality

    state = campaign_quality(str(campaign), return_state=True)
    with temporary_settings({PREFECT_API_URL: prefect_server}), get_client(sync_client=True) as api:
        run = api.read_flow_run(state.state_details.flow_run_id)
        of_run = ArtifactFilter(flow_run_id=ArtifactFilterFlowRunId(any_=[run.id]))
        found = api.read_artifacts(artifact_filter=of_run)
    assert {one.key for one in found} == {"small-verdict"}
    assert str(state.message).startswith("nothing changed since run 1: its report is up to date; ")
    assert set(run.tags) == {"campaign: Small", "layer: labels", "layer: units"}


@pytest.mark.parametrize(
    "name", ["campaign_quality", "release_audit", "resampling_study", "simulation", "watch_exports"]
)
def test_every_parameter_of_a_flow_is_described(name: str) -> None:
    from accordeur.flows import (
        campaign_quality,
        release_audit,
        resampling_study,
        simulations,
        watch,
    )

    modules = (campaign_quality, release_audit, resampling_study, simulations, watch)
    [flow] = [getattr(one, name) for one in modules if hasattr(one, name)]
    properties = flow.parameters.properties
    assert properties
    assert [key for key, one in properties.items() if not one.get("description")] == []
