"""An option that a message names exists in a command, and its keyword in Python."""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import typer

import accordeur as acc
from accordeur.data.option_names import in_python, option
from accordeur.flows.cli import app
from accordeur.interface.keyword_options import function_with

ROOT = Path(__file__).parents[2]
FOLDERS = ("data", "metrics", "tasks", "reports", "interface")
NAMED = re.compile(r'\{option:([a-z_]+)|\boption\(\s*["\']([a-z_]+)["\']')
# Options of commands whose functions Python lacks, and of `accordeur audit`.
ONLY_COMMANDS = {
    "attributes", "against", "human", "strict", "lengths", "wide", "count", "to",
}  # fmt: skip


def leaves(table: Any) -> Iterator[str]:
    for one in table.values():
        yield from leaves(one) if isinstance(one, dict) else [one]


def named_options() -> set[str]:
    texts = [
        text
        for path in (ROOT / "reports" / "messages").glob("*.toml")
        for text in leaves(tomllib.loads(path.read_text(encoding="utf-8")))
    ]
    for folder in FOLDERS:
        files = (ROOT / folder).rglob("*.py")
        texts += [path.read_text(encoding="utf-8") for path in files]
    return {a or b for text in texts for a, b in NAMED.findall(text)}


def of_commands(command: Any) -> Iterator[str]:
    for one in command.params:
        yield from one.opts
    if hasattr(command, "list_commands"):
        for name in command.list_commands(None):
            yield from of_commands(command.get_command(None, name))


def keywords() -> set[str]:
    functions = [getattr(acc, name) for name in acc.__all__]
    return {
        one for each in functions if callable(each) for one in inspect.signature(each).parameters
    }


def test_each_exists() -> None:
    flags, known, named = {*of_commands(typer.main.get_command(app))}, keywords(), named_options()
    assert len(named) > 30
    assert {one for one in named if f"--{one.replace('_', '-')}" not in flags} == set()
    with in_python():
        in_functions = {one: option(one).partition("=")[0] for one in named - ONLY_COMMANDS}
    assert {one for one, keyword in in_functions.items() if keyword not in known} == set()


def test_a_keyword_that_a_function_lacks_is_named_with_one_that_has_it() -> None:
    """Each message may be one of any function: what it advises can be written."""
    named = named_options() - ONLY_COMMANDS
    for function in (acc.coefficient, acc.agreement, acc.gamma, acc.score, acc.plan):
        known = inspect.signature(function).parameters
        with in_python(place=partial(function_with, known=known)):
            worded = [option(one, "a=b" if one == "role" else "b") for one in sorted(named)]
        for one in worded:
            elsewhere = re.match(r"accordeur\.(\w+)\(…, (\w+)=", one)
            there = getattr(acc, elsewhere[1]) if elsewhere else function
            keyword = elsewhere[2] if elsewhere else one.partition("=")[0]
            assert keyword in inspect.signature(there).parameters, (function, one)


def test_a_matrix_is_advised_where_roles_can_be_given() -> None:
    labels = pd.DataFrame({"anna": list("ababab"), "gpt-4": list("abbbab")})
    for call in (acc.krippendorff_alpha, partial(acc.coefficient, "gwet_ac1")):
        [warning] = [one for one in call(labels).warnings if "gpt-4" in one]
        assert '`accordeur.read(…, roles={"NAME": "system"})`' in warning
