"""What the pages of the measures say of range and undefined cases, provoked in code."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.generalizability import decision_study
from accordeur.metrics.agreement.intraclass import intraclass_correlations
from accordeur.metrics.agreement.label_matrix import LabelMatrix, table_matrix
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.errors import UndefinedError
from accordeur.metrics.measures import COEFFICIENTS, ITEMS, MEASURES
from accordeur.metrics.reason import ReasonCode
from accordeur.metrics.units.gamma import gamma
from accordeur.metrics.units.gamma_cat import gamma_cat
from accordeur.metrics.units.gamma_settings import GammaSettings
from accordeur.metrics.units.holistic_agreement import holistic
from accordeur.metrics.units.krippendorff.alpha_u import alpha_u
from accordeur.metrics.units.krippendorff.u_alpha import u_alpha
from accordeur.reports.measure_facts import details

FAST = GammaSettings(processes=("shuffle",), precision=0.3, replicates=0)


def labels(rows: list[list[str | None]], tagset: str = "AB") -> LabelMatrix:
    return table_matrix(items_by_annotators=rows, tagset=tagset)


PAGES = {name: details()[name]["undefined"] for name in ITEMS}
PAGES["gwet_ac2"] = PAGES["gwet_ac1"]  # "as AC1"
# By their pages: undefined without pairs only, and with a tagset of one category
ALL_BUT_ONE = {name for name, text in PAGES.items() if text.startswith("no item has two labels")}
BY_TAGSET = {name for name, text in PAGES.items() if text.startswith("there is one category only")}
# Situation → labels, and the coefficients that are defined in it
SITUATIONS = {
    "no item has two labels": (labels([["A", None], [None, "B"]]), set()),
    "one category is used": (labels([["A", "A"]] * 3), ALL_BUT_ONE | BY_TAGSET),
    "there is one category only": (labels([["A", "A"]] * 3, "A"), ALL_BUT_ONE),
    "no item is complete": (
        labels([["A", "B", None], [None, "B", "A"], ["A", None, "B"], ["B", "B", None]]),
        {*ITEMS} - {"aickin_alpha", "scott_pi", "cohen_kappa"},
    ),
    "there are three annotators": (
        labels([["A", "B", "B"], ["A", "A", "A"], ["B", "B", "A"]]),
        {*ITEMS} - {"scott_pi", "cohen_kappa"},
    ),
    "paired labels are of one category, a lone one of another": (
        labels([["A", "A"], ["A", "A"], ["B", None]]),
        {*ITEMS}
        - {"krippendorff_alpha", "hubert_kappa", "light_kappa", "aickin_alpha"}
        - {"cohen_kappa", "weighted_kappa"},
    ),
    "each pair shares items of one category only": (
        labels([["A", "A", None, None], [None, None, "B", "B"]]),
        {*ITEMS} - {"hubert_kappa", "light_kappa", "aickin_alpha", "scott_pi", "cohen_kappa"},
    ),
}


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("measure", ITEMS)
def test_a_coefficient_is_undefined_exactly_where_its_page_says(
    situation: str, measure: str
) -> None:
    matrix, defined = SITUATIONS[situation]
    value = compute_coefficient(measure, matrix)
    assert math.isnan(value.value) == (measure not in defined)
    assert (value.reason is not None) == (measure not in defined)


def _lower_bound(text: str, k: int) -> float | None:
    """The lower bound of complete labels that a page states, None where it states none."""
    if found := re.match(r"(−?\d+|−1/\(K − 1\)|−1/\(n − 1\)) to ", text):
        stated = found[1].replace("−", "-").replace(" ", "")
        known = {"-1/(K-1)": -1 / (k - 1), "-1/(n-1)": -1.0}  # two labels on each item
        return known.get(stated) or float(stated)
    return None


@pytest.mark.parametrize("measure", ITEMS)
def test_values_lie_in_the_range_of_the_page(measure: str) -> None:
    """Complete labels of two annotators, among them the worst: every item disagrees."""
    stated = details()[measure]["range"]
    rng = np.random.default_rng(1)
    distance = "linear" if COEFFICIENTS[measure].unweighted else "nominal"
    lowest = _lower_bound(stated, 3)
    for k in range(60):
        codes = rng.integers(3, size=(1 + k % 12, 2))
        if k % 3 == 0:
            codes[:, 1] = (codes[:, 0] + 1) % 3
        rows = [[str(c) for c in row] for row in codes.tolist()]
        value = compute_coefficient(measure, labels(rows, "012"), distance=distance).value
        assert math.isnan(value) or value <= 1 + 1e-12
        if lowest is not None and not math.isnan(value):
            assert value >= lowest - 1e-12


def test_lone_labels_may_push_pi_below_its_range_but_not_cohens_kappa() -> None:
    rows: list[list[str | None]] = [
        ["A", "B"],
        ["A", "B"],
        *([["A", None]] * 50),
        *([[None, "A"]] * 50),
    ]
    assert compute_coefficient("scott_pi", labels(rows)).value < -1
    assert "both annotators labelled every item" in details()["scott_pi"]["range"]
    assert compute_coefficient("cohen_kappa", labels(rows)).value == 0


def continuum(units: list[tuple[int, int, int, int]], length: float = 20, n: int = 2) -> Continuum:
    """Units as (annotator, start, end, category)."""
    owners, starts, ends, codes = (
        (np.array(column) for column in zip(*units, strict=True)) if units else (np.empty(0),) * 4
    )
    return Continuum(starts, ends, codes, owners, tuple("abcd"[:n]), ("x", "y"), length=length)


NOBODY = continuum([])
APART = continuum([(0, 0, 4, 0), (1, 10, 14, 1)])
ONE_CATEGORY = continuum([(0, 0, 4, 0), (1, 0, 5, 0)])
FULL = continuum([(0, 0, 20, 0), (1, 0, 20, 0)])
ATOMS = continuum([(a, i, i + 1, 0) for a in (0, 1) for i in range(3)], length=3)
PAVED = continuum([(0, 0, 9, 0), (0, 9, 20, 0), (1, 0, 5, 0), (1, 5, 20, 0)])
OVERLAP = continuum([(0, 0, 4, 0), (0, 2, 6, 0), (1, 0, 4, 0)])


@pytest.mark.parametrize(
    ("some", "code"),
    [
        (NOBODY, ReasonCode.NO_UNIT),
        (ATOMS, ReasonCode.NO_DISAGREEMENT),
        (PAVED, None),
        (FULL, None),
    ],
)
def test_alpha_u(some: Continuum, code: ReasonCode | None) -> None:
    """Units that fill every document leave α_U defined, unless all have length 1."""
    found = alpha_u([some], n_replicates=0).all
    assert (found.reason and found.reason.code) == code
    assert math.isnan(found.value) == (code is not None)


def test_overlaps_leave_the_measures_of_krippendorff_undefined() -> None:
    for measure in (alpha_u, u_alpha):
        with pytest.raises(UndefinedError):
            measure([OVERLAP])
    with pytest.raises(UndefinedError):
        alpha_u([ONE_CATEGORY, continuum([(0, 0, 4, 0), (2, 0, 4, 0)], n=3)])


@pytest.mark.parametrize(
    ("some", "undefined"),
    [
        (NOBODY, {"u_alpha", "u_alpha_binary", "cu_alpha"}),
        (APART, {"cu_alpha"}),
        (ONE_CATEGORY, {"cu_alpha"}),
        (FULL, {"u_alpha", "u_alpha_binary", "cu_alpha"}),
    ],
)
def test_the_family_of_u_alpha(some: Continuum, undefined: set[str]) -> None:
    found = u_alpha([some], n_replicates=0)
    for name in ("u_alpha", "u_alpha_binary", "cu_alpha"):
        value = getattr(found, name)
        assert math.isnan(value.value) == (name in undefined), name
        assert (value.reason is not None) == (name in undefined)


def test_gamma_and_the_holistic_measure_without_units() -> None:
    for measure in (gamma, holistic):
        found = measure([NOBODY], settings=FAST).corpus
        assert found.reason is not None
        assert found.reason.code is ReasonCode.NO_UNIT


def test_gamma_cat_of_units_far_apart_or_of_one_category() -> None:
    for some in (APART, ONE_CATEGORY):
        result = gamma([some], settings=FAST)
        assert math.isnan(gamma_cat([some], result.alignments, Dissimilarity()).gamma_cat.value)


def test_intraclass_correlations() -> None:
    equal, nested = np.ones((4, 3)), np.full((3, 6), np.nan)
    for i in range(3):
        nested[i, 2 * i : 2 * i + 2] = i + 1, i + 2
    same = {one.measure: one for one in intraclass_correlations(equal)}
    assert all(math.isnan(one.value) and one.reason for one in same.values())
    apart = {one.measure: one for one in intraclass_correlations(nested, same_raters=True)}
    assert math.isfinite(apart["icc_1_1"].value)
    assert all(
        math.isnan(apart[name].value) for name in ("icc_2_1", "icc_3_1", "icc_2_k", "icc_3_k")
    )
    for ratings in (equal, nested):
        assert all(one.reason for one in decision_study(ratings, annotators=[1, 2]))


def test_every_measure_has_a_page() -> None:
    for name, one in MEASURES.items():
        if name.startswith("g_"):  # an example of a measure from another package
            continue
        page = details()[name]
        assert {"formula", "range", "undefined", "peers"} <= page.keys(), name
        bounded = page["range"].startswith(("0 to 1", "−1 to 1"))
        assert not bounded or one.maximum == 1, name
