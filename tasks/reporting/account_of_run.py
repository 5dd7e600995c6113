"""The account of a run's rows: the fate of every label, unit and relation of the exports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
        assignments = store.accepted_rows(key, "assignments", columns=[*_WHO, "copy"])
        copies = keys_of_copied_assignments(assignments)
        rejected = store.accepted_rows(key, "rejected", columns=["rule", "table_name", *_WHO])
        rejected = records_of_files(rows_where(rejected, ~are_copies(rejected, copies)))
        rules = rejected["rule"].combine_chunks()
        for entry in pc.value_counts(rules).to_pylist():
            tally.reject(entry["values"], entry["counts"])
        tally.n_read += sum(shard.rows_excluded.values()) + len(rules)
        for table in ("units", "labels", "relations"):
            tally.n_read += shard.n_by_table[table] - _n_copies(store, key, table, copies)
        for layer in layers:
            LayerRows(store, key, layer).count(tally, roles, references.get(layer.name))
        n_relations += _count_relations(tally, store, key, relations, roles, copies)
    used = sum(one.n_relations - one.n_left_out for one in relations)
    tally.measure(used, (), 0)
    tally.exclude(ExclusionReason.NOT_PAIRED, n_relations - used)
    return tally.account()


def _n_copies(store: Store, key: str, table: str, copies: pa.Array) -> int:
    if not len(copies):
        return 0
    return int(are_copies(store.accepted_rows(key, table, columns=_WHO), copies).sum())


def _count_relations(
    tally: RowTally,
    store: Store,
    key: str,
    relations: Sequence[RelationAgreement],
    roles: Mapping[str, str],
    copies: pa.Array,
) -> int:
    """Count human relations of the first pass in a measured layer; add the others' fates."""
    rows = store.accepted_rows(key, "relations", columns=["layer", "pass", *_WHO])
    rows = rows_where(rows, ~are_copies(rows, copies))
    is_human = humans_only(tally, rows, roles)
    measured = {one.layer for one in relations}
    stored = pa.array([*measured, *([""] if UNNAMED_RELATIONS in measured else [])], pa.string())
    is_measured = is_human & as_numpy(pc.is_in(rows["layer"], value_set=stored))
    tally.exclude(ExclusionReason.SINGLE_ANNOTATOR, int((is_human & ~is_measured).sum()))
    return int((is_measured & first_pass_only(tally, rows, is_measured)).sum())
