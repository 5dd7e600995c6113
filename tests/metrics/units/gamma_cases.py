"""Settings and small cases for the tests of γ."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.chance.sample_plan import expected_disorder_of_samples
from accordeur.metrics.units.observed import Observed

FAST = {"precision": 0.05, "replicates": 200}


def moved(continuum: Continuum, *, factor: float = 1.0, shift: float = 0.0) -> Continuum:
    return replace(
        continuum,
        starts=continuum.starts * factor + shift,
        ends=continuum.ends * factor + shift,
        length=math.nan,
        origin=math.nan,
    )


def counts_with(total: float, weight: float, n_annotators: int = 3) -> Observed:
    return Observed(
        np.array([total]),
        np.array([weight]),
        np.array([n_annotators]),
        np.array([10]),
        np.array([0.0]),
    )


def constant(value: float, n_annotators: int = 3, process: str = "random2"):
    """An expected disorder without sampling error."""
    return expected_disorder_of_samples(
        {(process, n_annotators): np.tile([value, 1.0, 0.0], (30, 1))},
        shares={n_annotators: 1.0},
    )
