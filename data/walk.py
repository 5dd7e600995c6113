"""Files below a folder in the order of their paths, however many there are.

Names wait as fixed-width bytes, a third of what strings take, and only those of the folders that
the walk stands in: a million files in a thousand folders take the memory of a thousand.
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
    """Paths relative to `folder`, "/" between folders, sorted by their UTF-8.

    ending: only files that end so, and their paths without it. deep: whether to go into folders;
    links to folders are not followed. hidden: whether names that begin with a dot, and `__MACOSX`,
    are included. Raises DataError where a folder cannot be read.
    """
    for path in _paths_below(os.fspath(folder), "", ending, deep, hidden):
        if not path.endswith("/"):
            yield path


def folders_below(folder: Path | str, *, deep: bool = True, hidden: bool = True) -> Iterator[str]:
    """The folders among them, each before what is in it."""
    for path in _paths_below(os.fspath(folder), "", "/", deep, hidden):
        yield path.removesuffix("/")


def printable_name(name: str) -> str:
    """A file's name as text that can be kept: bytes that are no UTF-8 as `\\xff`."""
    return name if name.isascii() else os.fsencode(name).decode("utf-8", "backslashreplace")


def is_hidden(name: str) -> bool:
    return name.startswith(".") or name == "__MACOSX"


def is_about_the_data(name: str) -> bool:
    """Whether a file's name says that it describes the files beside it, as a README or a licence.

    >>> [is_about_the_data(name) for name in ("README.md", "LICENSE-MIT", "readme.csv", "notes")]
    [True, True, False, False]
    """
    return _ABOUT_THE_DATA.fullmatch(name) is not None


def _paths_below(folder: str, prefix: str, ending: str, deep: bool, hidden: bool) -> Iterator[str]:
    """Files, and folders with a slash at their end."""
    names = _sorted_names(os.path.join(folder, prefix), ending, hidden)  # noqa: PTH118
    for start in range(0, len(names), _AT_ONCE):
        for raw in names[start : start + _AT_ONCE].tolist():
            path = prefix + os.fsdecode(raw)
            yield path
            if deep and path.endswith("/"):
                yield from _paths_below(folder, path, ending, deep, hidden)


def _sorted_names(place: str, ending: str, hidden: bool) -> NDArray[np.bytes_]:
    """Names of the place's files, without the ending, and of its folders, with a slash."""
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
