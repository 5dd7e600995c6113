"""How files become names: the `source` of a record, document names, annotators.

Names are relative to the source's root, with "/" between folders, so that no path of the machine
enters the tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from ...errors import DataError
from ...walk import told_name
from ..base import SourceOptions

LAYOUT_OPTION: Mapping[str, str] = {
    "layout": "which folder is what: `document/annotator` (default: each document is a folder "
    "with one file an annotator) or `annotator/document` (each annotator is a folder)"
}


def source_name(path: Path, options: SourceOptions) -> str:
    """The file's path relative to the source's root; the file's name where it has no root.

    Bytes that are no UTF-8 are told as `\\xff`.
    """
    if options.root is None:
        return told_name(path.name)
    text, root = path.as_posix(), options.root.as_posix()  # `relative_to` costs much more
    if root == "." and not path.is_absolute():
        return told_name(text)
    inside = text.removeprefix(root.rstrip("/") + "/")
    return told_name(inside if inside != text else path.name)


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
    layout = options.extra.get("layout", "document/annotator")
    if layout not in ("document/annotator", "annotator/document"):
        raise DataError(
            f"option layout = {layout!r}: allowed are document/annotator and annotator/document"
        )
    root = options.root if options.root is not None else path.parent
    inner = PurePosixPath(document_name(path, options))
    parts = inner.parts if len(inner.parts) > 1 else (root.resolve().name, *inner.parts)
    if layout == "document/annotator":
        return "/".join(parts[:-1]), parts[-1]
    return "/".join(parts[1:]), parts[0]
