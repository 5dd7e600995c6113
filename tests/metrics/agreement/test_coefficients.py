"""Coefficients against their literal definitions, their invariances and their undefined values."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from agreement_cases import from_confusion, from_strings
from agreement_strategies import literal, matrices
from hypothesis import given, settings
from hypothesis import strategies as st

import accordeur as acc
from accordeur.metrics.agreement.coefficients import compute_coefficient, compute_coefficients
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.errors import MetricsError, RoleError
from accordeur.metrics.measures import COEFFICIENTS, ITEMS, coefficient_of

NOMINAL = ("bennett_s", "fleiss_kappa", "conger_kappa", "krippendorff_alpha", "gwet_ac1")
WEIGHTED = ("weighted_s", "weighted_pi", "weighted_kappa", "krippendorff_alpha", "gwet_ac2")
MANY = [name for name, spec in COEFFICIENTS.items() if not spec.generalisation]


def same(first: float, second: float) -> bool:
    return (math.isnan(first) and math.isnan(second)) or first == pytest.approx(
        second, rel=1e-9, abs=1e-9
    )


@settings(max_examples=25)
@given(matrices())
def test_nominal_coefficients_are_their_definitions(matrix: LabelMatrix) -> None:
    distance = 1 - np.eye(len(matrix.tagset))
    for measure in NOMINAL:
        estimate = compute_coefficient(measure, matrix)
        if estimate.reason:
            continue
        observed, expected = literal(measure, matrix, distance)
        assert estimate.value == pytest.approx(1 - observed / expected, abs=1e-9)
        assert estimate.observed == pytest.approx(1 - observed, abs=1e-9)
        assert estimate.expected == pytest.approx(1 - expected, abs=1e-9)


@settings(max_examples=25)
@given(matrices(), st.integers(0, 2**32 - 1))
def test_weighted_coefficients_are_their_definitions(matrix: LabelMatrix, seed: int) -> None:
    upper = np.triu(np.random.default_rng(seed).random((len(matrix.tagset),) * 2), 1)
    distance = upper + upper.T
    for measure in WEIGHTED:
        estimate = compute_coefficient(measure, matrix, distance=distance)
        if not estimate.reason:
            of_two = measure == "weighted_kappa" and matrix.n_annotators == 2
            compared = matrix.complete() if of_two else matrix
            observed, expected = literal(measure, compared, distance)
            assert estimate.value == pytest.approx(1 - observed / expected, abs=1e-9)


@settings(max_examples=25)
@given(matrices(), st.randoms(use_true_random=False))
def test_renaming_and_reordering_change_nothing(matrix: LabelMatrix, random: object) -> None:
    categories = list(range(len(matrix.tagset)))
    columns = list(range(matrix.n_annotators))
    rows = list(range(matrix.n_items))
    for order in (categories, columns, rows):
        random.shuffle(order)
    renamed = np.append(np.array(categories), -1)[matrix.codes]
    moved = replace(
        matrix,
        codes=np.ascontiguousarray(renamed[rows][:, columns]).astype(np.int32),
        annotators=tuple(matrix.annotators[a] for a in columns),
    )
    # Finn's R reads the order of the categories: it is not nominal.
    for measure in sorted(set(MANY) - {"finn_r"}):
        before, after = compute_coefficient(measure, matrix), compute_coefficient(measure, moved)
        assert same(before.value, after.value), measure
        assert before.reason == after.reason


@settings(max_examples=25)
@given(matrices())
def test_an_item_with_one_label_takes_no_part_in_observed_agreement(matrix: LabelMatrix) -> None:
    lone = np.full((1, matrix.n_annotators), -1, dtype=np.int32)
    lone[0, 0] = 0
    longer = replace(matrix, codes=np.concatenate([matrix.codes, lone]))
    for measure in ("percent_agreement", "krippendorff_alpha"):
        before, after = compute_coefficient(measure, matrix), compute_coefficient(measure, longer)
        assert same(before.value, after.value)
        assert after.detail.n_unpaired == before.detail.n_unpaired + 1


@settings(max_examples=25)
@given(matrices(missing=False))
def test_without_missing_labels_generalisations_meet(matrix: LabelMatrix) -> None:
    conger, hubert = (
        compute_coefficient(name, matrix) for name in ("conger_kappa", "hubert_kappa")
    )
    assert same(conger.value, hubert.value)
    pi, alpha = (
        compute_coefficient(name, matrix) for name in ("fleiss_kappa", "krippendorff_alpha")
    )
    n = matrix.codes.size
    if not pi.reason:  # Artstein & Poesio 2008: 1 − α = (1 − π)(n − 1)/n, n labels
        assert 1 - alpha.value == pytest.approx((1 - pi.value) * (n - 1) / n)


@settings(max_examples=30)
@given(matrices(max_annotators=2))
def test_two_annotator_names_are_their_generalisations(matrix: LabelMatrix) -> None:
    compared = {"fleiss_kappa": matrix, "conger_kappa": matrix.complete()}  # κ: both labelled
    for two, many in (("scott_pi", "fleiss_kappa"), ("cohen_kappa", "conger_kappa")):
        of_many = compute_coefficient(many, compared[many])
        assert same(compute_coefficient(two, matrix).value, of_many.value)


@settings(max_examples=30)
@given(matrices())
def test_nan_exactly_with_a_reason(matrix: LabelMatrix) -> None:
    for estimate in compute_coefficients(matrix, measures=list(COEFFICIENTS), distance="ordinal"):
        assert math.isnan(estimate.value) == bool(estimate.reason)
        assert estimate.n_items == (matrix.n_labels > 1).sum() or estimate.measure == "aickin_alpha"
        assert estimate.signature.startswith(estimate.measure + "|distance:")


@pytest.mark.parametrize("measure", ["fleiss_kappa", "conger_kappa", "krippendorff_alpha"])
def test_one_category_used_is_undefined(measure: str) -> None:
    estimate = compute_coefficient(measure, from_strings("AAA", "AAA", tagset="AB"))
    assert math.isnan(estimate.value)
    assert str(estimate.reason) == "single category used"
    assert estimate.observed == estimate.expected == 1.0


def test_alpha_looks_at_the_paired_labels_only() -> None:
    """B stands alone on its item: of the labels that α compares, all are A."""
    matrix = from_strings("AAB", "AA.")
    assert str(compute_coefficient("krippendorff_alpha", matrix).reason) == "single category used"
    assert not compute_coefficient("fleiss_kappa", matrix).reason


def test_a_distance_of_zero_everywhere_expects_no_disagreement() -> None:
    estimate = compute_coefficient(
        "weighted_pi", from_strings("AAB", "ABB"), distance=np.zeros((2, 2))
    )
    assert str(estimate.reason) == "no disagreement is expected by chance"


def test_one_category_used_is_defined_where_chance_is_uniform() -> None:
    matrix = from_strings("AAA", "AAA", tagset="AB")
    for measure in ("bennett_s", "gwet_ac1", "percent_agreement", "finn_r"):
        assert compute_coefficient(measure, matrix).value == 1.0


def test_one_category_declared_is_undefined() -> None:
    matrix = from_strings("AAA", "AAA")
    for measure in ("bennett_s", "finn_r", "fleiss_kappa", "aickin_alpha"):
        assert compute_coefficient(measure, matrix).reason
    assert (
        compute_coefficient("gwet_ac1", matrix).value == 1
    )  # as with any category declared beside it


@pytest.mark.parametrize("measure", sorted(COEFFICIENTS))
def test_nothing_paired_has_a_reason(measure: str) -> None:
    estimate = compute_coefficient(measure, from_strings("A.B.", ".A.B"))
    assert math.isnan(estimate.value)
    assert str(estimate.reason) == "no item with two labels"
    assert estimate.detail.n_unpaired == 4


@pytest.mark.parametrize("measure", sorted(COEFFICIENTS))
def test_an_empty_matrix_has_a_reason(measure: str) -> None:
    empty = LabelMatrix(
        codes=np.empty((0, 2), np.int32), tagset=("A", "B"), annotators=("a1", "a2")
    )
    assert compute_coefficient(measure, empty).reason


def test_two_annotator_measures_name_their_generalisation() -> None:
    matrix = from_strings("AAB", "ABB", "ABA")
    assert str(compute_coefficient("cohen_kappa", matrix).reason).endswith("use conger_kappa")
    assert str(compute_coefficient("scott_pi", matrix).reason).endswith("use fleiss_kappa")


@pytest.mark.parametrize("role", ["system", "reference"])
@pytest.mark.parametrize("measure", sorted(COEFFICIENTS))
def test_systems_and_references_are_refused(measure: str, role: str) -> None:
    matrix = replace(from_strings("AAB", "ABB"), roles=("human", role))
    with pytest.raises(RoleError, match=role):
        compute_coefficient(measure, matrix)


def test_unknown_measure_says_what_is_known() -> None:
    with pytest.raises(MetricsError, match="krippendorff_alpha"):
        coefficient_of("kappa")


def test_coefficients_are_those_of_the_registry() -> None:
    assert tuple(COEFFICIENTS) == ITEMS


def test_unused_category_moves_s_only() -> None:
    small, large = (from_strings("AABB", "ABBB", tagset=tagset) for tagset in ("AB", "ABC"))
    assert (
        compute_coefficient("bennett_s", small).value
        < compute_coefficient("bennett_s", large).value
    )
    for measure in ("fleiss_kappa", "conger_kappa", "krippendorff_alpha"):
        assert compute_coefficient(measure, small).value == pytest.approx(
            compute_coefficient(measure, large).value
        )


def test_signature_tells_the_distance_apart() -> None:
    matrix = from_confusion(np.array([[5, 1], [2, 9]]), ["1", "2"])
    signatures = {
        compute_coefficient("weighted_kappa", matrix, distance=distance).signature
        for distance in ("nominal", "ordinal", "gwet_ordinal", np.array([[0, 0.5], [0.5, 0]]))
    }
    assert len(signatures) == 4


def test_aickin_is_the_maximum_of_the_likelihood() -> None:
    """Aickin 1990: the stationary point found is the maximum, by numerical optimisation."""
    from scipy.optimize import minimize

    rng = np.random.default_rng(4)
    for n_annotators, n_categories in ((2, 2), (2, 4), (3, 3), (5, 2)):
        truth = rng.integers(0, n_categories, 400)
        noise = rng.integers(0, n_categories, (400, n_annotators))
        codes = np.where(rng.random((400, n_annotators)) < 0.7, truth[:, None], noise)
        matrix = LabelMatrix(
            codes=codes.astype(np.int32),
            tagset=tuple("abcd"[:n_categories]),
            annotators=tuple("vwxyz"[:n_annotators]),
        )
        shares = np.array([np.bincount(c, minlength=n_categories) / 400 for c in codes.T])
        agree = (codes == codes[:, :1]).all(axis=1).mean()

        def cost(x: np.ndarray, shares: np.ndarray = shares, agree: float = agree) -> float:
            alpha = 1 / (1 + np.exp(-x[0]))
            p = np.exp(x[1:].reshape(shares.shape))
            p /= p.sum(axis=1, keepdims=True)
            chance = p.prod(axis=0).sum()
            hard, easy = np.log(1 - alpha), np.log(1 - alpha + alpha / chance)
            return -float((1 - agree) * hard + agree * easy + (shares * np.log(p)).sum())

        best = minimize(cost, np.concatenate([[0.0], np.log(shares).ravel()]), method="BFGS")
        expected = 1 / (1 + np.exp(-best.x[0]))
        assert compute_coefficient("aickin_alpha", matrix).value == pytest.approx(
            expected, abs=1e-4
        )


def test_finn_is_one_minus_a_ratio_of_variances() -> None:
    codes = np.array([[0, 1, 4], [2, 2, 3], [4, 0, -1]], dtype=np.int32)
    matrix = LabelMatrix(codes=codes, tagset=tuple("12345"), annotators=("x", "y", "z"))
    within = np.mean([np.var([1, 2, 5], ddof=1), np.var([3, 3, 4], ddof=1), np.var([5, 1], ddof=1)])
    assert compute_coefficient("finn_r", matrix).value == pytest.approx(
        1 - within / ((25 - 1) / 12)
    )


def test_what_is_said_to_be_counted_is_what_was_compared() -> None:
    """Items of one label and columns without a label take no part."""
    labels = [[1, 1, 2, None], [1, 2, None, None], [None, None, None, None]]
    found = acc.krippendorff_alpha(labels, rows="annotators", replicates=0)
    assert found.counted == "2 items, 2 annotators"
    assert (found.n_items, found.n_annotators, found.detail.n_unpaired) == (2, 2, 2)
    complete = acc.krippendorff_alpha([1, 1], [1, 2], replicates=0)
    assert complete.counted == "2 items, 2 annotators"
