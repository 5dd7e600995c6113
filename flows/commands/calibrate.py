"""`accordeur calibrate`: what Δ∅, the weights and the distances of categories do to γ."""

from __future__ import annotations

import json
import math
import shlex
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...data.errors import DataError
from .options import (
    Alpha,
    Beta,
    DeltaEmpty,
    Format,
    Json,
    Layer,
    Option,
    PositionOption,
    Precision,
    Processes,
    Replicates,
    Seed,
    Strict,
    Tagset,
    UnitDistance,
    UnitDistanceOption,
    pairs,
    split_tagset,
)

if TYPE_CHECKING:
    from ...metrics.unitizing.calibration import CurvePoint, Share
    from ..quick.calibrate import Calibration

_SIGNS = {"alpha": "α, position", "beta": "β, category", "delta_empty": "Δ∅"}
_MOST = 20  # distances in the table; TOML and JSON have all


class Form(StrEnum):
    mean = "mean"
    product = "product"


class PageLanguage(StrEnum):
    en = "en"
    fr = "fr"


def calibrate(
    units: Annotated[
        list[Path] | None, typer.Argument(help="Exports with units (files or folders).")
    ] = None,
    campaign: Annotated[
        Path | None,
        typer.Option(help="Instead: a campaign file that was run, with its units and settings."),
    ] = None,
    format: Format = "auto",
    option: Option = None,
    layer: Layer = None,
    position: PositionOption = None,
    alpha: Alpha = 1.0,
    beta: Beta = 1.0,
    delta_empty: DeltaEmpty = None,
    distance: UnitDistanceOption = UnitDistance.nominal,
    tagset: Tagset = "",
    factors: Annotated[
        str, typer.Option(help="Multiples of the present setting that are tried.")
    ] = "0.25,0.5,1,2,4",
    form: Annotated[
        Form, typer.Option(help="Of the proposed distances: d_α is the mean, d_κω the product.")
    ] = Form.mean,
    page: Annotated[
        Path | None, typer.Option(help="HTML file to write too, with the curves as figures.")
    ] = None,
    language: Annotated[PageLanguage, typer.Option(help="Of the page.")] = PageLanguage.en,
    process: Processes = None,
    precision: Precision = 0.02,
    replicates: Replicates = 1000,
    seed: Seed = 0,
    strict: Strict = False,
    json_: Json = False,
) -> None:
    """How γ and the alignment move with Δ∅ and the weights, and category distances to judge.

    Proposals for a person, as TOML for the campaign file. No setting is "the best": that γ is
    higher under one is no reason for it.
    """
    from ..quick.calibrate import calibrate as calibration_of
    from ..quick.calibrate import material_of_campaign, material_of_exports
    from ..quick.units_asked import AskedOfUnits, UnitReading, Weighing

    if bool(units) == (campaign is not None):
        raise DataError("give either exports with units or a campaign file (--campaign)")
    weighing = Weighing(
        position.value if position else None, alpha, beta, delta_empty, distance.value
    )
    asked = AskedOfUnits(
        weighing=weighing,
        processes=tuple(process or ()),
        precision=precision,
        n_replicates=replicates,
        seed=seed,
    )
    if campaign is None:
        reading = UnitReading(format, pairs(option), layer, strict, split_tagset(tagset))
        material = material_of_exports(units or [], reading, asked)
    elif weighing != Weighing() or tagset or strict or format != "auto" or option:
        raise DataError(
            "a campaign says itself how its exports are read and its units compared: leave out the "
            "options on formats, position, weights and Δ∅"
        )
    else:
        material = material_of_campaign(campaign, layer or "", asked)
    found = calibration_of(material, asked, factors=_numbers(factors), form=form.value)
    if page is not None:
        from ..quick.calibrate_page import write_page

        given = {
            "--campaign": campaign.name if campaign else "",
            "--layer": layer or "",
            "--format": format if format != "auto" else "",
            "--position": position.value if position else "",
            "--alpha": f"{alpha:g}" if alpha != 1 else "",
            "--beta": f"{beta:g}" if beta != 1 else "",
            "--delta-empty": f"{delta_empty:g}" if delta_empty is not None else "",
            "--distance": distance.value if distance is not UnitDistance.nominal else "",
            "--tagset": tagset,
            "--factors": factors,
            "--form": form.value,
            "--precision": f"{precision:g}",
            "--replicates": str(replicates),
            "--seed": str(seed),
        }
        words = [*(path.name for path in units or []), *(f"--option={one}" for one in option or [])]
        words += [f"--process={one}" for one in process or []]
        words += [word for key, value in given.items() if value for word in (key, value)]
        command = shlex.join(["accordeur", "calibrate", *words])
        write_page(page, found, command, language=language.value, seed=seed)
    if json_:
        from ..quick.calibrate_output import as_json

        typer.echo(json.dumps(as_json(found), ensure_ascii=False, indent=1))
        return
    _print(found)
    if page is not None:
        typer.echo(f"page: {page}")


def _numbers(given: str) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in given.split(","))
    except ValueError:
        raise DataError(f"--factors {given}: give numbers as 0.5,1,2") from None


def _print(found: Calibration) -> None:
    from rich.console import Console
    from rich.table import Column, Table

    from ..quick.calibrate_output import as_toml, at_present
    from ..wording import counted
    from .printing import print_rows, print_warnings

    console, material = Console(highlight=False), found.material
    for setting, points in found.curves.items():
        span = Column("95 %", no_wrap=True), Column("95 %", no_wrap=True)
        table = Table(
            _SIGNS[setting], "γ", Column("95 %", no_wrap=True), "aligned", span[0], "kept", span[1]
        )
        own = getattr(material.dissimilarity, setting)
        for point in points:
            table.add_row(*_row(point, is_present=point.value == own))
        console.print(table)
    console.print(
        f"* present setting; aligned: units with another annotator's; kept: of the pairs of units "
        f"aligned here or at present, those aligned at both. "
        f"{counted(found.n_documents, 'document')}, {counted(found.present.n_items, 'unit')}, "
        f"{counted(found.present.n_annotators, 'annotator')}. A higher γ is no reason for a "
        "setting: it measures another thing. Signature of the present one:",
        soft_wrap=True,
    )
    console.print(found.present.signature, style="dim", soft_wrap=True, markup=False)
    if found.proposal is not None:
        table = Table(
            "category", "category", "distance", Column("95 %", no_wrap=True), "weight", "at present"
        )
        for one in found.proposal.seen[:_MOST]:
            table.add_row(
                one.first, one.second, f"{one.distance:.3f}", _span(one.interval, ".2f"),
                f"{one.weight:.3g}", f"{at_present(material, one):.3g}",
            )  # fmt: skip
        console.print(table)
        others = len(found.proposal.seen) - _MOST
        told = f"{counted(others, 'more pair')} in the JSON. " if others > 0 else ""
        unseen = ", ".join(found.proposal.unseen)
        told += f"Never aligned with anything: {unseen}. " if unseen else ""
        console.print(
            f"{told}Aligned by position alone; weight of the pairs that were confused. Signature:",
            soft_wrap=True, markup=False,
        )  # fmt: skip
        console.print(found.proposal_signature, style="dim", soft_wrap=True, markup=False)
    typer.echo(f"\n{as_toml(found)}\n")
    if material.account is not None:
        print_rows(console, material.account.rows, material.account.refused)
    print_warnings(console, material.remarks)


def _row(point: CurvePoint, *, is_present: bool) -> list[str]:
    gamma = point.gamma
    value = "–" if math.isnan(gamma.value) else f"{gamma.value:.4f}"
    return [
        f"{point.value:g}{'*' * is_present}",
        value,
        _span(gamma.interval, ".3f"),
        *_shown(point.aligned),
        *_shown(point.kept),
    ]


def _shown(share: Share) -> tuple[str, str]:
    value = "–" if math.isnan(share.value) else f"{share.value:.1%}"
    return value, _span(share.interval, ".0%")


def _span(interval: tuple[float, float], shape: str) -> str:
    lower, upper = interval
    return "–" if math.isnan(lower) else f"{lower:{shape}}…{upper:{shape}}"
