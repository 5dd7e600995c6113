"""Resampling: how much of the majority's labels would change with fewer annotators."""

from __future__ import annotations

import math

from reports.figures.curve import Point, curve
from reports.results import Resampling
from reports.views.blocks import Block, Cell, Figure, Prose, Section, Table
from reports.views.page import Page, folded_table
from reports.views.values import explained, number_cell, percent_interval

TIES = ("random", "nearest_mean", "abstain")


def resampling_section(page: Page) -> Section | None:
    say = page.say
    blocks: list[Block] = []
    for study in page.results.resampling:
        if len(page.results.resampling) > 1:
            blocks.append(page.heading(study.layer))
        blocks += _study(page, study)
    if not blocks:
        return None
    return Section("resampling", say("resampling.title"), blocks, lead=say("resampling.lead"))


def _study(page: Page, study: Resampling) -> list[Block]:
    say = page.say
    blocks: list[Block] = [Prose(_sentence(page, study))]
    if any(math.isfinite(p.modification_rate) for p in study.points):
        blocks.append(_figure(page, study))
    blocks.append(_table(page, study))
    if study.ties in TIES:
        blocks.append(Prose(say(f"resampling.ties_{study.ties}"), "note"))
    return blocks


def _sentence(page: Page, study: Resampling) -> str:
    say = page.say
    known = [p for p in study.points if math.isfinite(p.modification_rate)]
    before_last = [p for p in known if p.k < study.n_annotators]
    if not before_last:
        return say("resampling.undefined")
    point = before_last[-1]
    return say(
        "resampling.sentence",
        k=say.counted("annotator", point.k),
        n=say.integer(study.n_annotators),
        rate=say.percent(point.modification_rate),
        items=say.counted("item", study.n_items),
    )


def _figure(page: Page, study: Resampling) -> Figure:
    say = page.say
    points = [Point(p.k, p.modification_rate, p.interval[0], p.interval[1]) for p in study.points]
    few = len(points) <= 12
    svg = curve(
        points,
        x_title=say("resampling.axis_k"),
        y_title="M(k)",
        identifier=page.identifier("f"),
        title=say("resampling.figure"),
        description=_sentence(page, study),
        say=say,
        x_ticks=[p.x for p in points] if few else None,
        y_percent=True,
    )
    return Figure(svg, say("resampling.figure"), signature=study.signature)


def _table(page: Page, study: Resampling) -> Table:
    say = page.say
    rows = [
        [
            number_cell(say, p.k),
            Cell(
                text=say.percent(p.modification_rate),
                kind="number",
                sort=p.modification_rate if math.isfinite(p.modification_rate) else -1,
            ),
            Cell(text=percent_interval(say, p.interval) or "–", kind="number"),
            Cell(text=explained(say, p.reason)[0] if p.reason else "–"),
        ]
        for p in study.points
    ]
    columns = [
        Cell(text=say("resampling.axis_k"), kind="number"),
        Cell(text="M(k)", kind="number"),
        Cell(text=say("table.interval"), kind="number"),
        Cell(text=say("resampling.remark")),
    ]
    return folded_table(page, say("resampling.table"), columns, rows)
