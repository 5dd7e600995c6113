"""Every published value for coefficients on items, with its publication as the test's name."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
from agreement_cases import MEASURES, Case, distance_of, load, matrix_of, measure_of

from accordeur.metrics.agreement.breakdown import coefficient_by_category
from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.label_matrix import LabelMatrix

DATASETS, CASES = load()

# Where peers differ, the convention of the project stands; what is expected here instead, and why.
OURS: dict[str, tuple[float, str]] = {
    "dkpro-003": (0.266, "Cohen's κ of the collapsed table; DKPro pools its margins there (π)"),
    "dkpro-004": (0.441, "Cohen's κ of the collapsed table; DKPro pools its margins there (π)"),
    "dkpro-005": (0.459, "Cohen's κ of the collapsed table; DKPro pools its margins there (π)"),
    "dkpro-077": (math.nan, "one category used: DKPro and NLTK say 1, others fail"),
    "dkpro-163": (7 / 9, "two empty sets are equal; DKPro sees no overlap there"),
    "dkpro-164": (5.5 / 9, "two empty sets are equal; DKPro sees no overlap there"),
    "degenerate-nltk": (math.nan, "one category used: NLTK says 1, scikit-learn nan"),
}


def _name(case: Case) -> str:
    source = (case["source"] or "peers only")[:60]
    return f"{case['id']}: {case['coefficient']}, {case['quantity']} ({source})"


@pytest.mark.parametrize("case", CASES, ids=_name)
def test_published_value(case: Case) -> None:
    _check(case, matrix_of(DATASETS[case["dataset"]], case))


@pytest.mark.shared
@pytest.mark.parametrize("weights", ["unweighted", "linear", "quadratic"])
def test_anxiety_of_r_irr(weights: str, shared_data: Path) -> None:
    """R irr 0.84, kappa2(anxiety[, 2:3]): its data set is GPL and stays beside the checkout."""
    document = json.loads((shared_data / "known_values.json").read_text(encoding="utf-8"))
    case = next(c for c in document["cases"] if c["id"] == f"irr-kappa2-anx23-{weights}")
    dataset = document["datasets"][case["dataset"]]
    matrix = matrix_of(dataset, case)
    # R drops unused levels, and its weights go by rank among those left.
    _check(case, replace(matrix, tagset=tuple(map(str, range(len(matrix.tagset))))))


@pytest.mark.shared
def test_nothing_of_the_shared_file_is_left_out(shared_data: Path) -> None:
    document = json.loads((shared_data / "known_values.json").read_text(encoding="utf-8"))
    theirs = {
        case["id"]: case
        for case in document["cases"]
        if case["coefficient"] in MEASURES and not case["quantity"].startswith("maximum attainable")
    }
    ours = {case["id"]: case for case in CASES}
    anxiety = {f"irr-kappa2-anx23-{weights}" for weights in ("unweighted", "linear", "quadratic")}
    assert set(theirs) == set(ours) | anxiety
    for name, case in ours.items():
        assert case["expected"] == theirs[name]["expected"]
        assert case["tolerance"] == theirs[name]["tolerance"]


def _check(case: Case, matrix: LabelMatrix) -> None:
    distance = distance_of(case, matrix)
    measure = measure_of(case)
    expected, tolerance = case["expected"], case["tolerance"] + 1e-9
    if case["id"] in OURS:
        expected = OURS[case["id"]][0]
    quantity = case["quantity"]
    if quantity == "category-specific":
        found = dict(coefficient_by_category(measure, matrix))[str(case["category"])].value
    else:
        estimate = compute_coefficient(measure, matrix, distance=distance)
        found = {
            "coefficient": estimate.value,
            "observed agreement": estimate.observed,
            "expected agreement": estimate.expected,
            "observed disagreement": estimate.detail.observed_disagreement,
            "expected disagreement": estimate.detail.expected_disagreement,
        }[quantity]
        also = case.get("also") or {}
        if "pe" in also and measure != "krippendorff_alpha":
            assert estimate.expected == pytest.approx(also["pe"], abs=6e-4)
        if "pa" in also and measure != "krippendorff_alpha":
            assert estimate.observed == pytest.approx(also["pa"], abs=6e-4)
    if math.isnan(expected):
        assert math.isnan(found)
        assert str(estimate.reason) == "single category used"
    else:
        assert found == pytest.approx(expected, abs=tolerance)
