"""Compile every kernel of the alignment engine, so that the first alignment need not wait."""

from __future__ import annotations

import time

import numpy as np

from metrics.alignment.best_alignment import DEFAULT_DISSIMILARITY, best_alignment
from metrics.alignment.continuum import Continuum
from metrics.alignment.greedy import greedy_alignment
from metrics.alignment.kernel_cache import drop_stale_kernels
from metrics.alignment.last_resort import align_hard
from metrics.alignment.problem import relative_costs_of, sweep_of


def compile_kernels() -> float:
    """Compile what is not in Numba's cache yet; returns the seconds that it took.

    For the set-up. A process that finds the cache filled loads the kernels in a fraction of a
    second; one that does not compiles them at its first alignment.
    """
    begun = time.monotonic()
    drop_stale_kernels()
    starts = np.array([0.0, 4.0, 1.0, 4.0])
    continuum = Continuum(
        starts,
        starts + 3.0,
        np.zeros(4, dtype=np.int32),
        np.array([0, 0, 1, 2], dtype=np.int32),
        ("a", "b", "c"),
        ("category",),
    )
    best_alignment(continuum)
    best_alignment(_crowded())
    best_alignment(continuum, objective="soft")
    greedy_alignment(continuum)
    costs = relative_costs_of(continuum, DEFAULT_DISSIMILARITY)
    sweep = sweep_of(continuum, costs.kind)
    align_hard(sweep, 3, costs, np.full(4, 3.0), False, float("inf"))
    return time.monotonic() - begun


def _crowded() -> Continuum:
    """So many candidates that prices choose among them."""
    starts = np.tile([0.0, 4.0], 5)
    owners = np.repeat(np.arange(5, dtype=np.int32), 2)
    categories = np.zeros(10, dtype=np.int32)
    return Continuum(starts, starts + 3.0, categories, owners, tuple("abcde"), ("category",))
