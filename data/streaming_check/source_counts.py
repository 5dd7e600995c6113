"""Counts of what a source holds, made while it is sifted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from ..blocks import set_names
from ..schema import SCHEMAS, TABLES, Excluded, Rejected
from .sift import Sifted

_ROWS = tuple(name for name in TABLES if name != Excluded.TABLE)
LAYERED = ("labels", "units", "relations")


@dataclass(slots=True)
class RejectedRows:
    """The rows that one rule rejected: their number, the first row, and the files they are in."""

    n: int
    first: Rejected
    sources: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Counts:
    """Counts of one source, or of all sources.

    rows       rows read, by table; rows of `rejected` are those that the reader could not convert
    people     annotators, including those of rejected rows
    roles      annotator → the roles of their accepted assignments
    read       table → layer → category → rows; for labels the category is the name of the set
    accepted   the same for accepted rows
    relating   layer of relations → annotator → accepted rows
    rejected   rejected rows by rule
    excluded   reason → rows that the readers did not emit; they are not in `rows`
    """

    rows: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_ROWS, 0))
    people: set[str] = field(default_factory=set)
    roles: dict[str, set[str]] = field(default_factory=dict)
    read: dict[str, dict[str, dict[str, int]]] = field(
        default_factory=lambda: _empty_counts_by_table()
    )
    accepted: dict[str, dict[str, dict[str, int]]] = field(
        default_factory=lambda: _empty_counts_by_table()
    )
    relating: dict[str, dict[str, int]] = field(default_factory=dict)
    rejected: dict[str, RejectedRows] = field(default_factory=dict)
    excluded: dict[str, int] = field(default_factory=dict)

    @property
    def n_rows(self) -> int:
        return sum(self.rows.values())

    @property
    def n_rejected(self) -> int:
        return sum(one.n for one in self.rejected.values())

    def add(self, sifted: Sifted) -> None:
        if sifted.table == Excluded.TABLE:
            for row in sifted.rows.select(["reason", "n_rows"]).to_pylist():
                n = self.excluded.get(row["reason"], 0)
                self.excluded[row["reason"]] = n + row["n_rows"]
            return
        self.rows[sifted.table] += sifted.rows.num_rows
        self._add_rejected(sifted.rejected)
        kept = pa.array(sifted.kept)
        if "annotator" in sifted.rows.column_names:
            self.people.update(pc.unique(sifted.rows["annotator"]).to_pylist())
        if sifted.table in LAYERED:
            self._add_categories(sifted, kept)
        if sifted.table == "assignments":
            people = sifted.rows.filter(kept).group_by(["annotator", "role"]).aggregate([])
            for row in people.to_pylist():
                self.roles.setdefault(row["annotator"], set()).add(row["role"])
        elif sifted.table in ("units", "labels"):
            for name in pc.unique(sifted.rows["annotator"].filter(kept)).to_pylist():
                self.roles.setdefault(name, set())

    def _add_categories(self, sifted: Sifted, kept: pa.Array) -> None:
        rows = sifted.rows
        values = set_names(rows["labels"]) if sifted.table == "labels" else None
        category = rows["category"] if values is None else values
        plain = pa.table({"layer": rows["layer"], "category": category, "kept": kept})
        found = plain.group_by(["layer", "category", "kept"]).aggregate([([], "count_all")])
        for row in found.to_pylist():
            wanted = (self.read, self.accepted) if row["kept"] else (self.read,)
            for counts in wanted:
                of_layer = counts[sifted.table].setdefault(row["layer"], {})
                of_layer[row["category"]] = of_layer.get(row["category"], 0) + row["count_all"]
        if sifted.table == "relations":
            drawn = rows.filter(kept).group_by(["layer", "annotator"])
            for row in drawn.aggregate([([], "count_all")]).to_pylist():
                of_people = self.relating.setdefault(row["layer"], {})
                n = of_people.get(row["annotator"], 0)
                of_people[row["annotator"]] = n + row["count_all"]

    def _add_rejected(self, rejected: pa.Table) -> None:
        if not rejected.num_rows:
            return
        for entry in pc.value_counts(rejected["rule"].combine_chunks()).to_pylist():
            rule, n = entry["values"], entry["counts"]
            sources = pc.unique(rejected.filter(pc.equal(rejected["rule"], rule))["source"])
            if rule in self.rejected:
                self.rejected[rule].n += n
                self.rejected[rule].sources.update(sources.to_pylist())
                continue
            at = pc.index(rejected["rule"], rule).as_py()
            values = rejected.slice(at, 1).select(SCHEMAS["rejected"].names).to_pylist()[0]
            self.rejected[rule] = RejectedRows(n, Rejected(**values), set(sources.to_pylist()))


def add_counts(parts: list[Counts]) -> Counts:
    """Add counts over all sources; the first row that a rule rejected is the first source's."""
    total = Counts()
    for part in parts:
        for table, n in part.rows.items():
            total.rows[table] += n
        total.people |= part.people
        for name, roles in part.roles.items():
            total.roles.setdefault(name, set()).update(roles)
        for mine, theirs in ((total.read, part.read), (total.accepted, part.accepted)):
            for table, layers in theirs.items():
                _add_layers(mine[table], layers)
        _add_layers(total.relating, part.relating)
        for reason, n in part.excluded.items():
            total.excluded[reason] = total.excluded.get(reason, 0) + n
        for rule, found in part.rejected.items():
            if rule in total.rejected:
                total.rejected[rule].n += found.n
            else:
                total.rejected[rule] = RejectedRows(found.n, found.first)
    return total


def _empty_counts_by_table() -> dict[str, dict[str, dict[str, int]]]:
    return {table: {} for table in LAYERED}


def _add_layers(total: dict[str, dict[str, int]], part: Mapping[str, Mapping[str, int]]) -> None:
    for layer, counts in part.items():
        of_layer = total.setdefault(layer, {})
        for name, n in counts.items():
            of_layer[name] = of_layer.get(name, 0) + n
