"""`accordeur calibrate`: effect of Δ∅, the weights and the category distances on γ."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ...data.errors import DataError
from ...reports.columns import each, interval, number, text
from ...tasks.inputs.reading_options import Columns, Reading
from ...tasks.inputs.unit_options import CalibrationOptions, UnitComparison
from .printing.tables import print_table
from .terminal import print_document, print_json, print_line, terminal
from .typer_options import JsonOrTables, WithSignatures, command_as_typed

if TYPE_CHECKING:
    from ...metrics.results import SettingPoint
    from ...tasks.calibration.calibrate import Calibration

_SIGNS = {"alpha": "α, position", "beta": "β, category", "delta_empty": "Δ∅"}
_MOST = 20  # distances in the table; TOML and JSON contain all


def calibrate(
    context: typer.Context,
    reading: Reading,
    columns: Columns,
    options: CalibrationOptions,
    units: Annotated[
        list[Path] | None, typer.Argument(help="Exports with units or labels (files or folders).")
    ] = None,
    campaign: Annotated[
        Path | None,
        typer.Option(
            help="Campaign file, instead of exports: use the units and settings of its last run."
        ),
    ] = None,
    to: Annotated[
        Path | None, typer.Option(help="Also write an HTML page with the curves as figures.")
    ] = None,
    language: Annotated[Literal["en", "fr"], typer.Option(help="Language of the page.")] = "en",
    json_: JsonOrTables = False,
    signature: WithSignatures = False,
) -> None:
    """Show how γ changes with Δ∅ and the weights, and propose distances between categories.

    Of labels, print P(c₂|c₁) and the distances d_α and d_κω of Fort et al. (2010) between
    categories.

    The proposals are TOML to review for the campaign file. No setting is "the best": a higher γ
    is not a reason to choose one.
    """
    from ...tasks.calibration.calibrate import calibrate as calibration_of
    from ...tasks.calibration.calibrate import material_of_exports

    reading = columns.of(reading)
    if bool(units) == (campaign is not None):
        raise DataError("give either exports with units or a campaign file (--campaign)")
    if campaign is None:
        try:
            material = material_of_exports(units or [], reading, options)
        except DataError as no_units:
            if to is not None or not _print_of_labels(units or [], reading, options, json_):
                raise no_units from None
            return
    elif replace(reading, layer=None) != Reading() or any(
        getattr(options, one.name) != one.default for one in fields(UnitComparison)
    ):
        raise DataError(
            "the campaign file says how exports are read and units compared: remove the options "
            "on formats, position, weights and Δ∅"
        )
    else:
        from ..campaign.earlier.units_of_run import material_of_campaign

        material = material_of_campaign(campaign, reading.layer or "", options)
    found = calibration_of(material, options)
    if to is not None:
        from ...tasks.calibration.calibration_page import write_page

        command = command_as_typed(context, left_out=("to", "language", "json_", "signature"))
        write_page(to, found, command, language=language, seed=options.seed)
    if json_:
        from ...tasks.calibration.calibration_output import as_json

        print_json(as_json(found))
        return
    _print(found, signature=signature)
    if to is not None:
        print_line(f"page: {to}")


def _print_of_labels(
    paths: list[Path], reading: Reading, options: CalibrationOptions, json_: bool
) -> bool:
    """Print the distances that labels suggest; false if the exports have no labels."""
    from ...tasks.calibration.label_calibration import as_json, as_toml, label_distances
    from .printing.footnotes import print_rows, print_warnings

    try:
        found = label_distances(paths, reading)
    except DataError:
        return False
    layer = reading.layer or ""
    if json_:
        print_json(as_json(found, options.form, layer))
        return True
    console = terminal()
    for title, matrix in (
        ("P(column | row)", found.probabilities),
        ("d_α", found.d_alpha),
        ("d_κω", found.d_kappa_omega),
    ):
        print_table(
            console, zip(found.tagset, matrix.tolist(), strict=True),
            text(title, lambda row: row[0]),
            *each(
                range(len(found.tagset)),
                lambda k: number(found.tagset[k], lambda row: row[1][k], "6"),
            ),
        )  # fmt: skip
    print_document(f"\n{as_toml(found, options.form, layer)}\n")
    print_warnings(console, found.remarks)
    print_rows(console, found.account.rows, found.account.rejected)
    return True


def _print(found: Calibration, *, signature: bool) -> None:
    from ...tasks.calibration.calibration_output import as_toml, current_distance
    from ...tasks.wording import counted
    from .printing.footnotes import print_rows, print_signatures, print_warnings

    console, material = terminal(), found.material
    level = f"{100 * found.present.confidence_level:g} %"
    for setting, points in found.curves.items():
        print_table(
            console, points,
            text(_SIGNS[setting], partial(_setting_text, getattr(material.dissimilarity, setting))),
            number("γ", lambda point: point.gamma.value),
            interval(level, lambda point: point.gamma.interval, "3"),
            number("aligned", lambda point: point.aligned.value, "%"),
            interval(level, lambda point: point.aligned.interval, "0%"),
            number("kept", lambda point: point.kept.value, "%"),
            interval(level, lambda point: point.kept.interval, "0%"),
        )  # fmt: skip
    console.print(
        "* current setting; aligned: share of units aligned with another annotator's unit; kept: "
        "share of the pairs aligned at this or the current setting that are aligned at both. "
        f"{counted(found.n_documents, 'document')}, {counted(found.present.n_items, 'unit')}, "
        f"{counted(found.present.n_annotators, 'annotator')}. A higher γ is not a reason for a "
        "setting: it measures something else.",
        soft_wrap=True,
    )
    if found.proposal is not None:
        print_table(
            console, found.proposal.seen[:_MOST],
            text("category", lambda one: one.first),
            text("category", lambda one: one.second),
            number("distance", lambda one: one.distance, "3"),
            interval(level, lambda one: one.interval, "2"),
            number("weight", lambda one: one.weight, "{:.3g}".format),
            number("at present", lambda one: current_distance(material, one), "{:.3g}".format),
        )  # fmt: skip
        others = len(found.proposal.seen) - _MOST
        more = f"{counted(others, 'more pair')} in the JSON. " if others > 0 else ""
        unseen = ", ".join(found.proposal.unseen)
        more += f"Never aligned with anything: {unseen}. " if unseen else ""
        console.print(
            f"{more}Units were aligned by position alone; weight: weight of the confused pairs.",
            soft_wrap=True, markup=False,
        )  # fmt: skip
    print_document(f"\n{as_toml(found)}\n")
    print_warnings(console, material.remarks)
    if material.account is not None:
        print_rows(console, material.account.rows, material.account.rejected)
    if signature:
        proposed = [] if found.proposal is None else [found.proposal_signature]
        print_signatures(console, [found.present.signature, *proposed])


def _setting_text(own: float, point: SettingPoint) -> str:
    return f"{point.value:g}{'*' * (point.value == own)}"
