"""Derive names from files: the `source` of a record, document names, annotators.

Names are relative to the source's root, with "/" between folders, so that the tables contain no
paths of the machine.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath, PurePosixPath
from typing import Annotated, Any, Literal

from ...errors import DataError
from ...sentences import printable
from ..base import NAME_LAYOUTS, GeneralOptions, SourceOptions
from ..options import FormatOptions, Option

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


@dataclass(frozen=True)
class FileOption(NamedByPath):
    """The option of tables, which may name annotators and documents in columns."""

    file: Annotated[
        Literal["document", "annotator"],
        Option(
            "what a file stands for",
            values={
                "document": "if no column gives the document",
                "annotator": "each file, or each folder of files, is the work of one annotator, "
                "and files with the same name are one document",
            },
        ),
    ] = "document"


_NAME_THAT_ENDS = re.compile(r"(?P<document>.+)[-._ ](?P<annotator>[^-._ ]+)")
_NAME_THAT_BEGINS = re.compile(r"(?P<annotator>[^-._ ]+)[-._ ](?P<document>.+)")


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

    With `options.annotator`, the document is `document_name`. Otherwise the option `layout`
    decides: `document/annotator` reads `doc7/anna.tsv` as document `doc7` by `anna`;
    `annotator/document` reads `anna/doc7.tsv` the same way. For a file directly in the root, the
    root's name replaces the missing folder. `document.annotator` reads `doc7_anna.tsv` so, and
    `annotator.document` `anna_doc7.tsv`.

    Raises DataError for a name without a separator where `layout` needs one.
    """
    if options.annotator:
        return document_name(path, options), options.annotator
    layout = options.layout or GeneralOptions.layout
    root = options.root if options.root is not None else path.parent
    inner = PurePosixPath(document_name(path, options))
    if layout in NAME_LAYOUTS:
        names = split_name(inner.name, layout)
        if names is None:
            raise DataError(
                f"{path.name}: no name of an annotator in it, as layout = {layout!r} needs"
            )
        return str(inner.with_name(names[0])), names[1]
    parts = inner.parts if len(inner.parts) > 1 else (printable(root.resolve().name), *inner.parts)
    if layout == "document/annotator":
        return "/".join(parts[:-1]), parts[-1]
    return "/".join(parts[1:]), parts[0]


def split_name(name: str, layout: str) -> tuple[str, str] | None:
    """Return the document and annotator in a file's name without extension, None without both.

    >>> split_name("rec_01_anna", "document.annotator")
    ('rec_01', 'anna')
    >>> split_name("anna-rec_01", "annotator.document")
    ('rec_01', 'anna')
    """
    first = layout == "annotator.document"
    found = (_NAME_THAT_BEGINS if first else _NAME_THAT_ENDS).fullmatch(name)
    return None if found is None else (found["document"], found["annotator"])


def document_and_annotator_of_rows(path: Path, options: SourceOptions) -> tuple[str, str]:
    """Return (document, annotator) for a file's rows; "" where only a column names the annotator.

    With `file=annotator`, `anna/day1.csv` is document `day1` by anna, and `anna.csv`, directly in
    the source's folder, is anna's part of a document named after that folder.
    """
    kind = options.of_format(FileOption).file
    name = document_name(path, options)
    if kind == "document":
        return name, options.annotator or ""
    first, *rest = PurePosixPath(name).parts
    root = options.root if options.root is not None else path.parent
    return "/".join(rest) or printable(root.resolve().name), options.annotator or first


def omissible_columns(options: SourceOptions) -> tuple[str, ...]:
    """Return the columns that a table may lack."""
    named = options.annotator or options.of_format(FileOption).file == "annotator"
    return ("annotator",) if named else ()


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
