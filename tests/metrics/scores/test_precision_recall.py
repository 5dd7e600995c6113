"""Unit matches: brute force, properties, CoNLL-2000 and SemEval's classes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching

from accordeur.metrics.errors import MetricsError
from accordeur.metrics.options import Sampling
from accordeur.metrics.scores.precision_recall_f import precision_recall_f, rates_by_category
from accordeur.metrics.scores.unit_match_counts import (
    ERRORS,
    MATCHES,
    Match,
    count_unit_errors,
    match_units,
    match_units_by_each,
)
from accordeur.metrics.unit_rows import Units

TAGSET = ("A", "B")


def units(rows: Sequence[tuple[int, ...]]) -> Units:
    """Units of (document, start, end, category), or also the code of their gaps."""
    return Units(*np.array(rows, dtype=np.int64).reshape(-1, len(rows[0]) if rows else 4).T)


@st.composite
def some_units(draw: st.DrawFn) -> Units:
    """Up to six short units, nested, overlapping, repeated and with gaps, in two documents."""
    rows = draw(
        st.lists(
            st.tuples(
                st.integers(0, 1),
                st.integers(0, 7),
                st.integers(1, 4),
                st.integers(-1, 1),
                st.sampled_from([0, 0, 5, 1 << 62]),
            ),
            max_size=6,
        )
    )
    return units([(d, start, start + length, *of_unit) for d, start, length, *of_unit in rows])


def credit(r: tuple[int, ...], s: tuple[int, ...], match: Match) -> float:
    same_bounds = (r[:3], r[4:]) == (s[:3], s[4:])
    overlap = r[0] == s[0] and r[1] < s[2] and s[1] < r[2]
    return {
        "exact": float(r == s),
        "bounds": float(same_bounds),
        "partial": 1.0 if same_bounds else 0.5 * overlap,
        "overlap": float(overlap),
        "type": float(overlap and r[3] == s[3]),
    }[match]


def largest_credit(reference: Units, system: Units, match: Match) -> float:
    """The best one-to-one pairing, by trying all of them."""
    rows, columns = (
        [tuple(map(int, row)) for row in zip(*side.arrays(), side.gaps, strict=True)]
        for side in (reference, system)
    )
    if len(rows) > len(columns):
        rows, columns = columns, rows
    table = [[credit(r, s, match) for s in columns] for r in rows]

    def best(i: int, free: frozenset[int]) -> float:
        if i == len(table):
            return 0.0
        return max(best(i + 1, free), *(table[i][j] + best(i + 1, free - {j}) for j in free), 0.0)

    return best(0, frozenset(range(len(columns))))


@pytest.mark.long
@given(some_units(), some_units())
@settings(max_examples=150)
def test_every_match_reaches_the_largest_credit(reference: Units, system: Units) -> None:
    found = match_units_by_each(reference, system, tagset=TAGSET)
    for match in MATCHES:
        counts = found[match]
        expected = largest_credit(reference, system, match)
        assert counts.found.sum() == expected
        assert (counts.found.sum(axis=1) == counts.right.sum(axis=1)).all()
        assert counts.reference.sum() == len(reference)
        assert counts.system.sum() == len(system)
        assert (counts.reference >= counts.found).all()
        assert (counts.system >= counts.right).all()


@given(some_units(), some_units(), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_order_of_units_and_sides_change_nothing(reference, system, random) -> None:
    order = list(range(len(reference)))
    random.shuffle(order)
    shuffled = reference.select(np.array(order, dtype=np.int64))
    for match in MATCHES:
        one = match_units(reference, system, tagset=TAGSET, match=match, n_documents=2)
        two = match_units(shuffled, system, tagset=TAGSET, match=match, n_documents=2)
        back = match_units(system, reference, tagset=TAGSET, match=match, n_documents=2)
        assert (one.found.sum(axis=1) == two.found.sum(axis=1)).all()
        assert (one.found.sum(axis=1) == back.found.sum(axis=1)).all()


@given(some_units(), some_units())
@settings(max_examples=60)
def test_documents_add_up(reference: Units, system: Units) -> None:
    """Split and merge = whole."""
    for match in MATCHES:
        whole = match_units(reference, system, tagset=TAGSET, match=match, n_documents=2)
        parts = [
            match_units(
                reference.select(reference.documents == d),
                system.select(system.documents == d),
                tagset=TAGSET,
                match=match,
                n_documents=2,
            ).found.sum(axis=1)
            for d in range(2)
        ]
        assert (whole.found.sum(axis=1) == parts[0] + parts[1]).all()


@given(some_units(), some_units())
@settings(max_examples=60)
def test_every_unit_is_in_one_class_of_error(reference: Units, system: Units) -> None:
    errors = {
        name: int(counts.sum()) for name, counts in count_unit_errors(reference, system).items()
    }
    assert tuple(errors) == ERRORS
    pairs = sum(errors[name] for name in ERRORS[:4])
    assert pairs + errors["missed"] == len(reference)
    assert pairs + errors["spurious"] == len(system)
    exact = match_units(reference, system, tagset=TAGSET, match="exact")
    assert errors["correct"] == exact.found.sum()
    bounds = match_units(reference, system, tagset=TAGSET, match="bounds")
    assert errors["correct"] + errors["wrong_category"] == bounds.found.sum()


def test_semeval_classes_on_one_document() -> None:
    """One unit of each class: exact, other category, other bounds, both, missed, spurious."""
    reference = units(
        [(0, 0, 5, 0), (0, 10, 15, 0), (0, 20, 25, 0), (0, 30, 35, 0), (0, 40, 45, 1)]
    )
    system = units([(0, 0, 5, 0), (0, 10, 15, 1), (0, 20, 24, 0), (0, 31, 35, 1), (0, 50, 55, 1)])
    assert {
        name: int(n[0]) for name, n in count_unit_errors(reference, system).items()
    } == dict.fromkeys(ERRORS, 1)
    expected = {"exact": 1, "bounds": 2, "partial": 3, "overlap": 4, "type": 2}
    for match, credit_ in expected.items():
        counts = match_units(reference, system, tagset=TAGSET, match=match)
        scores = precision_recall_f(counts)
        assert scores.precision.value == scores.recall.value == scores.f.value == credit_ / 5
        assert f"match:{match}" in scores.f.signature


def test_overlap_takes_the_largest_pairing_not_the_nearest() -> None:
    """A unit over two of the reference leaves the first to the unit that has no other."""
    reference = units([(0, 0, 10, 0), (0, 10, 20, 0)])
    system = units([(0, 5, 15, 0), (0, 0, 5, 1)])
    assert match_units(reference, system, tagset=TAGSET, match="overlap").found.sum() == 2


def test_touching_units_do_not_overlap() -> None:
    counts = match_units(
        units([(0, 0, 5, 0)]), units([(0, 5, 9, 0)]), tagset=TAGSET, match="overlap"
    )
    assert counts.found.sum() == 0


def test_rates_by_category_micro_and_macro() -> None:
    # A: tp 2, fp 1, fn 0; B: tp 0, fp 0, fn 1.
    reference = units([(0, 0, 1, 0), (0, 2, 3, 0), (0, 4, 5, 1)])
    system = units([(0, 0, 1, 0), (0, 2, 3, 0), (0, 6, 7, 0)])
    counts = match_units(reference, system, tagset=("A", "B", "C"))
    micro = precision_recall_f(counts)
    assert (micro.precision.value, micro.recall.value) == (2 / 3, 2 / 3)
    assert micro.f.value == pytest.approx(2 / 3)
    macro = precision_recall_f(counts, average="macro")
    assert macro.precision.value == 2 / 3  # B has none, C is unused
    assert macro.recall.value == 1 / 2
    assert "|average:macro|undefined:left-out|" in macro.precision.signature
    assert "undefined:" not in micro.precision.signature
    assert macro.f.value == pytest.approx((4 / 5 + 0) / 2)
    by_category = rates_by_category(counts)
    of_b = by_category["B"]
    assert math.isnan(of_b.precision.value)
    assert "never gives the category 'B'" in str(of_b.precision.reason)
    assert (of_b.recall.value, of_b.f.value) == (0.0, 0.0)
    of_c = by_category["C"]
    assert all(math.isnan(e.value) for e in (of_c.precision, of_c.recall, of_c.f))
    weighted = rates_by_category(counts, beta=2.0)["A"]
    assert weighted.f.value == pytest.approx(5 * 2 / (5 * 2 + 4 * 0 + 1))


def test_units_without_category_have_their_own_column() -> None:
    counts = match_units(units([(0, 0, 1, -1)]), units([(0, 0, 1, -1)]), tagset=("A",))
    assert counts.tagset == ("A", "")
    assert rates_by_category(counts)[""].f.value == 1.0


def test_nothing_on_either_side() -> None:
    counts = match_units(Units.empty(), Units.empty(), tagset=TAGSET, n_documents=3)
    scores = precision_recall_f(counts, sampling=Sampling(10))
    assert math.isnan(scores.f.value)
    assert str(scores.f.reason) == "neither the reference nor the system annotates anything"
    assert counts.n_documents == 3


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([(0, 5, 5, 0)], "end \\(5\\) must be after start \\(5\\)"),
        ([(0, -1, 5, 0)], "0 or more"),
        ([(0, 1, 5, 7)], "declare every category"),
        ([(4, 1, 5, 0)], "outside 0..1"),
    ],
)
def test_bad_units_are_refused(rows: list[tuple[int, int, int, int]], message: str) -> None:
    with pytest.raises(MetricsError, match=message):
        match_units(units(rows), Units.empty(), tagset=TAGSET, n_documents=2)


def test_bounds_must_be_whole_numbers() -> None:
    with pytest.raises(MetricsError, match=r"unit 1 has 2\.5"):
        Units([0, 0], [1, 2.5], [3, 4], [0, 0])  # type: ignore[arg-type] # wrong on purpose


def test_unknown_match_and_average_are_refused() -> None:
    one = units([(0, 0, 1, 0)])
    with pytest.raises(MetricsError, match="one of exact, bounds"):
        match_units(one, one, tagset=TAGSET, match="fuzzy")  # type: ignore[arg-type] # on purpose
    counts = match_units(one, one, tagset=TAGSET)
    with pytest.raises(MetricsError, match="'micro' or 'macro'"):
        precision_recall_f(counts, average="mean")  # type: ignore[arg-type] # on purpose
    with pytest.raises(MetricsError, match="beta is 0"):
        precision_recall_f(counts, beta=0)


def test_many_units_under_one_that_spans_all() -> None:
    """More than a block of units, in two nested layers: by a slow matching on a graph."""
    rng = np.random.default_rng(8)
    for _ in range(5):
        sides = []
        for _ in range(2):
            starts = rng.integers(0, 1500, 180)
            lengths = np.where(rng.random(180) < 0.05, 900, rng.integers(1, 12, 180))
            rows = np.stack([starts * 0, starts, starts + lengths, rng.integers(0, 2, 180)], axis=1)
            sides.append(rows[rng.permutation(180)])
        reference, system = (units([tuple(row) for row in side.tolist()]) for side in sides)
        for match in ("overlap", "type"):
            table = [
                [credit(tuple(r), tuple(s), match) for s in sides[1].tolist()]
                for r in sides[0].tolist()
            ]
            best = maximum_bipartite_matching(csr_matrix(table), perm_type="column")
            counts = match_units(reference, system, tagset=TAGSET, match=match)
            assert counts.found.sum() == (best >= 0).sum()


def test_long_offsets_sort_the_same() -> None:
    """Offsets too large to pack in one integer take the other sort."""
    far = 1 << 60
    rows = [(0, 3, 5, 0), (1, 2, 9, 1), (1, 4, 6, 0)]
    near = units(rows)
    shifted = units([(d, s + far, e + far, c) for d, s, e, c in rows])
    for match, (a, b) in itertools.product(MATCHES, [(near, near), (shifted, shifted)]):
        assert match_units(a, b, tagset=TAGSET, match=match).found.sum() == 3
