"""`accordeur ratings`: the reliability of numeric ratings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...reports.columns import number, text
from ...tasks.inputs.label_options import RatingOptions
from ...tasks.inputs.reading_options import Columns, Reading
from .terminal import print_json, terminal, text_tables
from .typer_options import JsonOrTables, WithSignatures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from ...metrics.estimate import Estimate
    from ...reports.language import Language
    from ...reports.results import RatingStudy
    from ...tasks.inputs.results_of_exports import ExportSummary


def ratings(
    labels: Annotated[
        list[Path],
        typer.Argument(
            help="Table with item, annotator, label (a number) [, document, pass], or any export "
            "of numeric labels."
        ),
    ],
    reading: Reading,
    columns: Columns,
    options: RatingOptions,
    json_: JsonOrTables = False,
    signature: WithSignatures = False,
) -> None:
    """Reliability of numeric ratings: ICC, scale, forecast, limits of agreement, repeatability."""
    from ...tasks.agreement.rating_study import ratings_in_exports

    found = ratings_in_exports(labels, columns.of(reading), options)
    if json_:
        print_json(found.as_json())
    else:
        _print(found, signature=signature)


def _print(result: ExportSummary[RatingStudy], *, signature: bool) -> None:
    from ...reports.cell_texts import value_text
    from ...reports.language import Language
    from ...reports.ratings import MESSAGES, limit_text, repeatability_sentence, scale_sentence
    from .printing.footnotes import print_rows, print_signatures, print_warnings
    from .printing.tables import print_table

    console, say, study = terminal(), Language("en", MESSAGES), result.found
    forms = [(_symbol_text(one), one) for one in study.reliability]
    _print_values(console, say, forms, "reliability", "reliability_key")
    scales = [(say(f"ratings.scale_{one.how.distance or ''}"), one) for one in study.scales]
    _print_values(console, say, scales, "scales")
    console.print(scale_sentence(say, study), soft_wrap=True, markup=False)
    forecast = [(f"{_symbol_text(one)}, k = {one.detail.k}", one) for one in study.forecast]
    _print_values(console, say, forecast, "forecast", "forecast_note")
    if study.pairs:
        print_table(
            console, study.pairs,
            text(
                say("ratings.pair"),
                lambda pair: f"{pair.detail.first} − {pair.detail.second}",
            ),
            text(
                say("ratings.difference"),
                lambda pair: value_text(pair.value, pair.interval),
            ),
            text(say("ratings.lower"), lambda pair: limit_text(say, pair, "lower")),
            text(say("ratings.upper"), lambda pair: limit_text(say, pair, "upper")),
            title=say("ratings.limits"),
        )  # fmt: skip
        console.print(say("ratings.limits_note"), soft_wrap=True, markup=False)
    sentence = repeatability_sentence(say, study.repeatability)
    console.print(sentence, soft_wrap=True, markup=False)
    print_warnings(console, result.warnings)
    print_rows(console, result.rows, result.rejected)
    if signature:
        values = (*study.reliability, *study.scales, *study.forecast, *study.pairs)
        print_signatures(console, (one.signature for one in values if one.signature))


def _print_values(
    console: Console,
    say: Language,
    named: Sequence[tuple[str, Estimate]],
    title: str,
    note: str = "",
) -> None:
    from ...reports.cell_texts import level_text
    from ...reports.value_columns import value_columns
    from ...reports.warnings import reason_text
    from .printing.tables import print_table

    if (as_text := text_tables()) is not None:
        as_text.print(value_columns([one for _, one in named]), say(f"ratings.{title}"))
        return
    print_table(
        console, named,
        text("", lambda row: row[0]),
        number(say("table.value"), lambda row: say.number(row[1].value)),
        text(
            level_text(one.confidence_level for _, one in named),
            lambda row: reason_text(say, row[1].reason) or say.interval(row[1].interval),
        ),
        title=say(f"ratings.{title}"),
    )  # fmt: skip
    if note:
        console.print(say(f"ratings.{note}"), soft_wrap=True, markup=False)


def _symbol_text(one: Estimate) -> str:
    from ...metrics.measures import measure_of

    return measure_of(one.measure).symbol
