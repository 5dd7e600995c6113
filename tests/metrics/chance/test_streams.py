"""The streams of many samples are those that NumPy gives to each alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordeur.metrics.chance.sample_drawing import sample_generators


def of_numpy(study: int, key: tuple[int, ...], index: int) -> np.random.Generator:
    return np.random.Generator(
        np.random.Philox(np.random.SeedSequence(study, spawn_key=(*key, index)))
    )


@given(
    st.integers(0, 2**200),
    st.tuples(st.integers(0, 3), st.integers(2, 2**32 - 1)),
    st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=5),
)
def test_a_stream_is_that_of_its_seed_alone(study, key, indices) -> None:
    for index, found in zip(indices, sample_generators(study, key, indices), strict=True):
        assert found.random() == of_numpy(study, key, index).random()


@pytest.mark.parametrize("study", [0, 2**32 - 1, 2**32, 2**128 - 1, 2**128])
def test_a_stream_begins_anew_whatever_was_drawn_from_the_one_before(study) -> None:
    for index, found in enumerate(sample_generators(study, (1, 2), range(6))):
        expected = of_numpy(study, (1, 2), index)
        np.testing.assert_array_equal(found.normal(size=index), expected.normal(size=index))
        # half a word: the other half must not reach the next stream
        assert found.integers(9, dtype=np.int32) == expected.integers(9, dtype=np.int32)
