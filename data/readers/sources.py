"""Read a source: a file, a folder or a pattern, in the format of each file.

`read_rows` is the way of campaigns, `read_sources` that of commands, which take several exports as
one source.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fnmatch import translate
from functools import partial
from glob import has_magic
from itertools import chain, islice
from pathlib import Path

from ..annotator_names import NOBODY
from ..blocks import Rows, as_records
from ..errors import DataError, OptionError
from ..file_listing import (
    files_below,
    folders_below,
    is_documentation,
    matching_paths,
    root_of,
    unread_entries_below,
)
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
from .common.files.text import is_type_system
from .common.naming import source_name
from .common.records.empty_answers import EmptyOption
from .common.records.first_mentions import RepeatedDocuments
from .common.records.same_text import SameText
from .path_pattern import ANNOTATOR_DOCUMENT, FOUND_PATTERNS
from .registry import (
    AUTO,
    detect_reader,
    name_patterns,
    reader,
    readers_by_file_name,
    readers_of_folders,
)
from .tables.given import Given, GivenTable
from .tables.reader import READER as TABLES
from .unreadable import UNREADABLE, UnreadableFiles

_MOST_TRIED = 20  # files, to find the format of a folder


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
    found = [Path(path) for path in files]
    of_each = options_with_annotators(
        found,
        partial(_reader_of, chosen, None),
        options,
        reads_whole=lambda folder: _reads_folder_as_whole(folder, chosen),
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
        partial(_reader_of, chosen, None),
        options,
        reads_whole=lambda folder: _reads_folder_as_whole(folder, chosen),
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
    found, root = _files_and_root(path)
    chosen = _chosen(format, options)
    if len(found) == 1 and found[0].suffix.lower() == ".zip" and _is_packed(found[0], chosen):
        root = found[0].with_suffix("")
    options = replace(options, root=root)
    by_file = False
    if found == [root] and root.is_dir():
        whole = _reader_of_whole_folder(root, chosen)
        if whole is not None and not says_who(options):
            found = [folder_of_annotator_folders(root)]
            require_one_reading(found[0])
        reader_of = partial(_reader_of, chosen, None)
        options = options_with_paths(found[0], reader_of, options, is_whole=whole is not None)
        if whole is not None and options.paths not in (None, ANNOTATOR_DOCUMENT):
            chosen, by_file = whole, True
    if (paths := options.paths) is not None and (
        paths in FOUND_PATTERNS or found != [root] or not next(folders_below(root), None)
    ):
        options = replace(options, paths=paths.below(printable(root.resolve().name)))
    for folder in filter(Path.is_dir, found):
        for name in unread_entries_below(folder):
            options.notes.ignore_file(printable(name))
    files = _all_files(found, chosen, by_file=by_file)
    if chosen is None and (len(found) > 1 or found[0].is_dir()):
        beside = _formats_by_name(_all_files(found, chosen, by_file=by_file), options)
        files = _without_strays(files, beside, options) if beside else files
    first = list(islice(files, 2))
    if not first:
        patterns = ", ".join(chosen.PATTERNS) if chosen else "any file"
        raise DataError(f"{path}: the folder has nothing to read (looked for {patterns})")
    if len(first) == 1:
        [file] = first
        only = _reader_of(chosen, None, file, options)
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
            last = _reader_of(chosen, last, file, options)
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


def _reader_of(
    chosen: Reader | None, last: Reader | None, file: Path, options: SourceOptions
) -> Reader:
    """Return the chosen format, else the last detected one if it fits, else detect the format."""
    if chosen is not None:
        return chosen
    fits = last is not None and any(file.match(pattern) for pattern in last.PATTERNS)
    names_annotator = bool(options.annotator or options.paths)
    guessed = (
        last
        if last is not None and fits and last.probe(file)
        else detect_reader(file, options.extra, names_annotator=names_annotator)
    )
    require_valid_options(guessed, options)
    return guessed


def _files_and_root(path: str | Path) -> tuple[list[Path], Path]:
    """Return the files and folders matched by a path or glob, and the root of their names."""
    found = matching_paths(path)
    if not found and has_magic(str(path)):
        raise DataError(f"{path}: no file or folder matches this pattern")
    if not found:
        raise DataError(f"{path}: no such file or folder")
    for one in found:
        require_regular(one)
    return found, root_of(path)


def _all_files(found: Sequence[Path], chosen: Reader | None, *, by_file: bool) -> Iterator[Path]:
    return (file for each in found for file in _files(each, chosen, by_file=by_file))


def _formats_by_name(files: Iterator[Path], options: SourceOptions) -> list[Reader]:
    """Return the format of the first readable files whose names belong to a format, if any do."""
    named = (file for file in files if file.is_dir() or readers_by_file_name(file))
    for file in islice(named, _MOST_TRIED):
        with suppress(DataError):
            return [_reader_of(None, None, file, options)]
    return []


def _without_strays(
    files: Iterator[Path], beside: Sequence[Reader], options: SourceOptions
) -> Iterator[Path]:
    """Pass over files whose names belong to no format and that the formats `beside` do not read.

    Texts and notes beside exports may resemble a format by accident. Where no file has the name of
    a format, `beside` is empty and every format may be recognised by content alone.
    """
    is_named = re.compile("|".join(map(translate, chain(*name_patterns().values())))).match
    for file in files:
        if is_named(file.name) or file.is_dir() or any(one.probe(file) for one in beside):
            yield file
        else:
            options.notes.ignore_file(source_name(file, options))


def _files(path: Path, chosen: Reader | None, *, by_file: bool = False) -> Iterator[Path]:
    """Return the path itself, or the files of a folder for a format that reads single files.

    by_file  read the files of a folder one by one, even if the format reads whole folders
    """
    if not path.is_dir() or (not by_file and _reads_folder_as_whole(path, chosen)):
        yield from _unpacked_files(path) if _is_packed(path, chosen) else [path]
        return
    patterns = chosen.PATTERNS if chosen else ("*",)
    fits = re.compile("|".join(map(translate, patterns))).match
    for name in files_below(path, hidden=False):
        file = path / name
        if _is_packed(file, chosen):
            yield from _unpacked_files(file)
        elif fits(file.name) and file.is_file() and not (chosen is None and _is_no_export(file)):
            yield file


def _is_no_export(file: Path) -> bool:
    """Return whether a file is a type system, or a README or licence that no format reads."""
    return is_type_system(file) or (is_documentation(file.name) and not readers_by_file_name(file))


def _unpacked_files(path: Path) -> Iterator[Path]:
    from .packed import tables_in_packed_file

    return tables_in_packed_file(path)


def _is_packed(path: Path, chosen: Reader | None) -> bool:
    """Return whether a file holds packed tables, and no format reads the file itself."""
    if path.suffix.lower() not in (".zip", ".gz"):
        return False
    from .packed import is_packed_table

    if not is_packed_table(path):
        return False
    if chosen is not None:
        return isinstance(chosen, TableLike)
    return not any(one.probe(path) for one in readers_by_file_name(path))


def _reads_folder_as_whole(folder: Path, chosen: Reader | None) -> bool:
    return _reader_of_whole_folder(folder, chosen) is not None


def _reader_of_whole_folder(folder: Path, chosen: Reader | None) -> Reader | None:
    """Return the chosen format, or one that accepts the folder, if it reads it as a whole."""
    if chosen is not None:
        return chosen if chosen.probe(folder) else None
    accepting = [r for r in readers_of_folders() if r.probe(folder)]
    if len(accepting) > 1:
        detect_reader(folder)  # raises an error that lists the candidates
    return accepting[0] if accepting else None
