"""Alignment measures as plain functions of a campaign, for reading grids; they can be pickled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from metrics.alignment.continuum import Continuum
from metrics.alignment.dissimilarity import Dissimilarity
from metrics.chance.sampler import Process
from metrics.errors import MetricsError
from metrics.unitizing.gamma import GAMMA_2015, gamma
from metrics.unitizing.holistic import HOLISTIC_2011, holistic
from metrics.unitizing.settings import GammaSettings

Name: TypeAlias = Literal["gamma", "soft_gamma", "holistic"]


@dataclass(frozen=True, slots=True)
class AlignmentMeasure:
    """γ (2015), its soft variant or the holistic measure (2011), with a precision of chance.

    dissimilarity  None: the measure's own default
    processes      chance processes, None: the measure's own default
    precision      relative, of the expected disorder; coarser than for a campaign, since every
                   point of a curve is a mean over trials
    """

    name: Name = "gamma"
    dissimilarity: Dissimilarity | None = None
    processes: tuple[Process, ...] | None = None
    precision: float = 0.02
    seed: int = 0

    def __post_init__(self) -> None:
        if self.name not in get_args(Name):
            raise MetricsError(
                f"the measure is {self.name!r}; it must be one of {', '.join(get_args(Name))}"
            )

    def __call__(self, continua: Sequence[Continuum]) -> float:
        if self.name == "holistic":
            settings = GammaSettings(
                processes=self.processes, precision=self.precision, seed=self.seed, n_bootstrap=0
            )
            used = HOLISTIC_2011 if self.dissimilarity is None else self.dissimilarity
            return holistic(continua, used, settings=settings).corpus.value
        return gamma(
            continua,
            GAMMA_2015 if self.dissimilarity is None else self.dissimilarity,
            processes=self.processes,
            precision=self.precision,
            seed=self.seed,
            objective="soft" if self.name == "soft_gamma" else "sum",
            n_bootstrap=0,
        ).corpus.value
