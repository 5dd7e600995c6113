"""Drift: main values over runs, batches and time, on a control chart.

Control limits do not raise alerts; paired tests do (`tasks.reporting.drift_between_runs`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...metrics.estimate import Estimate
from ..columns import interval, number, text
from ..figures.curve import Level
from ..page.blocks import Block, Cell, Figure, Fold, Grid, Section, Table
from ..page.page import Page
from ..page.tables import table
from ..page.values import interval_heading, symbol_of
from ..results import Drift, ItemAgreement, RunPoint, UnitAgreement
from .control_limits import N_LIMITS, control_limits
from .series import Event, events_of, events_table, series_figure, standard_errors
from .trend import point_name

KINDS = ("run", "batch", "time")


def drift_section(page: Page) -> Section | None:
    say = page.say
    series: dict[tuple[str, str, str], list[RunPoint]] = {}
    for point in page.results.history:
        series.setdefault((point.kind, point.measure, point.layer), []).append(point)
    figures: list[Block] = []
    events = _dated_changes(page)
    tables: list[Block] = []
    for (kind, measure, layer), points in series.items():
        name = say(f"drift.{kind}") if kind in KINDS else kind
        caption = say("drift.caption", symbol=symbol_of(say, measure), layer=layer, kind=name)
        whole = [*points, *_current(page, kind, measure, layer)]
        if any(math.isfinite(point.value) for point in whole):
            figures.append(_figure(page, whole, len(points), caption, events))
        tables.append(_table(page, whole, caption))
    if not tables:
        return None
    blocks: list[Block] = [_change_table(page)] if page.results.drift else []
    blocks += [Grid(figures), *events_table(page, events)] if figures else []
    blocks.append(Fold(say("drift.tables"), tables))
    return page.section("drift", blocks, lead=say("drift.lead"), is_open=True)


def _dated_changes(page: Page) -> list[Event]:
    campaign, run = page.results.campaign, page.results.run
    runs = [(p.started, p.guideline) for p in page.results.history if p.kind == "run"]
    runs.append((run.started, campaign.guideline))
    return events_of(page.say, campaign.notes, page.results.batches, runs)


def _change_table(page: Page) -> Table:
    """Show each main value against earlier runs, with its paired interval and its alerts."""
    say = page.say

    def value(one: Drift) -> str:
        return ", ".join(part for part in (symbol_of(say, one.measure), one.layer) if part)

    def state(one: Drift) -> Cell:
        if one.fell or one.is_falling:
            return Cell(say("drift.alert"), kind="fail")
        is_below = one.interval[1] < 0 or one.slope_interval[1] < 0
        return Cell(say("drift.no_alert_below" if is_below else "drift.no_alert"), kind="text")

    return table(
        say, say("drift.changes"), page.results.drift,
        text(say("drift.column_value"), value),
        text(
            say("drift.column_since"),
            lambda one: say("drift.of_run", n=one.since.removeprefix("run ")),
        ),
        number(say("drift.column_difference"), lambda one: one.difference, "+"),
        interval(say("drift.column_interval"), lambda one: one.interval, "+"),
        number(say("drift.column_slope"), lambda one: one.slope if one.n_runs else None, "+"),
        interval(say("drift.column_interval"), lambda one: one.slope_interval, "+"),
        text(say("drift.column_state"), state),
        note=say("drift.note"),
    )  # fmt: skip


def _current(page: Page, kind: str, measure: str, layer: str) -> list[RunPoint]:
    """Return the present run's value, to follow the history, which holds only earlier ones."""
    if kind != "run":
        return []
    layers: list[ItemAgreement | UnitAgreement] = [*page.results.items, *page.results.units]
    values: list[Estimate] = [
        value
        for agreement in layers
        if agreement.layer == layer
        for value in agreement.values
        if value.measure == measure
    ]
    for relations in page.results.relations:
        if relations.layer == layer:
            values += [one.value for one in relations.values if f"relation_{one.name}" == measure]
            values += relations.chains[:1] if measure == "chain_alpha" else []
    return [
        RunPoint(
            run=page.say("drift.now"),
            measure=measure,
            layer=layer,
            value=value.value,
            interval=value.interval,
            level=value.confidence_level,
            started=page.results.run.started,
            guideline=page.results.campaign.guideline,
        )
        for value in values[:1]
    ]


def _figure(
    page: Page,
    whole: Sequence[RunPoint],
    n_earlier: int,
    caption: str,
    events: Sequence[Event],
) -> Figure:
    say = page.say
    gate, alert = _gate_levels(page, whole[0]), _fall_within_run(page, whole)
    limits = control_limits([p.value for p in whole], standard_errors(whole), n_earlier)
    if limits is None:
        remark = f"{alert} {say('drift.no_limits', n=say.integer(N_LIMITS))}".strip()
        return series_figure(page, whole, caption, events=events, levels=gate, remark=remark)
    outside = [
        point_name(say, point)
        for point, (low, high) in zip(whole, limits.bounds, strict=True)
        if point.value < low or point.value > high
    ]
    remark = say("drift.outside", runs=say.listed(outside)) if outside else say("drift.inside")
    remark = f"{alert} {remark}".strip()
    levels = [Level(limits.mean, say("drift.mean"), "level"), *gate]
    return series_figure(
        page, whole, caption, events=events, levels=levels, limits=limits, remark=remark
    )


def _fall_within_run(page: Page, whole: Sequence[RunPoint]) -> str:
    """Return why a fall over batches or periods raises no alert; "" if they do not fall."""
    first, last = whole[0], whole[-1]
    if first.kind == "run" or not last.interval[1] < first.interval[0]:
        return ""
    say = page.say
    return say(
        "drift.within_run",
        first=first.run,
        before=say.number(first.value),
        last=last.run,
        value=say.number(last.value),
    )


def _gate_levels(page: Page, point: RunPoint) -> list[Level]:
    """Return the threshold of the value's quality gate; [] without a gate."""
    say, over = page.say, {"batch": "last batch", "time": "last period"}.get(point.kind)
    return [
        Level(gate.threshold, say("drift.gate", threshold=say.plain(gate.threshold, 2)), "gate")
        for gate in page.results.gates
        if gate.measure == point.measure
        and gate.layer in ("", point.layer)
        and gate.over in ("campaign", over)
        and not gate.of
    ][:1]


def _table(page: Page, points: Sequence[RunPoint], caption: str) -> Table:
    say = page.say
    return table(
        say, caption, reversed(points),
        text(say("drift.point"), lambda point: point_name(say, point)),
        number(say("table.value"), lambda point: point.value),
        interval(interval_heading(say, points[0].level), lambda point: point.interval),
    )  # fmt: skip
