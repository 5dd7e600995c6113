"""Whether the work that a campaign file expects has arrived, from the ledger of the last run."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ....data.schema import Role
from ....data.store.store import Store
from ....metrics.coded_warning import CodedWarning, Figures
from ....metrics.pace import fewest_usual
from ....reports.results.run import GateSeverity
from ....reports.warnings import in_english
from ..file.campaign_config import Config
from ..file.run_sections import Expected
from .history import earlier_runs, ledger_of_run, started_of_run

_DAYS = {"daily": 1, "weekly": 7, "monthly": 31}
_EARLY = timedelta(hours=1)  # a run of a schedule may begin a little earlier than the one before
_EACH = "each"


@dataclass(frozen=True, slots=True)
class Missing:
    """Work that was expected and is not there.

    key  what identifies the expectation, and the annotator, from run to run
    """

    key: str
    expected: Expected
    warning: CodedWarning


@dataclass(frozen=True, slots=True)
class _Deliveries:
    """Finished work of humans, and the time of the runs in which it arrived."""

    work: pa.Table
    times: Mapping[int, datetime]

    def of(self, *, layer: str | None = None, annotator: str = "") -> _Deliveries:
        chosen = self.work
        for column, wanted in (("layer", layer), ("annotator", annotator)):
            if wanted:
                chosen = chosen.filter(pc.equal(chosen[column], wanted))
        return _Deliveries(chosen, self.times)

    def last(self) -> datetime | None:
        """Return when the last work arrived; None if none did, or its time is unknown."""
        runs = [run for run in self.work["arrived"].unique().to_pylist() if run in self.times]
        return self.times[max(runs)] if runs else None

    def counts(self, what: str) -> dict[int, int]:
        """Return how many documents, labels or annotators arrived in each run that had any."""
        column, how = {
            "documents": ("document", "count_distinct"),
            "labels": ("n_rows", "sum"),
            "annotators": ("annotator", "count_distinct"),
        }[what]
        table = self.work.group_by("arrived").aggregate([(column, how)]).sort_by("arrived")
        return dict(zip(*(table[name].to_pylist() for name in ("arrived", f"{column}_{how}")),
                        strict=True))  # fmt: skip


def missing_work(
    store: Store, config: Config, *, patience: timedelta = timedelta(0)
) -> list[Missing]:
    """Return what is expected and has not arrived; [] without a run that has a ledger.

    patience  how late work may be
    """
    earlier = earlier_runs(store) if config.expect else {}
    if not earlier:
        return []
    ledger = ledger_of_run(store, earlier[max(earlier)])
    if ledger is None:
        return []
    return missing_in_ledger(store, config, ledger, datetime.now(UTC) - patience)


def missing_in_ledger(
    store: Store, config: Config, ledger: pa.Table, now: datetime, started: str = ""
) -> list[Missing]:
    """Return what is expected and has not arrived, from the ledger of a run.

    started  when this run began, if it is not finished yet
    """
    is_work = pc.and_(pc.equal(ledger["role"], str(Role.HUMAN)), pc.greater(ledger["arrived"], 0))
    work, earlier = ledger.filter(is_work), earlier_runs(store)
    times = {
        run: datetime.fromisoformat(text)
        for run in work["arrived"].unique().to_pylist()
        if (text := started_of_run(store, earlier[run]) if run in earlier else started)
    }
    deliveries = _Deliveries(work, times)
    return [
        one for expected in config.expect for one in _missing(expected, config, deliveries, now)
    ]


def _missing(
    expected: Expected, config: Config, deliveries: _Deliveries, now: datetime
) -> Iterator[Missing]:
    own = deliveries.of(layer=expected.layer)
    key = f"{expected.arrives or expected.usual} {expected.layer or ''}"
    if expected.usual:
        if found := _too_few(expected.usual, own):
            yield Missing(key, expected, found)
        return
    left = {config.shown_as(name) for name, who in config.annotators.items() if who.left}
    whose: Iterable[str] = [config.shown_as(expected.annotator)] if expected.annotator else [""]
    if expected.annotator == _EACH:
        whose = sorted({*own.work["annotator"].to_pylist()} - left)
    for annotator in whose:
        last = own.of(annotator=annotator).last()
        period = timedelta(days=_DAYS[expected.arrives or "daily"])
        if last is not None and now - last >= period - _EARLY:
            code = f"{'annotator_stopped' if annotator else 'work_overdue'}_{expected.arrives}"
            figures: Figures = {
                "n": round((now - last) / timedelta(days=1)),
                "date": last.date().isoformat(),
                "names": annotator,
            }
            yield Missing(f"{key} {annotator}", expected, CodedWarning(code, figures))


def _too_few(what: str, deliveries: _Deliveries) -> CodedWarning | None:
    counts = deliveries.counts(what)
    if not counts:
        return None
    *before, last = counts.values()
    low = fewest_usual(np.array(before, float))
    if not last < low:
        return None
    figures = {"n": last, "n_earlier": len(before), "fewest": math.ceil(low)}
    code = f"delivery_small_{what}"
    return CodedWarning(code, figures)


def missing_as_json(missing: Iterable[Missing]) -> list[dict[str, Any]]:
    """Return what is missing as a run's outcome states it."""
    return [
        {
            "key": one.key,
            "sentence": in_english(one.warning),
            "severity": one.expected.severity,
            "owner": one.expected.owner,
            "fails_run": one.expected.severity != GateSeverity.warn,
        }
        for one in missing
    ]
