"""No keyword is accepted and left unused: a measure that is not computed is an error."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd
import pytest

import accordeur as acc

DRAW = np.random.default_rng(1)
LABELS = pd.DataFrame(
    [(i, who, str(DRAW.integers(1, 6))) for i in range(60) for who in ("ann", "ben", "cat", "gpt")],
    columns=["item", "annotator", "label"],
)
UNITS = pd.DataFrame(
    [
        (f"d{d}", who, 20 * k, 20 * k + 9 - (who == "ben" and k < d), "xy"[k % 2])
        for d in range(3)
        for who in ("ann", "ben", "gpt")
        for k in range(4)
    ],
    columns=["document", "annotator", "start", "end", "category"],
)


def _calls() -> Iterator[object]:
    """Yield a call of each function that takes measures, on labels and on units."""
    for name in acc.__all__:
        function = getattr(acc, name)
        if not inspect.isfunction(function):
            continue
        known = inspect.signature(function).parameters
        for keyword in known.keys() & {"measure", "measures"}:
            if known[keyword].kind is not inspect.Parameter.KEYWORD_ONLY:
                continue
            for kind, data in (("labels", LABELS), ("units", UNITS)):
                more = {"systems": "gpt"} if "systems" in known else {}
                one = data[data.annotator == "ann"]
                two = {"score": (one, one), "compare": (data, data)}.get(name)
                yield pytest.param(
                    lambda measure, f=function, a=two or (data,), k=keyword, m=more: f(
                        *a, **({} if len(a) == 2 else m), **{k: measure}
                    ),
                    id=f"{name} {kind}",
                )


@pytest.mark.parametrize("call", _calls())
def test_an_unknown_measure_is_an_error_whatever_the_data_are(
    call: Callable[[str], object],
) -> None:
    with pytest.raises(ValueError, match=r"nonsense|is accordeur\.gamma"):
        call("nonsense")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: acc.plan(UNITS, measure="pairwise_f"),
            "pairwise_f is a measure on units: .* gamma",
        ),
        (lambda: acc.plan(UNITS, measure="fleiss_kappa"), 'of units is measure="gamma"'),
        (lambda: acc.plan(LABELS, measure="gamma"), "holds labels, not units"),
        (lambda: acc.score(UNITS[:4], UNITS[:4], window=3), "window= is for pk and window_diff"),
        (
            lambda: acc.score(UNITS[:4], UNITS[:4], collar=250),
            "collar= is for der, computed on req",
        ),
        (lambda: acc.consensus(UNITS, rule="majority"), "rule and ties are of labels"),
        (lambda: acc.consensus(UNITS, ties="ann"), "rule and ties are of labels"),
        (lambda: acc.consensus(LABELS, weighted=False), "weighted is of objects"),
        (
            lambda: acc.compare(UNITS, UNITS, measures=["gamma", "pairwise_f"]),
            "compared by one measure",
        ),
        (lambda: acc.score(LABELS[:1], LABELS[:1], by="genre"), "rows of each of its values"),
        (lambda: acc.rank(LABELS, by="genre"), "agreement has it; here, for a column, call it"),
    ],
)
def test_what_the_data_have_no_use_for_is_an_error(
    call: Callable[[], object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_a_plan_is_of_the_measure_of_the_data_and_names_it() -> None:
    of_units = acc.plan(UNITS, annotators=2)
    assert of_units.measure == "gamma"
    assert of_units == acc.plan(UNITS, annotators=2, measure="gamma")
    of_labels = acc.plan(LABELS, annotators=2)
    assert of_labels == acc.plan(LABELS, annotators=2, measure="krippendorff_alpha")
    assert "krippendorff_alpha: width 0.1 with 2" in repr(of_labels)


def test_numbers_compared_as_names_are_warned_of_in_the_check_of_a_judge() -> None:
    draw, rows = np.random.default_rng(2), []
    for i in range(60):
        true = draw.integers(1, 6)
        rows += [
            (i, who, int(np.clip(true + draw.integers(-1, 2), 1, 5)))
            for who in ("ann", "ben", "cat", "gpt")
        ]
    scores = pd.DataFrame(rows, columns=["item", "annotator", "label"])
    humans = acc.agreement(scores[scores.annotator != "gpt"], replicates=20)
    judged = acc.judge(scores, judges="gpt", replicates=20)
    assert "the 5 categories are all numbers" in judged.warnings[0]
    assert judged.warnings == humans.warnings
    assert not acc.judge(scores, judges="gpt", scale="ordinal", replicates=20).warnings


def test_units_are_compared_by_a_pairwise_f() -> None:
    other = UNITS[UNITS.annotator != "gpt"]
    measure = "pairwise_f_bounds"
    found = acc.compare(UNITS, other, measures=measure, replicates=100)[measure]
    one, two = (acc.gamma(own, measure=measure, replicates=0).value for own in (UNITS, other))
    assert (found.first, found.second) == (one, two)
    assert found.value == pytest.approx(one - two)
    assert found.interval[0] <= found.value <= found.interval[1]


@pytest.mark.parametrize("name", ["annotators", "consensus", "mistakes", "plan", "replacement"])
def test_the_column_of_the_category_of_units_is_refused_of_labels(name: str) -> None:
    more = {"systems": "gpt"} if name == "replacement" else {}
    with pytest.raises(ValueError, match="category='1' is a column of units"):
        getattr(acc, name)(LABELS, category="1", **more)
