"""A year of weekly runs on a clock that stands still: what a person is told, and when."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.flows.runs import campaign_run
from tests.flows.schedule.test_notify import event_in, web

pytestmark = [pytest.mark.long, pytest.mark.services, pytest.mark.release]

CAMPAIGN = """seed = 1
[campaign]
name = "A year"
[[sources]]
path = "exports/*.csv"
format = "table"
[report]
document_pages = 0
[validation]
rejected_at_most = 0.015
[layers.labels]
categories = ["yes", "no"]
[[expect]]
arrives = "weekly"
owner = "Ada"
[[expect]]
arrives = "monthly"
annotator = "each"
[[expect]]
usual = "documents"
[notify]
to = ["{url}"]
"""
CLOCKS = ("campaign.measure", "campaign.earlier.expected_work", "schedule.notify")


class KilledError(BaseException):
    """As if the process had ended there and then."""


class Clock(datetime):
    time = datetime(2026, 3, 2, 9, tzinfo=UTC)

    @classmethod
    def now(cls, tz: Any = None) -> datetime:  # type: ignore[override]  # of a datetime
        return cls.time


def deliver(exports: Path, week: int, *, documents: int, annotators: str, labels: str) -> None:
    rng = np.random.default_rng(week)
    rows = ["document,item,annotator,label"]
    for k in range(documents):
        for item in range(10):
            truth = labels[int(rng.integers(len(labels)))]
            for who in annotators:
                word = {"y": "yes", "n": "no", "?": "perhaps"}[truth]
                rows.append(f"w{week:02}-{k},{item},{who},{word}")
    (exports / f"week-{week:02}.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")


@contextmanager
def killed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A run that ends in the middle, without a hook."""
    from accordeur.flows import campaign_quality as module
    from accordeur.flows.campaign import measure

    def end(*positional: Any, **keyword: Any) -> None:
        raise KilledError

    with monkeypatch.context() as patched:
        patched.setattr(measure, "write_report", end)
        patched.setattr(module, "begin_run", lambda campaign: None)
        patched.setattr(module.campaign_quality, "on_crashed_hooks", [])
        with pytest.raises(KilledError):
            yield


def test_a_year_of_weekly_runs(
    tmp_path: Path, prefect_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    exports, told = tmp_path / "exports", []
    exports.mkdir()
    for module in CLOCKS:
        monkeypatch.setattr(f"accordeur.flows.{module}.datetime", Clock)
    with web() as (url, bodies):
        campaign = tmp_path / "campaign.toml"
        campaign.write_text(CAMPAIGN.replace("{url}", url), encoding="utf-8")
        for week in range(52):
            Clock.time = datetime(2026, 3, 2, 9, tzinfo=UTC) + timedelta(weeks=week)
            annotators = "abc" if week < 30 else "ab"  # c stops
            bad = "yn??" if week == 20 else "yn"  # a category that the campaign does not have
            small = 1 if week == 40 else 4 + week % 2
            if week not in (10, 11, 25, 26, 45):  # silent
                deliver(exports, week, documents=small, annotators=annotators, labels=bad)
            if week == 22:  # corrected
                deliver(exports, 20, documents=4, annotators="abc", labels="yn")
            if week in (27, 33):
                with killed(monkeypatch):
                    campaign_run(campaign)
            else:
                campaign_run(campaign)
            told += [(week, event_in(body), body["message"]) for body in bodies]
            bodies.clear()
    assert [(week, event) for week, event, _ in told] == [
        *((10, "stale"), (12, "recovered")),  # two silent weeks are one message
        *((20, "gate_failed"), (22, "recovered")),  # a bad delivery, corrected two weeks later
        *((25, "stale"), (28, "recovered")),  # the run of week 27 was killed
        (34, "stale"),  # somebody stopped in week 30; the run of week 33 was killed
        *((40, "stale"), (41, "recovered")),  # a small delivery
        *((45, "stale"), (46, "recovered")),
    ]
    said = {week: text for week, _, text in told}
    assert "No new work has arrived for 7 days, since 2026-05-04" in said[10]
    assert "No new work of c has arrived for 35 days, since 2026-09-21" in said[34]
    assert "The last delivery has 1 document; after the" in said[40]
