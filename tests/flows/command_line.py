"""The command as a user runs it: in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def accordeur(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "flows.cli", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def results(*arguments: str | Path) -> dict[str, dict[str, Any]]:
    done = accordeur(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["results"]
    return {row["measure"]: row for row in rows}
