"""What `accordeur score` compares: one annotator's work, read from an export."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...data.account import RowTally
from ...data.errors import DataError
from ...data.label_sets import set_name
from ...data.readers.base import SourceOptions
from ...data.readers.common.layers import CategoryFeatures
from ...data.readers.quick.accepted import Sieve, require_none
from ...data.readers.registry import read_source
from ...data.schema import Assignment, Document, Label, Rejected, Relation, Role, State, Unit
from ...tasks.validity.evaluation import Presence, excluded_documents
from .rows import ExportRows

if TYPE_CHECKING:
    from ...tasks.validity.unit_evaluation import UnitRows

_FINISHED = (State.FINISHED, State.FINISHED_EMPTY)
# Of CoNLL chunks, read strictly, a run that the scheme does not allow is no unit: that is the
# reading asked for, not a fault of the export.
_READINGS = ("chunk_not_allowed",)


@dataclass(slots=True)
class Work:
    """What one annotator, system or reference gave, in one layer.

    documents  those that are finished → length, -1 where unknown
    not_assigned  those that the export says were not assigned
    all_rejected  those of which every label and unit was rejected: not left empty
    labels     (document, item) → label
    units      (document, start, end, category)
    bounds     (document, unit) → (start, end); links: (document, from unit, to unit)
    read_with  how the layer was read, for the signatures
    """

    name: str
    role: str = Role.HUMAN
    source: str = ""
    documents: dict[str, int] = field(default_factory=dict)
    not_assigned: set[str] = field(default_factory=set)
    all_rejected: set[str] = field(default_factory=set)
    labels: dict[tuple[str, str], str] = field(default_factory=dict)
    units: list[tuple[str, int, int, str]] = field(default_factory=list)
    bounds: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    links: list[tuple[str, str, str]] = field(default_factory=list)
    offset_unit: str = ""
    n_refused: int = 0
    read_with: dict[str, str] = field(default_factory=dict)
    rows: ExportRows = field(default_factory=lambda: ExportRows(RowTally()))  # of its export

    @property
    def is_labels(self) -> bool:
        return bool(self.labels) and not self.units

    def presence(self) -> Presence:
        return Presence(self.documents.keys(), self.not_assigned)

    def not_scored(self, gold: Work) -> set[str]:
        """The reference's documents that this system was not assigned."""
        return excluded_documents(list(gold.documents), self.presence())

    def without(self, documents: Set[str]) -> Work:
        """The same on fewer documents; only what `documents` holds is looked at."""
        kept = {name: n for name, n in self.documents.items() if name not in documents}
        return replace(self, documents=kept) if documents else self

    def unit_rows(self, tagset: Sequence[str]) -> dict[str, UnitRows]:
        """Of each document (start, end, category) rows, -1 for a unit without a category."""
        code = {category: k for k, category in enumerate(tagset)} | {"": -1}
        found: dict[str, list[tuple[int, int, int]]] = {name: [] for name in self.documents}
        for document, start, end, category in self.units:
            if document in found:
                found[document].append((start, end, code[category]))
        return {name: np.array(rows, np.int64).reshape(-1, 3) for name, rows in found.items()}


@dataclass(frozen=True, slots=True)
class Named:
    """A path as given: `export` or `export#annotator`."""

    path: str
    annotator: str | None = None

    @classmethod
    def of(cls, text: str) -> Named:
        path, mark, annotator = text.rpartition("#")
        if mark and annotator and not Path(text).exists():
            return cls(path, annotator)
        return cls(text)


def read_export(
    path: str,
    *,
    format: str = "auto",
    options: Mapping[str, str] | None = None,
    layer: str | None = None,
    unfinished: bool = False,
) -> tuple[dict[str, Work], list[Rejected]]:
    """Everybody's work in the layer, by name, and the rows set aside.

    layer       needed when the export holds several
    unfinished  take what is not finished too
    Raises DataError for what cannot be read, or a layer that is not there.
    """
    documents: dict[str, Document] = {}
    states: dict[tuple[str, str], Assignment] = {}
    found: list[Label | Unit] = []
    relations: list[Relation] = []
    sieve = Sieve(copies=True)
    reading = SourceOptions(extra=dict(options or {}), categories=CategoryFeatures(measured=layer))
    rows = ExportRows(sieve.tally)
    records = read_source(path, format, reading)
    for record in sieve.accepted(records):
        if isinstance(record, (Label, Unit, Relation)):
            rows.add(record)
        match record:
            case Document():
                documents[record.document] = record
            case Assignment() if record.pass_ == 1:
                states[record.document, record.annotator] = record
            case Label() | Unit() if record.pass_ == 1:
                found.append(record)
            case Relation() if record.pass_ == 1:
                relations.append(record)
    faults = [one for one in sieve.refused if one.rule not in _READINGS]
    if not found:
        require_none(faults)
    wanted = _layer(path, found, layer)
    rows.layer = wanted
    people: dict[str, Work] = {}
    for (document, name), assignment in states.items():
        work = people.setdefault(name, Work(name, str(assignment.role), path))
        if assignment.state == State.NOT_ASSIGNED:
            work.not_assigned.add(document)
        if assignment.state in _FINISHED or unfinished:
            work.documents[document] = -1
    for record in found:
        if record.layer != wanted:
            continue
        work = people.setdefault(record.annotator, Work(record.annotator, source=path))
        if (record.document, record.annotator) not in states:
            work.documents.setdefault(record.document, -1)
        if record.document in work.documents:
            _add(work, record)
    for link in relations:
        if link.annotator in people and link.document in people[link.annotator].documents:
            people[link.annotator].links.append((link.document, link.from_unit, link.to_unit))
    for work in people.values():
        work.read_with = reading.read_as().settings(wanted)
        work.rows = rows
        for document in work.documents:
            if document in documents:
                work.documents[document] = documents[document].length
                work.offset_unit = str(documents[document].offset_unit)
    for document, name in sieve.all_refused({(one.document, one.annotator) for one in found}):
        if name in people:
            people[name].all_rejected.add(document)
    for one in sieve.refused:
        if one.rule in _READINGS:
            for name in [one.annotator] if one.annotator in people else list(people):
                people[name].n_refused += 1
    return people, faults


def _layer(path: str, found: Sequence[Label | Unit], wanted: str | None) -> str:
    """The layer asked for; a layer without a name, alone in its export, goes by any name."""
    layers = sorted({record.layer for record in found})
    if not layers:
        raise DataError(f"{path}: neither a label nor a unit in it")
    if wanted is None and len(layers) > 1:
        raise DataError(
            f"{path}: holds several layers ({', '.join(map(repr, layers))}); choose one with "
            "--layer"
        )
    if wanted is None or layers == [""]:
        return layers[0]
    if wanted not in layers:
        raise DataError(f"{path}: no layer {wanted!r}; it holds {', '.join(map(repr, layers))}")
    return wanted


def _add(work: Work, record: Label | Unit) -> None:
    if isinstance(record, Label):
        work.labels[record.document, record.item] = set_name(record.labels)
        return
    work.units.append((record.document, record.start, record.end, record.category))
    work.bounds[record.document, record.unit] = (record.start, record.end)


def choose_reference(
    people: Mapping[str, Work], named: Named, *, systems: Sequence[str], single: bool
) -> Work:
    """The work to judge by.

    A name after `#`; else the one with the role reference; else the only one there.
    systems  annotators of the same export that are scored against it
    Raises DataError when it is not clear who it is, when that is one of several annotators and
    not marked so (`single`), or when nothing of theirs is finished.
    """
    chosen = named.annotator
    if chosen is None:
        marked = [name for name, work in people.items() if work.role == Role.REFERENCE]
        if len(marked or people) != 1:
            raise DataError(
                f"{named.path}: holds several annotators ({_listed(people)}); say which one is the "
                f"reference: --reference {named.path}#NAME"
            )
        chosen = (marked or list(people))[0]
    work = _known(people, named.path, chosen)
    if work.role == Role.SYSTEM:
        raise DataError(
            f"{chosen!r} is a system: it cannot be the reference that systems are judged by"
        )
    others = [
        name
        for name, other in people.items()
        if other.role == Role.HUMAN and name != chosen and name not in systems
    ]
    if work.role == Role.HUMAN and others and not single:
        raise DataError(
            f"{chosen!r} is one of several annotators of {named.path}: one person's work that "
            "nobody validated is no reference; build one from all of them (accordeur run, "
            "[reference]), or mark it with --single-annotator"
        )
    if not work.documents:
        raise DataError(
            f"{named.path}: {chosen!r} has finished no document; --unfinished takes the work as "
            "it is"
        )
    return work


def choose_systems(people: Mapping[str, Work], named: Named, reference: str | None) -> list[Work]:
    """The works to score: a name after `#`; else those with the role system; else everybody.

    reference  who of this export is the reference: not scored. Raises DataError when nobody is
               left.
    """
    if named.annotator is not None:
        return [_known(people, named.path, named.annotator)]
    marked = [work for work in people.values() if work.role == Role.SYSTEM]
    kept = marked or [
        work
        for work in people.values()
        if work.role == Role.HUMAN and work.name != reference and work.documents
    ]
    if not kept:
        raise DataError(f"{named.path}: nobody in it to score; it holds {_listed(people)}")
    return kept


def _known(people: Mapping[str, Work], path: str, name: str) -> Work:
    if name not in people:
        raise DataError(f"{path}: no annotator {name!r} in it; it holds {_listed(people)}")
    return people[name]


def _listed(people: Mapping[str, Work]) -> str:
    names = sorted(people)
    return ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
