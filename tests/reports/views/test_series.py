"""Values over time: dates on the axis, marks of events, control limits."""

from __future__ import annotations

import re

import pytest

from accordeur.reports.language import Language
from accordeur.reports.render import render
from accordeur.reports.results import Batch, Note, RunPoint
from accordeur.reports.views.series import events_of, series_figure
from accordeur.reports.views.trend import day_numbers
from tests.reports import samples
from tests.reports.views.pages import page_of

SAY = Language("en")


def points(dates: list[str], kind: str = "run") -> list[RunPoint]:
    return [
        RunPoint(
            run=date,
            measure="gamma",
            layer="units",
            value=0.7,
            interval=(0.6, 0.8),
            kind=kind,
            started="" if kind == "time" else date,
        )
        for date in dates
    ]


def drawn(dates: list[str], notes: list[Note], kind: str = "run") -> str:
    events = events_of(SAY, notes, [], [])
    page = page_of(samples.typical())
    return str(series_figure(page, points(dates, kind), "γ", events=events).svg)


def letters(svg: str) -> dict[str, float]:
    """Letters of the marks and where their lines stand."""
    lines = map(float, re.findall(r'class="event" x1="([\d.]+)"', svg))
    return dict(zip(re.findall(r">([A-Z](?:, [A-Z])*)</text>", svg), lines, strict=True))


def test_notes_stand_at_their_dates_between_the_runs():
    dates = ["2026-03-02T06:00:00+00:00", "2026-03-09T06:00:00+00:00", "2026-03-30T06:00:00+00:00"]
    notes = [
        Note(date="2026-03-16", text="second guideline"),
        Note(date="2026-03-16", text="a batch of letters"),
        Note(date="2026-01-01", text="before any run"),
        Note(date="2026-03-30", text="the day of the last run"),
    ]
    svg = drawn(dates, notes)
    places = letters(svg)
    assert list(places) == ["B, C", "D"]
    circles = [float(x) for x in re.findall(r'<circle class="point" cx="([\d.]+)"', svg)]
    assert (places["D"] - circles[0]) / (circles[1] - circles[0]) == pytest.approx(
        27.75 / 7, abs=0.01
    )
    week, fortnight = circles[1] - circles[0], places["B, C"] - circles[0]
    assert fortnight / week == pytest.approx(13.75 / 7, abs=0.01)
    assert "2026-03-02" in svg
    assert "2026-03-30" in svg


def test_runs_of_one_day_are_in_order_with_an_event_at_the_run_after_it():
    dates = [f"2026-03-02T{hour:02}:00:00+00:00" for hour in (6, 8, 10)]
    svg = drawn(dates, [Note(date="2026-03-02T07:00", text="a correction")])
    [place] = letters(svg).values()
    circles = re.findall(r'<circle class="point" cx="([\d.]+)"', svg)
    assert place == pytest.approx(float(circles[1]))


def test_periods_stand_at_their_dates():
    assert day_numbers(["2026-01", "2026-02", "2026-04"]) == [0, 31, 90]
    assert day_numbers(["2026-W01", "2026-W03"]) == [0, 14]
    assert day_numbers(["2025", "2026"]) == [0, 365]
    assert day_numbers(["spring", "autumn"]) == []
    assert "2026-04" in drawn(["2026-01", "2026-02", "2026-04"], [], kind="time")


def test_limits_follow_the_precision_of_each_run_and_name_the_runs_outside():
    history = [
        RunPoint(
            run=f"run {k + 1}",
            measure="krippendorff_alpha",
            layer="stance",
            value=0.76 if k == 8 else 0.64 + 0.01 * (-1) ** k,
            interval=(0.6, 0.68) if k % 2 else (0.62, 0.66),
            started=f"2026-02-{k + 1:02}T09:00:00+00:00",
        )
        for k in range(9)
    ]
    results = samples.typical().model_copy(update={"history": history, "drift": []})
    html = render(results)
    drift = html[html.index('<section id="drift"') :]
    drift = drift[: drift.index("</section>")]
    assert "Outside the limits: run 9." in drift
    assert "control limits" in drift
    [upper, _] = re.findall(r'<path class="limit" d="M([^"]+)"', drift)
    heights = {point.split()[1] for point in upper.split("L")}
    assert len(heights) == 3  # of precise runs, of imprecise ones, and of the present one


def test_a_version_of_the_guideline_begins_with_its_first_run_else_with_its_batch():
    batches = [
        Batch(name="pilot", guideline="1.0", first="2026-02-01T10:00:00"),
        Batch(name="main", guideline="1.1", first="2026-03-04T10:00:00"),
    ]
    runs = [("2026-02-09", "1.0"), ("2026-03-09", "1.0"), ("2026-03-16", "1.2")]
    found = events_of(SAY, [Note(date="2026-03-10", text="a new annotator")], batches, runs)
    assert [(one.mark, one.date[:10], one.text) for one in found] == [
        ("A", "2026-03-04", "guideline 1.1"),
        ("B", "2026-03-10", "a new annotator"),
        ("C", "2026-03-16", "guideline 1.2"),
    ]
