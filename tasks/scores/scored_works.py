"""What one annotator, system or reference did in one layer of an export, read as one shard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ...data.arrow_columns import rows_where
from ...data.errors import DataError
from ...data.readers.base import SourceOptions
from ...data.readers.common.category_features import CategoryFeatures
from ...data.readers.notes import SourceNotes
from ...data.readers.sources import read_rows
from ...data.readers.tables.given import GivenTable
from ...data.row_account import RowAccount, RowTally, require_no_rejected
from ...data.schema import FINISHED_STATES, ExclusionReason, Rejected, State
from ...data.validation.accepted import OF_FILES, Accepted
from ...data.validation.fates import first_pass_only
from ...data.validation.raw_rows import name_in_export
from ..inputs.one_shard import Exports, OneShard
from ..inputs.reading_options import Reading
from ..intake.layer_contents import LayerContents, choose_layer

# In strict reading of CoNLL chunks, a run that the scheme does not allow is not a unit. This
# follows from the chosen option and is not an error of the export.
_READINGS = ("chunk_not_allowed",)
_GROUP = ("layer", "document", "annotator")


@dataclass(frozen=True, slots=True)
class ReadExport:
    """One export, and the layer of it that is scored.

    faults     rejected rows, but for what the chosen reading does not count as an error
    n_refused  such readings by annotator; "" for those of nobody
    rows       all its rows, for the account
    """

    path: str | GivenTable
    shard: OneShard
    layer: LayerContents
    faults: list[Rejected]
    n_refused: Counter[str]
    rows: ExportRows

    @property
    def has_named_layer(self) -> bool:
        return bool(name_in_export(self.layer.table, self.layer.name))

    @property
    def read_with(self) -> Mapping[str, str]:
        """How the layer was read, for the signatures."""
        return self.shard.settings(self.layer)

    def works(self) -> dict[str, Work]:
        """Return the work of every annotator who was assigned a document of the layer."""
        documents = self.shard.accepted.tables["documents"]
        columns = (documents[name].to_pylist() for name in ("document", "length"))
        lengths = dict(zip(*columns, strict=True))
        found: dict[str, Work] = {}
        rows = self.shard.accepted.assignments(self.layer.name)
        columns = (rows[name].to_pylist() for name in ("document", "annotator", "state"))
        for document, name, state in zip(*columns, strict=True):
            if name not in found:
                found[name] = Work(name, self.layer.role(name), self)
            if state == State.NOT_ASSIGNED:
                found[name].not_assigned.add(document)
            elif state in FINISHED_STATES:
                found[name].documents[document] = lengths[document]
        return found


@dataclass(slots=True)
class Work:
    """What one annotator, system or reference did in one layer.

    documents     finished documents → length, -1 where unknown
    not_assigned  documents that the export declares as not assigned
    named         name of each document in the reference → its name in the export, for documents
                  that are scored
    """

    name: str
    role: str
    export: ReadExport
    documents: dict[str, int] = field(default_factory=dict)
    not_assigned: set[str] = field(default_factory=set)
    named: Mapping[str, str] = field(default_factory=dict)

    @property
    def source(self) -> str:
        return str(self.export.path)

    @property
    def is_labels(self) -> bool:
        return self.export.layer.table == "labels"

    @property
    def is_empty(self) -> bool:
        """Whether the layer has no label or unit of this annotator."""
        return not self.export.layer.rows.get(self.name)

    @property
    def n_refused(self) -> int:
        """Number of runs of chunk tags that the scheme does not allow."""
        return self.export.n_refused[self.name] + self.export.n_refused[""]

    def on(self, named: Mapping[str, str]) -> Work:
        """Return the work on these documents only: name in the reference → name in the export."""
        documents = {after: self.documents[before] for after, before in named.items()}
        return replace(self, documents=documents, named=named)


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


def read_export(
    path: str | GivenTable,
    *,
    format: str = "auto",
    options: Mapping[str, str] | None = None,
    layer: str | None = None,
    tagset: Sequence[str] = (),
    unfinished: bool = False,
    notes: SourceNotes | None = None,
    annotator: str | None = None,
) -> ReadExport:
    """Read an export and choose the layer that is scored, of labels or of units.

    layer       needed when the export holds several; the only layer of an export that gives it no
                name is taken for it
    tagset      the declared categories; rows with others are rejected. (): as found
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
    shard = OneShard(
        Exports(read_rows(path, format, reading), reading, str(path)),
        Reading(categories=tuple(tagset)),
        table=None,
        unfinished=unfinished,
    )
    if notes is not None:
        notes.add(reading.notes)
    faults = [one for one in shard.rejected if one.rule not in _READINGS]
    layers = dict(sorted({**shard.contents.labels, **shard.contents.units}.items()))
    if not layers:
        require_no_rejected(faults)
        raise DataError(f"{path}: contains neither labels nor units")
    [only, *others] = layers.values()
    if not others and not name_in_export(only.table, only.name):
        layer = None
    chosen = choose_layer(layers, layer, where=str(path), what="labels and units")
    assert chosen is not None
    n_refused = Counter(one.annotator for one in shard.rejected if one.rule in _READINGS)
    rows = ExportRows.of(shard.accepted)
    return ReadExport(path, shard, chosen, faults, n_refused, rows)


def require_layer(layer: str | None, exports: Sequence[ReadExport]) -> None:
    """Raise DataError unless one of the exports has a layer of this name.

    The only layer of an export that gives it no name is taken for the layer of another export.
    """
    if layer is None or any(one.has_named_layer or one.layer.name == layer for one in exports):
        return
    first = exports[0]
    choose_layer({first.layer.name: first.layer}, layer, where=str(first.path), what="labels")


def account_of_works(
    gold: Work, works: Sequence[Work], together: Collection[str] = ()
) -> RowAccount:
    """Account for the rows of all exports, each once: reference, system, rejected or excluded.

    together  names of the annotators who form the reference together
    """
    exports = {id(work.export): work.export for work in (gold, *works)}
    total = RowTally()
    for export in exports.values():
        systems = {work.name: work for work in works if work.export is export}
        total.n_read += export.rows.tally.n_read
        for reason, n in export.rows.tally.excluded.items():
            total.exclude(reason, n)
        for rule, n in export.rows.tally.rejected.items():
            total.reject(rule, n)
        for group, n in export.rows.groups.items():
            is_gold = export is gold.export and (
                group.annotator in together or export.rows.are_of(gold.name, group)
            )
            work = gold if is_gold else systems.get(group.annotator)
            if group.table != "relations" and (group.table, group.layer) != (
                export.layer.table,
                export.layer.name,
            ):
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
