"""What became of the rows of the exports that `accordeur score` reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from ...data.account import RowAccount, RowTally
from ...data.schema import ExclusionReason, Label, Relation, Unit


class RowGroup(NamedTuple):
    """Accepted rows of one annotator in one document are scored together or not at all."""

    table: str
    layer: str
    pass_: int
    document: str
    annotator: str


@dataclass(slots=True)
class ExportRows:
    """The rows of one export. `tally` has those that were rejected, or left out by the reader."""

    tally: RowTally
    layer: str = ""
    groups: Counter[RowGroup] = field(default_factory=Counter)

    def add(self, row: Label | Unit | Relation) -> None:
        if (row.document, row.annotator) in self.tally.copies:
            return  # counted as their annotator's
        group = RowGroup(row.TABLE, row.layer, row.pass_, row.document, row.annotator)
        self.groups[group] += 1

    def are_of(self, name: str, group: RowGroup) -> bool:
        """Whether the rows are this annotator's, or serve as the work of this reference."""
        if group.annotator == name:
            return True
        serve = (group.document, group.annotator) in self.tally.references
        return serve and (group.document, name) in self.tally.copies


class Scored(Protocol):
    """The work of a reference or a system, as far as its rows are counted."""

    @property
    def name(self) -> str: ...
    @property
    def documents(self) -> Collection[str]: ...
    @property
    def rows(self) -> ExportRows: ...


def account_of_scores(gold: Scored, works: Sequence[Scored]) -> RowAccount:
    """The rows of all exports, each once: of the reference, of systems, rejected or excluded."""
    exports = {id(work.rows): work.rows for work in (gold, *works)}
    total = RowTally()
    for rows in exports.values():
        tally = rows.tally
        systems = {work.name: work for work in works if work.rows is rows}
        total.n_read += tally.n_read
        for reason, n in tally.excluded.items():
            total.exclude(reason, n)
        for rule, n in tally.rejected.items():
            total.reject(rule, n)
        for group, n in rows.groups.items():
            own = gold if rows is gold.rows and rows.are_of(gold.name, group) else None
            _count(total, group, n, rows.layer, gold, own, systems)
    return total.account()


def _count(
    total: RowTally,
    group: RowGroup,
    n: int,
    layer: str,
    gold: Scored,
    own: Scored | None,
    systems: Mapping[str, Scored],
) -> None:
    work = own or systems.get(group.annotator)
    if group.pass_ != 1:
        total.exclude(ExclusionReason.LATER_PASS, n)
    elif group.table != Relation.TABLE and group.layer != layer:
        total.exclude(ExclusionReason.OTHER_LAYER, n)
    elif work is None:
        total.exclude(ExclusionReason.ANNOTATOR_EXCLUDED, n)
    elif group.document not in work.documents:
        total.exclude(ExclusionReason.UNFINISHED, n)
    elif own is not None:
        total.reference_only += n
    elif group.document in gold.documents or len(gold.documents) == len(work.documents) == 1:
        total.system += n
    else:
        total.exclude(ExclusionReason.NO_REFERENCE, n)
