"""The files that a path names, and the format of each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fnmatch import translate
from glob import has_magic
from itertools import chain, islice
from pathlib import Path

from ..errors import DataError
from ..file_listing import files_below, is_documentation, matching_paths, root_of
from ..untrusted.files import require_regular
from .base import Reader, SourceOptions, TableLike, require_valid_options
from .common.files.text import is_type_system
from .common.naming import source_name
from .registry import detect_reader, name_patterns, readers_by_file_name, readers_of_folders
from .tables.parts import PartedTable

_MOST_TRIED = 20  # files, to find the format of a folder


def reader_of(
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


def files_and_root(path: str | Path) -> tuple[list[Path], Path]:
    """Return the files and folders matched by a path or glob, and the root of their names."""
    if isinstance(path, PartedTable):
        return [path], path.parent
    found = matching_paths(path)
    if not found and has_magic(str(path)):
        raise DataError(f"{path}: no file or folder matches this pattern")
    if not found:
        raise DataError(f"{path}: no such file or folder")
    for one in found:
        require_regular(one)
    return found, root_of(path)


def files_to_read(
    found: Sequence[Path], chosen: Reader | None, options: SourceOptions, *, by_file: bool
) -> Iterator[Path]:
    """Yield the files of paths, without strays where files have the name of a format.

    by_file  read the files of a folder one by one, even if the format reads whole folders
    """

    def files() -> Iterator[Path]:
        return (file for each in found for file in _files(each, chosen, by_file=by_file))

    if chosen is None and (len(found) > 1 or found[0].is_dir()):
        beside = _formats_by_name(files(), options)
        if beside:
            return _without_strays(files(), beside, options)
    return files()


def _formats_by_name(files: Iterator[Path], options: SourceOptions) -> list[Reader]:
    """Return the format of the first readable files whose names belong to a format, if any do."""
    named = (file for file in files if file.is_dir() or readers_by_file_name(file))
    for file in islice(named, _MOST_TRIED):
        with suppress(DataError):
            return [reader_of(None, None, file, options)]
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


def _files(path: Path, chosen: Reader | None, *, by_file: bool) -> Iterator[Path]:
    """Return the path itself, or the files of a folder for a format that reads single files."""
    if not path.is_dir() or (not by_file and reads_folder_as_whole(path, chosen)):
        yield from _unpacked_files(path) if is_packed(path, chosen) else [path]
        return
    patterns = chosen.PATTERNS if chosen else ("*",)
    fits = re.compile("|".join(map(translate, patterns))).match
    for name in files_below(path, hidden=False):
        file = path / name
        if is_packed(file, chosen):
            yield from _unpacked_files(file)
        elif fits(file.name) and file.is_file() and not (chosen is None and _is_no_export(file)):
            yield file


def _is_no_export(file: Path) -> bool:
    """Return whether a file is a type system, or a README or licence that no format reads."""
    return is_type_system(file) or (is_documentation(file.name) and not readers_by_file_name(file))


def _unpacked_files(path: Path) -> Iterator[Path]:
    from .packed import tables_in_packed_file

    return tables_in_packed_file(path)


def is_packed(path: Path, chosen: Reader | None) -> bool:
    """Return whether a file holds packed tables, and no format reads the file itself."""
    if path.suffix.lower() not in (".zip", ".gz"):
        return False
    from .packed import is_packed_table

    if not is_packed_table(path):
        return False
    if chosen is not None:
        return isinstance(chosen, TableLike)
    return not any(one.probe(path) for one in readers_by_file_name(path))


def reads_folder_as_whole(folder: Path, chosen: Reader | None) -> bool:
    return reader_of_whole_folder(folder, chosen) is not None


def reader_of_whole_folder(folder: Path, chosen: Reader | None) -> Reader | None:
    """Return the chosen format, or one that accepts the folder, if it reads it as a whole."""
    if chosen is not None:
        return chosen if chosen.probe(folder) else None
    accepting = [r for r in readers_of_folders() if r.probe(folder)]
    if len(accepting) > 1:
        detect_reader(folder)  # raises an error that lists the candidates
    return accepting[0] if accepting else None
