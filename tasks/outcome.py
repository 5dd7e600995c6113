"""What a task tells the flow of a place in the store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..data.store.receipts import Receipt


def outcome(
    receipt: Receipt, *, reused: bool = False, damaged: Sequence[str] = ()
) -> dict[str, Any]:
    """Plain values: the place, the hash of its receipt, whether it was in the store already.

    `damaged` lists the files that were there and not what had been written: computed again.
    """
    return {
        "place": receipt.place,
        "receipt": receipt.digest.sha256,
        "reused": reused,
        "damaged": list(damaged),
    }
