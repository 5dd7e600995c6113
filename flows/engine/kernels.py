"""Compile the Numba kernels once, at set-up: every later process loads them from the cache."""

from __future__ import annotations

import numpy as np


def compile_all() -> None:
    """Call every compiled path on a small input."""
    from metrics.agreement.counting import KERNEL_FROM
    from metrics.agreement.inference import bootstrap
    from metrics.agreement.label_matrix import LabelMatrix
    from metrics.alignment.compilation import compile_kernels as compile_alignment
    from metrics.alignment.continuum import Continuum
    from metrics.resampling.subsets.modification_rate import modification_rate
    from metrics.scoring.precision_recall import match_all
    from metrics.scoring.units import Units
    from metrics.unitizing.gamma import gamma

    rng = np.random.default_rng(0)
    for n_items in (40, KERNEL_FROM):
        codes = rng.integers(-1, 3, (n_items, 3)).astype(np.int32)
        matrix = LabelMatrix(
            codes, ("a", "b", "c"), ("x", "y", "z"), documents=np.arange(n_items) // 10
        )
        bootstrap(matrix, n_replicates=2, seed=0)
    small = LabelMatrix(matrix.codes[:40], matrix.tagset, matrix.annotators)
    for ties in ("random", "nearest_mean", "abstain"):
        modification_rate(small, ties=ties, ordered=True)  # type: ignore[arg-type]  # a literal of a loop
    compile_alignment()
    starts = np.tile(np.arange(8) * 10.0, 3) + rng.random(24) * 4
    continuum = Continuum(
        starts,
        starts + 6,
        rng.integers(0, 2, 24).astype(np.int32),
        np.repeat(np.arange(3, dtype=np.int32), 8),
        ("a", "b", "c"),
        ("A", "B"),
        length=100.0,
    )
    gamma([continuum], precision=0.2, n_bootstrap=2)
    zeros, places = np.zeros(8, dtype=np.int64), starts[:8].astype(np.int64)
    units = Units(zeros, places, places + 6, zeros)
    match_all(units, units, tagset=("A",))
