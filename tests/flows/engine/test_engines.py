"""The same campaign on every engine: a scheduler's address, a batch system, adaptive workers."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from prefect.settings import PREFECT_API_URL, temporary_settings
from tornado.ioloop import IOLoop

from accordeur.flows.engine.startup import CHECKS, FLOW
from accordeur.flows.errors import UserError
from accordeur.flows.shared_sections import Engine
from accordeur.flows.toml_file import ConfigError
from tests.flows.runs import campaign_run
from tests.flows.small import write_quick_demo

pytestmark = pytest.mark.services
ROOT = Path(__file__).resolve().parents[3]
Run = Callable[..., tuple[dict[str, Any], Any]]
LOCAL_SCHEDULER = '{ host = "127.0.0.1", dashboard_address = "127.0.0.1:0" }'


def with_engine(folder: Path, engine: str) -> Path:
    """The demonstration campaign on another engine."""
    campaign = write_quick_demo(folder)
    text = campaign.read_text(encoding="utf-8")
    head, _, tail = text.partition("[engine]\nworkers = 2\n")
    assert tail, "the demonstration campaign has another [engine] now"
    rest = tail.removeprefix("documents_per_batch = 4\n")
    campaign.write_text(
        f"{head}[engine]\ndocuments_per_batch = 4\nin_process_mb = 0\n{engine}\n{rest}", "utf-8"
    )
    return campaign


def comparable(outcome: dict[str, Any]) -> dict[str, Any]:
    """The results but the clock, the timings and what the campaign file's hash says of it."""
    results = json.loads(Path(outcome["report"]).with_name("results.json").read_text("utf-8"))
    for name in ("started", "stages", "config_hash"):
        results["run"].pop(name)
    return results


@pytest.fixture(scope="module")
def in_process(tmp_path_factory: pytest.TempPathFactory, prefect_server: str) -> Any:
    campaign = write_quick_demo(tmp_path_factory.mktemp("local") / "demo")
    return comparable(campaign_run(campaign)[0])


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[str]:
    """A scheduler and two workers, each a process in a folder of its own."""
    file = tmp_path / "scheduler.json"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for name in ("PREFECT_API_URL", "PREFECT_API_DATABASE_CONNECTION_URL", "PREFECT_HOME"):
        environment.pop(name, None)
    common = ["--scheduler-file", str(file), "--host", "127.0.0.1", "--no-dashboard"]
    commands = [
        ["distributed.cli.dask_scheduler", *common, "--port", "0"],
        *[["distributed.cli.dask_worker", *common, "--nthreads", "1", "--no-nanny"]] * 2,
    ]
    processes = []
    try:
        for k, command in enumerate(commands):
            folder = tmp_path / f"elsewhere-{k}"
            folder.mkdir()
            log = (folder / "log.txt").open("wb")
            processes.append(
                subprocess.Popen(
                    [sys.executable, "-m", *command],
                    cwd=folder,
                    env={**environment, "PREFECT_HOME": str(folder)},
                    stdout=log,
                    stderr=log,
                )
            )
        deadline = time.monotonic() + 120
        while not file.is_file():
            assert time.monotonic() < deadline, "no scheduler came up"
            time.sleep(0.1)
        yield json.loads(file.read_text(encoding="utf-8"))["address"]
    finally:
        for process in reversed(processes):
            process.terminate()
        for process in processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:  # a worker that waits for the scheduler to come back
                process.kill()
                process.wait()


@pytest.mark.long
@pytest.mark.parametrize("engine", ["workers = 2", "workers = 2\nadaptive = true"])
def test_workers_of_this_machine_give_the_results_of_the_runs_own_process(
    tmp_path: Path, run_campaign: Run, in_process: dict[str, Any], engine: str
) -> None:
    outcome, _ = run_campaign(with_engine(tmp_path / "demo", engine))
    assert comparable(outcome) == in_process


@pytest.mark.long
def test_workers_elsewhere_that_share_only_the_store_give_the_same_results(
    tmp_path: Path, scheduler: str, run_campaign: Run, in_process: dict[str, Any]
) -> None:
    outcome, _ = run_campaign(with_engine(tmp_path / "demo", f'dask = "{scheduler}"'))
    assert comparable(outcome) == in_process


@pytest.mark.long
def test_a_batch_system_gives_the_same_results(
    tmp_path: Path,
    run_campaign: Run,
    monkeypatch: pytest.MonkeyPatch,
    in_process: dict[str, Any],
) -> None:
    """SLURM as dask-jobqueue sees it: `sbatch` here starts the job's own script at once."""
    commands = tmp_path / "bin"
    commands.mkdir()
    jobs = tmp_path / "jobs"
    jobs.mkdir()
    (commands / "sbatch").write_text(
        f'#!/bin/bash\ncp "$1" {jobs}/$$.sh\ncd /\n'
        f"setsid bash {jobs}/$$.sh > {jobs}/$$.log 2>&1 < /dev/null &\n"
        f'echo $! > {jobs}/$$.pid\necho "Submitted batch job $!"\n',
        encoding="utf-8",
    )
    (commands / "scancel").write_text('#!/bin/bash\nkill -TERM -- "-$1"\n', encoding="utf-8")
    for command in commands.iterdir():
        command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{commands}:{os.environ['PATH']}")
    engine = (
        'dask = "dask_jobqueue.SLURMCluster"\nworkers = 2\n[engine.arguments]\n'
        'cores = 1\nprocesses = 1\nmemory = "3 GB"\nwalltime = "00:10:00"\ninterface = "lo"\n'
        f"scheduler_options = {LOCAL_SCHEDULER}\n"
        f'job_script_prologue = ["export PYTHONPATH={ROOT}"]\nlog_directory = "{jobs}"'
    )
    try:
        outcome, _ = run_campaign(with_engine(tmp_path / "demo", engine))
    finally:
        for pid in jobs.glob("*.pid"):
            subprocess.run(["kill", "-TERM", "--", f"-{pid.read_text().strip()}"], check=False)
    assert comparable(outcome) == in_process
    assert len(list(jobs.glob("*.sh"))) == 2  # a job a worker


def test_the_script_of_a_batch_job_says_what_the_campaign_file_says(prefect_server: str) -> None:
    from accordeur.flows.engine.runner import cluster_of

    engine = Engine(
        dask="dask_jobqueue.SLURMCluster",
        workers=40,
        arguments={
            "queue": "long",
            "cores": 4,
            "processes": 4,
            "memory": "16 GB",
            "walltime": "12:00:00",
            "job_script_prologue": ["source /opt/accordeur/bin/activate"],
            "scheduler_options": {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"},
        },
    )
    wanted = cluster_of(engine)
    assert wanted.keywords["n_workers"] == 40
    with wanted(n_workers=0) as cluster:
        script = cluster.job_script()
    assert "#SBATCH -p long" in script
    assert "#SBATCH --cpus-per-task=4" in script
    assert "#SBATCH --mem=15G" in script
    assert "#SBATCH -t 12:00:00" in script
    assert script.index("source /opt/accordeur/bin/activate") < script.index("dask_worker")
    assert "--nthreads 1" in script
    assert "--nworkers 4" in script
    assert " tcp://127.0.0.1:" in script


def test_kubernetes_gets_the_cluster_that_the_campaign_file_describes() -> None:
    operator = pytest.importorskip("dask_kubernetes.operator")
    from accordeur.flows.engine.runner import cluster_of

    engine = Engine(
        dask="dask_kubernetes.operator.KubeCluster",
        workers=12,
        arguments={
            "name": "agreement",
            "image": "accordeur",
            "namespace": "annotation",
            "env": {"PREFECT_API_URL": "http://prefect:4200/api"},
            "resources": {"limits": {"memory": "2Gi", "cpu": "1"}},
        },
    )
    with temporary_settings({PREFECT_API_URL: "http://prefect:4200/api"}):
        wanted = cluster_of(engine)

    async def asked_for() -> Any:
        # On the loop that runs here, a cluster is made only when it is awaited.
        untouched = {"loop": IOLoop.current(), "asynchronous": True, "shutdown_on_close": False}
        return wanted(**untouched)

    cluster = asyncio.run(asked_for())
    assert cluster.namespace == "annotation"
    spec = operator.make_cluster_spec(
        name=cluster.name,
        image=cluster.image,
        n_workers=cluster.n_workers,
        resources=cluster.resources,
        env=cluster.env,
    )
    worker = spec["spec"]["worker"]
    assert (spec["kind"], spec["metadata"]["name"]) == ("DaskCluster", "agreement")
    assert worker["replicas"] == 12
    [container] = worker["spec"]["containers"]
    assert container["image"] == "accordeur"
    assert container["resources"]["limits"] == {"memory": "2Gi", "cpu": "1"}
    assert {"name": "PREFECT_API_URL", "value": "http://prefect:4200/api"} in container["env"]


@pytest.mark.long
def test_adaptive_workers_are_asked_for_by_need() -> None:
    from distributed import Client

    from accordeur.flows.engine.runner import task_runner

    with task_runner(Engine(workers=3, adaptive=True)) as runner, Client(runner.address) as client:
        assert client.submit(int, "1").result(timeout=60) == 1
        assert len(client.scheduler_info()["workers"]) == 1


@pytest.mark.long
def test_local_workers_have_the_stages_before_their_first_task() -> None:
    from distributed import Client

    from accordeur.flows.engine.runner import task_runner

    with task_runner(Engine(workers=1)) as runner, Client(runner.address) as client:
        modules = client.run(lambda: [*sys.modules])
    assert all({FLOW, CHECKS} <= set(imported) for imported in modules.values())


@pytest.mark.parametrize(
    "engine",
    [
        {"dask": "tcp://10.0.0.5:8786"},
        {"dask": "dask_jobqueue.SLURMCluster", "arguments": {"cores": 1, "memory": "1 GB"}},
    ],
)
def test_workers_elsewhere_need_a_server_that_they_reach(engine: dict[str, Any]) -> None:
    from accordeur.flows.engine.runner import task_runner

    with (
        temporary_settings({PREFECT_API_URL: "http://127.0.0.1:4200/api"}),
        pytest.raises(ConfigError, match="set PREFECT_API_URL to a server that they reach"),
        task_runner(Engine(**engine)),
    ):
        pass


def test_a_class_that_is_not_installed_is_one_sentence() -> None:
    from accordeur.flows.engine.runner import cluster_of

    with pytest.raises(ConfigError, match=r"no_such_package.*install its package"):
        cluster_of(Engine(dask="no_such_package.Cluster"))


def test_a_lost_scheduler_is_one_sentence() -> None:
    from distributed import Client, LocalCluster

    from accordeur.flows.engine.runner import cluster_of, task_runner

    def lose(cluster: LocalCluster, address: str) -> None:
        with task_runner(Engine(dask=address)), Client(address) as client:
            future = client.submit(int, "1")
            cluster.close()
            future.result()

    with cluster_of(Engine(arguments={"n_workers": 0}))() as cluster:  # so that the task waits
        address = cluster.scheduler_address
        with pytest.raises(UserError, match=f"scheduler at {address} was lost: .* start this run"):
            lose(cluster, address)
