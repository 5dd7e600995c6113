"""The JSON stream: arrays over a small window, JSON lines, encodings, damage."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.data.errors import DataError
from accordeur.data.readers.common.files import json_stream
from accordeur.data.readers.common.files.json_stream import first_object, iter_objects
from accordeur.data.readers.common.span_rules import Problem

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)
OBJECTS = st.lists(st.dictionaries(st.text(max_size=4), VALUES, max_size=4), max_size=6)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("ascii_only", [True, False])
@settings(max_examples=40)
@given(objects=OBJECTS, indent=st.sampled_from([None, 1]))
def test_an_array_comes_back_whatever_the_window(encoding, ascii_only, objects, indent) -> None:
    text = json.dumps(objects, ensure_ascii=ascii_only, indent=indent)
    window, json_stream._WINDOW = json_stream._WINDOW, 3  # bytes at a time: every cut is met
    try:
        found = list(iter_objects(text.encode(encoding)))
    finally:
        json_stream._WINDOW = window
    assert [value for _, value in found] == objects
    assert [where for where, _ in found] == [f"element {k + 1}" for k in range(len(objects))]


@pytest.mark.long
@settings(max_examples=40)
@given(objects=st.lists(st.dictionaries(st.text(max_size=4), VALUES, min_size=1), min_size=1))
def test_lines_come_back(objects) -> None:
    text = "\r\n".join(json.dumps(each) for each in objects)
    assert [value for _, value in iter_objects(text.encode())] == objects


def test_a_damaged_array_keeps_what_came_before() -> None:
    for rest in ("{}, oops]", "{} {}]", "{", '{"a": "', "{}", "", "]"):
        found = [v for _, v in iter_objects(f'[{{"a": 1}}, {{"b": 2}}, {rest}'.encode())]
        assert found[:2] == [{"a": 1}, {"b": 2}]
        assert isinstance(found[-1], Problem)
        assert found[-1].rule == "bad_json"
    found = [v for _, v in iter_objects(b'[{"a": 1}, {"b": "\xff"}, {"c": 1}]')]
    assert found[-1].rule in ("undecodable", "bad_json")


def test_what_is_not_json() -> None:
    for data in (b"", b"  ", b"name,age", b"\x89PNG"):
        with pytest.raises(DataError):
            list(iter_objects(data))
        assert first_object(data) is None


def test_memory_does_not_grow_with_the_array(tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    element = json.dumps({"id": 1, "data": {"text": "x" * 2000}})
    with path.open("w") as stream:
        stream.write("[" + ",".join([element] * 10_000) + "]")  # 20 MB
    tracemalloc.start()
    count = sum(1 for _ in iter_objects(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 10_000
    assert peak < 4_000_000
