"""`agree --by`: the difference of two parts whose items are different, as of two tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.flows.command_line import accordeur


def write(path: Path, rows: list[str]) -> Path:
    path.write_text("\n".join(["item,annotator,label,condition,document", *rows]) + "\n")
    return path


def rows_of(n: int, *, shared_items: bool = False, shared_documents: bool = False) -> list[str]:
    rng = np.random.default_rng(3)
    rows = []
    for k in range(n):
        condition = "ab"[k % 2]
        item = k // 2 if shared_items else k
        document = "d" if not shared_documents else f"d{k // 2 % 5}"
        for who in ("ana", "ben", "carl"):
            noise = rng.random() < (0.1 if condition == "a" else 0.4)
            label = rng.integers(1, 6) if noise else 1 + k // 2 % 5
            rows.append(f"s{item},{who},{label},{condition},{document}")
    return rows


def found(*arguments: str | Path) -> dict[str, Any]:
    done = accordeur("agree", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@pytest.mark.parametrize("distance", ["nominal", "ordinal"])
def test_two_conditions_differ_as_two_tables_do(tmp_path: Path, distance: str) -> None:
    rows = rows_of(80)
    table = write(tmp_path / "both.csv", rows)
    a, b = (
        write(tmp_path / f"{name}.csv", [row for row in rows if row.split(",")[3] == name])
        for name in "ab"
    )
    given = ("--distance", distance, "--measure", "krippendorff_alpha")
    [of_parts] = found(table, "--by", "condition", *given)["differences"]
    [of_tables] = found(a, "--against", b, "--independent", *given)["differences"]
    assert of_parts == of_tables
    assert of_parts["difference"] > 0.1
    printed = accordeur("agree", table, "--by", "condition", *given).stdout
    assert "a − b, of different items: krippendorff_alpha +0." in printed


@pytest.mark.parametrize("shared", ["shared_items", "shared_documents"])
def test_parts_that_share_items_or_documents_are_not_compared(tmp_path: Path, shared: str) -> None:
    table = write(tmp_path / "both.csv", rows_of(80, **{shared: True}))
    assert "differences" not in found(table, "--by", "condition")


def test_three_parts_and_other_intervals_are_not_compared(tmp_path: Path) -> None:
    table = write(tmp_path / "both.csv", rows_of(80))
    for more in (("--interval", "analytic"), ("--complete",), ("--replicates", "0")):
        assert "differences" not in found(table, "--by", "condition", *more)
    more_parts = [row.replace(",a,", ",c,") if k % 4 else row for k, row in enumerate(rows_of(80))]
    assert "differences" not in found(write(tmp_path / "c.csv", more_parts), "--by", "condition")
