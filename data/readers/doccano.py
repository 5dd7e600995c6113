"""doccano: JSON lines, a zip with one file per user, or one file `all` of a shared project.

Documented in doccano's "Import/Export" pages (JSONL and JSONL (relation)).

Conventions:
* the annotator is the file's name (`anna.jsonl`), or the source's `annotator`; a shared project
  has `all.jsonl`, whose annotator is `all`, because the export does not name the annotators;
* the document is the line's `id` (the same for every user), else a hash of its text; in a project
  that was imported from a queue of `accordeur next`, it is the queue's document and item;
* `label`, `labels` hold `[start, end, category]` (units) or strings (labels of the document);
  `entities` and `relations` are the relation layout, and `cats` its labels; old exports have
  `annotations` that each name their annotator as `user`;
* offsets are code points; `offsets=utf16` reads them as UTF-16 units. The export has no surface
  forms, so only the bounds can be checked;
* an empty list may mean "not done": the annotator counts as unfinished there, unless the option
  `empty=finished` is set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from ..errors import DataError
from ..schema import Record, Relation, State, Unit
from ..sentences import printable
from .base import SourceOptions
from .common.files.archives import is_zip, open_archive
from .common.files.json_stream import JsonObject, first_object, iter_objects
from .common.files.text import Utf16Offsets, sha256_of
from .common.naming import names_of_import, source_name
from .common.records.steps import document_without_text, rejected, text_document
from .common.records.unit_maker import UnitMaker, name, offset
from .common.spans import Problem
from .unreadable import UNREADABLE

_ENTRIES = (".jsonl", ".json")
_LISTS = ("label", "labels", "entities", "cats")


class DoccanoReader:
    NAME = "doccano"
    DESCRIPTION = "doccano JSON lines, or the zip with one file per user"
    PATTERNS: tuple[str, ...] = ("*.jsonl", "*.zip")
    OPTIONS: Mapping[str, str] = {
        "empty": "what an empty list of labels means: `unfinished` (default) or `finished`",
        "offsets": "what offsets count: `char` (code points, default) or `utf16`",
    }

    def probe(self, path: Path) -> bool:
        if path.is_dir():
            return False
        if not is_zip(path):
            return _is_doccano(first_object(path))
        try:
            with open_archive(path, path.name) as archive:
                entries = [n for n in archive.names if n.endswith(_ENTRIES)]
                small = [n for n in entries if archive.size(n) < 1 << 24]
                return len(entries) == len(archive.names) and any(
                    _is_doccano(first_object(archive.read(n))) for n in small[:3]
                )
        except DataError:
            return False

    def read(self, path: Path, options: SourceOptions) -> Iterator[Record]:
        source = source_name(path, options)
        options.choice("empty", "unfinished", "finished")
        options.choice("offsets", "char", "utf16")
        if not is_zip(path):
            file = _File(path, source, options.annotator or printable(path.stem), options)
            yield from _lines(file)
            return
        with open_archive(path, source) as archive:
            for entry, problem in archive.rejected:
                yield rejected(problem, source=source, location=entry)
            names = [entry for entry in archive.names if entry.endswith(_ENTRIES)]
            if not names:
                archive.require_sound()
                raise DataError(f"{source}: no .jsonl file in the zip; export again as JSONL")
            for entry in names:
                annotator = options.annotator or PurePosixPath(entry).stem
                file = _File(archive.read(entry), f"{source}/{entry}", annotator, options)
                try:
                    yield from _lines(file)
                    options.notes.n_files_read += 1
                except DataError as error:
                    if len(names) == 1:
                        raise
                    problem = Problem(UNREADABLE, entry, str(error))
                    yield rejected(problem, source=source, location=entry)


def _is_doccano(first: JsonObject | None) -> bool:
    if first is None or "_input_hash" in first or not isinstance(first.get("text"), str):
        return False
    lists = [first[key] for key in (*_LISTS, "annotations") if isinstance(first.get(key), list)]
    return bool(lists)


@dataclass(slots=True)
class _File:
    """A file of lines, or an archive's entry; `read`: whether any line was in doccano's format."""

    content: Path | bytes
    source: str
    annotator: str
    options: SourceOptions
    read: bool = False


def _lines(file: _File) -> Iterator[Record]:
    """Yield the records of all lines. Raises DataError when no line is in doccano's format."""
    for location, line in iter_objects(file.content):
        if isinstance(line, Problem):
            yield rejected(line, source=file.source, location=location)
        else:
            yield from _records(file, location, line)
    if not file.read:
        raise DataError(f"{file.source}: contains no doccano line (`text` with `label`)")


def _records(file: _File, location: str, line: JsonObject) -> Iterator[Record]:
    """Yield the records of one line."""
    source, options = file.source, file.options
    text = line.get("text", line.get("data"))
    lists = {key: line[key] for key in _LISTS if isinstance(line.get(key), list)}
    if not isinstance(text, str) or not (lists or isinstance(line.get("annotations"), list)):
        problem = Problem("missing_field", str(line)[:80], "no `text` with a list of labels")
        yield rejected(problem, source=source, location=location)
        return
    for key in (*_LISTS, "relations"):
        if line.get(key) is not None and not isinstance(line[key], list):
            problem = Problem("missing_field", str(line[key])[:80], f"`{key}` is not a list")
            yield rejected(problem, source=source, location=location)
    file.read = True
    document, item = names_of_import(line)
    if not document:
        document, item = names_of_import(line.get("meta"))
    document = document or name(line.get("id")) or sha256_of(text)[:16]
    if item:  # the text need not be the document's
        yield document_without_text(document, source, options)
    else:
        yield text_document(document, text, source, options)
    makers: dict[str, UnitMaker] = {}
    for user, found in _entries_by_user(line, lists, options.annotator or file.annotator, options):
        if user not in makers:
            makers[user] = UnitMaker(document, user, source, options, len(text), text, item=item)
        yield from _entries(makers[user], line, found, location)
    for maker in makers.values():
        done = maker.annotated or options.extra.get("empty") == "finished"
        options.notes.n_empty_unfinished += not done and "empty" not in options.extra
        yield maker.assignment(None if done else State.UNFINISHED)


def _entries_by_user(
    line: JsonObject, lists: Mapping[str, list[Any]], annotator: str, options: SourceOptions
) -> Iterator[tuple[str, Mapping[str, list[Any]]]]:
    """Group the line's lists by annotator: the file's annotator, or each annotation's `user`."""
    if lists:
        yield annotator, lists
    entries = line.get("annotations")
    by_user: dict[str, list[Any]] = {} if entries or lists else {annotator: []}
    for entry in entries if isinstance(entries, list) else ():
        user = name(entry.get("user")) if isinstance(entry, dict) else ""
        by_user.setdefault(options.annotator or user or annotator, []).append(entry)
    for user, found in by_user.items():
        yield user, {"annotations": found}


def _entries(
    maker: UnitMaker, line: JsonObject, lists: Mapping[str, list[Any]], location: str
) -> Iterator[Record]:
    """Yield units, labels and relations of one user on one line."""
    utf16 = (
        Utf16Offsets(maker.text or "") if maker.options.extra.get("offsets") == "utf16" else None
    )
    labels: list[str] = []
    row = location.rpartition(" ")[2]
    wanted = maker.wants("")
    for key, entries in lists.items():
        for index, entry in enumerate(entries):
            if isinstance(entry, str):
                labels.append(entry)
            elif isinstance(entry, dict) and "start_offset" not in entry and "label" in entry:
                labels.append(name(entry["label"]))
            elif wanted:
                yield _unit(maker, entry, utf16, f"{row}:{key}{index}", location)
    if labels and wanted:
        yield maker.label(labels, location=location)
    relations = line.get("relations") if "entities" in lists else None
    for entry in relations if isinstance(relations, list) else ():
        yield _relation(maker, entry, location)


def _unit(
    maker: UnitMaker, entry: Any, utf16: Utf16Offsets | None, unit: str, location: str
) -> Record:
    maker.annotated = True
    if isinstance(entry, dict):
        found = [entry.get(key) for key in ("start_offset", "end_offset", "label")]
        unit = name(entry.get("id")) or unit
    else:
        found = entry if isinstance(entry, list) and len(entry) == 3 else [None] * 3
    start, end, category = offset(found[0]), offset(found[1]), name(found[2])
    if start is None or end is None:
        value = str(entry)[:80]
        message = "a span is [start, end, category]"
        return maker.rejected(Problem("not_an_offset", value, message), location, Unit.TABLE)
    stated = f"{start} {end}"
    if utf16 is not None:
        start, end = utf16.to_code_points([start, end]).tolist()
    return maker.unit(unit, start, end, category, source_offsets=stated, location=location)


def _relation(maker: UnitMaker, entry: Any, location: str) -> Record:
    found = entry if isinstance(entry, dict) else {}
    ends = name(found.get("from_id")), name(found.get("to_id"))
    if not all(end in maker.units for end in ends):
        value = str(entry)[:120]
        message = "one of the relation's entities is missing or was rejected"
        return maker.rejected(Problem("unknown_unit", value, message), location, Relation.TABLE)
    return maker.relation(
        name(found.get("id")) or location, ends, name(found.get("type")), location=location
    )


READER = DoccanoReader()
