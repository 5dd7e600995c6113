"""Other libraries beside the interface: `make libraries` installs them all in their own place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import accordeur as acc

FIRST, SECOND = [1, 2, 3, 3, 1, 2, 2, 1], [1, 2, 3, 2, 2, 2, 1, 1]
ROWS = pd.DataFrame(
    {
        "item": [*range(8)] * 2,
        "annotator": ["ann"] * 8 + ["ben"] * 8,
        "label": [*map(str, FIRST + SECOND)],
    }
)
ALPHA = float(acc.krippendorff_alpha(FIRST, SECOND, replicates=0))


def test_a_measure_is_a_scorer_of_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    selection = pytest.importorskip("sklearn.model_selection")
    dummy = pytest.importorskip("sklearn.dummy")
    theirs = metrics.make_scorer(metrics.cohen_kappa_score)
    ours = metrics.make_scorer(acc.measure("cohen_kappa"), replicates=0)
    draw = np.random.default_rng(1)
    data = draw.normal(size=(90, 1)), draw.integers(0, 3, 90)
    model = dummy.DummyClassifier(strategy="stratified", random_state=2)
    scores = [selection.cross_val_score(model, *data, scoring=one, cv=3) for one in (ours, theirs)]
    assert scores[0] == pytest.approx(scores[1], abs=1e-12)


def test_values_are_drawn_on_axes_of_matplotlib() -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    figure, axes = pyplot.subplots()
    found = acc.agreement(ROWS, replicates=50)
    assert found.plot(ax=axes) is axes
    assert len(axes.get_yticks()) == len(found)
    pairs = acc.cohen_kappa(ROWS, by="pair")
    drawn = [one.get_text() for one in pairs.plot(ax=axes).get_yticklabels()]
    assert drawn == [*pairs.parts]
    pyplot.close(figure)


def alpha_of(data: Any) -> float:
    return float(acc.agreement(data, measures="krippendorff_alpha", replicates=0)[0])


def test_a_relation_of_duckdb_is_a_frame() -> None:
    duckdb = pytest.importorskip("duckdb")
    rows = ROWS  # noqa: F841 - DuckDB finds it by name
    relation = duckdb.sql("SELECT item, annotator, label FROM rows")
    assert alpha_of(relation) == pytest.approx(ALPHA, abs=1e-12)


def test_a_lazy_frame_of_polars_is_a_frame() -> None:
    pl = pytest.importorskip("polars")
    lazy = pl.from_pandas(ROWS).lazy().filter(pl.col("item") < 99)
    assert alpha_of(lazy) == pytest.approx(ALPHA, abs=1e-12)
    assert isinstance(acc.agreement(lazy, replicates=0).to_frame(), pl.DataFrame)


def test_a_dataset_of_hugging_face_says_what_to_write() -> None:
    datasets = pytest.importorskip("datasets")
    data = datasets.Dataset.from_pandas(ROWS)
    with pytest.raises(ValueError, match=r"to_pandas\(\)"):
        acc.agreement(data)
    assert alpha_of(data.to_pandas()) == pytest.approx(ALPHA, abs=1e-12)


def test_items_and_annotators_may_be_the_index() -> None:
    indexed = ROWS.set_index(["item", "annotator"])
    assert alpha_of(indexed) == pytest.approx(ALPHA, abs=1e-12)
    assert alpha_of(indexed["label"]) == pytest.approx(ALPHA, abs=1e-12)
