"""Selection of the reference and the systems in exports, and their common documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from ...data.errors import DataError
from ...data.option_names import option
from ...data.readers.annotator_folders import advice_on_paths
from ...data.readers.common.naming import distinct_path_ends
from ...data.readers.tables.given import GivenTable
from ...data.reference_documents import mismatch_message
from ...data.schema import Role
from ..wording import counted
from .scored_works import Work
from .shared_documents import documents_in_reference


@dataclass(frozen=True, slots=True)
class NamedExport:
    """A path as given: `export` or `export#annotator`."""

    path: str | GivenTable
    annotator: str | None = None

    @classmethod
    def of(cls, text: str | GivenTable) -> NamedExport:
        if isinstance(text, GivenTable):
            return cls(text)
        path, mark, annotator = text.rpartition("#")
        if mark and annotator and not Path(text).exists():
            return cls(path, annotator)
        return cls(text)


def choose_reference(
    works: Mapping[str, Work], named: NamedExport, *, systems: Sequence[str], single_annotator: bool
) -> Work:
    """Return the annotations to use as reference.

    Selected by the name after `#`, else by the role reference, else the only annotator.

    systems  annotators of the same export that are scored against it

    Raises DataError if the selection is ambiguous, if it is one of several annotators without
    `single_annotator`, or if the reference has no finished document.
    """
    chosen = named.annotator
    if chosen is None:
        marked = [name for name, work in works.items() if work.role == Role.REFERENCE]
        if len(marked or works) != 1:
            raise DataError(
                f"{named.path}: holds several annotators ({_listed(works)}); say which one is the "
                f"reference: {option('reference')} "
                f"{named.path}#NAME{advice_on_paths(str(named.path))}"
            )
        chosen = (marked or list(works))[0]
    work = _work_named(works, named.path, chosen)
    if work.role == Role.SYSTEM:
        raise DataError(
            f"{chosen!r} is a system: it cannot be the reference that systems are judged by"
        )
    others = [
        name
        for name, other in works.items()
        if other.role == Role.HUMAN and name != chosen and name not in systems
    ]
    if work.role == Role.HUMAN and others and not single_annotator:
        raise DataError(
            f"{chosen!r} is one of several annotators of {named.path}: the unvalidated work of "
            "one person is not a reference; build one from all of them (accordeur run, "
            f"[reference]), or mark it with {option('single_annotator')}"
        )
    if not work.documents:
        raise DataError(
            f"{named.path}: {chosen!r} has finished no document; {option('unfinished')} "
            f"scores unfinished "
            "documents as well"
        )
    return work


def choose_systems(
    works: Mapping[str, Work], named: NamedExport, reference: str | None
) -> list[Work]:
    """Return the annotations to score: by the name after `#`, else by the role system, else all.

    reference  annotator of this export that is the reference and not scored

    Raises DataError if no system remains.
    """
    if named.annotator is not None:
        return [_work_named(works, named.path, named.annotator)]
    marked = [work for work in works.values() if work.role == Role.SYSTEM]
    kept = marked or [
        work
        for work in works.values()
        if work.role == Role.HUMAN and work.name != reference and work.documents
    ]
    if not kept:
        raise DataError(f"{named.path}: it has no annotator to score; it holds {_listed(works)}")
    return kept


def _work_named(works: Mapping[str, Work], path: str | GivenTable, name: str) -> Work:
    if name not in works:
        held = _listed(works)
        raise DataError(
            f"{path}: it has no annotator {name!r}; it holds {held}{advice_on_paths(str(path))}"
        )
    return works[name]


def _listed(names: Iterable[str]) -> str:
    listed = sorted(names)
    return ", ".join(listed[:12]) + (f" and {len(listed) - 12} more" if len(listed) > 12 else "")


def distinct_names(systems: Sequence[tuple[str, str]]) -> list[str]:
    """Return the names of systems; duplicates are made distinct by the shortest unique path.

    systems  name and path of each
    """
    plain = [name for name, _ in systems]
    paths = distinct_path_ends([Path(path) for _, path in systems])
    names = []
    for name, path in zip(plain, paths, strict=True):
        apart = path if PurePath(path).name == name else f"{path}#{name}"
        names.append(name if plain.count(name) == 1 else apart)
    for name in names:
        if names.count(name) > 1:
            raise DataError(f"{name!r} is given twice as a system")
    return names


def namer_of_files(
    exports: Sequence[str | GivenTable],
) -> Callable[[str | GivenTable, str], str]:
    """A function of an export's path and one of its files: the file, with the export's folder.

    Only where there are several exports, as `d1.ann` may be in each of them.
    """
    exports = list(dict.fromkeys(exports))
    labels = dict(
        zip(exports, distinct_path_ends([Path(str(one)) for one in exports]), strict=True)
    )

    def file_with_export_folder(export: str | GivenTable, file: str) -> str:
        is_folder = isinstance(export, str) and Path(export).is_dir()
        folder = labels[export] if is_folder else labels[export].rpartition("/")[0]
        return f"{folder}/{file}" if folder and len(exports) > 1 else file

    return file_with_export_folder


def with_reference_documents(gold: Work, work: Work, name: str, notes: list[str]) -> Work:
    """Restrict the system's annotations to the reference's documents, under the reference's names.

    Two single documents are matched, even if their file names differ.
    """
    if gold.is_labels != work.is_labels and not work.is_empty:
        kinds = ("labels", "units")
        raise DataError(
            f"the reference has {kinds[not gold.is_labels]} and {name!r} has "
            f"{kinds[not work.is_labels]}: they cannot be compared"
        )
    shared = documents_in_reference(name, work.documents, gold.documents)
    kept = {after: before for before, after in shared.items()}
    others = work.documents.keys() - shared.keys()
    if wrong := mismatch_message(gold.documents, [*kept, *others]):
        notes.append(f"{name}: {wrong}")
    if more := len(others):
        notes.append(f"{counted(more, 'document')} of {name} excluded: not in the reference")
    return work.on(kept)
