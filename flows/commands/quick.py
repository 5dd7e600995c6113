"""`accordeur agree` and `resample`: measures on a table or an export of labels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from ...data.errors import DataError
from ...tasks.inputs.label_options import GroupOptions, LabelOptions, ResampleOptions
from ...tasks.inputs.part_kind import PartKind
from ...tasks.inputs.reading_options import Columns, Reading, parse_categories
from .printing.estimates import print_compared, print_estimates, print_reliability
from .typer_options import JsonOrTables, WithSignatures

Labels = Annotated[
    list[Path],
    typer.Argument(
        help="Table with item, annotator, label [, document], or any export of labels. If they "
        "contain no annotator names, each of several files or folders is the work of one "
        "annotator."
    ),
]


def agree(
    labels: Labels,
    reading: Reading,
    columns: Columns,
    options: LabelOptions,
    groups: GroupOptions,
    against: Annotated[
        Path | None,
        typer.Option(help="Second table on the same items, to test the differences."),
    ] = None,
    independent: Annotated[
        bool,
        typer.Option(
            "--independent", help="Compare the two tables as independent: they share no items."
        ),
    ] = False,
    group: Annotated[
        list[str] | None,
        typer.Option(
            help="Annotators of a group, separated by commas. Give it twice: the cross-replication "
            "reliability of the two groups is computed in place of the coefficients."
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            help="Also print the requested measures (default: the first) for each `category`, each "
            "`pair` of annotators (on the items that both labelled), or the others without each "
            "`annotator`; or in place of the coefficients for each value of any other column, such "
            "as a topic or the question that a label answers, or of several (commas), crossed."
        ),
    ] = None,
    json_: JsonOrTables = False,
    signature: WithSignatures = False,
) -> None:
    """Agreement on given items: every usual coefficient with its interval."""
    from ...metrics.measures import ITEMS, ON_LABELS
    from ...tasks.inputs.measure_names import require_known_measures

    accepted = ON_LABELS if against is None else ITEMS
    if options.objects is None:
        known = require_known_measures(options.measures, accepted, "the coefficients are")
        options = replace(options, measures=known)
    elif group or against is not None:
        raise DataError(
            f"--distance {options.distance.name} is between objects, and --group and --against "
            "compare coefficients between categories: remove them"
        )
    if by and (group or against is not None):
        raise DataError("--by is for the values of one table: remove --against or --group")
    if group and against is not None:
        raise DataError("--group compares annotators of one table: remove --against")
    part = next((kind for kind in PartKind if kind == by), None)
    if by and part is None:
        from ...tasks.agreement.agree_by_column import agree_by_column

        if groups.attributes is not None:
            raise DataError(f"--by {by} is of a column: remove --attributes")
        parted = agree_by_column(labels, columns.of(reading), options, by)
        print_estimates(parted, as_json=json_, signatures=signature)
    elif group:
        from ...tasks.agreement.two_groups import compare_two_groups

        members = [parse_categories(one) for one in group]
        of_groups = compare_two_groups(labels, members, columns.of(reading), options)
        print_estimates(of_groups, as_json=json_, signatures=signature)
    elif against is not None:
        from ...tasks.agreement.agreement_differences import agree_against

        if len(labels) > 1:
            raise DataError("--against compares two tables: give only one other table")
        if groups.attributes is not None:
            raise DataError("--attributes compares groups within one table: remove --against")
        found = agree_against(
            labels[0], against, columns.of(reading), options, independent=independent
        )
        print_compared(found, labels, [against], as_json=json_, signatures=signature)
    else:
        from ...tasks.agreement.agree import agree as agree_on

        estimates = agree_on(labels, columns.of(reading), options, groups, part)
        print_estimates(estimates, as_json=json_, signatures=signature)


def resample(
    labels: Labels,
    reading: Reading,
    columns: Columns,
    options: ResampleOptions,
    json_: JsonOrTables = False,
    signature: WithSignatures = False,
) -> None:
    """How much of the majority reference changes with k of the n annotators: M(k), exactly."""
    from ...tasks.agreement.agree import resample as resample_of

    found = resample_of(labels, columns.of(reading), options)
    rates = [one for one in found.estimates if one.measure == "modification_rate"]
    shown = found if json_ else replace(found, estimates=rates)
    print_estimates(shown, as_json=json_, signatures=signature)
    if not json_ and len(rates) < len(found.estimates):
        print_reliability(found.estimates[len(rates) :], signatures=signature)
