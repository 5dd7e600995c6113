"""The curves of a study as figures and as tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby

import numpy as np

from ...metrics.measures import MEASURES
from ..columns import each, interval, number
from ..figures.curve import Level, Point, curve, value_range
from ..page.blocks import Block, Cell, Figure, Table
from ..page.page import Page
from ..page.tables import table
from ..page.values import measure_name, symbol_of
from .settings import part_label, part_sentence
from .study_results import StudyCurve, StudyPart

RATES = ("modification_rate", "coverage")


def symbol_or_name(page: Page, key: str) -> str:
    """Return a measure's symbol or a degradation's name."""
    say = page.say
    if say.knows(f"degradation.{key}"):
        return say(f"degradation.{key}")
    return symbol_of(say, key) if key in MEASURES else key.replace("_", " ")


def name_on_axis(page: Page, one: StudyCurve) -> str:
    """Return the measure's name if others share its symbol: κ of Cohen and of Fleiss."""
    return (
        measure_name(page.say, one.y) if one.name == "simulation" else symbol_or_name(page, one.y)
    )


def shared_range(curves: Sequence[StudyCurve], *levels: float) -> tuple[float, float]:
    """Return the vertical axis of curves to be compared; all coefficients share one scale."""
    points = [p for one in curves for p in one.points]
    bounds = [v for p in points for v in (p.low, p.high) if math.isfinite(v)]
    ends = np.quantile(bounds, (0.1, 0.9)).tolist() if bounds else []  # Aickin's α has no bound
    return value_range(*(p.y for p in points), *ends, *levels)


def caption_of(page: Page, one: StudyCurve) -> str:
    say = page.say
    match one.name:
        case "exact":
            return say("study.figure_exact", over=say(f"study.over_{one.spread}"))
        case "own":
            return say("study.figure_own", measure=symbol_or_name(page, one.x_name))
        case "by_coefficient":
            return say(
                "study.figure_by_coefficient", k=one.k, measure=symbol_or_name(page, one.x_name)
            )
        case "grid":
            return say(
                "study.figure_grid",
                measure=symbol_or_name(page, one.y),
                degradation=symbol_or_name(page, one.x_name),
            )
        case "simulation":
            alone = "" if any(math.isfinite(p.low) for p in one.points) else "_alone"
            return say(f"study.figure_simulation{alone}", measure=name_on_axis(page, one))
        case name:
            return say(f"study.figure_{name}")


def figure_of(
    page: Page,
    one: StudyCurve,
    *,
    observed: float = math.nan,
    y_range: tuple[float, float] | None = None,
) -> Figure:
    """Draw one curve.

    observed  the campaign's own value, drawn as a level
    y_range   axis shared with the curves beside it
    """
    say = page.say
    caption = caption_of(page, one)
    is_rate = one.y in RATES
    points = [
        Point(p.x, p.y, p.low if is_rate else max(p.low, -1.0), p.high)  # Aickin's α has no bound
        for p in one.points
    ]
    ks = [p.x for p in points]
    svg = curve(
        points,
        x_title=x_title(page, one),
        y_title=_y_title(page, one),
        say=say,
        x_ticks=ks if one.x == "k" and len(ks) <= 12 else None,
        y_percent=is_rate,
        marks=[(one.rises_from, say("study.rises_mark"))] if math.isfinite(one.rises_from) else [],
        y_range=None if is_rate else y_range or shared_range([one], observed),
        levels=[Level(observed, say("reading.yours", symbol="", value=say.number(observed)))]
        if math.isfinite(observed)
        else [],
    ).named(page.identifier("f"), caption, _description(page, one))
    return Figure(svg, caption)


def x_title(page: Page, one: StudyCurve) -> str:
    if one.x == "k":
        return page.say("study.axis_k")
    if one.x == "coefficient":
        return symbol_or_name(page, one.x_name)
    if one.x == "categories":
        return page.say("study.axis_categories")
    if one.x == "share":
        return page.say("study.axis_share", category=one.x_name)
    return page.say("reading.magnitude_shift" if one.x_name == "shift" else "reading.magnitude")


def _y_title(page: Page, one: StudyCurve) -> str:
    if one.name == "model":
        return page.say("study.change")
    if one.y == "coverage":
        return page.say("study.coverage")
    if one.y == "modification_rate":
        return f"M({one.k})" if one.k else "M(k)"
    return name_on_axis(page, one)


def _description(page: Page, one: StudyCurve) -> str:
    say = page.say
    known = [p for p in one.points if math.isfinite(p.y)]
    if not known:
        return say("value.undefined")
    shown = say.percent if one.y in RATES else say.number
    return say(
        "study.description",
        y=_y_title(page, one),
        first=shown(known[0].y),
        start=_format_x_value(page, one, known[0].x),
        last=shown(known[-1].y),
        end=_format_x_value(page, one, known[-1].x),
    )


def _format_x_value(page: Page, one: StudyCurve, x: float) -> str:
    return page.say.integer(x) if one.x in ("k", "categories") else page.say.plain(x, 2)


def tables_of(page: Page, part: StudyPart) -> list[Block]:
    """Return one table per curve; curves over one coefficient share a table, one column per k."""
    blocks: list[Block] = [
        _points_table(page, part, one) for one in part.curves if one.name != "by_coefficient"
    ]
    over = [one for one in part.curves if one.name == "by_coefficient"]
    for measure, curves in groupby(over, key=lambda one: one.x_name):
        blocks.append(_bins_table(page, part, measure, list(curves)))
    return blocks


def caption_with_part_if_several(page: Page, part: StudyPart, caption: str) -> str:
    """Return the caption of a table, with the part's name if there are several parts."""
    return part_sentence(page.say, part_label(page.say, part), caption)


def _points_table(page: Page, part: StudyPart, one: StudyCurve) -> Table:
    say = page.say
    shape = "%" if one.y in RATES else ""
    return table(
        say, caption_with_part_if_several(page, part, caption_of(page, one)), one.points,
        number(x_title(page, one), lambda p: p.x, lambda x: _format_x_value(page, one, x)),
        number(_y_title(page, one), lambda p: p.y, shape),
        number(
            say("study.column_sd"),
            lambda p: p.sd,
            shape,
            when=any(math.isfinite(p.sd) for p in one.points),
        ),
        interval(
            say("study.column_mean_interval"),
            lambda p: (p.mean_low, p.mean_high),
            shape,
            when=any(math.isfinite(p.mean_low) for p in one.points),
        ),
        interval(
            say("study.column_all_interval"),
            lambda p: (p.all_low, p.all_high),
            shape,
            when=any(math.isfinite(p.all_low) for p in one.points),
        ),
        *(
            [interval(say(f"study.band_{one.spread}"), lambda p: (p.low, p.high), shape)]
            if one.spread
            else []
        ),
        number(
            say("study.n_subsets" if one.spread == "subsets" else "study.trials_axis"),
            lambda p: p.n,
            when=any(p.n for p in one.points),
        ),
    )  # fmt: skip


def _bins_table(page: Page, part: StudyPart, measure: str, curves: Sequence[StudyCurve]) -> Table:
    say = page.say
    symbol = symbol_or_name(page, measure)
    alone = len({tuple(p.n for p in one.points) for one in curves}) == 1
    by_x = [{p.x: p for p in one.points} for one in curves]
    key = "table_bins" if part.settings.get("kind") == "synthetic" else "table_bins_subsets"

    def rate(k: int, x: float) -> Cell | None:
        p = by_x[k].get(x)
        if p is None:
            return None
        sd = f" ± {say.percent(p.sd)}" if math.isfinite(p.sd) else ""  # one trial has none
        n = "" if alone else f" ({say.integer(p.n)})"
        return Cell(f"{say.percent(p.y)}{sd}{n}", kind="number", sort=p.y)

    return table(
        say,
        caption_with_part_if_several(page, part, say(f"study.{key}", measure=symbol)),
        sorted({x for points in by_x for x in points}),
        number(say("study.bin", measure=symbol), lambda x: x, lambda x: say.plain(x - 0.025, 2)),
        number(say("study.trials_axis"), lambda x: by_x[0][x].n, when=alone),
        *each(range(len(curves)), lambda k: number(f"M({curves[k].k})", lambda x: rate(k, x))),
        n_shown=40,
    )
