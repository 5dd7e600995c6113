"""Sections of a calibration's page: the result, curves, distances, how to reproduce it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ..columns import interval, number, text
from ..figures.curve import Level, Point, curve, value_range
from ..page.blocks import Block, Bullets, Cell, Code, Facts, Figure, Fold, Grid, Prose, Section
from ..page.page import Page
from ..page.tables import table
from ..views.validation import validation_section
from ..warnings import reason_text
from .calibration_results import CalibrationResults, SettingCurves, TriedPoint

_ROOM = 0.32  # share of the axis for the label of the present value
_APART = 12  # ticks closer than this share of the axis would overlap


def calibration_sections(page: Page, found: CalibrationResults) -> list[Section]:
    sections = [
        _result_section(page, found),
        _curve_section(page, found),
        _distance_section(page, found) if found.form else None,
        _toml_section(page, found),
        validation_section(page),
        _reproduce_section(page, found),
    ]
    return [section for section in sections if section is not None]


def _result_section(page: Page, found: CalibrationResults) -> Section:
    say = page.say
    present = say(
        "calibration.present_value",
        position=found.position,
        **{key: _setting(page, getattr(found, key)) for key in ("alpha", "beta", "delta_empty")},
    )
    interval = say.interval((found.gamma_low, found.gamma_high))
    value = reason_text(say, found.reason) or say.number(found.gamma)
    rows = [(say("calibration.layer"), found.layer)] if found.layer else []
    rows += [
        (say("calibration.documents"), say.integer(found.n_documents)),
        (say("calibration.units"), say.integer(found.n_units)),
        (say("calibration.annotators"), say.integer(found.n_annotators)),
        (say("calibration.present"), present),
        (say("calibration.gamma"), f"{value} {interval}".strip()),
    ]
    ranges: list[tuple[str, str]] = [
        (text, say.code) for one in found.curves if (text := _range(page, one))
    ]
    blocks: list[Block] = [Bullets(ranges)] if ranges else []
    blocks += [Prose(say("calibration.no_best"), "note"), Facts(rows)]
    lead = say("calibration.lead")
    return Section("result", say("calibration.title"), blocks, lead=lead, is_brief=True)


def _range(page: Page, one: SettingCurves) -> str:
    """Describe the range of γ over the tried values, and how much of the alignment is stable."""
    say = page.say
    values = [point.y for point in one.gamma if math.isfinite(point.y)]
    kept = [point.y for point in one.kept if math.isfinite(point.y)]
    if not values:
        return ""
    said = say(
        "calibration.range",
        setting=say(f"calibration.{one.setting}"),
        first=_setting(page, min(point.x for point in one.gamma)),
        last=_setting(page, max(point.x for point in one.gamma)),
        low=say.number(min(values)),
        high=say.number(max(values)),
    )
    if not kept:
        return said
    if min(kept) == 1:
        return f"{said} {say('calibration.all_kept')}"
    floor = math.floor(1000 * min(kept)) / 1000  # rounded up, 0.9999 would be "at least 100%"
    return f"{said} {say('calibration.range_kept', kept=say.percent(floor))}"


def _curve_section(page: Page, found: CalibrationResults) -> Section:
    say = page.say
    blocks: list[Block] = []
    for one in found.curves:
        blocks.append(page.heading(say(f"calibration.{one.setting}")))
        if say.knows(f"calibration.note_{one.setting}"):
            blocks.append(Prose(say(f"calibration.note_{one.setting}")))
        figures = [_figure(page, one, one.gamma, "gamma", level=found.gamma)]
        if all(point.y == 1 for point in one.kept):
            blocks.append(Prose(say("calibration.same_alignment")))
        else:
            figures.append(_figure(page, one, one.aligned, "aligned"))
            figures.append(_figure(page, one, one.kept, "kept"))
        blocks += [Grid(figures), _table(page, one)]
    blocks.append(Prose(say("calibration.kept_is"), "note"))
    return Section("curves", say("calibration.curves"), blocks)


def _figure(
    page: Page,
    one: SettingCurves,
    points: Sequence[TriedPoint],
    what: str,
    *,
    level: float = math.nan,
) -> Figure:
    say = page.say
    is_share = what != "gamma"
    shown: Callable[[float], str] = say.percent if is_share else say.number
    y_title = say(f"calibration.{what}") if is_share else "γ"
    caption = say(f"calibration.figure_{what}")
    known = [p for p in points if math.isfinite(p.y)]
    description = (
        say(
            "calibration.description",
            y=y_title,
            first=shown(known[0].y),
            start=_setting(page, known[0].x),
            last=shown(known[-1].y),
            end=_setting(page, known[-1].x),
        )
        if known
        else say("value.undefined")
    )
    heights = [v for p in known for v in (p.y, max(p.low, -1.0), p.high)]
    svg = curve(
        [Point(p.x, p.y, max(p.low, -1.0), p.high) for p in points],
        x_title=say(f"calibration.axis_{one.setting}"),
        y_title=y_title,
        say=say,
        x_ticks=_ticks([p.x for p in points]),
        y_percent=is_share,
        y_range=value_range(*heights, level),
        levels=[Level(level, say("calibration.yours", value=say.number(level)))]
        if math.isfinite(level)
        else [],
        room=_ROOM * (one.gamma[-1].x - one.gamma[0].x) if math.isfinite(level) else 0.0,
    ).named(page.identifier("f"), caption, description)
    return Figure(svg, caption)


def _ticks(values: Sequence[float]) -> list[float]:
    """Return the tried values that have room for a label, in descending order."""
    room = (max(values) - min(values)) / _APART
    kept: list[float] = []
    for value in sorted(values, reverse=True):
        if not kept or kept[-1] - value >= room:
            kept.append(value)
    return kept[::-1]


def _table(page: Page, one: SettingCurves) -> Block:
    say = page.say
    rows = [*zip(one.gamma, one.aligned, one.kept, strict=True)]

    def setting(row: tuple[TriedPoint, ...]) -> Cell:
        value = _setting(page, row[0].x)
        words = say("calibration.own", value=value) if row[0].x == one.own else value
        return Cell(words, kind="number", sort=row[0].x)

    return table(
        say, say("calibration.table", setting=say(f"calibration.{one.setting}")), rows,
        number(say(f"calibration.axis_{one.setting}"), setting),
        number("γ", lambda row: row[0].y),
        interval(say("calibration.interval"), lambda row: (row[0].low, row[0].high)),
        number(say("calibration.aligned"), lambda row: row[1].y, "%"),
        interval(say("calibration.interval"), lambda row: (row[1].low, row[1].high), "%"),
        number(say("calibration.kept"), lambda row: row[2].y, "%"),
        interval(say("calibration.interval"), lambda row: (row[2].low, row[2].high), "%"),
    )  # fmt: skip


def _distance_section(page: Page, found: CalibrationResults) -> Section:
    say = page.say
    blocks: list[Block] = []
    if found.distances:
        blocks.append(
            table(
                say,
                say(f"calibration.form_{found.form}"),
                found.distances,
                text(say("calibration.pair"), lambda one: f"{one.first} – {one.second}"),
                number(say("calibration.distance"), lambda one: one.distance),
                interval(say("calibration.interval"), lambda one: (one.low, one.high)),
                number(say("calibration.weight"), lambda one: one.weight, "1"),
                number(say("calibration.at_present"), lambda one: one.at_present, "2"),
            )
        )
    else:
        blocks.append(Prose(say("calibration.none")))
    if found.unseen:
        blocks.append(Prose(say("calibration.unseen", names=say.listed(found.unseen))))
    lead = say("calibration.distances_lead")
    return Section("distances", say("calibration.distances"), blocks, lead=lead)


def _toml_section(page: Page, found: CalibrationResults) -> Section:
    say = page.say
    block = Code(found.toml, page.identifier("c"), say("calibration.toml"))
    lead = say("calibration.toml_lead")
    return Section("toml", say("calibration.toml_title"), [block], lead=lead)


def _reproduce_section(page: Page, found: CalibrationResults) -> Section:
    say = page.say
    blocks: list[Block] = [
        Code(found.run.command, page.identifier("c"), say("study.command")),
        Code("\n".join(found.signatures), page.identifier("c"), say("card.signature")),
        Facts(list(found.run.versions.items())),
    ]
    return Section("reproduce", say("reproduce.title"), [Fold(say("page.unfold"), blocks)])


def _setting(page: Page, value: float) -> str:
    """Format a value of a setting without trailing zeros: 1, 0.25."""
    text = f"{value:.6g}"
    _, mark, decimals = text.partition(".")
    return page.say.plain(value, len(decimals)) if mark and "e" not in text else text
