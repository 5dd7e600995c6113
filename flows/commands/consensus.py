"""`accordeur consensus`: one label for each item, by vote or by the annotators' reliability."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...data.errors import DataError
from ...metrics.options import ConsensusRule
from ...reports.columns import number, text
from ...tasks.inputs.reading_options import Columns, Reading
from ...tasks.wording import counted
from .terminal import print_json, terminal, text_tables
from .typer_options import JsonOrTables

if TYPE_CHECKING:
    from rich.console import Console


def consensus(
    labels: Annotated[
        list[Path],
        typer.Argument(help="Table with item, annotator, label [, document], or any export."),
    ],
    reading: Reading,
    columns: Columns,
    rule: Annotated[
        ConsensusRule,
        typer.Option(
            help="Weigh annotators by their reliability, take the model that predicts held-out "
            "labels best, or count votes; ties stay open."
        ),
    ] = "dawid_skene",
    to: Annotated[
        Path | None,
        typer.Option(help="CSV file to write the labels to; that of an open item is empty."),
    ] = None,
    json_: JsonOrTables = False,
) -> None:
    """One label for each item from those of several annotators; uncertain items stay open."""
    from ...data.spreadsheet import csv_text
    from ...data.writers.base import write_files
    from ...reports.columns import OwnColumn, in_own_names
    from ...tasks.inputs.results_of_exports import rows_json, warnings_json
    from ...tasks.references.label_consensus import columns_of_all_items, consensus_of_exports
    from .printing.footnotes import print_rows, print_warnings

    if to is not None and to.suffix.lower() != ".csv":
        raise DataError(f"--to {to.name}: give a file that ends in .csv")
    found = consensus_of_exports(labels, columns.of(reading), rule)
    resolved, account = found.resolved, found.account
    own = {name: OwnColumn(one) for name, one in columns.options.items()}
    table = in_own_names(columns_of_all_items(resolved, found.open), own)
    if to is not None:
        rows = zip(*table.values(), strict=True)
        cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
        write_files({to: csv_text([list(table), *cells])})
    if json_:
        told = {"labels": resolved, "open": found.open, "warnings": warnings_json(found.warnings)}
        print_json(told | rows_json(account.rows, account.rejected))
        return
    console, n_open = terminal(), len(found.open["item"])
    made = f"{counted(len(resolved['item']), 'item')} with a label, {n_open:,} open"
    ties = f", {found.consensus.reference.n_ties:,} of them tied" if rule == "majority" else ""
    model = f" ({found.consensus.reference.rule})" if rule == "held_out" else ""
    console.print(f"{rule}{model}: {made}{ties}")
    if (as_text := text_tables()) is not None:
        as_text.print(table)
    else:
        _print_totals(console, resolved["label"], to)
    print_warnings(console, list(found.warnings))
    print_rows(console, account.rows, account.rejected)


def _print_totals(console: Console, labels: Sequence[str], to: Path | None) -> None:
    from .printing.tables import print_table

    print_table(
        console, Counter(labels).most_common(),
        text("label", lambda row: row[0]),
        number("items", lambda row: row[1]),
    )  # fmt: skip
    console.print(f"labels: {to}" if to else "`--to gold.csv` writes the label of each item")
