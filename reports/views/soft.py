"""Distributions of labels as a reference: their quality, and systems scored against them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from ..figures.curve import Point, curve
from ..page.blocks import Block, Cell, Facts, Figure, Fold, Prose, Table, numeric_cell
from ..page.page import Page, folded_table
from ..page.values import (
    SCORE_SENTENCE,
    interval_heading,
    interval_text,
    measure_name,
    value_cell,
    value_view,
)
from ..results import ReferenceSummary, SystemScores, Validity


def soft_reference(page: Page, reference: ReferenceSummary) -> list[Block]:
    """Show what the distributions are made of, and how well they predict annotators left out."""
    say, soft = page.say, reference.soft
    blocks: list[Block] = []
    if soft is not None:
        loss = say.number(soft.log_loss)
        interval = interval_text(say, soft.interval)
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
        identifier=page.identifier("reliability"),
        title=caption,
        description=say("soft.reliability_note"),
        say=say,
        whiskers=True,
        shares=True,
    )
    return Figure(svg, f"{caption}. {say('soft.reliability_note')}")


def _bin_table(page: Page, reference: ReferenceSummary) -> Table:
    say = page.say
    rows = [
        [
            Cell(f"{say.plain(one.lower, 1)} – {say.plain(one.upper, 1)}"),
            numeric_cell(say.integer(one.n), one.n),
            numeric_cell(say.number(one.predicted, 2), one.predicted),
            numeric_cell(say.number(one.observed, 2), one.observed),
        ]
        for one in (reference.soft.bins if reference.soft else [])
    ]
    columns = [
        Cell(say("soft.probability")),
        numeric_cell(say("soft.n_predictions")),
        numeric_cell(say("soft.predicted")),
        numeric_cell(say("soft.observed")),
    ]
    return folded_table(page, say("soft.bins"), columns, rows)


def soft_scores(page: Page, validity: Validity) -> list[Block]:
    """Show systems, another crew and the shares of all labels in rows, measures in columns."""
    say = page.say
    layer = ", ".join(dict.fromkeys(one.layer for one in validity.systems))
    beside = [
        one.model_copy(update={"system": say(f"soft.{one.system}")}) for one in validity.beside
    ]
    rule = say(f"soft.rule_{validity.soft}")
    blocks: list[Block] = [page.heading(say("soft.against", layer=layer, rule=rule))]
    blocks.append(_score_table(page, [*validity.systems, *beside], rule))
    if any(one.system == "another_crew" for one in validity.beside):
        blocks.append(Prose(say("soft.another_crew_note"), "note"))
    else:
        blocks.append(Prose(say("soft.no_crew"), "note"))
    return blocks


def _score_table(page: Page, scores: Sequence[SystemScores], rule: str) -> Table:
    say = page.say
    measures = list(dict.fromkeys(value.measure for one in scores for value in one.values))
    rows = []
    for one in scores:
        about = say("validity.about", system=one.system, layer=one.layer, reference=rule)
        cells = [Cell(one.system)]
        by_name = {value.measure: value for value in one.values}
        for measure in measures:
            if measure not in by_name:
                cells.append(numeric_cell("–"))
                continue
            view = value_view(page, by_name[measure], about=about, kind=SCORE_SENTENCE)
            cells.append(replace(value_cell(view), text=view.interval))
        rows.append(cells)
    columns = [
        Cell(say("validity.system")),
        *(numeric_cell(measure_name(say, m)) for m in measures),
    ]
    level = next((value.level for one in scores for value in one.values), 0.95)
    note = say("soft.scores_note", level=say.percent(level, 0))
    return folded_table(page, say("soft.scores"), columns, rows, note=note, css="sortable")
