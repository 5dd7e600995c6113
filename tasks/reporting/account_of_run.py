"""The account of a run's rows: the fate of every label, unit and relation of the exports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from ...data.arrow_columns import as_numpy, rows_where
from ...data.row_account import RowAccount, RowTally
from ...data.schema import ExclusionReason
from ...data.store.store import Store
from ...data.validation.accepted import are_copies, keys_of_copied_assignments, records_of_files
from ...data.validation.fates import (
    first_pass_only,
    humans_only,
)
from ...reports.results import RelationAgreement
from ..intake.accepted import read_accepted_rows
from ..intake.shards import ShardFacts
from ..layer_rows import LayerRows
from ..layers import LayerSpec

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
        rejected = read_accepted_rows(store, key, "rejected", columns=["rule", "table_name", *_WHO])
        rejected = records_of_files(repeated.without_copies(rejected))
        rules = rejected["rule"].combine_chunks()
        for entry in pc.value_counts(rules).to_pylist():
            tally.reject(entry["values"], entry["counts"])
        tally.n_read += sum(shard.rows_excluded.values()) + len(rules)
        for table in ("units", "labels", "relations"):
            tally.n_read += shard.n_by_table[table] - repeated.n_copies(store, key, table)
        for layer in layers:
            LayerRows.of(store, key, layer).count(tally, roles, references.get(layer.name))
        n_relations += _count_relations(tally, store, key, relations, roles, repeated)
    used = sum(one.n_relations - one.n_left_out for one in relations)
    tally.measure(used, (), 0)
    tally.exclude(ExclusionReason.NOT_PAIRED, n_relations - used)
    return tally.account()


@dataclass(frozen=True, slots=True)
class _Repeated:
    """Rows of a shard that were read a second time as a reference (`data.schema.Copy`).

    copies     `keys_of_copied_assignments` of the shard
    """

    copies: pa.Array

    @classmethod
    def of_shard(cls, store: Store, key: str) -> _Repeated:
        rows = read_accepted_rows(store, key, "assignments", columns=[*_WHO, "copy"])
        return cls(keys_of_copied_assignments(rows))

    def without_copies(self, rows: pa.Table) -> pa.Table:
        return rows_where(rows, ~are_copies(rows, self.copies))

    def n_copies(self, store: Store, key: str, table: str) -> int:
        if not len(self.copies):
            return 0
        rows = read_accepted_rows(store, key, table, columns=_WHO)
        return int(are_copies(rows, self.copies).sum())


def _count_relations(
    tally: RowTally,
    store: Store,
    key: str,
    relations: Sequence[RelationAgreement],
    roles: Mapping[str, str],
    repeated: _Repeated,
) -> int:
    """Count human relations of the first pass in a measured layer; add the others' fates."""
    rows = read_accepted_rows(store, key, "relations", columns=["layer", "pass", *_WHO])
    rows = repeated.without_copies(rows)
    is_human = humans_only(tally, rows, roles)
    measured = {one.layer for one in relations}
    stored = pa.array([*measured, *([""] if UNNAMED_RELATIONS in measured else [])], pa.string())
    is_measured = is_human & as_numpy(pc.is_in(rows["layer"], value_set=stored))
    tally.exclude(ExclusionReason.SINGLE_ANNOTATOR, int((is_human & ~is_measured).sum()))
    return int((is_measured & first_pass_only(tally, rows, is_measured)).sum())
