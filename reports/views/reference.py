"""The reference: its rule, what it covers, its ties, what is still open, who decided what."""

from __future__ import annotations

from ..page.blocks import Block, Bullets, Cell, Facts, Fold, Prose, Section
from ..page.page import N_FOLDED, Page, by_layer, folded_table
from ..results import ReferenceSummary
from ..warnings import sentence
from .soft import soft_reference


def reference_section(page: Page) -> Section | None:
    say = page.say
    references = page.results.references
    blocks = by_layer(page, references, _reference, lambda one: f"{one.layer}, {one.rule}")
    single = all(reference.is_single_annotator for reference in references)
    title = say("reference.title_single" if single else "reference.title")
    return page.section("reference", blocks, title=title)


def _reference(page: Page, reference: ReferenceSummary) -> list[Block]:
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
    blocks: list[Block] = []
    if reference.is_single_annotator:
        blocks.append(Prose(say("reference.single"), "warning"))
    blocks.append(Facts(facts))
    if reference.rule == "unanimity":
        blocks.append(Prose(say("reference.unanimity"), "warning"))
    if reference.warnings:
        blocks.append(Bullets([sentence(say, warning) for warning in reference.warnings]))
    blocks += soft_reference(page, reference)
    if reference.unresolved:
        blocks.append(_open_cases(page, reference))
    if reference.history:
        blocks.append(_history(page, reference))
    return blocks


def _open_cases(page: Page, reference: ReferenceSummary) -> Fold:
    say = page.say
    shown = reference.unresolved[:N_FOLDED]
    blocks: list[Block] = [Bullets([(case, "") for case in shown])]
    left = max(reference.n_unresolved, len(reference.unresolved)) - len(shown)
    if left > 0:
        blocks.append(Prose(say("reference.more", n=say.integer(left)), "note"))
    return Fold(say("reference.unresolved", n=say.integer(len(shown))), blocks)


def _history(page: Page, reference: ReferenceSummary) -> Block:
    say = page.say
    keys = list(dict.fromkeys(key for entry in reference.history for key in entry))
    columns = [Cell(say(f"history.{key}") if say.knows(f"history.{key}") else key) for key in keys]
    language = page.own_language
    rows = [
        [Cell(entry.get(key, "–"), language=language if key == "why" else "") for key in keys]
        for entry in reference.history
    ]
    return folded_table(page, say("reference.history"), columns, rows)
