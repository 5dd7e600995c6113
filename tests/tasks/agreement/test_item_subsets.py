"""Subsets of items: what coefficients that count categories do with unused ones."""

from __future__ import annotations

import pytest

from accordeur.metrics.agreement.label_matrix import LabelMatrix, label_matrix
from accordeur.metrics.item_name import ItemName
from accordeur.metrics.options import Sampling
from accordeur.reports.language import Language
from accordeur.tasks.agreement.item_subsets import unused_category_warnings, values_on_subsets

# Fort et al. 2010, table 1, whose cells with Rien have one item each; table 3 is the rest
TABLE_3 = {("F", "F"): 71, ("F", "N"): 8, ("N", "F"): 13, ("N", "N"): 69}
WITH_NULL = {("F", "R"): 1, ("N", "R"): 1, ("R", "F"): 1, ("R", "N"): 1, ("R", "R"): 1}


def corpus() -> LabelMatrix:
    pairs = [
        (ItemName("gene", str(cell)) if cell in TABLE_3 else ItemName("text", str(cell)), k, cell)
        for cell, n in {**TABLE_3, **WITH_NULL}.items()
        for k in range(n)
    ]
    rows = [
        (ItemName(where.document, f"{where.item}{k}"), who, x)
        for where, k, cell in pairs
        for who, x in zip("ab", cell, strict=True)
    ]
    items, annotators, labels = zip(*rows, strict=True)
    return label_matrix(items=items, annotators=annotators, labels=labels, tagset="FNR")


def test_a_subset_keeps_the_declared_categories_and_says_so() -> None:
    """S of table 3 is .739 with its two categories (2010), and .804 with the three declared."""
    matrix, patterns = corpus(), {"genes": "^gene"}
    _, subset = values_on_subsets(
        matrix,
        null=None,
        patterns=patterns,
        measures=["bennett_s", "finn_r"],
        distance="nominal",
        sampling=Sampling(replicates=0),
    )
    s, r = subset.values
    assert s.value == pytest.approx(0.804348, abs=1e-6)
    assert s.how.categories == r.how.categories == 3
    [warning] = unused_category_warnings(matrix, layer="labels", patterns=patterns)
    assert warning.figures["bennett_s_used"] == pytest.approx(0.739130, abs=1e-6)
    for language in ("en", "fr"):
        said = Language(language)("warning.unused_in_universe", **warning.figures)
        assert "3" in said
        assert len(said) <= 400


def test_a_subset_that_uses_every_category_has_no_warning() -> None:
    assert unused_category_warnings(corpus(), layer="labels", patterns={"all": "."}) == []
