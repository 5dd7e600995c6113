"""A corpus kept in git: hooks and steps are read from their files and run in a repository."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.flows.small import NO_GRID

ROOT = Path(__file__).resolve().parents[2]
CAMPAIGN = f"""
[campaign]
name = "In git"
[[sources]]
path = "labels.csv"
format = "table"
[layers.labels]
categories = ["x", "y"]
[[gates]]
measure = "krippendorff_alpha"
layer = "labels"
at_least = 0.9
[intervals]
replicates = 20
[store]
url = "accordeur-runs"
{NO_GRID}
"""


def written(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def hook(name: str) -> str:
    [found] = [one for one in written(".pre-commit-hooks.yaml") if one["id"] == name]
    return " ".join([found["entry"], *found["args"]])


def labels(*, wrong: str = "") -> str:
    rows = [f"d{k % 4},i{k},{who},{'xy'[k % 2]}" for k in range(20) for who in ("anna", "ben")]
    return "\n".join(["document,item,annotator,label", *rows, wrong]) + "\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "campaign.toml").write_text(CAMPAIGN, encoding="utf-8")
    (folder / "labels.csv").write_text(labels(), encoding="utf-8")
    (folder / ".gitignore").write_text("accordeur-runs/\ngates.xml\n", encoding="utf-8")
    assert shell("git init -q . && git add -A", folder).returncode == 0
    assert commit(folder).returncode == 0
    return folder


def shell(text: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """As the service runs a step: bash that stops at the first error."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", text],
        cwd=folder,
        env={**os.environ, "PATH": path, **variables},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def install(script: str, folder: Path, event: str) -> None:
    file = folder / ".git" / "hooks" / event
    file.write_text(f"#!/bin/sh\nexec {script}\n", encoding="utf-8")
    file.chmod(0o755)


def commit(folder: Path) -> subprocess.CompletedProcess[str]:
    who = "-c user.name=a -c user.email=a@example.org"
    return shell(f"git {who} commit -qam 'Add labels'", folder)


def test_a_commit_with_unreadable_rows_is_refused(repository: Path) -> None:
    install(hook("accordeur-check"), repository, "pre-commit")
    table = repository / "labels.csv"
    table.write_text(labels(wrong="d0,i0,chloe,z"), encoding="utf-8")
    refused = commit(repository)
    assert refused.returncode == 1
    assert "1 rejected" in refused.stdout + refused.stderr
    table.write_text(labels(wrong="d0,i0,chloe,x"), encoding="utf-8")
    assert commit(repository).returncode == 0


def test_the_check_of_a_workflow_points_to_file_and_line(repository: Path) -> None:
    wrong = labels(wrong="d0,i0,chloe,z")
    (repository / "labels.csv").write_text(wrong, encoding="utf-8")
    line = wrong.splitlines().index("d0,i0,chloe,z") + 1
    done = shell("accordeur check campaign.toml", repository, GITHUB_ACTIONS="true")
    [found] = [one for one in done.stdout.splitlines() if one.startswith("::")]
    assert found.startswith(f"::error file=labels.csv,line={line},title=")
    assert "%" not in found
    elsewhere = shell("accordeur check campaign.toml", repository, GITHUB_ACTIONS="")
    assert "::error" not in elsewhere.stdout


@pytest.mark.long
@pytest.mark.services
def test_the_action_and_a_push_fail_where_a_gate_fails(repository: Path) -> None:
    """A rejected row is said by the check, and does not keep the action from measuring."""
    action = written("action.yml")
    inputs = {f"${{{{ inputs.{name} }}}}": one["default"] for name, one in action["inputs"].items()}
    text = labels(wrong="d0,i0,chloe,z").replace("ben,x", "ben,y")
    (repository / "labels.csv").write_text(text, encoding="utf-8")
    assert commit(repository).returncode == 0
    summary = repository.parent / "summary.md"
    steps = [one for one in action["runs"]["steps"] if "run" in one and one["name"] != "Install"]
    ended = {}
    for step in steps:
        given = {key: inputs[value] for key, value in step["env"].items()}
        done = shell(step["run"], repository, GITHUB_STEP_SUMMARY=str(summary), **given)
        ended[step["name"]] = done.returncode
    assert list(ended.values()) == [0, 1], ended
    assert "**Quality gates: 1 failed" in summary.read_text(encoding="utf-8")
    [kept] = [one["with"]["path"] for one in action["runs"]["steps"] if "artifact" in str(one)]
    for place, given in inputs.items():
        kept = kept.replace(place, given)
    assert [one for one in kept.split("\n") if not (repository / one).exists()] == []

    install(hook("accordeur-run"), repository, "pre-push")
    push = "git init -q --bare ../origin && git push -q ../origin HEAD"
    assert shell(push, repository).returncode == 1


def test_the_action_stops_where_a_run_would(repository: Path) -> None:
    steps = written("action.yml")["runs"]["steps"]
    [step] = [one for one in steps if one.get("run", "").startswith("accordeur check")]
    (repository / "labels.csv").unlink()
    assert shell(step["run"], repository, CAMPAIGN="campaign.toml").returncode == 1
