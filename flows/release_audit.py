"""The release audit: the campaign measured afresh, and all that is published with it in one folder.

A bundle holds the report, `results.json`, the tables, the Markdown summary and `SHA256SUMS` over
them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed

from data.checksums import write_checksums
from data.store import Store
from flows.campaign_quality import failed_gates, file_hash
from flows.config import load
from flows.history import next_audit
from flows.measure import measure
from flows.run import Orders
from flows.runner import task_runner


@flow(name="release audit", log_prints=False)
def release_audit(campaign: str) -> State[dict[str, Any]]:
    """Measure the campaign file `campaign` afresh and write the bundle of its release.

    Completed with the run's facts and the bundle's place and digest; Failed, with the same facts,
    when a gate fails. Raises ConfigError and DataError.
    """
    config = load(Path(campaign))
    store = Store(config.store.url)
    with store.lock():
        folder = next_audit(store)
        store.delete_folder(folder)
        orders = Orders(
            command=f"accordeur audit {Path(campaign).name}",
            config_hash=file_hash(campaign),
            folder=folder,
            fresh=True,
            is_release=True,
        )
        runner = task_runner(config.engine)
        outcome: dict[str, Any] = measure.with_options(task_runner=runner)(config, orders)
        digest = write_checksums(store, folder)
    outcome |= {"bundle": store.location(folder), "digest": digest}
    failed = failed_gates(outcome)
    if failed:
        return Failed(
            name="GateFailed",
            message=f"{len(failed)} gate(s) failed: {', '.join(failed)}",
            data=outcome,
        )
    return Completed(message=f"bundle: {outcome['bundle']}", data=outcome)
