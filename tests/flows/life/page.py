"""Walk a page of the documentation as its build does: commands, additions to files, cells."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"
CELL = re.compile(r"^```\{code-cell\} ipython3\n(?::tags:[^\n]*\n)?(.*?)^```$", re.S | re.M)


@dataclass(frozen=True)
class Step:
    """Commands of a page and what they printed; `folder` is where they ran."""

    commands: str
    printed: str
    folder: Path


def walk(page: Path) -> list[Step]:
    """Run a page from its first block to its last; a command that fails stops it."""
    with _as_the_build(page.parent) as shell:
        return list(_steps(shell, page.read_text(encoding="utf-8")))


def _steps(shell: Any, text: str) -> Iterator[Step]:
    names: dict[str, object] = {}
    blocks = [*shell.BLOCK.finditer(text), *CELL.finditer(text)]
    for block in sorted(blocks, key=re.Match.start):
        if block.re is CELL:
            exec(block[1], names)
            continue
        kind, argument, body = block.groups()
        if kind == "append":
            shell.append(argument, body)
            continue
        printed = StringIO()
        with redirect_stdout(printed):
            shell.run(body, status=int(argument or 0))
        yield Step(body.strip(), printed.getvalue(), Path.cwd())


@contextmanager
def _as_the_build(folder: Path) -> Iterator[Any]:
    """Prepare the search paths and the folder of a build; undo it afterwards."""
    before, path, search = Path.cwd(), os.environ["PATH"], list(sys.path)
    sys.path.insert(0, str(DOCS))
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{path}"
    os.chdir(folder)
    try:
        yield import_module("shell")
    finally:
        os.chdir(before)
        os.environ["PATH"] = path
        sys.path[:] = search
