"""Content of a calibration's page: curves of settings, proposed distances of categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...metrics.estimate import Estimate
from ...metrics.results import ProposedDistance, Setting, SettingPoint
from ..results import Run, Validation


@dataclass(frozen=True, slots=True)
class CalibrationResults:
    """A whole calibration.

    present    γ with the present settings
    curves     what changes with one setting: delta_empty, alpha or beta
    form       of the proposal: mean or product; "" without several categories
    distances  of categories that annotators confused, each with the distance at present
    """

    name: str
    layer: str
    position: str
    alpha: float
    beta: float
    delta_empty: float
    present: Estimate
    n_documents: int
    curves: Mapping[Setting, Sequence[SettingPoint]]
    form: str
    distances: Sequence[tuple[ProposedDistance, float]]
    unseen: Sequence[str]
    toml: str
    signatures: Sequence[str]
    run: Run
    validation: Validation | None = None
