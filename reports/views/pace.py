"""How fast annotators worked, and whether their pace drifts within sessions."""

from __future__ import annotations

from ..columns import number, text
from ..page.blocks import Block, Prose, Section
from ..page.page import Page
from ..page.tables import table

_N_NAMED = 6  # annotators named beside the title


def pace_section(page: Page) -> Section | None:
    say = page.say
    paces = page.results.paces
    blocks: list[Block] = []
    for one in paces:
        if one.drifts:
            key = "pace.faster" if one.last < one.first else "pace.slower"
            seconds = {"first": say.integer(one.first), "last": say.integer(one.last)}
            blocks.append(Prose(say(key, name=one.annotator, **seconds), "warning"))
    if paces:
        blocks.append(
            table(
                say,
                say("pace.table"),
                paces,
                text(say("pace.annotator"), lambda one: one.annotator),
                number(say("pace.documents"), lambda one: one.n_documents),
                number(say("pace.sessions"), lambda one: one.n_sessions),
                number(say("pace.median"), lambda one: one.median, say.integer),
                number(say("pace.first"), lambda one: one.first, say.integer),
                number(say("pace.last"), lambda one: one.last, say.integer),
                number(say("pace.p"), lambda one: one.p_value, say.p_value),
                note=say("pace.note"),
                css="sortable",
            )
        )
    medians = [f"{one.annotator} {say.integer(one.median)}" for one in paces]
    inside = say("pace.inside", medians=say.semicolon_list(medians[:_N_NAMED])) if medians else ""
    return page.section("pace", blocks, inside=inside)
