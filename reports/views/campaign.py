"""The campaign: its annotators, its guidelines, and what is still missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ..columns import each, number, text
from ..figures.coverage import STATES, coverage_map, state_key
from ..page.blocks import Block, Facts, Figure, Fold, LegendEntry, Prose, Section, Table
from ..page.page import Page
from ..page.tables import table
from ..results import Annotator, Coverage

ROLES = ("human", "system", "reference", "audit")


def campaign_section(page: Page) -> Section | None:
    results, say = page.results, page.say
    blocks: list[Block] = []
    if results.campaign.description:
        blocks.append(Prose(results.campaign.description, "lead", page.language_of_texts))
    facts = _facts(page)
    if facts:
        blocks.append(Facts(facts))
    if results.annotators:
        blocks.append(_annotator_table(page))
    if results.coverage is not None and results.coverage.documents:
        blocks += [page.heading(say("coverage.title")), Prose(say("coverage.lead"))]
        layers = results.coverages or [results.coverage]
        for coverage in layers:
            title = f"{say('coverage.title')} – {coverage.layer}"
            blocks += [page.heading(title)] if len(layers) > 1 else []
            blocks += _coverage_blocks(page, coverage)
    if results.batches:
        blocks.append(_batch_table(page))
    inside = say.semicolon_list(
        say("value.labelled", label=term, said=known) for term, known in facts[:2]
    )
    return page.section("campaign", blocks, inside=inside)


def _facts(page: Page) -> list[tuple[str, str]]:
    results, say = page.results, page.say
    facts: list[tuple[str, str]] = []
    if results.coverage is not None:
        facts.append((say("campaign.documents"), say.integer(results.coverage.n_documents)))
    roles = Counter(annotator.role for annotator in results.annotators)
    counted = [say.counted(role, roles[role]) for role in ROLES if roles[role]]
    if counted:
        facts.append((say("campaign.annotators"), say.listed(counted)))
    tagsets = results.campaign.tagsets or (
        {say("campaign.tagset"): results.campaign.tagset} if results.campaign.tagset else {}
    )
    for layer, tagset in tagsets.items():
        names = ", ".join(tagset[:12]) + (" …" if len(tagset) > 12 else "")
        n = say.counted("category", len(tagset))
        facts.append((layer, say("campaign.categories", n=n, names=names)))
    if results.campaign.guideline:
        facts.append((say("campaign.guideline"), results.campaign.guideline))
    return facts


def _annotator_table(page: Page) -> Table:
    say = page.say

    def role(annotator: Annotator) -> str:
        return say(f"role.{annotator.role}") if annotator.role in ROLES else annotator.role

    return table(
        say, say("campaign.table"), page.results.annotators,
        text(say("campaign.annotator"), lambda one: one.name),
        text(say("campaign.role"), role),
        number(say("campaign.documents"), lambda one: one.n_documents),
        number(say("campaign.labels"), lambda one: one.n_labels),
        number(say("campaign.units"), lambda one: one.n_units),
        css="sortable",
    )  # fmt: skip


def _coverage_blocks(page: Page, coverage: Coverage) -> list[Block]:
    say = page.say
    shown = len(coverage.documents)
    caption = say("coverage.caption")
    if shown < coverage.n_documents:
        caption += " " + say(
            "coverage.some", shown=say.integer(shown), n=say.integer(coverage.n_documents)
        )
    figure = Figure(
        svg=coverage_map(
            coverage.documents,
            coverage.annotators,
            coverage.states,
            say=say,
        ).named(page.identifier("f"), say("coverage.title"), say("coverage.description")),
        caption=caption,
        legend=[LegendEntry(state_key(state), say(f"state.{state}")) for state in STATES],
        wide=True,
    )
    blocks: list[Block] = [figure, _state_counts(page, coverage)]
    exceptions = [
        (document, annotator, state)
        for document, states in zip(coverage.documents, coverage.states, strict=True)
        for annotator, state in zip(coverage.annotators, states, strict=True)
        if state in STATES[1:]
    ]
    if exceptions:
        counted = sum(coverage.counts.get(state, 0) for state in STATES[1:])
        n_all = max(len(exceptions), counted)
        listed = table(
            say, say("coverage.exceptions_table"), exceptions,
            text(say("parts.document_column"), lambda row: row[0]),
            text(say("campaign.annotator"), lambda row: row[1]),
            text(say("coverage.state"), lambda row: say(f"state.{row[2]}")),
            n_total=n_all, more="coverage.more",
        )  # fmt: skip
        blocks.append(Fold(say("coverage.exceptions", n=say.integer(n_all)), [listed]))
    return blocks


def _state_counts(page: Page, coverage: Coverage) -> Table:
    """Return counts of each state by annotator; the last row is over all documents."""
    say = page.say
    rows: list[tuple[str, Mapping[str, int]]] = [
        (name, coverage.by_annotator.get(name, Counter(row[k] for row in coverage.states)))
        for k, name in enumerate(coverage.annotators)
    ]
    if coverage.counts:
        rows.append((say("coverage.all"), coverage.counts))
    return table(
        say, say("coverage.table"), rows,
        text(say("campaign.annotator"), lambda row: row[0]),
        *each(
            STATES, lambda state: number(say(f"state.{state}"), lambda row: row[1].get(state, 0))
        ),
    )  # fmt: skip


def _batch_table(page: Page) -> Table:
    say = page.say
    return table(
        say, say("batches.table"), page.results.batches,
        text(say("batches.batch"), lambda batch: batch.name or say("batches.none")),
        text(say("campaign.guideline"), lambda batch: batch.guideline),
        number(say("campaign.documents"), lambda batch: batch.n_documents),
        *each(
            STATES[:3],
            lambda state: number(say(f"state.{state}"), lambda batch: batch.states.get(state, 0)),
        ),
        text(say("batches.first"), lambda batch: say.moment(batch.first)),
        text(say("batches.last"), lambda batch: say.moment(batch.last)),
        note=say("batches.note"),
    )  # fmt: skip
