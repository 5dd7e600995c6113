"""The work of each annotator, system or reference in an export, and the fate of its rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ..columns import rows_where
from ..errors import DataError
from ..label_sets import set_name
from ..option_names import option
from ..readers.base import SourceOptions
from ..readers.common.category_features import CategoryFeatures
from ..readers.notes import SourceNotes
from ..readers.sources import read_rows
from ..readers.tables.given import GivenTable
from ..row_account import RowAccount, RowTally, require_no_rejected
from ..schema import FINISHED_STATES, ExclusionReason, Rejected, Role, State
from ..validation.fates import first_pass_only
from ..validation.preparation import OF_FILES, Accepted, accepted_rows
from ..validation.raw_rows import name_in_export

# In strict reading of CoNLL chunks, a run that the scheme does not allow is not a unit. This
# follows from the chosen option and is not an error of the export.
_READINGS = ("chunk_not_allowed",)
_OF_WORK = ("labels", "units")
_GROUP = ("layer", "document", "annotator")
_COLUMNS = {
    "labels": ("document", "annotator", "layer", "item", "labels"),
    "units": ("document", "annotator", "layer", "unit", "start_offset", "end_offset", "category"),
    "relations": ("document", "annotator", "from_unit", "to_unit"),
}


class RowGroup(NamedTuple):
    """Accepted rows of one annotator in one document, which are scored together or not at all."""

    table: str
    layer: str
    document: str
    annotator: str


@dataclass(slots=True)
class ExportRows:
    """The rows of one export: `tally` counts those without a measure, `groups` the others."""

    tally: RowTally
    layer: str = ""
    groups: Counter[RowGroup] = field(default_factory=Counter)

    @classmethod
    def of(cls, accepted: Accepted) -> ExportRows:
        """Count the accepted rows; copies were counted for their annotator."""
        found = cls(accepted.tally())
        for table in OF_FILES:
            rows = accepted.without_copies(accepted.tables[table])
            rows = rows_where(rows, first_pass_only(found.tally, rows))
            columns = [rows[name].to_pylist() for name in _GROUP]
            found.groups.update(RowGroup(table, *group) for group in zip(*columns, strict=True))
        return found

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

    def add(self, document: str, values: Sequence[Any]) -> None:
        """Add a label (item, labels) or a unit (unit, start, end, category)."""
        if len(values) == 2:
            self.labels[document, values[0]] = set_name(values[1])
            return
        unit, start, end, category = values
        self.units.append((document, start, end, category))
        self.bounds[document, unit] = (start, end)


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
    reading = SourceOptions(
        annotator=annotator,
        extra=dict(options or {}),
        categories=CategoryFeatures(measured=layer),
    )
    accepted = accepted_rows(read_rows(path, format, reading))
    if notes is not None:
        reading.notes.n_conflicting_labels += accepted.n_conflicting_labels()
        notes.add(reading.notes)
    rejected = accepted.rejected_records()
    faults = [one for one in rejected if one.rule not in _READINGS]
    first = {name: accepted.first_pass(name) for name in OF_FILES}
    given = {(name, layer) for name in _OF_WORK for layer in first[name]["layer"].to_pylist()}
    if not given:
        require_no_rejected(faults)
    rows = ExportRows.of(accepted)
    rows.layer = _layer(path, {name_in_export(*one) for one in given}, layer)
    named = [layer for name, layer in given if name_in_export(name, layer) == rows.layer]
    works = _stated_works(accepted, path, named, unfinished=unfinished)
    for name in _OF_WORK:
        columns = zip(*(first[name][one].to_pylist() for one in _COLUMNS[name]), strict=True)
        for document, annotator, layer, *values in columns:
            if name_in_export(name, layer) == rows.layer and document in works[annotator].documents:
                works[annotator].add(document, values)
    links = (first["relations"][one].to_pylist() for one in _COLUMNS["relations"])
    for document, annotator, *ends in zip(*links, strict=True):
        if annotator in works and document in works[annotator].documents:
            works[annotator].links.append((document, *ends))
    documents = {row["document"]: row for row in accepted.tables["documents"].to_pylist()}
    for work in works.values():
        work.read_with, work.rows = reading.read_as().settings(rows.layer), rows
        for document in work.documents:
            work.documents[document] = documents[document]["length"]
            work.offset_unit = documents[document]["offset_unit"]
    for one in rejected:
        if one.rule in _READINGS:
            for annotator in [one.annotator] if one.annotator in works else list(works):
                works[annotator].n_refused += 1
    return works, faults


def _stated_works(
    accepted: Accepted, path: str | GivenTable, layers: Sequence[str], *, unfinished: bool
) -> dict[str, Work]:
    """Return each annotator's work with its documents, without the annotations."""
    works: dict[str, Work] = {}
    roles = accepted.roles()
    lost = accepted.all_rejected() if unfinished else set()
    for layer in layers:
        rows = accepted.assignments(layer)
        columns = (rows[name].to_pylist() for name in ("document", "annotator", "state"))
        for document, name, state in zip(*columns, strict=True):
            work = works.setdefault(name, Work(name, str(roles.get(name, Role.HUMAN)), str(path)))
            if state == State.NOT_ASSIGNED:
                work.not_assigned.add(document)
            if state in FINISHED_STATES or (unfinished and (document, name) not in lost):
                work.documents[document] = -1
    return works


def _layer(path: str | GivenTable, held: Collection[str], wanted: str | None) -> str:
    """Return the requested layer; a layer without a name that is the only one matches any name."""
    layers = sorted(held)
    if not layers:
        raise DataError(f"{path}: contains neither labels nor units")
    if wanted is None and len(layers) > 1:
        raise DataError(
            f"{path}: holds several layers ({', '.join(map(repr, layers))}); choose one with "
            f"{option('layer')}"
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
            if group.table in _OF_WORK and name_in_export(group.table, group.layer) != rows.layer:
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
