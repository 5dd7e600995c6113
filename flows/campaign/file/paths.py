"""Paths in a campaign file are relative to its folder."""

from __future__ import annotations

from pathlib import Path


def path_from(folder: Path, path: str) -> str:
    """An absolute path; a URL and "" as they are."""
    return path if not path or "://" in path else str(folder / Path(path).expanduser())
