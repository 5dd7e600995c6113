"""Groups of annotators: the table of attributes, the command, Python, and a run with pseudonyms."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accordeur as acc
from tests.flows.command_line import accordeur
from tests.flows.outcomes import results_of

PEOPLE = ("anna", "bernd", "carla", "dario", "emma", "farid", "gina")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = np.random.default_rng(5)
    views = rng.integers(0, 2, (2, 40))
    rows = [
        f"d{i // 10},q{i},{name},{'xy'[views[a % 2][i] if rng.random() < 0.85 else i % 2]}"
        for a, name in enumerate(PEOPLE)
        for i in range(40)
    ]
    text = "\n".join(["document,item,annotator,label", *rows])
    (tmp_path / "labels.csv").write_text(text + "\n", encoding="utf-8")
    rows = [f"{name},{['even', 'odd'][a % 2]},{name[0]}" for a, name in enumerate(PEOPLE)]
    text = "\n".join(["annotator,side,secret", *rows])
    (tmp_path / "people.csv").write_text(text + "\n", encoding="utf-8")
    return tmp_path


def test_the_command_and_python(folder: Path) -> None:
    done = accordeur(
        "agree", folder / "labels.csv", "--attributes", folder / "people.csv", "--json"
    )
    side, secret = json.loads(done.stdout)["groups"]
    assert [one["name"] for one in side["groups"]] == ["even", "odd"]
    assert (secret["groups"], secret["n_hidden"]) == ([], 7)
    labels = [line.split(",") for line in (folder / "labels.csv").read_text().split()[1:]]
    people = [line.split(",") for line in (folder / "people.csv").read_text().split()[1:]]
    names = ("document", "item", "annotator", "label")
    data = dict(zip(names, map(list, zip(*labels, strict=True)), strict=True))
    found = acc.compare_groups(
        data, {"side": {name: value for name, value, _ in people}}, document="document"
    ).to_frame()
    assert found["within"].tolist() == [one["within"]["value"] for one in side["groups"]]
    assert found["p"].tolist() == [one["p_corrected"] for one in side["groups"]]
    shown = accordeur("agree", folder / "labels.csv", "--attributes", folder / "people.csv")
    assert "no two groups are large enough" in shown.stdout


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("name,side\nanna,x\n", "has the column `annotator`"),
        ("annotator,side\nanna,x\nanna,y\n", "second row of 'anna'"),
        ("annotator,side\n,x\n", "no annotator"),
    ],
)
def test_bad_tables_of_attributes(folder: Path, table: str, said: str) -> None:
    (folder / "people.csv").write_text(table)
    done = accordeur("agree", folder / "labels.csv", "--attributes", folder / "people.csv")
    assert done.returncode == 2
    assert said in done.stderr


@pytest.mark.long
@pytest.mark.services
def test_a_run_hides_small_groups_and_names(
    folder: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    people = "".join(
        f'[annotators.{name}]\npseudonym = "A{a}"\nattributes = {{ own = "{"uv"[a % 2]}" }}\n'
        for a, name in enumerate(PEOPLE)
    )
    path = folder / "campaign.toml"
    path.write_text(
        '[campaign]\nname = "Groups"\nprivacy = true\n[[sources]]\npath = "labels.csv"\n'
        f'{people}[groups]\nattributes = "people.csv"\npermutations = 35\n[engine]\nworkers = 1\n',
        encoding="utf-8",
    )
    outcome, _ = run_campaign(path)
    [layer] = results_of(outcome)["items"]
    side, secret, own = layer["groups"]
    assert [one["within"]["value"] for one in side["groups"]] == [
        one["within"]["value"] for one in own["groups"]
    ]
    assert side["groups"][0]["least_p"] == pytest.approx(1 / 35)  # C(7, 4) groupings
    assert secret["groups"] == []
    page = Path(outcome["report"]).read_text(encoding="utf-8")
    assert "Groups of annotators" in page
    assert not any(name in page for name in PEOPLE)
