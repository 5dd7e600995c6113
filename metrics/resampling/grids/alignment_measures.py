"""Alignment measures as plain, picklable functions of a campaign, for reading grids."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from ...alignment.continuum import Continuum
from ...alignment.dissimilarity import Dissimilarity
from ...errors import MetricsError
from ...measures import objective_of
from ...options import GridMeasure, Process
from ...units.gamma import GAMMA_2015, gamma_value
from ...units.gamma_cat import gamma_cat
from ...units.gamma_settings import GammaSettings, dissimilarity_settings
from ...units.holistic_agreement import HOLISTIC_2011, holistic
from ...units.krippendorff.alpha_u import alpha_u
from ...units.krippendorff.u_alpha import u_alpha
from ...units.observed import align_documents


@dataclass(frozen=True, slots=True)
class AlignmentMeasure:
    """A measure on units by its name, with the precision of its chance samples if it has any.

    γ (2015), its soft variant, γ-cat (2017), the holistic measure (2011), Krippendorff's α_U (1995)
    and uα family (2016). α_U and the uα family do not allow overlapping units of one annotator: a
    campaign in which degradation caused an overlap has the value `nan`, and curves count it as
    undefined.

    dissimilarity  None: the measure's default
    processes      chance models, None: the measure's default
    precision      relative precision of the expected disorder; lower than for a campaign, because
                   every point of a curve is a mean over trials
    """

    name: GridMeasure = "gamma"
    dissimilarity: Dissimilarity | None = None
    processes: tuple[Process, ...] | None = None
    precision: float = 0.02
    seed: int = 0

    def __post_init__(self) -> None:
        known = get_args(GridMeasure)
        if self.name not in known:
            said = f"the measure is {self.name!r}; it must be one of {', '.join(known)}"
            raise MetricsError(said)

    @property
    def settings(self) -> dict[str, str | float | int]:
        """Settings for a signature: the dissimilarity and chance models, if they are given."""
        said: dict[str, object] = {}
        if self.dissimilarity is not None:
            said |= dissimilarity_settings(self.dissimilarity)
        if self.processes is not None:
            said["processes"] = "+".join(self.processes)
        return {key: value for key, value in said.items() if isinstance(value, (str, int, float))}

    def __call__(self, continua: Sequence[Continuum]) -> float:
        if self.name in ("alpha_u", "u_alpha", "u_alpha_binary", "cu_alpha"):
            return self._krippendorff(continua)
        if self.name == "gamma_cat":
            used = GAMMA_2015 if self.dissimilarity is None else self.dissimilarity
            alignments = align_documents(continua, used)
            return gamma_cat(continua, alignments, used, n_replicates=0).gamma_cat.value
        settings = GammaSettings(
            processes=self.processes or (),
            precision=self.precision,
            objective=objective_of(self.name),
            seed=self.seed,
            replicates=0,
        )
        if self.name == "holistic":
            used = HOLISTIC_2011 if self.dissimilarity is None else self.dissimilarity
            return holistic(continua, used, settings=settings).corpus.value
        used = GAMMA_2015 if self.dissimilarity is None else self.dissimilarity
        return gamma_value(continua, used, settings)

    def _krippendorff(self, continua: Sequence[Continuum]) -> float:
        try:
            if self.name == "alpha_u":
                return alpha_u(continua, n_replicates=0).all.value
            family = u_alpha(continua, n_replicates=0)
        except MetricsError:  # overlapping units, for which α is undefined
            return math.nan
        match self.name:
            case "u_alpha":
                return family.u_alpha.value
            case "u_alpha_binary":
                return family.u_alpha_binary.value
            case _:
                return family.cu_alpha.value
