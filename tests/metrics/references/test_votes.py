"""Votes: table 6, ties by three rules, unanimity's bias, real campaigns."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from accordeur.metrics.agreement.label_matrix import LabelMatrix, label_matrix
from accordeur.metrics.coded_warning import CodedWarning
from accordeur.metrics.errors import MetricsError, RoleError
from accordeur.metrics.references.label_reference import SINGLE_ANNOTATOR
from accordeur.metrics.references.votes import item_disagreement, majority, unanimity

TAGSET = ("A", "B", "C")


def matrix(*rows: str, tagset: tuple[str, ...] = TAGSET, **settings_: object) -> LabelMatrix:
    """One string an annotator, `-` for no label."""
    codes = np.array([[tagset.index(c) if c != "-" else -1 for c in row] for row in rows]).T
    names = tuple(f"H{a + 1}" for a in range(len(rows)))
    return LabelMatrix(codes=codes, tagset=tagset, annotators=names, **settings_)


def letters(codes: np.ndarray) -> str:
    return "".join(TAGSET[c] if c >= 0 else "-" for c in codes)


def test_table_6() -> None:
    """Mathet & Widlöcher 2016, table 6, "Référence M"."""
    found = majority(matrix("ABCAAB", "ABCBBB", "ABCABA"))
    assert letters(found.codes) == "ABCABB"
    assert (found.n_ties, found.n_resolved) == (0, found.n_items)


def test_ties() -> None:
    # Items: A B tied; A C tied, mean 1; A A C C B: the mean is 1, B is not tied; none; A alone.
    given_ = matrix("AAA-A", "BCA--", "--C--", "--C--", "--B--")
    abstaining = majority(given_)
    assert letters(abstaining.codes) == "----A"
    assert abstaining.n_ties == 3
    assert abstaining.detail["n_unlabelled"] == 1
    assert abstaining.unresolved.tolist() == [True, True, True, True, False]
    drawn = majority(given_, ties="random", seed=3)
    assert drawn.n_resolved == 4
    assert drawn.detail["n_drawn"] == 3
    assert drawn.warnings[0] == CodedWarning("ties_by_rule", {"n": 3, "rule": "random"})


def test_random_ties_are_uniform_and_seeded() -> None:
    given_ = matrix("A" * 3000, "B" * 3000, "C" * 3000)
    codes = majority(given_, ties="random", seed=1).codes
    assert np.bincount(codes) / 3000 == pytest.approx([1 / 3] * 3, abs=0.03)
    assert np.array_equal(codes, majority(given_, ties="random", seed=1).codes)
    assert not np.array_equal(codes, majority(given_, ties="random", seed=2).codes)


def test_nearest_mean() -> None:
    """Brégeon 2018: 10 labels 0, 10 labels 1 and 5 labels 2 give 1."""
    rows = ["A"] * 10 + ["B"] * 10 + ["C"] * 5
    found = majority(matrix(*rows), ties="nearest_mean", ordered=True)
    assert letters(found.codes) == "B"
    assert found.detail["n_drawn"] == 0
    # The same labels on a scale where 2 is far on the other side.
    far = majority(matrix(*rows), ties="nearest_mean", values=np.array([0.0, 1.0, -9.0]))
    assert letters(far.codes) == "A"
    # Two categories alone are always equally near: drawn.
    even = majority(matrix("A" * 400, "C" * 400), ties="nearest_mean", ordered=True)
    assert set(letters(even.codes)) == {"A", "C"}
    assert even.detail["n_drawn"] == 400
    with pytest.raises(MetricsError, match="needs ordered categories"):
        majority(matrix(*rows), ties="nearest_mean")


def test_unanimity_needs_two_labels() -> None:
    # The last item but one has no label, the last a single one.
    found = unanimity(matrix("AAB-A", "AAC--", "AB---"))
    assert letters(found.codes) == "A----"
    assert found.detail["coverage"] == 1 / 5
    assert found.detail["n_dropped"] == 4
    assert found.warnings[0].code == "unanimity_keeps"
    assert letters(unanimity(matrix("AAB-A", "AAC--"), min_labels=1).codes) == "AA--A"


def test_unanimity_keeps_the_easy_items() -> None:
    found = unanimity(matrix("AAAAB", "AAAAB", "AAABC"))
    assert letters(found.codes) == "AAA--"
    assert found.detail["kept_disagreement"] == 0.0
    assert found.detail["dropped_disagreement"] == pytest.approx(2 / 3)
    assert found.detail["coverage of A"] == pytest.approx(3 / 4)
    assert found.detail["coverage of B"] == 0.0
    assert math.isnan(found.detail["coverage of C"])


@given(
    hnp.arrays(
        np.int32, st.tuples(st.integers(1, 12), st.integers(1, 5)), elements=st.integers(-1, 2)
    )
)
@settings(max_examples=60)
def test_properties(codes: np.ndarray) -> None:
    names = tuple(f"H{a}" for a in range(codes.shape[1]))
    given_ = LabelMatrix(codes=codes, tagset=TAGSET, annotators=names)
    voted, unanimous = majority(given_), unanimity(given_)
    kept = ~unanimous.unresolved
    assert np.array_equal(voted.codes[kept], unanimous.codes[kept])
    assert (item_disagreement(given_.counts())[kept] == 0).all()
    # The order of annotators changes nothing; renaming categories renames the labels.
    assert np.array_equal(
        majority(LabelMatrix(codes=codes[:, ::-1], tagset=TAGSET, annotators=names)).codes,
        voted.codes,
    )
    renamed = np.where(codes >= 0, (codes + 1) % 3, -1)
    expected = np.where(voted.codes >= 0, (voted.codes + 1) % 3, -1)
    assert np.array_equal(
        majority(LabelMatrix(codes=renamed, tagset=TAGSET, annotators=names)).codes, expected
    )
    for row, code in zip(codes, voted.codes, strict=True):
        counts = np.bincount(row[row >= 0], minlength=3)
        leaders = np.nonzero(counts == counts.max())[0] if counts.any() else []
        assert code == (leaders[0] if len(leaders) == 1 else -1)


def test_one_annotator_is_marked_and_systems_are_refused() -> None:
    alone = majority(matrix("AB"))
    assert alone.is_single_annotator
    assert alone.warnings == (SINGLE_ANNOTATOR,)
    with pytest.raises(RoleError, match="'H2' is a system"):
        majority(matrix("AB", "AB", roles=("human", "system")))
    with pytest.raises(MetricsError, match="ties is 'first'"):
        majority(matrix("AB"), ties="first")  # type: ignore[arg-type] # on purpose


def long_table(path: Path) -> LabelMatrix:
    with path.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    return label_matrix(
        items=[r["item"] for r in rows],
        annotators=[r["annotator"] for r in rows],
        labels=[r["label"] for r in rows],
    )


@pytest.mark.shared
def test_hs_brexit_has_84_ties(shared_data: Path) -> None:
    found = majority(long_table(shared_data / "hs_brexit" / "HS-Brexit_long.csv"))
    assert (found.n_items, found.n_ties, found.n_unresolved) == (1120, 84, 84)


@pytest.mark.shared
def test_bluebirds_majority(shared_data: Path) -> None:
    given_ = long_table(shared_data / "bluebirds" / "bluebirds_long.csv")
    with (shared_data / "bluebirds" / "bluebirds_gold.csv").open(encoding="utf-8") as lines:
        gold = {row["item"]: int(row["gold"]) for row in csv.DictReader(lines)}
    codes = majority(given_).codes
    assert np.mean(codes == [gold[i] for i in given_.items]) == pytest.approx(0.759, abs=5e-4)
