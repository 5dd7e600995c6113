"""The ledger of a campaign: what each annotator delivered on each document, in one run.

Every run writes its ledger beside its report. A row is the *work* of an annotator on a layer of a
document: its state, its time, and the number and hash of its rows, both as exported and as
accepted. Work is identified by document, layer and a keyed code of the annotator, so that
pseudonyms, systems and the order of files change nothing. `data.ledger_changes` compares the
ledgers of two runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from .arrow_columns import first_of_equal_rows, group_codes, number_column, text_hashes
from .schema import FINISHED_STATES, NAME_SEPARATOR, SCHEMA_VERSION, State
from .store.parquet_format import schema_version, table_of_bytes

FILE = "ledger.parquet"

WORK = pa.schema(
    [
        ("document", pa.string()),
        ("sha256", pa.string()),  # of the document's text; "" without
        ("annotator", pa.string()),  # as shown; "" for a document without an annotator
        ("layer", pa.string()),
        ("state", pa.string()),  # the furthest over passes; "" if the assignment was rejected
        ("time", pa.string()),  # last change, if the export has it
        ("n_exported", pa.int64()),  # labels, units, relations of the copy that counts, and unread
        ("n_rows", pa.int64()),  # those accepted
        ("exported", pa.uint64()),
        ("content", pa.uint64()),
        ("n_files", pa.int64()),  # that hold the work; 0 for a document without an annotator
        ("copies", pa.string()),  # of work in several files, how they relate (`Copies`), else ""
    ]
)
"""What a shard knows. `content` is the sum modulo 2^64 of the hashes of the accepted rows, without
annotator and document; 0 without rows. It does not depend on the order of rows. `exported` is made
of the same sum over all rows as exported, with a secret of the store, because a hash of few
possible values can be guessed; 0 where it is not known."""

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
_WORK = [*_WHO, "layer"]
_COLUMNS = {
    "units": ["layer", "pass", "start_offset", "end_offset", "category", "fragments"],
    "labels": ["layer", "pass", "item", "labels"],
    "relations": ["layer", "pass", "category", "from_unit", "to_unit"],
}
_UNREAD = {"rejected": ["layer", "table_name", "rule", "value"]}


def work_of_shard(
    tables: Mapping[str, pa.Table],
    exported: Mapping[str, pa.Table],
    deliveries: pa.Table | None = None,
    *,
    key: str = "",
) -> pa.Table:
    """Return the work on the documents of a shard.

    tables      accepted tables
    exported    units, labels and relations as exported, of the copies that count, and the rows
                `rejected` by the readers, with their layer
    deliveries  work that is in several files (`validation.deliveries.DELIVERIES`)
    key         secret of 16 characters; without it `exported` is 0
    """
    documents = tables["documents"].select(["document", "sha256"])
    assigned = tables["assignments"].select([*_WORK, "state", "time"])
    given = [exported[name].select(_WORK) for name in (*_COLUMNS, *_UNREAD)]
    work = first_of_equal_rows(pa.concat_tables([assigned.select(_WORK), *given]), _WORK)
    n_exported, as_exported = _rows_and_content(work, exported, _COLUMNS | _UNREAD)
    n_rows, content = n_exported, as_exported
    if exported["rejected"].num_rows or any(
        not _are_alike(tables[name], exported[name], _COLUMNS[name]) for name in _COLUMNS
    ):
        n_rows, content = _rows_and_content(work, tables, _COLUMNS)
    texts = pc.index_in(work["document"], value_set=documents["document"].combine_chunks())
    found = pa.table(
        {
            "document": work["document"],
            "sha256": pc.fill_null(documents["sha256"].take(texts), ""),
            "annotator": work["annotator"],
            "layer": work["layer"],
            **_states_and_times(work, assigned),
            "n_exported": n_exported,
            "n_rows": n_rows,
            "exported": _keyed(as_exported, key),
            "content": content,
            **_files_and_copies(work, deliveries),
        },
        schema=WORK,
    )
    is_seen = pc.is_in(documents["document"], value_set=work["document"].combine_chunks())
    alone = documents.filter(pc.invert(is_seen))
    n = alone.num_rows
    without_annotator = {
        field.name: [0 if pa.types.is_integer(field.type) else ""] * n for field in WORK
    } | {
        "document": alone["document"],
        "sha256": alone["sha256"],
        "state": [str(State.NOT_ASSIGNED)] * n,
    }
    return pa.concat_tables([found, pa.table(without_annotator, schema=WORK)])


def is_finished(ledger: pa.Table) -> NDArray[np.bool_]:
    """Return which rows are work that an annotator finished, or of which the exports hold rows."""
    states = pc.is_in(ledger["state"], value_set=pa.array([*map(str, FINISHED_STATES)]))
    found: NDArray[np.bool_] = states.to_numpy() | (ledger["n_exported"].to_numpy() > 0)
    return found


def accepted_work(work: pa.Table) -> pa.Table:
    """Return the work of which something was accepted, without what its exports held besides."""
    work = work.filter(pc.not_equal(work["state"], ""))
    nothing = pa.array(np.zeros(work.num_rows, np.uint64))
    return work.set_column(work.column_names.index("exported"), "exported", nothing)


def read_ledger(content: bytes | None) -> pa.Table | None:
    """Return the ledger in a file; None if there is none, or an earlier version wrote it."""
    found = None if content is None else table_of_bytes(content)
    if found is None or schema_version(found.schema) != SCHEMA_VERSION:
        return None
    return found if found.schema.names == LEDGER.names else None


def _states_and_times(work: pa.Table, assigned: pa.Table) -> dict[str, pa.Array]:
    """Return the furthest state and the last time of each work."""
    rank = pc.index_in(assigned["state"], value_set=pa.array([*map(str, _STATES)]))
    ranked = assigned.set_column(assigned.column_names.index("state"), "state", rank)
    last = ranked.group_by(_WORK).aggregate([("state", "max"), ("time", "max")])
    place = pc.index_in(_joined(work, _WORK), value_set=_joined(last, _WORK))
    of_rank = pa.array([*map(str, _STATES)])
    states = of_rank.take(last["state_max"].combine_chunks().take(place))
    times = last["time_max"].combine_chunks().take(place)
    return {"state": pc.fill_null(states, ""), "time": pc.fill_null(times, "")}


def _are_alike(one: pa.Table, other: pa.Table, columns: Sequence[str]) -> bool:
    return one.num_rows == other.num_rows and bool(
        one.select([*_WHO, *columns]).equals(other.select([*_WHO, *columns]))
    )


def _keyed(sums: NDArray[np.uint64], key: str) -> NDArray[np.uint64]:
    if not key:
        return np.zeros(len(sums), np.uint64)
    return text_hashes(pc.cast(pa.array(sums), pa.string()), key)


def _files_and_copies(work: pa.Table, deliveries: pa.Table | None) -> dict[str, pa.Array]:
    """Return the number of files that hold each work, and how its copies relate."""
    if deliveries is None or not deliveries.num_rows:
        return {"n_files": np.ones(work.num_rows, np.int64), "copies": [""] * work.num_rows}
    place = pc.index_in(_joined(work, _WORK), value_set=_joined(deliveries, _WORK))
    return {
        "n_files": pc.fill_null(deliveries["n_files"].combine_chunks().take(place), 1),
        "copies": pc.fill_null(deliveries["copies"].combine_chunks().take(place), ""),
    }


def _rows_and_content(
    work: pa.Table, tables: Mapping[str, pa.Table], of_tables: Mapping[str, Sequence[str]]
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return the number of rows and their hash of each work."""
    n_rows = np.zeros(work.num_rows, np.int64)
    content = np.zeros(work.num_rows, np.uint64)
    for name, columns in of_tables.items():
        rows = tables[name]
        if not rows.num_rows:
            continue
        if name == "relations":
            rows = _with_ends_by_content(rows, tables["units"])
        both = pa.concat_tables([work.select(_WORK), rows.select(_WORK)])
        group = group_codes(both, _WORK)
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
    joined = pc.binary_join_element_wise(*texts, pa.scalar(NAME_SEPARATOR), null_handling="replace")
    return joined.combine_chunks()


def _row_hashes(rows: pa.Table) -> NDArray[np.uint64]:
    for at, field in enumerate(rows.schema):
        if field.name == "labels":
            text = pc.binary_join(rows["labels"], NAME_SEPARATOR)
            rows = rows.set_column(at, "labels", text)
        elif pa.types.is_list(field.type):
            texts = [str(value or "") for value in rows[field.name].to_pylist()]
            rows = rows.set_column(at, field.name, pa.array(texts, pa.string()))
    return text_hashes(_joined(rows, rows.column_names))


def campaign_ledger(
    work: pa.Table, *, run: int, codes: Sequence[str], roles: Sequence[str], is_private: bool
) -> pa.Table:
    """Return the ledger of a run from the work of its shards; `arrived` as if nothing came before.

    run           its number; 0 for a release
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
