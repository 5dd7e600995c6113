"""The account of a run's rows: the fate of every label, unit and relation of the exports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ...data.row_account import RowAccount, RowTally
from ...data.schema import Copy, ExclusionReason, Role
from ...data.store.store import Store
from ...data.validation.preparation import (
    assignments_that_are,
    keys_of_copies,
    records_of_files,
    without_copies,
)
from ...reports.results import RelationAgreement
from ..annotation_rounds import adaptive_documents, without_adaptive
from ..intake.accepted import read_accepted
from ..intake.shards import ShardFacts
from ..layers import FIRST_PASS, LayerSpec, finished_passes, with_positions

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

    originals  (document, annotator, pass, layer) of the rows that count
    copies     `keys_of_copies` of the shard
    """

    originals: frozenset[tuple[str, str, int, str]]
    copies: pa.Array

    @classmethod
    def of_shard(cls, store: Store, key: str) -> _Repeated:
        columns = [*_WHO, "pass", "layer", "copy"]
        rows = read_accepted(store, key, "assignments", columns=columns)
        originals = assignments_that_are(Copy.ORIGINAL, rows).drop_columns("copy")
        return cls(
            frozenset(tuple(row.values()) for row in originals.to_pylist()), keys_of_copies(rows)
        )

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
    rows = read_accepted(store, key, "labels" if layer.kind == "items" else "units")
    rows = repeated.without_copies(rows.filter(pc.equal(rows["layer"], layer.name)))
    if layer.adaptive:
        named = with_positions(rows) if layer.kind == "positions" else rows
        counting = without_adaptive(named, store.read_table(layer.adaptive))
        tally.exclude(ExclusionReason.ADAPTIVE, rows.num_rows - counting.num_rows)
        rows = counting
    finished = set(finished_passes(store, key, layer.name))
    passes: dict[tuple[str, str], int] = {}
    for document, annotator, _ in finished:
        passes[document, annotator] = passes.get((document, annotator), 0) + 1
    together: dict[str, set[str]] = {}
    adaptive = adaptive_documents(store, layer) if layer.kind == "units" else ()
    for document, annotator, pass_ in finished:
        human = pass_ == FIRST_PASS and roles.get(annotator) == Role.HUMAN
        if human and (document, annotator) not in adaptive:
            together.setdefault(document, set()).add(annotator)
    if layer.kind == "units":
        for people in together.values():
            if len(people) > 1:
                tally.measure(0, people, len(people))
    labels_per_item = _labels_per_item(rows, layer, finished, roles)
    not_compared = (
        ExclusionReason.INCOMPLETE_ITEM if layer.complete else ExclusionReason.SINGLE_ANNOTATOR
    )
    for (pass_, document, annotator), n in _counts(rows).items():
        role = roles.get(annotator, Role.HUMAN)
        is_repeated = passes.get((document, annotator), 0) > 1
        serves = (document, annotator, pass_, layer.name) in repeated.originals or (
            annotator == reference and pass_ == FIRST_PASS
        )
        n_reference = n if serves else 0
        if role != Role.HUMAN:
            tally.set_apart(role, n)
        elif (document, annotator, pass_) not in finished:
            tally.exclude(ExclusionReason.UNFINISHED, n)
        elif is_repeated:  # measured as test–retest agreement
            tally.measure(n, [annotator], 1, n_reference=n_reference)
        elif pass_ != FIRST_PASS:
            tally.exclude(ExclusionReason.LATER_PASS, n, n_reference=n_reference)
        elif layer.kind == "units":
            if len(together[document]) > 1:
                tally.measure(n, (), 0, n_reference=n_reference)
            else:
                tally.exclude(ExclusionReason.SINGLE_ANNOTATOR, n, n_reference=n_reference)
        else:
            n_left_out, most = labels_per_item[document, annotator]
            only = n_left_out if serves else 0
            tally.exclude(not_compared, n_left_out, n_reference=only)
            if n > n_left_out:
                tally.measure(n - n_left_out, [annotator], most, n_reference=n_reference - only)


def _counts(rows: pa.Table) -> dict[tuple[int, str, str], int]:
    found = rows.group_by(["pass", "document", "annotator"]).aggregate([([], "count_all")])
    return {
        (row["pass"], row["document"], row["annotator"]): row["count_all"]
        for row in found.to_pylist()
    }


def _labels_per_item(
    rows: pa.Table,
    layer: LayerSpec,
    finished: set[tuple[str, str, int]],
    roles: Mapping[str, str],
) -> dict[tuple[str, str], tuple[int, int]]:
    """Map (document, annotator) to the labels on items with too few, and the most of an item."""
    if layer.kind == "units":
        return {}
    fewest = max(2, len(layer.humans)) if layer.complete else 2
    place = ["item"] if layer.kind == "items" else ["start_offset", "end_offset"]
    columns = ["document", "annotator", "pass", *place]
    of_item: dict[tuple[Any, ...], list[str]] = {}
    for row in rows.select(columns).to_pylist():
        who = row["document"], row["annotator"], row["pass"]
        if who in finished and row["pass"] == FIRST_PASS and roles.get(who[1]) == Role.HUMAN:
            item = (row["document"], *(row[name] for name in place))
            of_item.setdefault(item, []).append(row["annotator"])
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for (document, *_), people in of_item.items():
        for annotator in people:
            n_left_out, most = found.get((document, annotator), (0, 0))
            is_left_out = len(people) < fewest
            found[document, annotator] = (n_left_out + is_left_out, max(most, len(people)))
    return found


def _count_relations(
    tally: RowTally,
    store: Store,
    key: str,
    relations: Sequence[RelationAgreement],
    roles: Mapping[str, str],
    repeated: _Repeated,
) -> int:
    """Count human relations of the first pass in a measured layer; add the others' fates."""
    measured = {one.layer for one in relations}
    rows = read_accepted(store, key, "relations", columns=["layer", "pass", *_WHO])
    rows = repeated.without_copies(rows)
    found = rows.group_by(["layer", "pass", "annotator"]).aggregate([([], "count_all")])
    n_measured = 0
    for row in found.to_pylist():
        n, role = row["count_all"], roles.get(row["annotator"], Role.HUMAN)
        if role != Role.HUMAN:
            tally.set_apart(role, n)
        elif (row["layer"] or UNNAMED_RELATIONS) not in measured:
            tally.exclude(ExclusionReason.SINGLE_ANNOTATOR, n)
        elif row["pass"] != FIRST_PASS:
            tally.exclude(ExclusionReason.LATER_PASS, n)
        else:
            n_measured += n
    return n_measured
