"""The examples in docstrings are run."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

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
