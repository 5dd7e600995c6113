"""Awkward input of notebooks: read in the one way that is certain, or refused in one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import accordeur as acc
from accordeur.metrics.errors import MetricsError
from tests.flows.command_line import accordeur

ROWS = [("a", 1, 0), ("b", 1, 0), ("a", 2, 1), ("b", 2, 0), ("a", 3, 1), ("b", 3, 1)]
FRAME = pd.DataFrame(ROWS, columns=["annotator", "item", "label"])
WIDE = FRAME.pivot(index="item", columns="annotator", values="label")
UNITS = pd.DataFrame(
    [(d, a, 0, 5, "x") for d in "de" for a in "ab"] + [(d, "a", 9, 12, "y") for d in "de"],
    columns=["document", "annotator", "start", "end", "category"],
)


def alpha(data: Any, **options: Any) -> float:
    found = acc.agreement(data, measures="krippendorff_alpha", replicates=0, **options)
    return float(found[0])


@pytest.mark.parametrize(
    "data",
    [
        {name: FRAME[name].to_numpy() for name in FRAME},
        FRAME.to_records(index=False),
        FRAME.to_dict("records"),
        pa.Table.from_pandas(FRAME),
        FRAME.astype({"label": "Int64"}),
        FRAME.assign(label=[[one] for one in FRAME.label]),
    ],
)
def test_arrays_are_read_as_frames_are(data: Any) -> None:
    assert alpha(data) == alpha(FRAME)


@pytest.mark.parametrize("order", [np.array([0, 1]), pd.Index([0, 1])])
def test_the_order_may_be_an_array(order: Any) -> None:
    assert alpha(FRAME, categories=order) == alpha(FRAME)


def test_a_string_beside_lists_is_one_label() -> None:
    mixed = FRAME.assign(label=["ab", ["ab"], ["x"], "ab", "x", ["x"]])
    assert alpha(mixed) == alpha(FRAME.assign(label=["ab", "ab", "x", "ab", "x", "x"]))
    missing = FRAME.assign(label=[["x"], ["x"], ["y"], float("nan"), ["y"], ["y"]])
    assert acc.agreement(missing, replicates=0)[0].n_items == 2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: alpha({"item": [1, 2], "annotator": [*"ab"], "label": [1]}), "differ in length"),
        (lambda: alpha([]), "no rows"),
        (lambda: alpha({}), "no columns"),
        (lambda: alpha([*ROWS, ("a", 9)], annotator=0, item=1, label=2), "row 6 has 2 values"),
        (lambda: alpha(FRAME.assign(item=[1, 2, None, 3, 4, 5])), "row 2 .* has no item"),
        (lambda: alpha(FRAME.set_index("item")), "reset_index"),
        (lambda: alpha(FRAME, scale=np.eye(2)), "no scale"),
        (lambda: alpha(FRAME, seed=None), "seed is None: it must be a whole number"),
        (lambda: alpha(FRAME, seed=-1), "seed is -1: it must be at least 0"),
        (lambda: acc.agreement(FRAME, replicates=10.5), "replicates is 10.5"),  # type: ignore[arg-type]
        (lambda: alpha(FRAME, categories=[0, 1, 1]), "'1' occurs twice"),
        (
            lambda: acc.coefficient("bennett_s", WIDE, rows="items", categories=[0, 1, 1]),
            "'1' occurs twice",
        ),
        (
            lambda: acc.krippendorff_alpha([[{1}, {2}], [{1}, {2}]], rows="items"),
            "are read by agreement",
        ),
        (lambda: acc.repeatability(FRAME, pass_="p"), "pass_="),
        (lambda: acc.gamma(UNITS, start=None), "units need a column for start"),  # type: ignore[arg-type]
        (lambda: acc.gamma(UNITS, seed=None), "seed is None"),
        (lambda: acc.next_labels(FRAME, seed=None), "seed is None"),  # type: ignore[arg-type]
        (
            lambda: acc.score(FRAME, {}, item="item", label="label"),
            "give systems={name: data}",
        ),
        (lambda: acc.scales(FRAME.assign(label="x")), "^the ratings must be numbers"),
    ],
)
def test_refusals_name_the_cause(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_gamma_shows_rejected_rows_and_warnings() -> None:
    empty = UNITS.assign(end=[0, *UNITS.end[1:]])
    shown = acc.gamma(empty, replicates=0)
    assert "1 rejected" in repr(shown)
    assert "1 rejected" in shown._repr_html_()
    assert "b (1)" in repr(acc.gamma(UNITS.drop(index=3), replicates=0))
    assert "\n" not in f"{shown:.2f}"


def test_numbers_of_annotators_may_be_one_number() -> None:
    ratings = pd.DataFrame(
        [(i, a, i + k) for i in range(6) for k, a in enumerate("abcd")],
        columns=["item", "annotator", "label"],
    )
    assert acc.g_study(ratings, annotators=3)[0].detail.k == 3
    [one] = acc.k_rater_reliability(ratings, annotators=2, replicates=0)
    assert one.detail.k == 2
    assert "k = 3.79]" in repr(acc.icc(ratings.drop(index=0))[0])  # the harmonic mean, rounded


def test_the_frame_of_limits_of_agreement_has_the_limits() -> None:
    found = acc.limits_of_agreement(FRAME)
    [row] = found.to_frame().to_dict("records")
    assert (row["lower_limit"], row["upper_limit"]) == (
        found[0].detail.lower,
        found[0].detail.upper,
    )
    assert row["lower_limit"] != row["lower"]
    assert "lower_limit" not in acc.agreement(FRAME, replicates=0).to_frame()


def test_a_group_of_one_is_named_as_the_reason() -> None:
    three = pd.concat([FRAME, FRAME[FRAME.annotator == "a"].assign(annotator="c")])
    found = acc.cross_replication(three, groups=[["a"], ["b", "c"]], replicates=0)
    assert "single annotator" in str(found["normalized_cross_replication"].reason)


def test_warnings_name_keyword_arguments() -> None:
    numbers = FRAME.assign(label=range(10, 16))
    shown = repr(acc.agreement(numbers, replicates=0))
    assert '`distance="interval"`' in shown


def test_limits_of_agreement_of_two_lists_are_those_of_their_columns_and_are_printed() -> None:
    first, second = [1, 2, 3, 4, 5, 2], [1, 3, 3, None, 4, 2]
    lists = acc.limits_of_agreement(first, second)[0]
    columns = acc.limits_of_agreement({"ann": first, "ben": second})[0]
    assert (lists.value, lists.detail.upper) == (columns.value, columns.detail.upper)
    assert f"limits of agreement [{lists.detail.lower:.3f}, {lists.detail.upper:.3f}]" in str(lists)


def test_the_index_of_a_table_of_counts_is_no_category() -> None:
    counts = pd.DataFrame({"item": [*"pqr"], "x": [2, 0, 1], "y": [0, 2, 1]}, index=[5, 6, 9])
    found = acc.agreement(counts, annotator=None, replicates=0)
    assert found[0] == acc.agreement(counts.reset_index(drop=True), annotator=None, replicates=0)[0]
    assert found["percent_agreement"].value == pytest.approx(2 / 3)


def test_whole_numbers_that_pandas_wrote_with_decimals_are_the_same_labels(tmp_path: Path) -> None:
    """A column with a missing cell holds 3.0 beside columns with 3, in a file and as texts."""
    wide = pd.DataFrame(
        {"item": [*"abcdef"], "ana": [1, 2, 3, 4, 5, 3], "ben": [1, 2, 4, 4, 5, None]}
    )
    path = tmp_path / "ratings.csv"
    wide.to_csv(path, index=False)
    assert "3,4.0" in path.read_text(encoding="utf-8")
    texts = pd.read_csv(path, dtype=str)
    columns = {"item": "item", "annotator": ["ana", "ben"], "distance": "ordinal"}
    numbers = acc.agreement(wide, **columns)["krippendorff_alpha"]
    assert acc.agreement(texts, **columns)["krippendorff_alpha"] == numbers
    alone = acc.krippendorff_alpha(texts[["ana", "ben"]], distance="ordinal")
    assert float(alone) == pytest.approx(float(numbers), abs=1e-12)
    done = accordeur("agree", path, "--wide", "--item", "item", "--distance", "ordinal", "--json")
    found = {one["measure"]: one["value"] for one in json.loads(done.stdout)["results"]}
    assert found["krippendorff_alpha"] == pytest.approx(float(numbers), abs=1e-12)


def test_options_of_a_format_are_refused_beside_a_frame() -> None:
    units = pd.DataFrame({"document": ["d"], "annotator": ["a"], "start": [0], "end": [1]})
    with pytest.raises(MetricsError, match='length="COLUMN"'):
        acc.gamma(units, options={"length": "len"})
