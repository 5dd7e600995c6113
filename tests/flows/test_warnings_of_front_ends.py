"""A command and the Python function of the same question give the same warnings."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import typer

import accordeur as acc
from accordeur.flows.cli import app
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.tasks.inputs.data_warnings import warnings_on_matrix
from tests.flows.in_process import found, texts
from tests.flows.small import NO_GRID
from tests.flows.stages_in_process import measured_in_process

FAST = ["--replicates", "50"]
Asked = tuple[list[str], Callable[[Any], list[str]]]


def of(result: Any) -> list[str]:
    said: list[str] = list(result.warnings)
    return said


def matrix_of(path: Path) -> pd.DataFrame:
    rows = pd.read_csv(path, keep_default_na=False, dtype=str)
    return rows.pivot_table(
        index=["document", "item"], columns="annotator", values="label", aggfunc="first"
    )


LABELS: dict[str, Asked] = {
    "agreement": (["agree", *FAST], lambda path: of(acc.agreement(path, replicates=50))),
    "modification_rate": (
        ["resample", *FAST],
        lambda path: of(acc.modification_rate(path, replicates=50)),
    ),
    "cross_replication": (
        ["agree", *FAST, "--group", "anna,Anna", "--group", "gpt-4o,ben"],
        lambda path: of(
            acc.cross_replication(path, groups=[["anna", "Anna"], ["gpt-4o", "ben"]], replicates=50)
        ),
    ),
    "category_distances": (
        ["calibrate"],
        lambda path: of(acc.category_distances(path)),
    ),
    "plan": (
        ["plan", "--width", ".2", "--annotators", "2"],
        lambda path: of(acc.plan(path, width=0.2, annotators=(2,))),
    ),
    "mistakes": (["mistakes"], lambda path: of(acc.mistakes(path))),
    "replace": (
        ["replace", "--system", "gpt-4o", "--expertise", "skilled", *FAST],
        lambda path: of(
            acc.replacement(path, systems=["gpt-4o"], expertise="skilled", replicates=50)
        ),
    ),
    "estimate": (
        ["estimate", "--system", "gpt-4o", "--audit-is-random"],
        lambda path: of(acc.estimate(path, systems="gpt-4o", audit_is_random=True)),
    ),
}
RATINGS: dict[str, Asked] = {
    "icc": (["ratings", *FAST], lambda path: of(acc.icc(path))),
    "g_study": (["ratings", *FAST], lambda path: of(acc.g_study(path))),
    "limits_of_agreement": (["ratings", *FAST], lambda path: of(acc.limits_of_agreement(path))),
    "scales": (["ratings", *FAST], lambda path: of(acc.scales(path, replicates=50))),
}


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    """Names and cells that a user should know of: NA, Yes and yes, anna and Anna, a total."""
    rng, rows = random.Random(3), ["document,item,annotator,label"]
    rows += [
        f"d{d},i{i},{who},{rng.choice(['Yes', 'yes', 'no', 'NA'])}"
        for d in range(12)
        for i in range(4)
        for who in ("anna", "Anna", "gpt-4o", "ben")
    ]
    rows += ["d0,total,anna,no", "d0,total,Anna,no", "d1,alone,ben,no"]
    path = tmp_path / "labels.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def ratings(tmp_path: Path) -> Path:
    rng, rows = random.Random(4), ["item,annotator,label"]
    rows += [
        f"i{i},{who},{rng.randint(1, 5)}"
        for i in range(20)
        for who in ("anna", "Anna", "llm-judge")
    ]
    rows += ["mean,anna,3", "mean,Anna,3"]
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def beginnings(said: list[str]) -> list[str]:
    """The sentences up to the first name of an option, which the front ends word differently."""
    return [one.partition("`")[0].partition("--")[0] for one in said]


def flags_in(said: list[str]) -> set[str]:
    return {flag for one in said for flag in re.findall(r"(?<![\w-])--[a-z][a-z-]+", one)}


def flags_of(command: str) -> set[str]:
    group: Any = typer.main.get_command(app)
    return {flag for one in group.get_command(None, command).params for flag in one.opts}


def assert_same_warnings(path: Path, asked: Asked, expected: set[str]) -> None:
    (command, *options), ask = asked
    of_command = found(command, path, *options)
    assert expected <= {one["code"] for one in of_command["warnings"]}
    assert flags_in(texts(of_command)) <= flags_of(command)
    of_python = ask(str(path))
    assert not any("--" in one for one in of_python), of_python
    assert {*beginnings(texts(of_command))} == {*beginnings(of_python)}


@pytest.mark.parametrize("name", LABELS)
def test_labels(labels: Path, name: str) -> None:
    expected = {"names_alike", "missing_as_category", "summary_row"}
    assert_same_warnings(labels, LABELS[name], expected)


@pytest.mark.parametrize("name", RATINGS)
def test_ratings(ratings: Path, name: str) -> None:
    """Each function of Python has the warnings on the data, and no others of the command."""
    (command, *options), ask = RATINGS[name]
    of_command = found(command, ratings, *options)
    assert {"names_alike", "summary_row", "named_like_system"} <= {
        one["code"] for one in of_command["warnings"]
    }
    assert {*beginnings(texts(of_command))} <= {*beginnings(ask(str(ratings)))}


@pytest.mark.parametrize(
    "ask",
    [
        lambda path: of(acc.consensus(path)),
        lambda path: of(acc.next_labels(path, budget=3, random_depth=2)),
    ],
)
def test_what_no_command_computes_from_labels_warns_as_agree_does(
    labels: Path, ask: Callable[[str], list[str]]
) -> None:
    said = beginnings(ask(str(labels)))
    of_agree = found("agree", labels, *FAST, "--measure", "krippendorff_alpha")
    data = {"names_alike", "missing_as_category", "summary_row"}
    expected = [one["text"] for one in of_agree["warnings"] if one["code"] in data]
    assert len(expected) > 2
    assert {*beginnings(expected)} <= {*said}


def test_scores_have_the_notes_of_the_command(labels: Path) -> None:
    rows = pd.read_csv(labels, keep_default_na=False, dtype=str)
    paths = [labels.with_name("gold.csv"), labels.with_name("system.csv")]
    for path, who in zip(paths, ("anna", "gpt-4o"), strict=True):
        rows[rows["annotator"] == who].to_csv(path, index=False)
    of_command = found("score", "--reference", paths[0], "--system", paths[1], *FAST)["notes"]
    scores = acc.score(str(paths[0]), {"gpt-4o": str(paths[1])}, replicates=50)
    assert any("'Yes', 'yes'" in one for one in scores.warnings)
    assert {*beginnings(of_command)} == {*beginnings(scores.warnings)}


def test_a_consensus_of_units_warns_of_names_as_gamma_does(tmp_path: Path) -> None:
    rng, rows = random.Random(5), ["document,annotator,start,end,category"]
    rows += [
        f"d{d},{who},{10 * k},{10 * k + rng.randint(3, 6)},{rng.choice(['Name', 'name', 'place'])}"
        for d in range(8)
        for who in ("anna", "Anna", "ben")
        for k in range(4)
    ]
    path = tmp_path / "units.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    of_gamma = found("gamma", path, "--replicates", "10")["warnings"]
    expected = [one["text"] for one in of_gamma if one["code"] == "names_alike"]
    assert expected
    assert {*beginnings(expected)} <= {*beginnings(of(acc.consensus(str(path))))}


def test_a_table_of_units_that_lacks_documents_is_warned_of_everywhere(tmp_path: Path) -> None:
    """Unless a row without bounds says that an annotator finished a document without units."""
    rows = [
        f"d{d},{who},{10 * k},{10 * k + 5},x"
        for d in range(6)
        for who in ("anna", "ben")
        for k in range(3)
        if (d, who) != (2, "ben")
    ]
    path = tmp_path / "units.csv"
    header = "document,annotator,start,end,category"
    for more, expected in (([], True), (["d2,ben,,,"], False)):
        path.write_text("\n".join([header, *rows, *more]) + "\n", encoding="utf-8")
        said = texts(found("gamma", path, "--replicates", "10"))
        frame = acc.gamma(pd.read_csv(path), replicates=10)
        for one in (said, frame.values.warnings, acc.gamma(path, replicates=10).values.warnings):
            assert any("ben (1)" in sentence for sentence in one) == expected


def test_a_layer_that_no_human_labelled_has_no_warnings() -> None:
    none = np.empty((0, 0), dtype=np.int32)
    nobody = LabelMatrix(codes=none, tagset=("a", "b"), annotators=())
    assert warnings_on_matrix(nobody) == []


@pytest.mark.parametrize("measure", ["krippendorff_alpha", "gwet_ac1"])
def test_a_matrix_has_the_warnings_of_the_same_labels(labels: Path, measure: str) -> None:
    """An index with documents and items names them, as columns do."""
    value = acc.coefficient(measure, matrix_of(labels), rows="items", replicates=50)
    one = found("agree", labels, "--measure", measure, *FAST)
    said = [row["text"] for row in one["warnings"]]
    assert {*beginnings(said)} == {*beginnings(list(value.warnings))}
    assert any("'Yes', 'yes'" in one for one in value.warnings)
    assert "warning: " in repr(value)
    assert value._repr_html_().count("<p>warning: ") == len(value.warnings)


def test_a_run_gives_the_warnings_of_agree(
    labels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = tmp_path / "campaign.toml"
    campaign.write_text(
        f'[campaign]\nname = "Warnings"\n[[sources]]\npath = "{labels}"\n{NO_GRID}'
        "[intervals]\nreplicates = 50\n",
        encoding="utf-8",
    )
    run = measured_in_process(campaign, monkeypatch)
    codes = {one["code"] for one in run.results["alerts"]}
    codes |= {one["rule"] for layer in run.results["items"] for one in layer["findings"]}
    of_agree = {one["code"] for one in found("agree", labels, *FAST)["warnings"]}
    of_whole_run = {"names_alike", "named_like_system"}  # reported with the report, for all layers
    assert of_agree - of_whole_run <= codes
