"""`accordeur simulate`: effect of the prevalence or the tagset size alone on coefficients."""

from __future__ import annotations

import math
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...data.errors import DataError
from ...reports.columns import each, number, text
from ...tasks.inputs.reading_options import Columns, Reading, parse_categories
from ..progress.shown import LogJson, server_and_progress
from .terminal import print_json, print_line, terminal
from .typer_options import JsonOrTables

if TYPE_CHECKING:
    from ...data.row_account import ExportAccount
    from ...metrics.agreement.simulations.known_annotators import CoefficientCurve

_SHARES = (0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)  # symmetric in share and 1 - share


def _rate(what: str, of: str) -> Any:
    help = f"{what} of the annotators, for {of} without --labels or --campaign."
    return typer.Option(min=0, max=1, help=help)


class Experiment(StrEnum):
    prevalence = "prevalence"
    categories = "categories"


def simulate(
    columns: Columns,
    experiment: Annotated[Experiment, typer.Argument(help="What the simulation varies.")],
    labels: Annotated[
        Path | None,
        typer.Option(
            help="Table of labels, from which category shares and annotator accuracy are taken."
        ),
    ] = None,
    campaign: Annotated[
        Path | None,
        typer.Option(
            help="Campaign file: take these from its last run, and write a page to its store."
        ),
    ] = None,
    layer: Annotated[
        str, typer.Option(help="With --campaign: layer of labels, if there are several.")
    ] = "",
    to: Annotated[str, typer.Option(help="With --labels: folder or URL to write a page to.")] = "",
    trials: Annotated[
        int, typer.Option(min=0, help="Simulated campaigns per point, for the bands on the page.")
    ] = 500,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the simulated campaigns.")] = 0,
    sensitivity: Annotated[float, _rate("Sensitivity", "prevalence")] = 0.9,
    specificity: Annotated[float, _rate("Specificity", "prevalence")] = 0.9,
    accuracy: Annotated[float, _rate("Accuracy", "categories")] = 0.9,
    categories: Annotated[
        str,
        typer.Option(
            help="With --labels: the categories, separated by commas, in the scale's order."
        ),
    ] = "",
    as_json: JsonOrTables = False,
    log_json: LogJson = False,
) -> None:
    """Exact values of coefficients for two simulated annotators of constant quality.

    `prevalence` makes one category rarer (Bonnardel 1996), `categories` makes the tagset larger.
    With --campaign, or --labels and --to, it is a Prefect flow that writes a page, results.json
    and a Parquet table.
    """
    if labels is None and (columns.options or categories):
        raise DataError(
            "--categories and the names of columns apply to a table: give one with --labels"
        )
    if campaign is not None or to:
        where = {
            "campaign": "" if campaign is None else str(campaign.resolve()),
            "layer": layer,
            "labels": "" if labels is None else str(labels.resolve()),
            "columns": columns.options,
            "tagset": parse_categories(categories),
            "store": to if not to or "://" in to else str(Path(to).resolve()),
        }
        _run_flow(experiment, where, trials, seed, log_json=log_json)
        return
    account: ExportAccount | None = None
    if labels is None:
        curve, settings = _simulate_curve(experiment, sensitivity, specificity, accuracy)
    else:
        curve, settings, account = _curve_of_labels(
            experiment, labels, columns.options, parse_categories(categories)
        )
    if as_json:
        found = _json_content(experiment, curve, settings, account)
        print_json(found)
        return
    _print(curve, settings, account)


def _run_flow(
    experiment: Experiment, where: dict[str, Any], trials: int, seed: int, *, log_json: bool
) -> None:
    from ..engine.startup import prepare_run

    prepare_run(quiet=True)
    from ..simulations import simulation, simulation_source

    simulation_source(**where)  # report missing input before the server has started

    with server_and_progress(quiet=True, log_json=log_json):
        state = simulation(experiment.value, **where, trials=trials, seed=seed, return_state=True)
        outcome: Any = state.result(raise_on_failure=False)
        if isinstance(outcome, BaseException):
            raise outcome
    if outcome["set_aside"]:
        print_line(f"warning: {outcome['set_aside']}")
    print_line(f"report: {outcome['report']}")


def _simulate_curve(
    experiment: Experiment, sensitivity: float, specificity: float, accuracy: float
) -> tuple[CoefficientCurve, dict[str, float | str]]:
    from ...metrics.agreement.simulations.known_annotators import (
        SIZES,
        coefficients_by_prevalence,
        coefficients_by_tagset_size,
    )

    if experiment is Experiment.prevalence:
        curve = coefficients_by_prevalence(
            _SHARES, sensitivity=sensitivity, specificity=specificity
        )
        return curve, {"sensitivity": sensitivity, "specificity": specificity}
    return coefficients_by_tagset_size(SIZES, accuracy=accuracy), {"accuracy": accuracy}


def _curve_of_labels(
    experiment: Experiment, labels: Path, columns: dict[str, str], tagset: tuple[str, ...]
) -> tuple[CoefficientCurve, dict[str, float | str], ExportAccount]:
    """Simulate with a table's own margins; also return the account of its rows."""
    from ...metrics.agreement.simulations.simulated_campaign import margins_of, run_experiment
    from ...tasks.inputs.exported_labels import MeasuredLabels, read_exported_labels

    reading = Reading(options=columns, categories=tagset)
    measured = MeasuredLabels(read_exported_labels(labels, reading))
    margins = margins_of(measured.matrix)
    settings: dict[str, float | str] = {
        "accuracy": margins.accuracy,
        "tagset": ", ".join(margins.tagset),
    }
    return run_experiment(margins, experiment.value), settings, measured.account


def _json_content(
    experiment: Experiment,
    curve: CoefficientCurve,
    settings: dict[str, Any],
    account: ExportAccount | None,
) -> dict[str, Any]:
    from ...metrics.signature import signature_line
    from ...tasks.inputs.results_of_exports import rows_json

    return {
        "experiment": experiment.value,
        "moved": curve.moved,
        "settings": settings,
        "signature": signature_line(f"simulate_{experiment.value}", **settings),
        "results": [
            {
                "at": point,
                **{
                    measure: value if math.isfinite(value) else None
                    for measure, value in zip(curve.measures, row, strict=True)
                },
            }
            for point, row in zip(curve.points.tolist(), curve.values.tolist(), strict=True)
        ],
        **({} if account is None else rows_json(account.rows, account.rejected)),
    }


def _print(
    curve: CoefficientCurve, settings: dict[str, Any], account: ExportAccount | None
) -> None:
    from ...metrics.measures import MEASURES
    from .printing.footnotes import print_rows
    from .printing.tables import print_table

    heads: list[str] = []
    for measure in curve.measures:
        symbol = MEASURES[measure].symbol
        heads.append(measure if not symbol or symbol in heads else symbol)
    console = terminal()
    print_table(
        console, zip(curve.points.tolist(), curve.values.tolist(), strict=True),
        text(curve.moved, lambda row: f"{row[0]:g}"),
        *each(range(len(heads)), lambda k: number(heads[k], lambda row: row[1][k])),
    )  # fmt: skip
    said = "; ".join(
        f"{key} {value:.3g}" if isinstance(value, float) else f"{key} {value}"
        for key, value in settings.items()
    )
    console.print(f"two annotators, infinitely many items; {said}", highlight=False, markup=False)
    if account is not None:
        print_rows(console, account.rows, account.rejected)
