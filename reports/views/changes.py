"""Changes since the last run: documents, work on them, annotators, guideline, campaign file."""

from __future__ import annotations

from ..columns import number, text
from ..page.blocks import Block, Facts, Prose, Section, Table
from ..page.page import Page
from ..page.tables import table
from ..results import Changes

_NAMES = 20  # documents of each kind that the page lists


def changes_section(page: Page) -> Section | None:
    """Show what became of documents and of each annotator's work on them, with some names."""
    say, found = page.say, page.results.run.changes
    if found is None:
        return None
    run = found.since.removeprefix("run ")
    changed = [*document_table(page, say("changes.table"), found), *_work_tables(page, found)]
    facts = _campaign_facts(page, found)
    if not (changed or facts) and found.is_known:
        return None
    title = say("changes.title", run=run)
    blocks: list[Block] = [Facts(facts)] if facts else []
    if not found.is_known:
        unknown = say("changes.unknown", run=run)
        blocks.append(Prose(unknown, tone="note"))
        return page.section("changes", blocks, title=title, inside=unknown)
    blocks += changed
    numbers = {
        "added": say.integer(found.n_added),
        "changed": say.integer(found.n_changed),
        "renamed": say.integer(found.n_renamed),
        "removed": say.integer(found.n_removed),
        "arrived": say.integer(found.n_arrived),
        "vanished": say.integer(found.n_vanished),
        "corrected": say.integer(found.n_corrected),
        "conflicting": say.integer(found.n_conflicting),
        "accepted": say.integer(found.n_accepted_otherwise),
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
        say, caption, [row for row in rows if row[1]],
        text(say("changes.what"), lambda row: say(f"changes.{row[0]}")),
        number(say("campaign.documents"), lambda row: row[1]),
        text(say("changes.names"), names),
    )  # fmt: skip
    return [listed] if listed.rows else []


def _work_tables(page: Page, found: Changes) -> list[Table]:
    """Count what became of each annotator's work, and name the documents; [] without changes."""
    say = page.say
    kinds = (
        ("vanished", found.n_vanished, found.vanished),
        ("corrected", found.n_corrected, found.corrected),
        ("conflicting", found.n_conflicting, found.conflicting),
        ("accepted_otherwise", found.n_accepted_otherwise, found.accepted_otherwise),
        ("arrived", found.n_arrived, found.arrived),
    )
    if not any(n for _, n, _ in kinds):
        return []
    of_annotators = table(
        say, say("changes.work"), found.work,
        text(say("campaign.annotator"), lambda one: one.annotator),
        text(say("changes.layer"), lambda one: one.layer),
        text(say("campaign.role"), lambda one: say(f"role.{one.role}")),
        number(say("changes.arrived"), lambda one: one.n_arrived),
        number(say("changes.vanished"), lambda one: one.n_vanished),
        number(say("changes.corrected"), lambda one: one.n_corrected),
        number(say("changes.conflicting"), lambda one: one.n_conflicting),
        number(say("changes.accepted_otherwise"), lambda one: one.n_accepted_otherwise),
        number(say("changes.unchanged"), lambda one: one.n_unchanged),
        note=say("changes.work_note"),
    )  # fmt: skip
    named = [(kind, *one) for kind, _, work in kinds for one in work]
    listed = table(
        say, say("changes.work_named"), named,
        text(say("changes.what"), lambda row: say(f"changes.{row[0]}")),
        text(say("changes.document"), lambda row: row[1]),
        text(say("campaign.annotator"), lambda row: row[2]),
        text(say("changes.layer"), lambda row: row[3]),
        n_total=sum(n for _, n, _ in kinds), more="changes.more_work",
    )  # fmt: skip
    return [of_annotators, listed]


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
