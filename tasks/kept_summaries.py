"""Summaries are kept as well: a layer in which nothing changed is not summarised again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..data.store.hashes import settings_hash
from ..data.store.receipts import Kept, kept, write_receipt
from ..data.store.store import Store
from ..metrics.signature import VERSION
from .outcome import outcome


def kept_summary(
    store_url: str,
    compute: Callable[[], str],
    shards: Sequence[Mapping[str, str]],
    *settings: object,
    fresh: bool = False,
) -> dict[str, Any]:
    """The summary that `compute` writes, taken from the store where it is there already.

    shards: what the tasks before returned; their places are named by hashes of all that they were
    computed from, and the receipts say what is in them. settings: all else that `compute` takes,
    JSON-able. Returns the outcome (see `tasks.outcome`) with the `path` of the summary.
    """
    store = Store(store_url)
    of_shards = [[one["key"], one["place"], one["receipt"]] for one in shards]
    place = f"summarised/{settings_hash(of_shards, *settings, VERSION)}"
    found = Kept() if fresh else kept(store, place)
    if found.receipt is not None:
        return {"path": found.receipt.facts["path"], **outcome(found.receipt, reused=True)}
    path = compute()
    receipt = write_receipt(store, place, {"path": path}, others=[path])
    return {"path": path, **outcome(receipt, damaged=found.damaged)}
