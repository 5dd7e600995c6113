"""The account of a run's rows: what became of every label, unit and relation of the exports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from data.account import RowAccount, RowTally
from data.schema import ExclusionReason, Role
from data.store.store import Store
from reports.results import RelationAgreement
from tasks.layers import FIRST_PASS, LayerSpec, accepted, finished_passes

UNNAMED_RELATIONS = "relations"


def account_of_run(
    store: Store,
    shards: Sequence[Mapping[str, Any]],
    layers: Sequence[LayerSpec],
    relations: Sequence[RelationAgreement],
    roles: Mapping[str, str],
) -> RowAccount:
    """Every accepted, rejected and excluded row of the shards by fate.

    layers     what was measured; `relations` its results, by the layers' names
    roles      annotator → role
    """
    tally = RowTally(per="document" if any(one.kind == "units" for one in layers) else "item")
    n_relations = 0
    for shard in shards:
        key = shard["key"]
        for reason, n in shard["rows_excluded"].items():
            tally.exclude(reason, n)
        rules = accepted(store, key, "rejected", columns=["rule"])["rule"].combine_chunks()
        for entry in pc.value_counts(rules).to_pylist():
            tally.reject(entry["values"], entry["counts"])
        tally.n_read += sum(shard["rows_excluded"].values()) + len(rules)
        tally.n_read += shard["n_units"] + shard["n_labels"] + shard["n_relations"]
        for layer in layers:
            table = "labels" if layer.kind == "items" else "units"
            _count_layer(tally, store, key, layer, table, roles)
        n_relations += _count_relations(tally, store, key, relations, roles)
    used = sum(one.n_relations - one.n_left_out for one in relations)
    tally.measure(used, (), 0)
    tally.exclude(ExclusionReason.NOT_PAIRED, n_relations - used)
    return tally.account()


def _count_layer(
    tally: RowTally,
    store: Store,
    key: str,
    layer: LayerSpec,
    table: str,
    roles: Mapping[str, str],
) -> None:
    rows = accepted(store, key, table)
    rows = rows.filter(pc.equal(rows["layer"], layer.name))
    finished = set(finished_passes(store, key, layer.name))
    passes: dict[tuple[str, str], int] = {}
    for document, annotator, _ in finished:
        passes[document, annotator] = passes.get((document, annotator), 0) + 1
    together: dict[str, set[str]] = {}
    for document, annotator, pass_ in finished:
        if pass_ == FIRST_PASS and roles.get(annotator) == Role.HUMAN:
            together.setdefault(document, set()).add(annotator)
    if layer.kind == "units":
        for people in together.values():
            if len(people) > 1:
                tally.measure(0, people, len(people))
    labels_per_item = _labels_per_item(rows, layer, finished, roles)
    for (pass_, document, annotator), n in _counts(rows).items():
        role = roles.get(annotator, Role.HUMAN)
        is_repeated = passes.get((document, annotator), 0) > 1
        if role != Role.HUMAN:
            tally.set_apart(role, n)
        elif (document, annotator, pass_) not in finished:
            tally.exclude(ExclusionReason.UNFINISHED, n)
        elif is_repeated:  # measured by test–retest agreement
            tally.measure(n, [annotator], 1)
        elif pass_ != FIRST_PASS:
            tally.exclude(ExclusionReason.LATER_PASS, n)
        elif layer.kind == "units":
            if len(together[document]) > 1:
                tally.measure(n, (), 0)
            else:
                tally.exclude(ExclusionReason.SINGLE_ANNOTATOR, n)
        else:
            single, most = labels_per_item[document, annotator]
            tally.exclude(ExclusionReason.SINGLE_ANNOTATOR, single)
            if n > single:
                tally.measure(n - single, [annotator], most)


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
    """(document, annotator) → labels alone on their item, and the most labels an item has."""
    if layer.kind == "units":
        return {}
    place = ["item"] if layer.kind == "items" else ["start", "end"]
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
            single, most = found.get((document, annotator), (0, 0))
            alone = len(people) == 1
            found[document, annotator] = (single + alone, max(most, len(people)))
    return found


def _count_relations(
    tally: RowTally,
    store: Store,
    key: str,
    relations: Sequence[RelationAgreement],
    roles: Mapping[str, str],
) -> int:
    """The relations of humans in a measured layer and first pass; the others get their fate."""
    measured = {one.layer for one in relations}
    rows = accepted(store, key, "relations", columns=["layer", "pass", "document", "annotator"])
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
