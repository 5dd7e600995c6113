"""`accordeur mistakes`: probable annotation errors in an export."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...tasks.inputs.assessment_options import MistakeSearchOptions
from ...tasks.inputs.reading_options import Columns, Reading
from .terminal import print_json, terminal, text_tables
from .typer_options import JsonOrTables

if TYPE_CHECKING:
    from ...reports.results import MistakeQueue
    from ...tasks.inputs.results_of_exports import ExportSummary

_SHOWN = 30


def mistakes(
    annotations: Annotated[
        list[Path],
        typer.Argument(
            help="Table with item, annotator, label [, document], or any export of labels or "
            "units, with three annotators or more. If they contain no annotator names, each of "
            "several files or folders is the work of one annotator."
        ),
    ],
    reading: Reading,
    columns: Columns,
    options: MistakeSearchOptions,
    to: Annotated[
        Path | None, typer.Option(help="File to write the whole list to: .csv or .parquet.")
    ] = None,
    json_: JsonOrTables = False,
) -> None:
    """List annotations that are probably mistakes, separately from legitimate variation."""
    from ...tasks.mistakes.mistakes_of_exports import mistakes_in_exports

    found = mistakes_in_exports(annotations, columns.of(reading), options)
    if to is not None:
        from ...tasks.mistakes.mistakes_of_exports import write_mistake_queue

        write_mistake_queue(found.found, to)
    if json_:
        print_json(found.as_json())
    else:
        _print(found, to)


def _print(result: ExportSummary[MistakeQueue], to: Path | None) -> None:
    from rich.markup import escape
    from rich.padding import Padding

    from ...reports.language import Language
    from ...reports.mistakes import (
        MESSAGES,
        likelihood_text,
        mistake_columns,
        reason_sentence,
        summary_sentences,
    )
    from .printing.footnotes import print_rows, print_warnings

    console, say, queue = terminal(), Language("en", MESSAGES), result.found
    for sentence in summary_sentences(say, queue):
        console.print(sentence, soft_wrap=True, markup=False)
    if (as_text := text_tables()) is not None:
        as_text.print(mistake_columns(queue.mistakes))
    elif queue.mistakes:
        console.print("How likely  annotators: annotation  (document, item or place)", style="bold")
    for one in queue.mistakes[: 0 if as_text else _SHOWN]:
        annotators, label = ", ".join(one.annotators), one.label or say("mistakes.nothing")
        place = ", ".join(part for part in (one.document, one.where) if part)
        likely = likelihood_text(say, queue, one.probability, systematic=one.systematic)
        line = f"{likely}  {annotators}: {label}  ({place})"
        console.print(line, soft_wrap=True, markup=False)
        console.print(Padding(escape(reason_sentence(say, one)), (0, 0, 0, 6)), style="dim")
    if len(queue.mistakes) > _SHOWN and to is None and not as_text:
        n = len(queue.mistakes) - _SHOWN
        console.print(f"… and {n:,} more; --to FILE writes all of them", markup=False)
    if to is not None:
        console.print(f"written: {to}", markup=False, soft_wrap=True)
    print_warnings(console, result.warnings)
    print_rows(console, result.rows, result.rejected)
