"""The accepted rows of a shard, or of a whole campaign beside a report, in the store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from ...data.column_descriptions import described
from ...data.schema import SCHEMAS, Role
from .shards import ShardFacts

if TYPE_CHECKING:  # a quick look has no store
    from ...data.store.store import Store

OF_ANNOTATORS = ("assignments", "labels", "units", "relations")


def write_accepted_of_campaign(
    store: Store,
    folder: str,
    shards: Sequence[ShardFacts],
    tables: Iterable[str] = SCHEMAS,
    roles: Mapping[str, str] = {},
    *,
    campaign: str = "",
) -> list[str]:
    """Write tables of the whole campaign, one file each; only one shard is in memory at a time.

    campaign  its name, stated in the files
    roles  roles of annotators in the campaign, which override the roles in their exports

    Texts, their hashes, and empty tables are omitted. Returns the paths.
    """
    written = []
    for table in tables:
        keys = [shard.key for shard in shards if shard.n_by_table[table]]
        names = [name for name in SCHEMAS[table].names if name not in ("text", "sha256")]
        rows = (store.accepted_rows(key, table, columns=names) for key in keys)
        schema = pa.schema([SCHEMAS[table].field(name) for name in names])
        if table in OF_ANNOTATORS:
            rows = (with_roles(one, roles) for one in rows)
            schema = with_roles(schema.empty_table(), {}).schema
        schema = described(schema, campaign=campaign)
        if keys:
            written.append(store.write_tables(f"{folder}/{table}.parquet", schema, rows))
    return written


def with_roles(rows: pa.Table, roles: Mapping[str, str]) -> pa.Table:
    """Add a column `role`: the annotator's role in `roles`, else the row's own, else human."""
    known = pc.index_in(rows["annotator"], value_set=pa.array(list(roles), pa.string()))
    declared = pc.take(pa.array(list(roles.values()), pa.string()), known)
    if "role" in rows.column_names:
        at = rows.column_names.index("role")
        return rows.set_column(at, "role", pc.coalesce(declared, rows["role"]))
    at = rows.column_names.index("annotator") + 1
    return rows.add_column(at, "role", pc.coalesce(declared, pa.scalar(Role.HUMAN.value)))
