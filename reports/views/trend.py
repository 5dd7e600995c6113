"""How a main value moved over runs: in words, and as a small picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime

from markupsafe import Markup

from ...metrics.estimate import Estimate
from ..figures.sparkline import sparkline
from ..page.page import Page
from ..page.values import interval_text, symbol_of
from ..results import Drift, RunPoint


def run_number(point: RunPoint) -> str:
    """`7` of the point of `run 7`."""
    return point.run.removeprefix("run ")


def earlier_points(page: Page, measure: str, layer: str) -> list[RunPoint]:
    """The value in earlier runs, where it is defined."""
    return [
        point
        for point in page.results.history
        if point.kind == "run"
        and (point.measure, point.layer) == (measure, layer)
        and math.isfinite(point.value)
    ]


def drift_of(page: Page, measure: str, layer: str) -> Drift | None:
    """The comparison with earlier runs, where there is one."""
    return next(
        (one for one in page.results.drift if (one.measure, one.layer) == (measure, layer)), None
    )


def is_falling(page: Page, measure: str, layer: str) -> bool:
    """Whether an alert says so."""
    drift = drift_of(page, measure, layer)
    return drift is not None and (drift.fell or drift.is_falling)


def change_text(page: Page, value: Estimate, layer: str) -> str:
    """Against the last earlier run that has the same measure on the same layer; "" without one."""
    say, earlier = page.say, earlier_points(page, value.measure, layer)
    if not earlier or not math.isfinite(value.value):
        return ""
    last, drift = earlier[-1], drift_of(page, value.measure, layer)
    said = say(
        "verdict.change",
        difference=say.signed(value.value - last.value),
        symbol=symbol_of(say, value.measure),
        run=run_number(last),
        before=say.number(last.value),
    )
    if drift is None or drift.since != last.run:
        return said
    interval = interval_text(say, drift.interval, say.signed)
    if interval:
        level = say.percent(drift.level, 0)
        run, difference = run_number(last), say.signed(drift.difference)
        said = say(
            "verdict.change_interval",
            difference=difference,
            run=run,
            level=level,
            interval=interval,
        )
    if drift.fell or drift.is_falling:
        said += " " + say("verdict.alert", n=say.integer(max(drift.n_runs, 2)))
    return said


def days(points: Sequence[RunPoint], now: str) -> list[float]:
    """Places of the points and of the present run in time: days, or in order without dates."""
    try:
        moments = [datetime.fromisoformat(text) for text in (*(p.started for p in points), now)]
    except ValueError:
        return [float(k) for k in range(len(points) + 1)]
    first = moments[0]
    return [(moment - first).total_seconds() / 86400 for moment in moments]


def spark_of(page: Page, value: Estimate, layer: str, threshold: float) -> Markup:
    """The value in earlier runs and now."""
    earlier = earlier_points(page, value.measure, layer)
    places = days(earlier, page.results.run.started)
    heights = [*(point.value for point in earlier), value.value]
    return sparkline(list(zip(places, heights, strict=True)), threshold)
