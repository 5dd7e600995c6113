from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.errors import MetricsError, RoleError
from accordeur.metrics.units.krippendorff.alpha_u import alpha_u, squared_differences
from accordeur.metrics.units.krippendorff.segments import GAP, Line, require_no_overlaps


def krippendorff_1995(factor: float = 1.0) -> Continuum:
    """The example of Krippendorff 1995, p. 57: (annotator, start, length, category)."""
    rows = [
        *((0, s, n, 0) for s, n in ((2, 8), (14, 6))),
        *((1, s, n, 0) for s, n in ((4, 4), (15, 2))),
        (0, 0, 18, 1),
        *((1, s, n, 1) for s, n in ((0, 2), (2, 1), (3, 1), (4, 1), (5, 1), (6, 3), (9, 1))),
        *((0, s, n, 2) for s, n in ((2, 6), (10, 2), (14, 4), (20, 2))),
        *((1, s, n, 2) for s, n in ((0, 2), (4, 4), (10, 4), (16, 2), (20, 2))),
        *((0, s, n, 3) for s, n in ((0, 2), (2, 8), (10, 4), (14, 6), (20, 4))),
        *((1, s, n, 3) for s, n in ((0, 4), (4, 4), (8, 7), (15, 2), (17, 7))),
    ]
    owners, starts, lengths, categories = (np.array(column) for column in zip(*rows, strict=True))
    return Continuum(
        factor * starts,
        factor * (starts + lengths),
        categories,
        owners,
        ("i", "j"),
        tuple("ABCD"),
        length=factor * 24,
    )


@pytest.mark.parametrize(
    ("category", "d_o", "d_e", "alpha", "recomputed"),
    [
        ("A", 0.03125, 0.0699, 0.553, 0.55294681),
        ("B", 2.26736, 1.17731, -0.926, -0.92838467),
        ("C", 0.02777, 0.08642, 0.679, 0.69307879),
        ("D", 0.38715, 0.41445, 0.066, 0.06586888),
    ],
)
def test_the_example_of_1995(category, d_o, d_e, alpha, recomputed) -> None:
    """Printed values are those of a continuous line; D_e with the sign corrected in 2004."""
    found = alpha_u([krippendorff_1995(50_000)]).categories[category]
    assert found.observed == pytest.approx(d_o, abs=1e-5)
    assert found.expected == pytest.approx(d_e, abs=0.005)
    assert found.value == pytest.approx(alpha, abs=0.02)
    assert found.value == pytest.approx(recomputed, abs=1e-7)


@pytest.mark.parametrize(
    ("factor", "value"), [(0.5, 0.49438202), (5, 0.67695241), (50, 0.69150804), (500, 0.69292353)]
)
def test_the_grain_of_the_line(factor, value) -> None:
    assert alpha_u([krippendorff_1995(factor)]).categories["C"].value == pytest.approx(
        value, abs=1e-7
    )


def test_the_whole_adds_the_categories() -> None:
    result = alpha_u([krippendorff_1995(100)])
    o = sum(e.observed for e in result.categories.values())
    e = sum(e.expected for e in result.categories.values())
    assert result.all.value == pytest.approx(1 - o / e)
    assert result.all.n_items == 31


@pytest.mark.shared
def test_every_known_case(shared_data: Path) -> None:
    known = json.loads((shared_data / "known_values.json").read_text(encoding="utf-8"))
    checked = 0
    for case in known["cases"]:
        if "alpha_U" not in case["coefficient"] or case.get("recomputed") is None:
            continue
        factor = case.get("params", {}).get("stretch_all_offsets_by", 1)
        data = known["datasets"][case["dataset"]]
        units = [u for u in data["units"] if u["length"] > 0]  # zero lengths stop at ingestion
        tagset = sorted({u["category"] for u in units})
        result = alpha_u(
            [
                Continuum(
                    [factor * u["start"] for u in units],
                    [factor * (u["start"] + u["length"]) for u in units],
                    [tagset.index(u["category"]) for u in units],
                    [u["rater"] for u in units],
                    tuple(f"rater {i}" for i in range(data["raters"])),
                    tuple(tagset),
                    length=factor * data["continuum_length"],
                )
            ]
        )
        category = case.get("category") or case["id"].partition("k1995-")[2][:1]
        estimate = result.categories[category] if category else result.all
        quantity = case["quantity"].partition(" disagreement")[0]
        value = {"observed": estimate.observed, "expected": estimate.expected}.get(
            quantity, estimate.value
        )
        assert value == pytest.approx(case["recomputed"], abs=2e-8, rel=1e-6), case["id"]
        checked += 1
    assert checked >= 19


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ((5, 6, 0), (4, 2, 0), 26),
        ((5, 6, 0), (5, 2, 0), 16),
        ((5, 6, 0), (6, 2, 0), 10),
        ((5, 6, 0), (7, 2, 0), 8),
        ((5, 6, 0), (6, 4, 0), 2),
        ((5, 6, 0), (5, 6, 0), 0),
        ((225, 70, 0), (220, 80, 0), 50),
        ((370, 30, 0), (355, 20, 0), 850),
        ((400, 50, GAP), (400, 20, 0), 400),
        ((400, 10, GAP), (400, 20, 0), 0),  # the unit is not within the gap
    ],
)
def test_distances_between_sections(a, b, expected) -> None:
    """Krippendorff 2004, p. 254: (start, length, category) of two observers."""
    lines = [
        Line(np.array([start, start + length], dtype=float), np.array([category], dtype=np.int32))
        for start, length, category in (a, b)
    ]
    assert squared_differences(lines) / 2 == expected  # each pair stands in both orders


def test_one_long_unit_against_three_short_ones() -> None:
    """The example of DKPro's UnitizingAgreementTest."""
    document = Continuum(
        [1, 2, 4, 6], [9, 3, 5, 7], [0] * 4, [0, 1, 1, 1], ("a", "b"), ("A",), length=10
    )
    found = alpha_u([document]).categories["A"]
    assert found.observed == pytest.approx(0.91)
    assert found.expected == pytest.approx(0.53518519, abs=1e-8)
    assert found.value == pytest.approx(-0.70034602, abs=1e-8)


def test_perfect_and_absent() -> None:
    both = Continuum([2, 2], [7, 7], [0, 0], [0, 1], ("a", "b"), ("x", "y"), length=15)
    result = alpha_u([both])
    assert result.all.value == 1.0
    assert math.isnan(result.categories["y"].value)
    assert str(result.categories["y"].reason) == "no annotator marked a unit"
    empty = Continuum([], [], [], [], ("a", "b"), (), length=15)
    assert math.isnan(alpha_u([empty]).all.value)
    one = Continuum([2], [7], [0], [0], ("a", "b"), ("x",), length=15)
    assert alpha_u([one]).all.value <= 0


def test_documents_add_and_give_an_interval(degraded) -> None:
    documents = [c for c in degraded(40, n_units=3, seed=2) if not overlapping(c)]
    assert len(documents) > 8
    result = alpha_u(documents, n_replicates=300)
    assert result.all.interval[0] < result.all.value < result.all.interval[1]
    twice = alpha_u([*documents, *documents], n_replicates=0)
    assert twice.all.value == pytest.approx(result.all.value, abs=0.01)
    assert result.all == alpha_u(documents, n_replicates=300).all


def overlapping(continuum: Continuum) -> bool:
    try:
        require_no_overlaps([continuum], "uα")
    except MetricsError:
        return True
    return False


def test_overlapping_units_are_refused_with_their_documents() -> None:
    document = Continuum([2, 5], [7, 9], [0, 0], [1, 1], ("a", "b"), ("x", "y"), length=15)
    apart = Continuum([2, 5], [7, 9], [0, 1], [1, 1], ("a", "b"), ("x", "y"), length=15)
    with pytest.raises(
        MetricsError, match=r"one annotator and category overlap, as in 2 of 3 documents \(by b\)"
    ):
        alpha_u([document, apart, document])
    assert alpha_u([apart]).all.n_items == 2  # each category has a line of its own
    nested = Continuum([0, 2, 10], [9, 5, 12], [0, -1, 0], [0, 0, 0], ("a", "b"), ("x",))
    assert overlapping(nested)
    touching = Continuum([5, 0, 5], [9, 5, 9], [0, 0, 0], [0, 0, 1], ("a", "b"), ("x",))
    assert not overlapping(touching)


def test_documents_of_one_annotator_take_no_part() -> None:
    pair = Continuum([2, 3], [7, 8], [0, 0], [0, 1], ("a", "b"), ("x",), length=15)
    other = Continuum([1, 8], [4, 12], [0, 0], [0, 1], ("a", "b"), ("x",), length=20)
    alone = Continuum([0, 1], [9, 5], [0, 0], [0, 0], ("a",), ("x",), length=40)
    found, without = alpha_u([pair, alone, other]), alpha_u([pair, other])
    assert (found.all.value, found.all.interval) == (without.all.value, without.all.interval)
    assert found.all.detail.n_documents == 2


def test_refusals() -> None:
    two = Continuum([2], [7], [0], [0], ("a", "b"), ("x",), length=15)
    three = Continuum([2], [7], [0], [0], ("a", "b", "c"), ("x",), length=15)
    with pytest.raises(MetricsError, match="these have 2, 3"):
        alpha_u([two, three])
    with pytest.raises(MetricsError, match="two annotators on a document, but no document has two"):
        alpha_u([Continuum([2], [7], [0], [0], ("a",), ("x",), length=15)])
    system = Continuum([2], [7], [0], [0], ("a", "b"), ("x",), roles=("human", "system"))
    with pytest.raises(RoleError):
        alpha_u([system])
