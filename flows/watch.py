"""Detection of new exports, or of late ones, which start a run: contents are compared, not dates.

`accordeur serve --watch` checks repeatedly in one process; the flow `watch exports` checks once,
and is meant for deployments with an interval.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from prefect import flow
from prefect.deployments import run_deployment

from ..data.store.store import Store
from .campaign.earlier.expected_work import missing_work
from .campaign.earlier.history import earlier_runs, read_intact_results
from .campaign.earlier.unchanged_run import exports_hash
from .campaign.file.campaign_config import Config, load_campaign
from .campaign.file.fetched_sources import fetch_sources
from .progress.flow_runs import campaign_tag, flow_run_name, tag_flow_run

EXPORTS_CHANGED = "exports changed"  # tag of runs started for this reason
_PATIENCE = timedelta(days=1)  # with work that is late, as deliveries have no hour
_REST = 10  # multiple of the duration of a check, which limits checks to a tenth of a core


def measured_hash(config: Config) -> str | None:
    """Return the hash of the last run's exports; None if there is none or it is damaged."""
    store = Store(config.store.url)
    earlier = earlier_runs(store)
    if not earlier:
        return None
    results = read_intact_results(store, earlier[max(earlier)])
    return None if results is None else str(results["run"]["input_hash"])


class Watch:
    """Decides when a run is due: the exports differ from the last run's, or expected work is late.

    Exports are stable if two consecutive checks find the same contents. Contents that were already
    tried are not tried again, so that failing exports do not start runs repeatedly.
    """

    def __init__(self, campaign: Path) -> None:
        self._campaign = campaign
        self._config = load_campaign(campaign)
        self._tried: str | None = None
        self.missing: set[str] = set()
        self.seen: str | None = None

    def is_due(self) -> bool:
        try:
            fetch_sources(self._config)
            now = exports_hash(self._campaign, self._config)
        except OSError:  # a file disappeared during reading, so the exports are not stable
            self.seen = None
            return False
        rests, self.seen = now == self.seen, now
        if rests and now not in (self._tried, measured_hash(self._config)):
            self._tried = now
            return True
        return self._is_more_missing()

    def _is_more_missing(self) -> bool:
        """Whether work is missing that was not at the last check: a run is to say so."""
        missing = missing_work(Store(self._config.store.url), self._config, patience=_PATIENCE)
        before, self.missing = self.missing, {one.key for one in missing}
        return not self.missing <= before


def keep_watching(
    campaign: Path, start: Callable[[], None], *, seconds: float, until: threading.Event
) -> None:
    """Call `start` whenever a run is due, until the event is set."""
    watch = Watch(campaign)
    pause = 0.0
    while not until.wait(pause):
        began = time.monotonic()
        if watch.is_due():
            start()
        pause = max(seconds, _REST * (time.monotonic() - began))


@flow(name="watch exports", flow_run_name=flow_run_name, log_prints=False)
def watch_exports(campaign: str, deployment: str, rest_seconds: float = 30.0) -> bool:
    """Start a run if the exports of a campaign have changed and are stable, or work is late.

    Exports that were already tried are not tried again, nor is the same work missed twice: their
    hash and what is missing are the run's idempotency key.

    Args:
        campaign: Path of the campaign file (TOML).
        deployment: FLOW/DEPLOYMENT to run, such as `campaign quality/weekly`.
        rest_seconds: How long the exports must stay the same.

    Returns whether a run was started. Raises ConfigError and DataError.
    """
    watch = Watch(Path(campaign))
    tag_flow_run(campaign_tag(load_campaign(Path(campaign)).campaign.name))
    is_late = watch.is_due()
    time.sleep(rest_seconds)
    due = watch.is_due() or is_late
    if due:
        run_deployment(
            deployment,
            timeout=0,
            as_subflow=False,
            tags=[EXPORTS_CHANGED],
            idempotency_key=" ".join([deployment, str(watch.seen), *sorted(watch.missing)]),
        )
    return due
