"""State of a run: its request, its store, its task options, and the durations of its stages."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from typing import Any

from prefect.client.schemas.objects import State
from prefect.futures import PrefectFuture, as_completed
from prefect.logging import get_run_logger

from ...data.errors import DataError, SilentStoreError
from ...data.readers.common.category_features import ReadAs
from ...data.sentences import visible
from ...data.store.retries import give_up
from ...data.store.store import Store
from ...data.untrusted.files import sha256_of_file
from ...data.validation.rule import Checked
from ...tasks.isolation import DocumentsOfNodes, Probe
from ...tasks.node import Node, Outcome, complete, complete_task
from ...tasks.units.chance import DrawnSamples
from ...tasks.wording import counted
from ..engine.private_folder import private_folder
from ..engine.runner import killed_worker, may_pass_next_time, seconds_of_workers
from ..engine.semaphores import record_semaphores
from ..progress.artifacts import ProgressArtifact
from ..progress.flow_runs import edge_from
from ..progress.names import name_task
from ..progress.stage_progress import StageProgress, duration_in_words
from ..progress.watcher import watcher
from .file.campaign_config import Config

SHOW_EVERY_SECONDS = 2.0


class KilledBatches(Exception):  # noqa: N818  # not a user error, and always caught
    """Raised for batches whose task killed every worker that ran it."""

    def __init__(self, probes: Sequence[Probe]) -> None:
        super().__init__(f"{len(probes)} batches kill their worker")
        self.probes = probes


class Undisclosed:
    """Wrapper that hides a campaign file from Prefect's server, which stores flow parameters."""

    __slots__ = ("config",)

    def __init__(self, config: Config) -> None:
        self.config = config


@dataclass(frozen=True, slots=True)
class RunRequest:
    """A flow's request for a measurement.

    campaign    the campaign file
    folder      folder of the report in the store
    fresh       whether to ignore results of earlier runs in the store
    is_release  whether the results are to be published, so the data statement must be complete
    started     the time to state in the report, to reproduce one; "": now
    """

    campaign: Path
    folder: str
    fresh: bool = False
    is_release: bool = False
    started: str = ""

    @property
    def command(self) -> str:
        """Command printed in the report to reproduce it, run in the campaign file's folder."""
        return f"accordeur {'audit' if self.is_release else 'run'} {quote(self.campaign.name)}"

    @property
    def number(self) -> int:
        """Number of the run, or of the audit."""
        return int(self.folder.rpartition("-")[2])

    def config_hash(self) -> str:
        """First 16 hexadecimal digits of the campaign file's SHA-256."""
        return sha256_of_file(self.campaign)[:16]


@dataclass(slots=True)
class UsedFiles:
    """Stored files that the tasks used, from which the manifest is made.

    places   complete place → hash of its receipt
    series   folder of samples → number of samples used
    files    further files that the run used
    damaged  files whose content had changed since they were written; they were recomputed
    """

    places: dict[str, str] = field(default_factory=dict)
    series: dict[str, int] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)

    def add(self, outcomes: Sequence[Outcome | DrawnSamples]) -> tuple[int, int]:
        """Record the outcomes of tasks; return the number of parts and of those reused."""
        n_parts = n_reused = 0
        for one in outcomes:
            if isinstance(one, Outcome):
                self.places[one.place] = one.receipt
                n_parts += one.n_parts
                n_reused += one.n_reused_parts
            else:
                end = one.job.first + one.job.count
                self.series[one.series] = max(end, self.series.get(one.series, 0))
                n_parts += 1
                n_reused += one.reused
            new = [path for path in one.damaged if path not in self.damaged]
            self.damaged += new
            for path in new:
                watcher().note(f"damaged in the store, computed again: {path}")
        return n_parts, n_reused


@dataclass(slots=True)
class Run:
    """A measurement in progress.

    progress        progress artifact of the run in Prefect's interface
    withdrawn       document → why it is skipped: it kills each worker that processes it
    decisions_hash  hash of the decisions on disagreements when the run began
    read_as         how the layers of the exports were read
    expectations    results of expectations on the whole campaign
    worker_seconds  total time of tasks on their workers so far, the cost of the run
    named           future → subject of its task
    made            key of a shard, or path in the store → the tasks that made it
    begun           places of the nodes of a task → its future, submitted before its stage
    tables          future of the task that writes the rows beside the report
    pace            pace of the current stage
    shown_at        time when the interface was last updated
    """

    config: Config
    request: RunRequest
    stages: list[dict[str, Any]] = field(default_factory=list)
    progress: ProgressArtifact = field(default_factory=lambda: ProgressArtifact())
    used: UsedFiles = field(default_factory=UsedFiles)
    withdrawn: dict[str, str] = field(default_factory=dict)
    decisions_hash: str = ""
    read_as: ReadAs = field(default_factory=ReadAs)
    expectations: Sequence[Checked] = ()
    worker_seconds: float = 0.0
    named: dict[Any, str] = field(default_factory=dict)
    made: dict[str, list[State[Any]]] = field(default_factory=dict)
    begun: dict[tuple[str, ...], Any] = field(default_factory=dict)
    tables: Any = None
    pace: StageProgress = field(default_factory=lambda: StageProgress("start", 0))
    shown_at: float = field(default_factory=time.monotonic)
    is_timed: bool = False  # Dask's scheduler records the time of tasks

    @property
    def store_url(self) -> str:
        return self.config.store.url

    @property
    def fresh(self) -> bool:
        return self.request.fresh

    def submit(
        self,
        task: Any,
        what: str,
        *positional: Any,
        stage: str = "",
        after: Iterable[str] = (),
        **keyword: Any,
    ) -> Any:
        """Submit the task on `what` (layer, shards, samples); `stage` is displayed before it.

        after  results of earlier tasks that it uses (see `made`), the edges of Prefect's graph
        """
        options = self.options(task, what, stage)
        edges = {
            edge.state_details.task_run_id: edge for one in after for edge in self.made.get(one, ())
        }
        future = options.submit(
            self.store_url, *positional, wait_for=list(edges.values()) or None, **keyword
        )
        self.named[_task_run_id(future)] = what
        return future

    def options(self, task: Any, what: str, stage: str = "") -> Any:
        """Return the task with its retries, and its name in Prefect and Dask."""
        return name_task(
            task,
            what,
            stage=stage,
            retries=self.config.engine.retries,
            retry_delay_seconds=1,
            retry_condition_fn=may_pass_next_time,
        )

    def complete(
        self,
        stage: str,
        groups: Mapping[str, Sequence[Node]],
        *,
        task: str = "",
        of_all: bool = True,
    ) -> list[Outcome]:
        """Complete the nodes of a stage, one task for each group; return outcomes in their order.

        groups  subject of the task (layer, shards) → its nodes
        task    name of the tasks in Prefect; default: the stage
        of_all  whether each node depends on all documents
        """
        if not groups:
            return []
        with self.stage(stage, len(groups), of_all=of_all) as timed:
            return self.complete_within(timed, groups, task=task)

    def complete_within(
        self, stage: dict[str, Any], groups: Mapping[str, Sequence[Node]], *, task: str = ""
    ) -> list[Outcome]:
        """Complete nodes as `complete` does, in a stage that is under way."""
        name = task or stage["name"]
        futures = [
            self.begun.pop(_places(nodes), None) or self._submit_nodes(name, what, nodes)
            for what, nodes in groups.items()
        ]
        probes = [Probe(stage["name"], DocumentsOfNodes(nodes)) for nodes in groups.values()]
        parts = self.gather(futures, probes, makes=lambda part: [one.place for one in part])
        outcomes = [one for part in parts for one in part]
        self.note(stage, outcomes)
        return outcomes

    def begin(self, task: str, groups: Mapping[str, Sequence[Node]]) -> None:
        """Submit the tasks of a later stage, so that they run beside those of the next one.

        `complete` with the same nodes waits for them. One worker would only run them in turn.
        """
        if self.config.engine.workers > 1:
            self.begun |= {
                _places(nodes): self._submit_nodes(task, what, nodes)
                for what, nodes in groups.items()
            }

    def _submit_nodes(self, task: str, what: str, nodes: Sequence[Node]) -> Any:
        return self.submit(
            complete_task,
            what,
            nodes,
            stage=task,
            after=[one for node in nodes for one in node.uses()],
            fresh=self.fresh,
        )

    def complete_here(self, nodes: Sequence[Node]) -> list[Outcome]:
        """Complete nodes that are too small for a task in this process."""
        outcomes = complete(Store(self.store_url), nodes, fresh=self.fresh)
        self.used.add(outcomes)
        for node, one in zip(nodes, outcomes, strict=True):
            edges = [edge for used in node.uses() for edge in self.made.get(used, ())]
            self.made.setdefault(one.place, edges)
        return outcomes

    @contextmanager
    def stage(self, name: str, n_tasks: int, *, of_all: bool = True) -> Iterator[dict[str, Any]]:
        """Time a stage; the block counts its parts, and how many of them were reused.

        of_all  whether each part depends on all documents

        A stage without tasks, which works in this process, is done when its block ends.
        """
        watcher().stage(name, n_tasks)
        record_semaphores(private_folder())  # of workers that were started since
        self.pace = StageProgress(name, n_tasks)
        stage: dict[str, Any] = {"name": name, "seconds": 0.0, "worker_seconds": 0.0}
        stage |= {"n_tasks": n_tasks, "n_parts": 0, "n_reused": 0, "of_all": of_all}
        before, started = self.worker_seconds, time.perf_counter()
        yield stage
        if not self.pace.n_done:
            watcher().advance()
        stage["seconds"] = round(time.perf_counter() - started, 3)
        stage["worker_seconds"] = round(self.worker_seconds - before, 3)
        self.stages.append(stage)
        get_run_logger().info("%s", visible(stage_sentence(stage)))
        self._show_progress(f"{name}: done in {duration_in_words(stage['seconds'])}", 0.0)

    def note(self, stage: dict[str, Any], outcomes: Sequence[Outcome | DrawnSamples]) -> None:
        """Count the parts of a stage, and record their places."""
        n_parts, n_reused = self.used.add(outcomes)
        stage["n_parts"] += n_parts
        stage["n_reused"] += n_reused

    def show_end(self) -> None:
        """Show in Prefect's interface that the run is done."""
        took = duration_in_words(sum(stage["seconds"] for stage in self.stages))
        self.progress.update(100.0, f"done in {took}")

    def _show_progress(self, description: str, share: float) -> None:
        """Update Prefect's interface at intervals; the total number of stages is unknown."""
        if time.monotonic() - self.shown_at < SHOW_EVERY_SECONDS:
            return
        self.shown_at = time.monotonic()
        n_done = len(self.stages) + share
        self.progress.update(100.0 * n_done / (len(self.stages) + 1), description)

    def gather(
        self,
        futures: Sequence[PrefectFuture[Any]],
        probes: Sequence[Probe] | None = None,
        *,
        makes: Callable[[Any], Iterable[str]] = lambda _result: (),
    ) -> list[Any]:
        """Return results in the order of the futures, and show progress as they arrive.

        makes  what a task has made, by its result: tasks that use it are submitted `after` it

        If a task kills every worker that runs it, raises KilledBatches if `probes` describe how to
        find the document that causes it, else DataError.
        """
        if not self.is_timed:
            seconds_of_workers(futures)  # makes the scheduler record the time from now on
            self.is_timed = True
        self.pace.expect(len(futures))
        begun = time.perf_counter()
        for future in as_completed(list(futures)):
            future.wait()  # results are fetched here while others run
            watcher().advance(self.named.pop(_task_run_id(future), ""))
            self.pace.n_done += 1
            self._show_progress(str(self.pace), self.pace.share)
        seen = seconds_of_workers(futures)
        self.worker_seconds += time.perf_counter() - begun if seen is None else seen
        results, killed = [], []
        for number, future in enumerate(futures):
            try:
                results.append(future.result())
                for one in makes(results[-1]):
                    self.made.setdefault(one, []).append(edge_from(future))
            except SilentStoreError:
                give_up(self.store_url)  # a worker waited for it
                raise
            except killed_worker() as error:
                if probes is None:
                    raise DataError(message_on_killed_workers(str(error))) from None
                if probes[number] not in killed:
                    killed.append(probes[number])
        if killed:
            raise KilledBatches(killed)
        return results


def stage_sentence(stage: Mapping[str, Any]) -> str:
    """Describe a finished stage for Prefect's log."""
    seconds = duration_in_words(stage["seconds"])
    tasks = f"{stage['name']}: {counted(stage['n_tasks'], 'task')} in {seconds}"
    if not stage["n_reused"]:
        return tasks
    parts = counted(stage["n_parts"], "part")
    return f"{tasks}, {stage['n_reused']} of {parts} reused from earlier runs"


def _places(nodes: Sequence[Node]) -> tuple[str, ...]:
    return tuple(node.place for node in nodes)


def _task_run_id(future: Any) -> Any:
    return getattr(future, "task_run_id", id(future))


def message_on_killed_workers(what: str) -> str:
    return (
        f"a task killed each worker that tried it ({what}); most often it needs more memory than "
        "a worker has: raise engine.arguments.memory_limit or lower engine.documents_per_batch"
    )
