"""The fates of a layer's rows in one shard: of a run, or of the exports of a quick look."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...data.columns import as_numpy, coded_column, group_codes, rows_where, scalar
from ...data.row_account import RowTally
from ...data.schema import Copy, ExclusionReason, Role
from ...data.store.in_memory import Tables
from ...data.validation.fates import (
    Standing,
    are_by_annotators,
    are_finished,
    are_of_assignments,
    are_of_first_pass,
    tally_measured_labels,
    tally_measured_units,
)
from ...data.validation.preparation import (
    assignments_that_are,
    keys_of_copied_assignments,
    without_copies,
)
from ...data.validation.rule_views import join_columns
from ...data.validation.rules import Mask
from ..annotation_rounds import cells_not_for_agreement, without_cells
from ..intake.accepted import read_accepted
from ..layers import LayerSpec, with_positions_as_items

_WHO = ["document", "annotator"]


@dataclass(frozen=True, slots=True)
class RepeatedRows:
    """Rows of a shard that were read a second time as a reference (`data.schema.Copy`).

    originals  assignments of the rows that count
    copies     `keys_of_copied_assignments` of the shard
    """

    originals: pa.Table
    copies: pa.Array

    @classmethod
    def of_shard(cls, store: Tables, key: str) -> RepeatedRows:
        columns = [*_WHO, "pass", "layer", "copy"]
        rows = read_accepted(store, key, "assignments", columns=columns)
        return cls(assignments_that_are(Copy.ORIGINAL, rows), keys_of_copied_assignments(rows))

    def without_copies(self, rows: pa.Table) -> pa.Table:
        return without_copies(rows, self.copies)

    def n_copies(self, store: Tables, key: str, table: str) -> int:
        if not len(self.copies):
            return 0
        rows = read_accepted(store, key, table, columns=_WHO)
        return int(rows.num_rows - self.without_copies(rows).num_rows)


def count_layer(
    tally: RowTally,
    store: Tables,
    key: str,
    layer: LayerSpec,
    roles: Mapping[str, str],
    repeated: RepeatedRows,
    reference: str | None = None,
    among: Collection[str] | None = None,
) -> None:
    """Add the fate of every row of the layer in this shard to the tally.

    roles      annotator → role; humans may be left out
    reference  the human annotator selected as the layer's reference
    among      the documents that are compared, where there are others; None: all
    """
    table, place = "units", ["start_offset", "end_offset"]
    if layer.kind == "items":
        table, place = "labels", ["item"]
    rows = read_accepted(store, key, table, columns=[*_WHO, "layer", "pass", *place])
    rows = repeated.without_copies(rows_where(rows, pc.equal(rows["layer"], scalar(layer.name))))
    if layer.adaptive:
        named = with_positions_as_items(rows) if layer.kind == "positions" else rows
        counting = without_cells(named, store.read_table(layer.adaptive))
        tally.exclude(ExclusionReason.ADAPTIVE, rows.num_rows - counting.num_rows)
        rows = counting
    assignments = read_accepted(store, key, "assignments")
    assignments = rows_where(assignments, pc.equal(assignments["layer"], scalar(layer.name)))
    is_finished = are_finished(assignments)
    finished = rows_where(assignments, is_finished)
    work = group_codes(finished, _WHO)
    _, group, times = np.unique(work, return_inverse=True, return_counts=True)
    again = rows_where(finished, times[group] > 1)
    is_again = _are_by(rows, again)  # measured as test–retest agreement
    originals = repeated.originals
    serves = are_of_assignments(
        rows, rows_where(originals, pc.equal(originals["layer"], scalar(layer.name)))
    )
    if reference is not None:
        serves |= are_of_first_pass(rows) & are_by_annotators(rows, [reference])
    unfinished = rows_where(assignments, ~is_finished)
    standing = Standing.of(tally, rows, unfinished, roles, again=is_again, serves=serves)
    kept = standing.is_measurable
    rows, is_first = rows_where(rows, kept), standing.is_first[kept]
    is_again, serves = is_again[kept], serves[kept]
    retested = rows_where(rows, ~is_first & is_again)
    n_retested = int((~is_first & is_again & serves).sum())
    people = pc.unique(retested["annotator"]).to_pylist()
    tally.measure(retested.num_rows, people, 1 if people else 0, n_reference=n_retested)
    first = rows_where(rows, is_first)
    if layer.kind == "units":
        adaptive = cells_not_for_agreement(store, layer)
        _count_units(tally, first, finished, again, roles, serves[is_first], adaptive, among)
        return
    tally_measured_labels(
        tally,
        group_codes(first, ["document", *place]),
        coded_column(first["annotator"]),
        serves=serves[is_first],
        again=is_again[is_first],
        fewest=max(2, len(layer.humans)) if layer.complete else 2,
        complete=layer.complete,
    )


def _are_by(rows: pa.Table, pairs: pa.Table) -> Mask:
    """Return which rows have the document and annotator of one of the pairs."""
    return as_numpy(
        pc.is_in(join_columns(rows, _WHO), value_set=pc.unique(join_columns(pairs, _WHO)))
    )


def _count_units(
    tally: RowTally,
    units: pa.Table,
    finished: pa.Table,
    again: pa.Table,
    roles: Mapping[str, str],
    serves: Mask,
    adaptive: Collection[tuple[str, str]],
    among: Collection[str] | None,
) -> None:
    """Count the units of the first pass, document by document.

    again     columns document and annotator of those who annotated a document several times
    serves    which of the units also serve as reference
    adaptive  (document, annotator) that do not count for agreement
    """
    sizes: dict[str, dict[str, int]] = {}
    for document, annotator in _pairs(rows_where(finished, are_of_first_pass(finished))):
        is_human = roles.get(annotator, Role.HUMAN) == Role.HUMAN
        if is_human and (document, annotator) not in adaptive:
            sizes.setdefault(document, {})[annotator] = 0
    for document, annotator in _pairs(units):
        sizes[document][annotator] += 1
    serving, several = set(_pairs(rows_where(units, serves))), set(_pairs(again))
    for document, of_document in sizes.items():
        if among is not None and document not in among:
            tally.exclude(ExclusionReason.NOT_IN_BOTH, sum(of_document.values()))
            continue
        own = {name: (document, name) for name in of_document}
        tally_measured_units(
            tally,
            of_document,
            serving=[name for name, pair in own.items() if pair in serving],
            again=[name for name, pair in own.items() if pair in several],
        )


def _pairs(rows: pa.Table) -> Iterator[tuple[str, str]]:
    return zip(*(rows[name].to_pylist() for name in _WHO), strict=True)
