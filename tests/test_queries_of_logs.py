"""The queries of the page on judges read the logs of other tools."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import accordeur as acc

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "check-a-judge.md"
INSPECT = {
    "version": 2,
    "eval": {"task": "guide"},
    "samples": [
        {"id": n, "epoch": 1, "target": "t", "scores": {"model_graded_qa": {"value": value}}}
        for n, value in ((1, "C"), (2, "I"))
    ],
}
PROMPTFOO = {
    "evalId": "eval-1",
    "results": {
        "version": 3,
        "results": [
            {
                "testIdx": 0,
                "promptIdx": 1,
                "gradingResult": {
                    "pass": False,
                    "componentResults": [
                        {"pass": False, "score": 0, "assertion": {"type": "latency"}},
                        {"pass": True, "score": 1, "assertion": {"type": "llm-rubric"}},
                        {"pass": False, "score": 0, "assertion": {"type": "llm-rubric"}},
                        {"pass": True, "score": 1, "assertion": {"type": "factuality"}},
                    ],
                },
            }
        ],
    },
}
PROMPTFOO_LABELS = [  # two rubrics of one answer are two items
    ("0/1/2", "llm-rubric", "true"),
    ("0/1/3", "llm-rubric", "false"),
    ("0/1/4", "factuality", "true"),
]


@pytest.mark.parametrize(
    ("number", "log", "expected"),
    [
        (0, INSPECT, [("1", "model_graded_qa", "C"), ("2", "model_graded_qa", "I")]),
        (1, PROMPTFOO, PROMPTFOO_LABELS),
    ],
)
def test_a_query_of_the_page_reads_a_log(
    tmp_path: Path, number: int, log: object, expected: list[tuple[str, str, str]]
) -> None:
    pytest.importorskip("duckdb")
    query = re.findall(r"```sql\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[number]
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log), encoding="utf-8")
    rows = acc.read(path, query=query).labels.to_pylist()
    assert [(row["item"], row["annotator"], *row["labels"]) for row in rows] == expected
