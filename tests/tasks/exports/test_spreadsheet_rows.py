"""Rows and cells of spreadsheets that are not annotations."""

from __future__ import annotations

import numpy as np
import pytest

from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.tasks.inputs.data_warnings import warnings_on_labels


def _codes(items: tuple[str, ...], tagset: tuple[str, ...] = ("N", "V")) -> list[str]:
    codes = np.arange(2 * len(items)).reshape(-1, 2) // 2 % 2
    matrix = LabelMatrix(codes=codes, tagset=tagset, annotators=("A", "B"), items=items)
    return [warning.code for warning in warnings_on_labels(matrix)]


@pytest.mark.parametrize("row", ["Total", "total:", "Mean", "Summe", "Moyenne", "Ø"])
def test_an_item_called_like_a_row_of_totals_is_reported(row: str) -> None:
    assert _codes(("s1", "s2", row)) == ["summary_row"]


def test_items_with_other_names_are_not_reported() -> None:
    assert _codes(("s1", "totally", "a mean sentence")) == []


@pytest.mark.parametrize("word", ["k.A.", "n.a."])
def test_german_words_for_a_missing_label_are_reported(word: str) -> None:
    assert _codes(("s1", "s2", "s3"), ("N", word)) == ["missing_as_category"]
