"""Validation: each expectation, and every refused row with its file and line."""

from __future__ import annotations

from reports.results import Validation
from reports.views.blocks import Block, Cell, Prose, Section, Table
from reports.views.page import Page, folded_table, relative_link
from reports.views.values import number_cell


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
        Prose(say("validation.stop" if validation.on_rejected == "stop" else "validation.go_on")),
    ]
    if page.is_private:
        blocks.append(Prose(say("validation.private"), "note"))
    if validation.expectations:
        blocks.append(_expectations(page, validation))
    if validation.rejected:
        blocks.append(_rejected(page, validation))
    return Section("validation", say("validation.title"), blocks)


def _expectations(page: Page, validation: Validation) -> Table:
    say = page.say
    columns = [
        Cell(text=say("validation.expectation")),
        Cell(text=say("validation.outcome")),
        Cell(text=say("validation.table")),
        Cell(text=say("validation.rows"), kind="number"),
        Cell(text=say("validation.unexpected"), kind="number"),
        Cell(text=say("validation.examples")),
    ]
    ordered = sorted(validation.expectations, key=lambda e: e.passed)
    rows = [
        [
            Cell(text=expectation.description or expectation.name, language="en"),
            Cell(
                text=say("gate.passed" if expectation.passed else "gate.failed"),
                kind="pass" if expectation.passed else "fail",
            ),
            Cell(text=expectation.table, kind="code"),
            number_cell(say, expectation.n_rows),
            number_cell(say, expectation.n_unexpected),
            Cell(text=" · ".join(expectation.examples[:3]) or "–"),
        ]
        for expectation in ordered
    ]
    return folded_table(page, say("validation.expectations"), columns, rows)


def _rejected(page: Page, validation: Validation) -> Table:
    say = page.say
    columns = [
        Cell(text=say("validation.source")),
        Cell(text=say("validation.where")),
        Cell(text=say("validation.rule")),
        Cell(text=say("validation.value")),
        Cell(text=say("validation.message")),
    ]
    rows = [
        [
            Cell(text=row.source, kind="code", href=relative_link(row.link)),
            Cell(text=row.where),
            Cell(text=row.rule, kind="code"),
            Cell(text=row.value or "–", kind="code"),
            Cell(text=row.message, language="en"),
        ]
        for row in validation.rejected
    ]
    return folded_table(
        page,
        say("validation.rejected_table"),
        columns,
        rows,
        n_total=validation.rows_rejected,
        css="sortable",
    )
