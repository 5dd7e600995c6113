"""Scales in words are recognised, and other categories are not."""

from __future__ import annotations

import pytest

from accordeur.metrics.agreement.label_matrix import label_matrix
from accordeur.tasks.inputs.data_warnings import warnings_on_labels, warnings_on_nominal
from accordeur.tasks.inputs.scales import scale_in_words


@pytest.mark.parametrize(
    ("tagset", "scale"),
    [
        (("Agree", "disagree", "Neutral"), ["disagree", "Neutral", "Agree"]),
        (("10 - high", "2 - low", "5 - middle"), ["2 - low", "5 - middle", "10 - high"]),
        (("20%", "0 %", "5%"), ["0 %", "5%", "20%"]),
        (("low", "high", "medium"), ["low", "medium", "high"]),
        (("D’accord", "neutre", "pas d'accord"), ["pas d'accord", "neutre", "D’accord"]),
        (("1", "2", "3"), []),
        (("agree", "disagree"), []),
        (("neutral", "positive", "negative"), []),
        (("3 cats", "2 dogs", "1 bird"), []),
        (("1-a", "1-b", "2-a"), []),
    ],
)
def test_the_order_of_a_scale_in_words(tagset: tuple[str, ...], scale: list[str]) -> None:
    assert list(scale_in_words(tagset)) == scale


def test_a_scale_that_is_compared_as_names_is_reported() -> None:
    words = ("low", "medium", "high")
    matrix = label_matrix(
        items=[i for i in range(9) for _ in "ab"],
        annotators=["a", "b"] * 9,
        labels=[words[i % 3] for i in range(9) for _ in "ab"],
    )
    [warning] = warnings_on_nominal(matrix, "nominal")
    assert (warning.code, warning.figures["tagset"]) == ("scale_as_names", "low,medium,high")
    assert warnings_on_nominal(matrix, "ordinal") == []


def test_labels_that_occur_once_are_probably_of_another_column() -> None:
    def codes_of(labels: list[str]) -> list[str]:
        rows = label_matrix(
            items=[i for i in range(8) for _ in "ab"], annotators=["a", "b"] * 8, labels=labels
        )
        return [one.code for one in warnings_on_labels(rows)]

    assert "unique_labels" in codes_of([f"2024-05-01 10:{k:02}" for k in range(16)])
    assert "unique_labels" not in codes_of(["x", "y"] * 8)
