"""The campaign: its annotators, its guidelines, and what is still missing."""

from __future__ import annotations

from collections import Counter

from ..figures.coverage import STATES, coverage_map, state_key
from ..page.blocks import (
    Block,
    Cell,
    Facts,
    Figure,
    Fold,
    LegendEntry,
    Prose,
    Section,
    Table,
    numeric_cell,
)
from ..page.page import Page, folded_table
from ..page.values import number_cell
from ..results import Coverage

ROLES = ("human", "system", "reference")


def campaign_section(page: Page) -> Section | None:
    results, say = page.results, page.say
    blocks: list[Block] = []
    if results.campaign.description:
        blocks.append(Prose(results.campaign.description, "lead", page.own_language))
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
    return page.section("campaign", blocks)


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
    columns = [
        Cell(say("campaign.annotator")),
        Cell(say("campaign.role")),
        numeric_cell(say("campaign.documents")),
        numeric_cell(say("campaign.labels")),
        numeric_cell(say("campaign.units")),
    ]
    rows = [
        [
            Cell(annotator.name),
            Cell(say(f"role.{annotator.role}") if annotator.role in ROLES else annotator.role),
            number_cell(say, annotator.n_documents),
            number_cell(say, annotator.n_labels),
            number_cell(say, annotator.n_units),
        ]
        for annotator in page.results.annotators
    ]
    return folded_table(page, say("campaign.table"), columns, rows, css="sortable")


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
            identifier=page.identifier("f"),
            title=say("coverage.title"),
            description=say("coverage.description"),
            say=say,
        ),
        caption=caption,
        legend=[LegendEntry(state_key(state), say(f"state.{state}")) for state in STATES],
        wide=True,
    )
    blocks: list[Block] = [figure, _state_counts(page, coverage)]
    exceptions = [
        [Cell(document), Cell(annotator), Cell(say(f"state.{state}"))]
        for document, states in zip(coverage.documents, coverage.states, strict=True)
        for annotator, state in zip(coverage.annotators, states, strict=True)
        if state in STATES[1:]
    ]
    if exceptions:
        keys = ("parts.document_column", "campaign.annotator", "coverage.state")
        columns = [Cell(say(key)) for key in keys]
        counted = sum(coverage.counts.get(state, 0) for state in STATES[1:])
        n_all = max(len(exceptions), counted)
        table = folded_table(
            page,
            say("coverage.exceptions_table"),
            columns,
            exceptions,
            n_total=n_all,
            more="coverage.more",
        )
        blocks.append(Fold(say("coverage.exceptions", n=say.integer(n_all)), [table]))
    return blocks


def _state_counts(page: Page, coverage: Coverage) -> Table:
    """Return counts of each state by annotator; the last row is over all documents."""
    say = page.say
    rows = []
    for a, annotator in enumerate(coverage.annotators):
        drawn = Counter(states[a] for states in coverage.states)
        counts = coverage.by_annotator.get(annotator, drawn)
        cells = [number_cell(say, counts.get(state, 0)) for state in STATES]
        rows.append([Cell(annotator), *cells])
    if coverage.counts:
        cells = [number_cell(say, coverage.counts.get(state, 0)) for state in STATES]
        rows.append([Cell(say("coverage.all")), *cells])
    columns = [
        Cell(say("campaign.annotator")),
        *(numeric_cell(say(f"state.{state}")) for state in STATES),
    ]
    return folded_table(page, say("coverage.table"), columns, rows)


def _batch_table(page: Page) -> Table:
    say = page.say
    columns = [
        Cell(say("batches.batch")),
        Cell(say("campaign.guideline")),
        numeric_cell(say("campaign.documents")),
        *(numeric_cell(say(f"state.{state}")) for state in STATES[:3]),
        Cell(say("batches.first")),
        Cell(say("batches.last")),
    ]
    rows = [
        [
            Cell(batch.name or say("batches.none")),
            Cell(batch.guideline or "–"),
            number_cell(say, batch.n_documents),
            *(number_cell(say, batch.states.get(state, 0)) for state in STATES[:3]),
            Cell(say.moment(batch.first) or "–"),
            Cell(say.moment(batch.last) or "–"),
        ]
        for batch in page.results.batches
    ]
    return folded_table(page, say("batches.table"), columns, rows, note=say("batches.note"))
