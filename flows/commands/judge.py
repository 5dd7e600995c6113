"""`accordeur judge`: check a model judge against the humans who label the same items."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...tasks.inputs.assessment_options import JudgeOptions
from ...tasks.inputs.reading_options import Columns, Reading
from .terminal import print_json, print_line, terminal, text_tables
from .typer_options import JsonOrTables

if TYPE_CHECKING:
    from ...reports.results.judges import JudgeReport
    from ...tasks.inputs.results_of_exports import ExportSummary

_STATUS = {"passed": 0, "failed": 1, "undecided": 2}


def judge(
    labels: Annotated[
        list[Path],
        typer.Argument(
            help="Table with item, annotator, label [, document], or any export of labels: of the "
            "judges and of humans on the same items."
        ),
    ],
    *,
    judge: Annotated[
        list[str] | None,
        typer.Option(
            help="Name of a judge, or its column beside those of `--human`; may be repeated. Name "
            "every model. Default: the annotators with the role system."
        ),
    ] = None,
    reading: Reading,
    columns: Columns,
    options: JudgeOptions,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print Markdown instead of tables.")
    ] = False,
    junit: Annotated[
        Path | None, typer.Option(help="Also write the bars as JUnit XML to this file.")
    ] = None,
    json_: JsonOrTables = False,
) -> None:
    """Can a model judge be used? Beside the human ceiling, against a reference, by stated bars.

    The exit status is 0 if every judge passes, 1 if one fails, 2 if the labels do not decide.
    """
    from ...reports.judge_documents import markdown as as_markdown
    from ...reports.judges import MESSAGES, worst
    from ...reports.language import Language
    from ...tasks.candidates.judge_exports import judge_exports

    judges = [name.strip() for one in judge or () for name in one.split(",")]
    found = judge_exports(labels, judges, columns.of(reading), options)
    if junit is not None:
        _write_junit(junit, found.found)
    if json_:
        print_json(found.as_json())
    elif markdown:
        for line in as_markdown(Language("en", MESSAGES), found.found).splitlines():
            print_line(line)
    else:
        _print(found)
    raise typer.Exit(_STATUS[worst([one.outcome for one in found.found.verdicts])])


def _print(result: ExportSummary[JudgeReport]) -> None:
    from ...reports.judges import MESSAGES, blocks
    from ...reports.language import Language
    from .printing.footnotes import print_rows, print_warnings
    from .printing.tables import print_blocks

    console = terminal()
    # Whether the annotators are human decides what all values mean.
    roles = [one for one in result.warnings if one.code.startswith("named_like_")]
    print_warnings(console, roles)
    shown = [*blocks(Language("en", MESSAGES), result.found)]
    if (tables := text_tables()) is not None and tables.form == "csv":  # of one table: the judges'
        at = next((k for k, block in enumerate(shown) if not isinstance(block, str)), 0)
        shown.append(shown.pop(at)) if result.found.agreement else None
    print_blocks(console, shown)
    print_warnings(console, [one for one in result.warnings if one not in roles])
    print_rows(console, result.rows, result.rejected)


def _write_junit(path: Path, found: JudgeReport) -> None:
    from ...tasks.reporting.junit import junit_xml

    gates = [
        {
            **one.model_dump(mode="json"),
            "layer": one.system,
            "value": one.value.value,
            "reason": str(one.value.reason or ""),
            "interval": one.value.interval,
            "level": one.value.confidence_level,
            "fails_run": one.outcome == "failed",
        }
        for verdict in found.verdicts
        for one in verdict.bars
    ]
    path.write_bytes(junit_xml(", ".join(found.systems), gates))
