"""The lock of a store for a flow: a run of a deployment waits for its turn.

Deployments of one store, the served flow and commands all need the same lock. It is the one limit
for them: unlike a concurrency limit of Prefect's, it also holds for runs of other servers and of
the command line, and the operating system releases it when a process dies.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from httpx import HTTPError
from prefect import get_client
from prefect.client.schemas.objects import State, StateType
from prefect.logging import get_run_logger
from prefect.runtime import deployment, flow_run

from ...data.errors import StoreBusyError
from ...data.store.locks import Held
from ...data.store.store import Store

PATIENCE_HOURS = 24.0
_PAUSE_SECONDS = (2.0, 6.0)  # random: two runs on an object store see each other's claims
WAITING = "AwaitingStore"  # name of the state of a run that waits


@contextmanager
def lock_in_turn(store: Store, campaign: Path | None = None) -> Iterator[Held]:
    """Lock the store for a flow run, and claim it for a campaign file.

    A run of a deployment waits while another run holds the store, at most `PATIENCE_HOURS`; its
    state is then named `AwaitingStore`. Any other run raises StoreBusyError at once, and both do
    after their patience. Raises DataError as `Store.lock` does.
    """
    deadline = time.monotonic() + (PATIENCE_HOURS * 3600 if deployment.id else 0.0)
    with ExitStack() as held:
        is_waiting = False
        while True:
            try:
                lock = held.enter_context(store.lock(campaign))
                break
            except StoreBusyError as error:
                if time.monotonic() >= deadline:
                    raise
                if not is_waiting:
                    _show(State(type=StateType.RUNNING, name=WAITING, message=str(error)))
                    get_run_logger().info("waiting for at most %g h: %s", PATIENCE_HOURS, error)
                is_waiting = True
                time.sleep(random.uniform(*_PAUSE_SECONDS))
        if is_waiting:
            _show(State(type=StateType.RUNNING, name="Running"))
        yield lock


def _show(state: State[None]) -> None:
    """Set the state of the flow run. An unreachable server does not end the run."""
    with suppress(HTTPError), get_client(sync_client=True) as client:
        client.set_flow_run_state(flow_run.id, state, force=True)
