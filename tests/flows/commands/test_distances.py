"""A table of distances between categories, for commands and in Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import accordeur as acc
from accordeur.data.errors import DataError
from accordeur.tasks.inputs.assessment_options import (
    MistakeSearchOptions,
    ReplaceOptions,
    ScoreOptions,
)
from accordeur.tasks.inputs.distance_options import ChosenDistance, read_distances
from accordeur.tasks.inputs.label_options import LabelOptions, PlanOptions, ResampleOptions
from accordeur.tasks.inputs.unit_options import GammaOptions
from tests.flows.command_line import accordeur, results

CATEGORIES = ("A", "B", "C", "D")
LINEAR = np.abs(np.subtract.outer(range(4), range(4))) / 3
LINEAR_KAPPA = 0.6390374331550802  # scikit-learn 1.9.1: cohen_kappa_score(…, weights="linear")
FILES = {
    "square.csv": ",A,B,C,D\n"
    + "".join(
        f"{name},{','.join(map(repr, row.tolist()))}\n"
        for name, row in zip(CATEGORIES, LINEAR, strict=True)
    ),
    "half.tsv": "\tA\tB\tC\tD\nA\t0\t{0!r}\t{1!r}\t1\nB\t\t0\t{0!r}\t{1!r}\n"
    "C\t\t\t0\t{0!r}\nD\t\t\t\t0\n".format(*LINEAR[0, 1:3].tolist()),
    "pairs.csv": "category,category,distance\n"
    + "".join(
        f"{a},{b},{LINEAR[i, j]!r}\n".replace("np.float64(", "").replace(")", "")
        for i, a in enumerate(CATEGORIES)
        for j, b in enumerate(CATEGORIES)
        if i < j
    ),
    "nested.json": json.dumps(
        {
            a: {b: LINEAR[i, j] for j, b in enumerate(CATEGORIES) if i < j}
            for i, a in enumerate(CATEGORIES)
        }
    ),
}


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    rng = np.random.default_rng(3)
    one = rng.integers(0, 4, 60)
    other = np.clip(one + rng.integers(-1, 2, 60), 0, 3)
    rows = ["item,annotator,label"]
    for k, (a, b) in enumerate(zip(one, other, strict=True)):
        rows += [f"i{k},anna,{CATEGORIES[a]}", f"i{k},ben,{CATEGORIES[b]}"]
    path = tmp_path / "labels.csv"
    path.write_text("\n".join(rows) + "\n")
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return path


def kappa(*command: object) -> float:
    found = results("agree", *map(str, command), "--measure", "weighted_kappa")
    return float(found["weighted_kappa"]["value"])


def codes(labels: Path) -> pd.DataFrame:
    return pd.read_csv(labels).pivot(index="item", columns="annotator", values="label")


@pytest.mark.parametrize("name", FILES)
def test_kappa_with_a_table_of_linear_weights_is_that_of_scikit_learn(
    labels: Path, name: str
) -> None:
    found = kappa(labels, "--distance", labels.with_name(name))
    assert found == pytest.approx(LINEAR_KAPPA, abs=1e-9)
    assert found == pytest.approx(
        kappa(labels, "--distance", "linear", "--categories", ",".join(CATEGORIES)), abs=1e-9
    )


def test_every_form_in_python_is_the_same_table(labels: Path) -> None:
    pairs = {
        (a, b): LINEAR[i, j]
        for i, a in enumerate(CATEGORIES)
        for j, b in enumerate(CATEGORIES)
        if i < j
    }
    nested: dict[str, dict[str, float]] = {}
    for (a, b), value in pairs.items():
        nested.setdefault(a, {})[b] = value
    square = pd.DataFrame(LINEAR, index=list(CATEGORIES), columns=list(CATEGORIES))
    forms: dict[str, Any] = {
        "pairs": pairs,
        "nested": nested,
        "pandas": square,
        "polars": pl.DataFrame({"": CATEGORIES, **{c: square[c].to_list() for c in CATEGORIES}}),
        "three columns": pd.DataFrame([(*pair, v) for pair, v in pairs.items()]),
        "array": LINEAR,
        "path": labels.with_name("square.csv"),
    }
    data = pd.read_csv(labels)
    found = {
        name: acc.agreement(
            data, distance=form, categories=CATEGORIES, measures="weighted_kappa", replicates=0
        )[0]
        for name, form in forms.items()
    }
    table = codes(labels)
    assert {name: one.value for name, one in found.items()} == pytest.approx(
        dict.fromkeys(forms, LINEAR_KAPPA), abs=1e-12
    )
    assert len({one.signature for one in found.values()}) == 1
    assert "distance:table-" in found["array"].signature
    matrix = acc.coefficient(
        "weighted_kappa",
        table,
        rows="items",
        distance=square,
        categories=CATEGORIES,
        replicates=0,
    )
    assert matrix.value == pytest.approx(LINEAR_KAPPA, abs=1e-12)
    with pytest.raises(ValueError, match=r"needs categories= with as many categories"):
        acc.agreement(data, distance=LINEAR)
    with pytest.raises(ValueError, match=r"a mapping of distances is"):
        acc.agreement(data, distance={"A": 1})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (",A,B\nA,0,0.5\nB,0.4,0\n", "two distances are given for 'B' and 'A': 0.5 and 0.4"),
        ("a,b,d\nA,B,-1\n", "the distance of 'A' and 'B' must lie in 0..1, not -1"),
        ("a,b,d\nA,B,far\n", "the distance of 'A' and 'B' must be a number, not 'far'"),
        ("a,b,d\nA,B,1\n", "the table of distances has no category 'C', which is in the data"),
        (",A,B,C\nA,0,1,1\nB,1,0,1\n", "'C' has columns: 1, rows: 0"),
        ("A\nB\n", "a table of distances is square"),
    ],
)
def test_a_mistake_in_a_table_is_one_sentence(labels: Path, text: str, message: str) -> None:
    path = labels.with_name("wrong.csv")
    path.write_text(text)
    said = accordeur("agree", labels, "--distance", path)
    assert said.returncode == 2
    assert message in said.stderr
    assert said.stderr.count("\n") == 1


def test_a_file_that_is_no_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        read_distances(tmp_path / "none.csv")
    (tmp_path / "x.json").write_text('{"A": 1}')
    with pytest.raises(DataError, match=r"x\.json: distances in JSON map two categories"):
        read_distances(tmp_path / "x.json")


def test_annotators_together_are_measured_with_the_table(labels: Path) -> None:
    command = ("resample", labels, "--reliability", "weighted_kappa", "--replicates", "0")
    found = accordeur(*command, "--distance", labels.with_name("square.csv"), "--json")
    named = accordeur(
        *command, "--distance", "linear", "--categories", ",".join(CATEGORIES), "--json"
    )
    first, second = (json.loads(one.stdout)["results"][-1] for one in (found, named))
    assert first["signature"].startswith("k_rater_reliability|distance:table-")
    assert first["value"] == pytest.approx(second["value"], abs=1e-12)


@pytest.mark.parametrize(
    ("command", "measure"),
    [
        (("score", "--reference", "gold.csv", "--system", "sys.csv"), "observed_agreement"),
        (("replace", "labels.csv", "--system", "ben", "--alignment", "similarity"), "advantage"),
    ],
)
def test_systems_are_compared_with_the_table(
    labels: Path, command: tuple[str, ...], measure: str
) -> None:
    table = pd.read_csv(labels)
    for name, who in (("gold.csv", "anna"), ("sys.csv", "ben")):
        table[table["annotator"] == who].to_csv(labels.with_name(name), index=False)
    more = pd.concat(
        [table, *(table[table["annotator"] == "anna"].assign(annotator=n) for n in "cde")]
    )
    more.to_csv(labels, index=False)
    words = [str(labels.with_name(one)) if one.endswith(".csv") else one for one in command]
    text = accordeur(*words, "--distance", labels.with_name("pairs.csv"), "--json").stdout
    other = accordeur(
        *words, "--distance", "linear", "--categories", ",".join(CATEGORIES), "--json"
    ).stdout
    first, second = (json.loads(one) for one in (text, other))
    values = values_named(first, measure)
    assert values
    assert values == pytest.approx(values_named(second, measure), abs=1e-12)


def values_named(found: Any, measure: str) -> list[float]:
    """Every value of a measure in a result."""
    if isinstance(found, list):
        return [value for one in found for value in values_named(one, measure)]
    if not isinstance(found, dict):
        return []
    own = [found["value"]] if found.get("measure") == measure and found["value"] else []
    return own + values_named(list(found.values()), measure)


@pytest.mark.parametrize(
    "kind",
    [
        LabelOptions, ResampleOptions, GammaOptions, ScoreOptions, ReplaceOptions,
        MistakeSearchOptions, PlanOptions,
    ],
)  # fmt: skip
def test_every_command_with_a_distance_takes_a_table(kind: Any) -> None:
    assert kind().distance == ChosenDistance("nominal")
