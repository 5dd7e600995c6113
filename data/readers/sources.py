"""Read a source: a file, a folder or a pattern, in the format of each file.

`read_rows` is the way of campaigns, `read_sources` that of commands, which take several exports as
one source.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from pathlib import Path

from ..annotator_names import NOBODY
from ..blocks import Rows, as_records
from ..errors import DataError, OptionError
from ..file_listing import folders_below, unread_entries_below
from ..same_rows import Duplicates
from ..schema import Assignment, Record, Rejected, Role
from ..sentences import printable
from ..untrusted.files import require_regular
from .absent_layer_notes import note_absent_layers
from .annotator_folders import (
    folder_of_annotator_folders,
    options_of_file,
    options_with_annotators,
    options_with_paths,
    require_one_reading,
    says_who,
)
from .base import Reader, SourceOptions, TableLike, require_valid_options
from .common.naming import source_name
from .common.records.empty_answers import EmptyOption
from .common.records.first_mentions import RepeatedDocuments
from .common.records.same_text import SameText
from .files_of_source import (
    files_and_root,
    files_to_read,
    is_packed,
    reader_of,
    reader_of_whole_folder,
    reads_folder_as_whole,
)
from .path_pattern import ANNOTATOR_DOCUMENT, FOUND_PATTERNS
from .registry import AUTO, reader
from .tables.given import Given, GivenTable
from .tables.parts import with_joined_parts
from .tables.reader import READER as TABLES
from .unreadable import UNREADABLE, UnreadableFiles


def read_source(path: str | Given, format: str, options: SourceOptions) -> Iterator[Record]:
    """Yield the rows of `read_rows` as records."""
    return as_records(read_rows(path, format, options))


def read_sources(
    paths: Sequence[str | Given], format: str, options: SourceOptions
) -> Iterator[Rows]:
    """Apply `read_rows` to several files or folders as if they were one source.

    Where the files name no annotators, each path is one annotator's, and files of one name are one
    document. Raises DataError for a path that is given twice.
    """
    given: set[str] = set()
    files = [path for path in paths if not isinstance(path, GivenTable)]
    for table in paths:
        if isinstance(table, GivenTable):
            yield from read_rows(table, format, options)
    if not files:
        return
    for path in files:
        require_regular(path)
        if (place := os.path.realpath(path)) in given:
            raise DataError(f"{path}: the same file or folder is given twice; give each one once")
        given.add(place)
    chosen = _chosen(format, options)
    options = options.with_general_options_as_fields()
    found = [*_with_joined_parts(map(Path, files), options)]
    of_each = options_with_annotators(
        found,
        partial(reader_of, chosen, None),
        options,
        reads_whole=lambda folder: reads_folder_as_whole(folder, chosen),
    )
    duplicates = Duplicates()
    for path, of_path in zip(found, of_each, strict=True):
        rows = _checked_rows(_read_rows(path, format, of_path, None), path, format, of_path)
        is_watched = path.is_file() and len(found) > 1
        yield from duplicates.watched(str(path), rows) if is_watched else rows
    duplicates.check()
    yield from _empty_answers(options)
    options.excluded.require_met(", ".join(map(str, paths)))


def annotators_of_paths(
    paths: Sequence[str | Path], format: str, extra: Mapping[str, str]
) -> list[str | None]:
    """Return the annotator of each path, None where the files or their own paths name annotators.

    Raises DataError where folders have files of the same names that may be either.
    """
    options = SourceOptions(extra=extra).with_general_options_as_fields()
    chosen = _chosen(format, options)
    of_each = options_with_annotators(
        [Path(path) for path in paths],
        partial(reader_of, chosen, None),
        options,
        reads_whole=lambda folder: reads_folder_as_whole(folder, chosen),
    )
    return [one.annotator for one in of_each]


def read_rows(
    path: str | Given,
    format: str,
    options: SourceOptions,
    *,
    on_file: Callable[[Path, Reader], None] | None = None,
) -> Iterator[Rows]:
    """Yield the rows of one source of a campaign: a file, a folder or a glob, in sorted order.

    A folder is passed as a whole to a format that reads folders (brat); otherwise each of its files
    that matches the format's name patterns is read. Of several files, one that cannot be read
    becomes a `Rejected` (rule `unreadable_file`) and the others are read, unless these are most of
    the files (`unreadable`); a document in several of them, one per annotator, is yielded once, and
    a file with a different text is rejected row by row. With `format` auto, a file whose name
    belongs to no format is read only in a format of the files beside it, and otherwise noted as
    ignored. Only regular files are read.

    `on_file` is called with each file, or folder read as a whole, and its format, before reading.
    Raises DataError when nothing exists at the path, the format or an option is unknown, or the
    only file or most files cannot be read, and OptionError at the end when a layer has several
    features that could be its category.
    """
    own = options.with_general_options_as_fields()
    rows = chain(_read_rows(path, format, own, on_file), _empty_answers(own))
    yield from _checked_rows(rows, path, format, own)
    if own is not options:
        own.excluded.require_met(path)


def _checked_rows(
    rows: Iterator[Rows], path: str | Given, format: str, options: SourceOptions
) -> Iterator[Rows]:
    """Yield the rows of one path, watched for copies, absent layers and unreadable files."""
    if options.layers:
        everything = SourceOptions(
            extra=options.extra, paths=options.paths, annotator=options.annotator
        )
        rows = note_absent_layers(rows, path, options, _read_rows(path, format, everything, None))
    unreadable = UnreadableFiles(path)
    for row in rows:
        options.copied.add(row)
        unreadable.add(row)
        yield row
    unreadable.require_few(options.unreadable, options.notes.n_files_read)
    options.notes.copied_documents = options.copied.copies()


def _read_rows(
    path: str | Given,
    format: str,
    options: SourceOptions,
    on_file: Callable[[Path, Reader], None] | None,
) -> Iterator[Rows]:
    if format != AUTO:
        require_valid_options(reader(format), options)
    if isinstance(path, GivenTable):
        yield from _of_annotators(TABLES.read(path, options), options)
        return
    found, root = files_and_root(path)
    chosen = _chosen(format, options)
    if len(found) == 1 and found[0].suffix.lower() == ".zip" and is_packed(found[0], chosen):
        root = found[0].with_suffix("")
    options = replace(options, root=root)
    by_file = False
    if found == [root] and root.is_dir():
        whole = reader_of_whole_folder(root, chosen)
        if whole is not None and not says_who(options):
            found = [folder_of_annotator_folders(root)]
            require_one_reading(found[0])
        found_in = partial(reader_of, chosen, None)
        options = options_with_paths(found[0], found_in, options, is_whole=whole is not None)
        if whole is not None and options.paths not in (None, ANNOTATOR_DOCUMENT):
            chosen, by_file = whole, True
    if (paths := options.paths) is not None and (
        paths in FOUND_PATTERNS or found != [root] or not next(folders_below(root), None)
    ):
        options = replace(options, paths=paths.below(printable(root.resolve().name)))
    for folder in filter(Path.is_dir, found):
        for name in unread_entries_below(folder):
            options.notes.ignore_file(printable(name))
    files = files_to_read(found, chosen, options, by_file=by_file)
    files = _with_joined_parts(files, options)
    first = list(islice(files, 2))
    if not first:
        patterns = ", ".join(chosen.PATTERNS) if chosen else "any file"
        raise DataError(f"{path}: the folder has nothing to read (looked for {patterns})")
    if len(first) == 1:
        [file] = first
        only = reader_of(chosen, None, file, options)
        if on_file is not None:
            on_file(file, only)
        yield from _rows(only, file, options)
        options.categories.require_choice(path)
        return
    last: Reader | None = None
    texts, duplicates, named = SameText(), Duplicates(), set[tuple[str, str]]()
    for file in chain(first, files):
        try:
            _require_one_file(file, options, named)
            last = reader_of(chosen, last, file, options)
            if on_file is not None:
                on_file(file, last)
            rows = texts.without_repeated(_rows(last, file, options))
            if isinstance(last, TableLike):
                rows = duplicates.watched(source_name(file, options), rows)
            yield from rows
            options.notes.read_file(last.NAME)
        except OptionError:
            raise
        except DataError as error:
            yield Rejected(
                source=source_name(file, options),
                location="",
                rule=UNREADABLE,
                value=printable(file.name),
                message=str(error),
            )
    duplicates.check()
    options.categories.require_choice(path)


def _rows(reader: Reader, file: Path, options: SourceOptions) -> Iterator[Rows]:
    if file.is_file():
        options = options_of_file(file, options)
    repeated = RepeatedDocuments()
    return _of_annotators(
        (row for row in reader.read(file, options) if not repeated.has_seen(row)), options
    )


def _with_joined_parts(files: Iterable[Path], options: SourceOptions) -> Iterator[Path]:
    """Join the parts of tables, unless the path of each names its annotator or document."""
    return iter(files) if options.paths else with_joined_parts(files)


def _require_one_file(file: Path, options: SourceOptions, named: set[tuple[str, str]]) -> None:
    """Raise OptionError if `paths` names a document of an annotator as an earlier file does."""
    paths = options.paths
    if paths is None or paths in FOUND_PATTERNS or not paths.names_documents:
        return
    names = paths.names_in(source_name(file, options))
    if names in named:
        document, annotator = names
        raise OptionError(
            f"{source_name(file, options)}: a second file of {document!r} by {annotator!r}, as "
            f"paths = {paths.text!r} reads it: put what tells them apart in {{document}}"
        )
    named.add(names)


def _chosen(format: str, options: SourceOptions) -> Reader | None:
    """Return the format that is named, or that a query needs; None to recognise it."""
    if format == AUTO and "query" in options.extra:
        return TABLES
    return None if format == AUTO else reader(format)


def _empty_answers(options: SourceOptions) -> Iterator[Rows]:
    wanted = options.of_format(EmptyOption).empty
    return _of_annotators(options.empty_answers.decided(wanted, options.notes), options)


def _of_annotators(rows: Iterator[Rows], options: SourceOptions) -> Iterator[Rows]:
    """Apply the roles and exclusions of annotators."""
    rows = _with_roles(rows, options.roles) if options.roles else rows
    stated = NOBODY if options.role is not None else {*options.roles, options.annotator or ""}
    return options.excluded.without_excluded(rows, stated)


def _with_roles(rows: Iterator[Rows], roles: Mapping[str, Role]) -> Iterator[Record]:
    for record in as_records(rows):
        if isinstance(record, Assignment):
            record.role = roles.get(record.annotator, record.role)
        yield record
