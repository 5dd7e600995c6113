"""Distributions of labels as a reference: their quality, and systems scored against them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..columns import each, number, text
from ..figures.curve import Point, curve
from ..page.blocks import Block, Cell, Facts, Figure, Fold, Prose, Table
from ..page.page import Page
from ..page.tables import table
from ..page.values import SCORE_SENTENCE, interval_heading, measure_name, value_cell
from ..results import ReferenceSummary, SystemScores, Validity


def soft_reference_blocks(page: Page, reference: ReferenceSummary) -> list[Block]:
    """Show what the distributions are made of, and how well they predict annotators left out."""
    say, soft = page.say, reference.soft
    blocks: list[Block] = []
    if soft is not None:
        loss = say.number(soft.log_loss)
        interval = say.interval(soft.interval)
        heading = interval_heading(say, soft.level)
        facts = [
            (say("soft.distribution"), say(f"soft.rule_{soft.rule}")),
            (say("soft.items"), say.integer(soft.n_items)),
            (say("soft.entropy"), say.number(soft.entropy, 2)),
            (say("soft.log_loss"), f"{loss} ({heading} {interval})" if interval else loss),
            (say("soft.baseline"), say.number(soft.baseline)),
            (say("soft.calibration"), say.number(soft.calibration_error)),
        ]
        blocks.append(Facts(facts))
        blocks.append(Prose(say("soft.log_loss_note"), "note"))
        if len(soft.bins) > 1:
            blocks += [
                _reliability_figure(page, reference),
                Fold(say("soft.bins"), [_bin_table(page, reference)]),
            ]
    if math.isfinite(reference.model_check):
        passed = not any(one.code.startswith("model_misfit") for one in reference.warnings)
        if passed:
            blocks.append(Prose(say("soft.check", p=say.number(reference.model_check, 2)), "note"))
    return blocks


def _reliability_figure(page: Page, reference: ReferenceSummary) -> Figure:
    say = page.say
    bins = reference.soft.bins if reference.soft else []
    caption = say("soft.reliability", layer=reference.layer)
    svg = curve(
        [Point(one.predicted, one.observed, *one.interval) for one in bins],
        x_title=say("soft.predicted"),
        y_title=say("soft.observed"),
        say=say,
        whiskers=True,
        shares=True,
    ).named(page.identifier("reliability"), caption, say("soft.reliability_note"))
    return Figure(svg, f"{caption}. {say('soft.reliability_note')}")


def _bin_table(page: Page, reference: ReferenceSummary) -> Table:
    say = page.say
    return table(
        say, say("soft.bins"), reference.soft.bins if reference.soft else [],
        text(
            say("soft.probability"),
            lambda one: f"{say.plain(one.lower, 1)} – {say.plain(one.upper, 1)}",
        ),
        number(say("soft.n_predictions"), lambda one: one.n),
        number(say("soft.predicted"), lambda one: one.predicted, "2"),
        number(say("soft.observed"), lambda one: one.observed, "2"),
    )  # fmt: skip


def soft_score_blocks(page: Page, validity: Validity) -> list[Block]:
    """Show systems, other annotators and the shares of all labels in rows, measures in columns."""
    say = page.say
    layer = ", ".join(dict.fromkeys(one.layer for one in validity.systems))
    beside = [
        one.model_copy(update={"system": say(f"soft.{one.system}")}) for one in validity.beside
    ]
    rule = say(f"soft.rule_{validity.soft}")
    blocks: list[Block] = [page.heading(say("soft.against", layer=layer, rule=rule))]
    blocks.append(_score_table(page, [*validity.systems, *beside], rule))
    if any(one.system == "other_annotators" for one in validity.beside):
        blocks.append(Prose(say("soft.other_annotators_note"), "note"))
    else:
        blocks.append(Prose(say("soft.no_other_annotators"), "note"))
    return blocks


def _score_table(page: Page, scores: Sequence[SystemScores], rule: str) -> Table:
    say = page.say
    measures = list(dict.fromkeys(value.measure for one in scores for value in one.values))
    level = next((value.confidence_level for one in scores for value in one.values), 0.95)

    def measured(one: SystemScores, measure: str) -> Cell | None:
        about = say("validity.about", system=one.system, layer=one.layer, reference=rule)
        value = {value.measure: value for value in one.values}.get(measure)
        return value_cell(page, value, about=about, kind=SCORE_SENTENCE, with_interval=True)

    return table(
        say, say("soft.scores"), scores,
        text(say("validity.system"), lambda one: one.system),
        *each(
            measures,
            lambda measure: number(measure_name(say, measure), lambda one: measured(one, measure)),
        ),
        note=say("soft.scores_note", level=say.percent(level, 0)), css="sortable",
    )  # fmt: skip
