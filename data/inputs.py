"""The files that a campaign is made from, by their contents."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from glob import has_magic
from pathlib import Path
from typing import Any

_CHUNK = 1 << 20


def input_hashes(
    campaign: Path, sources: Sequence[Mapping[str, Any]], *, is_private: bool
) -> dict[str, str]:
    """SHA-256 of every input file, by its path relative to the campaign file's folder.

    In privacy mode, as names of files may name people, by the numbers of source and file.
    """
    found = {}
    for s, source in enumerate(sources, 1):
        root = source_root(source["path"])
        for f, (name, digest) in enumerate(source["hashes"].items(), 1):
            path = os.path.relpath(root / name, campaign.resolve().parent)
            found[f"source {s}, file {f}" if is_private else Path(path).as_posix()] = digest
    return found


def source_root(path: str) -> Path:
    """What the names of a source's files are relative to: a folder, or a glob's fixed part."""
    place = Path(path)
    if place.exists():
        return place if place.is_dir() else place.parent
    parts = place.parts
    fixed = next((k for k, part in enumerate(parts) if has_magic(part)), len(parts))
    return Path(*parts[:fixed])


def file_hashes(path: str) -> dict[str, str]:
    """SHA-256 of every file of a source, by name below `source_root`; {} when none is there."""
    place, root = Path(path), source_root(path)
    if place.exists():
        found = [place]
    else:
        pattern = place.relative_to(root).as_posix()
        found = sorted(root.glob(pattern)) if pattern != "." else []
    files = [file for one in found for file in (_files_below(one) if one.is_dir() else [str(one)])]
    skip = len(str(root)) + 1 if str(root) != "." else 0
    return {file[skip:]: _sha256(file) for file in files if Path(file).is_file()}


def _files_below(folder: Path) -> list[str]:
    """Paths of a folder's files, sorted; as strings, since there may be a million of them."""
    found = [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]  # noqa: PTH118
    return sorted(found, key=lambda path: path.split("/"))


def _sha256(file: str) -> str:
    digest = hashlib.sha256()
    with open(file, "rb") as stream:  # noqa: PTH123
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
