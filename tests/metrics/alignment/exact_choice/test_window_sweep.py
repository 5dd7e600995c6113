"""The sweep in words of 63 units, against every packing."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.alignment.exact_choice.components_and_branches import first_tuples
from accordeur.metrics.alignment.exact_choice.dual import reduced_costs
from accordeur.metrics.alignment.exact_choice.islands import choose_by_islands
from accordeur.metrics.alignment.exact_choice.window_sweep import choose_by_windows

N_UNITS = 8
TUPLES = [t for size in (2, 3, 4) for t in combinations(range(N_UNITS), size)]
Savings = dict[tuple[int, ...], float]
SOME = st.dictionaries(st.sampled_from(TUPLES), st.integers(-2, 12).map(float), max_size=11)


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


def worth_of(savings: Savings, n_units: int = N_UNITS) -> np.ndarray:
    """The most that taking a unit out of a tuple can cost: the whole tuple."""
    worth = np.zeros(n_units)
    for t, saved in savings.items():
        worth[list(t)] = np.maximum(worth[list(t)], saved)
    return worth


def saved_by(savings: Savings, chosen: np.ndarray) -> float:
    """What the chosen tuples save; they are disjoint."""
    tuples = [t for t, taken in zip(sorted(savings), chosen, strict=True) if taken]
    units = [u for t in tuples for u in t]
    assert len(units) == len(set(units))
    return sum(savings[t] for t in tuples)


@settings(max_examples=300)  # the first one compiles
@given(SOME)
def test_windows_choose_the_best_packing(savings: Savings) -> None:
    pointer, members, saving = arrays_of(savings)
    row = first_tuples(N_UNITS, pointer, members)
    chosen, unsolved, too_long = choose_by_windows(
        row, pointer, members, saving, worth_of(savings), 200
    )
    assert not unsolved.any()
    assert not too_long
    assert saved_by(savings, chosen) == most_saved(savings)


@settings(max_examples=300)
@given(SOME)
def test_a_stretch_left_unsolved_can_be_solved_by_itself(savings: Savings) -> None:
    pointer, members, saving = arrays_of(savings)
    row = first_tuples(N_UNITS, pointer, members)
    chosen, unsolved, _ = choose_by_windows(row, pointer, members, saving, worth_of(savings), 1)
    left = {t: saved for t, saved in savings.items() if unsolved[t[0]]}
    taken = {t for t, is_taken in zip(sorted(savings), chosen, strict=True) if is_taken}
    assert not any(set(t) & set(other) for t in taken for other in left)
    assert saved_by(savings, chosen) + most_saved(left) == most_saved(savings)


@settings(max_examples=300)
@given(SOME, st.sampled_from([0.25, 1.0, 50.0]))
def test_islands_choose_the_best_packing_from_reduced_costs(savings: Savings, near: float) -> None:
    pointer, members, saving = arrays_of(savings)
    price = np.zeros(N_UNITS)
    for t, saved in savings.items():
        price[list(t)] = np.maximum(price[list(t)], saved / len(t))
    cost = reduced_costs(pointer, members, saving, price)
    c = np.full(N_UNITS, 6.0)
    chosen, unsolved, _, _ = choose_by_islands(
        pointer, members, cost, price, worth_of(savings), c, near, False, 200
    )
    assert not unsolved.any()
    assert abs(saved_by(savings, chosen) - most_saved(savings)) < 1e-9


def test_a_threshold_holds_for_an_island_not_for_each_stretch_of_it() -> None:
    """Within .9 the sweep sees (0, 1) only and is cut behind it; the best choice costs 1.1."""
    savings: Savings = {(0, 1): 2.3, (1, 2): 2.5}
    pointer, members, saving = arrays_of(savings)
    price = np.array([1.1, 2.0, 0.5])
    chosen, unsolved, _, _ = choose_by_islands(
        pointer,
        members,
        reduced_costs(pointer, members, saving, price),
        price,
        worth_of(savings, 3),
        np.full(3, 6.0),
        0.9,
        False,
        200,
    )
    assert not unsolved.any()
    assert chosen.tolist() == [False, True]


def test_a_tuple_over_more_units_than_a_word_is_left_to_the_slots() -> None:
    savings: Savings = {(0, 1): 2.0, (2, 3): 1.0, (2, 90): 5.0, (91, 92): 3.0}
    pointer, members, saving = arrays_of(savings)
    row = first_tuples(93, pointer, members)
    chosen, unsolved, too_long = choose_by_windows(
        row, pointer, members, saving, worth_of(savings, 93), 200
    )
    assert too_long
    assert chosen.tolist() == [True, False, False, True]
    assert np.flatnonzero(unsolved).tolist() == list(range(2, 91))
