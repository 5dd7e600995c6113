"""doccano by blocks says what it says line by line, whatever the lines hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accordeur.data.blocks import Block
from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.common import batching
from accordeur.data.readers.doccano import READER
from accordeur.data.schema import Rejected, Unit
from tests.data.readers.both_ways import read_both_ways

RELAXED = settings(
    deadline=None, max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
GOOD = {"id": 0, "text": "a😀b", "label": [[0, 1, "X"], [1, 3, "É"]]}
NUMBERS = st.sampled_from([0, 1, 2, 3, 4, -1, 1.0, "2", True, None, 2**70, 2**61])
SPANS = st.one_of(
    st.tuples(NUMBERS, NUMBERS, st.sampled_from(["X", "", "É😀", 7, None, ["X"]])).map(list),
    st.tuples(st.just(0), st.integers(1, 4), st.sampled_from(["X", "Y"])).map(list),
    st.sampled_from(["X", [0, 1], 3, None, {"start_offset": 0, "end_offset": 1, "label": "X"}]),
)
LINES = st.one_of(
    st.just(GOOD),
    st.fixed_dictionaries(
        {"text": st.sampled_from(["abc", "a😀b", "", 3])},
        optional={
            "id": st.sampled_from([1, "x", None, "", 1.5, True]),
            "label": st.lists(SPANS, max_size=3) | st.none(),
            "labels": st.lists(SPANS, max_size=2),
            "cats": st.just(["Z"]),
            "annotations": st.just([{"user": 3, "start_offset": 0, "end_offset": 1, "label": "X"}]),
        },
    ),
).map(json.dumps) | st.sampled_from(["{", "[1]", "", "null"])


@pytest.fixture
def small_batches(monkeypatch):
    monkeypatch.setattr(batching, "_ENTRIES", 5)
    monkeypatch.setattr(batching, "_FEW", 2)


@RELAXED
@given(
    lines=st.lists(LINES, max_size=14),
    extra=st.sampled_from([{}, {"empty": "finished"}, {"offsets": "utf16"}]),
    annotator=st.sampled_from([None, "zoé"]),
)
def test_both_ways(tmp_path, small_batches, lines, extra, annotator):
    path = tmp_path / "anna.jsonl"
    path.write_text("\n".join([json.dumps(GOOD), *lines]))
    read_both_ways(path, "doccano", SourceOptions(annotator=annotator, extra=extra))


def test_plain_lines_make_blocks_around_a_bad_one(tmp_path: Path):
    lines = [{"id": k, "text": "abc", "label": [[0, 2, "X"]] * (k % 3)} for k in range(600)]
    lines[300]["label"] = [[2, 1, "X"]]
    path = tmp_path / "anna.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    rows = list(READER.read_blocks(path, SourceOptions()))
    blocks = [row for row in rows if isinstance(row, Block) and row.TABLE == "units"]
    singly = [row for row in rows if isinstance(row, Unit)]
    assert sum(map(len, blocks)) + len(singly) == 600
    assert len(singly) < 16
    assert [(r.where, r.rule) for r in rows if isinstance(r, Rejected)] == [
        ("line 301", "end_before_start")
    ]
    read_both_ways(path, "doccano", SourceOptions())
