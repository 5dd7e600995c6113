"""brat standoff: `.txt` and `.ann` files, one folder per annotator with the same relative paths.

Layout: `<source>/<annotator>/<document>.{txt,ann}`. A folder that holds `.ann` files itself is one
annotator's: `annotator` of the source, else the folder's name. A document is named by its path
below the annotator's folder, without extension.

| in brat | here |
|---|---|
| T, discontinuous T | unit, `fragments` |
| R, `*` Equiv, arguments of E | relation between units (an event stands as its trigger) |
| A, M, N, `#` | attributes of the unit or relation they speak of |
| `.ann` present and empty | finished and empty |
| `.ann` absent where another annotator has the document | not assigned |
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from data.errors import DataError
from data.readers.base import SourceOptions
from data.readers.brat_lines import AnnFile, Link, TextBound, parse_ann
from data.readers.lines import iter_lines
from data.readers.naming import source_name
from data.readers.records import (
    assignment,
    finished_state,
    refuse_layers,
    rejected,
    text_difference,
    text_document,
)
from data.readers.spans import Problem, span_problem, surface_problem
from data.readers.text import decode, read_bytes
from data.schema import Record, Rejected, Relation, State, Unit

_MARK = "\ufeff"
_PROBED_FILES = 2000


class BratReader:
    NAME = "brat"
    DESCRIPTION = "brat standoff (.txt and .ann), one folder per annotator"
    PATTERNS: tuple[str, ...] = ("*.ann",)
    OPTIONS: Mapping[str, str] = {
        "annotator_folder": "`first` (default): the folders of the first level are annotators; "
        "`last`: the folder that holds the files is the annotator's"
    }

    def probe(self, path: Path) -> bool:
        if path.is_dir():
            found = (file for file in islice(_walk(path), _PROBED_FILES) if file.endswith(".ann"))
            first = next(found, None)
            return first is not None and self.probe(path / first)
        if path.suffix != ".ann":
            return False
        try:
            with path.open("rb") as stream:
                line = stream.readline(500)
        except OSError:
            return False
        return not line or (line[:1] in b"TREAMN*#" and b"\t" in line)

    def read(self, path: Path, options: SourceOptions) -> Iterator[Record]:
        refuse_layers(self.NAME, options)
        if path.is_dir():
            folders, names = _inventory(path, options)
        else:
            annotator = options.annotator or path.resolve().parent.name
            folders, names = {annotator: path.parent}, [path.stem]
        for name in names:
            try:
                yield from _document(name, folders, options)
            except DataError as error:
                if len(names) == 1:
                    raise
                problem = Problem("unreadable_file", name, str(error))
                yield rejected(problem, source=name, where="", document=name)


READER = BratReader()


def _walk(folder: Path) -> Iterator[str]:
    """Relative paths of the files below `folder`, hidden ones aside, "/" between folders."""
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        inner = Path(parent).relative_to(folder).as_posix()
        prefix = "" if inner == "." else f"{inner}/"
        yield from (prefix + file for file in sorted(files) if not file.startswith("."))


def _inventory(path: Path, options: SourceOptions) -> tuple[dict[str, Path], list[str]]:
    """The annotators' folders and the names of all documents, sorted."""
    last = options.extra.get("annotator_folder") == "last"
    folders: dict[str, Path] = {}
    names: set[str] = set()
    alone = any(file.suffix == ".ann" for file in path.iterdir())
    for file in _walk(path):
        name, extension = os.path.splitext(file)  # noqa: PTH122 - a hundred thousand names
        if extension not in (".ann", ".txt"):
            continue
        parts = name.split("/")
        if alone:
            folders[options.annotator or path.resolve().name] = path
            names.add(name)
        elif len(parts) > 1:
            inner = parts[:-1] if last else parts[:1]
            folders["/".join(inner)] = path.joinpath(*inner)
            names.add("/".join(parts[len(inner) :]))
    return folders, sorted(names)


def _document(name: str, folders: Mapping[str, Path], options: SourceOptions) -> Iterator[Record]:
    """One document by all its annotators."""
    text: str | None = None
    pending: list[tuple[str, Path, AnnFile]] = []
    for annotator, folder in folders.items():
        file = folder / f"{name}.ann"
        if file.exists():
            pending.append((annotator, file, parse_ann(iter_lines(file))))
        else:
            source = source_name(folder, options)
            yield assignment(name, annotator, State.NOT_ASSIGNED, source, options)
    problem = Problem("missing_text", f"{name}.txt", "there is no .txt file: offsets say nothing")
    for folder in folders.values():
        file = folder / f"{name}.txt"
        if file.exists():
            text = _text(file, source_name(file, options), [ann for _, _, ann in pending])
            yield text_document(name, text, source_name(file, options), options)
            break
    for annotator, file, ann in pending:
        source = source_name(file, options)
        state = finished_state(empty=ann.rows == 0)
        yield assignment(name, annotator, state, source, options)
        own = file.with_suffix(".txt")
        refusal: Problem | None = problem
        if text is not None:
            copy = _text(own, source_name(own, options), [ann]) if own.exists() else text
            refusal = text_difference(text, copy)
        yield from _records(ann, name, annotator, source, text or "", refusal)


def _text(file: Path, source: str, anns: list[AnnFile]) -> str:
    """The text as brat counts it: a byte order mark is its first character, unless no unit fits so.

    brat counts the mark; texts that went through another tool since do not.
    """
    data = read_bytes(file, source)
    text = decode(data, source)
    if not data.startswith(_MARK.encode()):
        return text
    units = [unit for ann in anns for unit in ann.units.values()]
    shifted = all(surface_problem(text, unit.pieces, unit.surface) is None for unit in units)
    return text if units and shifted else _MARK + text


def _records(
    ann: AnnFile, name: str, annotator: str, source: str, text: str, refusal: Problem | None
) -> Iterator[Record]:
    def refused(line: int, table: str, problem: Problem) -> Rejected:
        return rejected(
            problem,
            source=source,
            where=f"line {line}",
            table=table,
            document=name,
            annotator=annotator,
        )

    for line, table, found in ann.problems:
        yield refused(line, table, found)
    kept: set[str] = set()
    for unit in ann.units.values():
        start, end = unit.pieces[0][0], unit.pieces[-1][1]
        problem = (
            refusal
            or span_problem(start, end, length=len(text))
            or surface_problem(text, unit.pieces, unit.surface)
        )
        if problem:
            yield refused(unit.line, "units", problem)
            continue
        kept.add(unit.id)
        yield _unit(unit, name, annotator, source)
    for link in ann.links.values():
        lost = next((id for id in (link.source, link.target) if id not in kept), None)
        if lost is not None:
            yield refused(
                link.line,
                "relations",
                Problem("rejected_unit", lost, f"its unit {lost} is refused"),
            )
        else:
            yield _relation(link, name, annotator, source)


def _unit(unit: TextBound, name: str, annotator: str, source: str) -> Unit:
    return Unit(
        document=name,
        annotator=annotator,
        unit=unit.id,
        start=unit.pieces[0][0],
        end=unit.pieces[-1][1],
        category=unit.category,
        fragments=tuple(unit.pieces) if len(unit.pieces) > 1 else (),
        source_offsets=unit.offsets,
        attributes=tuple(unit.attributes),
        surface=unit.surface,
        source=source,
        where=f"line {unit.line}",
    )


def _relation(link: Link, name: str, annotator: str, source: str) -> Relation:
    return Relation(
        document=name,
        annotator=annotator,
        relation=link.id,
        from_unit=link.source,
        to_unit=link.target,
        category=link.category,
        attributes=tuple(link.attributes),
        source=source,
        where=f"line {link.line}",
    )
