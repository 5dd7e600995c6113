"""References of units from the best alignment, and collegial revision."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.alignment.best_alignment import Alignment, best_alignment
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.errors import MetricsError, RoleError
from accordeur.metrics.references.adjudication import (
    Decision,
    adjudicate_labels,
    adjudicate_units,
    match_decisions,
)
from accordeur.metrics.references.disagreement_cases import (
    Case,
    GivenAnnotation,
    cases_by_alignment_row,
    label_cases,
)
from accordeur.metrics.references.unit_reference import (
    agreed_fragments,
    has_unmarked_bound,
    reference_units,
)
from accordeur.metrics.references.votes import majority

# a, b, c mark 0–5 alike; 10–20 with other bounds and categories; a alone marks 30–33.
UNITS = [
    (0, 5, 0, 0),
    (0, 5, 0, 1),
    (0, 5, 0, 2),
    (10, 20, 1, 0),
    (10, 21, 1, 1),
    (12, 20, 0, 2),
    (30, 33, 0, 0),
]


def continuum(units: list[tuple[int, int, int, int]] = UNITS, **roles: object) -> Continuum:
    starts, ends, categories, owners = zip(*units, strict=True)
    return Continuum(
        np.array(starts),
        np.array(ends),
        np.array(categories),
        np.array(owners),
        ("a", "b", "c"),
        ("X", "Y"),
        **roles,
    )


@pytest.fixture(scope="module")
def aligned() -> tuple[Continuum, Alignment]:
    given = continuum()
    return given, best_alignment(given)


def rows(reference) -> list[tuple[float, float, int]]:
    return list(zip(reference.starts, reference.ends, reference.categories, strict=True))


def test_bounds_that_nobody_gave_are_known() -> None:
    """Ends 10, 13: the median 11 is nobody's; 30 and 30 is both's; of three people, one's."""
    two = continuum([(0, 10, 0, 0), (0, 13, 0, 1), (20, 30, 0, 0), (20, 30, 0, 1)])
    alignment = best_alignment(two)
    reference = reference_units(two, alignment, support=2)
    assert rows(reference) == [(0, 11, 0), (20, 30, 0)]
    assert has_unmarked_bound(two, alignment, reference).tolist() == [True, False]
    somebodys = reference_units(two, alignment, support=2, bounds="best_annotator")
    assert not has_unmarked_bound(two, alignment, somebodys).any()
    three = continuum([(0, 10, 0, 0), (0, 13, 0, 1), (1, 16, 0, 2)])
    alignment = best_alignment(three)
    reference = reference_units(three, alignment)
    assert rows(reference) == [(0, 13, 0)]
    assert not has_unmarked_bound(three, alignment, reference).any()


def test_majority_support_and_medians(aligned) -> None:
    found = reference_units(*aligned)
    assert rows(found) == [(0, 5, 0), (10, 20, 1)]
    assert found.support.tolist() == [3, 3]
    assert found.confidence == pytest.approx([1, 2 / 3])
    assert [(case.start, case.end, case.reason) for case in found.open] == [(30, 33, "support")]
    assert "support:2" in found.signature


def test_support_is_a_choice(aligned) -> None:
    assert len(rows(reference_units(*aligned, support=1))) == 3
    assert reference_units(*aligned, support=3).n_units == 2
    for q in (0, 4):
        with pytest.raises(MetricsError, match=r"must lie in 1\.\.3"):
            reference_units(*aligned, support=q)


def test_unanimous_category_sends_the_rest_to_revision(aligned) -> None:
    found = reference_units(*aligned, category="unanimity")
    assert rows(found) == [(0, 5, 0)]
    assert {case.reason for case in found.open} == {"support", "category"}
    assert found.open[0].disorder >= found.open[1].disorder


def test_bounds_of_the_best_annotator(aligned) -> None:
    found = reference_units(
        *aligned, bounds="best_annotator", annotator_disorders=np.array([3, 1, 2])
    )
    assert rows(found) == [(0, 5, 0), (10, 21, 1)]
    # In this document a has a lone unit, b and c the same mean disorder: b comes first.
    assert rows(reference_units(*aligned, bounds="best_annotator")) == [(0, 5, 0), (10, 21, 1)]


def test_medians_of_two_are_rounded_down_only_when_all_is_whole() -> None:
    whole = continuum([(0, 5, 0, 0), (1, 6, 0, 1)])
    assert rows(reference_units(whole, best_alignment(whole))) == [(0, 5, 0)]
    parts = continuum([(0, 5.5, 0, 0), (1, 6, 0, 1)])
    assert rows(reference_units(parts, best_alignment(parts))) == [(0.5, 5.75, 0)]


def test_tied_and_missing_categories() -> None:
    tied = continuum([(0, 5, 0, 0), (0, 5, 1, 1)])
    found = reference_units(tied, best_alignment(tied))
    assert found.n_units == 0
    assert found.open[0].reason == "category"
    assert reference_units(tied, best_alignment(tied), ties="random").n_units == 1
    bare = continuum([(0, 5, -1, 0), (0, 5, -1, 1)])
    assert rows(reference_units(bare, best_alignment(bare))) == [(0, 5, -1)]


def test_empty_document_and_systems() -> None:
    nothing = Continuum(*np.zeros((4, 0)), ("a", "b", "c"), ("X",))
    empty = reference_units(nothing, best_alignment(nothing))
    assert empty.n_units == 0
    assert not empty.open
    given = continuum(roles=("human", "human", "system"))
    with pytest.raises(RoleError, match="'c' is a system"):
        reference_units(given, Alignment(np.array([[0, 1, 2]]), np.zeros(1), 0.0, 7 / 3))


TAGSET = ("A", "B", "C")
HUMANS = LabelMatrix(
    codes=np.array([[TAGSET.index(c) for c in row] for row in ("ABCAAB", "ABCBBB", "ABCABA")]).T,
    tagset=TAGSET,
    annotators=("H1", "H2", "H3"),
    items=tuple(f"i{i}" for i in range(1, 7)),
)


def test_table_6_by_collegial_revision() -> None:
    """Mathet & Widlöcher 2016, table 6: ABCABB by majority, ABCAAB once revised together."""
    cases = label_cases(HUMANS)
    assert [case.where for case in cases] == ["i4", "i5", "i6"]
    assert cases[0].cost == pytest.approx(2 / 3)
    assert {name: said.category for name, said in cases[1].said.items()} == {
        "H1": "A",
        "H2": "B",
        "H3": "B",
    }
    decisions = [
        Decision(case.case, category, who="all three", when="2016-05-02", why="guideline 3.2")
        for case, category in zip(cases, "AAB", strict=True)
    ]
    reference, revision = adjudicate_labels(majority(HUMANS), cases, decisions)
    assert "".join(TAGSET[c] for c in reference.codes) == "ABCAAB"
    assert reference.rule == "adjudication"
    assert revision.open == ()
    assert [d.why for d in revision.history] == ["guideline 3.2"] * 3
    assert "by:all three" in reference.signature


def test_what_is_not_decided_stays_open() -> None:
    cases = label_cases(HUMANS)
    _, i5, i6 = (case.case for case in cases)
    decisions = [
        Decision(i5, "B", "Ann", "2016-05-02"),
        Decision(i5, "A", "Bob", "2016-05-03", why="second thoughts"),
        Decision(i6, "", "Bob", "2016-05-03", keep=False),
    ]
    reference, revision = adjudicate_labels(majority(HUMANS), cases, decisions)
    assert reference.codes.tolist() == [0, 1, 2, -1, 0, -1]
    assert [case.where for case in revision.open] == ["i4"]
    assert revision.settled[i5].who == "Bob"
    assert len(revision.history) == 3
    assert [(one.code, one.figures) for one in reference.warnings] == [("still_open", {"n": 1})]


def test_distances_order_the_discussion() -> None:
    near = np.array([[0, 0.1, 1], [0.1, 0, 1], [1, 1, 0]])
    given = LabelMatrix(
        codes=np.array([[0, 1], [0, 2], [1, 1]]), tagset=TAGSET, annotators=("H1", "H2")
    )
    assert [case.where for case in label_cases(given)] == ["0", "1"]
    by_cost = label_cases(given, distances=near)
    assert [(case.where, case.cost) for case in by_cost] == [("1", 1.0), ("0", pytest.approx(0.1))]


def test_decisions_are_checked() -> None:
    cases = label_cases(HUMANS)
    with pytest.raises(MetricsError, match="not in the list of disagreements"):
        match_decisions(cases, [Decision("i1", "A", "Ann", "2016-05-02")])
    with pytest.raises(MetricsError, match="does not say who decided and when"):
        match_decisions(cases, [Decision(cases[0].case, "A", "", "2016-05-02")])
    with pytest.raises(MetricsError, match="'Z', which is not one of the categories"):
        adjudicate_labels(
            majority(HUMANS), cases, [Decision(cases[0].case, "Z", "Ann", "2016-05-02")]
        )


def test_cases_of_units_and_their_revision(aligned) -> None:
    cases = [*cases_by_alignment_row(*aligned, "d1", "").values()]
    assert [case.where for case in cases] == ["30–33", "10–21"]
    assert cases[0].cost >= cases[1].cost
    assert cases[0].said["b"].category == ""
    assert (cases[1].said["c"].start, cases[1].said["c"].category) == (12, "X")
    lone, disputed = cases
    decisions = [
        Decision(lone.case, "", "Ann", "2016-05-02", why="not a unit", keep=False),
        Decision(disputed.case, "Y", "Ann", "2016-05-02", start=10, end=21),
    ]
    reference, revision = adjudicate_units(*aligned, decisions, document="d1")
    assert rows(reference) == [(0, 5, 0), (10, 21, 1)]
    assert (reference.open, revision.open) == ((), ())
    partly, revision = adjudicate_units(*aligned, decisions[:1], document="d1")
    assert rows(partly) == [(0, 5, 0)]
    assert [case.reason for case in partly.open] == ["category"]
    assert revision.open == (disputed,)
    medians, _ = adjudicate_units(
        *aligned, [Decision(disputed.case, "Y", "Ann", "2016-05-02")], document="d1"
    )
    assert rows(medians) == [(0, 5, 0), (10, 20, 1)]
    with pytest.raises(MetricsError, match="the end must be after the start"):
        adjudicate_units(
            *aligned,
            [Decision(disputed.case, "Y", "Ann", "2016-05-02", start=9, end=4)],
            document="d1",
        )


def test_the_bounds_of_a_case_enclose_its_units() -> None:
    said = {
        "a": GivenAnnotation("X", 4, 9),
        "b": GivenAnnotation("X", 2, 7),
        "c": GivenAnnotation(""),
    }
    assert Case("k", "d", "2–9", 1.0, said).bounds == (2, 9)
    assert all(map(math.isnan, Case("k", "d", "i", 1.0, {"a": GivenAnnotation("X")}).bounds))


def _with_gaps(of_units: list[tuple[tuple[int, int], ...]]) -> Continuum:
    numbers = [k + 1 if one else 0 for k, one in enumerate(of_units)]
    units = [(16, 39, 0, a) for a in range(len(of_units))]
    return continuum(units, gaps=np.array(numbers), discontinuous=tuple(of_units))


def test_a_gap_of_most_annotators_is_one_of_the_reference_and_others_are_cases() -> None:
    split = ((16, 20), (31, 39))
    two = _with_gaps([split, split, ()])
    found = best_alignment(two)
    assert reference_units(two, found).fragments == (split,)
    (case,) = cases_by_alignment_row(two, found, "d", "").values()
    assert case.cost == 0
    assert case.said["a"].bounds_text == "16–20;31–39"
    assert adjudicate_units(two, found, [], document="d")[0].n_units == 0
    whole = Decision(case.case, "X", "eva", "2026-11-29", start=16, end=39)
    kept = Decision(case.case, "X", "eva", "2026-11-29")
    for decision, fragments in ((whole, ()), (kept, split)):
        made, _ = adjudicate_units(two, found, [decision], document="d")
        assert made.fragments == (fragments,)
    one = _with_gaps([split, (), ()])
    assert reference_units(one, best_alignment(one)).fragments == ((),)
    alike = _with_gaps([split, split, split])
    assert cases_by_alignment_row(alike, best_alignment(alike), "d", "") == {}
    wrong = Decision(
        case.case, "X", "eva", "2026", start=16, end=39, fragments=((16, 39), (20, 39))
    )
    with pytest.raises(MetricsError, match="each must begin after the one before has ended"):
        adjudicate_units(two, found, [wrong], document="d")


@drawn(
    st.lists(
        st.lists(st.integers(0, 30), min_size=2, max_size=8, unique=True).map(
            lambda bounds: tuple(zip(*[iter(sorted(bounds))] * 2, strict=False))
        ),
        min_size=1,
        max_size=5,
    )
)
def test_fragments_of_a_reference_are_what_most_units_do_not_leave_out(
    units: list[tuple[tuple[int, int], ...]],
) -> None:
    start, end = min(one[0][0] for one in units), max(one[-1][1] for one in units)
    given = [one if len(one) > 1 else () for one in units]
    inside = [
        at
        for at in range(start, end)
        if 2
        * sum(
            one[0][0] <= at < one[-1][1] and not any(a <= at < b for a, b in one) for one in units
        )
        <= len(units)
    ]
    found = agreed_fragments(start, end, given)
    if found or inside == list(range(start, end)):
        assert [at for a, b in found or ((start, end),) for at in range(a, b)] == inside
    else:  # one part is left, which the bounds of a reference never cut
        assert np.ptp(inside) == len(inside) - 1
