"""Disagreements for a guideline meeting, the most costly first."""

from __future__ import annotations

from ..page.blocks import Block, DisagreementBlock, Fold, Prose, Section
from ..page.page import Page
from ..quota import most_costly
from ..results import Disagreement

N_OPEN = 8
N_SHOWN = 60


def disagreements_section(page: Page) -> Section | None:
    say, found = page.say, page.results.disagreements
    if not found:
        return None
    ordered = most_costly(found, N_SHOWN)
    cards = [_card(page, disagreement) for disagreement in ordered]
    blocks: list[Block] = list(cards[:N_OPEN])
    if cards[N_OPEN:]:
        n = say.integer(len(cards) - N_OPEN)
        blocks.append(Fold(say("disagreements.fold", n=n), cards[N_OPEN:]))
    if len(found) > len(ordered):
        n = say.integer(len(found) - len(ordered))
        blocks.append(Prose(say("disagreements.more", n=n), "note"))
    lead = say("disagreements.lead_private" if page.is_private else "disagreements.lead")
    return Section("disagreements", say("disagreements.title"), blocks, lead=lead)


def _card(page: Page, disagreement: Disagreement) -> DisagreementBlock:
    say = page.say
    place = [disagreement.document, disagreement.where, disagreement.layer]
    said = [
        (annotator, category or say("disagreements.nothing"))
        for annotator, category in disagreement.said.items()
    ]
    cost = say("disagreements.cost", cost=say.number(disagreement.cost, 2))
    where = " · ".join(part for part in place if part)
    start, end = disagreement.marked
    text = disagreement.context
    context = (text[:start], text[start:end], text[end:])
    return DisagreementBlock(where, cost, context, page.own_language, said)
