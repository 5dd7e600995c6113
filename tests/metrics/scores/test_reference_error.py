"""Error of a reference from an audit, and units on places that a reference leaves open."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from accordeur.metrics.options import Sampling
from accordeur.metrics.scores.reference_error import reference_error
from accordeur.metrics.scores.unit_match_counts import are_on_open_places


@pytest.mark.parametrize(("wrong", "n"), [(0, 10), (3, 20), (12, 50)])
def test_the_error_has_the_interval_of_clopper_and_pearson(wrong: int, n: int) -> None:
    """One audited item a document, or no documents: the items are independent."""
    audit = np.zeros(n, int)
    reference = (np.arange(n) < wrong).astype(int)
    low = beta.ppf(0.025, wrong, n - wrong + 1) if wrong else 0.0
    high = beta.ppf(0.975, wrong + 1, n - wrong)
    for documents in (None, np.arange(n)):
        found = reference_error(
            reference, audit, tagset=["a", "b"], documents=documents, sampling=Sampling(50)
        )
        assert found.value == wrong / n
        assert found.interval == pytest.approx((low, high), abs=0.02)
        assert found.interval[0] <= found.value <= found.interval[1]


def test_open_and_unaudited_items_are_left_out() -> None:
    reference, audit = [0, 1, -1, 0, 1], [0, 0, 1, -1, -1]
    found = reference_error(reference, audit, tagset=["a", "b"])
    assert (found.value, found.n_items, found.detail.n_unlabelled) == (0.5, 2, 1)
    nothing = reference_error([-1, 0], [0, -1], tagset=["a", "b"])
    assert math.isnan(nothing.value)
    assert str(nothing.reason) == "no audited item has a label of the reference"


SPANS = st.lists(
    st.tuples(st.integers(0, 30), st.integers(1, 8)).map(lambda one: (one[0], sum(one))), max_size=6
)


@given(SPANS, SPANS, SPANS)
def test_a_unit_is_on_the_place_that_it_shares_most_with(
    units: list[tuple[int, int]], reference: list[tuple[int, int]], places: list[tuple[int, int]]
) -> None:
    """Brute force: shared positions among all positions of both."""

    def best(unit: tuple[int, int], others: list[tuple[int, int]]) -> float:
        own = set(range(*unit))
        sets = [set(range(*other)) for other in others]
        return max((len(own & one) / len(own | one) for one in sets), default=0.0)

    found = are_on_open_places(
        *(np.array(one, np.int64).reshape(-1, 2) for one in (units, reference, places))
    )
    assert found.tolist() == [best(one, places) > best(one, reference) for one in units]
