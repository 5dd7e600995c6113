"""Names are joined to keys, so that none may contain the sign between them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.flows.in_process import said


@pytest.mark.parametrize("column", ["document", "annotator", "item"])
def test_a_name_with_the_separator_is_refused(tmp_path: Path, column: str) -> None:
    rows = [{"document": "d", "item": f"i{k}", "annotator": who, "label": "x"}
            for k in range(4) for who in ("ana", "ben")]  # fmt: skip
    rows[0][column] = "a\x1fb"
    lines = [",".join(rows[0]), *(",".join(row.values()) for row in rows)]
    path = tmp_path / "labels.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    code, text = said("agree", path)
    assert code == 2
    assert f"{column} a\\x1fb: a name must not contain the control character U+001F" in text
