"""How fast annotators worked, and whether their pace drifts within sessions."""

from __future__ import annotations

import math

from ..page.blocks import Block, Cell, Prose, Section, measured_cell, numeric_cell
from ..page.page import Page, folded_table
from ..page.values import number_cell


def pace_section(page: Page) -> Section | None:
    say = page.say
    paces = page.results.paces
    rows = [
        [
            Cell(one.annotator),
            number_cell(say, one.n_documents),
            number_cell(say, one.n_sessions),
            *(_seconds_cell(page, value) for value in (one.median, one.first, one.last)),
            numeric_cell(
                say.plain(one.p_value, 3) if math.isfinite(one.p_value) else "–", one.p_value
            ),
        ]
        for one in paces
    ]
    columns = [
        Cell(say("pace.annotator")),
        *(numeric_cell(say(f"pace.{name}")) for name in ("documents", "sessions", "median")),
        *(numeric_cell(say(f"pace.{name}")) for name in ("first", "last", "p")),
    ]
    blocks: list[Block] = []
    for one in paces:
        if one.drifts:
            key = "pace.faster" if one.last < one.first else "pace.slower"
            seconds = {"first": say.integer(one.first), "last": say.integer(one.last)}
            blocks.append(Prose(say(key, name=one.annotator, **seconds), "warning"))
    if rows:
        note = say("pace.note")
        blocks.append(
            folded_table(page, say("pace.table"), columns, rows, note=note, css="sortable")
        )
    return page.section("pace", blocks)


def _seconds_cell(page: Page, value: float) -> Cell:
    return measured_cell(page.say.number(value, 0) if math.isfinite(value) else "–", value)
