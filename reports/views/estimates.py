"""What the corpus contains: shares from a system's labels corrected by a human audit.

Like the scores of systems it is separate from agreement; the agreement of the humans of the audit
is stated beside the estimates.
"""

from __future__ import annotations

import math

from ..columns import interval, number, text
from ..estimates import (
    about_sentences,
    difference_sentence,
    drift_sentence,
    level_text,
    share_columns,
    system_sentences,
    textbook_columns,
    textbook_refusal,
    textbook_rows,
)
from ..figures.three_shares import SOURCES, ThreeShares, source_key, three_shares
from ..page.blocks import Block, Figure, Fold, LegendEntry, Prose, Section, Table
from ..page.page import Page, blocks_by_layer
from ..page.tables import table
from ..results import CorpusEstimates, JudgeDrift, SystemEstimates
from ..warnings import reason_text

MOST_DRAWN = 16  # categories, the most frequent ones by the system's labels


def estimates_section(page: Page) -> Section | None:
    say = page.say
    blocks = blocks_by_layer(page, page.results.estimates, _layer_blocks)
    if not blocks:
        return None
    lead = Prose(say("estimates.wall"), "lead")
    inside = _shown_when_closed(page)
    return Section("estimates", say("estimates.title"), [lead, *blocks], css="apart", inside=inside)


def _shown_when_closed(page: Page) -> str:
    """Return the corrected share that differs most from the share by the system alone."""
    say = page.say
    found = [
        (abs(share.value - share.naive), system.system, share)
        for one in page.results.estimates
        for system in one.systems
        for share in system.shares
        if math.isfinite(share.value)
    ]
    if not found:
        return say("estimates.inside_nothing")
    _, system, share = max(found, key=lambda one: one[0])
    return say(
        "estimates.inside",
        category=share.category,
        system=system,
        value=say.number(share.value),
        interval=say.interval(share.interval),
        naive=say.number(share.naive),
    )


def _layer_blocks(page: Page, found: CorpusEstimates) -> list[Block]:
    say = page.say
    blocks: list[Block] = [Prose(" ".join(about_sentences(say, found)))]
    for one in found.systems:
        blocks.append(Prose(" ".join(system_sentences(say, one, found.level))))
        if one.shares:
            blocks += [_share_figure(page, found, one), _share_table(page, found, one)]
        blocks += _textbook_blocks(page, one)
        for drift in one.drift:
            blocks.append(Prose(drift_sentence(say, one.system, drift)))
            blocks.append(_drift_fold(page, found, one, drift))
    differences = [difference_sentence(say, one, found.level) for one in found.differences]
    return [*blocks, *map(Prose, differences)]


def _share_figure(page: Page, found: CorpusEstimates, one: SystemEstimates) -> Figure:
    say = page.say
    shown = sorted(one.shares, key=lambda share: -share.naive)[:MOST_DRAWN]
    rows = [
        ThreeShares(
            share.category,
            share.humans,
            share.humans_interval,
            share.naive,
            share.value,
            share.interval,
        )
        for share in shown
    ]
    caption = say(
        "estimates.figure", system=one.system, level=level_text(say, found.level_of_shares)
    )
    svg = three_shares(
        rows,
        axis_title=say("estimates.axis"),
        say=say,
    ).named(page.identifier("estimates"), say("estimates.shares", system=one.system), caption)
    legend = [LegendEntry(source_key(name), say(f"estimates.{name}")) for name in SOURCES]
    return Figure(svg, caption, legend=legend)


def _share_table(page: Page, found: CorpusEstimates, one: SystemEstimates) -> Table:
    caption = page.say("estimates.shares", system=one.system)
    return table(
        page.say, caption, one.shares, *share_columns(page.say, found, one), css="sortable"
    )


def _textbook_blocks(page: Page, one: SystemEstimates) -> list[Block]:
    say, (rows, n_refused) = page.say, textbook_rows(one)
    inside: list[Block] = []
    if rows:
        inside.append(table(say, say("estimates.textbook"), rows, *textbook_columns(say)))
    if n_refused:
        inside.append(Prose(textbook_refusal(say, one), "note"))
    return [Fold(say("estimates.textbook"), inside)] if inside else []


def _drift_fold(
    page: Page, found: CorpusEstimates, one: SystemEstimates, drift: JudgeDrift
) -> Fold:
    """Show the shares of each part, corrected by the audit of this part."""
    say = page.say
    rows = [(part, *share) for part in drift.parts for share in part.shares.items()]
    caption = say(f"estimates.by_{drift.kind}", system=one.system)
    level = say("estimates.interval", level=level_text(say, found.level_of_shares))
    shown = table(
        say, caption, rows,
        text(say(f"estimates.{drift.kind}"), lambda row: row[0].name),
        text(say("estimates.category"), lambda row: row[1]),
        number(say("estimates.n_items"), lambda row: row[0].n_items),
        number(say("estimates.n_audited"), lambda row: row[0].n_audited),
        number(say("estimates.naive"), lambda row: row[2].naive),
        number(say("estimates.corrected"), lambda row: row[2].value),
        interval(level, lambda row: row[2].interval),
        text(
            say("estimates.no_value"),
            lambda row: reason_text(say, row[2].reason),
            when=any(row[2].reason for row in rows),
        ),
        css="sortable",
    )  # fmt: skip
    return Fold(caption, [shown])
