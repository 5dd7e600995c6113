"""One run under way: its orders, its store, its task options, the seconds of its stages."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from typing import Any

from distributed.scheduler import KilledWorker
from httpx import HTTPError
from prefect.artifacts import update_progress_artifact
from prefect.futures import PrefectFuture, as_completed

from data.errors import DataError
from flows.config import Config
from flows.isolation import KilledBatches, deadly_task
from flows.ledger import Ledger
from flows.progress import watcher
from flows.runner import may_pass_next_time
from tasks.isolation import Probe

GROUPS_PER_WORKER = 4  # tasks of a stage for each worker, so that none waits long for the last


@dataclass(frozen=True, slots=True)
class Orders:
    """What a flow asks of a measurement.

    campaign    the campaign file
    folder      of the store, where the report goes
    fresh       whether what earlier runs left in the store is ignored
    is_release  whether the results are to be published: the data statement must be complete
    """

    campaign: Path
    folder: str
    fresh: bool = False
    is_release: bool = False

    @property
    def command(self) -> str:
        """What the report prints to get the same numbers, in the campaign file's folder."""
        return f"accordeur {'audit' if self.is_release else 'run'} {quote(self.campaign.name)}"

    def config_hash(self) -> str:
        """First 16 hexadecimal digits of the campaign file's SHA-256."""
        return hashlib.sha256(self.campaign.read_bytes()).hexdigest()[:16]


@dataclass(slots=True)
class Run:
    """A measurement under way.

    artifact   shows its progress in Prefect's interface
    withdrawn  document → why it is left out: it kills each worker that processes it
    """

    config: Config
    orders: Orders
    stages: list[dict[str, Any]] = field(default_factory=list)
    artifact: Any = None
    ledger: Ledger = field(default_factory=Ledger)
    withdrawn: dict[str, str] = field(default_factory=dict)

    @property
    def store_url(self) -> str:
        return self.config.store.url

    @property
    def fresh(self) -> bool:
        return self.orders.fresh

    def options(self, task: Any) -> Any:
        return task.with_options(
            retries=self.config.engine.retries,
            retry_delay_seconds=1,
            retry_condition_fn=may_pass_next_time,
        )

    @contextmanager
    def stage(self, name: str, n_tasks: int) -> Iterator[dict[str, Any]]:
        """Time a stage; the block counts its parts, and how many of them were reused."""
        watcher().stage(name, n_tasks)
        stage = {"name": name, "seconds": 0.0, "n_tasks": n_tasks, "n_parts": 0, "n_reused": 0}
        started = time.perf_counter()
        yield stage
        stage["seconds"] = round(time.perf_counter() - started, 3)
        self.stages.append(stage)
        if self.artifact is not None:
            done = 100.0 * len(self.stages) / (len(self.stages) + 1)
            with suppress(HTTPError):  # a server that is away must not end a run
                update_progress_artifact(artifact_id=self.artifact, progress=done)

    def note(self, stage: dict[str, Any], outcomes: Sequence[Mapping[str, Any]]) -> None:
        """Count what tasks tell of a stage (see `tasks.outcome`), and note their places."""
        stage["n_parts"] += len(outcomes)
        stage["n_reused"] += self.ledger.add(outcomes)

    def gather(
        self, futures: Sequence[PrefectFuture[Any]], probes: Sequence[Probe] | None = None
    ) -> list[Any]:
        """Results in the order of the futures; progress as they come.

        A task that kills every worker it is given: raises KilledBatches where `probes` tell how
        to look for the document at fault, else DataError.
        """
        for _ in as_completed(list(futures)):
            watcher().advance()
        results, killed = [], []
        for number, future in enumerate(futures):
            try:
                results.append(future.result())
            except KilledWorker as error:
                if probes is None:
                    raise DataError(deadly_task(str(error))) from None
                killed.append(probes[number])
        if killed:
            raise KilledBatches(killed)
        return results
