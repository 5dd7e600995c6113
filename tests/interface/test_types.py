"""A type checker finds mistakes in a user's script, and none in a correct one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import numpy as np
import pandas as pd
import accordeur as acc

rows = pd.DataFrame({"item": [1, 1], "annotator": ["a", "b"], "label": ["x", "x"]})
units = pd.DataFrame({"document": ["d"], "annotator": ["a"], "start": [0], "end": [5]})
first, second = ["x", "y"], ["x", "x"]

found = acc.agreement(rows, scale="ordinal", categories=["x", "y"], by="pair")
number: float = found[0] - 0.5 + float(found["cohen_kappa"])
mean = np.mean([acc.cohen_kappa(first, second), acc.cohen_kappa(first, first)])
gamma = acc.gamma(units, category=None, alpha=3, processes=["shuffle"], replicates=0)
table = acc.gamma(units, by="category").to_frame()
gamma.alignment("d").plot().save("d.svg")
acc.krippendorff_alpha(np.array([[1, 2], [1, 1]]), scale="interval")
acc.krippendorff_alpha(rows[["label"]])
acc.agreement({"ann": first, "bob": second}, annotator=["ann", "bob"])
acc.agreement([("a", 1, "x")], item=1, annotator=0, label=2)
acc.score(first, second)["accuracy"] > 0.5
acc.score(rows, {"bert": rows, "gpt": "gpt.csv"}, replicates=10)
acc.plan(rows, width=0.1, annotators=[2, 3], budget=1000)
acc.compare(rows, rows, measures="cohen_kappa")["cohen_kappa"].p_value
acc.agreement(acc.read("labels.csv"))
chosen: acc.Measure = acc.measure("krippendorff_alpha(scale=ordinal)")
acc.agreement(rows, measures=[chosen, "gwet_ac1"])
chosen(first, second) > acc.coefficient(chosen, first, second)
acc.plan(rows, measure=chosen)[0].documents
again: acc.Values = acc.Values.from_json(acc.agreement(rows).to_json())
n_items: int = acc.confusion_matrix(first, second)["x", "y"]
text: str = acc.cohen_kappa(first, second).bibtex()
"""
MISTAKES = (
    'acc.agreement(rows, levle="ordinal")',
    "acc.agreement(3)",
    'acc.agreement(rows, by="pairs")',
    'acc.agreement(rows, interval="anotators")',
    'acc.gamma(units, alpha="3")',
    "acc.gamma(units, replicate=10)",
    "acc.gamma(units).categories",
    "acc.plan(rows, width=0.1, budge=1000)",
    'acc.cohen_kappa(first, second, weights="cubic")',
    'acc.soft_labels(rows, rule="mode")',
    "acc.score(rows, 3)",
    'acc.agreement(rows)["cohen_kappa"].valeu',
    "acc.agrement(rows)",
    'acc.agreement(rows, scale="ordnal")',
    "acc.agreement(acc.cohen_kappa(first, second))",
    "acc.plan(rows)[0].document",
    "acc.confusion_matrix(first, second).count",
    'acc.measures(on="spans")',
    'acc.next_labels(rows, goal="agreemnt")',
)


@pytest.mark.long
def test_planted_mistakes_are_found_and_nothing_else(tmp_path: Path) -> None:
    script = tmp_path / "notebook.py"
    script.write_text(SCRIPT + "\n".join(MISTAKES) + "\n", encoding="utf-8")
    n_before = SCRIPT.count("\n")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-error-summary", "--hide-error-context", str(script)],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    lines = [line.split(":")[1] for line in checked.stdout.splitlines() if ": error:" in line]
    assert [MISTAKES[int(line) - n_before - 1] for line in dict.fromkeys(lines)] == list(
        MISTAKES
    ), checked.stdout
