"""`accordeur calibrate`: sensitivity of γ to Δ∅ and the weights, and proposed category distances.

The results are proposals; no setting is recommended as the best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from ...data.row_account import ExportAccount
from ...data.validation.raw_rows import name_in_export
from ...metrics.alignment.continuum import Continuum
from ...metrics.alignment.dissimilarity import Dissimilarity
from ...metrics.coded_warning import CodedWarning
from ...metrics.errors import MetricsError
from ...metrics.estimate import Estimate, add_reading_settings
from ...metrics.options import Process
from ...metrics.results import Setting, SettingPoint
from ...metrics.signature import signature_line
from ...metrics.units.category_posterior import posterior_settings
from ...metrics.units.category_proposal import (
    CategoryProposal,
    Form,
    propose_category_distances,
)
from ...metrics.units.setting_curves import setting_curves
from ..inputs.reading_options import Reading
from ..inputs.unit_options import CalibrationOptions
from ..units.units_of_exports import read_units


class Material(NamedTuple):
    """The units to calibrate on, and the current settings for comparing them.

    results  results of the campaign's last run; None for exports
    """

    name: str
    layer: str
    continua: list[Continuum]
    dissimilarity: Dissimilarity
    processes: tuple[Process, ...]
    account: ExportAccount | None
    remarks: list[CodedWarning]
    results: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Calibration:
    """Curves of the settings that matter, and proposed distances (None below two categories)."""

    material: Material
    present: Estimate
    curves: dict[Setting, list[SettingPoint]]
    proposal: CategoryProposal | None
    form: Form
    proposal_signature: str

    @property
    def n_documents(self) -> int:
        return sum(continuum.n_annotators >= 2 for continuum in self.material.continua)


def material_of_exports(
    paths: Sequence[Path], reading: Reading, options: CalibrationOptions
) -> Material:
    """Read the units of exports. Raises DataError and MetricsError as `accordeur gamma` does."""
    units = read_units(paths, reading)
    dissimilarity = options.dissimilarity_for(
        "gamma", units.continua, tagset_is_declared=bool(reading.categories)
    )
    return Material(
        ", ".join(path.name for path in paths),
        name_in_export("units", units.layer.name),
        units.continua,
        dissimilarity,
        options.processes,
        units.account(),
        units.warnings(),
    )


def calibrate(material: Material, options: CalibrationOptions) -> Calibration:
    """Compute the curves at multiples of each current setting, and the distances.

    Raises MetricsError.
    """
    factors, form = options.factors, options.form
    if not factors or min(factors) <= 0:
        raise MetricsError("--factors are multiples of the current setting: give positive numbers")
    continua, present = material.continua, material.dissimilarity
    settings = replace(options, processes=material.processes).settings()
    values = values_tried(present, factors, several=len(continua[0].tagset) > 1)
    curves = setting_curves(continua, present, values, settings=settings)
    at_present = next(
        point.gamma
        for setting, points in curves.items()
        for point in points
        if point.value == getattr(present, setting)
    )
    proposal = None
    if len(continua[0].tagset) > 1 and present.alpha > 0:
        proposal = propose_category_distances(continua, present, form=form, **options.arguments)
    read_as = {} if material.account is None else material.account.settings
    line = signature_line(
        "category_distances",
        form={"mean": "d_alpha", "product": "d_kappa_omega"}[form],
        aligned_by=f"{present.position}/alpha={present.alpha:g}/beta=0",
        delta_empty=present.delta_empty,
        **posterior_settings(settings, len(continua)),
        seed=options.seed,
        input=at_present.how.input,
        **read_as,
    )
    [at_present] = add_reading_settings([at_present], read_as)
    return Calibration(material, at_present, curves, proposal, form, line)


def values_tried(
    present: Dissimilarity, factors: Sequence[float], *, several: bool = True
) -> dict[Setting, list[float]]:
    """Return multiples of each current setting that matters, including the current value.

    Only one of Δ∅ and alpha is varied: in the dissimilarity of 2015, Δ∅ is only a unit of
    measurement, and in those of 2011, γ depends on the ratio of the two. beta matters when there
    are several categories; it is also tried at 0 (position alone). For a weight of 0, multiples of
    1 are tried as well.
    """
    of_position: Setting = "alpha" if present.position == "positional" else "delta_empty"
    settings: list[Setting] = [of_position, "beta"] if several else [of_position]
    tried: dict[Setting, list[float]] = {}
    for setting in settings:
        own = float(getattr(present, setting))
        values = {own, *((own or 1.0) * factor for factor in factors)}
        tried[setting] = sorted(values | ({0.0} if setting == "beta" and present.alpha else set()))
    return tried
