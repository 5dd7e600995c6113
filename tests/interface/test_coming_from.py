"""The page for users of other packages: its calls give what it says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "coming-from.md"
ROW = re.compile(r"^\|[^|]*`[^|]*\| ([\d.]+) \| `([^`]+)` \| ([\d.]+) \|$", re.M)


def test_calls_give_the_values_that_the_page_says() -> None:
    text = PAGE.read_text(encoding="utf-8")
    place: dict[str, Any] = {}
    for block in re.findall(r"^```python\n(.*?)^```", text, re.S | re.M):
        exec(block, place)
    rows = ROW.findall(text)
    assert len(rows) == text.count("\n| `") + text.count("\n| seqeval `") + text.count("\n| nerv")
    for theirs, call, ours in rows:
        digits = len(ours.partition(".")[2])
        value = float(eval(call, place))
        assert round(value, digits) == pytest.approx(float(ours), abs=1e-9), call
        assert theirs == ours, call
