"""Systems against distributions: the command, Python and a run give the same numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import accordeur as acc
from tests.flows.command_line import accordeur
from tests.flows.outcomes import results_of

PEOPLE = ("ann", "ben", "cat", "dan")


@pytest.fixture
def crew(tmp_path: Path) -> dict[str, list[str]]:
    """Labels of four annotators, and files of systems: labels, distributions, one per annotator."""
    rng = np.random.default_rng(3)
    p = rng.dirichlet([0.7, 0.7, 0.7], size=60)
    rows = [
        (f"d{i // 10}", f"q{i}", name, "abc"[rng.choice(3, p=p[i])])
        for i in range(60)
        for name in PEOPLE
    ]
    _write(tmp_path / "crew.csv", "document,item,annotator,label", rows)
    hard = [(f"d{i // 10}", f"q{i}", "gpt", "abc"[p[i].argmax()]) for i in range(59)]
    _write(tmp_path / "hard.csv", "document,item,annotator,label", hard)
    soft = [(f"d{i // 10}", f"q{i}", *p[i].round(4)) for i in range(60)]
    _write(tmp_path / "soft.csv", "document,item,a,b,c", soft)
    same = [row for row in rows if row[2] != "dan"]
    _write(tmp_path / "each.csv", "document,item,annotator,label", same)
    names = ("document", "item", "annotator", "label")
    return {name: [row[k] for row in rows] for k, name in enumerate(names)}


def _write(path: Path, header: str, rows: Any) -> None:
    lines = [header, *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _scores(folder: Path, *more: str) -> dict[tuple[str, str], dict[str, Any]]:
    systems = [x for one in ("hard", "soft", "each") for x in ("--system", folder / f"{one}.csv")]
    done = accordeur("score", "--reference", folder / "crew.csv", *systems, "--json", *more)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    return {(one["system"], one["measure"]): one for one in found["results"]}


def test_the_command_scores_three_kinds_of_systems(
    tmp_path: Path, crew: dict[str, list[str]]
) -> None:
    found = _scores(tmp_path, "--soft", "votes", "--distance", "ordinal", "--categories", "a,b,c")
    assert found["gpt", "manhattan"]["detail"]["n_missing"] == 1
    assert found["soft", "manhattan"]["value"] < found["gpt", "manhattan"]["value"]
    # It repeats three of the four annotators, and says nothing of the last one.
    assert found["each", "annotator_error_rate"]["value"] == 0.25
    assert ("soft", "wasserstein") in found
    other = found["(other annotators)", "manhattan"]
    assert other["interval"][0] < other["value"] < other["interval"][1]
    nominal = _scores(tmp_path, "--measure", "manhattan", "--measure", "cross_entropy")
    assert {measure for _, measure in nominal} == {"manhattan", "cross_entropy"}
    assert nominal["soft", "manhattan"]["value"] == found["soft", "manhattan"]["value"]


def test_python_says_what_the_command_says(tmp_path: Path, crew: dict[str, list[str]]) -> None:
    of_command = _scores(tmp_path, "--soft", "dirichlet")
    rows = [line.split(",") for line in (tmp_path / "soft.csv").read_text().split()[1:]]
    columns = zip(*rows, strict=True)
    names = ("document", "item", "a", "b", "c")
    system = {
        n: list(map(str if n in names[:2] else float, c))
        for n, c in zip(names, columns, strict=True)
    }
    found = acc.score(crew, {"soft": system}, item="item", label="label", soft="dirichlet")
    for measure in ("manhattan", "annotator_error_rate"):
        assert found["soft", measure].value == of_command["soft", measure]["value"]
    assert found["(other annotators)", "manhattan"].value > 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("--soft", "votes", "--measure", "accuracy"),
            "accuracy is not a measure of distributions",
        ),
    ],
)
def test_what_is_refused(
    tmp_path: Path, crew: dict[str, list[str]], arguments: tuple[str, ...], said: str
) -> None:
    done = accordeur(
        "score", "--reference", tmp_path / "crew.csv", "--system", tmp_path / "hard.csv", *arguments
    )
    assert done.returncode == 2
    assert said in done.stderr


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("d0,q0,0.5,0.2,0.1", "add up to 0.800"),
        ("d0,q0,0.5,0.9,-0.4", "is not a probability"),
        ("d9,q0,0.5,0.5,0", "none of its items"),
    ],
)
def test_bad_distributions(tmp_path: Path, crew: dict[str, list[str]], row: str, said: str) -> None:
    (tmp_path / "bad.csv").write_text(f"document,item,a,b,c\n{row}\n")
    done = accordeur(
        *("score", "--soft", "votes", "--reference", tmp_path / "crew.csv"),
        *("--system", tmp_path / "bad.csv"),
    )
    assert done.returncode == 2
    assert said in done.stderr


@pytest.mark.long
@pytest.mark.services
def test_a_run_scores_and_releases(
    tmp_path: Path,
    crew: dict[str, list[str]],
    run_campaign: Callable[..., tuple[dict[str, Any], Any]],
) -> None:
    path = tmp_path / "campaign.toml"
    path.write_text(
        '[campaign]\nname = "Soft"\n[[sources]]\npath = "crew.csv"\n[[sources]]\n'
        'path = "hard.csv"\nrole = "system"\n[layers.labels]\ncategories = ["a", "b", "c"]\n'
        'distance = "ordinal"\n[annotators.soft]\nrole = "system"\ndistributions = "soft.csv"\n'
        '[validation]\nundeclared_annotators = "accept"\n'
        '[reference]\nrule = "dawid_skene"\nsoft = "votes"\n'
        '[[gates]]\nmeasure = "wasserstein"\nof = "gpt"\nat_most = 0.01\n[engine]\nworkers = 1\n',
        encoding="utf-8",
    )
    outcome, _ = run_campaign(path)
    results = results_of(outcome)
    [soft] = [one for one in results["validity"] if one["soft"]]
    of_command = _scores(
        tmp_path, "--soft", "votes", "--distance", "ordinal", "--categories", "a,b,c"
    )
    for system in soft["systems"]:
        for value in system["values"]:
            assert value["value"] == of_command[system["system"], value["measure"]]["value"]
    assert {one["system"] for one in soft["systems"]} == {"gpt", "soft"}
    assert [one["system"] for one in soft["beside"]] == ["other_annotators", "shares_of_all_labels"]
    assert results["gates"][0]["outcome"] == "failed"
    [reference] = results["references"]
    alone = acc.soft_labels(crew, document="document", replicates=0)
    assert reference["soft"]["log_loss"] == pytest.approx(alone.log_loss)
    assert reference["model_check"] > 0
    folder = Path(outcome["report"]).parent / "reference" / "labels"
    table = pq.read_table(folder / "soft_labels.parquet").to_pydict()
    assert list(table) == ["document", "item", "n_labels", "a", "b", "c"]
    first = json.loads((folder / "soft_labels.jsonl").read_text().splitlines()[0])
    given = [
        label
        for item, label in zip(crew["item"], crew["label"], strict=True)
        if item == first["item"]
    ]
    assert first["probabilities"]["a"] == pytest.approx(given.count("a") / 4)
    page = Path(outcome["report"]).read_text(encoding="utf-8")
    assert "Other annotators" in page
    assert "Reliability of the distributions" in page
