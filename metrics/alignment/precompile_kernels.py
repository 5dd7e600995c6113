"""Compile every kernel of the alignment engine ahead of the first alignment."""

from __future__ import annotations

import numpy as np

from .best_alignment import DEFAULT_DISSIMILARITY, best_alignment
from .continuum import Continuum
from .engine import SCHEDULE, choose_by_prices, choose_by_sweep
from .fallback.solver import align_unsolved
from .greedy import greedy_alignment
from .kernel_input import relative_costs_of_continuum, sweep_units


def compile_kernels() -> None:
    """Compile the kernels that are not in Numba's cache yet.

    Used at installation. With a filled cache, a process loads the kernels in a fraction of a
    second; otherwise it compiles them at its first alignment.
    """
    compile_sweep_kernels()
    compile_pricing_kernels()
    continuum = _continuum_of_few_units()
    costs = relative_costs_of_continuum(continuum, DEFAULT_DISSIMILARITY)
    sweep = sweep_units(continuum, costs.kind)
    align_unsolved(sweep, 3, costs, np.full(4, 3.0), False, float("inf"))


def compile_sweep_kernels() -> None:
    """Compile the kernels for continua with few candidates: about half of the work."""
    best_alignment(_continuum_of_few_units())
    greedy_alignment(_continuum_of_few_units())


def compile_pricing_kernels() -> None:
    """Compile the kernels for many candidates: the other half, independent of the first."""
    pointer, members = np.array([0, 2, 4]), np.array([0, 1, 1, 2], dtype=np.int32)
    tuples = (pointer, members, np.ones(2))
    worth, c = np.ones(3), np.ones(3)
    chosen, unsolved = np.zeros(2, dtype=np.bool_), np.ones(3, dtype=np.bool_)
    choose_by_sweep(*tuples, worth, c, False, chosen, unsolved)
    unsolved[:] = True
    choose_by_prices(*tuples, worth, c, 2, False, SCHEDULE, chosen, unsolved)


def _continuum_of_few_units() -> Continuum:
    starts = np.array([0.0, 4.0, 1.0, 4.0])
    return Continuum(
        starts,
        starts + 3.0,
        np.zeros(4, dtype=np.int32),
        np.array([0, 0, 1, 2], dtype=np.int32),
        ("a", "b", "c"),
        ("category",),
    )
