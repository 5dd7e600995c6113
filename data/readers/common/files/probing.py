"""How readers look at a file to say whether it is theirs."""

from __future__ import annotations

from pathlib import Path


def first_bytes(path: Path, n_bytes: int = 4096) -> bytes:
    """The beginning of a file; nothing of a folder or of what cannot be opened."""
    try:
        with path.open("rb") as stream:
            return stream.read(n_bytes)
    except OSError:
        return b""


def is_type_system(path: Path) -> bool:
    """Whether a file describes the types of UIMA's XMI files, which is no export by itself."""
    return path.suffix.lower() == ".xml" and b"<typeSystemDescription" in first_bytes(path)
