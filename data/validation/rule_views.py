"""The tables of a shard with the columns that `data.validation.rules` needs.

Each column states something about a row that depends on other rows: whether its text is the
document's, how often the row occurred before, whether the units of a relation were accepted,
whether its annotator gives an audit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..arrow_columns import (
    are_rows_among,
    as_numpy,
    column,
    first_of_equal_rows,
    group_codes,
    number_column,
    one_chunk,
    repeated_column,
    scalar,
)
from ..schema import NAME_SEPARATOR, UNDECLARED, Role
from .rules import AS_AUDIT, KNOWN_AS

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


def documents_view(rows: pa.Table) -> pa.Table:
    """Mark rows with a text other than the document's, which is the first one given."""
    rows = rows.sort_by([("document", "ascending"), ("origin", "ascending"), ("row", "ascending")])
    with_text = rows.filter(pc.not_equal(rows["sha256"], scalar("")))
    expected = _value_of(rows["document"], first_of_equal_rows(with_text, ["document"]), "sha256")
    differs = pc.and_(
        pc.not_equal(rows["sha256"], scalar("")), pc.not_equal(rows["sha256"], expected)
    )
    return rows.append_column("text_differs", pc.fill_null(differs, scalar(False)))


def _on_other_text(rows: pa.Table, documents: pa.Table) -> NDArray[np.bool_]:
    """Return which rows are on another text than the document's, by document and file.

    A source in which no file has the document's text is on another text as a whole, as some formats
    keep annotations and texts in separate files.
    """
    differs = as_numpy(documents["text_differs"])
    if not differs.any():
        return np.zeros(rows.num_rows, dtype=np.bool_)
    agreeing, others = (
        documents.filter(number_column(~differs)),
        documents.filter(number_column(differs)),
    )
    of_file, of_source = ["document", "origin", "source"], ["document", "origin"]
    source_agrees = are_rows_among(rows, agreeing, of_source)
    is_other_file = are_rows_among(rows, others, of_file) & ~are_rows_among(rows, agreeing, of_file)
    return is_other_file | (are_rows_among(rows, others, of_source) & ~source_agrees)


def _value_of(documents: pa.ChunkedArray, known: pa.Table, column: str) -> pa.Array:
    """Return the value of each document in a table with one row per document; null without one."""
    index = pc.index_in(documents, value_set=one_chunk(known["document"]))
    return one_chunk(known[column]).take(one_chunk(index))


def audits_among(assignments: pa.Table) -> pa.Array:
    """Return the annotators whose labels are an audit, but not those whose names are withheld."""
    is_audit = pc.equal(assignments["role"], scalar(str(Role.AUDIT)))
    is_named = pc.not_equal(assignments["annotator"], scalar(UNDECLARED))
    return pc.unique(assignments["annotator"].filter(pc.and_(is_audit, is_named)))


def rule_columns(
    name: str,
    rows: pa.Table,
    documents: pa.Table,
    audits: pa.Array,
    units: pa.Table | None,
) -> dict[str, pa.Array | pa.ChunkedArray]:
    """Return the columns that the rules of a table need, and those shown for a rejected row.

    documents  the table from `documents_view`
    audits     annotators from `audits_among`
    units      the accepted units; only relations need them
    """
    if name == "documents":
        return {}
    is_audit = pc.is_in(rows["annotator"], value_set=audits)
    found = {KNOWN_AS: pc.if_else(is_audit, scalar(AS_AUDIT), rows["annotator"])}
    if name in ("units", "labels"):
        found["text_differs"] = number_column(_on_other_text(rows, documents))
    if units is not None and name == "relations":
        found["ends"] = join_columns(rows, ("from_unit", "to_unit"), " → ")
        known = pc.unique(join_columns(units, UNIT_ID))
        for end, unit in ENDS:
            key = join_columns(rows, (*UNIT_ID[:-1], unit))
            found[end] = pc.is_in(key, value_set=known)
    if name == "units":
        key = _as_text(rows["fragments"])
        agreeing = documents.filter(pc.invert(documents["text_differs"]))
        known = agreeing.filter(pc.greater_equal(agreeing["length"], scalar(0)))
        longest = first_of_equal_rows(known.sort_by([("length", "descending")]), ["document"])
        found["offsets"] = join_columns(rows, ("start_offset", "end_offset"), "–")
        found["document_length"] = _value_of(rows["document"], longest, "length")
        found["occurrence"] = _occurrence(rows.append_column("fragments_key", key), SAME_UNIT)
    if name == "labels":
        found["occurrence"] = _occurrence(rows, SAME_LABEL)
    return found


def join_columns(
    rows: pa.Table, columns: Sequence[str], separator: str = NAME_SEPARATOR
) -> pa.ChunkedArray:
    texts = (pc.cast(rows[name], pa.string()) for name in columns)
    return pc.binary_join_element_wise(*texts, scalar(separator))


def _as_text(lists: pa.ChunkedArray) -> pa.Array:
    if pc.max(pc.list_value_length(lists)).as_py() in (None, 0):
        return repeated_column("", pa.string(), len(lists))
    return column([str(value or "") for value in lists.to_pylist()], pa.string())


def _occurrence(rows: pa.Table, columns: list[str]) -> pa.Array:
    """Return 1 for the first row with these values (by source, in reading order), then 2, 3 …"""
    if not rows.num_rows:
        return column([], pa.int64())
    group = group_codes(rows, columns)
    order = np.lexsort((as_numpy(rows["row"]), as_numpy(rows["origin"]), group))
    same = group[order][1:] == group[order][:-1]
    starts = np.concatenate(([0], np.nonzero(~same)[0] + 1))
    rank = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order)))) + 1
    occurrence = np.empty(len(order), dtype=np.int64)
    occurrence[order] = rank
    return number_column(occurrence)
