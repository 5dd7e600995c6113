"""What the beginning of a file reveals of its annotator and document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from ..blocks import as_records
from ..errors import DataError
from ..schema import Assignment, Document
from ..sentences import printable
from .base import Reader, SourceOptions, TableLike
from .common.naming import UNNAMED, NamedByPath

_MOST_RECORDS = 100_000
ReaderOf = Callable[[Path, SourceOptions], Reader]
Fingerprint = tuple[object, ...]
NO_ANNOTATOR = ("a table without annotators",)


@dataclass(frozen=True, slots=True)
class Look:
    """What the beginning of a file reveals.

    is_named_by_path  whether only the file or its folder names the annotator
    is_by_default     whether nothing names the annotator, so that a tier's name stands for one
    is_one_document   whether only the path names its document
    fingerprint       fingerprint of its document, equal for equal documents; None where unknown
    is_of_folder      whether its annotator is named after the folder, and its document after the
                      file
    item              of a table whose rows name the annotators, the column of the items, else ""
    """

    is_named_by_path: bool
    fingerprint: Fingerprint | None
    is_of_folder: bool = False
    is_by_default: bool = False
    is_one_document: bool = False
    has_text: bool = False
    item: str = ""

    @property
    def names_nobody(self) -> bool:
        return self.is_by_default or self.is_named_by_path


def look_at_file(file: Path, reader_of: ReaderOf, options: SourceOptions) -> Look | None:
    """Return what the beginning of a file reveals; None if it cannot be read."""
    try:
        reader = reader_of(file, options)
    except DataError:
        return _look_without_annotator(file, reader_of, options)
    document = assignment = None
    extra = options.extra
    alone = SourceOptions(extra=extra, layers=options.layers, root=file.parent.parent)
    try:
        for record in islice(as_records(reader.read(file, alone)), _MOST_RECORDS):
            if document is None and isinstance(record, Document):
                document = record
            elif assignment is None and isinstance(record, Assignment):
                assignment = record
            if document is not None and assignment is not None:
                break
    except DataError:
        return _look_without_annotator(file, reader_of, options)
    if assignment is None or document is None:
        return None
    folder, annotator = printable(file.resolve().parent.name), assignment.annotator
    of_both = document.document == f"{folder}/{file.stem}"
    by_path = isinstance(reader.OPTIONS, type) and issubclass(reader.OPTIONS, NamedByPath)
    is_one_document = by_path and (of_both or document.document == folder)
    return Look(
        is_named_by_path=annotator in (file.stem, folder),
        fingerprint=_fingerprint(document, named_by_path=is_one_document),
        is_of_folder=annotator == folder and (of_both or document.document == file.stem),
        is_by_default=annotator in (UNNAMED, *alone.notes.named.get("annotator_tiers", ())),
        is_one_document=is_one_document,
        has_text=document.text is not None,
        item=(extra.get("item") or "item") if isinstance(reader, TableLike) else "",
    )


def _look_without_annotator(file: Path, reader_of: ReaderOf, options: SourceOptions) -> Look | None:
    """Return what a file reveals that is readable once its annotator is known, else None."""
    named = replace(options, annotator="?")
    try:
        next(iter(reader_of(file, named).read(file, named)), None)
    except DataError:
        return None
    return Look(is_named_by_path=True, fingerprint=NO_ANNOTATOR)


def _fingerprint(document: Document, *, named_by_path: bool) -> Fingerprint | None:
    if document.text is not None:
        return (document.sha256,)
    if document.length >= 0:
        return (document.length,)
    return None if named_by_path else (document.document,)
