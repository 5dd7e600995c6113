"""`accordeur estimate`: what a corpus contains, if a system labelled it and humans audited it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...data.errors import DataError
from ...reports.columns import interval, number, reasons, text
from ...tasks.inputs.assessment_options import EstimateOptions
from ...tasks.inputs.reading_options import Columns, Reading
from .terminal import print_json, terminal
from .typer_options import JsonOrTables

if TYPE_CHECKING:
    from rich.console import Console

    from ...reports.language import Language
    from ...reports.results import CorpusEstimates, SystemEstimates
    from ...tasks.inputs.results_of_exports import ExportSummary


def estimate(
    labels: Annotated[
        list[Path],
        typer.Argument(
            help="Table with item, annotator, label [, document], or any export of labels: of a "
            "system on all items, and of humans on a random part of them."
        ),
    ],
    reading: Reading,
    columns: Columns,
    options: EstimateOptions,
    system: Annotated[
        list[str] | None,
        typer.Option(
            help="Name of an annotator that is a system; may be repeated, to compare systems. "
            "Default: the annotators with the role system."
        ),
    ] = None,
    before: Annotated[
        list[Path] | None,
        typer.Option(
            help="Export of an earlier batch, with the same systems and an audit of its own: also "
            "print how the shares have changed; may be repeated."
        ),
    ] = None,
    json_: JsonOrTables = False,
) -> None:
    """How often does a corpus contain each category, if a model labelled it? Corrected shares."""
    from ...tasks.prevalence.estimate_exports import estimate_in_exports

    if category := columns.options.get("category"):
        raise DataError(
            f"--category is a column of units: --only {category} estimates one category"
        )
    found = estimate_in_exports(
        labels, system or (), columns.of(reading), options, before=before or None
    )
    if json_:
        print_json(found.as_json())
    else:
        _print(found)


def _print(result: ExportSummary[CorpusEstimates]) -> None:
    from ...reports import estimates
    from ...reports.language import Language
    from .printing.footnotes import print_rows, print_warnings

    console, say = terminal(), Language("en", estimates.MESSAGES)
    found = result.found
    # Whether the annotators are human decides what the estimates mean.
    roles = [one for one in result.warnings if one.code.startswith("named_like_")]
    print_warnings(console, roles)

    def print_sentence(sentence: str) -> None:
        console.print(sentence, soft_wrap=True, markup=False)

    print_sentence(" ".join(estimates.about_sentences(say, found)))
    for one in found.systems:
        for sentence in estimates.system_sentences(say, one, found.level):
            print_sentence(sentence)
        if one.shares:
            _print_shares(console, say, found, one)
        _print_textbook(console, say, one)
        _print_changes(console, say, found, one)
    for difference in found.differences:
        print_sentence(estimates.difference_sentence(say, difference, found.level))
    print_warnings(console, [one for one in result.warnings if one not in roles])
    print_rows(console, result.rows, result.rejected)


def _print_shares(
    console: Console, say: Language, found: CorpusEstimates, one: SystemEstimates
) -> None:
    from ...reports.estimates import share_columns
    from .printing.tables import print_table

    title = say("estimates.shares", system=one.system)
    print_table(console, one.shares, *share_columns(say, found, one), title=title)


def _print_textbook(console: Console, say: Language, one: SystemEstimates) -> None:
    from ...reports.estimates import textbook_columns, textbook_refusal, textbook_rows
    from .printing.tables import print_table

    rows, n_refused = textbook_rows(one)
    if rows:
        print_table(console, rows, *textbook_columns(say), title=say("estimates.textbook"))
    if n_refused:
        console.print(textbook_refusal(say, one), soft_wrap=True, markup=False)


def _print_changes(
    console: Console, say: Language, found: CorpusEstimates, one: SystemEstimates
) -> None:
    from ...reports.estimates import level_text
    from ...reports.warnings import reason_text
    from .printing.tables import print_table

    if one.changes:
        level = say("estimates.interval", level=level_text(say, found.level_of_shares))
        print_table(
            console, one.changes,
            text(say("estimates.category"), lambda row: row.category),
            number(say("estimates.change"), lambda row: row.value, "+3"),
            interval(level, lambda row: row.interval, "+3"),
            reasons(
                say("estimates.no_value"),
                lambda row: reason_text(say, row.reason),
                when=any(row.reason for row in one.changes),
            ),
            title=say("estimates.changes", system=one.system),
        )  # fmt: skip
