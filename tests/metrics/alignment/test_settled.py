"""Tuples settled before the search stand in every best partition (all packings tried)."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.alignment.settled import settled_tuples

N_UNITS = 7
TUPLES = [t for size in (2, 3) for t in combinations(range(N_UNITS), size)]
Savings = dict[tuple[int, ...], float]


def arrays_of(savings: Savings) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    tuples = sorted(savings)
    pointer = np.cumsum([0, *map(len, tuples)]).astype(np.int64)
    members = np.array([u for t in tuples for u in t], dtype=np.int32)
    return pointer, members, np.array([savings[t] for t in tuples])


def most_saved(savings: Savings) -> float:
    """The most that disjoint tuples save together."""
    if not savings:
        return 0.0
    first, *others = sorted(savings)
    without = most_saved({t: savings[t] for t in others})
    apart = {t: savings[t] for t in others if not set(t) & set(first)}
    return max(without, savings[first] + most_saved(apart))


@settings(max_examples=300, deadline=None)  # the first one compiles
@given(st.dictionaries(st.sampled_from(TUPLES), st.integers(-2, 12).map(float), max_size=10))
def test_a_settled_tuple_stands_in_every_best_partition(savings: Savings) -> None:
    settled, live = settled_tuples(N_UNITS, *arrays_of(savings), 3)
    tuples = sorted(savings)
    assert not (settled & live).any()
    for t in np.flatnonzero(settled):
        others = {other: savings[other] for other in tuples if other != tuples[t]}
        assert most_saved(others) < most_saved(savings)
    taken = sum(savings[tuples[t]] for t in np.flatnonzero(settled))
    left = {tuples[t]: savings[tuples[t]] for t in np.flatnonzero(live)}
    assert taken + most_saved(left) == most_saved(savings)


def test_a_triple_is_settled_against_its_pairs_and_a_neighbour() -> None:
    savings: Savings = {(0, 1, 2): 9.0, (0, 1): 4.0, (1, 2): 4.0, (2, 3): 3.0, (3, 4): 1.0}
    settled, live = settled_tuples(N_UNITS, *arrays_of(savings), 3)
    tuples = sorted(savings)
    # (2, 3) dies with the triple, and leaves (3, 4) without a rival
    assert [tuples[t] for t in np.flatnonzero(settled)] == [(0, 1, 2), (3, 4)]
    assert not live.any()


def test_a_tie_is_left_to_the_search() -> None:
    settled, live = settled_tuples(N_UNITS, *arrays_of({(0, 1): 2.0, (1, 2): 2.0}), 2)
    assert not settled.any()
    assert live.all()
