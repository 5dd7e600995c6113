"""List the files below a folder in the order of their paths, with bounded memory.

Only names in the folders currently open are held, as fixed-width bytes, which take a third of the
memory of strings: a million files in a thousand folders take the memory of a thousand files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
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


def printable_name(name: str) -> str:
    """Return a file's name as text that can be stored: bytes that are not UTF-8 as `\\xff`."""
    return name if name.isascii() else os.fsencode(name).decode("utf-8", "backslashreplace")


def is_hidden(name: str) -> bool:
    return name.startswith(".") or name == "__MACOSX"


def is_about_the_data(name: str) -> bool:
    """Return whether a file's name marks it as documentation, such as a README or a licence.

    >>> [is_about_the_data(name) for name in ("README.md", "LICENSE-MIT", "readme.csv", "notes")]
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
        if entry.is_dir():
            if not entry.is_symlink():
                yield os.fsencode(entry.name + "/")
        elif entry.name.endswith(ending) and entry.name != ending:
            yield os.fsencode(entry.name.removesuffix(ending))
