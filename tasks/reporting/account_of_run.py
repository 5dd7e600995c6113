"""The account of a run's rows: the fate of every label, unit and relation of the exports."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from ...data.columns import as_numpy, coded_column, group_codes, rows_where
from ...data.row_account import RowAccount, RowTally
from ...data.schema import FINISHED_STATES, Copy, ExclusionReason, Role
from ...data.store.store import Store
from ...data.validation.fates import (
    Standing,
    are_by_annotators,
    are_of_assignments,
    are_of_first_pass,
    first_pass_only,
    humans_only,
    tally_measured_labels,
    tally_measured_units,
)
from ...data.validation.preparation import (
    assignments_that_are,
    keys_of_copied_assignments,
    records_of_files,
    without_copies,
)
from ...data.validation.rule_views import join_columns
from ...data.validation.rules import Mask
from ...reports.results import RelationAgreement
from ..annotation_rounds import cells_not_for_agreement, without_cells
from ..intake.accepted import read_accepted
from ..intake.shards import ShardFacts
from ..layers import LayerSpec, with_positions_as_items

UNNAMED_RELATIONS = "relations"
_WHO = ["document", "annotator"]


def account_of_run(
    store: Store,
    shards: Sequence[ShardFacts],
    layers: Sequence[LayerSpec],
    relations: Sequence[RelationAgreement],
    roles: Mapping[str, str],
    references: Mapping[str, str],
) -> RowAccount:
    """Count every accepted, rejected and excluded row of the shards by fate.

    layers      measured layers
    relations   results of measured layers of relations, by the layers' names
    roles       annotator → role
    references  layer → the human annotator selected as its reference
    """
    tally = RowTally(per="document" if any(one.kind == "units" for one in layers) else "item")
    n_relations = 0
    for shard in shards:
        key = shard.key
        for reason, n in shard.rows_excluded.items():
            tally.exclude(reason, n)
        repeated = _Repeated.of_shard(store, key)
        rejected = read_accepted(store, key, "rejected", columns=["rule", "table_name", *_WHO])
        rejected = records_of_files(repeated.without_copies(rejected))
        rules = rejected["rule"].combine_chunks()
        for entry in pc.value_counts(rules).to_pylist():
            tally.reject(entry["values"], entry["counts"])
        tally.n_read += sum(shard.rows_excluded.values()) + len(rules)
        for table in ("units", "labels", "relations"):
            tally.n_read += shard.n_by_table[table] - repeated.n_copies(store, key, table)
        for layer in layers:
            _count_layer(tally, store, key, layer, roles, repeated, references.get(layer.name))
        n_relations += _count_relations(tally, store, key, relations, roles, repeated)
    used = sum(one.n_relations - one.n_left_out for one in relations)
    tally.measure(used, (), 0)
    tally.exclude(ExclusionReason.NOT_PAIRED, n_relations - used)
    return tally.account()


@dataclass(frozen=True, slots=True)
class _Repeated:
    """Rows of a shard that were read a second time as a reference (`data.schema.Copy`).

    originals  assignments of the rows that count
    copies     `keys_of_copied_assignments` of the shard
    """

    originals: pa.Table
    copies: pa.Array

    @classmethod
    def of_shard(cls, store: Store, key: str) -> _Repeated:
        columns = [*_WHO, "pass", "layer", "copy"]
        rows = read_accepted(store, key, "assignments", columns=columns)
        return cls(assignments_that_are(Copy.ORIGINAL, rows), keys_of_copied_assignments(rows))

    def without_copies(self, rows: pa.Table) -> pa.Table:
        return without_copies(rows, self.copies)

    def n_copies(self, store: Store, key: str, table: str) -> int:
        if not len(self.copies):
            return 0
        rows = read_accepted(store, key, table, columns=_WHO)
        return int(rows.num_rows - self.without_copies(rows).num_rows)


def _count_layer(
    tally: RowTally,
    store: Store,
    key: str,
    layer: LayerSpec,
    roles: Mapping[str, str],
    repeated: _Repeated,
    reference: str | None,
) -> None:
    table, place = "units", ["start_offset", "end_offset"]
    if layer.kind == "items":
        table, place = "labels", ["item"]
    rows = read_accepted(store, key, table, columns=[*_WHO, "layer", "pass", *place])
    rows = repeated.without_copies(rows_where(rows, pc.equal(rows["layer"], layer.name)))
    if layer.adaptive:
        named = with_positions_as_items(rows) if layer.kind == "positions" else rows
        counting = without_cells(named, store.read_table(layer.adaptive))
        tally.exclude(ExclusionReason.ADAPTIVE, rows.num_rows - counting.num_rows)
        rows = counting
    assignments = read_accepted(store, key, "assignments")
    assignments = assignments.filter(pc.equal(assignments["layer"], layer.name))
    is_finished = pc.is_in(assignments["state"], value_set=pa.array(FINISHED_STATES))
    finished = assignments.filter(is_finished)
    again = finished.group_by(_WHO).aggregate([([], "count_all")])
    again = again.filter(pc.greater(again["count_all"], 1))
    is_again = _are_by(rows, again)  # measured as test–retest agreement
    originals = repeated.originals
    serves = are_of_assignments(rows, originals.filter(pc.equal(originals["layer"], layer.name)))
    if reference is not None:
        serves |= are_of_first_pass(rows) & are_by_annotators(rows, [reference])
    unfinished = assignments.filter(pc.invert(is_finished))
    standing = Standing.of(tally, rows, unfinished, roles, again=is_again, serves=serves)
    kept = standing.is_measurable
    rows, is_first = rows_where(rows, kept), standing.is_first[kept]
    is_again, serves = is_again[kept], serves[kept]
    retested = rows.filter(pa.array(~is_first & is_again))
    n_retested = int((~is_first & is_again & serves).sum())
    people = pc.unique(retested["annotator"]).to_pylist()
    tally.measure(retested.num_rows, people, 1 if people else 0, n_reference=n_retested)
    first = rows_where(rows, is_first)
    if layer.kind == "units":
        adaptive = cells_not_for_agreement(store, layer)
        _count_units(tally, first, finished, again, roles, serves[is_first], adaptive)
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
) -> None:
    """Count the units of the first pass, document by document.

    again     columns document and annotator of those who annotated a document several times
    serves    which of the units also serve as reference
    adaptive  (document, annotator) that do not count for agreement
    """
    sizes: dict[str, dict[str, int]] = {}
    for document, annotator in _pairs(finished.filter(pa.array(are_of_first_pass(finished)))):
        is_human = roles.get(annotator, Role.HUMAN) == Role.HUMAN
        if is_human and (document, annotator) not in adaptive:
            sizes.setdefault(document, {})[annotator] = 0
    for document, annotator in _pairs(units):
        sizes[document][annotator] += 1
    serving, several = set(_pairs(units.filter(pa.array(serves)))), set(_pairs(again))
    for document, of_document in sizes.items():
        own = {name: (document, name) for name in of_document}
        tally_measured_units(
            tally,
            of_document,
            serving=[name for name, pair in own.items() if pair in serving],
            again=[name for name, pair in own.items() if pair in several],
        )


def _pairs(rows: pa.Table) -> Iterator[tuple[str, str]]:
    return zip(*(rows[name].to_pylist() for name in _WHO), strict=True)


def _count_relations(
    tally: RowTally,
    store: Store,
    key: str,
    relations: Sequence[RelationAgreement],
    roles: Mapping[str, str],
    repeated: _Repeated,
) -> int:
    """Count human relations of the first pass in a measured layer; add the others' fates."""
    rows = read_accepted(store, key, "relations", columns=["layer", "pass", *_WHO])
    rows = repeated.without_copies(rows)
    is_human = humans_only(tally, rows, roles)
    measured = {one.layer for one in relations}
    stored = pa.array([*measured, *([""] if UNNAMED_RELATIONS in measured else [])], pa.string())
    is_measured = is_human & as_numpy(pc.is_in(rows["layer"], value_set=stored))
    tally.exclude(ExclusionReason.SINGLE_ANNOTATOR, int((is_human & ~is_measured).sum()))
    return int((is_measured & first_pass_only(tally, rows, is_measured)).sum())
