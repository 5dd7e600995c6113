"""Change of a main value over runs: in words, and as a small picture."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import UTC, datetime

from markupsafe import Markup

from ...metrics.estimate import Estimate
from ..figures.sparkline import sparkline
from ..language import Language
from ..page.page import Page
from ..page.values import symbol_of
from ..results import Drift, RunPoint
from ..results.campaign import point_kinds_of_deliveries

_FEWEST_DELIVERIES = 3  # two points are a difference, no trend


def run_number(point: RunPoint) -> str:
    """Return `7` for the point of `run 7`."""
    return point.run.removeprefix("run ")


def earlier_points(page: Page, measure: str, layer: str) -> list[RunPoint]:
    """Return the points of earlier runs where the value is defined."""
    return [
        point
        for point in page.results.history
        if point.kind == "run"
        and (point.measure, point.layer) == (measure, layer)
        and math.isfinite(point.value)
    ]


def comparison_with_earlier_runs(page: Page, measure: str, layer: str) -> Drift | None:
    """Return the comparison with earlier runs, if there is one."""
    return next(
        (one for one in page.results.drift if (one.measure, one.layer) == (measure, layer)), None
    )


def is_falling(page: Page, measure: str, layer: str) -> bool:
    """Return whether an alert reports that the value is falling."""
    drift = comparison_with_earlier_runs(page, measure, layer)
    return drift is not None and (drift.fell or drift.is_falling)


def change_text(page: Page, value: Estimate, layer: str) -> str:
    """Compare with the last earlier run that has the same measure and layer; "" without one."""
    say, earlier = page.say, earlier_points(page, value.measure, layer)
    if not earlier or not math.isfinite(value.value):
        return ""
    last, drift = earlier[-1], comparison_with_earlier_runs(page, value.measure, layer)
    said = say(
        "verdict.change",
        difference=say.signed(value.value - last.value),
        symbol=symbol_of(say, value.measure),
        run=run_number(last),
        before=say.number(last.value),
    )
    if drift is None or drift.since != last.run:
        return said
    interval = say.interval(drift.interval, say.signed)
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


def day_numbers(dates: Sequence[str]) -> list[float]:
    """Convert ISO 8601 times (or periods: `2026`, `2026-03`, `2026-W07`) to days since the first.

    Returns [] if any of them is not a time.
    """
    found = [days_since(dates[0], date) for date in dates]
    return [] if any(map(math.isnan, found)) else found


def days_since(first: str, date: str) -> float:
    """Return the days between two times; nan if either is not a time."""
    try:
        start, moment = (_moment(text) for text in (first, date))
    except ValueError:
        return math.nan
    return (moment - start).total_seconds() / 86400


def _moment(text: str) -> datetime:
    """Return the start of a period; UTC without a time zone."""
    if re.fullmatch(r"\d{4}(-\d{2})?", text):
        text = f"{text}-01-01"[:10]
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def deliveries_of(page: Page, measure: str, layer: str) -> list[RunPoint]:
    """Return the value in each batch, or else in each period; [] if there are few of them.

    Batches that were annotated side by side come after periods.
    """
    for kind in point_kinds_of_deliveries(page.results.batches):
        found = [
            point
            for point in page.results.history
            if (point.kind, point.measure, point.layer) == (kind, measure, layer)
            and math.isfinite(point.value)
        ]
        if len(found) >= _FEWEST_DELIVERIES:
            return found
    return []


def point_name(say: Language, point: RunPoint) -> str:
    """Return `run 7` in the page's language; batches, periods and the present run have names."""
    number = run_number(point)
    is_earlier = point.kind == "run" and number.isdigit()
    return say("drift.of_run", n=number) if is_earlier else point.run


def course_text(page: Page, points: Sequence[RunPoint]) -> str:
    """Return whether a value clearly rose or fell from first to last point; "" without two."""
    known = [point for point in points if math.isfinite(point.value)]
    if len(known) < 2:
        return ""
    say, first, last = page.say, known[0], known[-1]
    before, value = say.number(first.value), say.number(last.value)
    overlap = (
        first.interval[0] <= last.interval[1] and last.interval[0] <= first.interval[1]
    )  # not if one is undefined
    way = "same" if before == value else "rose" if last.value > first.value else "fell"
    if overlap and way != "same":
        way = "overlap"
    names = {"first": point_name(say, first), "last": point_name(say, last)}
    return say(f"verdict.{way}", before=before, value=value, **names)


def sparkline_of(page: Page, value: Estimate, layer: str, threshold: float) -> Markup:
    """Draw the value in earlier runs and now."""
    earlier = earlier_points(page, value.measure, layer)
    dates = [*(point.started for point in earlier), page.results.run.started]
    heights = [*(point.value for point in earlier), value.value]
    return sparkline(points_by_date(dates, heights), threshold)


def points_by_date(dates: Sequence[str], heights: Sequence[float]) -> list[tuple[float, float]]:
    """Return positions and heights of a sparkline: by date if on several days, else in order."""
    places = day_numbers(dates)
    if not places or places[-1] - places[0] < 1:
        places = [float(k) for k in range(len(dates))]
    return list(zip(places, heights, strict=True))
