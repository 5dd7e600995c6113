"""Formats and options with which files of any shape may be read, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ...data.errors import DataError
from ...data.readers.registry import AUTO
from ...data.readers.tables.column_facts import ColumnFacts
from ...data.readers.tables.excel import sheet_names
from ...data.readers.tables.known_shapes import Shape
from ...data.readers.tables.layout import Layout
from ...data.readers.tables.platform_status import ExcludedRows, PlatformStatus
from ...data.readers.tables.reader import EXCEL, JSON, JSON_LINES, SUFFIXES, open_table
from ...data.readers.tables.role_proposals import proposed_options, proposed_options_of_files
from ...data.readers.tables.written_queries import query_of_records

TABLE = "table"


def possible_readings(
    paths: Sequence[Path], shape: Shape | None
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield formats with the options to try, the likeliest first."""
    if shape is not None:
        yield TABLE, {"query": shape.query}
        yield TABLE, {"query": shape.query, "encoding": "cp1252"}  # of Windows
    yield AUTO, {}
    if paths[0].suffix.lower() in EXCEL and paths[0].is_file():
        for sheet in sheet_names(paths[0])[1:]:
            yield TABLE, {"sheet": sheet}
            yield TABLE, {"sheet": sheet, "layout": Layout.WIDE}
    if all(one.is_file() and one.suffix.lower() in (*JSON, *JSON_LINES) for one in paths):
        query = query_of_records(paths[0])
        yield from [(TABLE, {"query": query})] if query else []
    first, *others = _tables(paths) or [paths[0]]
    facts, more = _facts(first), dict[str, str]()
    if facts is None:  # perhaps because names of columns occur twice
        facts, more = _facts(first, header="no"), {"header": "no"}
    if facts is None:
        return
    if len(paths) > 1 or paths[0].is_dir():
        other = _facts(others[0]) if others else None
        in_folders = paths[0].is_dir() and first.parent != paths[0]
        pattern = "{annotator}/**/{document}" if in_folders else "{annotator}"
        for options in proposed_options_of_files(facts, other, pattern):
            yield TABLE, options | more
    for options in proposed_options(facts):
        yield TABLE, options | more


def _tables(paths: Sequence[Path]) -> list[Path]:
    """Return the first table, and the first one of another annotator: another file or folder."""
    if len(paths) > 1 or not paths[0].is_dir():
        return list(paths[:2])
    found = sorted(one for one in paths[0].rglob("*") if one.suffix.lower() in SUFFIXES)
    apart = [one for one in found if one.parent != found[0].parent] or found[1:]
    return found[:1] + [one for one in apart if one.name == found[0].name][:1] + apart[:1]


def _facts(path: Path, header: str = "") -> ColumnFacts | None:
    """Return facts of a table; None of another file."""
    if path.suffix.lower() not in SUFFIXES:
        return None
    try:
        file = open_table(path, header=header)
        status = PlatformStatus.of(file.header, ())
        batches = status.without_marked(file.batches, ExcludedRows())
        return replace(file, batches=batches).with_facts()[1]
    except DataError:
        return None
