"""Merge accepted rows of several sources: one per document; one per annotator, layer and pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from ..arrow_columns import column, first_of_equal_rows, one_chunk, repeated_column, scalar
from ..blocks import Block
from ..schema import FINISHED_STATES, SCHEMAS, Role, State
from .rule_views import join_columns

_STATE_ORDER = [State.NOT_ASSIGNED, State.UNFINISHED, State.FINISHED_EMPTY, State.FINISHED]
OF_WORK = column(
    ["", "units", "labels"], pa.string()
)  # tables whose rejected rows were annotations
FINISHED = column([*FINISHED_STATES], pa.string())
_WHO_AND_WHERE = ["document", "annotator"]
_SAME_ASSIGNMENT = ["document", "annotator", "pass", "layer"]


def merged_documents(rows: pa.Table) -> pa.Table:
    """Merge to one row per document: the first row, with the first text, length and batch known."""
    names = SCHEMAS["documents"].names
    rows = rows.append_column("has_text", pc.cast(pc.is_valid(rows["text"]), pa.int8()))
    rows = rows.append_column(
        "has_length", pc.cast(pc.greater_equal(rows["length"], scalar(0)), pa.int8())
    )
    rows = rows.sort_by(
        [
            ("document", "ascending"),
            ("has_text", "descending"),
            ("has_length", "descending"),
            ("origin", "ascending"),
            ("row", "ascending"),
        ]
    )
    merged = first_of_equal_rows(rows, ["document"]).select(names)
    in_batch = first_of_equal_rows(
        rows.filter(pc.not_equal(rows["batch"], scalar(""))), ["document"]
    )
    place = pc.index_in(merged["document"], value_set=one_chunk(in_batch["document"]))
    batch = pc.fill_null(one_chunk(in_batch["batch"]).take(one_chunk(place)), scalar(""))
    return merged.set_column(names.index("batch"), "batch", batch)


def with_unseen_documents(documents: pa.Table, assignments: pa.Table) -> pa.Table:
    """Add a row without length for documents that occur only in annotations."""
    mentioned = pc.unique(assignments["document"])
    unseen = mentioned.filter(
        pc.invert(pc.is_in(mentioned, value_set=one_chunk(documents["document"])))
    )
    n = len(unseen)
    if not n:
        return documents
    columns = {"document": unseen, "length": -1, "source": ""}
    extra = Block("documents", n_rows=n, columns=columns).rows
    return pa.concat_tables([documents, extra]).sort_by("document")


def merged_assignments(
    rows: pa.Table,
    tables: Mapping[str, pa.Table],
    layers: Sequence[Sequence[str]],
    rejected: pa.Table,
) -> pa.Table:
    """Merge to one row per document, annotator, pass and layer: the furthest state, its last time.

    A unit or label without an assignment gets a finished assignment, because its export states only
    what was annotated. An annotator who finished and has no rows in the layer left it empty. If all
    units and labels of a document were `rejected`, the annotator annotated something that cannot be
    compared, so the document is unfinished; for a system it counts as missed in full.
    """
    names = SCHEMAS["assignments"].names
    order = pc.index_in(rows["state"], value_set=column([*_STATE_ORDER], pa.string()))
    rows = rows.append_column("state_order", order)
    rows = _one_row_per_layer(rows, layers).select([*names, "origin", "row", "state_order"])
    seen = []
    for name in ("units", "labels"):
        who = first_of_equal_rows(
            tables[name].select([*_SAME_ASSIGNMENT, "source"]), _SAME_ASSIGNMENT
        )
        n = who.num_rows
        of_rows = dict(zip(who.column_names, who.columns, strict=True))
        seen.append(Block("assignments", n_rows=n, columns={**of_rows, "role": None}).rows)
        for added, value in (("origin", len(layers)), ("row", 0), ("state_order", -1)):
            type = rows.schema.field(added).type
            seen[-1] = seen[-1].append_column(added, repeated_column(value, type, n))
    annotated = pc.unique(_key(pa.concat_tables(seen)))
    rows = pa.concat_tables([rows, *seen]).sort_by(
        [
            *((name, "ascending") for name in _SAME_ASSIGNMENT),
            ("state_order", "descending"),
            ("time", "descending"),
            ("origin", "ascending"),
            ("row", "ascending"),
        ]
    )
    merged = first_of_equal_rows(rows, _SAME_ASSIGNMENT)
    is_finished = pc.is_in(merged["state"], value_set=FINISHED)
    has_rows = pc.is_in(_key(merged), value_set=annotated)
    done, empty, unfinished = (
        scalar(str(one)) for one in (State.FINISHED, State.FINISHED_EMPTY, State.UNFINISHED)
    )
    finished = pc.if_else(has_rows, done, empty)
    is_lost = all_rejected_assignments(merged, tables, rejected)
    finished = pc.if_else(is_lost, unfinished, finished)
    state = pc.if_else(is_finished, finished, merged["state"])
    return merged.set_column(names.index("state"), "state", state).select(names)


def _one_row_per_layer(rows: pa.Table, layers: Sequence[Sequence[str]]) -> pa.Table:
    """Repeat assignments without a layer for every layer of their source."""
    parts = [rows.filter(pc.not_equal(rows["layer"], scalar("")))]
    unspecific = rows.filter(pc.equal(rows["layer"], scalar("")))
    for origin, held in enumerate(layers):
        of_source = unspecific.filter(pc.equal(unspecific["origin"], scalar(origin)))
        for layer in held or [""]:
            named = repeated_column(layer, pa.string(), of_source.num_rows)
            parts.append(of_source.set_column(rows.column_names.index("layer"), "layer", named))
    return pa.concat_tables(parts)


def all_rejected_assignments(
    assignments: pa.Table, tables: Mapping[str, pa.Table], rejected: pa.Table
) -> pa.ChunkedArray:
    """Return which assignments, except of systems, had all units and labels rejected."""
    of_work = rejected.filter(pc.is_in(rejected["table_name"], value_set=OF_WORK))
    lost = pc.unique(_key(of_work, _WHO_AND_WHERE))
    if not len(lost):
        return repeated_column(False, pa.bool_(), assignments.num_rows)
    for name in ("units", "labels"):
        kept = pc.unique(_key(tables[name], _WHO_AND_WHERE))
        lost = lost.filter(pc.invert(pc.is_in(lost, value_set=kept)))
    roles = pc.fill_null(assignments["role"], scalar(""))
    of_people = pc.not_equal(roles, scalar(str(Role.SYSTEM)))
    return pc.and_(pc.is_in(_key(assignments, _WHO_AND_WHERE), value_set=lost), of_people)


def _key(rows: pa.Table, columns: Sequence[str] = _SAME_ASSIGNMENT) -> pa.ChunkedArray:
    return join_columns(rows, columns)
