"""The campaign quality run: the campaign file read, the store locked, measured, gates judged."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed

from data.store.store import Store
from flows.campaign.earlier.history import earlier_runs
from flows.campaign.earlier.standing import standing_outcome
from flows.campaign.file.config import load
from flows.campaign.measure import measure
from flows.campaign.reporting import tell_again
from flows.campaign.run import Orders
from flows.engine.runner import task_runner
from flows.numbering import next_run
from flows.schedule.notify import TOLD
from flows.wording import counted


@flow(name="campaign quality", log_prints=False, **TOLD)
def campaign_quality(campaign: str, fresh: bool = False) -> State[dict[str, Any]]:
    """Run the campaign file `campaign`; `fresh` ignores what earlier runs left in the store.

    Where nothing changed since the last run, its report stands and nothing is computed.

    Completed with the run's facts (where the report is, counts of rows, gates, main values);
    Failed, with the same facts, when a gate fails. Raises ConfigError and DataError.
    """
    config = load(Path(campaign))
    store = Store(config.store.url)
    outcome: dict[str, Any] | None
    with store.lock() as held:
        outcome = None if fresh else standing_outcome(Path(campaign), config)
        if outcome is None:
            orders = Orders(Path(campaign), next_run(earlier_runs(store)), fresh=fresh)
            runner = task_runner(config.engine)
            outcome = measure.with_options(task_runner=runner)(config, orders)
        else:
            tell_again(outcome)
        held.check()
    failed = failed_gates(outcome)
    if failed:
        return Failed(name="GateFailed", message=failed, data=outcome)
    return Completed(message=f"report: {outcome['report']}", data=outcome)


def failed_gates(outcome: Mapping[str, Any]) -> str:
    """How many gates failed and on which measures; "" when none did."""
    failed = [gate["measure"] for gate in outcome["gates"] if not gate["passed"]]
    return f"{counted(len(failed), 'gate')} failed: {', '.join(failed)}" if failed else ""
