"""Distances between categories: published formulas on small scales, and what is rejected."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from agreement_cases import from_strings, load, matrix_of

from accordeur.metrics.agreement.coefficients import compute_coefficient, compute_coefficients
from accordeur.metrics.agreement.distance_checks import require_circumference
from accordeur.metrics.agreement.distances import (
    DISTANCES,
    SETS,
    distance_table,
    set_distance_table,
)
from accordeur.metrics.agreement.label_matrix import table_matrix
from accordeur.metrics.agreement.label_sets import set_matrix
from accordeur.metrics.errors import MetricsError

SCALE = ("1", "2", "3", "4", "5")


def table(distance: object, *, tagset: tuple[str, ...] = SCALE, **options: object) -> np.ndarray:
    return distance_table(distance, tagset=tagset, marginals=np.ones(len(tagset)), **options)


@pytest.mark.parametrize("name", [name for name in DISTANCES if name not in SETS])
def test_every_named_distance_is_symmetric_with_a_zero_diagonal(name: str) -> None:
    found = table(name)
    assert np.array_equal(found, found.T)
    assert not np.diagonal(found).any()
    assert (found[~np.eye(5, dtype=bool)] > 0).all()
    assert not name.startswith("gwet_") or found.max() == pytest.approx(1)


def test_krippendorff_ordinal_is_the_literal_sum() -> None:
    """Krippendorff 2004, chapter 11: δ²_ck = (Σ_{g=c..k} n_g − (n_c + n_k)/2)²."""
    n = np.array([10.0, 14.0, 0.0, 3.0, 7.0])
    found = DISTANCES["ordinal"].table(n)
    for c in range(5):
        for k in range(c + 1, 5):
            assert found[c, k] == pytest.approx((n[c : k + 1].sum() - (n[c] + n[k]) / 2) ** 2)


def test_ordinal_of_a_batch_is_that_of_each() -> None:
    n = np.random.default_rng(1).random((4, 5))
    ordinal = DISTANCES["ordinal"].table
    assert np.array_equal(ordinal(n), np.stack([ordinal(row) for row in n]))


def test_gwet_weights_of_five_categories() -> None:
    """Gwet 2014, chapter 3: weights 1 − δ of the scale 1–5, first row."""
    first_row = {
        "gwet_linear": [1, 0.75, 0.5, 0.25, 0],
        "gwet_quadratic": [1, 0.9375, 0.75, 0.4375, 0],
        "gwet_ordinal": [1, 0.9, 0.7, 0.4, 0],
        "gwet_radical": [1, 0.5, 1 - np.sqrt(0.5), 1 - np.sqrt(0.75), 0],
    }
    for name, weights in first_row.items():
        assert 1 - table(name)[0] == pytest.approx(weights), name


def test_gwet_ordinal_is_not_krippendorff_ordinal() -> None:
    """Two distances, two names: on unequal margins α differs."""
    matrix = from_strings("1122335555", "1223345545")
    values = {
        name: compute_coefficient("krippendorff_alpha", matrix, distance=name).value
        for name in ("ordinal", "gwet_ordinal")
    }
    assert abs(values["ordinal"] - values["gwet_ordinal"]) > 0.005


def test_circular_closes_the_circle() -> None:
    hours = tuple(str(hour) for hour in range(24))
    found = table("circular", tagset=hours)
    assert found[0, 23] == pytest.approx(found[0, 1])
    assert found[0, 12] == pytest.approx(1)


def test_ratio_and_interval() -> None:
    assert table("interval")[0].tolist() == [0, 1, 4, 9, 16]
    assert table("ratio")[0] == pytest.approx([0, 1 / 9, 1 / 4, 9 / 25, 4 / 9])
    assert table("ratio", tagset=("0", "1"))[0, 1] == 1


def test_gwet_weights_of_names_go_by_rank() -> None:
    assert 1 - table("gwet_linear", tagset=("low", "mid", "high"))[0] == pytest.approx([1, 0.5, 0])


def test_what_is_refused() -> None:
    with pytest.raises(MetricsError, match="are not all numbers"):
        table("interval", tagset=("low", "high"))
    with pytest.raises(MetricsError, match="unknown distance"):
        table("euclidean")
    with pytest.raises(MetricsError, match="0 or more"):
        table("ratio", tagset=("-1", "1"))
    with pytest.raises(MetricsError, match="sets of labels"):
        compute_coefficient("krippendorff_alpha", from_strings("AB", "AB"), distance="masi")


def test_sets_of_labels() -> None:
    """Passonneau 2006: MASI = 1 − J·M; M is 1, 2/3, 1/3 or 0."""
    sets = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 1]], dtype=bool)
    jaccard, dice, masi, old = (set_distance_table(name, sets) for name in SETS)
    assert jaccard[1].tolist() == [1, 0, 0.5, 1]
    assert masi[1] == pytest.approx([1, 0, 1 - 0.5 * 2 / 3, 1])
    assert masi[2, 3] == pytest.approx(1 - (1 / 3) * (1 / 3))
    assert old[1] == pytest.approx([1 / 3, 0, 1 / 3, 1])
    assert jaccard[0, 0] == dice[0, 0] == 0
    # as SciPy's documentation of `distance.dice` has them
    assert dice[1, [2, 3]] == pytest.approx([1 / 3, 1])


def test_dice_agreement_of_dkpro() -> None:
    """DKPro Statistics' SetAnnotationsTest: .5 over nine items, two empty sets being unlike."""
    datasets, cases = load()
    [case] = [one for one in cases if one["id"] == "dkpro-164"]
    matrix = matrix_of(datasets[case["dataset"]], case)
    nobody = np.flatnonzero(~matrix.members.any(axis=1))
    labelled = matrix.codes[~np.isin(matrix.codes, nobody).all(axis=1)]
    found = compute_coefficient(
        "weighted_agreement", replace(matrix, codes=labelled, items=()), distance="dice"
    )
    assert found.n_items == 8
    assert found.value == pytest.approx(case["expected"] * 9 / 8, abs=case["tolerance"])


def test_multi_label_items_with_missing_ones() -> None:
    rows = [
        ("i1", "x", ["a"]),
        ("i1", "y", ["a", "b"]),
        ("i2", "x", []),
        ("i2", "y", []),
        ("i3", "x", ["c"]),
    ]
    items, annotators, sets = zip(*rows, strict=True)
    matrix = set_matrix(
        items=items, annotators=annotators, label_sets=sets, tags=("a", "b", "c", "d")
    )
    assert matrix.tagset == ("∅", "a", "a + b", "c")
    assert matrix.members.tolist()[2] == [True, True, False, False]
    estimate = compute_coefficient("krippendorff_alpha", matrix, distance="jaccard")
    assert estimate.detail.n_unpaired == 1
    assert estimate.detail.observed_disagreement == pytest.approx(0.25)


def test_a_label_outside_the_tags_is_refused() -> None:
    with pytest.raises(MetricsError, match="'z' is not among the tags"):
        set_matrix(items=["i"], annotators=["x"], label_sets=[["z"]], tags=("a",))


def test_a_circle_is_as_long_as_it_is_said_to_be() -> None:
    """8 h and 20 h are opposite on a clock of 24 hours, next to each other on one of 13."""
    tagset, unused = ("8", "14", "20"), np.zeros(3)
    clock = distance_table("circular/24", tagset=tagset, marginals=unused)
    assert clock == pytest.approx(np.array([[0, 0.5, 1], [0.5, 0, 0.5], [1, 0.5, 0]]))
    found = distance_table("circular", tagset=tagset, marginals=unused)
    assert found[0, 2] == pytest.approx(math.sin(math.pi * 12 / 13) ** 2)


@pytest.mark.parametrize("wrong", ["circular/", "circular/0", "circular/inf", "interval/24"])
def test_a_circumference_is_a_length_and_of_a_circle(wrong: str) -> None:
    with pytest.raises(MetricsError, match="a circumference above 0 belongs to circular"):
        distance_table(wrong, tagset=("1", "2"), marginals=np.zeros(2))


def test_a_circle_of_undeclared_labels_must_be_declared() -> None:
    with pytest.raises(MetricsError, match=r"8 to 20\) do not say it: give circumference \(24 for"):
        require_circumference(("8", "14", "20"), "circular", declare="circumference")
    require_circumference(("8", "14", "20"), "circular/24", declare="circumference")
    require_circumference(("8", "14", "20"), "interval", declare="circumference")


def test_squared_distances_of_values_that_never_repeat_are_those_of_their_pairs():
    rng = np.random.default_rng(0)
    values = rng.normal(1e6, 10, 400)[:, None] + rng.normal(0, 5, (400, 3))
    matrix = table_matrix(items_by_annotators=values)
    of_items = np.mean([(values[:, a] - values[:, b]) ** 2 for a, b in ((0, 1), (0, 2), (1, 2))])
    n = values.size
    of_all = 2 * values.var() * n / (n - 1)
    of_annotators = np.mean(
        [
            values[:, a].var()
            + values[:, b].var()
            + np.diff(values[:, [a, b]].mean(axis=0))[0] ** 2
            for a, b in ((0, 1), (0, 2), (1, 2))
        ]
    )
    measures = ("krippendorff_alpha", "weighted_pi", "weighted_kappa")
    found = [
        one.value for one in compute_coefficients(matrix, measures=measures, distance="interval")
    ]
    expected = [1 - of_items / chance for chance in (of_all, 2 * values.var(), of_annotators)]
    assert found == pytest.approx(expected, rel=1e-12)
