"""Content of a calibration's page: curves of settings, proposed distances of categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...metrics.estimate import Estimate
from ..results import Run, Validation

if TYPE_CHECKING:  # a page of labels does not load what computes γ
    from ...metrics.alignment.dissimilarity import Dissimilarity
    from ...metrics.units.category_proposal import ProposedDistance
    from ...metrics.units.setting_curves import Setting, SettingPoint


@dataclass(frozen=True, slots=True)
class CalibrationResults:
    """A whole calibration.

    weights    the present settings, `present` is their γ
    curves     what changes with one setting: delta_empty, alpha or beta
    form       of the proposal: mean or product; "" without several categories
    distances  of categories that annotators confused, each with the distance at present
    """

    name: str
    layer: str
    weights: Dissimilarity
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
