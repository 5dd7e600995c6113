"""Counts of what the sources of a campaign hold, of each source and of all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from ...data.blocks import set_names
from ...data.columns import as_numpy, first_rows, numbers
from ...data.schema import SCHEMAS, Rejected
from ...data.validation.preparation import OF_FILES, Accepted

_TABLES = ("documents", "assignments", *OF_FILES)


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

    rows: dict[str, int] = field(default_factory=dict)
    people: set[str] = field(default_factory=set)
    roles: dict[str, set[str]] = field(default_factory=dict)
    read: dict[str, dict[str, dict[str, int]]] = field(default_factory=dict)
    accepted: dict[str, dict[str, dict[str, int]]] = field(default_factory=dict)
    relating: dict[str, dict[str, int]] = field(default_factory=dict)
    rejected: dict[str, RejectedRows] = field(default_factory=dict)
    excluded: dict[str, int] = field(default_factory=dict)

    @property
    def n_rows(self) -> int:
        return sum(self.rows.values())

    @property
    def n_rejected(self) -> int:
        return sum(one.n for one in self.rejected.values())


def counts_of(raw: Mapping[str, pa.Table], accepted: Accepted, source: int | None = None) -> Counts:
    """Count the rows of one source (None: of all); `raw` are the tables as they were read."""
    found = Counts()
    refused = _of_source(accepted.refused, source)
    excluded = _of_source(raw["excluded"], source)
    found.rejected = _rejected_by_rule(refused)
    for row in excluded.select(["reason", "n_rows"]).to_pylist():
        found.excluded[row["reason"]] = found.excluded.get(row["reason"], 0) + row["n_rows"]
    kept: dict[str, pa.Table] = {}
    for table in _TABLES:
        rows, is_kept = accepted.views[table], numbers(accepted.are_accepted[table])
        found.rows[table] = _of_source(rows, source).num_rows
        kept[table] = _of_source(rows.filter(is_kept), source)
        if "annotator" in rows.column_names:
            found.people.update(pc.unique(_of_source(rows, source)["annotator"]).to_pylist())
        if table in OF_FILES:
            found.read[table] = _by_layer(_of_source(rows, source), table)
            found.accepted[table] = _by_layer(kept[table], table)
    unread = _of_source(raw["rejected"], source)
    found.rows["rejected"] = unread.num_rows
    found.people.update(pc.unique(unread["annotator"]).to_pylist())
    found.relating = _counts(kept["relations"]["layer"], kept["relations"]["annotator"])
    for row in first_rows(kept["assignments"], ["annotator", "role"]).to_pylist():
        found.roles.setdefault(row["annotator"], set()).add(row["role"])
    for table in ("units", "labels"):
        for name in pc.unique(kept[table]["annotator"]).to_pylist():
            found.roles.setdefault(name, set())
    return found


def _of_source(rows: pa.Table, source: int | None) -> pa.Table:
    if source is None:
        return rows
    return rows.filter(numbers(as_numpy(rows["origin"]) == source))


def _by_layer(rows: pa.Table, table: str) -> dict[str, dict[str, int]]:
    category = set_names(rows["labels"]) if table == "labels" else rows["category"]
    return _counts(rows["layer"], category)


def _counts(layers: pa.ChunkedArray, values: pa.ChunkedArray) -> dict[str, dict[str, int]]:
    """Count the rows by layer and value."""
    counted = pa.table({"layer": layers, "value": values}).group_by(["layer", "value"])
    found: dict[str, dict[str, int]] = {}
    for row in counted.aggregate([([], "count_all")]).to_pylist():
        found.setdefault(row["layer"], {})[row["value"]] = row["count_all"]
    return found


def _rejected_by_rule(refused: pa.Table) -> dict[str, RejectedRows]:
    """Return the rejected rows by rule, each with the first of them as read."""
    rows = refused.sort_by([("origin", "ascending"), ("row", "ascending")])
    n_by_rule = {one["values"]: one["counts"] for one in pc.value_counts(rows["rule"]).to_pylist()}
    first = first_rows(rows, ["rule"]).select(SCHEMAS["rejected"].names).to_pylist()
    found = {row["rule"]: RejectedRows(n_by_rule[row["rule"]], Rejected(**row)) for row in first}
    for row in first_rows(rows, ["rule", "source"]).to_pylist():
        found[row["rule"]].sources.add(row["source"])
    return found
