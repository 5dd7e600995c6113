"""Label Studio by blocks says what it says task by task, whatever the tasks hold."""

from __future__ import annotations

import copy
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accordeur.data.blocks import Block
from accordeur.data.errors import DataError
from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.common import batching
from accordeur.data.readers.common.files.text import Utf16Offsets
from accordeur.data.readers.label_studio.reader import READER
from accordeur.data.schema import Rejected, Unit
from tests.data.readers.both_ways import read_both_ways

RELAXED = settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
TEXT = "a😀b\n👑c"


def region(start: int, end: int, id: str = "r", text: str = TEXT) -> dict[str, Any]:
    """A region of code points as the tool exports it."""
    first, last = Utf16Offsets(text).from_code_points([start, end]).tolist()
    value = {"start": first, "end": last, "text": text[start:end], "labels": ["X"]}
    return {"id": id, "type": "labels", "from_name": "label", "to_name": "text", "value": value}


def plain(k: int, *regions: dict[str, Any]) -> dict[str, Any]:
    annotation = {"completed_by": 1, "result": list(regions), "updated_at": "2024-01-01T00:00:00Z"}
    return {"id": k, "data": {"text": TEXT}, "annotations": [annotation], "predictions": []}


# where in a task something else may stand, and what
CHANGES = st.sampled_from(
    [
        (["annotations", 0, "result", 0, "value", "start"], [-1, 2, 1.0, 0.5, "0", None, 2**70]),
        (["annotations", 0, "result", 0, "value", "end"], [0, 2, 3, 99, True]),
        (["annotations", 0, "result", 0, "value", "text"], ["", "b\\n", "other", None, "a 😀"]),
        (["annotations", 0, "result", 0, "value", "labels"], [[], ["X", "Y"], [3], None, "X"]),
        (["annotations", 0, "result", 0, "value", "startOffset"], [3]),
        (["annotations", 0, "result", 0, "value"], [{}, None, {"choices": ["A"]}]),
        (["annotations", 0, "result", 0, "id"], ["r1", "", 7, None]),
        (["annotations", 0, "result", 0, "type"], ["choices", "hypertextlabels", None, ["labels"]]),
        (["annotations", 0, "result", 0, "from_name"], ["entities", None, 3]),
        (["annotations", 0, "result", 0, "meta"], [{"text": ["note"]}, None]),
        (["annotations", 0, "result", 0, "original_length"], [3.5]),
        (["annotations", 0, "result", 0], [None, [], {"type": "relation", "from_id": "r1"}]),
        (["annotations", 0, "result"], [None, [[]], []]),
        (
            ["annotations", 0, "completed_by"],
            [None, {"id": 3}, {"email": "a@b"}, {"id": 4, "email": "a@b"}, "a@c", "zoé", True],
        ),
        (["annotations", 0, "was_cancelled"], [True, False]),
        (["annotations", 0, "ground_truth"], [True, False]),
        (["annotations", 0, "aggregated_completed_by"], [[1], [1, 2]]),
        (["annotations", 0], [None, {}]),
        (["annotations", 1], [plain(0, region(0, 1, "q"))["annotations"][0]]),
        (["annotations"], [None, []]),
        (["data", "text"], [None, "a", "http://x", TEXT + "\ud83d"]),
        (["data", "other"], ["b"]),
        (["data"], [None, {"accordeur_document": "named"}]),
        (["id"], [None, 0]),
        (["predictions"], [[{"result": []}]]),
        (["drafts"], [[{"user": 3}], []]),
        (["completions"], [[]]),
    ]
)


@st.composite
def tasks(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Plain tasks, some of them changed in one or two places."""
    made = []
    for k in range(draw(st.integers(1, 12))):
        spans = draw(st.lists(st.sampled_from([(0, 1), (0, 2), (1, 5), (4, 6)]), max_size=3))
        task = plain(k, *(region(*span, id=f"r{i}") for i, span in enumerate(spans)))
        for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2]))):
            path, values = draw(CHANGES)
            change(task, path, copy.deepcopy(draw(st.sampled_from(values))))
        made.append(task)
    return made


def change(task: Any, path: list[Any], value: Any) -> None:
    """Put the value there, where there is such a place."""
    for step in path[:-1]:
        try:
            task = task[step]
        except (LookupError, TypeError):
            return
    if isinstance(task, list) and path[-1] == len(task):
        task.append(value)
    elif task and isinstance(task, dict | list):
        with suppress(LookupError, TypeError):
            task[path[-1]] = value


@pytest.fixture
def small_batches(monkeypatch):
    monkeypatch.setattr(batching, "_ENTRIES", 5)
    monkeypatch.setattr(batching, "_FEW", 2)


@RELAXED
@given(
    tasks=tasks(),
    extra=st.sampled_from([{}, {}, {"ground_truth": "reference"}, {"predictions": "skip"}]),
    annotator=st.sampled_from([None, None, "zoé"]),
    layers=st.sampled_from([(), (), ("entities",)]),
)
def test_both_ways(tmp_path, small_batches, tasks, extra, annotator, layers):
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps(tasks))
    options = SourceOptions(annotator=annotator, layers=layers, extra=extra)
    with suppress(DataError):
        read_both_ways(path, "label_studio", options)


def test_plain_tasks_make_blocks_around_a_bad_one(tmp_path: Path):
    made = [plain(k, region(0, 2, "a"), region(4, 5, "b")) for k in range(300)]
    made[150]["annotations"][0]["result"][1]["value"]["text"] = "other"
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps(made))
    rows = list(READER.read_blocks(path, SourceOptions()))
    blocks = [row for row in rows if isinstance(row, Block) and row.TABLE == "units"]
    singly = [row for row in rows if isinstance(row, Unit)]
    assert sum(map(len, blocks)) + len(singly) == 599
    assert len(singly) < 32
    crown = next(blocks[0].records())
    assert (crown.start, crown.end, crown.source_offsets) == (0, 2, "0 3")
    assert [r.rule for r in rows if isinstance(r, Rejected)] == ["surface_mismatch"]
    read_both_ways(path, "label_studio", SourceOptions())
