"""Intervals: published standard errors, resampling done by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from agreement_cases import from_confusion, from_strings, load, matrix_of
from agreement_intervals import bootstrap, jackknife_error, linearized
from agreement_samples import sample
from agreement_strategies import matrices
from hypothesis import given, settings

from accordeur.metrics.agreement.coefficient_difference import (
    bootstrap_difference,
    paired_difference,
)
from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.counts import count, join_counts, units_of_distinct_rows
from accordeur.metrics.agreement.interval_methods import intervals_over_units
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.agreement.resampling_units import (
    applicable_coefficient,
    bootstrap_replicates,
    resampling_units,
    resampling_units_of_counts,
    resampling_weights,
)
from accordeur.metrics.errors import MetricsError, RoleError
from accordeur.metrics.intervals.interval import add_interval
from accordeur.metrics.measures import COEFFICIENTS
from accordeur.metrics.options import Sampling

MANY = [name for name, spec in COEFFICIENTS.items() if not spec.generalisation]

MEASURES = ("fleiss_kappa", "conger_kappa", "krippendorff_alpha", "gwet_ac1")

DATASETS, CASES = load()


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if "se" in (case.get("also") or {})],
    ids=lambda case: case["id"],
)
def test_published_standard_errors(case: dict) -> None:
    """irrCAC (R and Python) on Gwet's Handbook data, 12 items, 7 labels missing."""
    from agreement_cases import distance_of, measure_of

    matrix = matrix_of(DATASETS[case["dataset"]], case)
    measure = measure_of(case)
    found = linearized(matrix, measures=[measure], distance=distance_of(case, matrix))[measure]
    digits = len(str(case["also"]["se"]).split(".")[1])
    # irrCAC mixes α with and without its 1/n term in one place, and divides by n instead of n − 1
    # for a table of 100 items: 1e-3 at most.
    slack = 1e-3 if measure == "krippendorff_alpha" or "-table-" in case["id"] else 1e-9
    assert found.standard_error == pytest.approx(case["also"]["se"], abs=0.51 * 10**-digits + slack)
    assert found.method == "gwet"


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if case["id"].startswith("irrCAC-") and "ci95" in case["also"]],
    ids=lambda case: case["id"],
)
def test_published_intervals(case: dict) -> None:
    from agreement_cases import distance_of, measure_of

    matrix = matrix_of(DATASETS[case["dataset"]], case)
    measure = measure_of(case)
    found = linearized(matrix, measures=[measure], distance=distance_of(case, matrix))[measure]
    assert found.bounds == pytest.approx(case["also"]["ci95"], abs=2.5e-3)


@settings(max_examples=10)
@given(matrices(documents=True))
def test_replicates_are_the_coefficients_of_resampled_matrices(matrix: LabelMatrix) -> None:
    for over in ("items", "documents"):
        groups = resampling_units(matrix, over=over)
        drawn = bootstrap_replicates(groups, measures=MANY, n_replicates=3, seed=7)
        weights = next(resampling_weights(groups, 3, 7))
        if over == "documents":
            homes = np.unique(matrix.documents, return_inverse=True)[1]
            members = [np.nonzero(homes == d)[0] for d in range(weights.shape[1])]
        else:
            kinds = units_of_distinct_rows(count(matrix))[0].codes
            members = [np.nonzero((matrix.codes == one).all(axis=1))[0][:1] for one in kinds]
        for b in range(3):
            parts = [np.tile(rows, int(w)) for rows, w in zip(members, weights[b], strict=True)]
            rows = np.concatenate(parts)
            again = replace(matrix, codes=matrix.codes[rows], documents=None)
            for j, measure in enumerate(MANY):
                expected = compute_coefficient(measure, again).value
                if measure == "aickin_alpha":
                    continue  # an iteration from other roundings
                assert drawn[b, j] == pytest.approx(expected, abs=1e-9, nan_ok=True), measure


def test_the_weights_draw_as_many_units_as_there_are() -> None:
    for matrix in (sample(1), from_confusion(np.array([[300, 20], [10, 400]]), ["A", "B"])):
        groups = resampling_units(matrix, over="items")
        weights = next(resampling_weights(groups, 50, 3))
        assert (weights.sum(axis=1) == matrix.n_items).all()
        expected = groups.multiplicity
        spread = np.sqrt(expected / 50) * 5
        assert (np.abs(weights.mean(axis=0) - expected) < spread + 1e-9).all()


def test_a_seed_gives_the_same_interval_and_another_seed_another() -> None:
    matrix = sample(2)
    first, again, other = (bootstrap(matrix, measures=MEASURES, seed=s) for s in (5, 5, 6))
    assert first == again
    assert first != other


def test_bootstrap_from_added_counts_is_that_of_the_matrix() -> None:
    """The cluster's way: counts per batch, added, then resampled."""
    matrix = sample(3)
    halves = [
        replace(matrix, codes=matrix.codes[keep], documents=matrix.documents[keep])
        for keep in (matrix.documents < 5, matrix.documents >= 5)
    ]
    batches = [count(half, by="documents") for half in halves]
    merged = intervals_over_units(
        resampling_units_of_counts(join_counts(batches)),
        measures=MEASURES,
        sampling=Sampling(seed=1),
    )
    assert merged == bootstrap(matrix, measures=MEASURES, seed=1, over="documents")


def test_auto_takes_documents_where_there_are_two() -> None:
    matrix = sample(4)
    assert bootstrap(matrix, seed=1, n_replicates=10)["fleiss_kappa"].over == "documents"
    for alone in (replace(matrix, documents=None), replace(matrix, documents=matrix.documents * 0)):
        assert bootstrap(alone, seed=1, n_replicates=10)["fleiss_kappa"].over == "items"


def test_three_standard_errors_are_close() -> None:
    matrix = replace(sample(5, n_items=800), documents=None)
    errors = [
        bootstrap(matrix, seed=1, measures=MEASURES)["krippendorff_alpha"].standard_error,
        linearized(matrix, measures=MEASURES)["krippendorff_alpha"].standard_error,
        jackknife_error(matrix, "krippendorff_alpha"),
    ]
    assert max(errors) / min(errors) < 1.1


def test_jackknife_by_hand() -> None:
    matrix = replace(sample(6, n_items=20), documents=None)
    without = [replace(matrix, codes=np.delete(matrix.codes, i, 0)) for i in range(20)]
    left_out = np.array([compute_coefficient("fleiss_kappa", some).value for some in without])
    error = math.sqrt(19 / 20 * ((left_out - left_out.mean()) ** 2).sum())
    assert jackknife_error(matrix, "fleiss_kappa", over="items") == pytest.approx(error)
    found = linearized(matrix, measures=["fleiss_kappa"], over="items")["fleiss_kappa"]
    assert found.standard_error == pytest.approx(error, rel=0.1)


def test_a_bootstrap_holds_the_value() -> None:
    matrix = sample(7)
    found = bootstrap(matrix, measures=MEASURES, seed=1, method="expanded-percentile")
    for measure, interval in found.items():
        assert interval.lower < compute_coefficient(measure, matrix).value < interval.upper
        assert interval.method == "bootstrap-expanded-percentile"


def test_undefined_values_have_no_interval_but_a_reason() -> None:
    lone = from_strings("AAAA", "AAAA", tagset="AB")
    drawn = bootstrap(lone, seed=1, method="expanded-percentile")
    for result in (drawn, linearized(lone)):
        assert math.isnan(result["fleiss_kappa"].lower)
        assert str(result["fleiss_kappa"].reason) == "the coefficient is undefined"
        assert result["percent_agreement"].upper == 1


def test_one_document_cannot_be_drawn() -> None:
    matrix = replace(sample(8), documents=np.zeros(60, dtype=np.int64))
    interval = bootstrap(matrix, seed=1, over="documents")["fleiss_kappa"]
    assert interval.reason is not None
    assert str(interval.reason).startswith("fewer than 2 documents or items with content")


def test_two_annotator_measures_and_systems_are_refused() -> None:
    matrix = sample(9)
    with pytest.raises(MetricsError, match="use conger_kappa"):
        applicable_coefficient("cohen_kappa", matrix)
    with pytest.raises(RoleError):
        bootstrap(replace(matrix, roles=("human", "human", "system")), seed=1)


def test_the_interval_goes_into_the_estimate_and_its_signature() -> None:
    matrix = sample(10)
    interval = bootstrap(matrix, measures=["fleiss_kappa"], seed=3)["fleiss_kappa"]
    estimate = add_interval(compute_coefficient("fleiss_kappa", matrix), interval)
    assert estimate.interval == interval.bounds
    settings_part = (
        "interval:dirichlet-documents/documents/0.95|prior:1+0.75/labels|replicates:1000|seed:3"
    )
    assert f"|{settings_part}|" in estimate.signature


def test_an_empty_matrix_has_no_interval_and_a_reason() -> None:
    empty = LabelMatrix(
        codes=np.empty((0, 2), np.int32), tagset=("A", "B"), annotators=("a1", "a2")
    )
    measures = tuple(COEFFICIENTS)
    for found in (
        bootstrap(empty, measures=measures, seed=0),
        linearized(empty, measures=measures),
    ):
        for interval in found.values():
            assert math.isnan(interval.lower)
            assert str(interval.reason) == "the coefficient is undefined"
    twice = ("fleiss_kappa", "fleiss_kappa")
    for difference in (
        paired_difference(empty, empty, measures=twice),
        bootstrap_difference(empty, empty, measures=twice, seed=0),
    ):
        assert math.isnan(difference.value)
        assert difference.reason
