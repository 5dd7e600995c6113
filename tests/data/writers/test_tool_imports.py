"""Queues of a round as imports of tools: the tools' exports name the same documents and items."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.sources import read_source
from accordeur.data.schema import Document, Label
from accordeur.data.writers.tool_imports import QueuedLabel, write_tool_imports
from tests.read_labels import read_labels

ROWS = [
    QueuedLabel("d1", "s1", "ann", "random"),
    QueuedLabel("d1", "s1", "ben", "informative"),
    QueuedLabel("d1", "s2", "ann", "informative"),
    QueuedLabel("d2", "s1", "ben", "random"),
    QueuedLabel("d3", "d3", "ann", "random"),
]
TEXTS = {"d1": "One. Two.", "d3": "Three."}


def export_of_label_studio(queue: Path, to: Path) -> list[Path]:
    tasks = json.loads((queue / "label_studio.json").read_text(encoding="utf-8"))
    for number, task in enumerate(tasks, 1):
        people = task.pop("meta")["annotators"]
        choice = {"from_name": "labels", "to_name": "text", "type": "choices"}
        task |= {"id": number, "annotations": [
            {"id": 10 * number + k, "completed_by": {"id": k, "email": f"{who}@example.org"},
             "result": [{"id": "r", "value": {"choices": ["yes"]}, **choice}]}
            for k, who in enumerate(people)
        ]}  # fmt: skip
    (to / "export.json").write_text(json.dumps(tasks), encoding="utf-8")
    return [to / "export.json"]


def export_of_lines(queue: Path, to: Path, tool: str) -> list[Path]:
    files = []
    for file in sorted((queue / tool).glob("*.jsonl")):
        lines: list[dict[str, Any]] = []
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            task = json.loads(line)
            lines.append(
                {"id": number, **task, "label": ["yes"]}
                if tool == "doccano"
                else {
                    **task, "accept": ["yes"], "answer": "accept",
                    "_input_hash": hash(task["text"]), "_task_hash": hash(task["text"]),
                    "_annotator_id": file.stem,
                }
            )  # fmt: skip
        files.append(to / file.name)
        files[-1].write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    return files


@pytest.mark.parametrize("tool", ["label_studio", "doccano", "prodigy"])
def test_labels_of_a_queue_come_back_with_their_documents_and_items(
    tmp_path: Path, tool: str
) -> None:
    queue, to = tmp_path / "queue", tmp_path / "exports"
    to.mkdir()
    write_tool_imports(ROWS, TEXTS, queue)
    files = (
        export_of_label_studio(queue, to)
        if tool == "label_studio"
        else export_of_lines(queue, to, tool)
    )
    records = [one for file in files for one in read_source(file, tool, SourceOptions())]
    found = {(one.document, one.item) for one in records if isinstance(one, Label)}
    assert found == {(row.document, row.item) for row in ROWS}
    texts = {one.document: one.text for one in records if isinstance(one, Document) and one.text}
    assert texts == {"d3": "Three."}  # the text of an item is not the text of its document

    table = read_labels(files)
    assert table.documents is not None
    given = sorted(zip(table.documents, table.items, table.annotators, strict=True))
    if tool == "label_studio":
        assert len(given) == len(ROWS)
    else:
        assert given == sorted((row.document, row.item, row.annotator) for row in ROWS)
    assert table.rejected == []
