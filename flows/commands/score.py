"""`accordeur score`: its options, and its output as tables or JSON."""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from ...reports.columns import each, interval, number, text
from ...tasks.inputs.assessment_options import ScoreOptions
from ...tasks.inputs.reading_options import Columns, parse_pairs
from ...tasks.wording import counted
from .terminal import print_json, terminal
from .typer_options import JsonOrTables, Strict, WithSignatures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from ...metrics.estimate import Estimate
    from ...reports.columns import Column
    from ...tasks.scores.score_exports import ExportScores

_MAIN = (
    "accuracy",
    *("precision", "recall", "f", "macro_f"),
    *("exact_precision", "exact_recall", "exact_f"),
)


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
    measures = tuple(one.strip().lower() for one in options.measures)
    require_scores(measures)
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
        _print(result, options.replicates, every=all_ or bool(measures), signature=signature)


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


def _print(result: ExportScores, replicates: int, *, every: bool, signature: bool) -> None:
    from .printing.footnotes import print_rows, print_signatures

    console = terminal()
    word = "annotator" if result.is_single_annotator else "reference"
    named = _reference_of(result)
    console.print(f"against the {word} {named}", highlight=False, markup=False)
    _print_values(console, result, every=every)
    whole = [value for _, category, value in result.evaluation.rows() if not category]
    if replicates and all(math.isnan(one.interval[0]) for one in whole):
        console.print("no interval: intervals resample documents, and there is only one")
    _print_scores_by_category(console, result)
    _print_errors(console, result)
    _print_system_differences(console, result)
    if result.is_single_annotator:
        console.print(
            "the reference is one annotator's unvalidated work: scores measure agreement with "
            "this annotator, not validity"
        )
    for note in result.notes:
        console.print(f"note: {note}", soft_wrap=True, markup=False)
    print_rows(console, result.rows, result.rejected)
    if signature:
        print_signatures(console, [whole[0].signature])


def _reference_of(result: ExportScores) -> str:
    """Name the reference with what it covers."""
    from ...reports.language import TERMINAL, Language
    from ...reports.reference_in_words import named_reference

    say, kind = Language("en", TERMINAL), "items" if result.is_labels else "units"
    return named_reference(say, result.reference, kind, result.evaluation.coverage)


def _print_values(console: Console, result: ExportScores, *, every: bool) -> None:
    """Print the values of whole systems: all, or F with precision and recall where they exist."""
    from ...metrics.measures import BASELINES
    from ...reports.language import Language
    from .printing.tables import level_text, print_table, why_undefined

    whole = [(system, one) for system, category, one in result.evaluation.rows() if not category]
    accuracies = {system: one.value for system, one in whole if one.measure == "accuracy"}
    main = [
        (system, one)
        for system, one in whole
        if not system
        or one.measure in ("accuracy", "macro_f")
        or (one.measure in _MAIN and one.value != accuracies.get(system))
    ]
    shown = whole if every or all(not system for system, _ in main) else main
    print_table(
        console, shown,
        text("system", lambda row: row[0] or "(baseline)"),
        text("measure", lambda row: row[1].measure),
        number("value", lambda row: row[1].value),
        interval(level_text(one.confidence_level for _, one in shown), lambda row: row[1].interval),
        why_undefined(shown, lambda row: row[1].reason),
    )  # fmt: skip
    others = {one.measure for _, one in whole} - {one.measure for _, one in shown}
    if others:
        console.print(f"{counted(len(others), 'more measure')} with --all")
    baselines = [one.measure for system, one in whole if not system and one.measure in BASELINES]
    if baselines:
        say = Language("en")
        meanings = [f"{name} ({say(f'measure.{name}.name')})" for name in baselines]
        line = f"A system should exceed the baseline: {'; '.join(meanings)}"
        console.print(line, soft_wrap=True, markup=False)


class _CategoryScores(NamedTuple):
    """The scores of one system on one category, by measure."""

    system: str
    category: str
    scores: dict[str, Estimate]

    def value(self, measure: str) -> float:
        return self.scores[measure].value if measure in self.scores else math.nan

    def interval(self, measure: str) -> tuple[float, float]:
        return self.scores[measure].interval if measure in self.scores else (math.nan, math.nan)

    def n_reference(self) -> int:
        return next(iter(self.scores.values())).detail.n_reference


def _print_scores_by_category(console: Console, result: ExportScores) -> None:
    """Print one row per system and category; for units, the exact match."""
    from .printing.tables import level_text, print_table

    found: dict[tuple[str, str], dict[str, Estimate]] = {}
    for system, category, one in result.evaluation.rows():
        if category and one.measure in _MAIN[1:]:
            found.setdefault((system, category), {})[one.measure] = one
    if not found:
        return
    rows = [_CategoryScores(*names, scores) for names, scores in found.items()]
    values = [one for row in rows for one in row.scores.values()]
    has_intervals = any(math.isfinite(one.interval[0]) for one in values)
    level = level_text(one.confidence_level for one in values) if has_intervals else ""
    measures = dict.fromkeys(one.measure for one in values)
    systems = {row.system for row in rows}
    print_table(
        console, rows,
        text("system", lambda row: row.system, when=len(systems) > 1),
        text("category", lambda row: row.category),
        number("n", lambda row: row.n_reference()),
        *chain.from_iterable(_score_columns(name, level) for name in measures),
        title=f"{f'{min(systems)} ' if len(systems) == 1 else ''}by category (n: in the reference)",
    )  # fmt: skip
    for reason in dict.fromkeys(str(one.reason) for one in values if one.reason):
        console.print(f"undefined: {reason}", soft_wrap=True, markup=False)
    for reason, categories in _without_interval(rows).items():
        named = ", ".join(categories)
        console.print(f"no interval ({named}): {reason}", soft_wrap=True, markup=False)


def _without_interval(rows: Sequence[_CategoryScores]) -> dict[str, dict[str, None]]:
    """Return why there is no interval → the categories that have values without one."""
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        for one in row.scores.values():
            reason = one.detail.interval_reason
            if reason and one.reason is None and math.isnan(one.interval[0]):
                found.setdefault(reason, {})[row.category] = None
    return found


def _score_columns(measure: str, level: str) -> list[Column[_CategoryScores]]:
    """Return the columns of a value and its interval; level: heading, "" without intervals."""
    return [
        number(measure, lambda row: row.value(measure)),
        interval(level, lambda row: row.interval(measure), when=bool(level)),
    ]


def _print_errors(console: Console, result: ExportScores) -> None:
    from .printing.tables import print_table

    errors = {name: one.errors for name, one in result.evaluation.systems.items() if one.errors}
    kinds = dict.fromkeys(kind for counts in errors.values() for kind in counts)
    if kinds:
        print_table(
            console, kinds,
            text("errors", lambda kind: kind, whole=True),
            *each(errors, lambda name: number(name, lambda kind: errors[name].get(kind, 0))),
        )  # fmt: skip


def _print_system_differences(console: Console, result: ExportScores) -> None:
    from .printing.tables import level_text, print_table, why_undefined

    if result.comparisons:
        level = level_text(one.level for _, one in result.comparisons)
        pairs = {f"{one.first} − {one.second}" for _, one in result.comparisons}
        named = f": {min(pairs)}" if len(pairs) == 1 else ""
        print_table(
            console, result.comparisons,
            text("pair", lambda row: f"{row[1].first} − {row[1].second}", when=not named),
            text("measure", lambda row: row[0], whole=True),
            number("difference", lambda row: row[1].difference, "+"),
            interval(level, lambda row: row[1].interval, "+"),
            number("p", lambda row: row[1].p_randomisation),
            number("p (Holm)", lambda row: row[1].p_corrected),
            why_undefined(result.comparisons, lambda row: row[1].reason),
            title=f"paired differences{named} (p: randomisation test)",
        )  # fmt: skip
