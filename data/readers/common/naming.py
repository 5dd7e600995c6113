"""Derive names from files: the `source` of a record, document names, annotators.

Names are relative to the source's root, with "/" between folders, so that the tables contain no
paths of the machine.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath, PurePosixPath
from typing import Any

from ...sentences import printable
from ..base import SourceOptions
from ..options import FormatOptions

# Keys in imports for tools (`data.writers`) that the tools' exports repeat.
DOCUMENT_KEY = "accordeur_document"
ITEM_KEY = "accordeur_item"  # of an item that is a part of its document
# Columns of the table of a round; its purpose is read from the round, not from the filled-in table.
QUEUE_COLUMNS = ("document", "item", "annotator", "role", "label", "purpose")


def is_queue(header: Collection[str]) -> bool:
    """Return whether a table is that of a round, filled in."""
    return set(QUEUE_COLUMNS) <= set(header)


UNNAMED = "default"  # the annotator of an annotation set without a name


@dataclass(frozen=True)
class NamedByPath(FormatOptions):
    """Base of the options of formats whose files do not name their document: the path does."""


def source_name(path: Path, options: SourceOptions) -> str:
    """Return the file's path relative to the source's root, or its name without a root.

    Bytes that are not UTF-8 are shown as `\\xff`.
    """
    if options.root is None:
        return printable(path.name)
    text, root = path.as_posix(), options.root.as_posix()  # much faster than `relative_to`
    if root == "." and not path.is_absolute():
        return printable(text)
    inside = text.removeprefix(root.rstrip("/") + "/")
    return printable(inside if inside != text else path.name)


def document_name(path: Path, options: SourceOptions) -> str:
    """Return the configured document name, or else the relative path without its extension."""
    if options.document:
        return options.document
    return str(PurePosixPath(source_name(path, options)).with_suffix(""))


def names_in_own_import(data: Any) -> tuple[str, str]:
    """Return the document and the item that an import written by Accordeur names, else ""."""
    if not isinstance(data, dict):
        return "", ""
    found = [data.get(key) for key in (DOCUMENT_KEY, ITEM_KEY)]
    document, item = (one if isinstance(one, str) else "" for one in found)
    return document, item if document else ""


def document_and_annotator(path: Path, options: SourceOptions) -> tuple[str, str]:
    """Return the document and annotator of a file with one document by one annotator.

    With `options.annotator`, the document is `document_name`. Otherwise `doc7/anna.tsv` is document
    `doc7` by `anna`; for a file directly in the root, the root's name replaces the missing folder.
    """
    name = document_name(path, options)
    if options.annotator:
        return name, options.annotator
    *folders, annotator = PurePosixPath(name).parts
    return "/".join(folders) or root_name(path, options), annotator


def root_name(path: Path, options: SourceOptions) -> str:
    """Return the name of the source's root, or of the file's folder without a root."""
    root = options.root if options.root is not None else path.parent
    return printable(root.resolve().name)


def distinct_parts(paths: Sequence[Path]) -> list[str]:
    """Return the last part of each path that differs, without extensions where possible.

    >>> distinct_parts([Path("a/day1.csv"), Path("b/day1.csv")])
    ['a', 'b']
    >>> distinct_parts([Path("x/anna.csv"), Path("x/ben.csv")])
    ['anna', 'ben']
    """
    parts = _path_parts(paths)
    for k in range(1, max(map(len, parts))):
        names = [each[-k] if k <= len(each) else "" for each in parts]
        if len(set(names)) == len(names):
            return names
    return distinct_path_ends(paths)


def distinct_path_ends(paths: Sequence[Path]) -> list[str]:
    """Return the shortest distinct path ends of equal length, without extensions where possible.

    >>> distinct_path_ends([Path("runs/a/pred"), Path("runs/b/pred")])
    ['a/pred', 'b/pred']
    """
    parts = _path_parts(paths)
    n_paths = len(set(parts))
    for k in range(1, max(map(len, parts))):
        names = ["/".join(each[-k:]) for each in parts]
        if len(set(names)) == n_paths:
            return names
    return [str(path) for path in paths]


def _path_parts(paths: Sequence[Path]) -> list[tuple[str, ...]]:
    found = [PurePath(printable(os.path.abspath(path))).parts for path in paths]  # noqa: PTH100
    return [(*each[:-1], PurePath(each[-1]).stem) for each in found]
