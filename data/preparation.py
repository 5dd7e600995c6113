"""A shard's raw rows to accepted tables and rejected rows, every row accounted for.

Rows of several sources meet here: a document read twice with the same text becomes one row, an
annotator's assignments on a document become one, and everything that breaks a rule goes to
`rejected` with its source, its place, the rule and the value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from data.rules import Checked, Declared, Rule, checked, rules_of
from data.schema import SCHEMAS, State

_STATE_ORDER = [State.NOT_ASSIGNED, State.UNFINISHED, State.FINISHED_EMPTY, State.FINISHED]
_FINISHED = pa.array([str(State.FINISHED_EMPTY), str(State.FINISHED)])
_SAME_UNIT = ["document", "layer", "annotator", "pass", "start", "end", "category", "fragments_key"]
_SAME_LABEL = ["document", "layer", "annotator", "pass", "item"]
_SAME_ASSIGNMENT = ["document", "annotator", "pass", "layer"]
UNNAMED_LAYER = {"units": "units", "labels": "labels"}  # what a layer without a name is called


@dataclass(frozen=True, slots=True)
class Prepared:
    """Accepted tables (in the schemas of `data.schema`) and the `rejected` table.

    rows_in, rows_accepted, rows_rejected   rows of exports: rows_in = rows_accepted + rows_rejected
    views      the tables that the rules saw, for `data.checks`
    checks     what each rule found in this shard (a row may break several)
    """

    tables: dict[str, pa.Table]
    rejected: pa.Table
    rows_in: int
    rows_accepted: int
    rows_rejected: int
    views: dict[str, pa.Table]
    checks: list[Checked]


def prepare(
    raw: Mapping[str, pa.Table], declared: Declared, layers: Sequence[Sequence[str]]
) -> Prepared:
    """Apply every rule to one shard.

    raw: the spilled tables of all sources with the columns `origin` (number of the source) and
    `row` besides the schema's. All rows of a document are in one shard.
    layers: of each source, the layers that it holds: an assignment of a source says something of
    these layers only. Somebody who was asked for labels has not left the units empty.
    """
    raw = {name: _with_named_layer(name, table) for name, table in raw.items()}
    documents, texts = _documents(raw["documents"])
    views: dict[str, pa.Table] = {"documents": documents}
    for name in ("assignments", "units", "labels", "relations"):
        views[name] = _view(name, raw[name], texts)
    kept: dict[str, pa.Table] = {}
    rejected = [raw["rejected"].select(SCHEMAS["rejected"].names)]
    checks: list[Checked] = []
    n_in = n_accepted = 0
    for name in ("documents", "assignments", "units", "labels", "relations"):
        rows = views[name]
        if name == "relations":
            rows = views[name] = _with_ends(rows, kept["units"])
        first_broken = np.full(rows.num_rows, -1, dtype=np.int64)
        rules = rules_of(name)
        for r, rule in enumerate(rules):
            mask = rule.broken(rows, declared)
            checks += checked(rule, rows, mask, declared)
            first_broken[(first_broken < 0) & mask] = r
        kept[name] = rows.filter(pa.array(first_broken < 0))
        rejected.append(_refused(name, rows, first_broken, rules))
        n_in += rows.num_rows
        n_accepted += kept[name].num_rows
    tables = {
        "documents": _merged_documents(kept["documents"]),
        "units": kept["units"].select(SCHEMAS["units"].names),
        "labels": kept["labels"].select(SCHEMAS["labels"].names),
        "relations": kept["relations"].select(SCHEMAS["relations"].names),
    }
    tables["assignments"] = _assignments(kept["assignments"], tables, layers)
    tables["documents"] = _with_unseen_documents(tables["documents"], tables["assignments"])
    refused = pa.concat_tables(rejected)
    return Prepared(
        tables=tables,
        rejected=refused,
        rows_in=n_in + raw["rejected"].num_rows,
        rows_accepted=n_accepted,
        rows_rejected=refused.num_rows,
        views=views,
        checks=checks,
    )


def _with_named_layer(name: str, rows: pa.Table) -> pa.Table:
    if name not in UNNAMED_LAYER:
        return rows
    named = pc.if_else(pc.equal(rows["layer"], ""), UNNAMED_LAYER[name], rows["layer"])
    return rows.set_column(rows.column_names.index("layer"), "layer", named)


def _documents(rows: pa.Table) -> tuple[pa.Table, pa.Table]:
    """Mark rows whose text is not the document's; the document's text is the first one given."""
    rows = rows.sort_by([("document", "ascending"), ("origin", "ascending"), ("row", "ascending")])
    with_text = rows.filter(pc.not_equal(rows["sha256"], ""))
    first = with_text.group_by("document", use_threads=False).aggregate(
        [("sha256", "first"), ("length", "first")]
    )
    index = pc.index_in(rows["document"], value_set=first["document"].combine_chunks())
    expected = first["sha256_first"].combine_chunks().take(index.combine_chunks())
    differs = pc.fill_null(
        pc.and_(pc.not_equal(rows["sha256"], ""), pc.not_equal(rows["sha256"], expected)), False
    )
    rows = rows.append_column("text_differs", differs)
    texts = pa.table(
        {
            "document": rows["document"],
            "origin": rows["origin"],
            "length": pc.if_else(
                pc.less(rows["length"], 0), pa.scalar(None, pa.int64()), rows["length"]
            ),
            "text_differs": rows["text_differs"],
        }
    )
    return rows, texts


def _view(name: str, rows: pa.Table, texts: pa.Table) -> pa.Table:
    """The table with the columns that its rules look at."""
    if name == "units":
        rows = rows.append_column("fragments_key", _as_text(rows["fragments"]))
        rows = rows.append_column(
            "offsets",
            pc.binary_join_element_wise(
                pc.cast(rows["start"], pa.string()), pc.cast(rows["end"], pa.string()), "–"
            ),
        )
        agreeing = texts.filter(pc.invert(texts["text_differs"]))
        lengths = agreeing.group_by("document", use_threads=False).aggregate([("length", "max")])
        found = pc.index_in(rows["document"], value_set=lengths["document"].combine_chunks())
        rows = rows.append_column(
            "document_length", lengths["length_max"].combine_chunks().take(found.combine_chunks())
        )
        key = _pair_key(rows["document"], rows["origin"])
        conflicts = texts.filter(texts["text_differs"])
        bad = pc.unique(_pair_key(conflicts["document"], conflicts["origin"]))
        rows = rows.append_column("text_differs", pc.is_in(key, value_set=bad))
        return rows.append_column("occurrence", _occurrence(rows, _SAME_UNIT))
    if name == "labels":
        rows = rows.append_column("category", pc.binary_join(rows["labels"], " + "))
        return rows.append_column("occurrence", _occurrence(rows, _SAME_LABEL))
    return rows


def _with_ends(relations: pa.Table, units: pa.Table) -> pa.Table:
    def key(table: pa.Table, unit: str) -> pa.ChunkedArray:
        names = [pc.cast(table[c], pa.string()) for c in ("document", "annotator", "pass", unit)]
        return pc.binary_join_element_wise(*names, "\x1f")

    known = pc.unique(key(units, "unit"))
    for column, unit in (("from_known", "from_unit"), ("to_known", "to_unit")):
        relations = relations.append_column(column, pc.is_in(key(relations, unit), value_set=known))
    return relations.append_column(
        "ends", pc.binary_join_element_wise(relations["from_unit"], relations["to_unit"], " → ")
    )


def _pair_key(document: pa.ChunkedArray, origin: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.binary_join_element_wise(document, pc.cast(origin, pa.string()), "\x1f")


def _as_text(lists: pa.ChunkedArray) -> pa.Array:
    if pc.max(pc.list_value_length(lists)).as_py() in (None, 0):
        return pa.array([""] * len(lists), pa.string())
    return pa.array([str(value or "") for value in lists.to_pylist()], pa.string())


def _occurrence(rows: pa.Table, columns: list[str]) -> pa.Array:
    """1 for the first row with these values (by source, then as read), 2 for the second …"""
    if not rows.num_rows:
        return pa.array([], pa.int64())
    keys = [rows[name].combine_chunks().dictionary_encode().indices for name in columns]
    codes = np.stack([np.asarray(k.fill_null(-1)) for k in keys])
    order = np.lexsort((rows["row"].to_numpy(), rows["origin"].to_numpy(), *codes))
    same = np.all(codes[:, order][:, 1:] == codes[:, order][:, :-1], axis=0)
    starts = np.concatenate(([0], np.nonzero(~same)[0] + 1))
    rank = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order)))) + 1
    occurrence = np.empty(len(order), dtype=np.int64)
    occurrence[order] = rank
    return pa.array(occurrence)


def _refused(
    name: str, rows: pa.Table, first_broken: NDArray[np.int64], rules: tuple[Rule, ...]
) -> pa.Table:
    parts = []
    for r, rule in enumerate(rules):
        bad = rows.filter(pa.array(first_broken == r))
        n = bad.num_rows
        if not n:
            continue
        value = pc.cast(bad[rule.column], pa.string())
        message = pc.binary_join_element_wise(f"{rule.problem} (", value, f"): {rule.advice}", "")
        empty = pa.array([""] * n, pa.string())
        parts.append(
            pa.table(
                {
                    "source": bad["source"],
                    "where": bad["where"] if "where" in bad.column_names else empty,
                    "rule": pa.array([rule.name] * n, pa.string()),
                    "value": value,
                    "message": message,
                    "table": pa.array([name] * n, pa.string()),
                    "document": bad["document"],
                    "annotator": bad["annotator"] if "annotator" in bad.column_names else empty,
                },
                schema=SCHEMAS["rejected"],
            )
        )
    return pa.concat_tables(parts) if parts else SCHEMAS["rejected"].empty_table()


def _merged_documents(rows: pa.Table) -> pa.Table:
    """One row a document: the first row's values, the first text, length and batch known."""
    names = SCHEMAS["documents"].names
    rows = rows.append_column("has_text", pc.cast(pc.is_valid(rows["text"]), pa.int8()))
    rows = rows.append_column("has_length", pc.cast(pc.greater_equal(rows["length"], 0), pa.int8()))
    rows = rows.sort_by(
        [
            ("document", "ascending"),
            ("has_text", "descending"),
            ("has_length", "descending"),
            ("origin", "ascending"),
            ("row", "ascending"),
        ]
    )
    merged = _first_of(rows, ["document"]).select(names)
    in_batch = rows.filter(pc.not_equal(rows["batch"], ""))
    in_batch = _first_of(in_batch, ["document"])
    place = pc.index_in(merged["document"], value_set=in_batch["document"].combine_chunks())
    batch = pc.fill_null(in_batch["batch"].combine_chunks().take(place.combine_chunks()), "")
    return merged.set_column(names.index("batch"), "batch", batch)


def _first_of(rows: pa.Table, columns: list[str]) -> pa.Table:
    if not rows.num_rows:
        return rows
    same = np.ones(rows.num_rows - 1, dtype=np.bool_)
    for name in columns:
        values = np.asarray(rows[name].combine_chunks().dictionary_encode().indices)
        same &= values[1:] == values[:-1]
    return rows.filter(pa.array(np.concatenate(([True], ~same))))


def _assignments(
    rows: pa.Table, tables: Mapping[str, pa.Table], layers: Sequence[Sequence[str]]
) -> pa.Table:
    """One row per document, annotator, pass and layer: the furthest state that any export knows.

    Who has a unit or a label without an assignment row has one, finished: the export only knows
    what was annotated. Who finished and has nothing in the layer left it empty.
    """
    names = SCHEMAS["assignments"].names
    order = pc.index_in(rows["state"], value_set=pa.array([str(s) for s in _STATE_ORDER]))
    rows = rows.append_column("state_order", pc.cast(order, pa.int64()))
    rows = _one_row_a_layer(rows, layers).select([*names, "origin", "row", "state_order"])
    seen = []
    for name in ("units", "labels"):
        who = (
            tables[name]
            .group_by(_SAME_ASSIGNMENT, use_threads=False)
            .aggregate([("source", "first")])
        )
        n = who.num_rows
        seen.append(
            pa.table(
                {
                    **{column: who[column] for column in _SAME_ASSIGNMENT},
                    "role": pa.nulls(n, pa.string()),
                    "state": pa.array([str(State.FINISHED)] * n, pa.string()),
                    "source": who["source_first"],
                    "time": pa.array([""] * n, pa.string()),
                    "origin": pa.array(np.full(n, len(layers)), pa.int32()),
                    "row": pa.array(np.zeros(n, dtype=np.int64)),
                    "state_order": pa.array(np.full(n, -1, dtype=np.int64)),
                }
            )
            .select(rows.column_names)
            .cast(rows.schema)
        )
    annotated = pc.unique(_key(pa.concat_tables(seen)))
    rows = pa.concat_tables([rows, *seen]).sort_by(
        [
            *((name, "ascending") for name in _SAME_ASSIGNMENT),
            ("state_order", "descending"),
            ("origin", "ascending"),
            ("row", "ascending"),
        ]
    )
    merged = _first_of(rows, _SAME_ASSIGNMENT)
    is_finished = pc.is_in(merged["state"], value_set=_FINISHED)
    has_rows = pc.is_in(_key(merged), value_set=annotated)
    finished = pc.if_else(has_rows, str(State.FINISHED), str(State.FINISHED_EMPTY))
    state = pc.if_else(is_finished, finished, merged["state"])
    return merged.set_column(names.index("state"), "state", state).select(names)


def _one_row_a_layer(rows: pa.Table, layers: Sequence[Sequence[str]]) -> pa.Table:
    """An assignment without a layer speaks of every layer of its source."""
    parts = [rows.filter(pc.not_equal(rows["layer"], ""))]
    unspecific = rows.filter(pc.equal(rows["layer"], ""))
    for origin, held in enumerate(layers):
        of_source = unspecific.filter(pc.equal(unspecific["origin"], origin))
        for layer in held or [""]:
            column = pa.array([layer] * of_source.num_rows, pa.string())
            parts.append(of_source.set_column(rows.column_names.index("layer"), "layer", column))
    return pa.concat_tables(parts)


def _key(rows: pa.Table) -> pa.ChunkedArray:
    values = [pc.cast(rows[name], pa.string()) for name in _SAME_ASSIGNMENT]
    return pc.binary_join_element_wise(*values, "\x1f")


def _with_unseen_documents(documents: pa.Table, assignments: pa.Table) -> pa.Table:
    """A row without a length for documents that only annotations mention."""
    mentioned = pc.unique(assignments["document"])
    unseen = mentioned.filter(
        pc.invert(pc.is_in(mentioned, value_set=documents["document"].combine_chunks()))
    )
    n = len(unseen)
    if not n:
        return documents
    text = pa.array([""] * n, pa.string())
    extra = pa.table(
        {
            "document": unseen,
            "length": pa.array(np.full(n, -1, dtype=np.int64)),
            "offset_unit": pa.array(["char"] * n, pa.string()),
            "batch": text,
            "source": text,
            "sha256": text,
            "text": pa.nulls(n, pa.string()),
        },
        schema=SCHEMAS["documents"],
    )
    return pa.concat_tables([documents, extra]).sort_by("document")
