"""INCEpTION and WebAnno project exports (zip): annotators' work, their states, the curation.

| in the zip | here |
|---|---|
| `annotation/<document>/<annotator>.zip` (XMI and type system), `.json`, `.tsv` | work of a human |
| `curation/<document>/…` | reference `CURATION_USER`, finished when the document's curation is |
| `annotation/<document>/…` of `INITIAL_CAS` | nobody's work: its rows are excluded and counted |
| `annotation_documents[].state` | FINISHED: finished; IN_PROGRESS: unfinished; else not assigned |
| `.ser`, `.txt`, TCF, WebAnno TSV 1 and 2 | rejected with advice; the document is unfinished |

The annotator is the name of the innermost file, or, if that is the document's own name (WebAnno 3),
the `documentId` in the XMI. Names of entries may begin with "/" (WebAnno), be inside a folder of
the project, or have `__MACOSX` twins.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path, PurePosixPath

from ...annotator_names import CURATOR, INITIAL_COPY
from ...errors import DataError
from ...schema import Excluded, ExclusionReason, Record, Role, State, Unit
from ...untrusted.archives import Archive, is_zip, open_archive
from ..base import SourceOptions
from ..common.naming import source_name
from ..common.records.document_work import DocumentWork, document_of_work, records_on_same_text
from ..common.records.make_records import make_assignment, make_document, make_rejected
from ..common.span_rules import Problem
from ..unreadable import UNREADABLE
from .inception_states import PROJECT_MARK, ProjectStates, project_states
from .uima.json_reader import json_work
from .uima.records import CasOptions
from .uima.type_files import type_system_beside
from .uima.xmi_reader import xmi_work
from .webanno_tsv.reader import tsv_work

_WORKS = (".xmi", ".json", ".tsv")
_DOCUMENT_ID = re.compile(rb'DocumentMetaData [^>]*?documentId="([^"<>]+)"')
_FOLDERS = ("annotation", "curation")


class InceptionProjectReader:
    NAME = "inception_project"
    DESCRIPTION = "INCEpTION or WebAnno project export (zip)"
    PATTERNS: tuple[str, ...] = ("*.zip",)
    OPTIONS = CasOptions

    def probe(self, path: Path) -> bool:
        if path.is_dir() or not is_zip(path):
            return False
        try:
            with open_archive(path, path.name) as archive:
                return any(PROJECT_MARK in PurePosixPath(name).name for name in archive.names)
        except DataError:
            return False

    def read(self, path: Path, options: SourceOptions) -> Iterator[Record]:
        source = source_name(path, options)
        with open_archive(path, source) as archive:
            states = project_states(archive, source)
            found = _inventory(archive, states.root)
            for name, problem in archive.rejected:
                if _is_news(name, states.root, found):
                    yield make_rejected(problem, source=f"{source}/{name}", location="")
            for document in sorted({*states.documents, *found}):
                files = found.get(document, {})
                yield from _document(archive, document, files, states, source, options)


READER = InceptionProjectReader()

_Files = dict[str, str]  # annotator → entry


def _inventory(archive: Archive, root: str) -> dict[str, _Files]:
    """Return the entries that hold work, by document and annotator."""
    found: dict[str, _Files] = {}
    for name in archive.names:
        parts = PurePosixPath(name.removeprefix(root)).parts
        if len(parts) != 3 or parts[0] not in _FOLDERS:
            continue
        folder, document, _ = parts
        annotator = CURATOR if folder == "curation" else _annotator(archive, name, document)
        found.setdefault(document, {})[annotator] = name
    return found


def _annotator(archive: Archive, name: str, document: str) -> str:
    """Return the annotator of an entry; the enclosing zips are named by a random number."""
    path = PurePosixPath(name)
    if path.suffix != ".zip":
        return path.stem
    try:
        with archive.nested(name) as inner:
            works = [each for each in inner.names if PurePosixPath(each).suffix in _WORKS]
            if not works:
                return path.stem
            annotator = PurePosixPath(works[0]).stem
            if annotator in (document, PurePosixPath(document).stem):
                found = _DOCUMENT_ID.search(inner.read(works[0]))
                annotator = unescape(found[1].decode()) if found else path.stem
            return annotator
    except (DataError, UnicodeDecodeError):
        return path.stem  # the error is reported when the document is read


def _is_news(name: str, root: str, found: Mapping[str, _Files]) -> bool:
    """Return whether a rejected entry matters: not a `.ser` that also exists in readable form."""
    parts = PurePosixPath(name.removeprefix(root)).parts
    if len(parts) != 3 or not name.endswith(".ser"):
        return True
    annotator = PurePosixPath(parts[2]).stem
    return annotator != INITIAL_COPY and annotator not in found.get(parts[1], {})


@dataclass(slots=True)
class _DocumentWork:
    first: DocumentWork | None = None
    source: str = ""
    works: dict[str, DocumentWork] = field(default_factory=dict)
    problems: dict[str, Problem] = field(default_factory=dict)


def _document(
    archive: Archive,
    document: str,
    files: _Files,
    states: ProjectStates,
    source: str,
    options: SourceOptions,
) -> Iterator[Record]:
    read = _DocumentWork()
    if INITIAL_COPY in files:
        yield from _initial_copy(archive, files[INITIAL_COPY], document, source, options)
        files = {who: name for who, name in files.items() if who != INITIAL_COPY}
    for annotator, name in sorted(files.items()):
        inner = f"{source}/{name}"
        try:
            work = _read_work(archive, name, document, annotator, source, options)
        except DataError as error:
            read.problems[annotator] = Problem(UNREADABLE, name, str(error))
            continue
        read.works[annotator] = work
        options.notes.n_files_read += 1
        if read.first is None:
            read.first, read.source = work, inner
    if read.first is not None:
        yield document_of_work(read.first, document, read.source, options)
    else:
        yield make_document(document, source, options)
    # files without an annotator's name (TSV, TCF, text: named as the document) are rejected as such
    people = {*states.annotators, *read.works, *(states.annotators_of(document) if files else ())}
    for annotator in sorted(people):
        yield _assignment(read, document, annotator, states, f"{source}/", options)
    for annotator, problem in read.problems.items():
        is_work = annotator not in (document, PurePosixPath(document).stem)
        yield make_rejected(
            problem if is_work else problem._replace(rule="no_annotator"),
            source=f"{source}/{files[annotator]}",
            location="",
            table="",
            document=document,
            annotator=annotator if annotator in people else "",
        )
    for work in read.works.values():
        yield from records_on_same_text(work, read.first or work)


def _initial_copy(
    archive: Archive, name: str, document: str, source: str, options: SourceOptions
) -> Iterator[Excluded]:
    """Count the rows of the copy that annotators start from; one that is unreadable has one."""
    counts: Counter[str] = Counter()
    try:
        for record in _read_work(archive, name, document, INITIAL_COPY, source, options).records:
            if isinstance(record, Excluded):
                yield record
            else:
                counts[getattr(record, "table_name", "") or record.TABLE] += 1
    except DataError:
        counts[Unit.TABLE] += 1
    for table, n_rows in counts.items():
        reason = ExclusionReason.NOT_AN_ANNOTATOR
        yield Excluded(f"{source}/{name}", "", reason, n_rows, table, document, INITIAL_COPY)


def _assignment(
    read: _DocumentWork,
    document: str,
    annotator: str,
    states: ProjectStates,
    source: str,
    options: SourceOptions,
) -> Record:
    work = read.works.get(annotator)
    state, time = states.state(document, annotator)
    if work is None and state is State.FINISHED:
        state = State.UNFINISHED  # finished there, but there is nothing to read
    elif work is not None and state is State.NOT_ASSIGNED:
        state = State.UNFINISHED  # begun, and never marked as finished
    elif work is not None and state is State.FINISHED and work.is_empty:
        state = State.FINISHED_EMPTY
    if annotator == CURATOR:
        reference = SourceOptions(role=Role.REFERENCE)
        return make_assignment(document, annotator, state, source, reference, time=time)
    return make_assignment(document, annotator, state, source, options, time=time)


def _read_work(
    archive: Archive,
    name: str,
    document: str,
    annotator: str,
    source: str,
    options: SourceOptions,
) -> DocumentWork:
    inner = f"{source}/{name}"
    suffix = PurePosixPath(name).suffix
    if suffix == ".zip":
        with archive.nested(name) as nested:
            return _nested_work(nested, document, annotator, inner, options)
    if suffix == ".json":
        return json_work(archive.read(name), document, annotator, inner, options)
    if suffix == ".tsv":
        return tsv_work(archive.read(name), document, annotator, inner, options)
    raise DataError(
        f"{inner}: {suffix or 'this'} holds no annotator's work with offsets; export the project "
        "again as UIMA CAS JSON or XMI"
    )


def _nested_work(
    nested: Archive, document: str, annotator: str, source: str, options: SourceOptions
) -> DocumentWork:
    for name in nested.names:
        inner = f"{source}/{name}"
        if name.endswith(".xmi"):
            types = type_system_beside(nested, name)
            return xmi_work(nested.read(name), types, document, annotator, inner, options)
        if name.endswith(".json"):
            return json_work(nested.read(name), document, annotator, inner, options)
        if name.endswith(".tsv"):
            return tsv_work(nested.read(name), document, annotator, inner, options)
    raise DataError(
        f"{source}: contains {', '.join(nested.names[:5]) or 'nothing'}, but no XMI, JSON or TSV"
    )
