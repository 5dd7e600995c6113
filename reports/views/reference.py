"""The reference: its rule, coverage, ties, open items, and decisions."""

from __future__ import annotations

import math

from ..page.blocks import (
    Block,
    Bullets,
    Cell,
    Facts,
    Fold,
    Prose,
    Section,
    measured_cell,
    numeric_cell,
)
from ..page.page import N_FOLDED, Page, blocks_by_layer, folded_table
from ..results import ReferenceSummary
from ..warnings import sentence
from .soft import soft_reference


def reference_section(page: Page) -> Section | None:
    say = page.say
    references = page.results.references
    blocks = blocks_by_layer(
        page, references, _reference_blocks, lambda one: f"{one.layer}, {one.rule}"
    )
    single = all(reference.is_single_annotator for reference in references)
    title = say("reference.title_single" if single else "reference.title")
    return page.section("reference", blocks, title=title)


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
    if reference.rule == "unanimity":
        blocks.append(Prose(say("reference.unanimity"), "warning"))
    if reference.warnings:
        blocks.append(Bullets([sentence(say, warning) for warning in reference.warnings]))
    if reference.reliabilities:
        blocks.append(_reliability_block(page, reference))
    if reference.label_models:
        blocks += _label_models(page, reference)
    blocks += soft_reference(page, reference)
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
    has_categories = any(one.category for one in ordered)
    columns = [
        Cell(say("campaign.annotator")),
        *([Cell(say("reference.category"))] if has_categories else []),
        *(numeric_cell(say(f"reference.{name}")) for name in ("reliability", *kinds)),
    ]
    rows = [
        [
            Cell(one.annotator),
            *([Cell(one.category or say("reference.all_categories"))] if has_categories else []),
            measured_cell(say.number(one.reliability, 2), one.reliability),
            *(numeric_cell(say.integer(getattr(one, kind)), getattr(one, kind)) for kind in kinds),
        ]
        for one in ordered
    ]
    caption = say("reference.reliabilities", layer=reference.layer)
    return folded_table(page, caption, columns, rows, note=say("reference.consensus_note"))


def _label_models(page: Page, reference: ReferenceSummary) -> list[Block]:
    say = page.say
    models = reference.label_models
    names = [say(f"rule.{one.rule}") for one in models]
    columns = [
        Cell(say("reference.model")),
        *(numeric_cell(say(f"reference.{name}")) for name in ("log_loss", "excess")),
        Cell(say("reference.supported")),
    ]
    rows = [
        [
            Cell(name),
            measured_cell(say.number(one.log_loss), one.log_loss),
            numeric_cell(f"{say.number(one.excess)} ± {say.number(one.error)}", one.excess),
            Cell(say("reference.yes" if one.is_supported else "reference.no")),
        ]
        for name, one in zip(names, models, strict=True)
    ]
    by_annotator = [
        [
            Cell(annotator),
            *(
                measured_cell(say.number(one.by_annotator[annotator]), one.by_annotator[annotator])
                for one in models
            ),
        ]
        for annotator in models[0].by_annotator
    ]
    heads = [Cell(say("campaign.annotator")), *(numeric_cell(name) for name in names)]
    caption = say("reference.models", layer=reference.layer)
    of_each = say("reference.models_by_annotator", layer=reference.layer)
    return [
        folded_table(page, caption, columns, rows, note=say("reference.models_note")),
        folded_table(page, of_each, heads, by_annotator),
    ]


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
    keys = list(dict.fromkeys(key for entry in reference.history for key in entry))
    columns = [Cell(say(f"history.{key}") if say.knows(f"history.{key}") else key) for key in keys]
    language = page.own_language
    rows = [
        [Cell(entry.get(key, "–"), language=language if key == "why" else "") for key in keys]
        for entry in reference.history
    ]
    return folded_table(page, say("reference.history"), columns, rows)
