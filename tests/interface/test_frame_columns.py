"""Columns of frames are converted by their different values, as each value alone would be."""

from __future__ import annotations

import datetime
import decimal
import inspect
import pickle
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import accordeur as acc
from accordeur.interface.column_texts import (
    labels_as_text_column,
    names_as_text_column,
    sets_or_labels_as_column,
)
from accordeur.interface.frames import requested_columns
from accordeur.metrics.agreement.values_as_text import labels_as_text, names_as_text
from accordeur.metrics.errors import MetricsError
from tests.flows.in_process import found as printed

TEXTS = st.sampled_from(["a", "b", "", " a ", "1", "1.0", "NaN", "True", "É", "😀", "x\ny", "\0"])
VALUES = {
    "text": TEXTS,
    "integer": st.sampled_from([0, 1, -1, 2**53 + 1, 2**62]),
    "float": st.sampled_from([0.0, -0.0, 1.0, 0.1, 1e22, 2.5, float("nan"), -1e-7]),
    "boolean": st.booleans(),
}
OTHERS = st.sampled_from(
    [
        *(None, pd.NA, pd.NaT, float("inf"), 2**70, b"a", (), ("a", None), ["b"], {"a"}, {"a": 1}),
        *(np.int8(3), np.float32(0.1), np.bool_(True), np.str_("a"), np.array(["a"]), 1j),
        *(datetime.date(2026, 1, 1), decimal.Decimal(1), pd.Timestamp("2026-01-01")),
    ]
)
DTYPES = {
    "text": ["object", "string[python]", "string[pyarrow]", "category"],
    "integer": ["object", "Int64", "int64[pyarrow]", "category"],
    "float": ["object", "Float64", "float64", "float32", "category"],
    "boolean": ["object", "boolean", "bool[pyarrow]", "category"],
}


def result_of(convert: Any, *arguments: Any) -> Any:
    try:
        found = convert(*arguments)
    except (ValueError, TypeError, OverflowError) as error:
        return type(error), str(error)
    return list(found.to_pylist() if isinstance(found, pa.Array) else found)


def assert_as_one_by_one(frame: Any, values: list[Any]) -> None:
    cells = requested_columns(frame, {"x": "x"})[0]["x"]
    assert result_of(labels_as_text_column, cells) == result_of(labels_as_text, values)
    assert result_of(names_as_text_column, cells, "item") == result_of(
        names_as_text, values, "item"
    )


@given(st.data(), st.sampled_from([*VALUES]))
def test_columns_of_one_type(data: Any, kind: str) -> None:
    values = data.draw(st.lists(VALUES[kind] | st.none(), max_size=8))
    assert_as_one_by_one({"x": values}, values)
    frames = [pl.DataFrame({"x": pl.Series(values, strict=False)})]
    frames += [
        pa.table({"x": pa.array(values)}),
        pa.table({"x": pa.array(values).dictionary_encode()}),
    ]
    for dtype in DTYPES[kind]:
        if not (dtype.startswith("float") and None in values):
            frames.append(pd.DataFrame({"x": pd.Series(values, dtype=dtype)}))
    for frame in frames:
        assert_as_one_by_one(frame, nw.from_native(frame)["x"].to_list())


@given(st.lists(st.one_of(OTHERS, *VALUES.values()), max_size=6))
def test_columns_of_any_values(values: list[Any]) -> None:
    series = pd.Series(values, dtype=object)
    assert_as_one_by_one({"x": values}, values)
    assert_as_one_by_one(pd.DataFrame({"x": series}), series.to_list())
    assert_as_one_by_one([{"x": value} for value in values] or {"x": []}, values)


def test_unused_categories_are_no_values() -> None:
    series = pd.Series(pd.Categorical(["a", "b"], categories=["a", "b", float("inf")]))
    assert labels_as_text_column(
        requested_columns(pd.DataFrame({"x": series}), {"x": "x"})[0]["x"]
    ).to_pylist() == [
        "a",
        "b",
    ]


def test_categoricals_of_several_chunks_are_joined() -> None:
    first, second = (pl.Series("x", [name], dtype=pl.Categorical) for name in "ab")
    frame = pl.concat([first.to_frame(), second.to_frame()], rechunk=False)
    assert labels_as_text_column(requested_columns(frame, {"x": "x"})[0]["x"]).to_pylist() == [
        "a",
        "b",
    ]


def test_cells_with_several_labels_are_sets() -> None:
    cells = [["a", 1, None], np.array(["b"]), "c", None, ()]
    assert sets_or_labels_as_column(cells).to_pylist() == [["a", "1"], ["b"], ["c"], None, []]


def test_rejected_rows_have_their_number_in_the_frame() -> None:
    rows = [
        (1, "a", None),
        (1, "a", "x"),
        (1, "b", "x"),
        (1, "b", "y"),
        (2, "a", "x"),
        (2, "b", "x"),
    ]
    found = acc.agreement(rows, item=0, annotator=1, label=2, replicates=0)
    assert [(one.source, one.location) for one in found.rejected] == [
        ("data", "row 4"),
        ("data", "row 1"),
    ]


def test_no_function_writes_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: Any, **options: Any) -> None:
        raise AssertionError("a file was written")

    monkeypatch.setattr("pyarrow.parquet.write_table", refuse)
    monkeypatch.setattr("tempfile.mkdtemp", refuse)
    rows = [(i, a, a in "ab" or i % 2) for i in range(8) for a in "abc"]
    frame = pd.DataFrame(rows, columns=["item", "annotator", "label"])
    truth = frame[frame.annotator == "a"]
    acc.agreement(frame, replicates=0)
    acc.mistakes(frame, audited=truth.assign(label=0))
    acc.score(truth, {"s": truth}, item="item", label="label", document=None, replicates=0)
    acc.score(frame, {"s": truth}, item="item", label="label", document=None, soft="votes")


def test_names_of_columns_are_tuples_or_are_refused_if_they_repeat() -> None:
    frame = pd.DataFrame([(1, "a", "x"), (1, "b", "x")], columns=["item", "annotator", "label"])
    levels = frame.set_axis(pd.MultiIndex.from_product([["all"], frame.columns]), axis=1)
    named: Any = {name: ("all", name) for name in frame.columns}
    assert acc.agreement(levels, **named, replicates=0)[0].n_items == 1
    with pytest.raises(ValueError, match="'label' 2 times"):
        acc.agreement(pd.concat([frame, frame[["label"]]], axis=1))


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_items_of_a_column_document_are_items_of_their_documents(library: Any) -> None:
    """As the command reads the same table; item 1 of two documents is no repeated item."""
    columns = {
        "document": ["d1"] * 4 + ["d2"] * 4,
        "item": [1, 1, 2, 2] * 2,
        "annotator": ["a", "b"] * 4,
        "label": ["x", "x", "y", "y", "y", "x", "x", "x"],
    }
    data = library(columns)
    values = acc.agreement(data)
    assert (values["percent_agreement"].value, values["percent_agreement"].n_items) == (0.75, 4)
    named = library({"text" if key == "document" else key: one for key, one in columns.items()})
    assert acc.agreement(named, document="text")["percent_agreement"].value == 0.75
    assert len(acc.consensus(data, label="label").data) == 4


def test_a_consensus_takes_columns_of_other_names() -> None:
    rows = [
        (f"t{i}", who, "pq"[(i + k) % 5 == 0]) for i in range(20) for k, who in enumerate("xyz")
    ]
    frame = pd.DataFrame(rows, columns=["tweet", "worker", "stance"])
    named = frame.set_axis(["item", "annotator", "label"], axis=1)
    found = acc.consensus(frame, item="tweet", annotator="worker", label="stance")
    own = {"item": "tweet", "label": "stance"}
    assert found.to_frame().equals(acc.consensus(named).to_frame().rename(columns=own))
    split = frame.assign(page="p", line=frame.tweet)
    joined = acc.consensus(split, item=["page", "line"], annotator="worker", label="stance")
    assert [*joined.data.stance] == [*found.data.stance]


def test_items_of_results_have_the_names_and_numbers_of_the_data() -> None:
    rows = [(i, who, (i + (who == "z" and i % 4 == 0)) % 2) for i in range(12) for who in "wxyz"]
    frame = pd.DataFrame(rows, columns=["tweet", "worker", "answer"])
    named = {"item": "tweet", "annotator": "worker", "label": "answer"}
    for found in (
        acc.consensus(frame, rule="majority", **named),
        acc.mistakes(frame, at_least=0.01, **named),
        acc.soft_labels(frame, replicates=0, **named),
        acc.next_labels(frame[:-2], budget=2, **named),
    ):
        shown = found.to_frame()
        assert len(frame.merge(shown, on="tweet")) > 0
        assert "tweet" in str(found)
        assert "document" not in shown


def test_ties_are_decided_by_the_annotator_who_is_named() -> None:
    rows = {"item": [1, 1, 2, 2], "annotator": [*"abab"], "label": ["x", "y", "x", "x"]}
    found = acc.consensus(rows, rule="majority", ties="b")
    assert [*found.data["label"]] == ["y", "x"]
    assert "1 ties decided by an annotator" in str(found)
    with pytest.raises(MetricsError, match="no annotator 'c'"):
        acc.consensus(rows, rule="majority", ties="c")


def test_a_coefficient_of_a_table_warns_as_agreement_does() -> None:
    rows = pd.DataFrame(
        [
            (f"i{i}", who, "Yes" if i % 3 else ("yes" if who == "a" else "no"))
            for i in range(9)
            for who in "ab"
        ],
        columns=["item", "annotator", "label"],
    )
    value = acc.cohen_kappa(rows)
    assert value == acc.cohen_kappa(*(rows[rows.annotator == who].label for who in "ab"))
    assert any("'Yes', 'yes'" in one for one in value.warnings)
    wide = rows.pivot(index="item", columns="annotator", values="label").reset_index()
    assert (
        acc.cohen_kappa(wide.rename_axis(columns=None).rename(columns={"item": "text_id"})) == value
    )
    assert acc.confusion_matrix(rows)["Yes", "Yes"] == 6
    assert acc.confusion_matrix(rows).to_frame().loc["yes", "no"] == 3


def test_series_with_one_index_in_another_order_are_not_compared_by_position() -> None:
    one = pd.Series([*"xyxyxx"], index=[*"abcdef"])
    for call in (acc.cohen_kappa, acc.score, acc.confusion_matrix):
        with pytest.raises(MetricsError, match=r"reindex\(first.index\)"):
            call(one, one[::-1])


def test_a_score_by_its_name_is_of_each_system() -> None:
    found = acc.score([*"xyxy"], {"one": [*"xyxy"], "two": [*"xxxx"]}, replicates=0)
    assert [*map(float, found["accuracy"])] == [1, 0.5]
    assert found["accuracy"]["two"].value == 0.5
    assert found["one", "macro_f1"].measure == found["one"]["f1_macro"].measure == "macro_f"
    with pytest.raises(KeyError, match="did you mean macro_f"):
        _ = found["macro_f5"]


def test_every_measure_is_a_function_of_its_name() -> None:
    units = {
        "document": [*"ddee"],
        "annotator": [*"abab"],
        "start": [0, 0, 2, 3],
        "end": [5, 5, 9, 9],
    }
    found = acc.pairwise_f(units, category=None)
    assert found.value == acc.gamma(units, category=None, measure="pairwise_f").value
    assert "measure" not in inspect.signature(acc.pairwise_f).parameters
    assert pickle.loads(pickle.dumps(acc.fleiss_kappa)) is acc.fleiss_kappa
    assert "Fleiss 1971" in str(acc.fleiss_kappa.__doc__)


@pytest.mark.parametrize("n_rows", [12, 3000])
def test_a_frame_accounts_for_rows_without_a_label_as_a_file_does(
    tmp_path: Path, n_rows: int
) -> None:
    """The mark of a missing label is excluded, an empty cell rejected; no row is lost."""
    path = tmp_path / "labels.csv"
    cells = ["x", "y", "x", "", "?", "y"] * (n_rows // 6)
    rows = [(f"i{k // 2}", "ab"[k % 2], cell) for k, cell in enumerate(cells)]
    frame = pd.DataFrame(rows, columns=["item", "annotator", "label"])
    frame.to_csv(path, index=False)
    of_file = acc.agreement(path, replicates=0)
    of_frame = acc.agreement(pd.read_csv(path), replicates=0)
    assert of_frame.rows == of_file.rows
    assert of_frame.rows.rejected == {"empty_value": n_rows // 6}
    assert of_frame.rejected[0].location == of_file.rejected[0].location.replace("line 5", "row 4")
    assert any("`keep_default_na=False`" in one for one in of_frame.warnings)
    counted = printed("agree", path, "--option", "missing=?", "--replicates", "0")["rows"]
    assert counted["n_read"] == n_rows
    assert counted["excluded"]["empty_answer"] == n_rows // 6
