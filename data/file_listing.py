"""List the files below a folder in the order of their paths, with bounded memory.

Only names in the folders currently open are held, as fixed-width bytes, which take a third of the
memory of strings: a million files in a thousand folders take the memory of a thousand files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from glob import has_magic
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .errors import DataError

_AT_ONCE = 256
_ABOUT_THE_DATA = re.compile(
    r"(read[ _-]?me|licen[cs]es?|copying|copyright|notice|source|authors|citation|change(log|s))"
    r"([ _-][^.]*)?(\.(txt|md|rst|cff|bib|html|pdf))?",
    re.IGNORECASE,
)


def files_below(
    folder: Path | str, *, ending: str = "", deep: bool = True, hidden: bool = True
) -> Iterator[str]:
    """Yield paths relative to `folder`, with "/" between folders, sorted by their UTF-8 bytes.

    ending: yield only files that end so, and their paths without it. deep: whether to descend into
    folders; links to folders are not followed. hidden: whether names that begin with a dot, and
    `__MACOSX`, are included. Raises DataError when a folder cannot be read.
    """
    for path in _paths_below(os.fspath(folder), "", ending, deep, hidden):
        if not path.endswith("/"):
            yield path


def folders_below(folder: Path | str, *, deep: bool = True, hidden: bool = True) -> Iterator[str]:
    """Yield the folders below a folder, each before its contents."""
    for path in _paths_below(os.fspath(folder), "", "/", deep, hidden):
        yield path.removesuffix("/")


def matching_paths(path: Path | str) -> list[Path]:
    """Return the path if it exists, else the files and folders that match it as a pattern, sorted.

    `*` matches no hidden name, and `**` follows no link. Pipes, devices, and links that lead
    nowhere or above themselves match no pattern. Raises DataError for a pattern that is none.
    """
    place, root = Path(path), root_of(path)
    if os.path.lexists(place):
        return [place]
    if root == place:
        return []
    pattern = place.relative_to(root)
    hides = not any(part.startswith(".") for part in pattern.parts)
    try:
        found = [*root.glob(str(pattern))]
    except (ValueError, NotImplementedError) as error:
        raise DataError(f"{path}: {error}, such as exports/**/*.csv") from None
    return sorted(
        one
        for one in found
        if not (hides and any(map(is_hidden, one.relative_to(root).parts)))
        and (os.path.isfile(one) or (one.is_dir() and not _leads_above(one)))  # noqa: PTH113
    )


def root_of(path: Path | str) -> Path:
    """Return the folder that names of files are relative to; for a pattern, its fixed part."""
    place = Path(path)
    if os.path.lexists(place):
        return place if place.is_dir() else place.parent
    parts = place.parts
    fixed = next((k for k, part in enumerate(parts) if has_magic(part)), len(parts))
    return Path(*parts[:fixed])


def _leads_above(folder: Path) -> bool:
    """Return whether a folder is a link to a folder that contains the link."""
    return folder.is_symlink() and folder.resolve() in folder.absolute().parents


def unread_entries_below(folder: Path | str) -> Iterator[str]:
    """Yield what `files_below` passes over or nothing reads: links to folders, pipes, devices, …

    Hidden names are not yielded. Folders that cannot be read are passed over.
    """
    waiting = [""]
    while waiting:
        prefix = waiting.pop()
        with suppress(OSError), os.scandir(os.path.join(folder, prefix)) as entries:  # noqa: PTH118
            for entry in entries:
                path = prefix + entry.name
                if is_hidden(entry.name) or entry.is_file(follow_symlinks=False):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(path + "/")
                elif not os.path.isfile(entry.path):  # noqa: PTH113 - False for a broken link
                    yield path


def entries_below(root: str, *, recursive: bool) -> Iterator[tuple[str, bool]]:
    """Yield the path below a folder of each file and folder, and whether it is a folder.

    Links to folders are followed once. Nothing is yielded where there is no folder.
    """
    waiting, seen = [""], set[tuple[int, int]]()  # a link may lead to a folder above it
    while waiting:
        folder = waiting.pop()
        try:
            entries = os.scandir(os.path.join(root, folder))  # noqa: PTH118
        except (FileNotFoundError, NotADirectoryError):  # NotADirectoryError: damage
            continue
        with entries:
            for entry in entries:
                path = folder + entry.name
                if entry.is_dir():
                    yield path, True
                    place = entry.stat().st_dev, entry.stat().st_ino
                    if recursive and place not in seen:
                        seen.add(place)
                        waiting.append(f"{path}/")
                elif entry.is_file():
                    yield path, False


def is_hidden(name: str) -> bool:
    return name.startswith(".") or name == "__MACOSX"


def is_documentation(name: str) -> bool:
    """Return whether a file's name marks it as documentation, such as a README or a licence.

    >>> [is_documentation(name) for name in ("README.md", "LICENSE-MIT", "readme.csv", "notes")]
    [True, True, False, False]
    """
    return _ABOUT_THE_DATA.fullmatch(name) is not None


def _paths_below(folder: str, prefix: str, ending: str, deep: bool, hidden: bool) -> Iterator[str]:
    """Yield files, and folders with a slash at their end."""
    names = _sorted_names(os.path.join(folder, prefix), ending, hidden)  # noqa: PTH118
    for start in range(0, len(names), _AT_ONCE):
        for raw in names[start : start + _AT_ONCE].tolist():
            path = prefix + os.fsdecode(raw)
            yield path
            if deep and path.endswith("/"):
                yield from _paths_below(folder, path, ending, deep, hidden)


def _sorted_names(place: str, ending: str, hidden: bool) -> NDArray[np.bytes_]:
    """Return the names of the files, without the ending, and of the folders, with a slash."""
    parts: list[NDArray[np.bytes_]] = []
    try:
        with os.scandir(place) as entries:
            wanted = _matching_entries(entries, ending, hidden)
            while some := list(islice(wanted, _AT_ONCE)):
                parts.append(np.array(some))
    except OSError as error:
        raise DataError(f"{place}: the folder cannot be read ({error.strerror})") from error
    names = np.concatenate(parts) if parts else np.empty(0, dtype="S1")
    names.sort()
    return names


def _matching_entries(
    entries: Iterator[os.DirEntry[str]], ending: str, hidden: bool
) -> Iterator[bytes]:
    for entry in entries:
        if not hidden and is_hidden(entry.name):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield os.fsencode(entry.name + "/")
        elif entry.is_symlink() and os.path.isdir(entry.path):  # noqa: PTH112 - False for a loop
            continue
        elif entry.name.endswith(ending) and entry.name != ending:
            yield os.fsencode(entry.name.removesuffix(ending))
