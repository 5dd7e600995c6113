"""What became of the documents since the last run: what the new values rest on."""

from __future__ import annotations

from ..page.blocks import Cell, Section, Table
from ..page.page import Page
from ..page.values import number_cell


def changes_section(page: Page) -> Section | None:
    """Documents added, removed, renamed and changed, with some of their names."""
    say, found = page.say, page.results.run.changes
    if found is None:
        return None
    renamed = [say("changes.pair", before=before, now=now) for before, now in found.renamed]
    kinds = (
        ("added", found.n_added, found.added),
        ("changed", found.n_changed, found.changed),
        ("renamed", found.n_renamed, renamed),
        ("removed", found.n_removed, found.removed),
    )
    rows = [
        [
            Cell(say(f"changes.{kind}")),
            number_cell(say, n),
            Cell(", ".join(names) + (", …" if n > len(names) else "")),
        ]
        for kind, n, names in kinds
        if n
    ]
    if not rows:
        return None
    columns = [Cell(say("changes.what")), Cell(say("campaign.documents"), kind="number")]
    columns.append(Cell(say("changes.names")))
    title = say("changes.title", run=found.since.removeprefix("run "))
    table = Table(say("changes.table"), columns, rows)
    return Section("changes", title, [table], lead=say("changes.lead"))
