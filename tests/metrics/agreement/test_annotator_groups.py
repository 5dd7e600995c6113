"""Groups of annotators: exact permutations by hand, false alarms, and what is never shown."""

from __future__ import annotations

import math

import numpy as np
import pytest

from accordeur.metrics.agreement.annotator_groups import compare_groups
from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.options import GroupComparison, Sampling

QUICK = Sampling(replicates=0)


def crew(seed: int, n_annotators: int, *, apart: bool, n_items: int = 60) -> LabelMatrix:
    """Annotators who follow one view of each item, or where `apart` two views by halves."""
    rng = np.random.default_rng(seed)
    views = rng.integers(0, 2, (2, n_items))
    codes = [
        np.where(
            rng.random(n_items) < 0.8, views[int(apart and a % 2)], rng.integers(0, 2, n_items)
        )
        for a in range(n_annotators)
    ]
    return LabelMatrix(
        codes=np.stack(codes, axis=1).astype(np.int32),
        tagset=("no", "yes"),
        annotators=tuple(f"a{a}" for a in range(n_annotators)),
    )


def halves(n: int) -> dict[str, str]:
    return {f"a{a}": "odd" if a % 2 else "even" for a in range(n)}


def test_groups_with_views_of_their_own() -> None:
    matrix = crew(0, 8, apart=True)
    found = compare_groups(matrix, "side", halves(8), sampling=Sampling(replicates=200))
    even, odd = found.groups
    own = matrix.select_annotators([0, 2, 4, 6])
    assert even.within.value == compute_coefficient("krippendorff_alpha", own).value
    assert even.between.value == pytest.approx(odd.between.value)
    assert even.between.interval[1] < even.within.interval[0]
    # All C(8, 4) = 70 groupings are compared, and the true one and its mirror are the extremes.
    assert even.least_p == even.p_value == even.p_corrected == 2 / 70
    assert odd.p_value == even.p_value


def test_nothing_is_said_of_small_groups() -> None:
    """Values are those without the two of `y` and the one of `z`, and their names are nowhere."""
    matrix = crew(1, 9, apart=True)
    values = {f"a{a}": "yz"[a == 8] if a in (6, 7, 8) else "wx"[a % 2] for a in range(9)}
    found = compare_groups(matrix, "side", values, sampling=QUICK)
    assert [one.name for one in found.groups] == ["w", "x"]
    assert (found.n_hidden, found.n_hidden_annotators) == (2, 3)
    kept = {name: value for name, value in values.items() if value in "wx"}
    without = compare_groups(matrix.select_annotators(range(6)), "side", kept, sampling=QUICK)
    assert found.groups[0].between.value == without.groups[0].between.value
    strict = GroupComparison(smallest_group=4)
    assert compare_groups(matrix, "side", values, options=strict, sampling=QUICK).groups == ()


def test_unknown_annotators_are_counted_and_left_out() -> None:
    found = compare_groups(crew(2, 8, apart=False), "side", halves(6), sampling=QUICK)
    assert found.n_unknown == 2
    assert [one.n_annotators for one in found.groups] == [3, 3]


def test_three_groups_are_corrected_together() -> None:
    values = {f"a{a}": "xyz"[a % 3] for a in range(12)}
    options = GroupComparison(permutations=99)
    found = compare_groups(
        crew(3, 12, apart=False), "third", values, options=options, sampling=QUICK
    )
    assert all(one.p_corrected >= one.p_value >= one.least_p for one in found.groups)
    none = GroupComparison(permutations=0)
    [first, *_] = compare_groups(
        crew(3, 12, apart=False), "third", values, options=none, sampling=QUICK
    ).groups
    assert math.isnan(first.p_value)


@pytest.mark.long
def test_random_groups_alarm_as_often_as_they_say() -> None:
    options = GroupComparison(permutations=70)
    p_values = [
        compare_groups(crew(seed, 8, apart=False), "s", halves(8), options=options, sampling=QUICK)
        .groups[0]
        .p_value
        for seed in range(150)
    ]
    assert np.mean(np.array(p_values) <= 0.1) == pytest.approx(0.1, abs=0.06)
