"""A type checker finds mistakes in a user's script, and none in a correct one."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import accordeur.interface
from tests.test_documents import PAGES, ROOT

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
acc.krippendorff_alpha(np.array([[1, 2], [1, 1]]), rows="items", scale="interval")
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
acc.agreement(rows, by="topic", measures="gwet_ac1")["politics"].interval
acc.score(rows, rows, measures=["exact_f", acc.measure("der")])
again: acc.Values = acc.Values.from_json(acc.agreement(rows).to_json())
n_items: int = acc.confusion_matrix(first, second)["x", "y"]
text: str = acc.cohen_kappa(first, second).bibtex()
frame: pd.DataFrame = acc.agreement(rows).to_frame("pandas")
unknown: pd.DataFrame = acc.gamma(units).to_frame()
value: acc.Value = acc.gwet_ac1(first, second, scale="nominal")
"""
MISTAKES = (
    'acc.agreement(rows, levle="ordinal")',
    "acc.agreement(3)",
    'acc.agreement(rows, measures="gwet_ac")',
    'acc.agreement(rows, measures=["cohen_kappa", "gamma"])',
    'acc.gamma(units, measure="gama")',
    'acc.coefficient("krippendorf_alpha", first, second)',
    'acc.plan(rows, measure="alpha")',
    'acc.score(rows, rows, measures="f1")',
    'acc.compare(rows, rows, measures="kappa")',
    "acc.agreement(acc.agreement(rows))",
    "acc.gamma(acc.next_labels(rows))",
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
    'acc.agreement(rows).to_frame("panda")',
    'acc.compare(rows, rows).to_frame("polars").iloc',
    "acc.percent_agreement(first, second, replicats=3)",
    'acc.next_labels(rows, goal="agreemnt")',
)


CELL = re.compile(r"^```(?:python|\{code-cell\} ipython3)\n(.*?)^```", re.S | re.M)
STRICT = (
    "--strict", "--allow-redefinition", "--ignore-missing-imports",
    "--disable-error-code=name-defined",  # what a page does not define is the reader's own
)  # fmt: skip


def errors_of_mypy(folder: Path, files: Sequence[str], *options: str) -> list[str]:
    command = ["-m", "mypy", "--no-error-summary", "--hide-error-context", *options, *files]
    checked = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, check=False, cwd=folder
    )
    assert checked.stderr == ""
    return [
        line
        for line in checked.stdout.splitlines()
        if ": error:" in line and line.partition(":")[0] in files
    ]


def examples() -> Iterator[tuple[str, str]]:
    """Python of the README, of each page and of each docstring, by name."""
    for page in PAGES:
        yield str(page.relative_to(ROOT)), "\n".join(CELL.findall(page.read_text("utf-8")))
    for module in pkgutil.iter_modules(accordeur.interface.__path__, "accordeur.interface."):
        for test in doctest.DocTestFinder().find(importlib.import_module(module.name)):
            yield test.name, "".join(one.source for one in test.examples)


@pytest.mark.long
def test_planted_mistakes_are_found_and_nothing_else(tmp_path: Path) -> None:
    script = tmp_path / "notebook.py"
    script.write_text(SCRIPT + "\n".join(MISTAKES) + "\n", encoding="utf-8")
    n_before = SCRIPT.count("\n")
    errors = errors_of_mypy(tmp_path, [script.name])
    lines = [int(line.split(":")[1]) for line in errors]
    found = [MISTAKES[line - n_before - 1] for line in dict.fromkeys(lines)]
    assert found == list(MISTAKES), errors


@pytest.mark.long
def test_examples_of_the_documentation_have_no_type_error(tmp_path: Path) -> None:
    files = []
    for name, code in examples():
        lines = [line for line in code.splitlines() if not line.startswith(("!", "%", ":"))]
        if any(line.strip() for line in lines):
            files.append(re.sub(r"\W+", "_", name) + ".py")
            (tmp_path / files[-1]).write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert len(files) > 25
    assert errors_of_mypy(tmp_path, files, *STRICT) == []
