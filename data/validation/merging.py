"""Merge accepted rows of several sources: one per document; one per annotator, layer and pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..schema import FINISHED_STATES, SCHEMAS, Role, State

_STATE_ORDER = [State.NOT_ASSIGNED, State.UNFINISHED, State.FINISHED_EMPTY, State.FINISHED]
OF_WORK = pa.array(["", "units", "labels"])  # tables whose rejected rows were annotations
_WHO_AND_WHERE = ["document", "annotator"]
_SAME_ASSIGNMENT = ["document", "annotator", "pass", "layer"]


def merged_documents(rows: pa.Table) -> pa.Table:
    """Merge to one row per document: the first row, with the first text, length and batch known."""
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
    merged = _first_row_of_each(rows, ["document"]).select(names)
    in_batch = rows.filter(pc.not_equal(rows["batch"], ""))
    in_batch = _first_row_of_each(in_batch, ["document"])
    place = pc.index_in(merged["document"], value_set=in_batch["document"].combine_chunks())
    batch = pc.fill_null(in_batch["batch"].combine_chunks().take(place.combine_chunks()), "")
    return merged.set_column(names.index("batch"), "batch", batch)


def with_unseen_documents(documents: pa.Table, assignments: pa.Table) -> pa.Table:
    """Add a row without length for documents that occur only in annotations."""
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


def merged_assignments(
    rows: pa.Table,
    tables: Mapping[str, pa.Table],
    layers: Sequence[Sequence[str]],
    rejected: pa.Table,
) -> pa.Table:
    """Merge to one row per document, annotator, pass and layer, with the furthest state.

    A unit or label without an assignment gets a finished assignment, because its export states only
    what was annotated. An annotator who finished and has no rows in the layer left it empty. If all
    units and labels of a document were `rejected`, the annotator annotated something that cannot be
    compared, so the document is unfinished; for a system it counts as missed in full.
    """
    names = SCHEMAS["assignments"].names
    order = pc.index_in(rows["state"], value_set=pa.array([str(s) for s in _STATE_ORDER]))
    rows = rows.append_column("state_order", pc.cast(order, pa.int64()))
    rows = _one_row_per_layer(rows, layers).select([*names, "origin", "row", "state_order"])
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
                    "copy": pa.array([""] * n, pa.string()),
                    "seconds": pa.array([""] * n, pa.string()),
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
    merged = _first_row_of_each(rows, _SAME_ASSIGNMENT)
    is_finished = pc.is_in(merged["state"], value_set=pa.array(FINISHED_STATES))
    has_rows = pc.is_in(_key(merged), value_set=annotated)
    finished = pc.if_else(has_rows, str(State.FINISHED), str(State.FINISHED_EMPTY))
    is_lost = all_rejected_assignments(merged, tables, rejected)
    finished = pc.if_else(is_lost, str(State.UNFINISHED), finished)
    state = pc.if_else(is_finished, finished, merged["state"])
    return merged.set_column(names.index("state"), "state", state).select(names)


def _one_row_per_layer(rows: pa.Table, layers: Sequence[Sequence[str]]) -> pa.Table:
    """Repeat assignments without a layer for every layer of their source."""
    parts = [rows.filter(pc.not_equal(rows["layer"], ""))]
    unspecific = rows.filter(pc.equal(rows["layer"], ""))
    for origin, held in enumerate(layers):
        of_source = unspecific.filter(pc.equal(unspecific["origin"], origin))
        for layer in held or [""]:
            column = pa.array([layer] * of_source.num_rows, pa.string())
            parts.append(of_source.set_column(rows.column_names.index("layer"), "layer", column))
    return pa.concat_tables(parts)


def _first_row_of_each(rows: pa.Table, columns: list[str]) -> pa.Table:
    if not rows.num_rows:
        return rows
    same = np.ones(rows.num_rows - 1, dtype=np.bool_)
    for name in columns:
        values = np.asarray(rows[name].combine_chunks().dictionary_encode().indices)
        same &= values[1:] == values[:-1]
    return rows.filter(pa.array(np.concatenate(([True], ~same))))


def all_rejected_assignments(
    assignments: pa.Table, tables: Mapping[str, pa.Table], rejected: pa.Table
) -> pa.ChunkedArray:
    """Return which assignments, except of systems, had all units and labels rejected."""
    of_work = rejected.filter(pc.is_in(rejected["table_name"], value_set=OF_WORK))
    lost = pc.unique(_key(of_work, _WHO_AND_WHERE))
    for name in ("units", "labels"):
        kept = pc.unique(_key(tables[name], _WHO_AND_WHERE))
        lost = lost.filter(pc.invert(pc.is_in(lost, value_set=kept)))
    of_people = pc.not_equal(pc.fill_null(assignments["role"], ""), str(Role.SYSTEM))
    return pc.and_(pc.is_in(_key(assignments, _WHO_AND_WHERE), value_set=lost), of_people)


def _key(rows: pa.Table, columns: Sequence[str] = _SAME_ASSIGNMENT) -> pa.ChunkedArray:
    values = [pc.cast(rows[name], pa.string()) for name in columns]
    return pc.binary_join_element_wise(*values, "\x1f")
