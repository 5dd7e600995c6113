"""The interface of writers, and what they share: records by document, safe names, atomic files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable

from ..errors import DataError, os_reason
from ..schema import (
    FINISHED_STATES,
    Assignment,
    Document,
    Excluded,
    Label,
    Record,
    Rejected,
    Relation,
    Role,
    State,
    Unit,
)
from ..untrusted.files import read_file

_LONGEST_NAME = 200  # bytes; file systems allow 255 with an extension


@runtime_checkable
class Writer(Protocol):
    """An output format. Each writer module defines one instance, `WRITER`.

    `write` writes the records (a reference, the units in disagreement, anything that readers yield,
    in any order) to `folder`, which it creates if missing, and returns the files written, sorted.
    Each file is written completely or not at all. Raises DataError, before anything is written,
    when the format cannot represent a record.
    """

    NAME: str
    DESCRIPTION: str

    def write(self, records: Iterable[Record], folder: Path) -> list[Path]: ...


@dataclass(slots=True)
class AnnotatorPass:
    """Everything that one annotator made on a document in one pass."""

    annotator: str
    pass_: int
    role: str = Role.HUMAN
    state: str = State.FINISHED
    units: list[Unit] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Return the annotator's name, with the pass when it is not the first."""
        return self.annotator if self.pass_ == 1 else f"{self.annotator}-pass{self.pass_}"

    @property
    def is_done(self) -> bool:
        """Return whether to write it: it is finished, or has rows."""
        done = self.state in FINISHED_STATES
        return done or bool(self.units or self.labels or self.relations)


@dataclass(slots=True)
class DocumentSheet:
    """A document and the work of its annotators, by annotator and pass."""

    document: Document
    annotator_passes: dict[tuple[str, int], AnnotatorPass] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Return the document's text. Raises DataError when the campaign does not keep it."""
        if self.document.text is None:
            raise DataError(
                f"document {self.document.document!r} has no text here (privacy mode, or no text "
                "in the export): write it as tables, which need none"
            )
        return self.document.text

    def sorted_passes(self) -> list[AnnotatorPass]:
        """Return the work to write, by annotator and pass, with units in text order."""
        hands = [self.annotator_passes[key] for key in sorted(self.annotator_passes)]
        for hand in hands:
            hand.units.sort(
                key=lambda unit: (unit.start_offset, unit.end_offset, unit.layer, unit.unit)
            )
        return [hand for hand in hands if hand.is_done]


def sheets_by_document(records: Iterable[Record]) -> list[DocumentSheet]:
    """Group the records by document, sorted; all of them are held in memory.

    Rejected and excluded rows are not written. Raises DataError when a document is missing.
    """
    documents: dict[str, Document] = {}
    hands: dict[str, dict[tuple[str, int], AnnotatorPass]] = {}
    for record in records:
        if isinstance(record, (Rejected, Excluded)):
            continue
        if isinstance(record, Document):
            known = documents.get(record.document)
            if known is None or known.text is None:
                documents[record.document] = record
            continue
        key = (record.annotator, record.pass_)
        mine = hands.setdefault(record.document, {}).setdefault(key, AnnotatorPass(*key))
        _add(mine, record)
    lost = sorted(hands.keys() - documents.keys())
    if lost:
        raise DataError(f"document {lost[0]!r} has annotations but no document record")
    return [DocumentSheet(documents[name], hands.get(name, {})) for name in sorted(documents)]


def _add(hand: AnnotatorPass, record: Assignment | Label | Relation | Unit) -> None:
    if isinstance(record, Assignment):
        hand.role, hand.state = record.role, record.state
    elif isinstance(record, Unit):
        hand.units.append(record)
    elif isinstance(record, Label):
        hand.labels.append(record)
    else:
        hand.relations.append(record)


def safe_path(name: str, what: str, *, folders: bool = False) -> Path:
    """Return `name` as a relative path; with `folders`, "/" may separate its parts.

    Raises DataError when a part is empty, hidden, too long or would leave the folder.
    """
    parts = name.split("/") if folders else [name]
    for part in parts:
        bad = part.strip() != part or part.startswith(".") or len(part.encode()) > _LONGEST_NAME
        if not part or bad or any(c in '\\/:*?"<>|' or ord(c) < 32 for c in part):
            raise DataError(f"{what} {name!r} cannot be a file name; rename it")
    return Path(*parts)


def write_files(files: Mapping[Path, str]) -> list[Path]:
    """Write files as UTF-8 without changing line ends, each atomically; return the sorted paths.

    Missing folders are created. Raises DataError before anything is written for an unpaired
    surrogate and for a file that exists with other contents, which may be work that nobody has read
    yet (decisions, labels, curated annotations); also when writing to disk fails.
    """
    contents: dict[Path, bytes] = {}
    for path in sorted(files):
        try:
            contents[path] = files[path].encode()
        except UnicodeEncodeError as error:
            raise DataError(
                f"{path.name}: the text contains half of a surrogate pair, which cannot be written"
            ) from error
    for path, data in contents.items():
        if _is_other(path, data):
            raise DataError(
                f"{path}: exists already with other contents, which may be somebody's work: give a "
                "new file or folder, or delete it"
            )
    for path, data in contents.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write_atomically(path, data)
        except OSError as error:
            raise DataError(f"{path}: cannot be written ({os_reason(error)})") from error
    return list(contents)


def _is_other(path: Path, data: bytes) -> bool:
    try:
        return read_file(path) != data
    except DataError:  # a folder, or a file that cannot be read
        return path.exists()


def _write_atomically(path: Path, data: bytes) -> None:
    """Write to a temporary file and rename it, so that no partial file is ever visible."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
