"""Estimates of a campaign without an audit that is known to be random; drift of a system."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from accordeur.data.store.store import Store
from accordeur.metrics.prevalence.judge_drift import judge_drift_p_value
from accordeur.metrics.prevalence.prevalence_options import PrevalenceOptions
from accordeur.tasks.analysis import Counted
from accordeur.tasks.layers import LayerSpec
from accordeur.tasks.node import Outcome
from accordeur.tasks.prevalence.estimates_of_run import EstimateAnalysis

LAYER = LayerSpec("mood", "items", ("bad", "good"), ("ana",), ("tagger",))


@pytest.mark.parametrize(("label", "code"), [(0, "audit_not_random"), (-1, "audit_empty")])
def test_an_audit_that_is_not_known_to_be_random_is_a_warning(
    tmp_path: Path, label: int, code: str
) -> None:
    store = Store(str(tmp_path))
    codes = pa.array([label, -1, -1], pa.int8())
    table = {"document": ["d"] * 3, "item": list("123"), "code_0": codes}
    store.write_table("here/codes.parquet", pa.table({**table, "code_1": [0, 1, 1]}))
    analysis = EstimateAnalysis(LAYER, PrevalenceOptions(), drawn=())
    found = analysis.summarise(store, [Counted("mood", "key", Outcome("here", ""))])
    assert found.estimates == []
    assert [one.code for one in found.alerts] == [code]


@pytest.mark.parametrize("by_document", [False, True])
def test_drift_is_found_where_a_system_gets_worse_and_only_there(by_document: bool) -> None:
    rng = np.random.default_rng(4)
    document = np.arange(200) // 4
    part = (document >= 25).astype(np.int64)
    human = rng.choice(3, 200, p=[0.6, 0.25, 0.15])
    documents = document if by_document else None

    def p_value(*right: float) -> float:
        is_right = rng.random(200) < np.array(right)[part]
        given = np.where(is_right, human, (human + 1) % 3)
        return judge_drift_p_value(given, human, part, documents=documents)

    assert p_value(0.95, 0.5) == 0.001
    assert p_value(0.8, 0.8) > 0.05


@pytest.mark.parametrize("by_document", [False, True])
def test_names_change_no_test_of_drift(by_document: bool) -> None:
    rng = np.random.default_rng(1)
    given, document = rng.integers(0, 3, 60), rng.integers(0, 15, 60)
    human = np.where(rng.random(60) < 0.7, given, rng.integers(0, 3, 60))
    items, labels, parts, names = map(rng.permutation, (60, 3, 3, 15))
    one = judge_drift_p_value(
        given, human, document % 3, documents=document if by_document else None
    )
    two = judge_drift_p_value(
        labels[given][items],
        labels[human][items],
        parts[document % 3][items],
        documents=names[document][items] if by_document else None,
    )
    assert one == two
