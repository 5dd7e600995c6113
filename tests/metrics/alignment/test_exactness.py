"""The engine against an unpruned mixed-integer oracle, on random small continua."""

from __future__ import annotations

import math

import numpy as np
import pytest

from accordeur.metrics.alignment.best_alignment import Alignment, best_alignment
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity, pair_costs
from tests.metrics.alignment.brute_force import oracle, random_case


def worst_error(seed: int) -> float:
    """Largest absolute error of the three objectives on one random case, relative to Δ∅."""
    continuum, settings = random_case(seed)
    if continuum.n_units == 0:
        assert math.isnan(best_alignment(continuum, settings).gamma_disorder)
        return 0.0
    truth = oracle(continuum, settings)
    found = {
        objective: best_alignment(continuum, settings, objective=objective)
        for objective in ("sum", "mean", "soft")
    }
    for objective, alignment in found.items():
        assert alignment.optimal
        check_alignment(continuum, settings, alignment, covering=objective == "soft")
    errors = (
        found["sum"].total - truth.least_sum(),
        found["soft"].total - truth.least_sum(covering=True),
        truth.least_sum(rate=found["mean"].holistic_disorder),
    )
    return max(abs(error) for error in errors) / settings.delta_empty


def check_alignment(
    continuum: Continuum, settings: Dissimilarity, alignment: Alignment, *, covering: bool
) -> None:
    """Each unit stands once (at least once), in its annotator's column; disorders are right."""
    rows, columns = np.nonzero(alignment.units >= 0)
    members = alignment.units[rows, columns]
    assert (continuum.owners[members] == columns).all()
    times = np.bincount(members, minlength=continuum.n_units)
    assert (times >= 1).all() if covering else (times == 1).all()
    first, second = np.triu_indices(continuum.n_annotators, 1)
    again = pair_costs(continuum, alignment.units[:, first], alignment.units[:, second], settings)
    np.testing.assert_allclose(alignment.disorders, again.mean(axis=1), atol=1e-12)
    assert alignment.total == pytest.approx(alignment.disorders.sum(), abs=1e-12)


@pytest.mark.long
@pytest.mark.parametrize("block", range(2))
def test_best_alignment_equals_the_oracle(block: int) -> None:
    assert max(worst_error(seed) for seed in range(50 * block, 50 * block + 50)) < 1e-9


@pytest.mark.long
@pytest.mark.parametrize("block", range(1, 11))
def test_best_alignment_equals_the_oracle_on_a_thousand_cases(block: int) -> None:
    assert max(worst_error(seed) for seed in range(100 * block, 100 * block + 100)) < 1e-9
