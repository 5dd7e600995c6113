"""A batch gives what its continua give one by one."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import accordeur.metrics.alignment.batch as module
from accordeur.metrics.alignment.batch import batch_disorders
from accordeur.metrics.alignment.best_alignment import best_alignment
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.errors import MetricsError
from tests.metrics.alignment.brute_force import random_continuum


def flat(continua: list[Continuum]) -> tuple[np.ndarray, ...]:
    offsets = np.concatenate([[0], np.cumsum([c.n_units for c in continua])])
    columns = [
        np.concatenate([getattr(c, name) for c in continua])
        for name in ("starts", "ends", "categories", "owners")
    ]
    return (*columns, offsets)


def some_continua(n_annotators: int) -> list[Continuum]:
    rng = np.random.default_rng(n_annotators)
    nobody = Continuum([], [], [], [], tuple("abcdefgh"[:n_annotators]), tuple("wxyz"))
    continua = [random_continuum(n_annotators, int(m), rng) for m in rng.integers(1, 14, 25)]
    return [nobody, *continua, nobody]


@pytest.mark.parametrize("objective", ["sum", "mean", "soft"])
@pytest.mark.parametrize("position", ["positional", "sporadic", "hamming", "none"])
def test_batch_equals_one_by_one(objective: str, position: str) -> None:
    settings = Dissimilarity(position, alpha=1.2, beta=0.8, delta_empty=2.0)  # type: ignore[arg-type]
    continua = some_continua(3)
    found = batch_disorders(*flat(continua), 3, settings, n_categories=4, objective=objective)  # type: ignore[arg-type]
    assert found.optimal.all()
    assert found.n_units.tolist() == [c.n_units for c in continua]
    for i, continuum in enumerate(continua):
        best = best_alignment(continuum, settings, objective=objective)  # type: ignore[arg-type]
        assert found.totals[i] == pytest.approx(best.total, abs=1e-9)
        if objective == "mean" and continuum.n_units:
            assert found.totals[i] / found.n_unitary[i] == pytest.approx(best.holistic_disorder)


def test_crowded_calls_are_split(monkeypatch: pytest.MonkeyPatch) -> None:
    continua = some_continua(4)
    whole = batch_disorders(*flat(continua), 4, Dissimilarity(), n_categories=4)
    monkeypatch.setattr(module, "TUPLES_A_UNIT", 2)
    split = batch_disorders(*flat(continua), 4, Dissimilarity(), n_categories=4)
    np.testing.assert_allclose(split.totals, whole.totals, atol=1e-9)
    assert split.optimal.all()


@pytest.mark.long
def test_arrays_are_given_back_at_once() -> None:
    """In a process of its own: threads of other tests leave things for the collector, too."""
    code = (
        "import gc\n"
        "from tests.metrics.alignment.test_batch import *\n"
        "arguments = (*flat(some_continua(3)), 3, Dissimilarity())\n"
        "batch_disorders(*arguments, n_categories=4)\n"
        "gc.collect()\n"
        "gc.disable()\n"
        "batch_disorders(*arguments, n_categories=4)\n"
        "print(gc.collect())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"


def test_threads_change_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    continua = some_continua(4)
    whole = batch_disorders(*flat(continua), 4, Dissimilarity(), n_categories=4)
    monkeypatch.setattr(module, "_UNITS_PER_CALL", 30)
    shared = batch_disorders(*flat(continua), 4, Dissimilarity(), n_categories=4, threads=3)
    np.testing.assert_array_equal(shared.totals, whole.totals)
    np.testing.assert_array_equal(shared.n_unitary, whole.n_unitary)


def test_starts_may_be_negative_in_a_batch() -> None:
    continua = some_continua(3)
    *columns, offsets = flat(continua)
    shifted = (columns[0] - 1e6, columns[1] - 1e6, *columns[2:], offsets)
    here = batch_disorders(*columns, offsets, 3, Dissimilarity(), n_categories=4)
    there = batch_disorders(*shifted, 3, Dissimilarity(), n_categories=4)
    np.testing.assert_allclose(here.totals, there.totals, atol=1e-9)


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        (0, 1e9, "must be after start"),
        (1, np.nan, "must be after start"),
        (2, 4, "category codes must lie in -1..3"),
        (3, 3, "owners must lie in 0..2"),
        (4, 1, "offsets must increase from 0"),
    ],
)
def test_bad_arrays_are_refused(column: int, value: float, message: str) -> None:
    columns = list(flat(some_continua(3)))
    columns[column] = columns[column].copy()
    columns[column][0] = value
    with pytest.raises(MetricsError, match=message):
        batch_disorders(*columns, 3, Dissimilarity(), n_categories=4)


def test_a_pair_function_is_refused() -> None:
    settings = Dissimilarity(pair_function=lambda c, u, v: np.zeros(u.shape))
    with pytest.raises(MetricsError, match="a batch does not accept a pair_function"):
        batch_disorders(*flat(some_continua(3)), 3, settings, n_categories=4)
