"""`run.json`: when and how a campaign was run, separate from its results.

Clock times, durations and earlier runs differ from run to run. Without them `results.json` is the
same, byte for byte, wherever and however often the same inputs are measured with the same settings.
"""

from __future__ import annotations

from pydantic import Field

from ..value import Model, Notice
from . import Results
from .run import Changes, Drift, RunPoint, Stage

FILE = "run.json"
_ALERTS = (
    "value_fell", "value_falling", "documents_removed", "documents_renamed", "work_vanished",
    "gate_not_compared",
    *(f"{code}_{often}" for code in ("work_overdue", "annotator_stopped")
      for often in ("daily", "weekly", "monthly")),
    *(f"delivery_small_{what}" for what in ("documents", "labels", "annotators")),
)  # fmt: skip
_OF_RUNS = "run"  # history points of this kind are from earlier runs; others are from these results


class Circumstances(Model):
    started: str = ""
    stages: list[Stage] = Field(default_factory=list)
    changes: Changes | None = None
    history: list[RunPoint] = Field(default_factory=list)  # main values of earlier runs
    drift: list[Drift] = Field(default_factory=list)
    alerts: list[Notice] = Field(default_factory=list)  # comparisons with earlier runs


def split_circumstances(results: Results) -> tuple[Results, Circumstances]:
    """Split results into the results without their circumstances, and the circumstances."""
    run = results.run
    apart = Circumstances(
        started=run.started,
        stages=run.stages,
        changes=run.changes,
        history=[point for point in results.history if point.kind == _OF_RUNS],
        drift=results.drift,
        alerts=[one for one in results.alerts if one.code in _ALERTS],
    )
    kept = results.model_copy(
        update={
            "run": run.model_copy(update={"started": "", "stages": [], "changes": None}),
            "history": [point for point in results.history if point.kind != _OF_RUNS],
            "drift": [],
            "alerts": [one for one in results.alerts if one.code not in _ALERTS],
        }
    )
    return kept, apart


def with_circumstances(results: Results, circumstances: Circumstances) -> Results:
    """Return the results as the report shows them: the inverse of `split_circumstances`."""
    run = {name: getattr(circumstances, name) for name in ("started", "stages", "changes")}
    return results.model_copy(
        update={
            "run": results.run.model_copy(update=run),
            "history": [*circumstances.history, *results.history],
            "drift": circumstances.drift,
            "alerts": [*circumstances.alerts, *results.alerts],
        }
    )
