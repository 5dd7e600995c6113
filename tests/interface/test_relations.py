"""Relations of data frames: agreement of annotators, and scores of a system, by brute force."""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations, product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import accordeur as acc

near = pytest.approx


@pytest.fixture
def rows() -> pd.DataFrame:
    draw = np.random.default_rng(5)
    cells = [
        (f"d{k // 8}", who, f"e{k}", f"e{draw.integers(k % 8 // 2 * 2 + 8) + 100}", kind)
        for k in range(32)
        for who in ("ann", "ben")
        for kind in draw.choice(["cause", "part"], draw.integers(2))
    ]
    return pd.DataFrame(cells, columns=["document", "annotator", "head", "tail", "category"])


def _sides(rows: pd.DataFrame, n_columns: int) -> tuple[set[object], set[object]]:
    names = ["document", "head", "tail", "category"][:n_columns]
    first, second = (
        {*map(tuple, rows.loc[rows.annotator == who, names].to_numpy())} for who in ("ann", "ben")
    )
    return first, second


def _f(first: set[object], second: set[object]) -> float:
    return 2 * len(first & second) / (len(first) + len(second))


def test_the_mutual_f_is_that_of_the_sets_of_relations_and_a_score_is_its_f(
    rows: pd.DataFrame,
) -> None:
    rows = pd.concat([rows, rows.iloc[:3].assign(annotator="ben")]).drop_duplicates(
        ["document", "annotator", "head", "tail"]
    )
    found = acc.relations(rows, replicates=0)
    ann, ben = (rows[rows.annotator == who].drop(columns="annotator") for who in ("ann", "ben"))
    scores = acc.score(ann, ben, replicates=0)
    for measure, score, n in (
        ("relation_category_f", "exact_f", 4),
        ("relation_presence_f", "bounds_f", 3),
    ):
        expected = _f(*_sides(rows, n))
        assert found[measure].value == near(expected)
        assert scores[score].value == near(expected)
    [pair] = acc.relations(rows, by="pair", replicates=0)
    assert pair.value == near(found["relation_category_f"].value)


def test_alpha_is_that_of_the_labels_of_all_pairs_of_linked_ends(rows: pd.DataFrame) -> None:
    rows = rows.drop_duplicates(["document", "annotator", "head", "tail"])
    items = []
    for document, some in rows.groupby("document"):
        ends = sorted({*some["head"], *some["tail"]})
        given = {tuple(one[:3]): one[3] for one in some.drop(columns="document").to_numpy()}
        if some.annotator.nunique() < 2:
            continue
        items += [
            (f"{document} {pair}", who, given.get((who, *pair), "none"))
            for pair in permutations(ends, 2)
            for who in ("ann", "ben")
        ]
    labels = pd.DataFrame(items, columns=["item", "annotator", "label"])
    alpha = acc.krippendorff_alpha(labels, replicates=0)
    assert acc.relations(rows, replicates=0)["relation_category"].value == near(alpha.value)


@pytest.mark.parametrize("directed", [True, False])
def test_relations_of_an_end_to_itself_count_and_second_ones_are_rejected(directed: bool) -> None:
    draw = np.random.default_rng(3)
    cells = [
        (who, *(f"e{end}" for end in draw.integers(5, size=2)), kind)
        for who in ("ann", "ben")
        for kind in draw.choice(["cause", "part"], 20)
    ]
    frame = pd.DataFrame(cells, columns=["annotator", "head", "tail", "category"])
    found = acc.relations(frame, document=None, directed=directed, replicates=0)
    first: dict[str, dict[tuple[str, ...], str]] = {"ann": {}, "ben": {}}
    for who, head, tail, kind in cells:
        pair = (head, tail) if directed else tuple(sorted((head, tail)))
        first[who].setdefault(pair, kind)
    drawn = sum(map(len, first.values()))
    assert len(found.rejected) == 40 - drawn
    assert found.account.startswith(f"40 rows read: {drawn} measured, {40 - drawn} rejected")
    ann, ben = ({*own} for own in first.values())
    assert found["relation_presence_f"].value == near(_f(ann, ben))
    assert found["relation_category_f"].value == near(
        _f({*first["ann"].items()}, {*first["ben"].items()})
    )
    ends = sorted({*frame["head"], *frame["tail"]})
    pairs = product(ends, ends) if directed else combinations_with_replacement(ends, 2)
    labels = [(pair, *(own.get(pair, "none") for own in first.values())) for pair in pairs]
    items = pd.DataFrame(labels, columns=["pair", "ann", "ben"]).drop(columns="pair")
    alpha = acc.krippendorff_alpha(items, rows="items", replicates=0)
    assert found["relation_category"].value == near(alpha.value)


def test_a_table_is_read_as_a_frame(rows: pd.DataFrame, tmp_path: Path) -> None:
    rows.to_csv(tmp_path / "links.csv", index=False)
    of_file = acc.relations(tmp_path / "links.csv", replicates=0)
    assert of_file == acc.relations(rows, replicates=0)


def test_relations_without_direction_are_equal_if_turned() -> None:
    rows = [("ann", 1, 2), ("ben", 2, 1), ("ann", 3, 4), ("ben", 3, 4)]
    frame = pd.DataFrame(rows, columns=["annotator", "head", "tail"])
    same = {"document": None, "category": None, "replicates": 0}
    assert acc.relations(frame, **same)["relation_presence_f"].value == near(0.5)
    turned = acc.relations(frame, directed=False, **same)
    assert turned["relation_presence_f"].value == 1


def test_an_annotator_without_relations_takes_part_with_a_row_without_ends() -> None:
    rows = [("d", "ann", "a", "b", "x"), ("e", "ann", "a", "b", "x"), ("e", "ben", "a", "b", "x")]
    frame = pd.DataFrame(rows, columns=["document", "annotator", "head", "tail", "label"])
    assert acc.relations(frame, replicates=0)["relation_category_f"].value == 1  # only e is of two
    frame.loc[3] = ["d", "ben", None, None, None]
    assert acc.relations(frame, replicates=0)["relation_category_f"].value == near(2 / 3)
    frame.loc[3] = ["d", "ben", "a", None, None]
    with pytest.raises(ValueError, match="row 4: one end of the relation is missing"):
        acc.relations(frame)


def test_a_call_for_another_kind_of_data_is_answered_with_the_function(rows: pd.DataFrame) -> None:
    with pytest.raises(ValueError, match=r"head and tail, no item.*accordeur.relations\("):
        acc.agreement(rows)
    with pytest.raises(TypeError, match=r"no 'head': accordeur\.relations has it"):
        acc.agreement(rows, head="head")
    with pytest.raises(ValueError, match="are compared in a campaign"):
        acc.relations("brat")
