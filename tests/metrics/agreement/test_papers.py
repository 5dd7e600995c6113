"""Fort et al. 2010 and Mathet & Widlöcher beyond the values that docs/reproduced.py compares."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from agreement_cases import from_confusion, from_strings

from accordeur.metrics.agreement.breakdown import coefficient_by_category, confusion_between
from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.counts import count
from accordeur.metrics.agreement.item_subsets import remove_null_category
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.agreement.observed_distances import (
    proposed_distances,
)
from accordeur.metrics.errors import RoleError

NAMES = ["Former", "New", "Rien"]
T1 = np.array([[71, 13, 23], [8, 69, 15], [7, 8, 18840]])
T2 = np.array([[71, 13, 23], [8, 69, 15], [7, 8, 951]])
T3 = T1[:2, :2]
ESTIMATED = np.array([[0, 0.5, 1], [0.5, 0, 1], [1, 1, 0]])  # Fort 2010, table 4


def values_of(matrix: LabelMatrix) -> dict[str, float]:
    names = ("percent_agreement", "bennett_s", "scott_pi", "cohen_kappa")
    return {name: compute_coefficient(name, matrix).value for name in names}


@pytest.mark.parametrize(
    ("table", "names", "p_o", "s", "pi", "kappa"),
    [
        (T1, NAMES, 0.996116, 0.994174, 0.801199, 0.801206),
        (T2, NAMES, 0.936481, 0.904721, 0.775568, 0.775710),
        (T3, NAMES[:2], 0.869565, 0.739130, 0.739090, 0.739342),
    ],
    ids=["Fort 2010 table 1", "Fort 2010 table 2", "Fort 2010 table 3"],
)
def test_three_universes(
    table: np.ndarray, names: list[str], p_o: float, s: float, pi: float, kappa: float
) -> None:
    found = values_of(from_confusion(table, names))
    assert found["percent_agreement"] == pytest.approx(p_o, abs=1e-6)
    assert found["bennett_s"] == pytest.approx(s, abs=1e-6)
    assert found["scott_pi"] == pytest.approx(pi, abs=1e-6)
    assert found["cohen_kappa"] == pytest.approx(kappa, abs=1e-6)


def test_expected_agreement_of_table_1() -> None:
    matrix = from_confusion(T1, NAMES)
    assert compute_coefficient("scott_pi", matrix).expected == pytest.approx(0.980464, abs=1e-6)
    assert compute_coefficient("cohen_kappa", matrix).expected == pytest.approx(0.980464, abs=1e-6)
    assert compute_coefficient("bennett_s", matrix).expected == pytest.approx(1 / 3)


def test_significant_categories_turn_table_1_into_table_3() -> None:
    restricted = remove_null_category(from_confusion(T1, NAMES), null="Rien")
    assert confusion_between(restricted, 0, 1).tolist() == T3.tolist()
    assert values_of(restricted) == values_of(from_confusion(T3, NAMES[:2]))


def test_weighted_kappa_and_alpha_of_table_4() -> None:
    """Fort 2010, section 4.1: .8291 (truncated) and .8292."""
    matrix = from_confusion(T1, NAMES)
    weighted = compute_coefficient("weighted_kappa", matrix, distance=ESTIMATED)
    alpha = compute_coefficient("krippendorff_alpha", matrix, distance=ESTIMATED)
    assert weighted.value == pytest.approx(0.829202, abs=1e-6)  # .8291 in the paper, truncated
    pi = compute_coefficient("weighted_pi", matrix, distance=ESTIMATED)
    assert pi.value == pytest.approx(0.829196, abs=1e-6)
    assert alpha.value == pytest.approx(0.829200, abs=1e-6)


def test_distances_of_table_6() -> None:
    of_alpha, of_kappa = proposed_distances(T1)
    upper = ([0, 0, 1], [1, 2, 2])
    assert of_alpha[upper] == pytest.approx([0.887904, 0.921882, 0.936508], abs=1e-6)
    assert of_kappa[upper] == pytest.approx([0.788362, 0.843888, 0.873094], abs=1e-6)
    assert not np.diagonal(of_alpha).any()
    assert np.array_equal(of_kappa, of_kappa.T)


def test_s_of_two_declared_categories_falls_to_pi() -> None:
    """Same paper, table 1: with A and B only in the tagset, S is −.333."""
    assert compute_coefficient(
        "bennett_s", from_strings("AAAAAB", "ABBBBB")
    ).value == pytest.approx(-1 / 3)


def test_mathet_widlocher_table_2_rare_disease() -> None:
    """p_o is 99.90 %; the 99.85 % of the paper is a misprint."""
    matrix = from_confusion(np.array([[5, 5], [5, 9985]]), ["+", "-"])
    estimate = compute_coefficient("cohen_kappa", matrix)
    assert estimate.observed == pytest.approx(0.999)
    assert estimate.value == pytest.approx(0.499499, abs=1e-6)
    # Agreement on the rare category is only a half.
    assert dict(coefficient_by_category("fleiss_kappa", matrix))["+"].value == pytest.approx(
        0.4995, abs=1e-4
    )


def test_mathet_widlocher_table_5_kappa_misjudges_systems() -> None:
    """κ gives .143 to the system with accuracy .25, 0 to that with .50: hence the refusal."""
    for system, kappa in (("AACCCCCC", 1 / 7), ("AABBBBAA", 0.0)):
        both = from_strings("AAAABBBB", system, tagset="ABC")
        as_humans = compute_coefficient("cohen_kappa", both)
        assert as_humans.value == pytest.approx(kappa, abs=1e-9)
        with pytest.raises(RoleError, match="score it against a reference"):
            compute_coefficient("cohen_kappa", replace(both, roles=("reference", "system")))


def test_mathet_widlocher_table_6_a_system_among_the_humans() -> None:
    humans = ("ABCAAB", "ABCBBB", "ABCABA")
    assert compute_coefficient("krippendorff_alpha", from_strings(*humans)).value == pytest.approx(
        0.495, abs=5e-4
    )
    for system, alpha in (("ABCAAC", 0.503), ("ABCBBA", 0.529)):
        matrix = from_strings(*humans, system)
        assert compute_coefficient("krippendorff_alpha", matrix).value == pytest.approx(
            alpha, abs=5e-4
        )
        with pytest.raises(RoleError):
            compute_coefficient(
                "krippendorff_alpha", replace(matrix, roles=("human",) * 3 + ("system",))
            )
        assert (
            compute_coefficient("krippendorff_alpha", matrix.select_annotators((0, 1, 2))).value
            < alpha
        )


def test_two_pages_of_different_distributions() -> None:
    """p_o .9 on both pages, p_e .5 and .82: .8 and .444 apart, .762 together."""
    pages = [np.array([[45, 5], [5, 45]]), np.array([[5, 5], [5, 85]])]
    parts = [count(from_confusion(page, ["A", "B"])) for page in pages]
    from accordeur.metrics.agreement.coefficients import coefficient_from_counts
    from accordeur.metrics.agreement.counts import join_counts

    found = [coefficient_from_counts("scott_pi", part) for part in parts]
    together = coefficient_from_counts("scott_pi", join_counts(parts))
    assert [round(part.observed, 9) for part in found] == [0.9, 0.9]
    assert [round(part.expected, 9) for part in found] == [0.5, 0.82]
    assert found[0].value == pytest.approx(0.8)
    assert found[1].value == pytest.approx(0.444, abs=5e-4)
    assert together.value == pytest.approx(0.762, abs=5e-4)
