"""What validation found, over all shards: expectations added up, the first rejected rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from data.store import Store
from reports import results as page
from tasks.layers import accepted


def validation_of(
    store: Store,
    shards: Sequence[Mapping[str, Any]],
    *,
    on_rejected: str,
    shown: int,
    links: Mapping[str, str],
) -> page.Validation:
    """links: source file as rejected rows name it → its address relative to the page."""
    merged: dict[tuple[str, str, str, str], dict[str, Any]] = {}
    for shard in shards:
        for one in shard["checks"]:
            total = merged.setdefault(
                (one["table"], one["rule"], one["layer"], one["description"]),
                {"passed": True, "n_rows": 0, "n_unexpected": 0, "examples": []},
            )
            total["passed"] &= one["passed"]
            total["n_rows"] += one["n_rows"]
            total["n_unexpected"] += one["n_unexpected"]
            total["examples"] = list(dict.fromkeys([*total["examples"], *one["examples"]]))[:5]
    rejected: list[page.RejectedRow] = []
    for shard in shards:
        if len(rejected) >= shown:
            break
        rows = accepted(store, shard["key"], "rejected").to_pylist()
        rejected += [page.RejectedRow(**row, link=links.get(row["source"], "")) for row in rows]
    rejected.sort(key=lambda row: (row.source, row.document, row.where, row.rule))
    return page.Validation(
        rows_in=sum(shard["rows_in"] for shard in shards),
        rows_accepted=sum(shard["rows_accepted"] for shard in shards),
        rows_rejected=sum(shard["rows_rejected"] for shard in shards),
        on_rejected=on_rejected,
        expectations=[
            page.Expectation(name=rule, table=table, layer=layer, description=description, **total)
            for (table, rule, layer, description), total in merged.items()
        ],
        rejected=rejected[:shown],
    )
