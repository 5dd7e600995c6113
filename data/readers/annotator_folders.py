"""Decide which folder or file belongs to which annotator, if the files do not state it.

The option `layout` decides for every format. Without it, folders that contain files of the same
names are taken as annotators if the contents allow no other reading, and rejected if they are
ambiguous.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path, PurePath

from ..blocks import as_records
from ..errors import DataError
from ..file_listing import is_hidden
from ..schema import Assignment, Document
from ..sentences import printable
from .base import FOLDER_LAYOUTS, Reader, SourceOptions
from .common.naming import document_and_annotator

ANNOTATOR_DOCUMENT, DOCUMENT_ANNOTATOR = FOLDER_LAYOUTS
_SAYS_WHO = {"layout", "file", "annotator_from", "annotator_folder"}  # options that decide this
_MOST_FOLDERS, _MOST_FILES, _MOST_RECORDS = 200, 50, 100_000

ReaderOf = Callable[[Path, SourceOptions], Reader]
Fingerprint = tuple[object, ...]
_NO_ANNOTATOR = ("a table without annotators",)


def options_of_file(file: Path, options: SourceOptions) -> SourceOptions:
    """Return the options of one file, whose document and annotator `layout` may give."""
    if options.extra.get("layout") not in FOLDER_LAYOUTS:
        return options
    document, annotator = document_and_annotator(file, options)
    extra = {key: value for key, value in options.extra.items() if key != "layout"}
    return replace(options, document=document, annotator=annotator, extra=extra)


def options_with_layout(folder: Path, reader_of: ReaderOf, options: SourceOptions) -> SourceOptions:
    """Return the options of a folder's files, with the layout of its folders if it is certain.

    Raises DataError when folders contain files of the same names and the layout is ambiguous.
    """
    if options.annotator or options.extra.keys() & _SAYS_WHO:
        return options
    folders = _folders_in(folder)
    if not _are_annotators(folders, reader_of, options, location=str(folder)):
        return options
    options.notes.n_annotator_folders += len(folders)
    return replace(options, extra={**options.extra, "layout": ANNOTATOR_DOCUMENT})


def options_with_annotators(
    paths: Sequence[Path],
    reader_of: ReaderOf,
    options: SourceOptions,
    *,
    reads_whole: Callable[[Path], bool],
) -> list[SourceOptions]:
    """Return the options of each of several files or folders that are read as one source.

    Each belongs to one annotator if its contents do not name the annotators.
    reads_whole  whether the format reads a folder as a whole
    """
    unchanged = [options] * len(paths)
    if len(paths) < 2 or options.annotator or options.extra.keys() & _SAYS_WHO:
        return unchanged
    names = distinct_names(paths)
    if all(path.is_dir() for path in paths):
        if any(reads_whole(path) for path in paths):
            return unchanged
        if not _are_annotators(paths, reader_of, options, location=", ".join(map(str, paths))):
            return unchanged
        options.notes.n_annotator_folders += len(paths)
        return [replace(options, annotator=name) for name in names]
    if not all(path.is_file() for path in paths):
        return unchanged
    looks = [_first_look(path, reader_of, options) for path in paths]
    if not all(look is not None and look.is_named_by_path for look in looks):
        return unchanged
    if len({look.fingerprint for look in looks if look is not None}) > 1:
        return unchanged
    stems = {path.stem for path in paths}
    document = stems.pop() if len(stems) == 1 else printable(paths[0].resolve().parent.name)
    return [replace(options, annotator=name, document=document) for name in names]


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
            "`--option annotator_folder=first` or `--option annotator_folder=last` (in a "
            'campaign\'s source `options = { annotator_folder = "last" }`) for brat, '
            "`--option layout=annotator/document` for other formats"
        )


def distinct_names(paths: Sequence[Path]) -> list[str]:
    """Return the last part of each path that differs, without extensions where possible.

    >>> distinct_names([Path("a/day1.csv"), Path("b/day1.csv")])
    ['a', 'b']
    >>> distinct_names([Path("x/anna.csv"), Path("x/ben.csv")])
    ['anna', 'ben']
    """
    parts = _path_parts(paths)
    for k in range(1, max(map(len, parts))):
        names = [each[-k] if k <= len(each) else "" for each in parts]
        if len(set(names)) == len(names):
            return names
    return distinct_paths(paths)


def distinct_paths(paths: Sequence[Path]) -> list[str]:
    """Return the shortest distinct path ends of equal length, without extensions where possible.

    >>> distinct_paths([Path("runs/a/pred"), Path("runs/b/pred")])
    ['a/pred', 'b/pred']
    """
    parts = _path_parts(paths)
    n_paths = len(set(parts))
    for k in range(1, max(map(len, parts))):
        names = ["/".join(each[-k:]) for each in parts]
        if len(set(names)) == n_paths:
            return names
    return [str(path) for path in paths]


def _path_parts(paths: Sequence[Path]) -> list[tuple[str, ...]]:
    found = [PurePath(printable(os.path.abspath(path))).parts for path in paths]  # noqa: PTH100
    return [(*each[:-1], PurePath(each[-1]).stem) for each in found]


@dataclass(frozen=True, slots=True)
class _Look:
    """What the beginning of a file reveals.

    is_named_by_path  whether only the file or its folder names the annotator
    fingerprint       fingerprint of its document, equal for equal documents; None where unknown
    is_of_folder      whether its folder is named after its annotator, and its document after the
                      folder and the file
    """

    is_named_by_path: bool
    fingerprint: Fingerprint | None
    is_of_folder: bool = False


def _first_look(file: Path, reader_of: ReaderOf, options: SourceOptions) -> _Look | None:
    """Inspect the beginning of a file; None if it cannot be read."""
    try:
        reader = reader_of(file, options)
    except DataError:
        try:  # a table without annotators?
            reader_of(file, replace(options, annotator="?"))
        except DataError:
            return None
        return _Look(is_named_by_path=True, fingerprint=_NO_ANNOTATOR)
    document = assignment = None
    extra = options.extra
    alone = SourceOptions(extra=extra, layers=options.layers, root=file.parent.parent)
    try:
        for record in islice(as_records(reader.read(file, alone)), _MOST_RECORDS):
            if document is None and isinstance(record, Document):
                document = record
            elif assignment is None and isinstance(record, Assignment):
                assignment = record
            if document is not None and assignment is not None:
                break
    except DataError:
        return None
    if assignment is None or document is None:
        return None
    folder, annotator = printable(file.resolve().parent.name), assignment.annotator
    of_both = document.document == f"{folder}/{file.stem}"
    return _Look(
        is_named_by_path=annotator in (file.stem, folder),
        fingerprint=_fingerprint(document, named_by_path=of_both or document.document == folder),
        is_of_folder=of_both and annotator == folder,
    )


def _fingerprint(document: Document, *, named_by_path: bool) -> Fingerprint | None:
    if document.text is not None:
        return (document.sha256,)
    if document.length >= 0:
        return (document.length,)
    return None if named_by_path else (document.document,)


def _are_annotators(
    folders: Sequence[Path], reader_of: ReaderOf, options: SourceOptions, *, location: str
) -> bool:
    """Return whether each folder is one annotator's, i.e. equal file names mean equal documents.

    Raises DataError when only the paths name the files' annotators and the contents do not show
    whether a folder is an annotator or a document.
    """
    shared = next(_shared_files(folders), None)
    if shared is None:
        return False
    first, second = shared
    looks = [_first_look(file, reader_of, options) for file in shared]
    one, two = looks
    if one is None or two is None or not (one.is_named_by_path and two.is_named_by_path):
        return False
    if one.fingerprint == _NO_ANNOTATOR or (one.is_of_folder and two.is_of_folder):
        return True
    beside = next(
        (f for f in _files_in(first.parent) if f != first and f.suffix == first.suffix), None
    )
    third = None if beside is None else _first_look(beside, reader_of, options)
    same = one.fingerprint == two.fingerprint and one.fingerprint is not None
    if third is None:
        return same
    alike = third.fingerprint == one.fingerprint and one.fingerprint is not None
    if same != alike:
        return same
    raise DataError(
        f"{location}: {first.parent.name} and {second.parent.name} both hold a file "
        f"{first.name}, and it is not clear whether a folder is an annotator or a document: set "
        f"`--option layout={ANNOTATOR_DOCUMENT}` or `--option layout={DOCUMENT_ANNOTATOR}` (in a "
        f'campaign\'s source `options = {{ layout = "{ANNOTATOR_DOCUMENT}" }}`)'
    )


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
