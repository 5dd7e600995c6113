"""The reference: its rule, coverage, ties, open items, and decisions."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ..columns import each, number, text
from ..page.blocks import Block, Bullets, Cell, Facts, Fold, Prose, Section
from ..page.page import Page, blocks_by_layer
from ..page.tables import N_FOLDED, table
from ..results import LabelModel, ReferenceSummary
from ..warnings import warning_sentence
from .soft_references import soft_reference_blocks


def reference_section(page: Page) -> Section | None:
    say = page.say
    references = page.results.references
    blocks = blocks_by_layer(
        page, references, _reference_blocks, lambda one: f"{one.layer}, {one.rule}"
    )
    single = all(reference.is_single_annotator for reference in references)
    title = say("reference.title_single" if single else "reference.title")
    of_first = [
        say(
            "reference.inside",
            resolved=say.integer(one.n_resolved),
            n=say.integer(one.n_items),
            open=say.integer(one.n_unresolved),
        )
        for one in references[:1]
    ]
    return page.section("reference", blocks, title=title, inside="".join(of_first))


def _reference_blocks(page: Page, reference: ReferenceSummary) -> list[Block]:
    say = page.say
    key = f"rule.{reference.rule}"
    rule = say(key) if say.knows(key) else reference.rule
    share = reference.n_resolved / reference.n_items if reference.n_items else float("nan")
    resolved = f"{say.integer(reference.n_resolved)} / {say.integer(reference.n_items)}"
    facts = [
        (say("reference.layer"), reference.layer or "–"),
        (say("reference.rule"), rule),
        (say("reference.from"), say.listed(list(reference.annotators)) or "–"),
        (say("reference.resolved"), f"{resolved} ({say.percent(share)})"),
        (say("reference.ties"), say.integer(reference.n_ties)),
        (say("reference.open"), say.integer(reference.n_unresolved)),
    ]
    if not math.isnan(reference.threshold):
        facts.append((say("reference.threshold"), say.number(reference.threshold, 2)))
        facts.append((say("reference.expected_f"), say.number(reference.expected_f)))
    blocks: list[Block] = []
    if reference.is_single_annotator:
        blocks.append(Prose(say("reference.single"), "warning"))
    blocks.append(Facts(facts))
    curators = {one.name for one in page.results.annotators if one.role == "reference"}
    if curators & {*reference.annotators}:
        blocks.append(Prose(say("reference.standing"), "note"))
    if reference.rule == "unanimity":
        blocks.append(Prose(say("reference.unanimity"), "warning"))
    if reference.warnings:
        blocks.append(Bullets([warning_sentence(say, warning) for warning in reference.warnings]))
    if reference.reliabilities:
        blocks.append(_reliability_block(page, reference))
    if reference.weights:
        blocks.append(_weights_block(page, reference))
    if reference.label_models:
        blocks += _label_models(page, reference)
    blocks += soft_reference_blocks(page, reference)
    if reference.unresolved:
        blocks.append(_open_cases(page, reference))
    if reference.history:
        blocks.append(_history_block(page, reference))
    return blocks


def _reliability_block(page: Page, reference: ReferenceSummary) -> Block:
    """Show one row per annotator, the most reliable first, with one row per category below."""
    say = page.say
    kinds = ("exact", "boundary", "confused", "spurious", "missed")
    of = {one.annotator: one.reliability for one in reference.reliabilities if not one.category}
    ordered = sorted(reference.reliabilities, key=lambda one: (-of[one.annotator], one.annotator))
    return table(
        say, say("reference.reliabilities", layer=reference.layer), ordered,
        text(say("campaign.annotator"), lambda one: one.annotator),
        text(
            say("reference.category"),
            lambda one: one.category or say("reference.all_categories"),
            when=any(one.category for one in ordered),
        ),
        number(say("reference.reliability"), lambda one: one.reliability, "2"),
        *each(kinds, lambda kind: number(say(f"reference.{kind}"), lambda one: getattr(one, kind))),
        note=say("reference.consensus_note"),
    )  # fmt: skip


def _weights_block(page: Page, reference: ReferenceSummary) -> Block:
    say, weights = page.say, reference.weights
    return table(
        say, say("reference.weights", layer=reference.layer), list(weights),
        text(say("campaign.annotator"), lambda name: name),
        number(say("reference.weight"), lambda name: weights[name], "2"),
        note=say("reference.weights_note"),
    )  # fmt: skip


def _label_models(page: Page, reference: ReferenceSummary) -> list[Block]:
    say, models = page.say, reference.label_models

    def name(one: LabelModel) -> str:
        return say(f"rule.{one.rule}")

    def excess(one: LabelModel) -> Cell:
        words = f"{say.number(one.excess)} ± {say.number(one.error)}"
        return Cell(words, kind="number", sort=one.excess)

    compared = table(
        say, say("reference.models", layer=reference.layer), models,
        text(say("reference.model"), name),
        number(say("reference.log_loss"), lambda one: one.log_loss),
        number(say("reference.excess"), excess),
        text(
            say("reference.supported"),
            lambda one: say("reference.yes" if one.is_supported else "reference.no"),
        ),
        note=say("reference.models_note"),
    )  # fmt: skip
    by_annotator = table(
        say, say("reference.models_by_annotator", layer=reference.layer), models[0].by_annotator,
        text(say("campaign.annotator"), lambda annotator: annotator),
        *each(models, lambda one: number(name(one), lambda annotator: one.by_annotator[annotator])),
    )  # fmt: skip
    return [compared, by_annotator]


def _open_cases(page: Page, reference: ReferenceSummary) -> Fold:
    say = page.say
    shown = reference.unresolved[:N_FOLDED]
    blocks: list[Block] = [Bullets([(case, "") for case in shown])]
    left = max(reference.n_unresolved, len(reference.unresolved)) - len(shown)
    if left > 0:
        blocks.append(Prose(say("reference.more", n=say.integer(left)), "note"))
    return Fold(say("reference.unresolved", n=say.integer(len(shown))), blocks)


def _history_block(page: Page, reference: ReferenceSummary) -> Block:
    say = page.say
    keys = dict.fromkeys(key for entry in reference.history for key in entry)

    def cell(entry: Mapping[str, str], key: str) -> Cell | None:
        language = page.language_of_texts if key == "why" else ""
        return Cell(entry[key], language=language) if key in entry else None

    return table(
        say, say("reference.history"), reference.history,
        *each(
            keys,
            lambda key: text(
                say(f"history.{key}") if say.knows(f"history.{key}") else key,
                lambda entry: cell(entry, key),
            ),
        ),
    )  # fmt: skip
