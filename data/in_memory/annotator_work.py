"""The work of each annotator, system or reference in an export, and the fate of its rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ..errors import DataError
from ..label_sets import set_name
from ..readers.base import SourceOptions
from ..readers.common.layers import CategoryFeatures
from ..readers.notes import SourceNotes
from ..readers.sources import read_source
from ..readers.tables.given import GivenTable
from ..row_account import RowAccount, RowTally
from ..schema import (
    FINISHED_STATES,
    Assignment,
    Document,
    ExclusionReason,
    Label,
    Rejected,
    Relation,
    Role,
    State,
    Unit,
)
from .accepted import Sieve, require_no_rejected

# In strict reading of CoNLL chunks, a run that the scheme does not allow is not a unit. This
# follows from the chosen option and is not an error of the export.
_READINGS = ("chunk_not_allowed",)


class RowGroup(NamedTuple):
    """Accepted rows of one annotator in one document, which are scored together or not at all."""

    table: str
    layer: str
    pass_: int
    document: str
    annotator: str


@dataclass(slots=True)
class ExportRows:
    """The rows of one export; `tally` counts those rejected or excluded by the reader."""

    tally: RowTally
    layer: str = ""
    groups: Counter[RowGroup] = field(default_factory=Counter)

    def add(self, row: Label | Unit | Relation) -> None:
        if (row.document, row.annotator) in self.tally.copies:
            return  # already counted for their annotator
        group = RowGroup(row.TABLE, row.layer, row.pass_, row.document, row.annotator)
        self.groups[group] += 1

    def are_of(self, name: str, group: RowGroup) -> bool:
        """Return whether the rows belong to this annotator or serve as this reference's work."""
        if group.annotator == name:
            return True
        serve = (group.document, group.annotator) in self.tally.references
        return serve and (group.document, name) in self.tally.copies


@dataclass(slots=True)
class Work:
    """What one annotator, system or reference annotated in one layer.

    documents  finished documents → length, -1 where unknown
    not_assigned  documents that the export declares as not assigned
    all_rejected  documents whose labels and units were all rejected; they do not count as empty
    labels     (document, item) → label
    units      (document, start, end, category)
    bounds     (document, unit) → (start, end); links: (document, from unit, to unit)
    read_with  how the layer was read, for the signatures
    rows       rows of its export
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
    rows: ExportRows = field(default_factory=lambda: ExportRows(RowTally()))

    @property
    def is_labels(self) -> bool:
        return bool(self.labels) and not self.units

    def without(self, documents: Set[str]) -> Work:
        """Return the work without some documents; only membership in `documents` is tested."""
        kept = {name: n for name, n in self.documents.items() if name not in documents}
        return replace(self, documents=kept) if documents else self

    def renamed(self, names: Mapping[str, str]) -> Work:
        """Return the work on these documents only, under their new names."""
        return replace(
            self,
            documents={after: self.documents[before] for before, after in names.items()},
            labels={(names[d], item): label for (d, item), label in self.labels.items()
                    if d in names},
            units=[(names[d], start, end, c) for d, start, end, c in self.units if d in names],
            bounds={(names[d], unit): at for (d, unit), at in self.bounds.items() if d in names},
            links=[(names[d], a, b) for d, a, b in self.links if d in names],
        )  # fmt: skip

    def add(self, record: Label | Unit) -> None:
        if isinstance(record, Label):
            self.labels[record.document, record.item] = set_name(record.labels)
            return
        self.units.append(
            (record.document, record.start_offset, record.end_offset, record.category)
        )
        self.bounds[record.document, record.unit] = (record.start_offset, record.end_offset)


def read_works(
    path: str | GivenTable,
    *,
    format: str = "auto",
    options: Mapping[str, str] | None = None,
    layer: str | None = None,
    unfinished: bool = False,
    notes: SourceNotes | None = None,
    annotator: str | None = None,
) -> tuple[dict[str, Work], list[Rejected]]:
    """Read the work of every annotator in the layer, by name, and the rejected rows.

    layer       needed when the export holds several
    unfinished  take what is not finished too
    notes       filled with what was assumed or left out
    annotator   whose the whole export is, where its files do not say it
    Raises DataError for what cannot be read, or a layer that is not there.
    """
    documents: dict[str, Document] = {}
    states: dict[tuple[str, str], Assignment] = {}
    found: list[Label | Unit] = []
    relations: list[Relation] = []
    sieve = Sieve(copies=True)
    reading = SourceOptions(
        annotator=annotator,
        extra=dict(options or {}),
        categories=CategoryFeatures(measured=layer),
    )
    rows = ExportRows(sieve.tally)
    for record in sieve.accepted(read_source(path, format, reading)):
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
    if notes is not None:
        reading.notes.n_conflicting_labels += sieve.n_conflicting
        notes.add(reading.notes)
    faults = [one for one in sieve.rejected if one.rule not in _READINGS]
    if not found:
        require_no_rejected(faults)
    rows.layer = _layer(path, found, layer)
    works: dict[str, Work] = {}
    for (document, name), assignment in states.items():
        work = works.setdefault(name, Work(name, str(assignment.role), str(path)))
        if assignment.state == State.NOT_ASSIGNED:
            work.not_assigned.add(document)
        if assignment.state in FINISHED_STATES or unfinished:
            work.documents[document] = -1
    for record in found:
        if record.layer != rows.layer:
            continue
        work = works.setdefault(record.annotator, Work(record.annotator, source=str(path)))
        if (record.document, record.annotator) not in states:
            work.documents.setdefault(record.document, -1)
        if record.document in work.documents:
            work.add(record)
    for link in relations:
        if link.annotator in works and link.document in works[link.annotator].documents:
            works[link.annotator].links.append((link.document, link.from_unit, link.to_unit))
    for work in works.values():
        work.read_with, work.rows = reading.read_as().settings(rows.layer), rows
        for document in work.documents:
            if document in documents:
                work.documents[document] = documents[document].length
                work.offset_unit = str(documents[document].offset_unit)
    for document, name in sieve.all_refused({(one.document, one.annotator) for one in found}):
        if name in works:
            works[name].all_rejected.add(document)
    for one in sieve.rejected:
        if one.rule in _READINGS:
            for name in [one.annotator] if one.annotator in works else list(works):
                works[name].n_refused += 1
    return works, faults


def _layer(path: str | GivenTable, found: Sequence[Label | Unit], wanted: str | None) -> str:
    """Return the requested layer; a layer without a name that is the only one matches any name."""
    layers = sorted({record.layer for record in found})
    if not layers:
        raise DataError(f"{path}: contains neither labels nor units")
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


def account_of_works(gold: Work, works: Sequence[Work], crew: Collection[str] = ()) -> RowAccount:
    """Account for the rows of all exports, each once: reference, system, rejected or excluded.

    crew  names of the annotators who form the reference together
    """
    exports = {id(work.rows): work.rows for work in (gold, *works)}
    total = RowTally()
    for rows in exports.values():
        systems = {work.name: work for work in works if work.rows is rows}
        total.n_read += rows.tally.n_read
        for reason, n in rows.tally.excluded.items():
            total.exclude(reason, n)
        for rule, n in rows.tally.rejected.items():
            total.reject(rule, n)
        for group, n in rows.groups.items():
            is_gold = rows is gold.rows and (
                group.annotator in crew or rows.are_of(gold.name, group)
            )
            work = gold if is_gold else systems.get(group.annotator)
            if group.pass_ != 1:
                total.exclude(ExclusionReason.LATER_PASS, n)
            elif group.table != Relation.TABLE and group.layer != rows.layer:
                total.exclude(ExclusionReason.OTHER_LAYER, n)
            elif work is None:
                total.exclude(ExclusionReason.ANNOTATOR_EXCLUDED, n)
            elif group.document not in work.documents:
                total.exclude(ExclusionReason.UNFINISHED, n)
            elif is_gold:
                total.reference_only += n
            elif (
                group.document in gold.documents or len(gold.documents) == len(work.documents) == 1
            ):
                total.system += n
            else:
                total.exclude(ExclusionReason.NO_REFERENCE, n)
    return total.account()
