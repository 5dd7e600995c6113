"""The lock of a store for a flow: a run of a deployment comes back when it is free.

Deployments of one store, the served flow and commands all need the same lock. It is the one limit
for them: unlike a concurrency limit of Prefect's, it also holds for runs of other servers and of
the command line, and the operating system releases it when a process dies.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from prefect import get_client
from prefect.client.schemas.objects import State, StateType
from prefect.exceptions import Pause
from prefect.logging import get_run_logger
from prefect.runtime import deployment, flow_run
from prefect.states import Scheduled

from ...data.errors import StoreBusyError
from ...data.store.locks import Held
from ...data.store.store import Store

PATIENCE_HOURS = 24.0
_FIRST_SECONDS, _MOST_SECONDS = 15.0, 300.0  # until a run comes back: each time twice as long
WAITING = "AwaitingStore"  # name of the state of a run that waits


@contextmanager
def lock_in_turn(store: Store, campaign: Path | None = None) -> Iterator[Held]:
    """Lock the store for a flow run, and claim it for a campaign file.

    A run of a deployment that finds another run there is scheduled again, at most for
    `PATIENCE_HOURS`, in a state named `AwaitingStore`: its process ends, and its worker is free for
    other runs meanwhile. Any other run raises StoreBusyError at once, and both do after their
    patience. Raises DataError as `Store.lock` does.
    """
    with ExitStack() as held:
        try:
            lock = held.enter_context(store.lock(campaign))
        except StoreBusyError as error:
            if deployment.id:
                _come_back_later(error)
            raise
        yield lock


def _come_back_later(error: StoreBusyError) -> None:
    """Schedule the run again and raise Pause, unless it has waited for long enough.

    Of a flow that another one calls, the calling flow is scheduled again.
    """
    with get_client(sync_client=True) as client:
        root = client.read_flow_run(flow_run.root_flow_run_id)
        now = datetime.now(UTC)
        if root.start_time and now - root.start_time >= timedelta(hours=PATIENCE_HOURS):
            return
        get_run_logger().info("waiting for at most %g h: %s", PATIENCE_HOURS, error)
        if str(root.id) != flow_run.id:
            called = State[Any](type=StateType.CANCELLED, name=WAITING, message=str(error))
            client.set_flow_run_state(flow_run.id, called, force=True)
        seconds = min(_FIRST_SECONDS * 2.0 ** max(0, root.run_count - 1), _MOST_SECONDS)
        seconds *= random.uniform(0.8, 1.2)  # two runs that wait do not come back together
        later: State[Any] = Scheduled(
            scheduled_time=now + timedelta(seconds=seconds),
            name=WAITING,
            message=str(error),
        )
        client.set_flow_run_state(root.id, later, force=True)
    raise Pause(state=later)
