"""`accordeur simulate`: what the coefficients do when only the prevalence, or the tagset, moves."""

from __future__ import annotations

import json
import math
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from metrics.agreement.simulations import Curve

_SHARES = (0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)  # 1 - share is the mirror image
_SIZES = (2, 3, 4, 5, 7, 10, 15, 20, 50)
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
    sensitivity: Annotated[
        float, typer.Option(min=0, max=1, help="Of prevalence, without --labels.")
    ] = 0.9,
    specificity: Annotated[
        float, typer.Option(min=0, max=1, help="Of prevalence, without --labels.")
    ] = 0.9,
    accuracy: Annotated[
        float, typer.Option(min=0, max=1, help="Of categories, without --labels.")
    ] = 0.9,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Exact values of the coefficients for two annotators who stay equally good.

    `prevalence` makes one category rarer (Bonnardel 1996), `categories` makes the tagset larger.
    """
    matrix = None
    if labels is not None:
        from flows.quick import read_matrix

        matrix = read_matrix(labels)
    curve, settings = _curve(experiment, matrix, sensitivity, specificity, accuracy)
    if as_json:
        typer.echo(json.dumps(_plain(experiment, curve, settings), ensure_ascii=False, indent=1))
        return
    _print(curve, settings)


def _curve(
    experiment: Experiment, matrix: Any, sensitivity: float, specificity: float, accuracy: float
) -> tuple[Curve, dict[str, float | str]]:
    from metrics.agreement.simulations import (
        bonnardel,
        number_of_categories,
        prevalence_of_campaign,
    )

    if matrix is None and experiment is Experiment.prevalence:
        curve = bonnardel(_SHARES, sensitivity=sensitivity, specificity=specificity)
        return curve, {"sensitivity": sensitivity, "specificity": specificity}
    if matrix is None:
        return number_of_categories(_SIZES, accuracy=accuracy), {"accuracy": accuracy}
    from metrics.agreement.counts import count
    from metrics.agreement.simulations import accuracy_from_agreement

    own = accuracy_from_agreement(count(matrix))
    settings: dict[str, float | str] = {"accuracy": own, "tagset": ", ".join(matrix.tagset)}
    if experiment is Experiment.prevalence:
        return prevalence_of_campaign(matrix), settings
    sizes = sorted({*_SIZES, len(matrix.tagset)})
    return number_of_categories(sizes, accuracy=own), settings


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
