"""Labels, names, paths and titles of others never act on the terminal."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

ACTING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
EVIL = "a\x1b[31m\u202eb\x9bc\u2028d\x07"
COMMANDS = {
    "agree": (),
    "agree --by": ("--by", "category"),
    "agree --json": ("--json",),
    "check": (),
    "mistakes": (),
    "plan": (),
    "replace": ("--role", "sys=system"),
    "score": ("--role", "anna=reference", "--role", "sys=system"),
    "estimate": ("--role", "anna=reference", "--role", "sys=system"),
    "calibrate": (),
}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Two humans and a system, with labels, items and columns that act on a terminal."""
    rows = ["item,annotator,label"]
    for item in range(40):
        for who in ("anna", "ben", "sys"):
            label = EVIL if (item + len(who)) % 3 else "plain"
            rows.append(f'"i{item}{EVIL}",{who},"{label}"')
    path = tmp_path / f"t\x1b[2J\n{EVIL}.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_acts_on_the_terminal(
    table: Path, command: str, main_in_process: Callable[..., str]
) -> None:
    written = main_in_process(command.split()[0], table, *COMMANDS[command], code=None)
    assert ACTING.findall(written) == []
    if "--json" in command:
        json.loads(written)


def test_an_error_is_one_line_whatever_the_name(
    tmp_path: Path, main_in_process: Callable[..., str]
) -> None:
    written = main_in_process("agree", tmp_path / f"x\naccordeur: all is well{EVIL}")
    assert len(written.splitlines()) == 1
    assert "\\x0aaccordeur: all is well" in written
    assert ACTING.findall(written) == []


def test_a_title_of_a_campaign_is_shown_as_characters(
    tmp_path: Path, main_in_process: Callable[..., str]
) -> None:
    file = tmp_path / "campaign.toml"
    file.write_text('[campaign]\nname = "\\u001b[2J"\nx\u202ey = 1\n', encoding="utf-8")
    assert ACTING.findall(main_in_process("check", file)) == []
