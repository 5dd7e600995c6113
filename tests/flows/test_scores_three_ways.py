"""Scores, mistakes, replacement, estimates and next labels: one number for one question.

The same rows are read by a campaign, by the command and as a data frame.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import accordeur as acc
from tests.flows.in_process import found, said
from tests.flows.outcomes import results_of
from tests.flows.small import NO_GRID

pytestmark = pytest.mark.services
Run = Callable[..., tuple[dict[str, Any], Any]]
REPLICATES = 100
ROLES = {"ann": "human", "ben": "human", "cat": "human", "gpt": "system", "gold": "reference"}
RIGHT = {"ann": 0.85, "ben": 0.8, "cat": 0.75, "gpt": 0.9, "gold": 1.0}
COLUMNS = ["--option", "role=role", "--option", "pass=pass"]


def labels() -> pd.DataFrame:
    """The system has a category of its own, labels twice, and lacks a document; items repeat."""
    rng = np.random.default_rng(2)
    rows = []
    for d in range(8):
        for i in range(8):
            truth = rng.choice(list("xyz"))
            for who, right in RIGHT.items():
                for number in (1, 2) if who == "gpt" and d < 4 else (1,):
                    wrong = rng.choice(list("xyzw" if who == "gpt" else "xyz"))
                    label = truth if rng.random() < right else wrong
                    if rng.random() < 0.95 and not (who == "gpt" and d == 7):
                        rows.append((f"d{d}", f"{i}", who, label, ROLES[who], number))
    names = ["document", "item", "annotator", "label", "role", "pass"]
    return pd.DataFrame(rows, columns=names)


def units() -> pd.DataFrame:
    rng = np.random.default_rng(5)
    rows = []
    for d in range(8):
        for start in range(0, 96, 12):
            end, category = start + int(rng.integers(4, 9)), rng.choice(["A", "B"])
            for who, right in RIGHT.items():
                if rng.random() < right:
                    moved = end + int(who != "gold" and rng.random() < 0.2)
                    own = "C" if who == "gpt" and rng.random() < 0.1 else category
                    rows.append((f"u{d}", who, start, moved, own, ROLES[who], 1))
    names = ["document", "annotator", "start", "end", "category", "role", "pass"]
    return pd.DataFrame(rows, columns=names)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("three-ways")
    labels().to_csv(path / "labels.csv", index=False)
    units().to_csv(path / "units.csv", index=False)
    options = 'options = { role = "role", pass = "pass" }'
    (path / "campaign.toml").write_text(
        '[campaign]\nname = "Three ways"\n'
        f'[[sources]]\npath = "labels.csv"\nformat = "table"\n{options}\n'
        f'[[sources]]\npath = "units.csv"\nformat = "table"\n{options}\n'
        f"{NO_GRID}[chance]\nprecision = 0.1\n[intervals]\nreplicates = {REPLICATES}\n"
        '[replacement]\nexpertise = "skilled"\nmin_items = 6\n[estimate]\naudit = "random"\n'
        "[next]\nbudget = 20\n[engine]\nworkers = 1\n",
        encoding="utf-8",
    )
    return path


@pytest.fixture(scope="module")
def results(folder: Path, prefect_server: str) -> dict[str, Any]:
    from accordeur.flows.campaign_quality import campaign_quality

    state = campaign_quality(str(folder / "campaign.toml"), return_state=True)
    return results_of(state.result())


def numbers(found: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every leaf of a result, but signatures, which state what was read."""
    if isinstance(found, dict):
        for key, value in found.items():
            if key not in ("signature", "layer", "case"):
                yield from numbers(value, f"{path}/{key}")
    elif isinstance(found, list | tuple):
        for k, value in enumerate(found):
            yield from numbers(value, f"{path}/{k}")
    else:
        yield path, found


def differences(first: Any, second: Any) -> list[str]:
    one, two = dict(numbers(first)), dict(numbers(second))
    return [
        f"{path}: {one.get(path, 'absent')}, {two.get(path, 'absent')}"
        for path in {**one, **two}
        if not equal(one.get(path, "absent"), two.get(path, "absent"))
    ]


def equal(first: Any, second: Any) -> bool:
    if isinstance(first, float) and isinstance(second, float | int):
        return math.isclose(first, second, rel_tol=0, abs_tol=1e-12)
    return bool(first == second)


def of_layer(results: dict[str, Any], name: str, layer: str) -> list[dict[str, Any]]:
    return [one for one in results[name] if one.get("layer", layer) == layer]


VALUE = ("measure", "value", "interval", "level", "n_items", "reason")


@pytest.mark.parametrize(("layer", "data"), [("labels", labels), ("units", units)])
def test_scores(
    folder: Path, results: dict[str, Any], layer: str, data: Callable[[], pd.DataFrame]
) -> None:
    [validity] = [one for one in results["validity"] if one["systems"][0]["layer"] == layer]
    [of_run] = validity["systems"]
    path = folder / f"{layer}.csv"
    command = found(
        "score", "--reference", path, "--system", path, *COLUMNS, "--replicates", REPLICATES
    )
    whole = {
        row["measure"]: {key: row[key] for key in VALUE}
        for row in command["results"]
        if row["system"] == "gpt" and not row["category"]
    }
    compared = [{key: one[key] for key in VALUE} for one in of_run["values"]]
    assert differences(compared, [whole[one["measure"]] for one in of_run["values"]]) == []
    by_category = {
        (row["category"], row["measure"]): {key: row[key] for key in VALUE}
        for row in command["results"]
        if row["system"] == "gpt" and row["category"]
    }
    parts = {(one["name"], one["value"]["measure"]): one["value"] for one in of_run["per_category"]}
    assert parts
    for key, value in parts.items():
        assert differences({name: value[name] for name in VALUE}, by_category[key]) == []
    assert of_run["errors"] == command["errors"]["gpt"]
    assert of_run["n_missing_documents"] == command["documents"]["gpt"]["missing"]
    frame = data()
    frame = frame[frame["pass"] == 1].drop(columns=["role", "pass"])
    python = acc.score(
        frame[frame.annotator == "gold"],
        {"gpt": frame[frame.annotator == "gpt"]},
        replicates=REPLICATES,
    )
    for name, value in whole.items():
        other = python["gpt", name]
        assert equal(value["value"], float(other)), name
        assert differences(value["interval"], list(other.interval)) == [], name


@pytest.mark.parametrize(("layer", "data"), [("labels", labels), ("units", units)])
def test_mistakes(
    folder: Path, results: dict[str, Any], layer: str, data: Callable[[], pd.DataFrame]
) -> None:
    [of_run] = of_layer(results, "mistakes", layer)
    command = found("mistakes", folder / f"{layer}.csv", *COLUMNS)
    assert of_run["expected"] > 0
    assert differences(of_run, {key: command[key] for key in of_run}) == []
    cases = [[one["case"] for one in each["mistakes"]] for each in (of_run, command)]
    assert cases[0] == cases[1]
    frame = data()
    humans = frame[(frame.role == "human") & (frame["pass"] == 1)].drop(columns=["role", "pass"])
    places = {} if layer == "labels" else {"start": "start", "end": "end"}
    python = acc.mistakes(humans, **places)
    assert equal(of_run["expected"], python.expected)
    assert differences(of_run["error_rates"], python.error_rates) == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("layer", "data", "alignment"), [("labels", labels, "accuracy"), ("units", units, "exact_f")]
)
def test_replacement(
    folder: Path,
    results: dict[str, Any],
    layer: str,
    data: Callable[[], pd.DataFrame],
    alignment: str,
) -> None:
    [of_run] = of_layer(results, "replacement", layer)
    asked = (
        "--replicates",
        REPLICATES,
        "--expertise",
        "skilled",
        "--alignment",
        alignment,
        "--min-items",
        "6",
    )
    command = found("replace", folder / f"{layer}.csv", *COLUMNS, *asked)
    assert differences(of_run, {key: command[key] for key in of_run}) == []
    frame = data()
    frame = frame[frame.annotator != "gold"].drop(columns="role")
    named = ("start", "end", "category") if layer == "units" else ()
    places = {name: name for name in named} | {"pass_": "pass"}
    python = acc.replacement(
        frame,
        systems=["gpt"],
        alignment=alignment,
        expertise="skilled",
        replicates=REPLICATES,
        min_items=6,
        **places,
    )
    of_python = python["gpt"].values[0]
    [system] = of_run["systems"]
    assert equal(system["values"][0]["value"], of_python.value)
    assert differences(system["values"][0]["interval"], list(of_python.interval)) == []


def test_estimates(folder: Path, results: dict[str, Any]) -> None:
    [of_run] = results["estimates"]
    command = found("estimate", folder / "labels.csv", *COLUMNS, "--audit-is-random")
    for one in (*of_run["systems"], *command["systems"]):
        one.pop("drift")  # only a run has batches and periods
    assert differences(of_run, {key: command[key] for key in of_run}) == []


def test_next_labels(folder: Path, results: dict[str, Any]) -> None:
    assert results
    code, output = said(
        "next", folder / "campaign.toml", "--layer", "labels", "--dry-run", "--json"
    )
    assert code == 0, output
    rows = json.loads(output)["assignments"]
    frame = labels()
    humans = frame[(frame.role == "human")].drop(columns=["role", "pass"])
    python = acc.next_labels(humans, budget=20).to_frame()
    names = ["document", "item", "annotator", "purpose"]
    assert [[row[name] for name in names] for row in rows] == python[names].to_numpy().tolist()


def test_warnings_on_the_data_are_those_of_agree(tmp_path: Path) -> None:
    """Categories that differ in case only, under every command."""
    frame = labels()
    frame.loc[frame.index[:5], "label"] = "X"
    frame.to_csv(tmp_path / "labels.csv", index=False)
    path = tmp_path / "labels.csv"
    expected = {one["code"] for one in found("agree", path, *COLUMNS)["warnings"]}
    assert "names_alike" in expected
    for command in (["mistakes"], ["replace"], ["estimate", "--audit-is-random"]):
        name, *options = command
        of_command = found(name, path, *COLUMNS, *options)["warnings"]
        assert expected - {"lone_labels"} <= {one["code"] for one in of_command}, name
