"""Systems against the reference: scores, paired comparisons, errors, the human range.

Validity, not agreement: no chance-corrected coefficients are shown, and the page says why.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...metrics.estimate import Estimate
from ..columns import each, interval, number, picture, text
from ..figures import forest_row
from ..language import Language
from ..page.blocks import Block, Cell, Prose, Section, Table
from ..page.page import Page
from ..page.tables import table
from ..page.values import (
    SCORE_SENTENCE,
    interval_heading,
    measure_name,
    name_with_symbol,
    value_cell,
    value_in_short,
)
from ..reference_in_words import MAIN, reference_of, sentences_on_reference
from ..results import SystemComparison, SystemScores, Validity
from ..warnings import reason_text, warning_sentence
from .scores_beside_humans import blocks_beside_humans
from .soft_references import soft_score_blocks


def system_scores_section(page: Page) -> Section | None:
    say = page.say
    blocks: list[Block] = []
    for validity in page.results.validity:
        blocks += (
            _soft_blocks(page, validity) if validity.soft else _validity_blocks(page, validity)
        )
    if not blocks:
        return None
    blocks.insert(0, Prose(say("validity.wall"), "lead"))
    inside = _shown_when_closed(page)
    return Section("systems", say("validity.title"), blocks, css="apart", inside=inside)


def _shown_when_closed(page: Page) -> str:
    """Give accuracy or exact F of the first systems, or the first of their scores."""
    say, scores = page.say, list[str]()
    for validity in page.results.validity:
        for system in validity.systems:
            main = [one for one in system.values if one.measure in MAIN] or system.values
            for value in main[:1]:
                shown, where = value_in_short(say, value), f"{system.system}, {system.layer}"
                shown = say("scored.headline", shown=shown, reference=reference_of(say, validity))
                scores.append(say("value.labelled", label=where, said=shown))
    return say.semicolon_list(scores[:_N_INSIDE])


_N_INSIDE = 3


def _validity_blocks(page: Page, validity: Validity) -> list[Block]:
    say = page.say
    single = any(
        reference.is_single_annotator and validity.reference in reference.annotators
        for reference in page.results.references
    )
    word = "annotator" if single else "reference"
    layers = {validity.layer, *(system.layer for system in validity.systems)} - {""}
    reference = reference_of(say, validity)
    layer = ", ".join(sorted(layers)) or say("validity.the_systems")
    blocks: list[Block] = [
        page.heading(say(f"validity.against_{word}", layer=layer, reference=reference))
    ]
    if on_reference := " ".join(sentences_on_reference(say, validity)):
        blocks.append(Prose(on_reference))
    if single:
        blocks.append(Prose(say("reference.single"), "warning"))
    blocks += blocks_beside_humans(page, validity)
    if validity.systems:
        scored, systems = say("validity.system"), validity.systems
        blocks.append(_score_table(page, say("validity.scores"), scored, systems, reference))
    for title, annotators in (
        ("validity.humans", validity.humans),
        ("validity.human_range", validity.human_range),
    ):
        blocks += _annotator_tables(page, say(title), annotators, reference)
    if validity.baselines:
        blocks.append(_score_table(page, say("validity.baselines"), "", validity.baselines, ""))
    if validity.human_range:
        blocks.append(Prose(say("validity.human_range_note"), "note"))
    if validity.comparisons:
        blocks.append(_comparison_table(page, validity.comparisons))
    blocks += [_per_category(page, s, reference) for s in validity.systems if s.per_category]
    blocks += [Prose(warning_sentence(say, one)[0], "warning") for one in validity.notices]
    if any(system.errors for system in validity.systems):
        blocks.append(_error_table(page, validity.systems))
    return blocks


def _soft_blocks(page: Page, validity: Validity) -> list[Block]:
    blocks = soft_score_blocks(page, validity)
    if validity.comparisons:
        blocks.append(_comparison_table(page, validity.comparisons))
    return blocks + [
        Prose(warning_sentence(page.say, one)[0], "warning") for one in validity.notices
    ]


def _about(system: SystemScores, reference: str, page: Page) -> str:
    if system.without:
        reference = page.say("validity.without", name=system.without)
    return page.say("validity.about", system=system.system, layer=system.layer, reference=reference)


def _score_table(
    page: Page, caption: str, scored: str, scores: Sequence[SystemScores], reference: str
) -> Table:
    """Show one row per system and measure: value, interval, and picture.

    Without `scored`, a row is named by its measure alone.
    """
    say = page.say
    if scored and len(scores) == 1:  # one name above the table instead of in each row
        caption = say("validity.of_one", caption=caption, name=scores[0].system)
    scale = forest_row.shared_scale([value for system in scores for value in system.values])
    level = next((value.confidence_level for system in scores for value in system.values), 0.95)

    def name(row: _Score) -> str:
        category = row.value.detail.category
        named = name_with_symbol(say, row.value) + (f" – {category}" if category else "")
        return say("validity.equal", measure=named) if row.stands_for_others else named

    def measured(row: _Score) -> Cell | None:
        about = _about(row.system, reference, page) if scored else row.system.layer
        counted = row.system.kind[:-1]
        return value_cell(page, row.value, about=about, counted=counted, kind=SCORE_SENTENCE)

    rows = [row for system in scores for row in _different_scores(system)]
    macro = any(row.value.how.average == "macro" for row in rows)
    return table(
        say, caption, rows,
        text(scored, lambda row: row.system.system, when=bool(scored) and len(scores) > 1),
        text(say("table.measure"), name),
        picture(
            say("table.scale"),
            forest_row.axis(scale, say),
            lambda row: forest_row.value_and_interval(row.value, scale),
        ),
        number(say("table.value"), measured),
        interval(interval_heading(say, level), lambda row: row.value.interval),
        number(_counted(say, scores), lambda row: row.value.n_items),
        note=say("validity.macro_note") if macro else "", css="forest sortable", n_shown=40,
    )  # fmt: skip


class _Score(NamedTuple):
    system: SystemScores
    value: Estimate
    stands_for_others: bool = False


def _different_scores(system: SystemScores) -> list[_Score]:
    """Return a row per value; accuracy stands for micro precision, recall and F if they equal it.

    They do where every item has a label of the system and of the reference.
    """
    accuracy = next((one for one in system.values if one.measure == "accuracy"), None)
    alike = [
        one
        for one in system.values
        if accuracy is not None
        and one.how.average == "micro"
        and (one.value, one.interval) == (accuracy.value, accuracy.interval)
    ]
    if len(alike) < len(_EQUAL_TO_ACCURACY):
        return [_Score(system, value) for value in system.values]
    rest = [one for one in system.values if one not in alike]
    return [_Score(system, value, value is accuracy) for value in rest]


_EQUAL_TO_ACCURACY = ("precision", "recall", "f")


def _counted(say: Language, scores: Sequence[SystemScores]) -> str:
    """Return what the numbers at the right count: items, units, or both in a mixed table."""
    kinds = {system.kind for system in scores}
    return say(f"table.{kinds.pop()}") if len(kinds) == 1 else say("table.counted")


def _comparison_table(page: Page, comparisons: Sequence[SystemComparison]) -> Table:
    say = page.say
    return table(
        say, say("validity.comparisons"), comparisons,
        text(say("validity.pair"), lambda one: f"{one.first} − {one.second}"),
        text(say("table.measure"), lambda one: measure_name(say, one.measure)),
        number(
            say("validity.difference"),
            lambda one: reason_text(say, one.reason) or one.difference,
            "+",
        ),
        interval(interval_heading(say, comparisons[0].level), lambda one: one.interval),
        number("p", lambda one: one.p_value, say.p_value),
        number(say("validity.corrected"), lambda one: one.p_corrected, say.p_value),
        note=say("validity.comparisons_note"),
    )  # fmt: skip


def _per_category(page: Page, system: SystemScores, reference: str) -> Table:
    """Show one row per category, one column per measure, each value over its interval."""
    say = page.say
    by_name: dict[str, list[Estimate]] = {}
    for part in system.per_category:
        by_name.setdefault(part.name, []).append(part.value)
    about = _about(system, reference, page)
    rows = [
        _ScoreRow(name, f"{about}, {name}", system.kind, values) for name, values in by_name.items()
    ]
    caption = say("validity.per_category", system=system.system)
    return _table_by_measure(
        page, caption, say("table.category"), rows, say("validity.in_reference")
    )


def _annotator_tables(
    page: Page, caption: str, annotators: Sequence[SystemScores], reference: str
) -> list[Table]:
    """Show one row per annotator, a table for each kind of layer."""
    say, found = page.say, list[Table]()
    for kind in dict.fromkeys(one.kind for one in annotators):
        rows = [
            _ScoreRow(
                one.system,
                _about(one, reference, page),
                kind,
                [score.value for score in _different_scores(one)],
            )
            for one in annotators
            if one.kind == kind
        ]
        heading = say("validity.annotator")
        found.append(_table_by_measure(page, caption, heading, rows, say(f"table.{kind}")))
    return found


class _ScoreRow(NamedTuple):
    name: str
    about: str  # in the sentence to quote
    kind: str
    values: list[Estimate]


def _table_by_measure(
    page: Page, caption: str, heading: str, rows: Sequence[_ScoreRow], counted: str
) -> Table:
    """Show one column per measure, each value over its interval, then what is counted."""
    say = page.say
    measures = list(dict.fromkeys(value.measure for row in rows for value in row.values))

    def measured(row: _ScoreRow, measure: str) -> Cell | None:
        return value_cell(
            page,
            next((value for value in row.values if value.measure == measure), None),
            about=row.about,
            counted=row.kind[:-1],
            kind=SCORE_SENTENCE,
            with_interval=True,
        )

    return table(
        say, caption, rows,
        text(heading, lambda row: row.name),
        *each(measures, lambda one: number(measure_name(say, one), lambda row: measured(row, one))),
        number(counted, lambda row: max(value.n_items for value in row.values)),
        css="sortable",
    )  # fmt: skip


def _error_table(page: Page, systems: Sequence[SystemScores]) -> Table:
    say = page.say
    kinds = list(dict.fromkeys(kind for system in systems for kind in system.errors))
    lacking = any(system.n_missing_documents for system in systems)

    def name(kind: str) -> str:
        return say(f"error.{kind}") if say.knows(f"error.{kind}") else kind

    return table(
        say, say("validity.errors"), [system for system in systems if system.errors],
        text(say("validity.system"), lambda one: one.system),
        number(
            say("validity.missing_documents"), lambda one: one.n_missing_documents, when=lacking
        ),
        *each(kinds, lambda kind: number(name(kind), lambda one: one.errors.get(kind, 0))),
    )  # fmt: skip
