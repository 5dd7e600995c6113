"""doccano: JSON lines, a zip with one file per user, or one file `all` of a shared project.

Documented in doccano's "Import/Export" pages (JSONL and JSONL (relation)).

Conventions:
* the annotator is the file's name (`anna.jsonl`), or the source's `annotator`; a shared project
  has `all.jsonl`, whose annotator is `all`, because the export does not name the annotators. The
  first exports name them in each line (`username`, beside `doc_id`). Newer exports write the
  metadata of a text into the line, so there a key such as `username` may be its author: it is the
  annotator only if two lines of one document differ in it, or if the option `annotator_key` names
  it, and else a warning says that it is not used;
* the document is the line's `id` or `doc_id` (the same for every user), else a hash of its text; in
  a project that was imported from a queue of `accordeur next`, it is the queue's document and item;
* `label`, `labels` hold `[start, end, category]` (units) or strings (labels of the document);
  `entities` and `relations` are the relation layout, and `cats` its labels; old exports have
  `annotations` that each name their annotator (`user`, `username`). Who approved a text
  (`annotation_approver`) is not its annotator;
* offsets are code points; `offsets=utf16` reads them as UTF-16 units. The export has no surface
  forms, so only the bounds can be checked;
* an empty list may mean "not done", as the export does not state what was submitted
  (`common.records.empty_answers`): the annotator counts as unfinished there, unless the option
  `empty=finished` is set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

from ...errors import DataError
from ...schema import ExclusionReason, Record, Relation, Unit
from ...sentences import printable
from ...untrusted.archives import is_zip, open_archive
from ..base import SourceOptions
from ..common.files.json_stream import JsonObject, first_object, iter_objects
from ..common.files.text import Utf16Offsets, sha256_of
from ..common.naming import names_in_own_import, source_name
from ..common.records.empty_answers import EmptyOption
from ..common.records.make_records import make_document, make_rejected
from ..common.records.unit_maker import UnitMaker, json_name, json_offset
from ..common.span_rules import Problem
from ..options import Option
from ..unreadable import UNREADABLE

_ENTRIES = (".jsonl", ".json")
_LISTS = ("label", "labels", "entities", "cats")
_ANNOTATOR = ("username", "user_name", "user", "annotator", "annotated_by")


@dataclass(frozen=True)
class DoccanoOptions(EmptyOption):
    annotator_key: Annotated[str, Option("the key of a line that names its annotator")] = ""
    offsets: Annotated[
        Literal["char", "utf16"], Option("what offsets count", values={"char": "code points"})
    ] = "char"


class DoccanoReader:
    NAME = "doccano"
    DESCRIPTION = "doccano JSON lines, or the zip with one file per user"
    PATTERNS: tuple[str, ...] = ("*.jsonl", "*.zip")
    OPTIONS = DoccanoOptions

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
        if not is_zip(path):
            file = _File(path, source, options.annotator or printable(path.stem), options)
            yield from _lines(file)
            return
        with open_archive(path, source) as archive:
            for entry, problem in archive.rejected:
                yield make_rejected(problem, source=source, location=entry)
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
                    yield make_rejected(problem, source=source, location=entry)


def _is_doccano(first: JsonObject | None) -> bool:
    if first is None or "_input_hash" in first or not isinstance(first.get("text"), str):
        return False
    lists = [first[key] for key in (*_LISTS, "annotations") if isinstance(first.get(key), list)]
    return bool(lists) and not any(map(_is_sequence, lists))


def _is_sequence(labels: Sequence[object]) -> bool:
    """Whether labels repeat, as the labels of the tokens of a text do."""
    texts = [one for one in labels if isinstance(one, str)]
    return len(texts) == len(labels) and len({*texts}) < len(texts)


@dataclass(slots=True)
class _File:
    """A file of lines, or an archive's entry.

    key   key of a line that names its annotator; "" if the file has only one annotator
    read  whether any line was in doccano's format
    """

    content: Path | bytes
    source: str
    annotator: str
    options: SourceOptions
    key: str = ""
    read: bool = False


def _lines(file: _File) -> Iterator[Record]:
    """Yield the records of all lines. Raises DataError when no line is in doccano's format."""
    file.key = file.options.of_format(DoccanoOptions).annotator_key or _annotator_key(file)
    for location, line in iter_objects(file.content):
        if isinstance(line, Problem):
            yield make_rejected(line, source=file.source, location=location)
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
        yield make_rejected(problem, source=source, location=location)
        return
    for key in (*_LISTS, "annotations", "relations"):
        if line.get(key) is not None and not isinstance(line[key], list):
            problem = Problem("missing_field", str(line[key])[:80], f"`{key}` is not a list")
            yield make_rejected(problem, source=source, location=location)
    if file.key and not (options.annotator or json_name(line.get(file.key))):
        problem = Problem(
            "no_annotator", "", f"the line does not name its annotator in `{file.key}`"
        )
        yield make_rejected(problem, source=source, location=location)
        return
    file.read = True
    document, item = names_in_own_import(line)
    if not document:
        document, item = names_in_own_import(line.get("meta"))
    document = document or _document_of(line, text)
    # that of an item need not be the document's
    yield make_document(document, source, options, text=None if item else text)
    makers: dict[str, UnitMaker] = {}
    stated = json_name(line.get(file.key)) if file.key else file.annotator
    annotator = options.annotator or stated
    for user, found in _entries_by_user(line, lists, annotator, options):
        if user not in makers:
            makers[user] = UnitMaker(document, user, source, options, len(text), text, item=item)
        yield from _entries(makers[user], found, location)
    relations = line.get("relations")
    for entry in relations if isinstance(relations, list) else ():
        yield _relation(list(makers.values()), entry, location)
    for maker in makers.values():
        if not maker.annotated:
            maker.note_empty(location, submitted=False)
        yield from maker.finished()


def _document_of(line: JsonObject, text: str) -> str:
    return json_name(line.get("id")) or json_name(line.get("doc_id")) or sha256_of(text)[:16]


def _annotator_key(file: _File) -> str:
    """Return the key of the lines that names their annotators, or "" (see the module)."""
    with suppress(DataError):  # damage is reported when the file is read
        first = first_object(file.content) or {}
        keys = [key for key in _ANNOTATOR if json_name(first.get(key))]
        if not keys or file.options.annotator:
            return ""
        if "doc_id" in first and "id" not in first:
            return keys[0]
        given: dict[int, int] = {}
        for _, line in iter_objects(file.content):
            if isinstance(line, Problem):
                continue
            for key in keys:
                document = _document_of(line, str(line.get("text", line.get("data"))))
                who = hash(json_name(line.get(key)))
                if given.setdefault(hash((key, document)), who) != who:
                    return key
        file.options.notes.name("ignored_columns", keys)
    return ""


def _entries_by_user(
    line: JsonObject, lists: Mapping[str, list[Any]], annotator: str, options: SourceOptions
) -> Iterator[tuple[str, Mapping[str, list[Any]]]]:
    """Group the line's lists by annotator: the line's, or the one that each annotation names."""
    if lists:
        yield annotator, lists
    entries = line.get("annotations")
    by_user: dict[str, list[Any]] = {} if entries or lists else {annotator: []}
    for entry in entries if isinstance(entries, list) else ():
        named = (json_name(entry.get(key)) for key in _ANNOTATOR) if isinstance(entry, dict) else ()
        user = next(filter(None, named), annotator)
        by_user.setdefault(options.annotator or user, []).append(entry)
    for user, found in by_user.items():
        yield user, {"annotations": found}


def _entries(maker: UnitMaker, lists: Mapping[str, list[Any]], location: str) -> Iterator[Record]:
    """Yield units and labels of one user on one line."""
    counts_utf16 = maker.options.of_format(DoccanoOptions).offsets == "utf16"
    utf16 = Utf16Offsets(maker.text or "") if counts_utf16 else None
    labels: list[str] = []
    row = location.rpartition(" ")[2]
    if not maker.wants(""):
        for entries in lists.values():
            for _ in entries:
                yield maker.excluded(ExclusionReason.OTHER_LAYER, location)
        return
    for key, entries in lists.items():
        for index, entry in enumerate(entries):
            if isinstance(entry, str):
                labels.append(entry)
            elif isinstance(entry, dict) and "start_offset" not in entry and "label" in entry:
                labels.append(json_name(entry["label"]))
            else:
                yield _unit(maker, entry, utf16, f"{row}:{key}{index}", location)
    if labels:
        yield maker.label(labels, location=location)


def _unit(
    maker: UnitMaker, entry: Any, utf16: Utf16Offsets | None, unit: str, location: str
) -> Record:
    maker.annotated = True
    if isinstance(entry, dict):
        found = [entry.get(key) for key in ("start_offset", "end_offset", "label")]
        unit = json_name(entry.get("id")) or unit
    else:
        found = entry if isinstance(entry, list) and len(entry) == 3 else [None] * 3
    start, end, category = json_offset(found[0]), json_offset(found[1]), json_name(found[2])
    if start is None or end is None:
        value = str(entry)[:80]
        message = "a span is [start, end, category]"
        return maker.rejected(Problem("not_an_offset", value, message), location, Unit.TABLE)
    stated = f"{start} {end}"
    if utf16 is not None:
        start, end = utf16.to_code_points([start, end]).tolist()
    return maker.unit(unit, start, end, category, source_offsets=stated, location=location)


def _relation(makers: Sequence[UnitMaker], entry: Any, location: str) -> Record:
    """Make the relation of the user who marked both of its entities."""
    found = entry if isinstance(entry, dict) else {}
    ends = json_name(found.get("from_id")), json_name(found.get("to_id"))
    maker = next((one for one in makers if one.units.issuperset(ends)), makers[0])
    if not maker.wants(""):
        return maker.excluded(ExclusionReason.OTHER_LAYER, location, table=Relation.TABLE)
    if not maker.units.issuperset(ends):
        value = str(entry)[:120]
        message = "one of the relation's entities is missing or was rejected"
        return maker.rejected(Problem("unknown_unit", value, message), location, Relation.TABLE)
    return maker.relation(
        json_name(found.get("id")) or location,
        ends,
        json_name(found.get("type")),
        location=location,
    )


READER = DoccanoReader()
