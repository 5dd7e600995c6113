"""Labels that are alone on their item: what each coefficient does with them, and `complete`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accordeur as acc
from accordeur.data.schema import ExclusionReason
from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.label_matrix import table_matrix
from accordeur.metrics.measures import COEFFICIENTS, ITEMS
from accordeur.reports.language import Language
from accordeur.reports.measure_facts import facts
from tests.flows.in_process import found, said

FIRST = [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 1, 3]
SECOND = [3, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None, None]

# irrCAC 0.4.2 (Python): CAC(ratings).<method>(), and CAC(ratings.dropna()).<method>()
IRRCAC = {
    "conger_kappa": (0.472, 0.4736842105),
    "fleiss_kappa": (0.4613545817, 0.4482758621),
    "gwet_ac1": (0.5088101726, 0.5114503817),
    "krippendorff_alpha": (0.475862069, 0.475862069),
    "bennett_s": (0.5, 0.5),
}
SKLEARN = 0.4736842105263158  # 1.9.1: cohen_kappa_score of the ten items that both labelled


@pytest.fixture
def wide(tmp_path: Path) -> Path:
    path = tmp_path / "wide.csv"
    rows = [
        f"{i},{'' if a is None else a},{'' if b is None else b}"
        for i, (a, b) in enumerate(zip(FIRST, SECOND, strict=True))
    ]
    path.write_text("item,rater1,rater2\n" + "\n".join(rows) + "\n")
    return path


@pytest.mark.parametrize("measure", IRRCAC)
def test_all_labels_as_in_irrcac(measure: str) -> None:
    every, complete = IRRCAC[measure]
    found_ = acc.coefficient(measure, FIRST, SECOND, replicates=0)
    assert found_.value == pytest.approx(every, abs=1e-9)
    only = acc.coefficient(measure, FIRST, SECOND, complete=True, replicates=0)
    assert only.value == pytest.approx(complete, abs=1e-9)
    assert "missing:complete" in only.signature


def test_kappa_of_two_annotators_is_scikit_learns(wide: Path) -> None:
    """Its `cohen_kappa_score`, and `kappa2` of R's irr, take the items that both labelled."""
    rows = [
        {"item": i, "annotator": who, "label": label}
        for i, pair in enumerate(zip(FIRST, SECOND, strict=True))
        for who, label in zip("ab", pair, strict=True)
        if label is not None
    ]
    of_two = acc.cohen_kappa(FIRST, SECOND, replicates=0)
    [of_all] = acc.agreement(rows, measures="cohen_kappa", replicates=0)
    [of_pair] = acc.agreement(rows, measures="cohen_kappa", by="pair", replicates=0)
    plain = found("agree", wide, "--wide", "--measure", "cohen_kappa")
    values = [float(of_two), float(of_all), float(of_pair), plain["results"][0]["value"]]
    assert values == pytest.approx([SKLEARN] * 4, abs=1e-12)
    signatures = {one.signature for one in (of_two, of_all, of_pair)}
    assert all("missing:complete" in one for one in signatures)
    assert plain["rows"]["excluded"] == {ExclusionReason.SINGLE_ANNOTATOR: 3}
    assert plain["warnings"] == []


@pytest.mark.parametrize("distance", ["linear_ranks", "quadratic_ranks", "ordinal"])
def test_weighted_kappa_of_two_annotators_takes_the_items_that_both_labelled(distance: str) -> None:
    """scikit-learn 1.9.1 gives .5967741935 (linear) and .72 (quadratic) of these ten items."""
    published = {"linear_ranks": 0.5967741935, "quadratic_ranks": 0.72}
    options: dict[str, Any] = {"distance": distance, "replicates": 0}
    every = acc.coefficient("weighted_kappa", FIRST, SECOND, **options)
    complete = acc.coefficient("weighted_kappa", FIRST, SECOND, complete=True, **options)
    assert float(every) == float(complete) == pytest.approx(published.get(distance, float(every)))
    with_third = [FIRST, SECOND, [1] * 13]
    of_three = acc.coefficient("weighted_kappa", with_third, rows="annotators", **options)
    assert "missing:available" in of_three.signature


def test_the_analytic_interval_of_kappa_is_that_of_the_items_that_both_labelled(
    wide: Path,
) -> None:
    options = ("agree", wide, "--wide", "--measure", "cohen_kappa", "--interval", "analytic")
    every, complete = found(*options), found(*options, "--complete")
    assert every["results"][0]["interval"] == pytest.approx(complete["results"][0]["interval"])


def test_complete_of_three_annotators_takes_items_that_all_labelled() -> None:
    labels = [[1, 2, 1, 2, None, 1], [1, 2, 2, 2, 1, 1], [1, 1, None, 2, 1, None]]
    by_hand = [[row[k] for k in (0, 1, 3)] for row in labels]
    for measure in ("fleiss_kappa", "conger_kappa", "light_kappa", "krippendorff_alpha"):
        value = acc.coefficient(
            measure, labels, rows="annotators", complete=True, replicates=0
        ).value
        assert value == acc.coefficient(measure, by_hand, rows="annotators", replicates=0).value


def test_no_complete_item_is_undefined() -> None:
    value = acc.coefficient("fleiss_kappa", [1, None], [None, 1], complete=True)
    assert math.isnan(value.value)
    assert str(value.reason) == "no item labelled by every annotator"


def test_options_that_exclude_complete(wide: Path) -> None:
    assert "remove --complete" in said("agree", wide, "--against", wide, "--complete")[1]
    groups = ("--group", "rater1", "--group", "rater2")
    assert "--complete" in said("agree", wide, *groups, "--complete")[1]


@pytest.mark.parametrize("measure", ITEMS)
def test_the_settings_and_the_page_say_what_lone_labels_do(measure: str) -> None:
    """Adding labels alone on their item changes the value exactly where the settings say so."""
    spec = COEFFICIENTS[measure]
    rng = np.random.default_rng(5)
    n = 2 if spec.generalisation else 3
    codes = rng.integers(3, size=(30, n)).tolist()
    lone = [[1] + [None] * (n - 1) for _ in range(12)]
    distance = "interval" if spec.unweighted else "nominal"
    without, with_lone = (
        compute_coefficient(
            measure, table_matrix(items_by_annotators=rows, tagset="012"), distance=distance
        )
        for rows in (codes, [*codes, *lone])
    )
    changed = not math.isclose(without.value, with_lone.value, abs_tol=1e-12)
    assert changed == spec.lone_labels
    settings = with_lone.how.missing
    assert (settings == "available") == changed
    assert settings in facts(spec, Language("en"))["Missing labels"]


ROTATED = [  # three of four annotators label each item
    {"item": str(k), "annotator": name, "label": "xyz"[(k * k + a * (k % 4 == 0)) % 3]}
    for k in range(24)
    for a, name in enumerate("abcd")
    if k % 4 != a
]


@pytest.mark.parametrize("complete", [False, True])
def test_a_pair_is_compared_on_the_items_that_both_labelled(complete: bool) -> None:
    """Light's κ is the mean of the pairs' κ; `complete` asks for no item of all four."""
    pairs = acc.agreement(
        ROTATED, by="pair", measures=["cohen_kappa", "gwet_ac1"], complete=complete, replicates=0
    )
    assert [one.measure for one in pairs] == ["cohen_kappa", "gwet_ac1"] * 6
    assert {one.n_items for one in pairs} == {12}
    assert {one.detail.n_unpaired for one in pairs} == {0}
    assert all("missing:complete" in one.signature for one in pairs)
    assert pairs.warnings == []
    whole = acc.agreement(ROTATED, measures="light_kappa", replicates=0)[0]
    assert np.mean([float(one) for one in pairs[::2]]) == pytest.approx(whole.value)
    own = [row for row in ROTATED if row["annotator"] in "ab"]
    both = acc.agreement(own, measures="cohen_kappa", complete=True, replicates=0)[0]
    assert pairs["a – b"][0].value == both.value


def test_one_number_of_items_is_printed_and_in_the_table() -> None:
    found = acc.agreement([*ROTATED, {"item": "z", "annotator": "a", "label": "x"}], replicates=0)
    assert "24 items" in repr(found[0])
    assert {*found.to_frame()["n_items"]} == {24}
    assert found[0].detail.n_unpaired == 1
