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
from accordeur.interface.result import Result
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
    assert math.isnan(acc.krippendorff_alpha([1, 2], [1, 1], replicates=0).standard_error)


UNITS = pd.DataFrame(
    [
        (f"d{d}", who, start, start + 4 + k % 2, "PER" if (start + d) % 3 else "LOC")
        for d in range(3)
        for k, who in enumerate(("ann", "ben"))
        for start in range(d, 40, 9)
    ],
    columns=["document", "annotator", "start", "end", "category"],
)
GOOD = {"ann": ROWS[ROWS.annotator == "ann"], "ben": ROWS[ROWS.annotator == "ben"]}
RESULTS = {
    "values": values,
    "value": lambda: values()[0],
    "gamma": lambda: acc.gamma(UNITS, max_samples=30, **FAST),
    "alignment": lambda: acc.gamma(UNITS, max_samples=30, replicates=0).alignment("d1"),
    "comparison": lambda: acc.compare(ROWS, ROWS[ROWS.annotator != "eve"], **FAST),
    "consensus": lambda: acc.consensus(ROWS),
    "mistakes": lambda: acc.mistakes(ROWS, at_least=0.1),
    "scores": lambda: acc.score(GOOD["ann"], {"ben": GOOD["ben"]}, **FAST),
    "soft": lambda: acc.soft_labels(ROWS, **FAST),
    "groups": lambda: acc.compare_groups(
        pd.concat([ROWS, ROWS.assign(annotator=ROWS.annotator + "2")]),
        {"from": {f"{name}{k}": f"group {k}" for name in ("ann", "ben", "eve") for k in ("", 2)}},
        permutations=9, **FAST,
    ),
    "replacement": lambda: acc.replacement(ROWS, systems="eve", **FAST),
    "judge": lambda: acc.judge(ROWS, judges="eve", **FAST),
    "estimate": lambda: acc.estimate(ROWS, systems="eve", audit_is_random=True),
    "plan": lambda: acc.plan(ROWS, annotators=(2, 3)),
    "next": lambda: acc.next_labels(ROWS[:75], budget=4),
    "distances": lambda: acc.category_distances(ROWS),
    "confusion": lambda: acc.confusion_matrix(TRUTH, TRUTH[::-1]),
    "concordance": lambda: acc.kendall_w([[1, 1], [2, 3], [3, 2]], rows="items", permutations=99),
    "repeatability": lambda: acc.repeatability(
        {
            "item": [1, 1, 2, 2], "annotator": ["a"] * 4,
            "label": [1.0, 2.0, 4.0, 4.5], "n": [1, 2, 1, 2],
        },
        pass_="n",
    ),
    "measures": acc.measures,
}  # fmt: skip


@pytest.fixture(scope="module", params=RESULTS)
def result(request: pytest.FixtureRequest) -> Any:
    return RESULTS[request.param]()


def test_every_result_is_itself_again(result: Any) -> None:
    for again in (
        type(result).from_dict(result.to_dict()),
        type(result).from_json(result.to_json()),
        pickle.loads(pickle.dumps(result)),
    ):
        assert again == result
        assert type(again) is type(result)
        assert repr(again) == repr(result)
        assert again.to_frame().to_csv() == result.to_frame().to_csv()
    assert result != values()[:1]


def test_every_result_says_what_it_is(result: Any) -> None:
    assert isinstance(result, Result)
    assert repr(result)
    assert "max-width: 900px" in result._repr_html_()
    with pytest.raises(ValueError, match=r"not the content|an estimate"):
        type(result).from_dict({"result": "Nothing"})


def test_no_result_of_json_is_of_another_class() -> None:
    given = {"result": "Values", "_values": {"object": ["flows.cli.app", {}]}}
    with pytest.raises(ValueError, match=r"there is no result .flows\.cli\.app."):
        acc.Values.from_dict(given)
    with pytest.raises(ValueError, match="not written by"):
        acc.Values.from_dict({"result": "Values", "_values": {"call": ["os.system", "ls"]}})


class _Axes:
    """What plots need of the axes of matplotlib."""

    def __init__(self) -> None:
        self.drawn: list[str] = []

    def __getattr__(self, name: str) -> Any:
        self.drawn.append(name)
        return lambda *_, **__: None


def test_every_result_is_drawn_on_axes(result: Any) -> None:
    axes = _Axes()
    assert result.plot(ax=axes) is axes
    assert axes.drawn


def test_every_result_is_a_table_in_three_texts(result: Any) -> None:
    found = result
    frame = found.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert "signature" not in frame
    lines = Result.to_markdown(found).splitlines()  # of a judge there is more
    assert len(lines) == len(frame) + 2
    assert len({one.replace(r"\|", "").count("|") for one in lines}) == 1
    latex = found.to_latex()
    assert latex.startswith(r"\begin{tabular}")
    assert latex.count(r"\\") == len(frame) + 1
    assert not re.search(r"(?<!\\)[_%#]", latex)
    again = pd.read_csv(__import__("io").StringIO(found.to_csv()))
    assert len(again) == len(frame)
    assert {*again} <= {*map(str, frame.reset_index())}


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


def test_open_items_of_a_consensus_are_rows_without_a_label_and_the_rule_is_printed() -> None:
    rows = {"item": [1, 1, 2, 2], "annotator": [*"abab"], "label": ["x", "x", "x", "y"]}
    found = acc.consensus(rows, rule="majority")
    assert [one or None for one in found.to_frame("pyarrow")["label"].to_pylist()] == ["x", None]
    assert found.to_csv().splitlines()[-1].startswith("2,,")
    assert str(found).startswith("majority (votes; ties are open): 1 resolved, 1 open")


def test_scores_are_printed_by_category_with_the_differences_of_systems() -> None:
    reference = [*"xyxyxyxyxy"]
    systems = {"good": [*"xyxyxyxyxx"], "poor": [*"xxxxxxyyyy"]}
    found = acc.score(reference, systems)
    assert "by category" in str(found)
    assert "paired differences: good − poor" in str(found)
    assert "observed_agreement" not in str(found)
    only = acc.score(reference, systems, by="category")
    assert {*only.to_frame()["category"]} == {"x", "y"}
    assert "(baseline)" not in str(only)
    assert found["good", "x"]["f"].value == pytest.approx(10 / 11)


def test_a_plan_names_items_where_there_are_no_documents() -> None:
    found = acc.plan(ROWS, annotators=(2, 3))
    assert "documents" not in str(found)
    assert found.sentence in str(found)
    assert (len(found.spending), len(found.detection)) == (0, 0)


def test_a_plan_has_what_a_budget_buys_and_what_finds_an_effect() -> None:
    found = acc.plan(ROWS, annotators=(2, 3), budget=300, cost_per_label=2, null=0.1)
    assert all(row.cost <= 300 for row in found.spending)
    [two, three] = found.detection
    assert (two.campaigns, two.annotators) == (1, 2)
    value = acc.krippendorff_alpha(ROWS, replicates=0).value
    assert three.effect == pytest.approx(value - 0.1)
    of_two = acc.plan(ROWS, annotators=3, difference=0.2, power=0.9).detection
    assert [(row.effect, row.campaigns) for row in of_two] == [(0.2, 2)]
    assert "documents" not in str(found)
    assert acc.from_json(found.to_json()) == found


def test_two_files_of_labels_with_other_names_are_compared_item_by_item(tmp_path):
    for name, labels in (("one", "xyxyxx"), ("two", "xxxyyy")):
        rows = [f"{k},{who},{label}" for k, label in enumerate(labels) for who in "ab"]
        (tmp_path / f"{name}.csv").write_text("\n".join(["item,annotator,label", *rows]))
    first, second = tmp_path / "one.csv", tmp_path / "two.csv"
    of_read = acc.compare(acc.read(first), acc.read(second), replicates=0)
    assert [one.n_items for one in acc.compare(first, second, replicates=0)] == [
        one.n_items for one in of_read
    ]
