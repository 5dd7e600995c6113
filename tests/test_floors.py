"""No floor of a dependency admits a version with a known advisory."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("data", "flows", "metrics", "reports", "tasks", "interface")


def _checked(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(folder / "install" / "floors.py")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_no_floor_admits_a_known_advisory() -> None:
    done = _checked(ROOT)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_floor_that_admits_one_is_named(tmp_path: Path) -> None:
    (tmp_path / "install").mkdir()
    for name in ("install/floors.py", "install/advisories.toml", "pyproject.toml"):
        text = (ROOT / name).read_text(encoding="utf-8")
        text = text.replace("distributed>=2026.7.1", "distributed>=2026.3.0")
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = _checked(tmp_path)
    assert done.returncode == 1
    assert "CVE-2026-23528: distributed is fixed in 2026.7.1" in done.stderr


def test_what_has_an_advisory_without_a_fix_is_not_used() -> None:
    text = (ROOT / "install" / "advisories.toml").read_text(encoding="utf-8")
    unused = re.findall(r'^unused = "(\w+)"', text, re.MULTILINE)
    assert unused
    of_package = (file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py"))
    assert [
        (name, file.name)
        for file in of_package
        for name in unused
        if name in file.read_text(encoding="utf-8")
    ] == []
