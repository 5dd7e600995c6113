"""`accordeur plan`: documents and annotators needed for an interval, from a pilot study."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...reports.cell_texts import number_text
from ...reports.columns import interval, number, text
from ...tasks.inputs.label_options import PlanOptions
from ...tasks.inputs.reading_options import Columns, Reading
from .printing.tables import print_table
from .terminal import print_json, terminal
from .typer_options import JsonOrTables, WithSignatures

if TYPE_CHECKING:
    from ...tasks.planning.annotation_plan import DetectionRow, Plan, PlanRow


def plan(
    pilot: Annotated[
        Path,
        typer.Argument(
            help="Labels of all annotators of the pilot, as for `accordeur agree`, or units."
        ),
    ],
    reading: Reading,
    columns: Columns,
    options: PlanOptions,
    json_: JsonOrTables = False,
    signature: WithSignatures = False,
) -> None:
    """Plan how many documents and annotators an interval of a given width needs, from a pilot."""
    from ...tasks.planning.annotation_plan import as_json
    from ...tasks.planning.annotation_plan import plan as plan_of

    found = plan_of(pilot, columns.of(reading), options)
    if json_:
        print_json(as_json(found))
        return
    _print(found, signature=signature)


def _print(found: Plan, *, signature: bool) -> None:
    from ...tasks.wording import counted
    from .printing.footnotes import print_rows, print_signatures, print_warnings

    console, asked, unit = terminal(), found.options, found.unit
    n_pilot, people = counted(found.pilot.n_documents, unit), found.people
    print_table(
        console, found.rows,
        text(people, lambda row: f"{row.annotators}{'*' * row.beyond}"),
        number(f"{unit}s for width {asked.width:g}", _documents_cell),
        interval("95% range", lambda row: row.documents_interval, "{:,.0f}".format),
        number(found.annotation_noun, lambda row: row.labels),
        number(f"width with {n_pilot}", lambda row: row.width, "3"),
        interval("95% range", lambda row: row.width_interval, "3"),
    )  # fmt: skip
    if found.what_is_left:
        console.print(found.what_is_left, soft_wrap=True, markup=False)
    if found.budget:
        print_table(
            console, found.budget,
            text(people, lambda row: f"{row.annotators}{'*' * row.beyond}"),
            number(f"{unit}s", lambda row: row.documents),
            number(found.annotation_noun, lambda row: row.labels),
            number("cost", lambda row: float(row.cost), "{:,.10g}".format),
            number("width", lambda row: row.width, "3"),
            interval("95% range", lambda row: row.width_interval, "3"),
        )  # fmt: skip
    for campaigns in (1, 2):
        rows = [row for row in found.detection if row.campaigns == campaigns]
        if rows:
            each = f"{unit}s of each campaign" if campaigns == 2 else f"{unit}s"
            print_table(
                console, rows,
                text(people, lambda row: str(row.annotators)),
                number(f"{each} for power {asked.power:g}", _documents_to_detect),
                number(found.annotation_noun, lambda row: row.labels),
                number(f"power with {n_pilot}", lambda row: row.power_of_pilot, "2"),
            )  # fmt: skip
            console.print(_said_of_detection(found, rows[0]), soft_wrap=True, markup=False)
    pilot, value = found.pilot, number_text(found.pilot.value)
    said = [
        f"pilot: {pilot.measure} {value} on {n_pilot}, {people}: {found.n_annotators}",
        f"widths of {asked.confidence_level:.0%} intervals are from end to end",
        found.who,
    ]
    if found.has_documents:
        what = "units of one annotator" if found.annotation_noun == "units" else "items"
        said.append(f"{pilot.items_per_document:.3g} {what} per document")
    if any(row.beyond for row in found.rows):
        said.append(f"* more annotators than the pilot's {found.n_annotators}: a range only")
    console.print("; ".join(said), soft_wrap=True, markup=False)
    if any(row.documents and row.documents > 2 * found.pilot.n_documents for row in found.rows):
        again = (
            f"plan again when half of these {unit}s are labelled: the larger pilot then gives the "
            "remaining number almost exactly"
        )
        console.print(again, soft_wrap=True, markup=False)
    print_warnings(console, found.warnings)
    print_rows(console, found.account, found.rejected)
    if signature:
        print_signatures(console, [found.signature])


def _said_of_detection(found: Plan, row: DetectionRow) -> str:
    level = f"{found.options.confidence_level:.0%}"
    if row.campaigns == 2:
        return (
            f"power: probability that the {level} interval of the difference of two campaigns "
            f"excludes 0 if they differ by {row.effect:g}, with the pilot's variance for both"
        )
    return (
        f"power: probability that the {level} interval excludes {found.options.null:g} if the "
        f"pilot's {number_text(found.pilot.value)} is the true value"
    )


def _documents_to_detect(row: DetectionRow) -> int | str:
    return "not reachable" if row.documents is None else row.documents


def _documents_cell(row: PlanRow) -> int | str | None:
    if row.beyond:
        return None
    return "not reachable" if row.documents is None else row.documents
