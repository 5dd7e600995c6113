"""Tables of every command as text: each interval beside its own value, as in the JSON."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from accordeur.flows.cli import app
from accordeur.reports.columns import interval, number, text, values_by_column

HUMANS, JUDGES = ("ann", "ben", "cat"), ("gpt", "claude")


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of tables: labels, units of annotators, a reference, systems, preferences."""
    folder, rng = tmp_path_factory.mktemp("tables"), random.Random(3)
    labels = ["item,annotator,label"]
    for i in range(40):
        true = rng.randint(1, 3)
        for who in (*HUMANS[: 3 * (i < 30)], *JUDGES):
            own = true if rng.random() < 0.7 else rng.randint(1, 3)
            labels += [f"i{i},{who},{own}"]
    (folder / "labels.csv").write_text("\n".join(labels))
    (folder / "humans.csv").write_text("\n".join(row for row in labels if ",gpt" not in row))
    for name, people in (("units", HUMANS), ("gold", ("gold",)), ("a", ("a",)), ("b", ("b",))):
        rows = ["document,annotator,start,end,category"]
        for who in people:
            for k in range(60):
                if rng.random() < 0.85:
                    start, category = 20 * (k % 6) + (rng.random() < 0.2), "XYY"[(k * 7) % 3]
                    own = category if rng.random() < 0.8 else rng.choice("XY")
                    rows.append(f"d{k // 6},{who},{start},{start + 5 + k % 4},{own}")
        (folder / f"{name}.csv").write_text("\n".join(rows))
    preferences = ["item,rater,left,right,outcome"]
    for i in range(60):
        left, right = rng.sample("ABC", 2)
        for rater in ("r1", "r2", "r3"):
            outcome = rng.choice(["left", "left", "right", "tie"] if left < right else ["right"])
            preferences.append(f"i{i},{rater},{left},{right},{outcome}")
    (folder / "preferences.csv").write_text("\n".join(preferences))
    return folder


COMMANDS = {
    "agree": "agree labels.csv --replicates 100",
    "agree by category": "agree labels.csv --by category --measure fleiss_kappa --replicates 100",
    "differences": "agree labels.csv --against labels.csv --replicates 100",
    "gamma": "gamma units.csv --measure pairwise_f --replicates 100",
    "score": "score --reference gold.csv --system a.csv --system b.csv --replicates 100",
    "judge": "judge labels.csv --judge gpt,claude --audit-is-random --replicates 100",
    "estimate": "estimate labels.csv --system gpt --system claude --audit-is-random",
    "plan": "plan labels.csv --annotators 2-4 --budget 5000",
    "plan of units": "plan units.csv --measure gamma --annotators 2",
    "calibrate": "calibrate units.csv",
    "rank": "rank preferences.csv --replicates 100",
    "ratings": "ratings labels.csv --replicates 100",
    "annotators": "annotators humans.csv",
    "resample": "resample labels.csv --replicates 100",
}


@pytest.mark.long
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_each_interval_is_beside_its_own_value_and_is_that_of_the_json(
    command: str, tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tables)
    printed, written = (
        CliRunner().invoke(app, [*command.split(), "--format", form]) for form in ("csv", "json")
    )
    assert written.stdout, written.stderr
    in_json = [*_values_with_interval(json.loads(written.stdout))]
    n_checked = 0
    for table in printed.stdout.split("\n\n"):
        for row in csv.DictReader(table.splitlines()):
            for value, bounds in _values_beside_intervals(row):
                same = [values for values, found in in_json if found == pytest.approx(bounds)]
                assert same, (row, bounds)
                assert value is None or any(value in values for values in same), (row, value)
                assert value is None or bounds[0] <= value <= bounds[1], (row, value, bounds)
                n_checked += 1
    assert n_checked


def _values_beside_intervals(
    row: dict[str, str],
) -> Iterator[tuple[float | None, tuple[float, float]]]:
    """Yield each interval with the number in the column before it, None if that is empty."""
    names = [*row]
    for place, name in enumerate(names):
        if name.endswith("lower") and row[name]:
            upper = name.removesuffix("lower") + "upper"
            assert names[place + 1] == upper
            own = row[names[place - 1]]
            yield float(own) if own else None, (float(row[name]), float(row[upper]))


def _values_with_interval(node: Any) -> Iterator[tuple[set[float], list[float]]]:
    """Yield each pair of numbers of a JSON document with the numbers beside it."""
    if isinstance(node, list):
        for one in node:
            yield from _values_with_interval(one)
    elif isinstance(node, dict):
        beside = {one for one in node.values() if isinstance(one, int | float)}
        if isinstance(node.get("lower"), float):
            yield beside, [node["lower"], node["upper"]]
        for one in node.values():
            if isinstance(one, list) and [type(part) for part in one] == [float, float]:
                yield beside, one
            else:
                yield from _values_with_interval(one)


def test_columns_of_one_heading_keep_their_values() -> None:
    columns = (
        text("errors", lambda row: row["name"]),
        number("errors", lambda row: row["n"]),
        number("precision", lambda row: row["p"]),
        interval("95% CI ", lambda row: row["p_interval"]),
        number("recall", lambda row: row["r"]),
        interval("95% CI ", lambda row: row["r_interval"]),
    )
    row = {"name": "a", "n": 3, "p": 0.5, "p_interval": (0.4, 0.6), "r": 0.1, "r_interval": None}
    assert values_by_column([row], *columns) == {
        "errors": ["a"],
        "errors (2)": [3],
        "precision": [0.5],
        "precision 95% CI lower": [0.4],
        "precision 95% CI upper": [0.6],
        "recall": [0.1],
        "recall 95% CI lower": [None],
        "recall 95% CI upper": [None],
    }
