"""Accepted, excluded and rejected rows of a shard, and what later stages ask of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrow_columns import (
    as_numpy,
    codes_and_values,
    column,
    empty_table,
    first_of_equal_rows,
    group_codes,
    one_chunk,
    rows_where,
    scalar,
)
from ..blocks import names_of_sets
from ..row_account import RowTally
from ..schema import FINISHED_STATES, SCHEMAS, Copy, Rejected, State, withheld_message
from .deliveries import CONFLICTS, DELIVERIES
from .merge_sources import FINISHED, OF_WORK
from .rule import Checked, Mask
from .rule_views import SAME_LABEL, join_columns

OF_FILES = ("labels", "units", "relations")  # tables whose rows are records of the files
_WHO = ("document", "annotator")
_DERIVED = column(["documents", "assignments"], pa.string())


@dataclass(frozen=True)
class Accepted:
    """Accepted and excluded tables (in the schemas of `data.schema`) and the rejected rows.

    rows_in, rows_accepted, rows_rejected: numbers of rows of all tables, without the rows that
    readers excluded; rows_in = rows_accepted + rows_rejected. Rows of copies that do not count
    (`deliveries`) are among those accepted, and described in the table `excluded`.

    rejected_with_origin  the table `rejected` with the columns `origin` and `row` of its rows
    exported  units, labels and relations of the copies that count, before trimming and rules, and
              the rows `rejected` by the readers, with their layer
    deliveries  work that was in several files (`deliveries.DELIVERIES`)
    n_trimmed, n_without_text  units that were trimmed, and units that have no text to trim by
    views      the tables that the rules were applied to
    are_accepted  which of their rows break no rule
    checks     what each rule found (a row may break several)
    masks      the rows that broke each of these checks, for `data.validation.checks`
    """

    tables: dict[str, pa.Table]
    rejected_with_origin: pa.Table
    rows_in: int
    rows_accepted: int
    rows_rejected: int
    views: dict[str, pa.Table]
    are_accepted: dict[str, Mask]
    checks: list[Checked]
    masks: list[Mask]
    n_trimmed: int = 0
    n_without_text: int = 0
    exported: Mapping[str, pa.Table] = field(default_factory=dict)
    deliveries: pa.Table = field(default_factory=partial(empty_table, DELIVERIES))

    @property
    def rejected(self) -> pa.Table:
        """The rejected rows as the table `rejected`."""
        return self.rejected_with_origin.select(SCHEMAS["rejected"].names)

    def without_values(self) -> Accepted:
        """Remove every value of a rejected row: it may quote a text or name an annotator.

        The name of a document remains where the document itself is accepted.
        """
        rejected = self.rejected_with_origin
        messages = [withheld_message(one) for one in rejected["rule"].to_pylist()]
        documents = one_chunk(rejected["document"])
        is_accepted = pc.is_in(documents, value_set=one_chunk(self.tables["documents"]["document"]))
        for name, values in (
            ("value", [""] * len(messages)),
            ("message", messages),
            ("document", pc.if_else(is_accepted, documents, scalar(""))),
        ):
            at = rejected.column_names.index(name)
            rejected = rejected.set_column(at, name, pa.array(values, pa.string()))
        checks = [replace(one, examples=()) for one in self.checks]
        return replace(self, rejected_with_origin=rejected, checks=checks)

    def kept(self, table: str) -> pa.Table:
        """Return the rows of a view that break no rule."""
        return rows_where(self.views[table], self.are_accepted[table])

    @cached_property
    def keys_of_copied_assignments(self) -> pa.Array:
        """Keys of the documents and annotators whose rows repeat others (`data.schema.Copy`)."""
        return keys_of_copied_assignments(self.views["assignments"])

    def without_copies(self, rows: pa.Table) -> pa.Table:
        """Return rows of a table without the rows that are read again as a reference's."""
        return rows_where(rows, ~are_copies(rows, self.keys_of_copied_assignments))

    def rejected_records(self) -> list[Rejected]:
        """Return the rejected rows that are no copies, in reading order."""
        rows = self.without_copies(self.rejected_with_origin)
        rows = rows.sort_by([("origin", "ascending"), ("row", "ascending")])
        return [Rejected(**row) for row in rows.select(SCHEMAS["rejected"].names).to_pylist()]

    def roles(self) -> dict[str, str]:
        """Return the role of each annotator that an assignment states."""
        stated = first_of_equal_rows(self.views["assignments"], ["annotator"])
        return dict(zip(stated["annotator"].to_pylist(), stated["role"].to_pylist(), strict=True))

    def assignments(self, layer: str, *, finished: bool = False, later: bool = False) -> pa.Table:
        """Return the assignments to a layer in one annotation pass, or only finished ones.

        later  those of the annotation passes after the first, else of the first
        """
        rows = self.tables["assignments"]
        rows = rows.filter(pc.equal(rows["layer"], scalar(layer)))
        is_first = pc.equal(rows["pass"], scalar(1))
        rows = rows.filter(pc.invert(is_first) if later else is_first)
        return rows.filter(pc.is_in(rows["state"], value_set=FINISHED)) if finished else rows

    def first_pass(self, table: str) -> pa.Table:
        """Return the accepted rows of the first annotation pass, copies too."""
        rows = self.tables[table]
        return rows.filter(pc.equal(rows["pass"], scalar(1)))

    def all_rejected(self) -> set[tuple[str, str]]:
        """Return the documents and annotators of which all labels and units were rejected."""
        lost = self.rejected_with_origin.filter(
            pc.is_in(self.rejected_with_origin["table_name"], value_set=OF_WORK)
        )
        kept = [_pairs(self.first_pass(name)) for name in ("labels", "units")]
        return _pairs(lost).difference(*kept)

    def with_unfinished_work(self) -> Accepted:
        """Return the same rows with all work as finished that was assigned and has a row left."""
        rows, lost = self.tables["assignments"], self.all_rejected()
        columns = (rows[name].to_pylist() for name in (*_WHO, "state"))
        states = [
            state
            if state == State.NOT_ASSIGNED or state in FINISHED_STATES or (document, name) in lost
            else str(State.FINISHED)
            for document, name, state in zip(*columns, strict=True)
        ]
        at = rows.column_names.index("state")
        rows = rows.set_column(at, rows.schema.field("state"), column(states, pa.string()))
        return replace(self, tables={**self.tables, "assignments": rows})

    def tally(self) -> RowTally:
        """Return the tally of the records of the files, in which accepted rows have no fate yet.

        A record is a label, unit or relation, or what a reader rejected; the documents and
        assignments that readers derive from them are none.
        """
        tally = RowTally()
        originals = assignments_that_are(Copy.ORIGINAL, self.views["assignments"])
        tally.references = _pairs(originals.filter(pc.equal(originals["pass"], scalar(1))))
        tally.copies = _pairs(assignments_that_are(Copy.COPY, self.views["assignments"]))
        for row in self.tables["excluded"].select(["reason", "n_rows"]).to_pylist():
            tally.exclude(row["reason"], row["n_rows"])
            tally.n_read += row["n_rows"]
        of_files = records_of_files(self.without_copies(self.rejected_with_origin))
        for entry in pc.value_counts(one_chunk(of_files["rule"])).to_pylist():
            tally.reject(entry["values"], entry["counts"])
        tally.n_read += of_files.num_rows
        tally.n_read += sum(self.without_copies(self.tables[name]).num_rows for name in OF_FILES)
        return tally

    def counted_unlike(self) -> dict[str, list[str]]:
        """Return the documents whose units are counted in several offset units, with these."""
        documents, place = self.views["documents"], ("document", "origin")
        if len(pc.unique(documents["offset_unit"])) < 2:
            return {}
        with_units = pc.unique(join_columns(self.views["units"], place))
        rows = documents.filter(pc.is_in(join_columns(documents, place), value_set=with_units))
        ways: dict[str, list[str]] = {}
        for row in first_of_equal_rows(rows, ["document", "offset_unit"]).to_pylist():
            ways.setdefault(row["document"], []).append(row["offset_unit"])
        return {name: sorted(units) for name, units in ways.items() if len(units) > 1}

    def n_conflicting_labels(self) -> int:
        """Count the later labels of an annotator on an item that differ from the first."""
        labels = self.without_copies(self.views["labels"])
        is_later = (as_numpy(labels["occurrence"]) > 1) & ~as_numpy(labels[CONFLICTS])
        if not is_later.any():
            return 0
        _, item = np.unique(group_codes(labels, SAME_LABEL), return_inverse=True)
        given, _ = codes_and_values(names_of_sets(labels["labels"]))
        first = np.zeros(item.max() + 1, dtype=np.int64)
        first[item[~is_later]] = given[~is_later]
        return int((given != first[item])[is_later].sum())


def assignments_that_are(copy: Copy, assignments: pa.Table) -> pa.Table:
    """Return the assignments whose rows are originals, or copies of these."""
    return assignments.filter(pc.equal(assignments["copy"], scalar(str(copy))))


def keys_of_copied_assignments(assignments: pa.Table) -> pa.Array:
    """Return the keys of the documents and annotators whose rows repeat others (`Copy`)."""
    return pc.unique(_key(assignments_that_are(Copy.COPY, assignments)))


def are_copies(rows: pa.Table, copies: pa.Array) -> Mask:
    """Return which rows repeat others; `copies` from `keys_of_copied_assignments`."""
    if not len(copies):
        return np.zeros(rows.num_rows, dtype=np.bool_)
    return as_numpy(pc.is_in(_key(rows), value_set=copies))


def records_of_files(rejected: pa.Table) -> pa.Table:
    """Return the rejected rows that are records of the files.

    The others are documents and assignments, which readers derive from such records.
    """
    return rejected.filter(pc.invert(pc.is_in(rejected["table_name"], value_set=_DERIVED)))


def _pairs(rows: pa.Table) -> set[tuple[str, str]]:
    return set(zip(*(rows[name].to_pylist() for name in _WHO), strict=True))


def _key(rows: pa.Table) -> pa.ChunkedArray:
    return join_columns(rows, _WHO)
