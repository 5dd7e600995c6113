"""The examples in docstrings are run."""

from __future__ import annotations

import doctest
import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

import accordeur as acc

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("metrics", "data", "tasks", "reports", "flows", "interface")
MODULES = sorted(
    ".".join(("accordeur", *path.relative_to(ROOT).with_suffix("").parts))
    for folder in FOLDERS
    for path in (ROOT / folder).rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_docstrings_are_right(module: str) -> None:
    found = doctest.testmod(import_module(module))
    assert found.attempted
    assert not found.failed


@pytest.mark.parametrize("name", [n for n in acc.__all__ if inspect.isclass(getattr(acc, n))])
def test_an_attribute_is_described_once(name: str) -> None:
    """A site describes a property by its own docstring, and refuses a second description."""
    kind = getattr(acc, name)
    listed = re.search(r"Attributes\n-+\n(.*?)(?:\n\n\w+\n-+|$)", inspect.getdoc(kind) or "", re.S)
    attributes = re.findall(r"^(\w[\w, ]*)$", listed.group(1), re.M) if listed else []
    for attribute in (part for line in attributes for part in line.split(", ")):
        assert not isinstance(vars(kind).get(attribute), property), attribute
