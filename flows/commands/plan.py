"""`accordeur plan`: from a pilot, how many documents and annotators an interval needs."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...data.errors import DataError
from .options import (
    AnnotatorColumn,
    Count,
    Distance,
    DocumentColumn,
    Format,
    ItemColumn,
    Json,
    LabelColumn,
    Layer,
    Option,
    Seed,
    Strict,
    Tagset,
    Wide,
    numbers_of,
    of_columns,
    pairs,
    reading_of,
    split_tagset,
)

if TYPE_CHECKING:
    from rich.table import Column

    from ..quick.labels import Reading
    from ..quick.plan import Plan, PlanRow


def plan(
    pilot: Annotated[
        Path,
        typer.Argument(help="The pilot's labels, as for `accordeur agree`: everybody's on all."),
    ],
    width: Annotated[
        float, typer.Option(min=0, help="Of the interval that is wanted, from end to end.")
    ] = 0.1,
    measure: Annotated[
        str,
        typer.Option(help="The coefficient, or gamma for units. An unknown name lists them all."),
    ] = "krippendorff_alpha",
    distance: Annotated[
        Distance, typer.Option(help="Distance between categories, for coefficients that take one.")
    ] = Distance.nominal,
    annotators: Annotated[
        str, typer.Option(help="Numbers of annotators to plan for, as 2,3,5 or 2-10.")
    ] = "2-10",
    level: Annotated[float, typer.Option(help="Of the interval: 0.9, 0.95 or 0.99.")] = 0.95,
    crew: Annotated[
        bool,
        typer.Option(
            "--crew", help="The annotators to come are others than the pilot's, of the same kind."
        ),
    ] = False,
    crowd: Annotated[
        bool,
        typer.Option(
            "--crowd", help="Other people label each item: plan for labels an item, whoever's."
        ),
    ] = False,
    budget: Annotated[
        float | None, typer.Option(help="What may be spent: which documents and widths it buys.")
    ] = None,
    cost_per_label: Annotated[float, typer.Option(help="Of the budget.")] = 1.0,
    cost_per_annotator: Annotated[
        float, typer.Option(help="Of the budget, once for each (training).")
    ] = 0.0,
    tagset: Tagset = "",
    item: ItemColumn = "",
    annotator: AnnotatorColumn = "",
    label: LabelColumn = "",
    document: DocumentColumn = "",
    wide: Wide = False,
    count: Count = "",
    format: Format = "auto",
    option: Option = None,
    layer: Layer = None,
    seed: Seed = 0,
    strict: Strict = False,
    json_: Json = False,
) -> None:
    """From a pilot: how many documents by how many annotators an interval of some width needs."""
    from ...metrics.measures import ITEMS
    from ..measure_names import refusal
    from ..quick.pilot import PlanAsked
    from ..quick.plan import as_json
    from ..quick.plan import plan as plan_of
    from ..quick.units_asked import UnitReading

    if measure not in (*ITEMS, "gamma"):
        raise DataError(refusal(measure, (*ITEMS, "gamma"), "plans are of"))
    columns = of_columns(
        item=item, annotator=annotator, label=label, document=document, count=count, wide=wide
    )
    reading: Reading | UnitReading
    if measure == "gamma":
        if columns:
            raise DataError(
                "the columns item, annotator, label and document are of labels: name those of "
                "units as options of their format (--option start=begin)"
            )
        reading = UnitReading(format, pairs(option), layer, strict, split_tagset(tagset))
    else:
        reading = reading_of(format, {**pairs(option), **columns}, layer, tagset, strict=strict)
    asked = PlanAsked(
        measure=measure,
        distance=distance.value,
        width=width,
        annotators=numbers_of(annotators, "--annotators"),
        level=level,
        crew=crew,
        crowd=crowd,
        budget=budget,
        cost_per_label=cost_per_label,
        cost_per_annotator=cost_per_annotator,
        seed=seed,
    )
    found = plan_of(pilot, reading, asked)
    if json_:
        typer.echo(json.dumps(as_json(found), ensure_ascii=False, indent=1))
        return
    _print(found)


def _print(found: Plan) -> None:
    from rich.console import Console
    from rich.table import Table

    from ..wording import counted
    from .printing import print_rows, print_warnings

    console, asked, unit = Console(highlight=False), found.asked, found.unit
    n_pilot, people = counted(found.pilot.n_documents, unit), found.people
    table = Table(
        people, f"{unit}s for width {asked.width:g}", _span(), found.work,
        f"width with {n_pilot}", _span(),
    )  # fmt: skip
    for row in found.rows:
        table.add_row(
            f"{row.annotators}{'*' * row.beyond}",
            _documents(row),
            _range(row.documents_interval, ",.0f"),
            "–" if row.labels is None else f"{row.labels:,}",
            _width(row.width),
            _range(row.width_interval, ".3f"),
        )
    console.print(table)
    if found.budget:
        table = Table(people, f"{unit}s", found.work, "cost", "width", _span())
        for line in found.budget:
            table.add_row(
                f"{line.annotators}{'*' * line.beyond}",
                f"{line.documents:,}",
                f"{line.labels:,}",
                f"{line.cost:,.10g}",
                _width(line.width),
                _range(line.width_interval, ".3f"),
            )
        console.print(table)
    pilot = found.pilot
    said = [
        f"pilot: {pilot.measure} {pilot.value:.4f} on {n_pilot}, {people}: {found.n_annotators}",
        f"widths of {asked.level:.0%} intervals from end to end",
        found.who,
    ]
    if found.has_documents:
        what = "units of one annotator" if found.work == "units" else "items"
        said.append(f"{pilot.items_per_document:.3g} {what} a document")
    if any(row.beyond for row in found.rows):
        said.append(f"* more annotators than the pilot's {found.n_annotators}: a range only")
    console.print("; ".join(said) + "; signature:", soft_wrap=True, markup=False)
    console.print(found.signature, style="dim", soft_wrap=True, markup=False)
    if any(row.documents and row.documents > 2 * found.pilot.n_documents for row in found.rows):
        again = (
            f"plan again when half of these {unit}s are labelled: the larger pilot then gives the "
            "remaining number almost exactly"
        )
        console.print(again, soft_wrap=True, markup=False)
    print_rows(console, found.account, found.refused)
    print_warnings(console, found.warnings)


def _documents(row: PlanRow) -> str:
    if row.beyond:
        return "–"
    return "none would do" if row.documents is None else f"{row.documents:,}"


def _width(width: float) -> str:
    return "–" if math.isnan(width) else f"{width:.3f}"


def _span() -> Column:
    from rich.table import Column

    return Column("95 % range", no_wrap=True)


def _range(interval: tuple[float, float], shape: str) -> str:
    lower, upper = interval
    return "–" if math.isnan(lower) else f"{lower:{shape}}…{upper:{shape}}"
