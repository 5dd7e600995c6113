"""Tables of relations: `look` writes what compares them; their ends are no bounds of units."""

from __future__ import annotations

import random

import pandas as pd
import pytest

import accordeur as acc
from tests.field.test_look_of_kinds import measured
from tests.flows.in_process import said

DRAW = random.Random(3)
ROWS = [
    (f"d{d}", who, f"m{head}", f"m{tail}", DRAW.choice(["cause", "part", "part"]))
    for d in range(5)
    for who in ("ann", "ben")
    for head in range(5)
    for tail in range(5)
    if head != tail and (head + 2 * tail + d) % 4 == 0 and DRAW.random() < 0.8
]
FRAME = pd.DataFrame(ROWS, columns=["document", "annotator", "head", "tail", "relation"])
BOUNDS = {
    f"{end}_{side}": FRAME[end].str[1:].astype(int) * 10 + plus
    for end in ("head", "tail")
    for side, plus in (("start", 0), ("end", 4))
}
NAMED = {
    "drawn twice": pd.concat([FRAME, FRAME[:3].assign(relation="whole")]).set_axis(
        ["text_id", "coder", "arg1", "arg2", "type"], axis=1
    ),
    "bounds": FRAME.drop(columns=["head", "tail"]).assign(**BOUNDS),
}


@pytest.mark.long
@pytest.mark.parametrize("name", NAMED)
def test_the_line_of_look_gives_the_value_of_relations(tmp_path, name):
    path = tmp_path / "relations.csv"
    NAMED[name].to_csv(path, index=False)
    expected = acc.relations(FRAME, replicates=0)["relation_category"].value
    assert measured(path)["krippendorff_alpha"] == pytest.approx(expected, abs=1e-12)


def test_relations_without_a_category(tmp_path):
    path = tmp_path / "relations.csv"
    FRAME.drop(columns="relation").to_csv(path, index=False)
    expected = acc.relations(FRAME, replicates=0)["relation_presence"].value
    assert measured(path)["krippendorff_alpha"] == pytest.approx(expected, abs=1e-12)


def test_pairs_that_annotators_were_given_are_items(tmp_path):
    path = tmp_path / "pairs.csv"
    pairs = [("a", "b"), ("a", "c"), ("b", "c"), ("c", "d"), ("d", "a"), ("b", "d")]
    rows = [
        (*pair, who, DRAW.choice(["same", "other"])) for pair in pairs for who in ("ann", "ben")
    ]
    frame = pd.DataFrame(rows, columns=["head", "tail", "annotator", "label"])
    frame.to_csv(path, index=False)
    code, output = said("look", path)
    assert code == 0, output
    assert "an item is head + tail" in output
    assert "6 items with two labels or more" in output


def test_relations_are_sent_to_their_function(tmp_path):
    path = tmp_path / "relations.csv"
    FRAME.to_csv(path, index=False)
    for word in ("agree", "gamma"):
        code, output = said(word, path)
        assert code == 2
        assert "If the rows are relations from head to tail" in output
    for function in (acc.agreement, acc.gamma):
        with pytest.raises(ValueError, match=r"accordeur\.relations"):
            function(FRAME)


def test_ends_named_by_units_are_no_bounds(tmp_path):
    path = tmp_path / "relations.csv"
    names = ["document", "annotator", "from_unit", "to_unit", "category"]
    numbers = {"head": range(len(FRAME)), "tail": range(1, len(FRAME) + 1)}
    FRAME.assign(**numbers).set_axis(names, axis=1).to_csv(path, index=False)
    code, output = said("look", path)
    assert "accordeur gamma" not in output, (code, output)
