"""`accordeur replace`: test whether a system can replace an annotator."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...reports.columns import interval, number, text
from ...tasks.inputs.assessment_options import ReplaceOptions
from ...tasks.inputs.reading_options import Columns, Reading
from .terminal import print_json, terminal
from .typer_options import JsonOrTables, WithSignatures

if TYPE_CHECKING:
    from rich.console import Console

    from ...reports.language import Language
    from ...reports.results import SystemReplacement
    from ...tasks.replacement.replacement_results import ExportReplacement

_ITEMS_SHOWN = 10


def replace(
    labels: Annotated[
        list[Path],
        typer.Argument(
            help="Table with item, annotator, label [, document], or any export of labels, with "
            "the annotators and the systems; of units, with an alignment of units. If they "
            "contain no annotator names, each of several files or folders is the work of one "
            "annotator."
        ),
    ],
    reading: Reading,
    columns: Columns,
    options: ReplaceOptions,
    system: Annotated[
        list[str] | None,
        typer.Option(
            help="Name of an annotator that is a system; may be repeated. Default: the "
            "annotators with the role system."
        ),
    ] = None,
    checklist: Annotated[
        bool,
        typer.Option(
            "--checklist",
            help="Print what a study of each system reports, filled from the data.",
        ),
    ] = False,
    json_: JsonOrTables = False,
    signature: WithSignatures = False,
) -> None:
    """May a system (a model, a judge) replace an annotator? Verdict, stability, alt-test."""
    from ...tasks.replacement.replacement_in_exports import replacement_in_exports

    found = replacement_in_exports(labels, system or (), columns.of(reading), options)
    if json_:
        print_json(found.as_json())
    else:
        _print(found, checklist=checklist, signature=signature)


def _print(result: ExportReplacement, *, checklist: bool, signature: bool) -> None:
    from ...reports.judge_checklist import check_sentence
    from ...reports.language import Language
    from ...reports.replacement import MESSAGES, epsilon_sentence, verdict_sentences
    from .printing.footnotes import print_rows, print_signatures, print_warnings

    console, say = terminal(), Language("en", MESSAGES)
    found = result.found
    # Whether the annotators are human decides what the verdict means.
    roles = [one for one in result.warnings if one.code.startswith("named_like_")]
    print_warnings(console, roles)
    for one in found.systems:
        sentences = " ".join(verdict_sentences(say, found, one))
        console.print(sentences, soft_wrap=True, markup=False)
    console.print(epsilon_sentence(say, found), soft_wrap=True, markup=False)
    _print_table(console, say, found.systems)
    for one in found.systems:
        _print_curve(console, say, one)
        _print_results_by_category(console, one, found.kind == "units")
        for check in one.checks:
            sentence = check_sentence(say, found, one, check)
            console.print(sentence, soft_wrap=True, markup=False)
        _print_items_that_systems_lost(console, say, one)
        if checklist:
            _print_checklist(console, say, result, one)
    print_warnings(console, [one for one in result.warnings if one not in roles])
    print_rows(console, result.rows, result.rejected)
    if signature:
        print_signatures(console, (one.values[0].signature for one in found.systems))


def _print_table(console: Console, say: Language, systems: list[SystemReplacement]) -> None:
    from ...reports.cell_texts import number_text
    from .printing.tables import print_table

    def alt_test(one: SystemReplacement) -> str:
        outcome = say("replacement.passed" if one.passed else "replacement.failed")
        return f"{outcome} ({number_text(one.alt_stability, '0%')})"

    judged = [one for one in systems if one.panel is not None]
    if judged:
        print_table(
            console, judged,
            text("system", lambda one: one.system, whole=True),
            text(
                "verdict",
                lambda one: one.panel and say(f"replacement.verdict_{one.panel.verdict}"),
                whole=True,
            ),
            number("stable", lambda one: one.panel and one.panel.stability, "0%"),
            number("advantage", lambda one: one.values[0].value, "3"),
            number("ω", lambda one: one.values[1].value, "2"),
            number("ρ", lambda one: one.values[2].value, "3"),
            text("alt-test", alt_test),
        )  # fmt: skip


def _print_curve(console: Console, say: Language, one: SystemReplacement) -> None:
    """Print ω at every second ε of the curve, and ρ, in one line."""
    if not one.curve:
        return
    points = ", ".join(
        f"{say.plain(point.epsilon, 2)}: {say.plain(point.winning_rate, 2)}"
        for point in one.curve[::2]
    )
    probability = say.plain(one.values[2].value, 3)
    line = say("replacement.curve_line", system=one.system, points=points, probability=probability)
    console.print(line, soft_wrap=True, markup=False)


def _print_checklist(
    console: Console, say: Language, result: ExportReplacement, one: SystemReplacement
) -> None:
    from ...reports.judge_checklist import checklist

    points = checklist(say, result.found, one, result.agreement)
    filled = sum(point.is_filled for point in points)
    count = say("replacement.checklist_count", filled=filled, all=len(points))
    title = say("replacement.checklist", system=one.system)
    console.print(f"{title}: {count}", soft_wrap=True, markup=False)
    for point in points:
        mark = "✓" if point.is_filled else "–"
        text = f"  {mark} {point.title}: {point.text}"
        console.print(text, soft_wrap=True, markup=False)


def _print_results_by_category(console: Console, one: SystemReplacement, of_units: bool) -> None:
    from .printing.tables import print_table

    parts = [part for part in one.parts if math.isfinite(part.value.value)]
    if len(parts) > 1:
        print_table(
            console, parts,
            text(f"{one.system}: part", lambda part: part.kind),
            text("", lambda part: part.name),
            number("advantage", lambda part: part.value.value, "3"),
            interval("interval", lambda part: part.value.interval, "3"),
            number("documents" if of_units else "items", lambda part: part.value.n_items),
        )  # fmt: skip


def _print_items_that_systems_lost(console: Console, say: Language, one: SystemReplacement) -> None:
    if not one.lost:
        return
    from ...reports.replacement import heading_key_of_lost, units_of_lost

    heading = say(heading_key_of_lost(one), system=one.system, n=say.integer(one.n_lost))
    console.print(f"{heading}, the worst:", soft_wrap=True, markup=False)
    console.print(say("replacement.lost_note"), soft_wrap=True, markup=False)
    for lost in one.lost[:_ITEMS_SHOWN]:
        if lost.units:
            own, others = units_of_lost(say, lost)
            text = f"  {lost.item}: {own} (annotators: {others})"
            console.print(text, soft_wrap=True, markup=False)
            continue
        labels = ", ".join(f"{label} × {n}" for label, n in lost.labels.items())
        place = f"{lost.document} {lost.item}".strip()
        label = lost.label or say("replacement.no_label")
        console.print(f"  {place}: {label} (annotators: {labels})", soft_wrap=True, markup=False)
