"""The document and the annotator of a table's rows, where no column says them."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from ...errors import DataError
from ..base import SourceOptions
from ..common.naming import document_name

FILE_OPTION = (
    "what a file is: `document` (default, where no column says it) or `annotator`: each file, or "
    "each folder with its files, is one annotator's, and files of one name are one document"
)
_KINDS = ("document", "annotator")


def home_and_annotator(path: Path, options: SourceOptions) -> tuple[str, str]:
    """(document, annotator) of the rows of a file; "" where only a column could name who.

    With `file=annotator`: `anna/day1.csv` is the document `day1` by anna, and `anna.csv`, with no
    folder below the source's, is anna's part of the document that is called like that folder.
    """
    kind = options.extra.get("file", "document")
    if kind not in _KINDS:
        raise DataError(f"option file = {kind!r}: allowed are {' and '.join(_KINDS)}")
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
