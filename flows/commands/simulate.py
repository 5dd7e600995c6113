"""`accordeur simulate`: what the coefficients do when only the prevalence, or the tagset, moves."""

from __future__ import annotations

import json
import math
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.progress.shown import LogJson, shown

if TYPE_CHECKING:
    from metrics.agreement.simulations import Curve

_SHARES = (0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)  # 1 - share is the mirror image
_HEADS = {
    "percent_agreement": "p_o",
    "bennett_s": "S",
    "scott_pi": "π",
    "cohen_kappa": "κ",
    "krippendorff_alpha": "α",
    "gwet_ac1": "AC1",
    "aickin_alpha": "Aickin's α",
}


class Experiment(StrEnum):
    prevalence = "prevalence"
    categories = "categories"


def simulate(
    experiment: Annotated[Experiment, typer.Argument(help="What is moved.")],
    labels: Annotated[
        Path | None,
        typer.Option(help="Table of labels: take its margins, and annotators as good as its own."),
    ] = None,
    campaign: Annotated[
        Path | None,
        typer.Option(help="Campaign file: the margins of its last run; a page goes to its store."),
    ] = None,
    layer: Annotated[
        str, typer.Option(help="With --campaign: the layer of labels, of several.")
    ] = "",
    store: Annotated[
        str, typer.Option(help="With --labels: folder or URL to write a page to, too.")
    ] = "",
    trials: Annotated[
        int, typer.Option(min=0, help="Of a page: sampled campaigns at each point, for the bands.")
    ] = 500,
    seed: Annotated[int, typer.Option(min=0, help="Of those samples.")] = 0,
    sensitivity: Annotated[
        float, typer.Option(min=0, max=1, help="Of prevalence, without margins.")
    ] = 0.9,
    specificity: Annotated[
        float, typer.Option(min=0, max=1, help="Of prevalence, without margins.")
    ] = 0.9,
    accuracy: Annotated[
        float, typer.Option(min=0, max=1, help="Of categories, without margins.")
    ] = 0.9,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    log_json: LogJson = False,
) -> None:
    """Exact values of the coefficients for two annotators who stay equally good.

    `prevalence` makes one category rarer (Bonnardel 1996), `categories` makes the tagset larger.
    With --campaign, or --labels and --store, it is a Prefect flow that writes a page, results.json
    and a Parquet table.
    """
    if campaign is not None or store:
        _run_flow(experiment, campaign, layer, labels, store, trials, seed, log_json=log_json)
        return
    curve, settings = _curve(experiment, labels, sensitivity, specificity, accuracy)
    if as_json:
        typer.echo(json.dumps(_plain(experiment, curve, settings), ensure_ascii=False, indent=1))
        return
    _print(curve, settings)


def _run_flow(
    experiment: Experiment,
    campaign: Path | None,
    layer: str,
    labels: Path | None,
    store: str,
    trials: int,
    seed: int,
    *,
    log_json: bool,
) -> None:
    from flows.simulations import simulation, source_of

    where = {
        "campaign": "" if campaign is None else str(campaign.resolve()),
        "layer": layer,
        "labels": "" if labels is None else str(labels.resolve()),
        "store": store,
    }
    source_of(**where)  # what is missing is told before a server starts

    with shown(quiet=True, log_json=log_json):
        state = simulation(experiment.value, **where, trials=trials, seed=seed, return_state=True)
        outcome: Any = state.result(raise_on_failure=False)
        if isinstance(outcome, BaseException):
            raise outcome
    typer.echo(f"report: {outcome['report']}")


def _curve(
    experiment: Experiment,
    labels: Path | None,
    sensitivity: float,
    specificity: float,
    accuracy: float,
) -> tuple[Curve, dict[str, float | str]]:
    from metrics.agreement.simulations import SIZES, bonnardel, number_of_categories

    if labels is not None:
        from flows.quick import read_matrix
        from metrics.agreement.campaign_simulations import experiment_on, margins_of

        margins = margins_of(read_matrix(labels))
        settings: dict[str, float | str] = {
            "accuracy": margins.accuracy,
            "tagset": ", ".join(margins.tagset),
        }
        return experiment_on(margins, experiment.value), settings
    if experiment is Experiment.prevalence:
        curve = bonnardel(_SHARES, sensitivity=sensitivity, specificity=specificity)
        return curve, {"sensitivity": sensitivity, "specificity": specificity}
    return number_of_categories(SIZES, accuracy=accuracy), {"accuracy": accuracy}


def _plain(experiment: Experiment, curve: Curve, settings: dict[str, Any]) -> dict[str, Any]:
    from metrics.signature import signature

    return {
        "experiment": experiment.value,
        "moved": curve.moved,
        "settings": settings,
        "signature": signature(f"simulate_{experiment.value}", **settings),
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
    }


def _print(curve: Curve, settings: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(curve.moved, *[_HEADS.get(measure, measure) for measure in curve.measures])
    for point, row in zip(curve.points.tolist(), curve.values.tolist(), strict=True):
        shown = [f"{value:.4f}" if math.isfinite(value) else "–" for value in row]
        table.add_row(f"{point:g}", *shown)
    console = Console()
    console.print(table)
    said = "; ".join(
        f"{key} {value:.3g}" if isinstance(value, float) else f"{key} {value}"
        for key, value in settings.items()
    )
    console.print(f"two annotators, infinitely many items; {said}", highlight=False)
