"""Resampling: how much of the majority's labels would change with fewer annotators."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...metrics.fewest_annotators import fewest_annotators
from ..columns import interval, number, text
from ..figures.curve import Point, curve
from ..page.blocks import Block, Figure, Fold, Prose, Section, Table
from ..page.page import Page, blocks_by_layer
from ..page.tables import table
from ..page.values import interval_heading, symbol_of, value_cell
from ..results import ModificationPoint, ReadingTable, Resampling
from ..warnings import reason_text

TIES = ("random", "nearest_mean", "abstain")
MANY_TIES = 0.5  # share of the items: above it M(k) mostly reflects how ties are broken


def resampling_section(page: Page) -> Section | None:
    blocks = blocks_by_layer(page, page.results.resampling, _study_blocks)
    studies = page.results.resampling
    inside = _sentence(page, studies[0]) if studies else ""
    return page.section("resampling", blocks, lead=page.say("resampling.lead"), inside=inside)


def reading_table_blocks(page: Page, table: ReadingTable) -> list[Block]:
    """Show the reading table of a campaign: its sentence, its rows, the sufficient annotators."""
    say = page.say
    known = [p for p in table.points if math.isfinite(p.modification_rate)]
    caption, symbol = say("reading.table", layer=table.layer), rate_symbol(table.n_reference)
    lead = say(
        "reading.table_lead",
        symbol=symbol_of(say, table.measure),
        value=say.number(table.value),
        n=say.integer(table.n_reference),
        m=symbol,
    )
    blocks: list[Block] = [Prose(lead)]
    if known:
        blocks.append(_curve_figure(page, table.points, caption, lead, table.signature, symbol))
    rates = ((p.k, p.modification_rate) for p in known)
    enough = fewest_annotators(rates, n_reference=table.n_reference)
    half, n = table.n_reference // 2, say.integer(table.n_reference)
    words = (
        say("reading.not_enough", half=say.counted("annotator", half), n=n)
        if enough is None
        else say("reading.enough", k=say.counted("annotator", enough))
    )
    note = f"{words} {say('reading.trials', n=say.integer(table.trials))}"
    if table.ties == "abstain":
        note += " " + say("reading.tied", m=symbol)
    rows = _points_table(page, table.points, caption, symbol)
    return [*blocks, Prose(note, "note"), Fold(say("alignments.as_table"), [rows])]


def _study_blocks(page: Page, study: Resampling) -> list[Block]:
    say = page.say
    symbol = rate_symbol(study.n_counted)
    is_known = any(math.isfinite(p.modification_rate) for p in study.points)
    blocks: list[Block] = [_figure(page, study) if is_known else Prose(_sentence(page, study))]
    caption = say("resampling.table")
    blocks.append(
        _points_table(page, study.points, caption, symbol, study.level, study.prevalent or "")
    )
    if len(study.by_category) > 1:
        blocks.append(_category_table(page, study))
    if study.ties in TIES:
        note = say(f"resampling.ties_{study.ties}", m=symbol)
        whole = [p for p in study.points if p.k == study.n_counted and p.modification_rate > 0]
        rates = {p.k: p.modification_rate for p in study.points}
        if any(k % 2 == 0 and rate > rates.get(k - 1, math.inf) for k, rate in rates.items()):
            note += " " + say("resampling.rises", m=symbol)
        if whole:
            note += " " + say("resampling.whole", m=symbol, n=say.integer(study.n_counted))
        if study.draw == "annotators" and study.labels_per_item < study.n_annotators:
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
    say, first = page.say, study.reliability[0]
    coefficient = symbol_of(say, str(first.detail.of))
    return table(
        say, say("resampling.reliability_table"), study.reliability,
        number(say("resampling.axis_k"), lambda value: int(value.detail.k)),
        number(
            say("resampling.reliability", symbol=coefficient),
            lambda value: value_cell(
                page, value, about=f"{study.layer}, k = {int(value.detail.k)}"
            ),
        ),
        interval(interval_heading(say, first.confidence_level), lambda value: value.interval),
        number(say("table.items"), lambda value: value.n_items),
        note=say("resampling.reliability_note"),
    )  # fmt: skip


def _sentence(page: Page, study: Resampling) -> str:
    say = page.say
    known = [p for p in study.points if math.isfinite(p.modification_rate)]
    # With more than half of them, few labels change by construction.
    before_last = [p for p in known if p.k <= max(1, study.n_counted // 2)]
    if not before_last:
        return say("resampling.undefined", m=rate_symbol(study.n_counted))
    point = before_last[-1]
    said = [
        say(
            f"resampling.sentence_{study.draw}",
            k=say.counted(study.draw.removesuffix("s"), point.k),
            n=say.integer(study.n_counted),
            rate=say.percent(point.modification_rate),
            items=say.counted("item", study.n_items),
        )
    ]
    if point.unlabelled > 0:
        said.append(say("resampling.unlabelled_sentence", share=say.percent(point.unlabelled)))
    if study.prevalent is not None and math.isfinite(point.of_others):
        rate = say.percent(point.of_others)
        said.append(say("resampling.others", category=study.prevalent, rate=rate))
    return " ".join(said)


def rate_symbol(n_annotators: int) -> str:
    """M with the number of annotators of the whole reference, which tells one M(k) from another."""
    return f"M{str(n_annotators).translate(_SUBSCRIPTS)}"


_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def _category_table(page: Page, study: Resampling) -> Table:
    say, symbol = page.say, rate_symbol(study.n_counted)
    k = say.counted(study.draw.removesuffix("s"), study.k)
    return table(
        say, say("resampling.by_category", m=symbol, k=k), study.by_category,
        text(say("resampling.category"), lambda one: one.category),
        number(f"{symbol}({study.k})", lambda one: one.modification_rate, "%"),
        number(say("resampling.reference_items"), lambda one: one.n_items, say.integer),
        css="sortable",
    )  # fmt: skip


def _figure(page: Page, study: Resampling) -> Figure:
    say = page.say
    symbol = rate_symbol(study.n_counted)
    caption = f"{_sentence(page, study)} {say('resampling.figure', m=symbol)}"
    return _curve_figure(page, study.points, caption, caption, study.signature, symbol)


def _curve_figure(
    page: Page,
    found: Sequence[ModificationPoint],
    caption: str,
    description: str,
    signature: str,
    symbol: str,
) -> Figure:
    say = page.say
    points = [Point(p.k, p.modification_rate, p.interval[0], p.interval[1]) for p in found]
    few = len(points) <= 12
    svg = curve(
        points,
        x_title=say("resampling.axis_k"),
        y_title=f"{symbol}(k)",
        say=say,
        x_ticks=[p.x for p in points] if few else None,
        y_percent=True,
    ).named(page.identifier("f"), caption, description)
    return Figure(svg, caption, signature=signature)


def _points_table(
    page: Page,
    points: Sequence[ModificationPoint],
    caption: str,
    symbol: str,
    level: float = 0.95,
    prevalent: str = "",
) -> Table:
    say = page.say
    weighted = any(math.isfinite(p.weighted) for p in points)
    level_heading = interval_heading(say, level)
    return table(
        say, caption, points,
        number(say("resampling.axis_k"), lambda p: p.k),
        number(f"{symbol}(k)", lambda p: p.modification_rate, "%"),
        interval(level_heading, lambda p: p.interval, "%"),
        number(
            say("resampling.unlabelled"),
            lambda p: p.unlabelled,
            "%",
            when=any(p.unlabelled > 0 for p in points),
        ),
        number(
            say("resampling.without", m=symbol, category=prevalent),
            lambda p: p.of_others,
            "%",
            when=any(math.isfinite(p.of_others) for p in points),
        ),
        number(say("reading.weighted", m=symbol), lambda p: p.weighted, "%", when=weighted),
        interval(level_heading, lambda p: p.weighted_interval, "%", when=weighted),
        text(
            say("resampling.remark"),
            lambda p: reason_text(say, p.reason),
            when=any(p.reason for p in points),
        ),
    )  # fmt: skip
