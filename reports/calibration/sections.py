"""Sections of a calibration's page: the result, curves, distances, how to reproduce it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal

from ...metrics.results import SettingPoint
from ..columns import interval, number, text
from ..figures.curve import Level, Point, curve, value_range
from ..page.blocks import Block, Bullets, Cell, Code, Facts, Figure, Fold, Grid, Prose, Section
from ..page.page import Page
from ..page.tables import table
from ..views.validation import validation_section
from ..warnings import reason_text
from .calibration_results import CalibrationResults

_SETTINGS = ("alpha", "beta", "delta_empty")
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
        **{key: _setting(page, getattr(found, key)) for key in _SETTINGS},
    )
    gamma = found.present
    value = reason_text(say, gamma.reason) or say.number(gamma.value)
    rows = [(say("calibration.layer"), found.layer)] if found.layer else []
    rows += [
        (say("calibration.documents"), say.integer(found.n_documents)),
        (say("calibration.units"), say.integer(gamma.n_items)),
        (say("calibration.annotators"), say.integer(gamma.n_annotators)),
        (say("calibration.present"), present),
        (say("calibration.gamma"), f"{value} {say.interval(gamma.interval)}".strip()),
    ]
    ranges: list[tuple[str, str]] = [
        (text, say.code)
        for setting, points in found.curves.items()
        if (text := _range(page, setting, points))
    ]
    blocks: list[Block] = [Bullets(ranges)] if ranges else []
    blocks += [Prose(say("calibration.no_best"), "note"), Facts(rows)]
    lead = say("calibration.lead")
    return Section("result", say("calibration.title"), blocks, lead=lead, is_brief=True)


def _range(page: Page, setting: str, points: Sequence[SettingPoint]) -> str:
    """Describe the range of γ over the tried values, and how much of the alignment is stable."""
    say = page.say
    values = [one.gamma.value for one in points if math.isfinite(one.gamma.value)]
    kept = [one.kept.value for one in points if math.isfinite(one.kept.value)]
    if not values:
        return ""
    said = say(
        "calibration.range",
        setting=say(f"calibration.{setting}"),
        first=_setting(page, min(one.value for one in points)),
        last=_setting(page, max(one.value for one in points)),
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
    for setting, points in found.curves.items():
        blocks.append(page.heading(say(f"calibration.{setting}")))
        if say.knows(f"calibration.note_{setting}"):
            blocks.append(Prose(say(f"calibration.note_{setting}")))
        figures = [_figure(page, setting, points, "gamma", level=found.present.value)]
        if all(one.kept.value == 1 for one in points):
            blocks.append(Prose(say("calibration.same_alignment")))
        else:
            figures.append(_figure(page, setting, points, "aligned"))
            figures.append(_figure(page, setting, points, "kept"))
        own = float(getattr(found, setting))
        blocks += [Grid(figures), _table(page, setting, points, own)]
    blocks.append(Prose(say("calibration.kept_is"), "note"))
    return Section("curves", say("calibration.curves"), blocks)


def _figure(
    page: Page,
    setting: str,
    points: Sequence[SettingPoint],
    what: Literal["gamma", "aligned", "kept"],
    *,
    level: float = math.nan,
) -> Figure:
    say = page.say
    is_share = what != "gamma"
    shown: Callable[[float], str] = say.percent if is_share else say.number
    y_title = say(f"calibration.{what}") if is_share else "γ"
    caption = say(f"calibration.figure_{what}")
    shares = [(one.value, getattr(one, what)) for one in points]
    drawn = [
        Point(x, share.value, max(share.interval[0], -1.0), share.interval[1])
        for x, share in shares
    ]
    known = [point for point in drawn if point.drawn]
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
    svg = curve(
        drawn,
        x_title=say(f"calibration.axis_{setting}"),
        y_title=y_title,
        say=say,
        x_ticks=_ticks([one.value for one in points]),
        y_percent=is_share,
        y_range=value_range(*(v for p in known for v in (p.y, p.low, p.high)), level),
        levels=[Level(level, say("calibration.yours", value=say.number(level)))]
        if math.isfinite(level)
        else [],
        room=_ROOM * (points[-1].value - points[0].value) if math.isfinite(level) else 0.0,
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


def _table(page: Page, setting: str, points: Sequence[SettingPoint], own: float) -> Block:
    say = page.say

    def tried(one: SettingPoint) -> Cell:
        value = _setting(page, one.value)
        words = say("calibration.own", value=value) if one.value == own else value
        return Cell(words, kind="number", sort=one.value)

    return table(
        say, say("calibration.table", setting=say(f"calibration.{setting}")), points,
        number(say(f"calibration.axis_{setting}"), tried),
        number("γ", lambda one: one.gamma.value),
        interval(say("calibration.interval"), lambda one: one.gamma.interval),
        number(say("calibration.aligned"), lambda one: one.aligned.value, "%"),
        interval(say("calibration.interval"), lambda one: one.aligned.interval, "%"),
        number(say("calibration.kept"), lambda one: one.kept.value, "%"),
        interval(say("calibration.interval"), lambda one: one.kept.interval, "%"),
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
                text(say("calibration.pair"), lambda row: f"{row[0].first} – {row[0].second}"),
                number(say("calibration.distance"), lambda row: row[0].distance),
                interval(say("calibration.interval"), lambda row: row[0].interval),
                number(say("calibration.weight"), lambda row: row[0].weight, "1"),
                number(say("calibration.at_present"), lambda row: row[1], "2"),
            )
        )
    else:
        blocks.append(Prose(say("calibration.none")))
    if found.unseen:
        blocks.append(Prose(say("calibration.unseen", names=say.listed(list(found.unseen)))))
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
