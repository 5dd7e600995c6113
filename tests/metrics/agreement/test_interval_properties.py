"""Every coefficient and every sampling: the interval and the value, the whole and its parts."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from agreement_cases import from_confusion, from_strings
from agreement_samples import sample
from agreement_strategies import matrices
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.agreement.breakdown import (
    coefficient_by_category,
    coefficient_by_pair,
    coefficient_without_each_annotator,
)
from accordeur.metrics.agreement.evaluate import evaluate_matrix
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.measures import COEFFICIENTS, GENERALISED
from accordeur.metrics.options import AgreementSampling, Interval
from tests.metrics.intervals.properties import assert_interval_holds

SAMPLINGS: tuple[Interval, ...] = ("bootstrap", "analytic", "annotators")


def sampling(interval: Interval, replicates: int = 20) -> AgreementSampling:
    return AgreementSampling(replicates=replicates, interval=interval)


def coefficients(matrix: LabelMatrix) -> list[str]:
    return [name for name in COEFFICIENTS if name not in GENERALISED or matrix.n_annotators == 2]


def n_content(matrix: LabelMatrix) -> int:
    """Documents (items without two) with two labels on an item."""
    paired = (matrix.codes >= 0).sum(axis=1) >= 2
    documents = matrix.documents_to_resample
    return int(paired.sum()) if documents is None else np.unique(documents[paired]).size


@pytest.mark.parametrize("interval", SAMPLINGS)
@pytest.mark.parametrize("documents", [False, True])
@settings(max_examples=8, deadline=None)
@given(matrices(max_items=8, max_annotators=3), st.sampled_from(["nominal", "ordinal", "interval"]))
def test_every_interval_contains_its_value_within_the_range(
    interval: Interval, documents: bool, matrix: LabelMatrix, distance: str
) -> None:
    matrix = replace(
        matrix,
        tagset=tuple("1234"[: len(matrix.tagset)]),
        documents=np.arange(matrix.n_items) // 2 if documents else None,
    )
    for one in evaluate_matrix(
        matrix, measures=coefficients(matrix), distance=distance, sampling=sampling(interval)
    ):
        # of a coefficient that drops items without pairs, one document may be left: then of items
        of_items = "/items/" in one.signature
        paired = int(((matrix.codes >= 0).sum(axis=1) >= 2).sum())
        assert_interval_holds(one, paired if of_items else n_content(matrix))


@pytest.mark.parametrize("interval", SAMPLINGS)
@pytest.mark.parametrize("units", ["items", "documents"])
def test_the_only_pair_has_the_interval_of_the_whole(interval: Interval, units: str) -> None:
    whole = sample(3, n_items=40).select_annotators([0, 1])
    codes = whole.codes.copy()
    codes[:3] = -1  # items that nobody labelled, and some with one label
    codes[3:6, 0] = -1
    documents = np.arange(40) // 4 if units == "documents" else None
    matrix = LabelMatrix(
        codes=codes, tagset=whole.tagset, annotators=whole.annotators, documents=documents
    )
    for measure in coefficients(matrix):
        how = sampling(interval)
        [of_all] = evaluate_matrix(matrix.complete(), measures=[measure], sampling=how)
        [(_, of_pair)] = coefficient_by_pair(measure, matrix, sampling=how)
        assert of_pair.value == of_all.value
        assert of_pair.interval == pytest.approx(of_all.interval, abs=0, nan_ok=True), measure
        assert of_pair.how.interval == of_all.how.interval


@pytest.mark.parametrize("interval", SAMPLINGS)
def test_parts_have_the_interval_that_is_requested(interval: Interval) -> None:
    matrix = sample(4, n_items=60)
    [whole] = evaluate_matrix(matrix, measures=["krippendorff_alpha"], sampling=sampling(interval))
    assert whole.how.interval is not None
    for parts in (coefficient_by_category, coefficient_without_each_annotator, coefficient_by_pair):
        for _, part in parts("krippendorff_alpha", matrix, sampling=sampling(interval)):
            assert part.how.interval is not None
            assert part.how.interval.method == whole.how.interval.method
            assert part.is_for_new_annotators == (
                interval == "annotators" and part.n_annotators > 2
            )


@pytest.mark.parametrize("interval", SAMPLINGS)
def test_two_categories_against_the_rest_are_the_whole(interval: Interval) -> None:
    matrix = from_confusion(np.array([[30, 4], [6, 20]]), ["a", "b"])
    how = sampling(interval, 400)
    [whole] = evaluate_matrix(matrix, measures=["krippendorff_alpha"], sampling=how)
    (_, first), (_, second) = coefficient_by_category("krippendorff_alpha", matrix, sampling=how)
    assert first.value == second.value == pytest.approx(whole.value)
    assert first.interval == pytest.approx(whole.interval, nan_ok=True)


def test_intervals_below_minus_one_contain_their_value() -> None:
    """Finn's R and the weighted S have no lower bound at −1."""
    matrix = from_strings("11115555", "55551515", "15151551", tagset="12345")
    for measure, distance in (("finn_r", "nominal"), ("weighted_s", "interval")):
        [one] = evaluate_matrix(
            matrix, measures=[measure], distance=distance, sampling=sampling("analytic")
        )
        assert one.value < -1
        assert one.interval[0] < one.value < one.interval[1]


def test_agreement_without_a_disagreement_leaves_room_below() -> None:
    """Clopper & Pearson 1934: 20 of 20 alike are compatible with a share .832 of all."""
    matrix = from_strings("A" * 10 + "B" * 10, "A" * 10 + "B" * 10)
    [alpha] = evaluate_matrix(
        matrix, measures=["krippendorff_alpha"], sampling=sampling("analytic")
    )
    assert alpha.interval == (pytest.approx(1 - 2 * (1 - 0.025 ** (1 / 20))), 1.0)


def test_one_document_with_pairs_is_too_few() -> None:
    codes = np.array([[0, 1], [1, 1], [0, 0], [0, -1], [1, -1]], dtype=np.int32)
    matrix = LabelMatrix(
        codes=codes,
        tagset=("a", "b"),
        annotators=("x", "y"),
        documents=np.array([0, 0, 0, 1, 1]),
    )
    for interval in SAMPLINGS:
        [one] = evaluate_matrix(
            matrix, measures=["krippendorff_alpha"], sampling=sampling(interval)
        )
        assert math.isnan(one.interval[0])
        assert "with content" in str(one.detail.interval_reason)
