"""What the rows of a matrix are, and whether its cells are labels or counts of annotators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import accordeur as acc
from accordeur.metrics.errors import MetricsError

# the worked example of Fleiss' κ in Wikipedia: ten subjects, fourteen raters, κ = 0.210
FLEISS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]
KAPPA = 0.2099307  # as R's irr and statsmodels compute it
LABELS = np.random.default_rng(1).integers(1, 4, (12, 3))
QUIET: dict[str, Any] = {"replicates": 0}


def long_table() -> pd.DataFrame:
    rows = [
        (f"item {i}", f"annotator {a}", int(label))
        for i, row in enumerate(LABELS)
        for a, label in enumerate(row)
    ]
    return pd.DataFrame(rows, columns=["item", "annotator", "label"])


def test_counts_are_taken_as_such_if_said_or_named() -> None:
    """The example has the published κ, and a cross table of labels the κ of the labels."""
    found = acc.fleiss_kappa(FLEISS, rows="counts", **QUIET)
    assert found.value == pytest.approx(KAPPA, abs=1e-6)
    assert (found.n_items, found.n_annotators) == (10, 14)
    frame = long_table()
    crossed = pd.crosstab(frame["item"], frame["label"])
    labels = acc.agreement(frame, measures=["fleiss_kappa"], **QUIET)[0]
    assert acc.fleiss_kappa(crossed, **QUIET).value == pytest.approx(labels.value, abs=1e-12)
    assert acc.coefficient("gwet_ac1", crossed, **QUIET).value == pytest.approx(
        acc.agreement(frame, measures=["gwet_ac1"], **QUIET)[0].value, abs=1e-12
    )
    with pytest.raises(MetricsError, match="depends on who gave a label"):
        acc.coefficient("conger_kappa", crossed)
    with pytest.raises(MetricsError, match="no number of annotators"):
        acc.fleiss_kappa([[1.5, 2]], rows="counts")


def test_counts_without_a_word_are_refused() -> None:
    with pytest.raises(MetricsError, match=r'rows="counts"'):
        acc.fleiss_kappa(pd.DataFrame(FLEISS, columns=[*"abcde"]))


@pytest.mark.parametrize(
    "matrix",
    [
        LABELS.T,
        pd.DataFrame(LABELS, columns=["ann", "bob", "eve"]),
        pd.DataFrame(LABELS.T).rename_axis("annotator"),
        pd.DataFrame(LABELS).rename_axis("annotator", axis="columns"),
        pd.DataFrame(LABELS.T).rename_axis("item", axis="columns"),
        long_table().pivot(index="item", columns="annotator", values="label"),
    ],
    ids=["array", "columns", "rows named", "columns named", "items named", "pivot"],
)
def test_named_axes_decide(matrix: Any) -> None:
    right = acc.krippendorff_alpha(LABELS, rows="items", **QUIET)
    found = acc.krippendorff_alpha(matrix, **QUIET)
    assert (found.value, found.warnings) == (right.value, right.warnings)


def test_an_array_with_more_rows_than_columns_warns_unless_its_rows_are_named() -> None:
    found = acc.krippendorff_alpha(LABELS, **QUIET)
    assert 'give rows="items"' in found.warnings[0]
    said = acc.krippendorff_alpha(LABELS, rows="annotators", **QUIET)
    assert said.value == found.value
    assert not any("rows=" in one for one in said.warnings)


def test_a_function_is_a_distance_between_categories() -> None:
    own = acc.krippendorff_alpha(
        LABELS.T, distance=lambda one, other: abs(int(one) - int(other)) ** 2 / 4, **QUIET
    )
    assert own.value == pytest.approx(acc.krippendorff_alpha(LABELS.T, scale="interval", **QUIET))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: acc.krippendorff_alpha(LABELS, scale="ordnal"), "did you mean ordinal"),
        (lambda: acc.krippendorff_alpha(LABELS, scale="masi"), 'give distance="masi"'),
        (lambda: acc.krippendorff_alpha(LABELS, scale="ratio", distance="masi"), "not both"),
        (lambda: acc.krippendorff_alpha(LABELS, distance="word_error"), "between objects"),
        (lambda: acc.krippendorff_alpha(LABELS, distance=3), "distance is a int"),
        (lambda: acc.krippendorff_alpha(LABELS, rows="item"), "rows is 'item': did you mean items"),
        (lambda: acc.cohen_kappa([1, 2], [1, 2], rows="items"), "two lists are the labels of two"),
    ],
)
def test_a_mistake_is_one_sentence(call: Callable[[], object], message: str) -> None:
    with pytest.raises(MetricsError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("measure", ["light_kappa", "cohen_kappa", "krippendorff_alpha"])
@pytest.mark.parametrize("labels", [[[], []], [[None, 1], [1, None]], [[None], [None]]])
def test_nothing_to_compare_is_undefined_with_a_reason(measure: str, labels: Any) -> None:
    found = acc.coefficient(measure, labels, rows="annotators", **QUIET)
    assert np.isnan(found.value)
    assert str(found.reason) == "no item with two labels"
