"""Pairwise F of units: values by hand, properties, brute force, intervals and parts."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from accordeur.metrics.alignment.continuum import Continuum, gaps_of_fragments
from accordeur.metrics.errors import MetricsError, RoleError
from accordeur.metrics.options import Sampling, UnitMatching
from accordeur.metrics.reason import ReasonCode
from accordeur.metrics.units.pairwise_f import (
    MATCHES,
    f_by_category,
    f_by_pair,
    f_without_each,
    pairwise_counts,
    pairwise_f,
    require_matching_is_used,
)

Unit = tuple[str, int, int, int]  # annotator, start, end, category
NAMES = ("ann", "ben", "cid")
EVERY = tuple(MATCHES)


def document(
    units: list[Unit], names: tuple[str, ...] = NAMES[:2], roles: tuple[str, ...] = ()
) -> Continuum:
    owners, starts, ends, codes = zip(*units, strict=True) if units else ((), (), (), ())
    return Continuum(
        np.array(starts), np.array(ends), np.array(codes),
        np.array([names.index(name) for name in owners]), names, ("x", "y"),
        length=100, roles=roles,
    )  # fmt: skip


# ann and ben mark x at 0–4 alike; ben starts 1 later at 10–20; at 30–34 they differ in category
CORPUS = [
    document([("ann", 0, 4, 0), ("ann", 10, 20, 1), ("ben", 0, 4, 0), ("ben", 11, 20, 1)]),
    document([("ann", 30, 34, 0), ("ben", 30, 34, 1)]),
]


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("pairwise_f", 2 / 6),
        ("pairwise_f_bounds", 4 / 6),
        ("pairwise_f_overlap", 6 / 6),
        ("pairwise_f_type", 4 / 6),
        ("pairwise_f_characters", 2 * (4 + 9) / (4 + 4 + 10 + 9 + 4 + 4)),
    ],
)
def test_values_by_hand(measure: str, value: float) -> None:
    found = pairwise_f(CORPUS, measure)
    assert found.value == pytest.approx(value, abs=1e-15)
    assert found.detail.mean_of_pairs == pytest.approx(value, abs=1e-15)
    assert (found.n_items, found.n_annotators) == (6, 2)


@pytest.mark.parametrize(
    ("measure", "matching", "value"),
    [
        ("pairwise_f", UnitMatching(tolerance=1), 4 / 6),
        ("pairwise_f_bounds", UnitMatching(tolerance=1), 6 / 6),
        ("pairwise_f_overlap", UnitMatching(min_overlap=0.9), 6 / 6),  # 9 of 10 positions
        ("pairwise_f_overlap", UnitMatching(min_overlap=0.91), 4 / 6),
        ("pairwise_f_type", UnitMatching(min_overlap=0.91), 2 / 6),
    ],
)
def test_tolerance_and_least_overlap(measure: str, matching: UnitMatching, value: float) -> None:
    found = pairwise_f(CORPUS, measure, matching)
    assert found.value == pytest.approx(value, abs=1e-15)
    assert "tolerance:1" in found.signature or "min_overlap:0.9" in found.signature


def test_a_corpus_adds_pairs_and_the_mean_does_not_weigh_them() -> None:
    """ann and ben share both documents, cid one: 4 of 6, 0 of 3 and 2 of 3 matched."""
    units: list[Unit] = [("ann", 0, 4, 0), ("ben", 0, 4, 0), ("ben", 6, 9, 1), ("cid", 6, 9, 1)]
    corpus = [document(units, NAMES), document([("ann", 0, 9, 0), ("ben", 0, 9, 0)])]
    counts = pairwise_counts(corpus)
    pairs = {names: one.value for names, one in f_by_pair(counts).items()}
    assert pairs == pytest.approx(
        {("ann", "ben"): 4 / 5, ("ann", "cid"): 0.0, ("ben", "cid"): 2 / 3}, abs=1e-15
    )
    found = pairwise_f(corpus)
    assert found.value == pytest.approx(6 / 10, abs=1e-15)
    assert found.detail.mean_of_pairs == pytest.approx((4 / 5 + 0 + 2 / 3) / 3, abs=1e-15)
    assert {name: one.value for name, one in f_without_each(counts).items()} == pytest.approx(
        {"ann": 2 / 3, "ben": 0.0, "cid": 4 / 5}, abs=1e-15
    )
    assert {name: one.value for name, one in f_by_category(counts).items()} == pytest.approx(
        {"x": 4 / 6, "y": 2 / 4}, abs=1e-15
    )


def test_a_category_counts_its_units_with_a_partner() -> None:
    of_bounds = f_by_category(pairwise_counts(CORPUS, "pairwise_f_bounds"))
    assert {name: one.value for name, one in of_bounds.items()} == {"x": 1.0, "y": 1 / 3}


def _random(rng: np.random.Generator, n_annotators: int = 3) -> list[Continuum]:
    """Documents with nested, repeated and overlapping units."""
    corpus = []
    for _ in range(3):
        names = NAMES[:n_annotators]
        units: list[Unit] = []
        for name in names:
            for _ in range(rng.integers(0, 5)):
                start = int(rng.integers(0, 12))
                units.append((name, start, start + int(rng.integers(1, 9)), int(rng.integers(2))))
        corpus.append(document(units, names))
    return corpus


def _fits(one: Unit, other: Unit, measure: str, matching: UnitMatching) -> bool:
    (_, s, e, c), (_, t, f, k) = one, other
    if measure in ("pairwise_f", "pairwise_f_type") and c != k:
        return False
    if measure in ("pairwise_f", "pairwise_f_bounds"):
        return abs(s - t) <= matching.tolerance and abs(e - f) <= matching.tolerance
    shared = min(e, f) - max(s, t)
    return shared > 0 and shared >= matching.min_overlap * (max(e, f) - min(s, t))


def _most(mine: list[Unit], theirs: list[Unit], measure: str, matching: UnitMatching) -> int:
    """The largest number of pairs, by trying every choice."""
    if not mine:
        return 0
    best = _most(mine[1:], theirs, measure, matching)
    for k, other in enumerate(theirs):
        if _fits(mine[0], other, measure, matching):
            rest = [*theirs[:k], *theirs[k + 1 :]]
            best = max(best, 1 + _most(mine[1:], rest, measure, matching))
    return best


def _by_brute_force(corpus: list[Continuum], measure: str, matching: UnitMatching) -> float:
    matched = total = 0
    for one in corpus:
        columns = (one.owners, one.starts, one.ends, one.categories)
        units = [tuple(map(int, row)) for row in zip(*columns, strict=True)]
        for a, b in combinations(range(one.n_annotators), 2):
            mine, theirs = ([u for u in units if u[0] == who] for who in (a, b))
            if measure == "pairwise_f_characters":
                left, right = (
                    Counter((x, u[3]) for u in side for x in range(u[1], u[2]))
                    for side in (mine, theirs)
                )
                matched += 2 * (left & right).total()
                total += left.total() + right.total()
            else:
                matched += 2 * _most(mine, theirs, measure, matching)  # type: ignore[arg-type]
                total += len(mine) + len(theirs)
    return matched / total


@pytest.mark.parametrize("measure", EVERY)
@pytest.mark.parametrize("matching", [UnitMatching(), UnitMatching(min_overlap=0.4, tolerance=2)])
def test_as_brute_force_in_any_order(measure: str, matching: UnitMatching) -> None:
    rng = np.random.default_rng(7)
    for _ in range(25):
        corpus = _random(rng)
        found = pairwise_f(corpus, measure, matching).value
        assert found == pytest.approx(_by_brute_force(corpus, measure, matching), abs=1e-15)
        shuffled = [one.select_units(rng.permutation(one.n_units)) for one in reversed(corpus)]
        renamed = [
            Continuum(
                one.starts, one.ends, one.categories, 2 - one.owners, NAMES[::-1], one.tagset,
                length=100,
            )
            for one in shuffled
        ]  # fmt: skip
        assert pairwise_f(renamed, measure, matching).value == pytest.approx(found, abs=1e-15)


@pytest.mark.parametrize("measure", EVERY)
def test_equal_annotators_have_one_and_a_wider_match_is_never_lower(measure: str) -> None:
    rng = np.random.default_rng(3)
    corpus = _random(rng)
    same = [(0, 4, 0), (2, 9, 1), (2, 9, 1)]
    alike = [document([(who, *unit) for who in NAMES for unit in same], NAMES)]
    assert pairwise_f(alike, measure).value == 1.0
    strict = pairwise_f(corpus, "pairwise_f").value
    assert pairwise_f(corpus, measure).value >= strict or measure == "pairwise_f_characters"


def test_units_far_apart_in_many_documents_do_not_meet() -> None:
    """Documents are kept apart also where the reach of a unit is longer than a document."""
    corpus = [
        document([("ann", 0, 50, 0)] if d % 2 else [("ben", 0, 50, 0)], NAMES[:2]) for d in range(6)
    ]
    for matching in (UnitMatching(min_overlap=0.01, tolerance=90), UnitMatching()):
        assert pairwise_f(corpus, "pairwise_f_bounds", matching).value == 0
        assert pairwise_f(corpus, "pairwise_f_overlap", matching).value == 0


def test_intervals_are_over_documents_with_units() -> None:
    empty = document([])
    sampling = Sampling(replicates=200)
    found = pairwise_f([*CORPUS, CORPUS[0], empty], sampling=sampling)
    assert found.interval == pairwise_f([*CORPUS, CORPUS[0]], sampling=sampling).interval
    assert 0 <= found.interval[0] < found.value < found.interval[1] <= 1
    assert (found.detail.n_documents, found.detail.n_documents_without_units) == (4, 1)
    for few in (CORPUS[:1], CORPUS[:2]):
        none = pairwise_f(few, sampling=sampling)
        assert math.isnan(none.interval[0])
        assert "fewer than 3 documents" in none.detail.interval_reason


def test_what_has_no_value() -> None:
    found = pairwise_f([document([])])
    assert found.reason is not None
    assert found.reason.code is ReasonCode.NO_UNIT
    apart = [document([("ann", 0, 4, 0)], ("ann", "ben")), document([], ("ben", "cid"))]
    pair = f_by_pair(pairwise_counts(apart))["ann", "cid"]
    assert pair.reason is not None
    assert pair.reason.code is ReasonCode.NO_COMMON_DOCUMENT
    with pytest.raises(MetricsError, match="two annotators"):
        pairwise_f([document([("ann", 0, 4, 0)], ("ann",))])
    with pytest.raises(RoleError):
        pairwise_f([document([("ann", 0, 4, 0)], roles=("human", "system"))])


def test_the_same_bounds_are_the_same_fragments() -> None:
    units = [("ann", 0, 9, 0), ("ben", 0, 9, 0), ("ann", 20, 30, 1), ("ben", 20, 30, 1)]
    plain = document(units)
    fragments = [[[0, 3], [6, 9]], [], [[20, 22], [28, 30]], [[20, 22], [28, 30]]]
    gapped = replace(plain, gaps=gaps_of_fragments(fragments)[0])
    assert pairwise_f([plain]).value == 1
    assert pairwise_f([gapped]).value == pairwise_f([gapped], "pairwise_f_bounds").value == 0.5
    assert pairwise_f([gapped], "pairwise_f_type").value == 1
    assert pairwise_f([gapped], matching=UnitMatching(tolerance=1)).value == 1
    assert pairwise_f([plain]).how.add_settings() != pairwise_f([gapped]).how.add_settings()


@pytest.mark.parametrize(
    ("measure", "matching", "refused"),
    [
        ("gamma", UnitMatching(tolerance=1), "tolerance is for pairwise_f, pairwise_f_bounds"),
        ("pairwise_f_type", UnitMatching(tolerance=1), "tolerance is for"),
        ("gamma", UnitMatching(min_overlap=0.5), "min_overlap is for pairwise_f, pairwise_f_over"),
        ("pairwise_f", UnitMatching(min_overlap=0.5, tolerance=1), ""),
        ("gamma", UnitMatching(), ""),
    ],
)
def test_a_setting_of_the_f_is_refused_for_measures_that_do_not_use_it(
    measure: str, matching: UnitMatching, refused: str
) -> None:
    if not refused:
        require_matching_is_used((measure,), matching, str)
        return
    with pytest.raises(MetricsError, match=refused) as error:
        require_matching_is_used((measure,), matching, str)
    assert ("trim" in str(error.value)) == (matching.tolerance > 0)
