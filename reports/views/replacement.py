"""Replacement of an annotator by a system: verdicts, curves over ε, parts, and wrong items.

Like the scores of systems it is separate from agreement, and shows no coefficients of agreement.
"""

from __future__ import annotations

import math

from ..columns import each, interval, number, text
from ..figures.curve import Level, Point, curve
from ..judge_checklist import check_sentence, checklist
from ..page.blocks import Block, Cell, Figure, Fold, Grid, Prose, Section, Table
from ..page.page import Page, blocks_by_layer
from ..page.tables import table
from ..page.values import SCORE_SENTENCE, forest_table, interval_heading, measure_name, value_cell
from ..replacement import (
    epsilon_sentence,
    epsilon_text,
    heading_key_of_lost,
    units_of_lost,
    verdict_sentences,
)
from ..results import (
    ItemAgreement,
    LostItem,
    Replacement,
    ReplacementDecision,
    SystemReplacement,
    UnitAgreement,
)

_PARTS = ("category", "batch", "position", "length", "document")
_BAR = 0.5  # of the alt-test


def replacement_section(page: Page) -> Section | None:
    say = page.say
    blocks = blocks_by_layer(page, page.results.replacement, _layer_blocks)
    if not blocks:
        return None
    lead = Prose(say("replacement.wall"), "lead")
    first = page.results.replacement[0]
    inside = " ".join(verdict_sentences(say, first, one)[0] for one in first.systems[:1])
    title = say("replacement.title")
    return Section("replacement", title, [lead, *blocks], css="apart", inside=inside)


def _layer_blocks(page: Page, found: Replacement) -> list[Block]:
    say = page.say
    blocks: list[Block] = [
        Prose(" ".join(verdict_sentences(say, found, one))) for one in found.systems
    ]
    blocks.append(Prose(epsilon_sentence(say, found), "note"))
    if found.kind == "units":
        blocks.append(Prose(say(f"replacement.alignment_{found.alignment}"), "note"))
    judged = [one for one in found.systems if one.panel is not None]
    if not judged:
        return blocks
    blocks.append(_verdict_table(page, found, judged))
    blocks.append(Grid([_curve_figure(page, found, one) for one in judged]))
    for one in judged:
        blocks += _part_blocks(page, found, one)
        if one.checks:
            blocks += _check_blocks(page, found, one)
        if one.lost:
            blocks.append(_lost_item_fold(page, one))
    blocks.append(Fold(say("replacement.annotators"), [_annotator_table(page, judged)]))
    blocks += [_checklist_fold(page, found, one) for one in found.systems]
    return blocks


def _verdict_table(page: Page, found: Replacement, systems: list[SystemReplacement]) -> Table:
    say = page.say

    def verdict(one: ReplacementDecision | None) -> str:
        return "" if one is None else say(f"replacement.verdict_{one.verdict}")

    def measured(one: SystemReplacement, k: int) -> Cell | None:
        about = f"{one.system}, {found.layer}"
        return value_cell(page, one.values[k], about=about, kind=SCORE_SENTENCE)

    return table(
        say, say("replacement.table"), [one for one in systems if one.new_annotators is not None],
        text(say("replacement.system"), lambda one: one.system),
        text(say("replacement.verdict"), lambda one: verdict(one.panel)),
        number(say("replacement.stability"), lambda one: one.panel and one.panel.stability, "0%"),
        text(say("replacement.new_annotators"), lambda one: verdict(one.new_annotators)),
        text(
            say("replacement.after_holm"), lambda one: say(f"replacement.verdict_{one.after_holm}")
        ),
        number(say("replacement.advantage"), lambda one: measured(one, 0)),
        number("ω", lambda one: measured(one, 1)),
        number("ρ", lambda one: measured(one, 2)),
        text(say("replacement.alt_test"), lambda one: _alt_test(page, one)),
        note=say("replacement.note"), css="sortable",
    )  # fmt: skip


def _curve_figure(page: Page, found: Replacement, one: SystemReplacement) -> Figure:
    """Plot ω over ε, with the threshold of the alt-test, and ρ."""
    say = page.say
    rate, note = say.number(one.values[1].value), say("replacement.curve_note")
    epsilon = epsilon_text(say, found)
    caption = say("replacement.curve", system=one.system, rate=rate, epsilon=epsilon)
    probability = one.values[2].value
    levels = [Level(_BAR, say.plain(_BAR, 1))]
    if math.isfinite(probability):
        levels.append(Level(probability, f"ρ = {say.number(probability, 2)}"))
    svg = curve(
        [Point(point.epsilon, point.winning_rate) for point in one.curve],
        x_title="ε",
        y_title="ω",
        say=say,
        y_range=(0.0, 1.0),
        levels=levels,
    ).named(page.identifier("replacement-curve"), caption, note)
    return Figure(svg, f"{caption}. {note}", signature=one.values[1].signature)


def _part_blocks(page: Page, found: Replacement, one: SystemReplacement) -> list[Block]:
    """The advantage on the parts of a kind, beside −ε; nothing where no part has enough items."""
    blocks: list[Block] = []
    for kind in _PARTS:
        parts = [part for part in one.parts if part.kind == kind]
        if any(math.isfinite(part.value.value) for part in parts):
            key = f"replacement.by_{kind}"
            of_units = f"{key}_of_units"
            if found.kind == "units" and page.say.knows(of_units):
                key = of_units
            blocks.append(
                forest_table(
                    page,
                    page.say(key, system=one.system),
                    parts,
                    first_column=page.say("replacement.part"),
                    about=f"{one.system}, {found.layer}",
                    threshold=-found.epsilon,
                    kind=SCORE_SENTENCE,
                )
            )
    return blocks


def _check_blocks(page: Page, found: Replacement, one: SystemReplacement) -> list[Block]:
    """The checks of the system, in sentences and in a table."""
    say, about = page.say, f"{one.system}, {found.layer}"
    of_units = found.kind == "units"
    checks = table(
        say,
        say(f"replacement.checks{'_of_units' if of_units else ''}", system=one.system),
        one.checks,
        text(say("replacement.check"), lambda value: measure_name(say, value.measure)),
        number(
            say("table.value"),
            lambda value: value_cell(page, value, about=about, kind=SCORE_SENTENCE),
        ),
        interval(
            interval_heading(say, one.checks[0].confidence_level), lambda value: value.interval
        ),
        number(
            say("campaign.documents" if of_units else "table.items"), lambda value: value.n_items
        ),
    )
    said = " ".join(check_sentence(say, found, one, value) for value in one.checks)
    return [Prose(said), checks]


def _checklist_fold(page: Page, found: Replacement, one: SystemReplacement) -> Fold:
    """Show the checklist of the system's study: filled points, and how to fill the others."""
    say = page.say
    parts: list[ItemAgreement | UnitAgreement] = [*page.results.items, *page.results.units]
    values = [part.values[0] for part in parts if part.layer == found.layer and part.values]
    points = checklist(say, found, one, values[0] if values else None)
    filled = sum(point.is_filled for point in points)
    count = say("replacement.checklist_count", filled=filled, all=len(points))
    caption = say("replacement.checklist", system=one.system)
    lacking = f"{say('replacement.is_missing')} – "
    reported = table(
        say, caption, points,
        text(say("replacement.point"), lambda point: point.title),
        text(
            say("replacement.reported"),
            lambda point: point.text if point.is_filled else lacking + point.text,
        ),
    )  # fmt: skip
    return Fold(caption, [Prose(f"{say('replacement.checklist_lead')} {count}"), reported])


def _lost_item_fold(page: Page, one: SystemReplacement) -> Fold:
    say = page.say
    of_units = any(lost.units for lost in one.lost)
    caption = say(heading_key_of_lost(one), system=one.system, n=say.integer(one.n_lost))

    def given(lost: LostItem) -> tuple[str, str]:
        return units_of_lost(say, lost) if of_units else _labels(page, lost)

    items = table(
        say, caption, one.lost,
        text(
            say("replacement.document"),
            lambda lost: lost.document,
            when=any(lost.document for lost in one.lost),
        ),
        text(
            say("replacement.document" if of_units else "replacement.item"), lambda lost: lost.item
        ),
        text(
            say("replacement.units_of_system" if of_units else "replacement.label"),
            lambda lost: given(lost)[0],
        ),
        text(
            say("replacement.units_of_annotators" if of_units else "replacement.labels"),
            lambda lost: given(lost)[1],
        ),
        number(say("replacement.advantage"), lambda lost: lost.advantage, "2"),
        n_total=one.n_lost,
    )  # fmt: skip
    return Fold(caption, [Prose(say("replacement.lost_note"), "note"), items])


def _labels(page: Page, lost: LostItem) -> tuple[str, str]:
    """Return the label of the system, and the labels of the annotators."""
    others = (f"{label} × {page.say.integer(n)}" for label, n in lost.labels.items())
    return lost.label or page.say("replacement.no_label"), ", ".join(others)


def _annotator_table(page: Page, systems: list[SystemReplacement]) -> Table:
    """Show the p-value of the alt-test by annotator and system; rejected nulls are starred."""
    say = page.say
    tests = [{test.annotator: test for test in one.annotators} for one in systems]

    def p_value(k: int, name: str) -> Cell | None:
        test = tests[k].get(name)
        if test is None or not math.isfinite(test.p_value):
            return None
        mark = " *" if test.rejected else ""
        return Cell(f"{say.p_value(test.p_value)}{mark}", kind="number", sort=test.p_value)

    return table(
        say, say("replacement.annotators"), dict.fromkeys(name for one in tests for name in one),
        text(say("replacement.annotator"), lambda name: name),
        *each(
            range(len(systems)), lambda k: number(systems[k].system, lambda name: p_value(k, name))
        ),
        note=say("replacement.starred"),
    )  # fmt: skip


def _alt_test(page: Page, one: SystemReplacement) -> str:
    """Return its outcome, and the share of the resamples with the same outcome."""
    outcome = page.say(f"replacement.{'passed' if one.passed else 'failed'}")
    if not math.isfinite(one.alt_stability):
        return outcome
    return f"{outcome} ({page.say.percent(one.alt_stability, 0)})"
