"""Replacement of an annotator by a system: verdicts, curves over ε, parts, and wrong items.

Like the scores of systems it is separate from agreement, and shows no coefficients of agreement.
"""

from __future__ import annotations

import math

from ..figures.curve import Level, Point, curve
from ..judge_checklist import check_sentence, checklist
from ..page.blocks import (
    Block,
    Cell,
    Figure,
    Fold,
    Grid,
    Prose,
    Section,
    Table,
    measured_cell,
    numeric_cell,
)
from ..page.page import Page, blocks_by_layer, folded_table
from ..page.values import (
    SCORE_SENTENCE,
    forest_table,
    interval_heading,
    measure_name,
    value_cell,
    value_view,
)
from ..replacement import epsilon_sentence, lost_key, units_of_lost, verdict_sentences
from ..results import (
    ItemAgreement,
    LostItem,
    Replacement,
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
    return Section("replacement", say("replacement.title"), [lead, *blocks], css="apart")


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
    blocks.append(Grid([_curve_figure(page, one) for one in judged]))
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
    rows = []
    for one in systems:
        if one.panel is None or one.new_annotators is None:
            continue
        about = f"{one.system}, {found.layer}"
        views = [value_view(page, v, about=about, kind=SCORE_SENTENCE) for v in one.values]
        rows.append(
            [
                Cell(one.system),
                Cell(say(f"replacement.verdict_{one.panel.verdict}")),
                _share_cell(page, one.panel.stability),
                Cell(say(f"replacement.verdict_{one.new_annotators.verdict}")),
                Cell(say(f"replacement.verdict_{one.after_holm}")),
                *map(value_cell, views),
                Cell(_alt_test(page, one)),
            ]
        )
    columns = [
        Cell(say("replacement.system")),
        Cell(say("replacement.verdict")),
        numeric_cell(say("replacement.stability")),
        Cell(say("replacement.new_annotators")),
        Cell(say("replacement.after_holm")),
        *(numeric_cell(text) for text in (say("replacement.advantage"), "ω", "ρ")),
        Cell(say("replacement.alt_test")),
    ]
    caption = say("replacement.table")
    return folded_table(page, caption, columns, rows, note=say("replacement.note"), css="sortable")


def _curve_figure(page: Page, one: SystemReplacement) -> Figure:
    """Plot ω over ε, with the threshold of the alt-test, and ρ."""
    say = page.say
    caption = say("replacement.curve", system=one.system)
    probability = one.values[2].value
    levels = [Level(_BAR, say.plain(_BAR, 1))]
    if math.isfinite(probability):
        levels.append(Level(probability, f"ρ = {say.number(probability, 2)}"))
    svg = curve(
        [Point(point.epsilon, point.winning_rate) for point in one.curve],
        x_title="ε",
        y_title="ω",
        identifier=page.identifier("replacement-curve"),
        title=caption,
        description=say("replacement.curve_note"),
        say=say,
        y_range=(0.0, 1.0),
        levels=levels,
    )
    note = say("replacement.curve_note")
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
    rows = []
    for value in one.checks:
        view = value_view(page, value, about=about, kind=SCORE_SENTENCE)
        rows.append(
            [
                Cell(measure_name(say, value.measure)),
                value_cell(view),
                numeric_cell(view.interval),
                numeric_cell(say.integer(value.n_items)),
            ]
        )
    columns = [
        Cell(say("replacement.check")),
        numeric_cell(say("table.value")),
        numeric_cell(interval_heading(say, one.checks[0].level)),
        numeric_cell(say("campaign.documents" if of_units else "table.items")),
    ]
    caption = say(f"replacement.checks{'_of_units' if of_units else ''}", system=one.system)
    table = folded_table(page, caption, columns, rows)
    said = " ".join(check_sentence(say, found, one, value) for value in one.checks)
    return [Prose(said), table]


def _checklist_fold(page: Page, found: Replacement, one: SystemReplacement) -> Fold:
    """Show the checklist of the system's study: filled points, and how to fill the others."""
    say = page.say
    parts: list[ItemAgreement | UnitAgreement] = [*page.results.items, *page.results.units]
    values = [part.values[0] for part in parts if part.layer == found.layer and part.values]
    points = checklist(say, found, one, values[0] if values else None)
    rows = [
        [Cell(point.title), Cell(point.text)]
        if point.is_filled
        else [Cell(point.title), Cell(f"{say('replacement.is_missing')} – {point.text}")]
        for point in points
    ]
    filled = sum(point.is_filled for point in points)
    count = say("replacement.checklist_count", filled=filled, all=len(points))
    caption = say("replacement.checklist", system=one.system)
    columns = [Cell(say("replacement.point")), Cell(say("replacement.reported"))]
    lead = Prose(f"{say('replacement.checklist_lead')} {count}")
    return Fold(caption, [lead, folded_table(page, caption, columns, rows)])


def _lost_item_fold(page: Page, one: SystemReplacement) -> Fold:
    say = page.say
    of_units = any(lost.units for lost in one.lost)
    has_documents = any(lost.document for lost in one.lost)
    rows = [
        [
            *([Cell(lost.document)] if has_documents else []),
            Cell(lost.item),
            *map(Cell, units_of_lost(say, lost) if of_units else _labels(page, lost)),
            measured_cell(say.number(lost.advantage, 2), lost.advantage),
        ]
        for lost in one.lost
    ]
    columns = [
        *([Cell(say("replacement.document"))] if has_documents else []),
        Cell(say("replacement.document" if of_units else "replacement.item")),
        Cell(say("replacement.units_of_system" if of_units else "replacement.label")),
        Cell(say("replacement.units_of_annotators" if of_units else "replacement.labels")),
        numeric_cell(say("replacement.advantage")),
    ]
    caption = say(lost_key(one), system=one.system, n=say.integer(one.n_lost))
    table = folded_table(page, caption, columns, rows, n_total=one.n_lost)
    return Fold(caption, [Prose(say("replacement.lost_note"), "note"), table])


def _labels(page: Page, lost: LostItem) -> tuple[str, str]:
    """Return the label of the system, and the labels of the annotators."""
    others = (f"{label} × {page.say.integer(n)}" for label, n in lost.labels.items())
    return lost.label or page.say("replacement.no_label"), ", ".join(others)


def _annotator_table(page: Page, systems: list[SystemReplacement]) -> Table:
    """Show the p-value of the alt-test by annotator and system; rejected nulls are starred."""
    say = page.say
    names = list(dict.fromkeys(test.annotator for one in systems for test in one.annotators))
    by_name = [{test.annotator: test for test in one.annotators} for one in systems]
    rows = []
    for name in names:
        cells = [Cell(name)]
        for tests in by_name:
            test = tests.get(name)
            mark = " *" if test is not None and test.rejected else ""
            p_value = math.nan if test is None else test.p_value
            text = f"{say.plain(p_value, 3)}{mark}" if math.isfinite(p_value) else "–"
            cells.append(numeric_cell(text, p_value if math.isfinite(p_value) else 2))
        rows.append(cells)
    columns = [Cell(say("replacement.annotator")), *(numeric_cell(one.system) for one in systems)]
    note = say("replacement.starred")
    return folded_table(page, say("replacement.annotators"), columns, rows, note=note)


def _alt_test(page: Page, one: SystemReplacement) -> str:
    """Return its outcome, and the share of the resamples with the same outcome."""
    outcome = page.say(f"replacement.{'passed' if one.passed else 'failed'}")
    if not math.isfinite(one.alt_stability):
        return outcome
    return f"{outcome} ({page.say.percent(one.alt_stability, 0)})"


def _share_cell(page: Page, share: float) -> Cell:
    return measured_cell(page.say.percent(share, 0) if math.isfinite(share) else "–", share)
