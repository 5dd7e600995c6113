"""Each annotator beside the others, for the lead; pages of annotators are written on request."""

from __future__ import annotations

from collections.abc import Sequence

from ..annotators import lead_columns_in_words, standing_sentence, what_differs
from ..language import Code, Language
from ..page.blocks import Block, Heading, Prose, Section
from ..page.tables import table
from ..results.annotators import AnnotatorCards


def annotator_sections(found: Sequence[AnnotatorCards], language: Code) -> list[Section]:
    """Return the section on annotators, with a table for each layer; [] without cards."""
    if not found:
        return []
    say, blocks = Language(language), list[Block]()
    for one in found:
        if len(found) > 1:
            blocks.append(Heading(one.layer, f"annotators-{len(blocks)}"))
        blocks.append(Prose(standing_sentence(say, one)))
        columns = lead_columns_in_words(say, one)
        blocks.append(table(say, say("annotators.table"), one.cards, *columns, css="sortable"))
    blocks.append(Prose(say("annotators.note"), "note"))
    cards = [card for one in found for card in one.cards]
    n_different = sum(bool(what_differs(say, card)) for card in cards)
    inside = say("annotators.inside", n=say.integer(n_different), all=say.integer(len(cards)))
    lead = say("annotators.lead")
    return [Section("annotators", say("annotators.title"), blocks, lead=lead, inside=inside)]
