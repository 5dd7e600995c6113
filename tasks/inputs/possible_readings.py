"""Formats and options with which files of any shape may be read, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Literal

from ...data.errors import DataError
from ...data.readers.registry import AUTO
from ...data.readers.tables.annotator_columns import are_numbered
from ...data.readers.tables.column_facts import ColumnFacts
from ...data.readers.tables.delimited import is_separated_by_blanks
from ...data.readers.tables.excel import EACH_SHEET, sheets_to_try
from ...data.readers.tables.file_proposals import (
    proposed_options_of_files,
    together,
    with_common_columns,
)
from ...data.readers.tables.judgement_proposals import judgement_columns
from ...data.readers.tables.known_shapes import Shape
from ...data.readers.tables.nested_records import nested_rows
from ...data.readers.tables.options import TableOptions
from ...data.readers.tables.parts import with_joined_parts
from ...data.readers.tables.platform_status import ExcludedRows, PlatformStatus
from ...data.readers.tables.reader import (
    DELIMITED,
    EXCEL,
    JSON,
    JSON_LINES,
    PARQUET,
    SUFFIXES,
    open_table,
)
from ...data.readers.tables.relation_columns import relation_shape
from ...data.readers.tables.role_proposals import (
    has_names_above_numbers,
    names_are_values,
    proposed_options,
)
from ...data.readers.tables.shape_of_file import known_shape
from ...data.readers.tables.unnamed_annotators import (
    question_on_columns,
    sentence_on_unnamed_annotators,
)
from ...data.readers.tables.written_queries import query_of_records

TABLE = "table"
_MOST_RECOGNISED = 20  # files of a shape
_MOST_COMPARED = 8  # tables of other annotators


def possible_shape(paths: Sequence[Path]) -> Shape | None:
    """Return the shape of files that a query reads; None for others."""
    files = chain(*(path.rglob("*") if path.is_dir() else [path] for path in paths))
    shapes = {known_shape(path) for path in islice(files, _MOST_RECOGNISED) if path.is_file()}
    shape = shapes.pop() if len(shapes) == 1 else None
    facts = _facts(paths[0]) if shape is None and len(paths) == 1 else None
    return relation_shape(facts) if facts else shape


def possible_readings(
    paths: Sequence[Path], shape: Shape | None, stated: Mapping[str, str]
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield formats with the options to try, the likeliest first.

    stated  options that are known, such as columns of a table
    """
    if shape is not None:
        yield TABLE, {"query": shape.query}
        yield TABLE, {"query": shape.query, "encoding": "cp1252"}  # of Windows
    yield AUTO, {}
    first, *others = _tables(paths) or [paths[0]]
    are_several = len(paths) > 1 or paths[0].is_dir()
    in_folders = paths[0].is_dir() and any(one.is_dir() for one in paths[0].iterdir())
    pattern = "{annotator}/**/{document}" if in_folders else "{annotator}"
    is_json = first.suffix.lower() in (*JSON, *JSON_LINES)
    are_folders = len(paths) > 1 and paths[0].is_dir()  # whose names are the annotators'
    if are_several and not are_folders and (is_json or first.suffix.lower() not in SUFFIXES):
        yield AUTO, {"paths": pattern}  # where all annotators have one name
        if in_folders:
            yield AUTO, {"paths": "**/{annotator}/{document}"}
    if first.suffix.lower() in EXCEL and not are_several:
        yield from _readings_of_sheets(first, stated)
        return
    has_records = is_json or first.suffix.lower() in PARQUET
    if has_records and (query := query_of_records(first)):
        yield TABLE, {"query": query}
    if has_records and are_several and (query := query_of_records(first, of_one=True)):
        yield TABLE, {"query": query, "paths": pattern}
    if is_json and not are_several:
        yield from _of_nested(first)
    facts, more = _facts_with_header(first)
    if are_several and facts is not None:
        blank = more.get("delimiter")
        opened = (_facts(one, delimiter=blank) for one in others[:_MOST_COMPARED])
        seen = [one for one in opened if one is not None]
        facts, *alike = with_common_columns([facts, *seen])
        for options in _items_of_several_files(together([facts, *alike])):
            yield TABLE, options | more
        other = next(iter(alike or seen), None)
        for options in proposed_options_of_files(facts, other, alike, pattern):
            yield TABLE, options | more
    for options in proposed_options(facts, stated) if facts else ():
        yield TABLE, options | more


def _of_nested(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield readings of the innermost objects of records whose columns say who gave what."""
    unnamed = []
    for rows in nested_rows(path):
        facts = _facts(path, query=rows.query())
        for is_named, names in judgement_columns(facts) if facts else ():
            columns = {*names["item"].split(","), *names.values()}
            if rows.is_label_of(names["label"], names["annotator"]):
                options = {"query": rows.query(columns), **names}
                if is_named:
                    yield TABLE, options
                elif facts and are_numbered(facts.values(facts.header.index(names["annotator"]))):
                    unnamed.append(options)
    yield from ((TABLE, options) for options in unnamed)


def _items_of_several_files(facts: ColumnFacts) -> Iterator[dict[str, str]]:
    """Yield options for files whose rows name annotators, and items that are in several files.

    A file without a column of documents is a document of its own; where each item is one, files are
    deliveries.
    """
    for is_named, options in judgement_columns(facts):
        if is_named and "document" not in facts.header:
            document, *rest = options["item"].split(",")
            named = {name: options[name] for name in ("annotator", "label")}
            if options.get("document", document) == document and document in facts.header:
                yield {"item": ",".join(rest) or document, **named, "document": document}


def _readings_of_sheets(
    path: Path, stated: Mapping[str, str]
) -> Iterator[tuple[str, dict[str, str]]]:
    for k, sheet in enumerate(sheets_to_try(path)):
        named = {"sheet": sheet} if k or sheet == EACH_SHEET else {}
        yield TABLE, named
        facts, more = _facts_with_header(path, sheet)
        for options in proposed_options(facts, stated) if facts else ():
            yield TABLE, options | named | more


def sentence_on_rows(paths: Sequence[Path]) -> str:
    """Say what a table lacks that names no annotators; "" of anything else."""
    facts = _facts(paths[0]) if len(paths) == 1 else None
    return sentence_on_unnamed_annotators(facts, paths[0]) if facts else ""


def question_on_table(paths: Sequence[Path], stated: Mapping[str, str]) -> str:
    """Ask for what cannot be seen of one table; "" of anything else."""
    facts = _facts(paths[0]) if len(paths) == 1 else None
    return question_on_columns(facts, paths[0], stated) if facts and facts.n_rows else ""


def _tables(paths: Sequence[Path]) -> list[Path]:
    """Return the first table, and those of other annotators: other files or folders."""
    if len(paths) > 1 or not paths[0].is_dir():
        return list(paths)
    tables = sorted(one for one in paths[0].rglob("*") if one.suffix.lower() in SUFFIXES)
    found = [*with_joined_parts(tables)]
    apart = [one for one in found if one.parent != found[0].parent] or found[1:]
    return found[:1] + sorted(apart, key=lambda one: one.name != found[0].name)


def _facts_with_header(
    path: Path, sheet: str | None = None
) -> tuple[ColumnFacts | None, dict[str, str]]:
    """Return facts of a table, and the option with which it has names of columns, if any does."""
    blank = " " if path.suffix.lower() in DELIMITED and is_separated_by_blanks(path) else None
    more = {"delimiter": blank} if blank else {}
    options: tuple[Literal["two", "no"] | None, ...] = (None, "two", "no")
    for header in options:  # no: perhaps because names of columns occur twice
        facts = _facts(path, header, sheet, blank)
        is_wrong = facts is None or (header == "two" and names_are_values(facts))
        if (
            facts is not None
            and not is_wrong
            and not (header == "no" and has_names_above_numbers(facts))
        ):
            return facts, more | ({"header": header} if header else {})
    return None, {}


def _facts(
    path: Path,
    header: Literal["no", "two"] | None = None,
    sheet: str | None = None,
    delimiter: str | None = None,
    query: str = "",
) -> ColumnFacts | None:
    """Return facts of a table; None of another file."""
    if path.suffix.lower() not in SUFFIXES:
        return None
    try:
        own = TableOptions(header=header, sheet=sheet, delimiter=delimiter, query=query)
        file = open_table(path, own)
        status = PlatformStatus.of(file.header, ())
        batches = status.without_marked(file.batches, ExcludedRows())
        return replace(file, batches=batches).with_facts()[1]
    except DataError:
        return None
