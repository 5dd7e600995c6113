"""No floor of a dependency admits a version with a known advisory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


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
        text = text.replace("distributed>=2026.1.1", "distributed>=2025.1.0")
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = _checked(tmp_path)
    assert done.returncode == 1
    assert "CVE-2026-23528: distributed is fixed in 2026.1.1" in done.stderr
