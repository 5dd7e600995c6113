"""Resolution of paths in a campaign file, relative to its folder."""

from __future__ import annotations

from pathlib import Path


def path_from(folder: Path, path: str) -> str:
    """Return an absolute path; URLs and "" are unchanged."""
    return path if not path or "://" in path else str(folder / Path(path).expanduser())
