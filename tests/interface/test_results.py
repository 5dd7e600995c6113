"""What every result can do: become a frame, JSON, Markdown, LaTeX, and itself again."""

from __future__ import annotations

import math
import pickle
import re
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import accordeur as acc
from accordeur.metrics.errors import MetricsError

rng = np.random.default_rng(4)
TRUTH = rng.choice(["a", "b_&", "c"], 30)
ROWS = pd.DataFrame(
    [
        (f"i{item}", who, label if rng.random() < good else rng.choice(["a", "b_&", "c"]))
        for who, good in (("ann", 0.9), ("ben", 0.8), ("eve", 0.7))
        for item, label in enumerate(TRUTH)
    ],
    columns=["item", "annotator", "label"],
)
FAST: dict[str, Any] = {"replicates": 50}


def values() -> acc.Values:
    return acc.agreement(ROWS, **FAST)


@pytest.mark.parametrize(
    "found",
    [
        values(),
        acc.agreement(ROWS, by="pair", **FAST),
        acc.modification_rate(ROWS, **FAST),
        acc.agreement({"item": [1, 1], "annotator": ["a", "b"], "label": ["x", "x"]}, **FAST),
    ],
    ids=["coefficients", "pairs", "k", "undefined"],
)
def test_values_are_the_same_again(found: acc.Values) -> None:
    again = acc.Values.from_json(found.to_json())
    assert again == found
    assert pickle.loads(pickle.dumps(found)) == found
    assert repr(again) == repr(found)
    assert again.to_frame().equals(found.to_frame())
    assert again != values()[:1]


def test_a_value_is_the_same_again_and_names_its_bounds() -> None:
    value = values()["krippendorff_alpha"]
    again = acc.Value.from_dict(value.to_dict())
    assert (again, again.interval, again.signature, again.detail) == (
        value, value.interval, value.signature, value.detail,
    )  # fmt: skip
    assert pickle.loads(pickle.dumps(value)) == value
    assert value.interval == (value.interval.low, value.interval.high)
    assert value.interval.low < value < value.interval.high
    assert 0 < value.standard_error < 0.3
    assert math.isnan(acc.krippendorff_alpha([[1, 2], [1, 1]], replicates=0).standard_error)


RESULTS = {
    "values": values,
    "value": lambda: values()[0],
    "comparison": lambda: acc.compare(ROWS, ROWS[ROWS.annotator != "eve"], **FAST),
    "consensus": lambda: acc.consensus(ROWS),
    "mistakes": lambda: acc.mistakes(ROWS, at_least=0.1),
    "scores": lambda: acc.score(
        ROWS[ROWS.annotator == "ann"], {"ben": ROWS[ROWS.annotator == "ben"]}, **FAST
    ),
    "soft": lambda: acc.soft_labels(ROWS, **FAST),
    "replacement": lambda: acc.replacement(ROWS, systems="eve", **FAST),
}


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_is_a_table_in_three_texts(name: str) -> None:
    found: Any = RESULTS[name]()
    frame = found.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert "signature" not in frame
    lines = found.to_markdown().splitlines()
    assert len(lines) == len(frame) + 2
    assert len({one.replace(r"\|", "").count("|") for one in lines}) == 1
    latex = found.to_latex()
    assert latex.startswith(r"\begin{tabular}")
    assert latex.count(r"\\") == len(frame) + 1
    assert not re.search(r"(?<!\\)[_%#]", latex)
    again = pd.read_csv(__import__("io").StringIO(found.to_csv()))
    assert len(again) == len(frame)
    assert {*again} <= {*map(str, frame)}


def test_a_frame_is_of_the_library_of_the_data() -> None:
    found = acc.agreement(pl.DataFrame(ROWS.to_dict("list")), **FAST)
    assert isinstance(found.to_frame(), pl.DataFrame)
    assert found.to_markdown() == values().to_markdown()


def test_a_notebook_shows_at_most_900_pixels() -> None:
    assert "max-width: 900px" in values()._repr_html_()


@pytest.mark.parametrize("call", [acc.compare, acc.score], ids=["compare", "score"])
def test_results_are_no_data(call: Any) -> None:
    with pytest.raises(MetricsError, match="is a result, not data: give the rows"):
        call(values(), values())
