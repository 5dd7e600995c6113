"""How files become names: the `source` of a record, document names, annotators.

Names are relative to the source's root, with "/" between folders, so that no path of the machine
enters the tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from ...walk import printable_name
from ..base import SourceOptions

LAYOUT_OPTION: Mapping[str, str] = {
    "layout": "what folders stand for: `document/annotator` (default: each document is a folder "
    "with one file per annotator) or `annotator/document` (each annotator is a folder)"
}

FILE_OPTION = (
    "what a file stands for: `document` (default, if no column gives the document) or "
    "`annotator`: each file, or each folder of files, is the work of one annotator, and files "
    "with the same name are one document"
)


def source_name(path: Path, options: SourceOptions) -> str:
    """The file's path relative to the source's root; the file's name where it has no root.

    Bytes that are not UTF-8 are shown as `\\xff`.
    """
    if options.root is None:
        return printable_name(path.name)
    text, root = path.as_posix(), options.root.as_posix()  # `relative_to` costs much more
    if root == "." and not path.is_absolute():
        return printable_name(text)
    inside = text.removeprefix(root.rstrip("/") + "/")
    return printable_name(inside if inside != text else path.name)


def document_name(path: Path, options: SourceOptions) -> str:
    """The file's path relative to the source's root, without its extension, or as it is given."""
    if options.document:
        return options.document
    return str(PurePosixPath(source_name(path, options)).with_suffix(""))


def document_and_annotator(path: Path, options: SourceOptions) -> tuple[str, str]:
    """What a file of one document by one annotator is called.

    With `options.annotator`: the document is `document_name`. Else the option `layout` rules:
    `document/annotator` reads `doc7/anna.tsv` as document `doc7` by `anna`, `annotator/document`
    reads `anna/doc7.tsv` so. A file with no folder below the root takes the root's name for what
    the folder should have said.
    """
    if options.annotator:
        return document_name(path, options), options.annotator
    layout = options.choice("layout", "document/annotator", "annotator/document")
    root = options.root if options.root is not None else path.parent
    inner = PurePosixPath(document_name(path, options))
    parts = inner.parts if len(inner.parts) > 1 else (root.resolve().name, *inner.parts)
    if layout == "document/annotator":
        return "/".join(parts[:-1]), parts[-1]
    return "/".join(parts[1:]), parts[0]


def home_and_annotator(path: Path, options: SourceOptions) -> tuple[str, str]:
    """(document, annotator) of the rows of a file; "" where only a column could name who.

    With `file=annotator`: `anna/day1.csv` is the document `day1` by anna, and `anna.csv`, with no
    folder below the source's, is anna's part of the document that is called like that folder.
    """
    kind = options.choice("file", "document", "annotator")
    name = document_name(path, options)
    if kind == "document":
        return name, options.annotator or ""
    first, *rest = PurePosixPath(name).parts
    root = options.root if options.root is not None else path.parent
    return "/".join(rest) or root.resolve().name, options.annotator or first


def known_columns(options: SourceOptions) -> tuple[str, ...]:
    """The columns that a table may lack."""
    named = options.annotator or options.extra.get("file") == "annotator"
    return ("annotator",) if named else ()
