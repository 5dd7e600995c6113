"""Numbers of integers, in a narrow range and in a wide one."""

from __future__ import annotations

import numpy as np
import pytest

from accordeur.metrics.arrays import numbered


@pytest.mark.parametrize("values", [[], [3], [7, 5, 7, -2], [5_000, 9_000_000_000, 5_000, 0]])
def test_integers_are_numbered_as_numpy_does(values: list[int]) -> None:
    given = np.array(values, dtype=np.int64)
    different, numbers = np.unique(given, return_inverse=True)
    found = numbered(given)
    assert found[0].tolist() == different.tolist()
    assert found[1].tolist() == numbers.tolist()
