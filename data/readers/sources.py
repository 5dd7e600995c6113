"""Read a source: a file, a folder or a pattern, in the format of each file.

`read_rows` is the way of campaigns, `read_sources` that of commands, which take several exports as
one source.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TypeAlias

from ..annotator_names import NOBODY
from ..blocks import Rows, as_records
from ..errors import DataError, OptionError
from ..file_listing import folders_below, unread_entries_below
from ..same_rows import Duplicates
from ..schema import Assignment, Record, Rejected, Role
from ..sentences import printable
from ..untrusted.files import require_regular
from .absent_layer_notes import AbsentLayers
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
from .common.records.repeated_documents import SameText
from .exclusion import WorkExclusion
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

OnFile: TypeAlias = Callable[[Path, Reader], None]


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
    tables = [path for path in paths if isinstance(path, GivenTable)]
    found = [Path(path) for path in paths if not isinstance(path, GivenTable)]
    for path in found:
        require_regular(path)
        if (place := os.path.realpath(path)) in given:
            raise DataError(f"{path}: the same file or folder is given twice; give each one once")
        given.add(place)
    options = options.with_general_options_as_fields()
    found = [*_with_joined_parts(found, options)]
    of_each = [*[options] * len(tables), *_with_annotators(found, format, [options] * len(found))]
    every: list[str | Given] = [*tables, *found]
    return _rows_of([*zip(every, of_each, strict=True)], format)


def _with_annotators(
    paths: Sequence[Path], format: str, options: Sequence[SourceOptions]
) -> list[SourceOptions]:
    chosen = _chosen(format, options[0]) if options else None
    return options_with_annotators(
        paths,
        partial(reader_of, chosen, None),
        options,
        reads_whole=lambda folder: reads_folder_as_whole(folder, chosen),
    )


def annotators_of_paths(
    paths: Sequence[str | Path], format: str, extras: Sequence[Mapping[str, str]]
) -> list[str | None]:
    """Return the annotator of each path, None where the files or their own paths name annotators.

    extras  the options of each path

    Raises DataError where folders have files of the same names that may be either.
    """
    options = [SourceOptions(extra=one).with_general_options_as_fields() for one in extras]
    of_each = _with_annotators([*map(Path, paths)], format, options)
    return [one.annotator for one in of_each]


def read_rows(
    path: str | Given, format: str, options: SourceOptions, *, on_file: OnFile | None = None
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
    return _rows_of([(path, options.with_general_options_as_fields())], format, on_file)


def _rows_of(
    sources: Sequence[tuple[str | Given, SourceOptions]], format: str, on_file: OnFile | None = None
) -> Iterator[Rows]:
    """Yield the rows of each path, read as one source, then what empty answers stand for.

    sources  paths and the options of each
    """
    duplicates = Duplicates()
    for k, (path, options) in enumerate(sources, start=1):
        files = _FilesOfPath.of(path, format, options, on_file)
        is_compared = len(sources) > 1 and isinstance(path, Path) and path.is_file()
        for file in chain(files.found, [None] if k == len(sources) else []):
            try:
                rows, exclusion = files.open(file)
                repeated = RepeatedDocuments()
                for row in rows:
                    if repeated.has_seen(row):
                        continue
                    for one in [row] if exclusion.spares(row) else exclusion.kept(row):
                        files.note(one)
                        if is_compared:
                            duplicates.add(str(path), one)
                        yield one
                files.end(file)
            except DataError as error:
                one = files.unreadable_file(file, error)
                files.note(one)
                yield one
        everything = SourceOptions(
            extra=options.extra, paths=options.paths, annotator=options.annotator
        )
        files.check(_rows_of([(path, everything)], format))
    duplicates.check()
    _, options = sources[-1]
    options.notes.copied_documents = options.copied.copies()
    options.excluded.require_met(", ".join(str(path) for path, _ in sources))


@dataclass(slots=True)
class _FilesOfPath:
    """The files of one path of a source, and what is noted of them while they are read.

    found     the files, or folders that are read as a whole
    chosen    the format of all; None: it is recognised
    is_alone  whether there is one file only; its errors are those of the source
    last      the format of the file that was opened last
    table     name of the file that was opened last, "" unless it is one of several tables
    """

    path: str | Given
    options: SourceOptions
    found: Iterable[Path | GivenTable]
    chosen: Reader | None
    is_alone: bool
    on_file: OnFile | None
    unreadable: UnreadableFiles
    layers: AbsentLayers
    last: Reader | None = None
    table: str = ""
    texts: SameText = field(default_factory=SameText)
    duplicates: Duplicates = field(default_factory=Duplicates)
    named: set[tuple[str, str]] = field(default_factory=set)

    @classmethod
    def of(
        cls, path: str | Given, format: str, options: SourceOptions, on_file: OnFile | None
    ) -> _FilesOfPath:
        """Find the files of a path. Raises DataError if there is none."""
        if format != AUTO:
            require_valid_options(reader(format), options)
        observers = on_file, UnreadableFiles(path), AbsentLayers(options.layers)
        if isinstance(path, GivenTable):
            return cls(path, options, [path], TABLES, True, *observers)
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
        return cls(path, options, chain(first, files), chosen, len(first) == 1, *observers)

    def open(self, file: Path | GivenTable | None) -> tuple[Iterator[Rows], WorkExclusion]:
        """Open a file; None stands for the empty answers of all files of the source.

        Returns the rows, and what decides which of them are excluded.
        """
        own, self.table = self.options, ""
        rows: Iterator[Rows]
        if file is None:
            rows = own.empty_answers.decided(own.of_format(EmptyOption).empty, own.notes)
        elif isinstance(file, GivenTable):
            rows = TABLES.read(file, own)
        else:
            self._require_one_file(file)
            self.last = reader_of(self.chosen, self.last, file, own)
            if self.on_file is not None:
                self.on_file(file, self.last)
            own = options_of_file(file, own) if file.is_file() else own
            rows = self.last.read(file, own)
            if not self.is_alone:
                rows = self.texts.without_repeated(rows)
                if isinstance(self.last, TableLike):
                    self.table = source_name(file, own)
        rows = _with_roles(rows, own.roles) if own.roles else rows
        stated = NOBODY if own.role is not None else {*own.roles, own.annotator or ""}
        exclusion = WorkExclusion(own.excluded, NOBODY.difference(stated))
        return chain(rows, exclusion.counted()), exclusion

    def note(self, row: Rows) -> None:
        """Note what copies, absent layers, unreadable files and repeated tables show in a row."""
        self.options.copied.add(row)
        self.unreadable.add(row)
        if isinstance(row, Rejected) and row.rule == UNREADABLE:
            self.options.notes.note_unreadable_file(row.source)
        if self.options.layers:
            self.layers.add(row)
        if self.table:
            self.duplicates.add(self.table, row)

    def end(self, file: Path | GivenTable | None) -> None:
        """Note that a file was read."""
        if self.last is not None and not self.is_alone and file is not None:
            self.options.notes.read_file(self.last.NAME)

    def unreadable_file(self, file: Path | GivenTable | None, error: DataError) -> Rejected:
        """Return the rejected row of a file that cannot be read; the only file raises its error."""
        if self.is_alone or not isinstance(file, Path) or isinstance(error, OptionError):
            raise error
        return Rejected(
            source=source_name(file, self.options),
            location="",
            rule=UNREADABLE,
            value=printable(file.name),
            message=str(error),
        )

    def check(self, everything: Iterator[Rows]) -> None:
        """Raise DataError for what only all rows show; `everything` as in `AbsentLayers.check`."""
        self.duplicates.check()
        if not isinstance(self.path, GivenTable):
            self.options.categories.require_choice(self.path)
        notes = self.options.notes
        self.layers.check(self.path, notes, everything)
        self.unreadable.require_few(self.options.unreadable, notes.n_files_read)

    def _require_one_file(self, file: Path) -> None:
        """Raise OptionError if `paths` names a document of an annotator as an earlier file does."""
        paths = self.options.paths
        if paths is None or paths in FOUND_PATTERNS or not paths.names_documents:
            return
        names = paths.names_in(source_name(file, self.options))
        if names in self.named:
            document, annotator = names
            raise OptionError(
                f"{source_name(file, self.options)}: a second file of {document!r} by "
                f"{annotator!r}, as paths = {paths.text!r} reads it: put what tells them apart in "
                "{document}"
            )
        self.named.add(names)


def _with_joined_parts(files: Iterable[Path], options: SourceOptions) -> Iterator[Path]:
    """Join the parts of tables, unless the path of each names its annotator or document."""
    return iter(files) if options.paths else with_joined_parts(files)


def _chosen(format: str, options: SourceOptions) -> Reader | None:
    """Return the format that is named, or that a query needs; None to recognise it."""
    if format == AUTO and "query" in options.extra:
        return TABLES
    return None if format == AUTO else reader(format)


def _with_roles(rows: Iterator[Rows], roles: Mapping[str, Role]) -> Iterator[Record]:
    for record in as_records(rows):
        if isinstance(record, Assignment):
            record.role = roles.get(record.annotator, record.role)
        yield record
