"""Scheduled rounds: measure the campaign, then write what to annotate next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Completed

from ..data.store.store import Store
from ..tasks.wording import counted
from .campaign.file.campaign_config import load_campaign
from .campaign.next_round import plan_next_round
from .campaign_quality import campaign_quality
from .engine.store_lock import lock_in_turn
from .progress.flow_runs import campaign_tag, flow_run_name, tag_flow_run
from .schedule.notify import begin_run, notify


@flow(name="next round", flow_run_name=flow_run_name, log_prints=False, on_crashed=[notify])
def next_round(campaign: str) -> State[dict[str, Any]]:
    """Measure a campaign and write the queue of its next round, unless its targets are reached.

    Args:
        campaign: Path of the campaign file (TOML); its section [next] has the options.

    Completed with the run's facts and the queue's location; with the name `TargetsReached`, and
    without a queue, when the targets of [next] are reached. A failed gate does not fail this flow,
    as more labels are the remedy. Raises ConfigError and DataError.
    """
    begin_run(campaign, of_completion=False)  # the measurement sends its own notification
    config = load_campaign(Path(campaign))
    outcome: Any = campaign_quality(campaign, return_state=True).result(raise_on_failure=False)
    if isinstance(outcome, BaseException):
        raise outcome
    tag_flow_run(campaign_tag(config.campaign.name))
    store = Store(config.store.url)
    with lock_in_turn(store, Path(campaign)):
        planned = plan_next_round(config, config.next, dry_run=True)
        where = planned.round.standing
        if where.stop:
            return Completed(name="TargetsReached", message="targets reached", data=outcome)
        written = plan_next_round(config, config.next)
    outcome |= {"queue": written.queue, "assignments": written.folder}
    n_new = counted(len(written.round.new), "assignment")
    return Completed(message=f"{n_new}: {written.queue}", data=outcome)
