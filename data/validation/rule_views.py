"""The tables of a shard with the columns that `data.validation.rules` needs.

Each column states something about a row that depends on other rows: whether its text is the
document's, how often the row occurred before, whether the units of a relation were accepted.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

SAME_UNIT = [
    "document",
    "layer",
    "annotator",
    "pass",
    "start_offset",
    "end_offset",
    "category",
    "fragments_key",
]
SAME_LABEL = ["document", "layer", "annotator", "pass", "item"]
UNIT_ID = ("document", "annotator", "pass", "unit")
ENDS = (("from_known", "from_unit"), ("to_known", "to_unit"))


def documents_with_texts(rows: pa.Table) -> tuple[pa.Table, pa.Table]:
    """Mark rows with a text other than the document's, which is the first one given."""
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


def rule_view(name: str, rows: pa.Table, texts: pa.Table) -> pa.Table:
    """Return the table with the columns that its rules need."""
    rows = with_shown_columns(name, rows)
    if name == "units":
        agreeing = texts.filter(pc.invert(texts["text_differs"]))
        lengths = agreeing.group_by("document", use_threads=False).aggregate([("length", "max")])
        found = pc.index_in(rows["document"], value_set=lengths["document"].combine_chunks())
        rows = rows.append_column(
            "document_length", lengths["length_max"].combine_chunks().take(found.combine_chunks())
        )
        place = ("document", "origin")
        bad = pc.unique(_joined(texts.filter(texts["text_differs"]), place))
        rows = rows.append_column("text_differs", pc.is_in(_joined(rows, place), value_set=bad))
        return rows.append_column("occurrence", _occurrence(rows, SAME_UNIT))
    if name == "labels":
        return rows.append_column("occurrence", _occurrence(rows, SAME_LABEL))
    return rows


def with_shown_columns(name: str, rows: pa.Table) -> pa.Table:
    """Add the columns shown for a rejected row, and those that identify units."""
    if name == "units":
        rows = rows.append_column("fragments_key", _as_text(rows["fragments"]))
        return rows.append_column("offsets", _joined(rows, ("start_offset", "end_offset"), "–"))
    if name == "labels":
        return rows.append_column("category", pc.binary_join(rows["labels"], " + "))
    if name == "relations":
        return rows.append_column("ends", _joined(rows, ("from_unit", "to_unit"), " → "))
    return rows


def with_relation_ends(relations: pa.Table, units: pa.Table) -> pa.Table:
    """Add from_known and to_known: whether the ends of relations are accepted units."""
    known = pc.unique(_joined(units, UNIT_ID))
    for column, unit in ENDS:
        key = _joined(relations, (*UNIT_ID[:-1], unit))
        relations = relations.append_column(column, pc.is_in(key, value_set=known))
    return relations


def _joined(rows: pa.Table, columns: Sequence[str], separator: str = "\x1f") -> pa.ChunkedArray:
    return pc.binary_join_element_wise(
        *(pc.cast(rows[name], pa.string()) for name in columns), separator
    )


def _as_text(lists: pa.ChunkedArray) -> pa.Array:
    if pc.max(pc.list_value_length(lists)).as_py() in (None, 0):
        return pa.array([""] * len(lists), pa.string())
    return pa.array([str(value or "") for value in lists.to_pylist()], pa.string())


def _occurrence(rows: pa.Table, columns: list[str]) -> pa.Array:
    """Return 1 for the first row with these values (by source, in reading order), then 2, 3 …"""
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
