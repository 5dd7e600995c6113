"""Decide which folder or file belongs to which annotator, if the files do not state it.

The option `paths` decides for every format. Without it, the paths of files are read as documents
and annotators if the texts or lengths of the files allow no other reading, and refused if they are
ambiguous. Tiers are taken for annotators only where neither folders nor file names are.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from ..errors import DataError
from ..file_listing import is_documentation, is_hidden
from ..option_names import format_options, table_options
from ..sentences import printable, shorten
from .annotator_and_document_hints import NO_ANNOTATOR, Fingerprint, Look, ReaderOf, look_at_file
from .base import SourceOptions
from .common.naming import distinct_parts, root_name, source_name
from .path_pattern import (
    ANNOTATOR_DOCUMENT,
    ANNOTATOR_FROM,
    DOCUMENT_ANNOTATOR,
    FOUND_PATTERNS,
    NAME_PATTERNS,
    PathPattern,
)

_ANNOTATORS, _DOCUMENTS = "{annotator}/{document}", "{document}/{annotator}"
_SUFFIXES, _PREFIXES = (one.text.removeprefix("**/") for one in NAME_PATTERNS)
_MOST_FOLDERS, _MOST_FILES, _MOST_LOOKS = 200, 50, 12


def options_of_file(file: Path, options: SourceOptions) -> SourceOptions:
    """Return the options of one file, whose document and annotator `paths` may give.

    Raises DataError for a file that does not fit `paths`.
    """
    if options.paths is None:
        return options
    document, annotator = options.paths.names_in(source_name(file, options))
    document = document or root_name(file, options)
    return replace(options, document=document, annotator=annotator, paths=None)


def options_with_paths(
    folder: Path, reader_of: ReaderOf, options: SourceOptions, *, is_whole: bool = False
) -> SourceOptions:
    """Return the options of a folder's files, with the pattern of their paths if it is certain.

    is_whole  whether its format reads it as a whole, each folder as an annotator

    Raises DataError when folders contain files of the same names and their paths are ambiguous.
    """
    if says_who(options):
        return options
    folders = _folders_in(folder)
    if folders:
        paths = _pattern_of_folders(folders, reader_of, options, location=str(folder))
        n = len(folders)
    else:
        files = [file for file in _files_in(folder) if _looks_like_export(file)]
        paths, n = _pattern_of_files(files, reader_of, options, location=str(folder)), len(files)
    if paths is None or (is_whole and paths == ANNOTATOR_DOCUMENT):
        return options
    _note(options, paths, n)
    return replace(options, paths=paths)


def options_with_annotators(
    paths: Sequence[Path],
    reader_of: ReaderOf,
    options: Sequence[SourceOptions],
    *,
    reads_whole: Callable[[Path], bool],
) -> list[SourceOptions]:
    """Return the options of each of several files or folders that are read as one source.

    Each belongs to one annotator if its contents do not name the annotators.

    options      of each path
    reads_whole  whether the format reads a folder as a whole
    """
    unchanged = [*options]
    if len(paths) < 2 or any(map(says_who, options)):
        return unchanged
    common = options[0]
    names = distinct_parts(paths)
    if all(path.is_dir() for path in paths):
        if any(reads_whole(path) for path in paths):
            return unchanged
        location = ", ".join(map(str, paths))
        pattern = _pattern_of_folders(paths, reader_of, common, location=location)
        _note(common, pattern, len(paths))
        if pattern == ANNOTATOR_DOCUMENT:
            return [replace(own, annotator=a) for own, a in zip(options, names, strict=True)]
        return [replace(own, paths=pattern) for own in options]
    if not all(path.is_file() for path in paths):
        return unchanged
    location = ", ".join(map(str, paths))
    if pattern := _pattern_of_files(paths, reader_of, common, location=location):
        _note(common, pattern, len(paths))
        named = [_names_in(path, pattern) for path in paths]
        return [
            replace(own, document=d, annotator=a)
            for own, (d, a) in zip(options, named, strict=True)
        ]
    looks = [look_at_file(path, reader_of, own) for path, own in zip(paths, options, strict=True)]
    if not all(look is not None and look.is_named_by_path for look in looks):
        return unchanged
    if len({look.fingerprint for look in looks if look is not None}) > 1:
        return unchanged
    stems = {path.stem for path in paths}
    document = stems.pop() if len(stems) == 1 else printable(paths[0].resolve().parent.name)
    return [
        replace(own, annotator=a, document=document) for own, a in zip(options, names, strict=True)
    ]


def says_who(options: SourceOptions) -> bool:
    """Whether options say whose work a file or a folder is."""
    return bool(options.annotator or options.paths or ANNOTATOR_FROM in options.extra)


def folder_of_annotator_folders(folder: Path) -> Path:
    """Return the folder below `folder` that contains the annotators' folders.

    Only folders may lie on the way: `project/anna` and `project/ben` with files of the same names
    are found from above `project`.
    """
    inner = folder
    while len(folders := _folders_in(inner)) == 1 and not any(map(Path.is_file, inner.iterdir())):
        inner = folders[0]
    return inner if next(_shared_files(_folders_in(inner)), None) is not None else folder


def require_one_reading(folder: Path) -> None:
    """Raise DataError when both the folders in a folder and their subfolders may be annotators.

    An example is `round1/anna`, `round1/ben`, `round2/anna`, `round2/ben` with files of the same
    names.
    """
    shared = next(_shared_files(_folders_in(folder)), None)
    if shared is None:
        return
    file, _ = shared
    beside = [one for one in _folders_in(file.parent.parent) if (one / file.name).is_file()]
    if file.parent.parent != folder and len(beside) > 1:
        raise DataError(
            f"{folder}: both {beside[0].name} and {beside[1].name}, and the folders that hold "
            f"them, have files of the same names ({file.name}): choose which are annotators with "
            f"{path_option('{annotator}/**/{document}')} or "
            f"{path_option('{document}/{annotator}/{document}')}"
        )


def path_option(pattern: str) -> str:
    """Name the option `paths` with a pattern in a message."""
    return f"`{format_options(paths=pattern)}`"


def advice_on_paths(path: str | Path) -> str:
    """Return how to say what the paths in a folder stand for; "" for a file."""
    if not Path(path).is_dir():
        return ""
    return (
        f". If the folder is one annotator's, set {path_option(_ANNOTATORS)}; if its folders are "
        f"documents, {path_option(_DOCUMENTS)}; if the names of its files end with the annotator, "
        f"{path_option(_SUFFIXES)}"
    )


def _pattern_of_folders(
    folders: Sequence[Path], reader_of: ReaderOf, options: SourceOptions, *, location: str
) -> PathPattern | None:
    """Return the pattern of folders that have files of the same names, None for what files say.

    Raises DataError when only the paths name the files' annotators and the contents do not show
    whether a folder is an annotator or a document.
    """
    shared = next(_shared_files(folders), None)
    if shared is None:
        return None
    first, second = shared
    looks = [look_at_file(file, reader_of, options) for file in shared]
    one, two = looks
    if one is None or two is None:
        return None
    by_default = one.is_by_default and two.is_by_default
    if not by_default and not (one.is_named_by_path and two.is_named_by_path):
        return None
    if one.fingerprint == NO_ANNOTATOR:
        return ANNOTATOR_DOCUMENT
    of_folder = one.is_of_folder and two.is_of_folder
    beside = next(
        (f for f in _files_in(first.parent) if f != first and f.suffix == first.suffix), None
    )
    third = None if beside is None else look_at_file(beside, reader_of, options)
    same = one.fingerprint == two.fingerprint and one.fingerprint is not None
    may_be_tiers = by_default and not one.has_text and one.fingerprint == two.fingerprint
    if third is None and not may_be_tiers:
        return ANNOTATOR_DOCUMENT if same or of_folder else None
    alike = (
        third is not None and third.fingerprint == one.fingerprint and one.fingerprint is not None
    )
    if alike and not same:
        return DOCUMENT_ANNOTATOR if by_default or of_folder else None
    if of_folder or (same and not alike and third is not None):
        return ANNOTATOR_DOCUMENT
    if by_default and not same and one.fingerprint is not None:
        return None  # the folders hold other documents of the same names
    has_tiers = by_default and not one.has_text
    tiers = ""
    if has_tiers:
        tiers = f", or `{format_options(annotator_from='tier')}` for tiers as annotators"
    if one.item:
        by_item = table_options(document=one.item)
        tiers = f", or, as its rows name the annotator, `{by_item}` for items as documents"
    raise DataError(
        f"{shorten(location, 80)}: {first.parent.name} and {second.parent.name} both hold a file "
        f"{first.name}, and it is not clear whether a folder is an annotator or a document: set "
        f"{path_option(_ANNOTATORS)} or {path_option(_DOCUMENTS)}{tiers}"
    )


def _pattern_of_files(
    files: Sequence[Path], reader_of: ReaderOf, options: SourceOptions, *, location: str
) -> PathPattern | None:
    """Return the pattern of the names of files that no folders tell apart, None without one.

    The files of a document have one text or length, and other documents have others. Raises
    DataError where the files would be read as annotators of one document, and it cannot be one.
    """
    if len(files) < 2:
        return None
    some = sorted(files)[:_MOST_LOOKS]
    looks: dict[Path, Look] = {}
    for file in some:
        look = look_at_file(file, reader_of, options)
        if look is None:
            continue
        if look.fingerprint in (None, NO_ANNOTATOR) or not look.names_nobody:
            return None
        looks[file] = look
    fingerprints = {file: look.fingerprint for file, look in looks.items()}
    n_different = len({*fingerprints.values()})
    if n_different < 2:
        return None
    patterns = [
        one for one in FOUND_PATTERNS if _gives_one_fingerprint_per_document(one, fingerprints)
    ]
    if len(patterns) == 1:
        return patterns[0]
    if not all(look.is_named_by_path and look.is_one_document for look in looks.values()):
        return None
    if all(look.has_text for look in looks.values()) and n_different < max(len(looks), 3):
        return None  # a text that differs from the others is rejected while reading
    raise DataError(
        f"{location}: the files would be annotators of one document, but their texts or lengths "
        f"differ: set {path_option(_ANNOTATORS)} if they are one annotator's, or "
        f"{path_option(_SUFFIXES)} or {path_option(_PREFIXES)} if their names hold both"
    )


def _gives_one_fingerprint_per_document(
    pattern: PathPattern, fingerprints: Mapping[Path, Fingerprint | None]
) -> bool:
    """Return whether the files of each document have one fingerprint, and documents differ."""
    of_document: dict[str, set[Fingerprint | None]] = {}
    annotators: dict[str, set[str]] = {}
    for file, fingerprint in fingerprints.items():
        try:
            document, annotator = _names_in(file, pattern)
        except DataError:
            return False
        of_document.setdefault(document, set()).add(fingerprint)
        annotators.setdefault(annotator, set()).add(document)
    if len(annotators) < 2 or max(map(len, annotators.values())) < 2:
        return False
    n_documents = len(of_document)
    return all(len(one) == 1 for one in of_document.values()) and len(fingerprints) > n_documents


def _names_in(file: Path, pattern: PathPattern) -> tuple[str, str]:
    return pattern.below(file.resolve().parent.name).names_in(file.name)


def _looks_like_export(file: Path) -> bool:
    return file.is_file() and not is_documentation(file.name)


def _note(options: SourceOptions, pattern: PathPattern | None, n: int) -> None:
    if pattern == ANNOTATOR_DOCUMENT:
        options.notes.n_annotator_folders += n
    elif pattern == DOCUMENT_ANNOTATOR:
        options.notes.n_document_folders += n
    elif pattern:
        options.notes.n_named_files += n


def _shared_files(folders: Sequence[Path]) -> Iterator[tuple[Path, Path]]:
    """Yield pairs of files with the same name in two of the folders."""
    for k, folder in enumerate(folders[:-1]):
        for file in _files_in(folder):
            name = file.relative_to(folder)
            for other in folders[k + 1 :]:
                if (other / name).is_file():
                    yield file, other / name
                    break


def _folders_in(folder: Path) -> list[Path]:
    with os.scandir(folder) as entries:
        folders = (one for one in entries if one.is_dir(follow_symlinks=False))
        names = [one.name for one in folders if not is_hidden(one.name)]
    return [folder / name for name in sorted(names)[:_MOST_FOLDERS]]


def _files_in(folder: Path) -> Iterator[Path]:
    """Yield some files of the folder and its subfolders."""
    found = (
        Path(place, name)
        for place, _, names in os.walk(folder)
        for name in sorted(names)
        if not is_hidden(name)
    )
    return islice(found, _MOST_FILES)
