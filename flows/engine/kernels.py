"""Compilation of the Numba kernels at set-up, so that later processes load them from the cache."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.threads import available_threads


def compile_all() -> None:
    """Compile every kernel that is not in Numba's cache yet, with one process per core.

    Compilation holds the GIL, so threads would not help. A kernel needed by two parts is mostly in
    the cache when the second one needs it.
    """
    parts = (
        _plain_alignment,
        _priced_alignment,
        _compile_agreement,
        _compile_subsets,
        _compile_unit_kernels,
    )
    with ProcessPoolExecutor(available_threads(), mp_context=get_context("spawn")) as pool:
        for compiled in [pool.submit(part) for part in parts]:
            compiled.result()
    _compile_alignment()


def _plain_alignment() -> None:
    from ...metrics.alignment.precompile_kernels import compile_sweep_kernels

    compile_sweep_kernels()


def _priced_alignment() -> None:
    from ...metrics.alignment.precompile_kernels import compile_pricing_kernels

    compile_pricing_kernels()


def _compile_alignment() -> None:
    from ...metrics.alignment.precompile_kernels import compile_kernels

    compile_kernels()


def _compile_agreement() -> None:
    from ...metrics.agreement.evaluate import evaluate_matrix
    from ...metrics.measures import USUAL
    from ...metrics.options import Sampling

    evaluate_matrix(_sample_labels(40), measures=USUAL, sampling=Sampling(replicates=2))


def _compile_subsets() -> None:
    from ...metrics.resampling.subsets.modification_rate import modification_rate

    for ties in ("random", "nearest_mean", "abstain"):
        modification_rate(_sample_labels(40), ties=ties, ordered=True)  # type: ignore[arg-type]  # a literal of a loop


def _compile_unit_kernels() -> None:
    from ...metrics.alignment.continuum import Continuum
    from ...metrics.scores.unit_match_counts import match_units_by_each
    from ...metrics.unit_rows import Units
    from ...metrics.units.gamma import gamma

    rng = np.random.default_rng(0)
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
    gamma([continuum], precision=0.2, replicates=2)
    zeros, places = np.zeros(8, dtype=np.int64), starts[:8].astype(np.int64)
    units = Units(zeros, places, places + 6, zeros)
    match_units_by_each(units, units, tagset=("A",))


def _sample_labels(n_items: int) -> LabelMatrix:
    codes = np.random.default_rng(0).integers(-1, 3, (n_items, 3)).astype(np.int32)
    documents = np.arange(n_items) // 10
    return LabelMatrix(
        codes=codes, tagset=("a", "b", "c"), annotators=("x", "y", "z"), documents=documents
    )
