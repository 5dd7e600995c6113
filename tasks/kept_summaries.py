"""Summaries are kept as well: a layer in which nothing changed is not summarised again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from data.store.hashes import settings_hash
from data.store.receipts import Kept, kept, write_receipt
from data.store.store import Store
from metrics.signature import VERSION


def kept_summary(
    store_url: str,
    compute: Callable[[], str],
    shards: Sequence[Mapping[str, str]],
    *settings: object,
    fresh: bool = False,
) -> str:
    """The path that `compute` returned, from the store where it was computed of the same.

    shards: what the tasks before returned; their places are named by hashes of all that they were
    computed from, and the receipts say what is in them. settings: all else that `compute` takes,
    JSON-able.
    """
    store = Store(store_url)
    of_shards = [[one["key"], one["place"], one["receipt"]] for one in shards]
    place = f"summarised/{settings_hash(of_shards, *settings, VERSION)}"
    found = Kept() if fresh else kept(store, place)
    if found.receipt is not None:
        told = found.receipt.facts
        if store.exists(told["path"]) and _hash_of(store, told["path"]) == told["content"]:
            return str(told["path"])
    path = compute()
    write_receipt(store, place, {"path": path, "content": _hash_of(store, path)})
    return path


def _hash_of(store: Store, path: str) -> str:
    return settings_hash(store.read_json(path))
