"""The ledger of a campaign: what each annotator delivered on each document, in one run.

Every run writes its ledger beside its report. A row is the *work* of an annotator on a document:
its state, its time, the number of its rows and a hash of them. Work is identified by document and a
keyed code of the annotator, so that pseudonyms, systems and the order of files change nothing.
`data.ledger_changes` compares the ledgers of two runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from .arrow_columns import group_codes, number_column
from .schema import FINISHED_STATES, NAME_SEPARATOR, State

FILE = "ledger.parquet"

WORK = pa.schema(
    [
        ("document", pa.string()),
        ("sha256", pa.string()),  # of the document's text; "" without
        ("annotator", pa.string()),  # as shown; "" for a document without an annotator
        ("state", pa.string()),  # the furthest over layers and passes
        ("time", pa.string()),  # last change, if the export has it
        ("n_rows", pa.int64()),  # accepted labels, units and relations
        ("content", pa.uint64()),
        ("n_files", pa.int64()),  # that hold the work; 0 for a document without an annotator
        ("copies", pa.string()),  # of work in several files, how they relate (`Copies`), else ""
    ]
)
"""What a shard knows. `content` is the sum modulo 2^64 of the hashes of the accepted rows, without
annotator and document; 0 without rows. It does not depend on the order of rows."""

LEDGER = pa.schema(
    [
        ("run", pa.int32()),  # number of the run; 0 for a release
        *WORK,
        ("code", pa.string()),  # of the annotator (`tasks.annotator_codes`); "" in a release
        ("role", pa.string()),
        ("arrived", pa.int32()),  # the run in which the work was first finished; 0: not yet
        ("corrected", pa.int32()),  # the last run in which finished work changed; 0: none
    ]
)

_STATES = [State.NOT_ASSIGNED, State.UNFINISHED, State.FINISHED_EMPTY, State.FINISHED]
_WHO = ["document", "annotator"]
_COLUMNS = {
    "units": ["layer", "pass", "start_offset", "end_offset", "category", "fragments"],
    "labels": ["layer", "pass", "item", "labels"],
    "relations": ["layer", "pass", "category", "from_unit", "to_unit"],
}


def work_of_shard(tables: Mapping[str, pa.Table], deliveries: pa.Table | None = None) -> pa.Table:
    """Return the work on the documents of a shard, from its accepted tables.

    deliveries  work that is in several files (`validation.deliveries.DELIVERIES`)
    """
    documents = tables["documents"].select(["document", "sha256"])
    assigned = tables["assignments"].select([*_WHO, "state", "time"])
    rank = pc.index_in(assigned["state"], value_set=pa.array([*map(str, _STATES)]))
    assigned = assigned.set_column(2, "state", rank)
    work = assigned.group_by(_WHO).aggregate([("state", "max"), ("time", "max")])
    n_rows, content = _rows_and_content(work, tables)
    states = pa.array([*map(str, _STATES)]).take(work["state_max"].combine_chunks())
    texts = pc.index_in(work["document"], value_set=documents["document"].combine_chunks())
    found = pa.table(
        {
            "document": work["document"],
            "sha256": documents["sha256"].take(texts),
            "annotator": work["annotator"],
            "state": states,
            "time": pc.fill_null(work["time_max"], ""),
            "n_rows": n_rows,
            "content": content,
            **_files_and_copies(work, deliveries),
        },
        schema=WORK,
    )
    is_seen = pc.is_in(documents["document"], value_set=work["document"].combine_chunks())
    alone = documents.filter(pc.invert(is_seen))
    n = alone.num_rows
    without_annotator = {
        "document": alone["document"],
        "sha256": alone["sha256"],
        "annotator": [""] * n,
        "state": [str(State.NOT_ASSIGNED)] * n,
        "time": [""] * n,
        "n_rows": [0] * n,
        "content": [0] * n,
        "n_files": [0] * n,
        "copies": [""] * n,
    }
    return pa.concat_tables([found, pa.table(without_annotator, schema=WORK)])


def is_finished(ledger: pa.Table) -> NDArray[np.bool_]:
    """Return which rows are work that an annotator finished, or that has accepted rows."""
    states = pc.is_in(ledger["state"], value_set=pa.array([*map(str, FINISHED_STATES)]))
    found: NDArray[np.bool_] = states.to_numpy() | (ledger["n_rows"].to_numpy() > 0)
    return found


def _files_and_copies(work: pa.Table, deliveries: pa.Table | None) -> dict[str, pa.Array]:
    """Return the number of files that hold each work, and how its copies relate."""
    if deliveries is None or not deliveries.num_rows:
        return {"n_files": np.ones(work.num_rows, np.int64), "copies": [""] * work.num_rows}
    place = pc.index_in(_joined(work, _WHO), value_set=_joined(deliveries, _WHO))
    return {
        "n_files": pc.fill_null(deliveries["n_files"].combine_chunks().take(place), 1),
        "copies": pc.fill_null(deliveries["copies"].combine_chunks().take(place), ""),
    }


def _rows_and_content(
    work: pa.Table, tables: Mapping[str, pa.Table]
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return the number of rows and their hash of each work."""
    n_rows = np.zeros(work.num_rows, np.int64)
    content = np.zeros(work.num_rows, np.uint64)
    for name, columns in _COLUMNS.items():
        rows = tables[name]
        if not rows.num_rows:
            continue
        if name == "relations":
            rows = _with_ends_by_content(rows, tables["units"])
        both = pa.concat_tables([work.select(_WHO), rows.select(_WHO)])
        group = group_codes(both, _WHO)
        _, place = np.unique(group, return_inverse=True)
        of_place = np.full(place.max() + 1, -1, np.int64)
        of_place[place[: work.num_rows]] = np.arange(work.num_rows)
        of_row = of_place[place[work.num_rows :]]
        np.add.at(n_rows, of_row, 1)
        np.add.at(content, of_row, _row_hashes(rows.select(columns)))
    return n_rows, content


def _with_ends_by_content(relations: pa.Table, units: pa.Table) -> pa.Table:
    """Replace the ids of the ends, which an export may number anew, by what they are."""
    keys = ["document", "annotator", "pass"]
    known = _joined(units, [*keys, "unit"])
    said = _joined(units, ["start_offset", "end_offset", "category"])
    for end in ("from_unit", "to_unit"):
        place = pc.index_in(_joined(relations, [*keys, end]), value_set=known)
        at = relations.column_names.index(end)
        relations = relations.set_column(at, end, pc.fill_null(said.take(place), ""))
    return relations


def _joined(rows: pa.Table, columns: Sequence[str]) -> pa.Array:
    texts = (pc.cast(rows[name], pa.string()) for name in columns)
    return pc.binary_join_element_wise(*texts, pa.scalar(NAME_SEPARATOR)).combine_chunks()


def _row_hashes(rows: pa.Table) -> NDArray[np.uint64]:
    import pandas as pd  # imported here because only runs need it

    for at, field in enumerate(rows.schema):
        if field.name == "labels":
            text = pc.binary_join(rows["labels"], NAME_SEPARATOR)
            rows = rows.set_column(at, "labels", text)
        elif pa.types.is_list(field.type):
            texts = [str(value or "") for value in rows[field.name].to_pylist()]
            rows = rows.set_column(at, field.name, pa.array(texts, pa.string()))
    return np.asarray(pd.util.hash_pandas_object(rows.to_pandas(), index=False), dtype=np.uint64)


def campaign_ledger(
    work: pa.Table, *, run: int, codes: Sequence[str], roles: Sequence[str], is_private: bool
) -> pa.Table:
    """Return the ledger of a run from the work of its shards; `arrived` as if nothing came before.

    codes, roles  of the annotator of each row
    is_private    whether to leave out the hashes of texts, which show whether a reader has the text
    """
    done = is_finished(work)
    n = work.num_rows
    columns = {name: work[name] for name in work.column_names}
    if is_private:
        columns["sha256"] = pa.array([""] * n, pa.string())
    return pa.table(
        {
            "run": np.full(n, run, np.int32),
            **columns,
            "code": pa.array(codes, pa.string()),
            "role": pa.array(roles, pa.string()),
            "arrived": np.where(done, run, 0).astype(np.int32),
            "corrected": np.zeros(n, np.int32),
        },
        schema=LEDGER,
    )


def documents_of_ledger(ledger: pa.Table) -> pa.Table:
    """Return document, text and the hash of all work on it, one row per document."""
    names, first, place = np.unique(
        group_codes(ledger, ["document"]), return_index=True, return_inverse=True
    )
    content = np.zeros(len(names), np.uint64)
    np.add.at(content, place, ledger["content"].to_numpy())
    rows = ledger.select(["document", "sha256"]).take(number_column(first.astype(np.int64)))
    return rows.append_column("content", pa.array(content))
