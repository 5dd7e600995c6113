"""Intervals of sums do not depend on names: of categories, documents or items."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from accordeur.metrics.bootstrap import resampled_sums
from accordeur.metrics.intervals.evaluate import Resampled, evaluate
from accordeur.metrics.options import Sampling
from accordeur.metrics.row_order import row_order
from accordeur.metrics.scores.compare_systems import compare_systems

SAMPLING = Sampling(replicates=40, seed=5)
LARGEST_SHARE = Resampled(lambda sums: sums.max(axis=1) / np.maximum(sums.sum(axis=1), 1e-9))
COUNTS = arrays.arrays(
    np.int64, st.tuples(st.integers(2, 9), st.integers(1, 5)), elements=st.integers(0, 2)
)


@given(COUNTS, st.randoms(use_true_random=False))
def test_names_of_rows_and_columns_change_no_interval(rows, random) -> None:
    others = [random.sample(range(n), n) for n in rows.shape]
    [one] = evaluate(rows, [LARGEST_SHARE], SAMPLING)
    [two] = evaluate(rows[others[0]][:, others[1]], [LARGEST_SHARE], SAMPLING)
    assert one.interval is not None
    assert two.interval is not None
    assert two.interval.bounds == pytest.approx(one.interval.bounds, nan_ok=True)


@given(COUNTS, st.randoms(use_true_random=False))
def test_the_order_of_documents_changes_no_comparison(rows, random) -> None:
    other = random.sample(range(len(rows)), len(rows))
    first, second = rows, np.roll(rows, 1, axis=1)
    one, two = (
        compare_systems(*pair, LARGEST_SHARE, n_replicates=40)
        for pair in ((first, second), (first[other], second[other]))
    )
    assert two.interval == pytest.approx(one.interval, nan_ok=True)
    assert (two.p_bootstrap, two.p_randomisation) == pytest.approx(
        (one.p_bootstrap, one.p_randomisation), nan_ok=True
    )


def test_rows_around_a_circle_keep_their_neighbours() -> None:
    """Every two neighbours share a column; which of the equal rows comes first cannot matter."""
    rows = np.array([[1, 1, 0, 0, 0], [0, 1, 1, 0, 0], [0, 0, 1, 1, 0], [0, 0, 0, 1, 1]])
    rows = np.vstack([rows, [1, 0, 0, 0, 1]])
    ones, rng = np.ones(5, np.int64), np.random.default_rng(1)
    found = rows[row_order(ones, rows)]
    for _ in range(20):
        other = rows[rng.permutation(5)][:, rng.permutation(5)]
        drawn = other[row_order(ones, other)]
        assert (drawn @ drawn.T).tolist() == (found @ found.T).tolist()


def test_rounding_changes_no_resample() -> None:
    rng = np.random.default_rng(2)
    rows = rng.random((30, 3))
    other = rows[rng.permutation(30)] * (1 + 1e-15)
    one, two = (
        np.concatenate(list(resampled_sums(some, 50, np.random.default_rng(3))))
        for some in (rows, other)
    )
    assert two == pytest.approx(one)
