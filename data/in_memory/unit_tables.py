"""The units of an export in memory, without a store: the input of `accordeur gamma`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import DataError
from ..readers.base import SourceOptions
from ..readers.registry import AUTO, read_sources
from ..schema import Assignment, Document, ExclusionReason, Label, Relation, Role, State, Unit
from .accepted import Account, Sieve, require_no_rejected


@dataclass(slots=True)
class UnitTable:
    """The units of one document by all annotators who finished it, one entry per unit.

    `people` are all of them, those who marked nothing too; `roles` theirs; `length` -1 when
    unknown. `later` has the units of systems in each annotation pass after the first that they
    finished: (annotator, pass) → units, where these are read.
    """

    document: str
    annotators: list[str] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    layers: list[str] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    roles: dict[str, str] = field(default_factory=dict)
    length: int = -1
    later: dict[tuple[str, int], list[Unit]] = field(default_factory=dict)


def read_unit_tables(
    paths: Sequence[str | Path],
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
                    _add_person(table(record.document), record.annotator, record.role)
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
                _add_unit(table(record.document), record)
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
    given = {(t.document, a) for t in tables.values() for a in t.annotators}
    unfinished |= sieve.all_refused(given)
    for home, annotator in unfinished & {
        (t.document, a) for t in tables.values() for a in t.people
    }:
        tables[home].people.remove(annotator)
    n_units = sum(len(each.starts) for each in tables.values())
    found = [_without_unfinished(each, unfinished) for each in tables.values()]
    n_unfinished = n_units - sum(len(each.starts) for each in found)
    sieve.tally.exclude(ExclusionReason.UNFINISHED, n_unfinished)
    if not any(each.starts for each in found):
        require_no_rejected(sieve.rejected)
        found_none = "has labels but no units; try `accordeur agree`" if labelled else "has no unit"
        raise DataError(f"{', '.join(map(str, paths))}: {found_none}")
    return found, sieve.account()


def _add_person(table: UnitTable, annotator: str, role: str = Role.HUMAN) -> None:
    if annotator not in table.roles:
        table.people.append(annotator)
        table.roles[annotator] = role


def _add_unit(table: UnitTable, unit: Unit) -> None:
    table.annotators.append(unit.annotator)
    table.categories.append(unit.category)
    table.starts.append(unit.start_offset)
    table.ends.append(unit.end_offset)
    table.layers.append(unit.layer)


def _without_unfinished(table: UnitTable, unfinished: set[tuple[str, str]]) -> UnitTable:
    """Return the table without the units of annotators who have not finished it."""
    lists: tuple[list[Any], ...] = (
        table.annotators,
        table.categories,
        table.starts,
        table.ends,
        table.layers,
    )
    kept = [
        k for k, name in enumerate(table.annotators) if (table.document, name) not in unfinished
    ]
    if len(kept) < len(table.annotators):
        for values in lists:
            values[:] = [values[k] for k in kept]
    return table
