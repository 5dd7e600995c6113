"""The units of an export in memory, without a store: the input of `accordeur gamma`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..errors import DataError
from ..readers.base import SourceOptions
from ..readers.registry import AUTO
from ..readers.sources import read_sources
from ..readers.tables.given import Given
from ..schema import Assignment, Document, ExclusionReason, Label, Relation, Role, State, Unit
from .accepted import Account, Sieve, require_no_rejected


@dataclass(slots=True)
class UnitTable:
    """The units of one document in the first pass, by all annotators who finished it.

    `people` are all of them, those who marked nothing too; `roles` theirs; `length` -1 when
    unknown. `later` has the units of systems in each annotation pass after the first that they
    finished: (annotator, pass) → units, where these are read.
    """

    document: str
    units: list[Unit] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    roles: dict[str, str] = field(default_factory=dict)
    length: int = -1
    later: dict[tuple[str, int], list[Unit]] = field(default_factory=dict)


def read_unit_tables(
    paths: Sequence[str | Given],
    *,
    format: str = AUTO,
    options: SourceOptions | None = None,
    tagset: Sequence[str] = (),
    layer: str | None = None,
    with_systems: bool = False,
) -> tuple[list[UnitTable], Account]:
    """Read the units of files, folders or globs by document, with the account of the rows.

    The account has the fate of every row except the units in the tables.

    tagset  the categories that units of `layer` (None: of any) may have; empty: any
    with_systems  keep the later annotation passes of systems

    Rows are rejected by the same rules as in a run (`accepted`). Annotators are excluded from
    documents that they did not finish or were not assigned, because nothing can be measured there,
    and from documents in which all their units were rejected. Raises DataError when a path cannot
    be read, or when no unit is left.
    """
    tables: dict[str, UnitTable] = {}
    unfinished: set[tuple[str, str]] = set()
    unfinished_later: set[tuple[str, str, int]] = set()
    roles: dict[str, str] = {}
    labelled = False
    sieve = Sieve(unit_tagset=tagset, unit_layer=layer)

    def table(document: str) -> UnitTable:
        return tables.setdefault(document, UnitTable(document))

    records = read_sources(paths, format, options or SourceOptions())
    for record in sieve.accepted(records):
        match record:
            case Document():
                own = table(record.document)
                own.length = max(own.length, record.length)
            case Assignment(state=State.FINISHED | State.FINISHED_EMPTY):
                roles[record.annotator] = record.role
                if record.pass_ == 1:
                    own = table(record.document)
                    if record.annotator not in own.roles:
                        own.people.append(record.annotator)
                        own.roles[record.annotator] = record.role
                else:
                    table(record.document).later.setdefault((record.annotator, record.pass_), [])
            case Assignment() if record.pass_ == 1:
                unfinished.add((record.document, record.annotator))
            case Assignment():
                unfinished_later.add((record.document, record.annotator, record.pass_))
            case Label():
                labelled = True
                sieve.tally.exclude(ExclusionReason.OTHER_KIND)
            case Relation():
                sieve.tally.exclude(ExclusionReason.OTHER_KIND)
            case Unit() if record.pass_ == 1:
                table(record.document).units.append(record)
            case Unit():
                of_pass = table(record.document).later
                of_pass.setdefault((record.annotator, record.pass_), []).append(record)
    for each in tables.values():
        for (name, pass_), units in list(each.later.items()):
            if with_systems and roles.get(name) == Role.SYSTEM:
                sieve.tally.set_apart(Role.SYSTEM, len(units))
                if (each.document, name, pass_) not in unfinished_later:
                    continue
            else:
                sieve.tally.exclude(ExclusionReason.LATER_PASS, len(units))
            del each.later[name, pass_]
    unfinished |= sieve.all_refused(
        {(unit.document, unit.annotator) for each in tables.values() for unit in each.units}
    )
    for home, annotator in unfinished & {
        (t.document, a) for t in tables.values() for a in t.people
    }:
        tables[home].people.remove(annotator)
    for each in tables.values():
        kept = [unit for unit in each.units if (unit.document, unit.annotator) not in unfinished]
        sieve.tally.exclude(ExclusionReason.UNFINISHED, len(each.units) - len(kept))
        each.units = kept
    if not any(each.units for each in tables.values()):
        require_no_rejected(sieve.rejected)
        found_none = "has labels but no units; try `accordeur agree`" if labelled else "has no unit"
        raise DataError(f"{', '.join(map(str, paths))}: {found_none}")
    return list(tables.values()), sieve.account()
