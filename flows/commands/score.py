"""`accordeur score`: its options, and its output as tables or JSON."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...tasks.inputs.assessment_options import ScoreOptions
from ...tasks.inputs.reading_options import Columns, parse_pairs
from .terminal import print_json, terminal
from .typer_options import JsonOrTables, Strict, WithSignatures

if TYPE_CHECKING:
    from ...tasks.scores.score_exports import ExportScores


def score(
    reference: Annotated[
        str,
        typer.Option(
            help="Export of the reference, or EXPORT#ANNOTATOR if it has several; with EXPORT, the "
            "ANNOTATOR."
        ),
    ],
    system: Annotated[
        list[str],
        typer.Option(
            help="Export of a system, or EXPORT#NAME; with EXPORT, the NAME; may be repeated."
        ),
    ],
    export: Annotated[
        str | None, typer.Argument(help="Export with the work of the reference and of systems.")
    ] = None,
    *,
    columns: Columns,
    options: ScoreOptions,
    format: Annotated[
        str, typer.Option("--from", help="Format of the exports (`accordeur formats`).")
    ] = "auto",
    option: Annotated[
        list[str] | None,
        typer.Option(help="An option of the format, KEY=VALUE; may be repeated."),
    ] = None,
    reference_option: Annotated[
        list[str] | None,
        typer.Option(help="An option for the reference only, KEY=VALUE; may be repeated."),
    ] = None,
    layer: Annotated[str | None, typer.Option(help="Layer to score, if there are several.")] = None,
    single_annotator: Annotated[
        bool,
        typer.Option(
            "--single-annotator",
            help="Accept one annotator's work as the reference, and mark it in the results.",
        ),
    ] = False,
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Also score unfinished documents.")
    ] = False,
    strict: Strict = False,
    all_: Annotated[
        bool, typer.Option("--all", help="Print every measure, not only F, precision and recall.")
    ] = False,
    json_: JsonOrTables = False,
    signature: WithSignatures = False,
) -> None:
    """Score systems against a reference, with errors, baselines, intervals and comparisons."""
    from ...tasks.inputs.measure_names import require_scores
    from ...tasks.scores.score_exports import score_exports

    if export is not None:
        reference, *system = (f"{export}#{name}" for name in (reference, *system))
    measures = require_scores(one.strip().lower() for one in options.measures)
    common = {**columns.options, **parse_pairs(option)}
    result = score_exports(
        reference,
        system,
        format=format,
        reference_options={**common, **parse_pairs(reference_option)},
        system_options=common,
        layer=layer,
        single_annotator=single_annotator,
        unfinished=unfinished,
        strict=strict,
        options=replace(options, measures=measures),
    )
    if json_:
        print_json(as_json(result))
    else:
        _print(result, every=all_ or bool(measures), signature=signature)


def as_json(result: ExportScores) -> dict[str, Any]:
    """Return `{"results": […], "comparisons": […], …}`, null where a value is undefined.

    For a reference by a single annotator, the key `reference` is replaced by `annotator`.
    """
    from ...metrics.estimate import json_value
    from ...metrics.reason import reason_fields
    from ...tasks.inputs.results_of_exports import estimate_row, rows_json

    systems, coverage = result.evaluation.systems, result.evaluation.coverage
    return {
        "annotator" if result.is_single_annotator else "reference": result.reference,
        **({} if coverage is None else {"coverage": asdict(coverage)}),
        "results": [
            {"system": system, "category": category, **estimate_row(value)}
            for system, category, value in result.evaluation.rows()
        ],
        "comparisons": [
            {
                "measure": measure,
                "first": one.first,
                "second": one.second,
                "difference": json_value(one.difference),
                "interval": json_value(one.interval),
                "p_bootstrap": json_value(one.p_bootstrap),
                "p_randomisation": json_value(one.p_randomisation),
                "p_corrected": json_value(one.p_corrected),
                "n_documents": one.n_documents,
                **reason_fields(one.reason),
            }
            for measure, one in result.comparisons
        ],
        "errors": {name: one.errors for name, one in systems.items() if one.errors},
        "documents": {name: asdict(one.documents) for name, one in systems.items()},
        "notes": result.notes,
        **rows_json(result.rows, result.rejected),
    }


def _print(result: ExportScores, *, every: bool, signature: bool) -> None:
    from ...reports.scores import blocks
    from .printing.footnotes import print_rows, print_signatures
    from .printing.tables import print_blocks

    console, shown = terminal(), result.shown
    print_blocks(console, [*blocks(shown, every=every), *(f"note: {n}" for n in result.notes)])
    print_rows(console, result.rows, result.rejected)
    if signature:
        print_signatures(console, [shown.whole[0].signature])
