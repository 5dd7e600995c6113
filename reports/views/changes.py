"""Changes since the last run: documents, annotators, guideline, campaign file."""

from __future__ import annotations

from ..columns import number, text
from ..page.blocks import Block, Facts, Section, Table
from ..page.page import Page
from ..page.tables import table
from ..results import Changes

_NAMES = 20  # documents of each kind that the page lists


def changes_section(page: Page) -> Section | None:
    """Show documents added, removed, renamed and changed, with some of their names."""
    say, found = page.say, page.results.run.changes
    if found is None:
        return None
    changed = document_table(page, say("changes.table"), found)
    facts = _campaign_facts(page, found)
    if not (changed or facts):
        return None
    title = say("changes.title", run=found.since.removeprefix("run "))
    blocks: list[Block] = [Facts(facts)] if facts else []
    blocks += changed
    numbers = {
        "added": say.integer(found.n_added),
        "changed": say.integer(found.n_changed),
        "renamed": say.integer(found.n_renamed),
        "removed": say.integer(found.n_removed),
    }
    inside = say("changes.inside", **numbers)
    return page.section("changes", blocks, title=title, lead=say("changes.lead"), inside=inside)


def document_table(page: Page, caption: str, found: Changes) -> list[Table]:
    """Show how many documents were added, changed, renamed and removed; [] without any."""
    say = page.say
    renamed = [say("changes.pair", before=before, now=now) for before, now in found.renamed]
    rows = [
        ("added", found.n_added, found.added),
        ("changed", found.n_changed, found.changed),
        ("renamed", found.n_renamed, renamed),
        ("removed", found.n_removed, found.removed),
    ]

    def names(row: tuple[str, int, list[str]]) -> str:
        return ", ".join(row[2][:_NAMES]) + (", …" if row[1] > len(row[2][:_NAMES]) else "")

    listed = table(
        page, caption, [row for row in rows if row[1]],
        text(say("changes.what"), lambda row: say(f"changes.{row[0]}")),
        number(say("campaign.documents"), lambda row: row[1]),
        text(say("changes.names"), names),
    )  # fmt: skip
    return [listed] if listed.rows else []


def _campaign_facts(page: Page, found: Changes) -> list[tuple[str, str]]:
    """Return annotators who joined or left, a new guideline, a new campaign file."""
    say, facts = page.say, []
    if found.annotators_added:
        facts.append((say("changes.annotators_added"), say.listed(found.annotators_added)))
    if found.annotators_removed:
        facts.append((say("changes.annotators_removed"), say.listed(found.annotators_removed)))
    if found.guideline is not None:
        before, now = (version or "–" for version in found.guideline)
        facts.append((say("changes.guideline"), say("changes.pair", before=before, now=now)))
    if found.settings_changed:
        facts.append((say("changes.settings"), say("changes.settings_changed")))
    return facts
