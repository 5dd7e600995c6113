"""`accordeur agree`, `gamma` and `resample`: one table or export in, numbers out."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from flows.commands.options import Json, Option, Tagset, pairs, split_tagset
from flows.commands.printing import print_compared, print_estimates


class Distance(StrEnum):
    nominal = "nominal"
    ordinal = "ordinal"
    interval = "interval"
    ratio = "ratio"


class Ties(StrEnum):
    random = "random"
    nearest_mean = "nearest_mean"
    abstain = "abstain"


class IntervalMethod(StrEnum):
    bootstrap = "bootstrap"
    analytic = "analytic"


ItemColumn = Annotated[str, typer.Option("--item", help="The table's name of the column item.")]
AnnotatorColumn = Annotated[str, typer.Option("--annotator", help="… of the column annotator.")]
LabelColumn = Annotated[str, typer.Option("--label", help="… of the column label.")]
DocumentColumn = Annotated[str, typer.Option("--document", help="… of the column document.")]
Wide = Annotated[
    bool, typer.Option("--wide", help="A row an item: each other column is an annotator's.")
]
Count = Annotated[
    str, typer.Option(help="Column of a wide table: how many items have the row's labels.")
]
Seed = Annotated[int, typer.Option(help="Seed of every sample.")]
Replicates = Annotated[int, typer.Option(min=0, help="Bootstrap replicates; 0: no interval.")]


def agree(
    labels: Annotated[
        Path, typer.Argument(help="Table with the columns item, annotator, label [, document].")
    ],
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
    json_: Json = False,
) -> None:
    """Agreement on given items: every usual coefficient with its interval."""
    from data.errors import DataError
    from flows import quick

    named = _named(item=item, annotator=annotator, label=label, document=document, count=count)
    if against is not None:
        if count:
            raise DataError(
                "--count makes items that have no names of their own, which no second table has: "
                "leave out --against, or give each item its row"
            )
        from flows.agree_against import agree_against

        compared = agree_against(
            labels,
            against,
            named=named,
            wide=wide,
            tagset=split_tagset(tagset),
            distance=distance.value,
            measures=tuple(measure or ()),
            analytic=interval is IntervalMethod.analytic,
            independent=independent,
            replicates=replicates,
            seed=seed,
        )
        print_compared(compared, as_json=json_)
        return
    estimates = quick.agree(
        labels,
        named=named,
        wide=wide,
        tagset=split_tagset(tagset),
        distance=distance.value,
        measures=tuple(measure or ()),
        analytic=interval is IntervalMethod.analytic,
        replicates=replicates,
        seed=seed,
    )
    print_estimates(estimates, json_)


def gamma(
    units: Annotated[list[Path], typer.Argument(help="Exports with units (files or folders).")],
    format: Annotated[str, typer.Option(help="Their format (`accordeur formats`).")] = "auto",
    option: Option = None,
    layer: Annotated[str | None, typer.Option(help="Layer to measure, of several.")] = None,
    alpha: Annotated[float, typer.Option(min=0, help="Weight of position.")] = 1.0,
    beta: Annotated[float, typer.Option(min=0, help="Weight of category.")] = 1.0,
    process: Annotated[
        list[str] | None,
        typer.Option(
            "--process",
            help="random1, random2, shuffle or statistical; may be repeated. Default: random2 from "
            "five documents on, else shuffle and statistical.",
        ),
    ] = None,
    precision: Annotated[
        float, typer.Option(help="Relative precision of the expected disorder.")
    ] = 0.01,
    replicates: Replicates = 1000,
    seed: Seed = 0,
    json_: Json = False,
) -> None:
    """Agreement on units that annotators located themselves: γ with an exact alignment."""
    from flows import quick

    estimates = quick.gamma(
        units,
        format=format,
        options=pairs(option),
        layer=layer,
        alpha=alpha,
        beta=beta,
        precision=precision,
        processes=tuple(process or ()),
        replicates=replicates,
        seed=seed,
    )
    print_estimates(estimates, json_)


def resample(
    labels: Annotated[
        Path, typer.Argument(help="Table with the columns item, annotator, label [, document].")
    ],
    ties: Annotated[Ties, typer.Option(help="What a tied majority becomes.")] = Ties.random,
    tagset: Tagset = "",
    item: ItemColumn = "",
    annotator: AnnotatorColumn = "",
    label: LabelColumn = "",
    document: DocumentColumn = "",
    wide: Wide = False,
    count: Count = "",
    seed: Seed = 0,
    json_: Json = False,
) -> None:
    """How much of the majority reference changes with k of the n annotators: M(k), exactly."""
    from flows import quick

    named = _named(item=item, annotator=annotator, label=label, document=document, count=count)
    estimates = quick.resample(
        labels, named=named, wide=wide, tagset=split_tagset(tagset), ties=ties.value, seed=seed
    )
    print_estimates(estimates, json_)


def _named(**columns: str) -> dict[str, str]:
    """The columns that were named."""
    return {name: own for name, own in columns.items() if own}
