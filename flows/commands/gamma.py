"""`accordeur gamma`: measures on exports of units."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from ...data.errors import DataError
from ...tasks.inputs.reading_options import Columns, Reading
from ...tasks.inputs.unit_options import GammaOptions
from .printing.estimates import print_compared, print_estimates
from .typer_options import JsonOrTables, WithSignatures


def gamma(
    units: Annotated[
        list[Path],
        typer.Argument(
            help="Exports with units (files or folders); if they contain no annotator names, "
            "each of several is the work of one annotator."
        ),
    ],
    reading: Reading,
    columns: Columns,
    options: GammaOptions,
    against: Annotated[
        list[Path] | None,
        typer.Option(
            help="Exports of a second annotation of the same documents, to test the "
            "differences; may be repeated."
        ),
    ] = None,
    independent: Annotated[
        bool,
        typer.Option(
            "--independent",
            help="Compare the two annotations as independent: they share no documents.",
        ),
    ] = False,
    by: Annotated[
        str,
        typer.Option(
            help="Also print the measure for each `category`, each `pair` of annotators, the "
            "others without each `annotator`, or each value of any other column of a table, or of "
            "several (commas), crossed."
        ),
    ] = "",
    json_: JsonOrTables = False,
    signature: WithSignatures = False,
) -> None:
    """Agreement on units that annotators located themselves: γ with an exact alignment."""
    from ...metrics.measures import UNITS
    from ...tasks.inputs.measure_names import require_known_measures

    names = tuple(one.strip() for one in options.measure.split(","))
    names = require_known_measures(names, UNITS, "the measures on units are")
    if against and len(names) > 1:
        raise DataError("--against is for one measure at a time: give --measure one name")
    if against and by:
        raise DataError("--by is for the values of one annotation: remove --against")
    if against and options.empty_pairs:
        raise DataError(
            "--empty-pairs cannot be combined with --against: differences of this "
            "variant are not tested"
        )
    if against and options.queue:
        raise DataError(
            "--queue cannot be combined with --against: compare exports without informative "
            "documents"
        )
    reading = columns.of(reading)
    if against:
        from ...tasks.units.gamma_differences import gamma_against

        compared = gamma_against(units, against, reading, options, independent=independent)
        print_compared(compared, units, against, as_json=json_, signatures=signature)
    else:
        from ...tasks.units.gamma_by_column import gammas_by

        measured = replace(options, measure=",".join(names))
        estimates = gammas_by(units, reading, measured, by)
        print_estimates(estimates, as_json=json_, signatures=signature)
