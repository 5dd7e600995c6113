"""`accordeur agree`, `gamma` and `resample`: one table or export in, numbers out."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ...data.errors import DataError
from .options import (
    Alpha,
    AnnotatorColumn,
    Beta,
    Count,
    DeltaEmpty,
    Distance,
    DocumentColumn,
    Format,
    ItemColumn,
    Json,
    LabelColumn,
    Layer,
    Option,
    PositionOption,
    Precision,
    Processes,
    Replicates,
    Roles,
    Seed,
    Strict,
    Tagset,
    UnitDistance,
    UnitDistanceOption,
    Wide,
    of_columns,
    pairs,
    reading_of,
    roles_given,
    split_tagset,
)
from .printing import print_compared, print_estimates


class Ties(StrEnum):
    random = "random"
    nearest_mean = "nearest_mean"
    abstain = "abstain"


class IntervalMethod(StrEnum):
    bootstrap = "bootstrap"
    analytic = "analytic"


Labels = Annotated[
    list[Path],
    typer.Argument(
        help="Table with item, annotator, label [, document], or any export of labels. Several "
        "files or folders are one annotator's each where they name no annotator."
    ),
]


def agree(
    labels: Labels,
    distance: Annotated[
        Distance, typer.Option(help="Distance between categories, for coefficients that take one.")
    ] = Distance.nominal,
    tagset: Tagset = "",
    item: ItemColumn = "",
    annotator: AnnotatorColumn = "",
    label: LabelColumn = "",
    document: DocumentColumn = "",
    wide: Wide = False,
    count: Count = "",
    format: Format = "auto",
    option: Option = None,
    role: Roles = None,
    layer: Layer = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            help="Only this coefficient; may be repeated. An unknown name lists them all.",
        ),
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(help="Second table, of the same items: differences with intervals and p."),
    ] = None,
    independent: Annotated[
        bool, typer.Option("--independent", help="The two tables share no items.")
    ] = False,
    interval: Annotated[
        IntervalMethod, typer.Option(help="Bootstrap, or from Gwet's analytic variance.")
    ] = IntervalMethod.bootstrap,
    replicates: Replicates = 1000,
    seed: Seed = 0,
    strict: Strict = False,
    json_: Json = False,
) -> None:
    """Agreement on given items: every usual coefficient with its interval."""
    from ...metrics.measures import ITEMS
    from ..measure_names import refusal
    from ..quick.labels import Asked

    for name in measure or ():
        if name not in ITEMS:
            raise DataError(refusal(name, ITEMS, "the coefficients are"))
    columns = of_columns(
        item=item, annotator=annotator, label=label, document=document, count=count, wide=wide
    )
    reading = reading_of(
        format, {**pairs(option), **columns}, layer, tagset, strict=strict, roles=role
    )
    asked = Asked(
        measures=tuple(measure or ()),
        distance=distance.value,
        analytic=interval is IntervalMethod.analytic,
        n_replicates=replicates,
        seed=seed,
    )
    if against is not None:
        from ..quick.against import agree_against

        if len(labels) > 1:
            raise DataError("--against compares two tables: give one before it")
        [labels_of_first] = labels
        found = agree_against(labels_of_first, against, reading, asked, independent=independent)
        print_compared(found, as_json=json_)
    else:
        from ..quick.labels import agree as agree_on

        print_estimates(agree_on(labels, reading, asked), as_json=json_)


def gamma(
    units: Annotated[
        list[Path],
        typer.Argument(
            help="Exports with units (files or folders); several are one annotator's each where "
            "they name no annotator."
        ),
    ],
    format: Format = "auto",
    option: Option = None,
    role: Roles = None,
    layer: Layer = None,
    measure: Annotated[
        str,
        typer.Option(
            "--measure",
            help="gamma (2015, with γ-cat), gamma_k, soft_gamma, holistic (2011, exact and "
            "greedy), alpha_u, u_alpha and others. An unknown name lists them all.",
        ),
    ] = "gamma",
    position: PositionOption = None,
    alpha: Alpha = 1.0,
    beta: Beta = 1.0,
    delta_empty: DeltaEmpty = None,
    distance: UnitDistanceOption = UnitDistance.nominal,
    tagset: Tagset = "",
    empty_pairs: Annotated[
        bool,
        typer.Option(
            "--empty-pairs", help="γ-cat as pygamma-agreement has it, too: empty pairs count."
        ),
    ] = False,
    against: Annotated[
        list[Path] | None,
        typer.Option(
            help="Exports of a second annotation of the same documents; may be repeated: the "
            "difference with its interval and p."
        ),
    ] = None,
    independent: Annotated[
        bool, typer.Option("--independent", help="The two share no documents.")
    ] = False,
    process: Processes = None,
    precision: Precision = 0.01,
    replicates: Replicates = 1000,
    seed: Seed = 0,
    strict: Strict = False,
    json_: Json = False,
) -> None:
    """Agreement on units that annotators located themselves: γ with an exact alignment."""
    from ...metrics.measures import UNITS
    from ..measure_names import refusal
    from ..quick.units_asked import AskedOfUnits, UnitReading, Weighing

    if measure not in UNITS:
        raise DataError(refusal(measure, UNITS, "the measures on units are"))
    reading = UnitReading(
        format, pairs(option), layer, strict, split_tagset(tagset), roles_given(role)
    )
    asked = AskedOfUnits(
        measure,
        Weighing(position.value if position else None, alpha, beta, delta_empty, distance.value),
        processes=tuple(process or ()),
        precision=precision,
        n_replicates=replicates,
        seed=seed,
        empty_pairs=empty_pairs,
    )
    if against and empty_pairs:
        raise DataError("--empty-pairs and --against: a difference of that variant is not tested")
    if against:
        from ..quick.units_against import gamma_against

        compared = gamma_against(units, against, reading, asked, independent=independent)
        print_compared(compared, as_json=json_)
    else:
        from ..quick.units import gamma as gamma_of

        print_estimates(gamma_of(units, reading, asked), as_json=json_)


def resample(
    labels: Labels,
    ties: Annotated[Ties, typer.Option(help="What a tied majority becomes.")] = Ties.random,
    tagset: Tagset = "",
    item: ItemColumn = "",
    annotator: AnnotatorColumn = "",
    label: LabelColumn = "",
    document: DocumentColumn = "",
    wide: Wide = False,
    count: Count = "",
    format: Format = "auto",
    option: Option = None,
    role: Roles = None,
    layer: Layer = None,
    seed: Seed = 0,
    strict: Strict = False,
    json_: Json = False,
) -> None:
    """How much of the majority reference changes with k of the n annotators: M(k), exactly."""
    from ..quick.labels import resample as resample_of

    columns = of_columns(
        item=item, annotator=annotator, label=label, document=document, count=count, wide=wide
    )
    reading = reading_of(
        format, {**pairs(option), **columns}, layer, tagset, strict=strict, roles=role
    )
    print_estimates(resample_of(labels, reading, ties=ties.value, seed=seed), as_json=json_)
