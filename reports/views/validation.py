"""Validation: results of each expectation, and every rejected row with its file and line."""

from __future__ import annotations

import re

from ..account import account_sentence
from ..columns import code, number, text
from ..page.blocks import Block, Cell, Prose, Section, Table
from ..page.page import Page, relative_link
from ..page.tables import table
from ..results import Expectation, RejectedRow, Validation

_WHAT_THEN = {
    "continue": "validation.go_on",
    "stop": "validation.stop",
    "set_aside": "validation.set_aside",
}


def validation_section(page: Page) -> Section | None:
    validation, say = page.results.validation, page.say
    if validation is None:
        return None
    counts = {
        "rows_in": say.counted("row", validation.rows_in),
        "accepted": say.integer(validation.rows_accepted),
        "rejected": say.integer(validation.rows_rejected),
    }
    adds_up = validation.rows_in == validation.rows_accepted + validation.rows_rejected
    blocks: list[Block] = [
        Prose(
            say("validation.counts" if adds_up else "validation.lost", **counts),
            "" if adds_up else "warning",
        ),
    ]
    if validation.account is not None:
        blocks.insert(
            0, Prose(account_sentence(validation.account, say, rules=not validation.rejected))
        )
    if validation.rows_rejected:
        blocks.append(Prose(say(_WHAT_THEN[validation.on_rejected])))
    if page.is_private:
        blocks.append(Prose(say("validation.private"), "note"))
    if validation.expectations:
        blocks.append(_checked_expectations_table(page, validation))
    if validation.rejected:
        blocks.append(_rejected_row_table(page, validation))
    account = validation.account  # as in the verdict: rows of the exports, not of all tables
    inside = say(
        "validation.inside",
        rows_in=say.counted("row", account.n_read) if account else counts["rows_in"],
        rejected=say.integer(account.n_rejected) if account else counts["rejected"],
        broken=say.integer(sum(not one.passed for one in validation.expectations)),
        n=say.integer(len(validation.expectations)),
    )
    return page.section("validation", blocks, inside=inside)


def _checked_expectations_table(page: Page, validation: Validation) -> Table:
    say = page.say

    def outcome(one: Expectation) -> Cell:
        words = say("validation.held" if one.passed else "validation.broken")
        return Cell(words, kind="pass" if one.passed else "fail")

    return table(
        say,
        say("validation.expectations"),
        sorted(validation.expectations, key=lambda one: one.passed),
        text(say("validation.expectation"), lambda one: _expectation_cell(page, one)),
        text(say("validation.outcome"), outcome),
        code(say("validation.table"), lambda one: one.table),
        number(say("validation.rows"), lambda one: one.n_rows),
        number(say("validation.unexpected"), lambda one: one.n_unexpected),
        text(say("validation.examples"), lambda one: " · ".join(one.examples[:3])),
    )


def _expectation_cell(page: Page, expectation: Expectation) -> Cell:
    """Return the expectation, in the page's language if it is a built-in rule."""
    say = page.say
    for key in (
        f"expectation.{expectation.name}_{expectation.table}",
        f"expectation.{expectation.name}",
    ):
        if say.knows(key):
            said = say(key)
            if expectation.layer:
                said = say("expectation.of_layer", expectation=said, layer=expectation.layer)
            return Cell(said)
    return Cell(expectation.description or expectation.name, language="en")


def _problem_cell(page: Page, row: RejectedRow) -> Cell:
    """Return the problem: in English with its details, else the general message of the rule."""
    say = page.say
    key = f"problem.{row.rule}"
    if (say.code == "en" and row.message) or not say.knows(key):
        return Cell(row.message or "–", language="en")
    return Cell(say(key))


def _where(page: Page, where: str) -> str:
    found = re.fullmatch(r"line (\d+)(?:, column (\d+))?", where)
    if found is None:
        return where or "–"
    n, column = found.groups()
    return (
        page.say("where.line_column", n=n, column=column) if column else page.say("where.line", n=n)
    )


def _rejected_row_table(page: Page, validation: Validation) -> Table:
    say = page.say
    return table(
        say, say("validation.rejected_table"), validation.rejected,
        text(
            say("validation.source"),
            lambda row: Cell(row.source, kind="code", href=relative_link(row.link)),
        ),
        text(say("validation.where"), lambda row: _where(page, row.location)),
        code(say("validation.rule"), lambda row: row.rule),
        code(say("validation.value"), lambda row: row.value),
        text(say("validation.message"), lambda row: _problem_cell(page, row)),
        n_total=validation.rows_rejected, more="validation.more", css="sortable",
    )  # fmt: skip
