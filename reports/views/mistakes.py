"""Annotations that are probably errors, separate from places where competent annotators differ."""

from __future__ import annotations

from collections.abc import Mapping

from ..columns import number, text
from ..mistakes import grade_bounds, likelihood_text, reason_sentence, summary_sentences
from ..page.blocks import Block, Cell, Fold, Prose, Section, Table
from ..page.page import Page, blocks_by_layer, relative_link
from ..page.tables import table
from ..results import ItemAgreement, Mistake, MistakeQueue, UnitAgreement, Variation
from .disagreements import disagreements_by_card


def mistakes_section(page: Page) -> Section | None:
    """Show the queue of each layer with a probable error, and then its places of variation."""
    say = page.say
    queues = [one for one in page.results.mistakes if one.n_probable or one.mistakes]
    blocks = blocks_by_layer(page, queues, _layer_blocks)
    if not blocks:
        return None
    inside = say(
        "mistakes.inside", n=say.integer(sum(one.n_probable - one.n_decided for one in queues))
    )
    return page.section("mistakes", blocks, lead=say("mistakes.lead"), inside=inside)


def _layer_blocks(page: Page, found: MistakeQueue) -> list[Block]:
    blocks: list[Block] = [Prose(" ".join(summary_sentences(page.say, found)))]
    if found.mistakes:
        blocks.append(_queue_table(page, found))
    if found.varying:
        blocks.append(Fold(page.say("mistakes.varying_title"), [_variation_table(page, found)]))
    return blocks


def _queue_table(page: Page, found: MistakeQueue) -> Table:
    say, links = page.say, _links(page, found.layer)

    def likelihood(one: Mistake) -> Cell:
        words = likelihood_text(say, found, one.probability, systematic=one.systematic)
        return Cell(words, kind="number", sort=one.probability)

    return table(
        say, say("mistakes.table"), found.mistakes,
        text(
            say("mistakes.place"), lambda one: _place_cell(links, one.document, one.where, one.case)
        ),
        text(say("mistakes.annotator"), lambda one: ", ".join(one.annotators)),
        text(say("mistakes.annotation"), lambda one: one.label or say("mistakes.nothing")),
        number(say(_likelihood_key(found)), likelihood),
        text(say("mistakes.reason"), lambda one: reason_sentence(say, one)),
        n_total=found.n_probable - found.n_decided, more="mistakes.more",
        note=say("mistakes.note", **grade_bounds(say)), css="sortable",
    )  # fmt: skip


def _variation_table(page: Page, found: MistakeQueue) -> Table:
    say, links = page.say, _links(page, found.layer)

    def said(one: Variation) -> str:
        nothing = say("mistakes.nothing")
        return ", ".join(
            say("value.labelled", label=name, said=label or nothing)
            for name, label in one.said.items()
        )

    return table(
        say, say("mistakes.varying_title"), found.varying,
        text(
            say("mistakes.place"), lambda one: _place_cell(links, one.document, one.where, one.case)
        ),
        text(say("mistakes.said"), said),
        number(
            say(_likelihood_key(found)),
            lambda one: one.probability,
            lambda probability: likelihood_text(say, found, probability),
        ),
        n_total=found.n_varying, note=say("mistakes.varying_note"), css="sortable",
    )  # fmt: skip


def _likelihood_key(found: MistakeQueue) -> str:
    return "mistakes.probability" if found.n_audited else "mistakes.grade"


def _links(page: Page, layer: str) -> dict[str, str]:
    """Return case → its card on this page; document → its own page."""
    layers: list[ItemAgreement | UnitAgreement] = [*page.results.items, *page.results.units]
    documents = {
        part.name: relative_link(part.link)
        for one in layers
        if one.layer == layer
        for part in one.per_document
        if part.link
    }
    cards = {
        one.case: f"#{name}"
        for name, one in disagreements_by_card(page).items()
        if one.layer == layer and one.case
    }
    return {**documents, **cards}


def _place_cell(links: Mapping[str, str], document: str, where: str, case: str) -> Cell:
    return Cell(f"{document} · {where}", href=links.get(case) or links.get(document, ""))
