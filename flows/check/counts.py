"""Counts of what the sources of a campaign hold, of each source and of all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from ...data.arrow_columns import as_numpy, first_of_equal_rows, rows_where
from ...data.blocks import names_of_sets
from ...data.schema import Rejected
from ...data.validation.accepted import OF_FILES, Accepted, records_of_files

_TABLES = ("documents", "assignments", *OF_FILES)


@dataclass(slots=True)
class RejectedRows:
    """The rows that one rule rejected: the first of them, and their number in each file.

    place      (source, number of the row) of the first row
    n_records  rows without documents and assignments, which the account of rows counts
    """

    first: Rejected
    place: tuple[int, int]
    files: Counter[str] = field(default_factory=Counter)
    n_records: int = 0

    @property
    def n(self) -> int:
        return self.files.total()

    @property
    def n_derived(self) -> int:
        return self.n - self.n_records


@dataclass(slots=True)
class Counts:
    """Counts of one source, or of all sources.

    rows       rows read, by table; rows of `rejected` are those that the reader could not convert
    people     annotators, including those of rejected rows
    roles      annotator → the roles of their accepted assignments
    read       table → layer → category → rows; for labels the category is the name of the set
    accepted   the same for accepted rows
    rejected   rejected rows by rule
    excluded   reason → rows that the readers did not emit; they are not in `rows`
    """

    rows: dict[str, int] = field(default_factory=dict)
    annotators: set[str] = field(default_factory=set)
    roles: dict[str, set[str]] = field(default_factory=dict)
    read: dict[str, dict[str, dict[str, int]]] = field(default_factory=dict)
    accepted: dict[str, dict[str, dict[str, int]]] = field(default_factory=dict)
    rejected: dict[str, RejectedRows] = field(default_factory=dict)
    excluded: dict[str, int] = field(default_factory=dict)

    @property
    def n_rows(self) -> int:
        return sum(self.rows.values())

    @property
    def n_rejected(self) -> int:
        return sum(one.n for one in self.rejected.values())

    def add(
        self, raw: Mapping[str, pa.Table], accepted: Accepted, source: int | None = None
    ) -> None:
        """Add the rows of one source (None: of all); `raw` are the tables as they were read."""
        for row in _of_source(raw["excluded"], source).to_pylist():
            n = self.excluded.get(row["reason"], 0)
            self.excluded[row["reason"]] = n + row["n_rows"]
        unread = _of_source(raw["rejected"], source)
        self.rows["rejected"] = self.rows.get("rejected", 0) + unread.num_rows
        self.annotators.update(pc.unique(unread["annotator"]).to_pylist())
        kept: dict[str, pa.Table] = {}
        for table in _TABLES:
            rows = _of_source(accepted.views[table], source)
            kept[table] = _of_source(accepted.kept(table), source)
            self.rows[table] = self.rows.get(table, 0) + rows.num_rows
            if "annotator" in rows.column_names:
                self.annotators.update(pc.unique(rows["annotator"]).to_pylist())
            if table in OF_FILES:
                _add_by_layer(self.read.setdefault(table, {}), rows, _categories(table, rows))
                of_kept = kept[table], _categories(table, kept[table])
                _add_by_layer(self.accepted.setdefault(table, {}), *of_kept)
        for row in first_of_equal_rows(kept["assignments"], ["annotator", "role"]).to_pylist():
            self.roles.setdefault(row["annotator"], set()).add(row["role"])
        for table in ("units", "labels"):
            for name in pc.unique(kept[table]["annotator"]).to_pylist():
                self.roles.setdefault(name, set())
        self._add_rejected(_of_source(accepted.rejected_with_origin, source))

    def _add_rejected(self, refused: pa.Table) -> None:
        rows = refused.sort_by([("origin", "ascending"), ("row", "ascending")])
        for row in first_of_equal_rows(rows, ["rule"]).to_pylist():
            place = (row.pop("origin"), row.pop("row"))
            one = self.rejected.setdefault(row["rule"], RejectedRows(Rejected(**row), place))
            if place < one.place:
                one.first, one.place = Rejected(**row), place
        by_file = rows.group_by(["rule", "source"]).aggregate([([], "count_all")])
        for row in by_file.to_pylist():
            self.rejected[row["rule"]].files[row["source"]] += row["count_all"]
        by_rule = records_of_files(rows).group_by(["rule"]).aggregate([([], "count_all")])
        for row in by_rule.to_pylist():
            self.rejected[row["rule"]].n_records += row["count_all"]


def _of_source(rows: pa.Table, source: int | None) -> pa.Table:
    return rows if source is None else rows_where(rows, as_numpy(rows["origin"]) == source)


def _categories(table: str, rows: pa.Table) -> pa.ChunkedArray:
    return names_of_sets(rows["labels"]) if table == "labels" else rows["category"]


def _add_by_layer(
    total: dict[str, dict[str, int]], rows: pa.Table, values: pa.ChunkedArray
) -> None:
    """Add the number of rows by layer and value."""
    counted = pa.table({"layer": rows["layer"], "value": values}).group_by(["layer", "value"])
    for row in counted.aggregate([([], "count_all")]).to_pylist():
        of_layer = total.setdefault(row["layer"], {})
        of_layer[row["value"]] = of_layer.get(row["value"], 0) + row["count_all"]
