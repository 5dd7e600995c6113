"""Resampling: how much of the majority's labels would change with fewer annotators."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from ..figures.curve import Point, curve
from ..page.blocks import (
    Block,
    Cell,
    Figure,
    Fold,
    Prose,
    Section,
    Table,
    measured_cell,
    numeric_cell,
)
from ..page.page import Page, blocks_by_layer, folded_table
from ..page.values import (
    interval_heading,
    interval_text,
    number_cell,
    symbol_of,
    value_cell,
    value_view,
)
from ..results import ModificationPoint, ReadingTable, Resampling
from ..warnings import reason_text

TIES = ("random", "nearest_mean", "abstain")
MANY_TIES = 0.5  # share of the items: above it M(k) mostly reflects how ties are broken


def resampling_section(page: Page) -> Section | None:
    blocks = blocks_by_layer(page, page.results.resampling, _study_blocks)
    return page.section("resampling", blocks, lead=page.say("resampling.lead"))


def reading_table_blocks(page: Page, table: ReadingTable) -> list[Block]:
    """Show the reading table of a campaign: its sentence, its rows, the sufficient annotators."""
    say = page.say
    known = [p for p in table.points if math.isfinite(p.modification_rate)]
    caption = say("reading.table", layer=table.layer)
    lead = say(
        "reading.table_lead",
        symbol=symbol_of(say, table.measure),
        value=say.number(table.value),
        n=say.integer(table.n_reference),
    )
    blocks: list[Block] = [Prose(lead)]
    if known:
        blocks.append(_curve_figure(page, table.points, caption, lead, table.signature))
    enough = fewest_annotators((p.k, p.modification_rate) for p in known)
    words = (
        say("reading.not_enough")
        if enough is None
        else say("reading.enough", k=say.counted("annotator", enough))
    )
    note = f"{words} {say('reading.trials', n=say.integer(table.trials))}"
    rows = _points_table(page, table.points, caption)
    return [*blocks, Prose(note, "note"), Fold(say("alignments.as_table"), [rows])]


def fewest_annotators(rates: Iterable[tuple[int, float]], target: float = 0.05) -> int | None:
    """Return the smallest k from which the rate stays below `target`, or None; rates by k."""
    found = None
    for k, rate in sorted(rates, reverse=True):
        if not rate < target:
            break
        found = k
    return found


def _study_blocks(page: Page, study: Resampling) -> list[Block]:
    say = page.say
    blocks: list[Block] = [Prose(_sentence(page, study))]
    if any(math.isfinite(p.modification_rate) for p in study.points):
        blocks.append(_figure(page, study))
    blocks.append(_points_table(page, study.points, say("resampling.table"), study.level))
    if study.ties in TIES:
        note = say(f"resampling.ties_{study.ties}")
        whole = [p for p in study.points if p.k == study.n_annotators and p.modification_rate > 0]
        rates = {p.k: p.modification_rate for p in study.points}
        if any(k % 2 == 0 and rate > rates.get(k - 1, math.inf) for k, rate in rates.items()):
            note += " " + say("resampling.rises")
        if whole:
            note += " " + say("resampling.whole", n=say.integer(study.n_annotators))
        if study.labels_per_item < study.n_annotators:
            per_item = say.number(study.labels_per_item, 1)
            n = say.integer(study.n_annotators)
            note += " " + say("resampling.per_item", labels=per_item, n=n)
        if study.tied > MANY_TIES:
            note += " " + say("resampling.tied", share=say.percent(study.tied, 0))
        blocks.append(Prose(note, "note"))
    if study.reliability:
        blocks.append(_reliability_table(page, study))
    return blocks


def _reliability_table(page: Page, study: Resampling) -> Table:
    """Show how well k other annotators would reproduce the joint labels of k annotators."""
    say, rows = page.say, []
    for value in study.reliability:
        k = int(value.detail["k"])
        view = value_view(page, value, about=f"{study.layer}, k = {k}")
        items = number_cell(say, value.n_items)
        rows.append([number_cell(say, k), value_cell(view), numeric_cell(view.interval), items])
    coefficient = symbol_of(say, str(study.reliability[0].detail["of"]))
    columns = [
        numeric_cell(say("resampling.axis_k")),
        numeric_cell(say("resampling.reliability", symbol=coefficient)),
        numeric_cell(interval_heading(say, study.reliability[0].level)),
        numeric_cell(say("table.items")),
    ]
    caption = say("resampling.reliability_table")
    return folded_table(page, caption, columns, rows, note=say("resampling.reliability_note"))


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
    return _curve_figure(
        page, study.points, say("resampling.figure"), _sentence(page, study), study.signature
    )


def _curve_figure(
    page: Page,
    found: Sequence[ModificationPoint],
    caption: str,
    description: str,
    signature: str,
) -> Figure:
    say = page.say
    points = [Point(p.k, p.modification_rate, p.interval[0], p.interval[1]) for p in found]
    few = len(points) <= 12
    svg = curve(
        points,
        x_title=say("resampling.axis_k"),
        y_title="M(k)",
        identifier=page.identifier("f"),
        title=caption,
        description=description,
        say=say,
        x_ticks=[p.x for p in points] if few else None,
        y_percent=True,
    )
    return Figure(svg, caption, signature=signature)


def _points_table(
    page: Page, points: Sequence[ModificationPoint], caption: str, level: float = 0.95
) -> Table:
    say = page.say
    weighted = any(math.isfinite(p.weighted) for p in points)
    remarks = any(p.reason for p in points)
    rows = [
        [
            number_cell(say, p.k),
            measured_cell(say.percent(p.modification_rate), p.modification_rate),
            numeric_cell(interval_text(say, p.interval, say.percent) or "–"),
            *(_weighted(page, p) if weighted else []),
            *([Cell(reason_text(say, p.reason) or "–")] if remarks else []),
        ]
        for p in points
    ]
    interval = numeric_cell(interval_heading(say, level))
    columns = [
        numeric_cell(say("resampling.axis_k")),
        numeric_cell("M(k)"),
        interval,
        *([numeric_cell(say("reading.weighted")), interval] if weighted else []),
        *([Cell(say("resampling.remark"))] if remarks else []),
    ]
    return folded_table(page, caption, columns, rows)


def _weighted(page: Page, point: ModificationPoint) -> list[Cell]:
    """Return the rate with changes weighted by the distance of the labels, and its interval."""
    say = page.say
    interval = interval_text(say, point.weighted_interval, say.percent) or "–"
    return [numeric_cell(say.percent(point.weighted), point.weighted), numeric_cell(interval)]
