"""Intervals do not depend on names: of categories, annotators, items or documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from agreement_strategies import matrices
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from accordeur.metrics.agreement import coefficient_posterior, k_rater, normal_limit
from accordeur.metrics.agreement.coefficient_difference import bootstrap_difference
from accordeur.metrics.agreement.counts import ItemCounts, count
from accordeur.metrics.agreement.draw_order import DrawOrder, draw_order
from accordeur.metrics.agreement.evaluate import evaluate_matrix
from accordeur.metrics.agreement.k_rater import k_rater_reliability
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.agreement.one_with_each import one_with_each
from accordeur.metrics.agreement.resampling_units import resampling_units
from accordeur.metrics.differences import Difference
from accordeur.metrics.estimate import Estimate
from accordeur.metrics.measures import COEFFICIENTS
from accordeur.metrics.options import Sampling

NOMINAL = tuple(
    name
    for name, spec in COEFFICIENTS.items()
    if not (spec.generalisation or spec.weighted or spec.own_distance != "nominal")
)
QUICK = [Phase.explicit, Phase.reuse, Phase.generate]  # shrinking a matrix takes minutes
SAMPLING = Sampling(replicates=20, seed=5)


def renamed(matrix: LabelMatrix, draw: Callable[[int], list[int]]) -> LabelMatrix:
    """Return the matrix with all names changed, and with what is sorted by name in their order."""
    n_items, n_annotators = matrix.codes.shape
    categories, annotators, items, documents = map(
        np.array, map(draw, (len(matrix.tagset), n_annotators, n_items, 4))
    )
    codes = np.append(categories, -1).astype(np.int32)[matrix.codes][items][:, annotators]
    homes = None if matrix.documents is None else documents[matrix.documents][items]
    return LabelMatrix(
        codes=codes,
        tagset=tuple(f"z{k}" for k in range(len(matrix.tagset))),
        annotators=tuple(f"n{a}" for a in range(n_annotators)),
        documents=homes,
    )


def estimates(matrix: LabelMatrix, **options: object) -> np.ndarray:
    found = evaluate_matrix(matrix, measures=NOMINAL, sampling=SAMPLING, **options)
    return np.array([(one.value, *one.interval) for one in found[: len(NOMINAL)]])


def bounds(found: Estimate | Difference) -> tuple[float, float, float]:
    if isinstance(found, Estimate):
        return (found.value, *found.interval)
    return (found.value, found.lower, found.upper)


@pytest.mark.long
@settings(max_examples=12, phases=QUICK)
@given(st.data())
@pytest.mark.parametrize("documents", [False, True])
@pytest.mark.parametrize("by_bootstrap", [False, True])
def test_names_change_no_value_and_no_bound(
    documents: bool, by_bootstrap: bool, data: st.DataObject
) -> None:
    matrix = data.draw(matrices(documents=documents))
    other = renamed(matrix, lambda n: data.draw(st.permutations(range(n))))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coefficient_posterior, "MOST_PROFILES", 0 if by_bootstrap else 9_999)
        assert estimates(other) == pytest.approx(estimates(matrix), rel=1e-9, abs=1e-9, nan_ok=True)


@settings(max_examples=10, phases=QUICK)
@given(st.data())
def test_names_change_no_difference_and_no_mean_over_pairs(data: st.DataObject) -> None:
    first = data.draw(matrices(max_annotators=3))
    second = replace(first, codes=np.roll(first.codes, 1, axis=0))
    order = {n: data.draw(st.permutations(range(n))) for n in range(13)}
    other = [renamed(one, order.__getitem__) for one in (first, second)]
    one, two = (
        bootstrap_difference(*pair, measures=("gwet_ac1",) * 2, n_replicates=20, seed=1)
        for pair in ((first, second), other)
    )
    assert bounds(two) == pytest.approx(bounds(one), rel=1e-9, abs=1e-9, nan_ok=True)
    own = order[first.n_annotators].index(0)
    [one], [two] = (
        one_with_each(matrix, of, measures=["gwet_ac1"], sampling=SAMPLING)
        for matrix, of in ((first, 0), (other[0], own))
    )
    assert bounds(two.mean) == pytest.approx(bounds(one.mean), rel=1e-9, abs=1e-9, nan_ok=True)


def test_names_change_no_drawn_panels() -> None:
    rng = np.random.default_rng(7)
    codes = rng.integers(-1, 3, (8, 24)).astype(np.int32)
    matrix = LabelMatrix(codes=codes, tagset=tuple("abc"), annotators=tuple(map(str, range(24))))
    other = renamed(matrix, lambda n: rng.permutation(n).tolist())
    one, two = (
        k_rater_reliability(
            some, ks=[5], together="majority", measure="fleiss_kappa", sampling=SAMPLING
        )[0]
        for some in (matrix, other)
    )
    assert "splits=all" not in one.signature
    assert (two.value, *two.interval) == pytest.approx(
        (one.value, *one.interval), rel=1e-9, abs=1e-9
    )


def test_names_change_no_draw_of_very_many_units(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    codes = rng.choice(4, (300, 3), p=[0.4, 0.3, 0.2, 0.1]).astype(np.int32)
    codes[:, 1] = np.where(rng.random(300) < 0.6, codes[:, 0], codes[:, 1])
    matrix = LabelMatrix(codes=codes, tagset=tuple("abcd"), annotators=tuple("xyz"))
    other = renamed(matrix, lambda n: rng.permutation(n).tolist())
    monkeypatch.setattr(coefficient_posterior, "MOST_PROFILES", 0)
    monkeypatch.setattr(normal_limit, "FEWEST", 100)
    monkeypatch.setattr(normal_limit, "UNITS_PER_SUM", 1)
    one, two = (
        evaluate_matrix(
            replace(some, documents=np.arange(300)), measures=NOMINAL, sampling=SAMPLING
        )
        for some in (matrix, other)
    )
    assert normal_limit.METHOD in one[0].signature
    for found, expected in zip(two, one, strict=True):
        assert bounds(found) == pytest.approx(bounds(expected), rel=1e-9, abs=1e-9)


# Categories that only the items on which they meet can tell apart, or not even these
ALIKE = {
    "independent": [[0, 0], [1, 1], [2, 2], [3, 3]],
    "a cycle": [[0, 1], [1, 2], [2, 3], [3, 0]],
    "two cycles": [[0, 1], [1, 0], [2, 3], [3, 2]],
    "a cycle and a circle of three": [[0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3], [0, 3]],
    "coupled pairs": [[0, 2], [1, 3], [0, 0], [1, 1]],
}


@pytest.mark.parametrize("rows", ALIKE.values(), ids=ALIKE.keys())
def test_categories_that_can_be_exchanged_are_drawn_alike(rows: list[list[int]]) -> None:
    """Whatever their names, the rows of labels are the same rows in the order that is found."""
    codes = np.array(rows, dtype=np.int32)
    n = int(codes.max()) + 1
    found = set()
    for names in permutations(range(n)):
        matrix = LabelMatrix(
            codes=np.array(names, dtype=np.int32)[codes],
            tagset=tuple(map(str, range(n))),
            annotators=("x", "y"),
        )
        order = resampling_units(matrix).order
        kinds = replace(matrix, codes=order.counts.codes)
        by_item = DrawOrder(count(kinds, by="items"))
        found.add(str(by_item.arrange(kinds.codes).tolist()))
    assert len(found) == 1


def test_many_equal_categories_take_no_time() -> None:
    """Of 3,000 categories with one item each, none depends on which one is taken first."""
    codes = np.repeat(np.arange(3000, dtype=np.int32)[:, None], 2, axis=1)
    matrix = LabelMatrix(codes=codes, tagset=tuple(map(str, range(3000))), annotators=("x", "y"))
    counts = count(matrix, by="items")
    assert sorted(draw_order(counts, np.ones(3000, dtype=np.int64)).categories) == [*range(3000)]


def test_drawn_panels_keep_their_categories(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a distance it matters which category a drawn majority is of: 9 is far from 1 and 2."""
    rng = np.random.default_rng(2)
    codes = np.where(
        rng.random((40, 6)) < 0.7, np.repeat(rng.integers(0, 3, 40), 6).reshape(40, 6), 0
    )
    matrix = LabelMatrix(
        codes=codes.astype(np.int32), tagset=("1", "2", "9"), annotators=tuple("uvwxyz")
    )
    options = {"ks": [3], "together": "majority", "distance": "interval", "sampling": SAMPLING}
    [exact] = k_rater_reliability(matrix, **options)
    monkeypatch.setattr(k_rater, "can_enumerate_splits", lambda kinds, k: False)
    [drawn] = k_rater_reliability(matrix, **options)
    error = drawn.detail.monte_carlo_standard_error
    assert drawn.value == pytest.approx(exact.value, abs=4 * error)
    assert error < 0.01


def test_names_differ_by_how_often_equal_rows_occur() -> None:
    """Every annotator has every label 12 times: only the numbers of equal rows tell them apart."""
    times = np.array([[1, 5, 6], [4, 6, 2], [7, 1, 4]])
    first, second = np.divmod(np.arange(9), 3)
    orders = set()
    for order in permutations(range(3)):
        codes = np.column_stack([np.array(order)[first], 3 + np.array(order)[second]])
        counts = ItemCounts(
            ("ana", "ben"),
            tuple("abcdef"),
            codes.astype(np.int32),
            np.zeros(9, dtype=np.int64),
            times.ravel(),
            1,
        )
        place = {order[k]: k for k in range(3)}
        found = DrawOrder(counts).categories.tolist()
        orders.add(tuple(place[k % 3] + 3 * (k // 3) for k in found))
    assert len(orders) == 1
