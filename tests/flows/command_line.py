"""The command as a user runs it, in this process or in one of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from accordeur.flows import cli

ROOT = Path(__file__).resolve().parents[2]
INSTALLED = [sys.executable, "-P", "-m", "accordeur.flows.cli"]  # what the console script does


def accordeur(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """The command in this process: all that `main` does after preparing a process of its own."""
    words = [str(one) for one in arguments]
    printed, reported = io.StringIO(), io.StringIO()
    with chdir(ROOT), redirect_stdout(printed), redirect_stderr(reported):
        try:
            cli.run(words)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0
    return subprocess.CompletedProcess(words, code, printed.getvalue(), reported.getvalue())


def accordeur_process(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, for runs, which prepare theirs."""
    return subprocess.run(
        [sys.executable, "-m", "accordeur.flows.cli", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def alone(folder: Path, **environment: str) -> dict[str, str]:
    """An environment without a Prefect server; home and temporary files are below `folder`."""
    home, temporary = folder / "home", folder / "tmp"
    for one in (home, temporary):
        one.mkdir(parents=True, exist_ok=True)
    found = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PREFECT", "XDG", "DASK")) and name != "PYTHONSAFEPATH"
    }
    found |= {"HOME": str(home), "TMPDIR": str(temporary), "PYTHONPATH": str(ROOT)}
    found["XDG_CACHE_HOME"] = str(Path.home() / ".cache")  # it takes seconds to make again
    return found | environment


def accordeur_in(
    folder: Path, *arguments: str | Path, environment: Mapping[str, str], seconds: float = 300
) -> subprocess.CompletedProcess[str]:
    """The installed command, started in `folder`."""
    return subprocess.run(
        [*INSTALLED, *map(str, arguments)],
        cwd=folder,
        env=dict(environment),
        capture_output=True,
        text=True,
        check=False,
        timeout=seconds,
    )


def results(*arguments: str | Path) -> dict[str, dict[str, Any]]:
    done = accordeur(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["results"]
    return {row["measure"]: row for row in rows}


def warnings_in(found: dict[str, Any]) -> list[str]:
    """The sentences of what `--json` holds under `warnings`."""
    return [one["text"] for one in found["warnings"]]
