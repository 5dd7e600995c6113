"""Receipts of what a computation wrote to the store, so that only whole results are reused.

A *place* is a folder that one computation fills. Its receipt is written last and lists every file
with its size and SHA-256, and the facts that later stages need. A place without a receipt was not
finished; a place whose files differ from its receipt is damaged. Both are recomputed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from .hashes import Digest
from .recent_content import recent
from .sealed_json import read_sealed, unsealed, write_sealed
from .store import Store

RECEIPT = "receipt.json"


@dataclass(frozen=True, slots=True)
class Receipt:
    """`files` by their paths in the store; `digest` is the digest of the receipt itself.

    parts  folders of what the place was composed of; it does not need them, but a changed place
           reuses what did not change
    n_parts  of how much: 1 for a place that is not composed
    """

    place: str
    files: Mapping[str, Digest]
    facts: Any
    digest: Digest
    parts: tuple[str, ...] = ()
    n_parts: int = 1


@dataclass(frozen=True, slots=True)
class Kept:
    """What the store holds of a place: a valid receipt, or the files that do not match it."""

    receipt: Receipt | None = None
    damaged: tuple[str, ...] = field(default=())


def write_receipt(
    store: Store, place: str, facts: Any = None, parts: Sequence[str] = (), n_parts: int = 1
) -> Receipt:
    """Close a place with a receipt of the files that were written through this store object."""
    files = {path: digest for path, digest in store.written.items() if path.startswith(f"{place}/")}
    path = f"{place}/{RECEIPT}"
    files.pop(path, None)
    listed = {name: asdict(digest) for name, digest in files.items()}
    content = {"files": listed, "facts": facts, "parts": [*parts], "n_parts": n_parts}
    write_sealed(store, path, content)
    return Receipt(place, files, facts, store.written[path], tuple(parts), n_parts)


def read_kept(store: Store, place: str) -> Kept:
    """Read every file of a finished place and compare it with the receipt."""
    path = f"{place}/{RECEIPT}"
    written = store.content(path)
    read = unsealed(written, path)
    if read is None:
        is_there = written is not None or (store.is_local and store.exists(path))  # unreadable
        return Kept(damaged=(path,) if is_there else ())
    files = {name: Digest(**digest) for name, digest in read.content["files"].items()}
    damaged = damaged_files(store, files)
    if damaged:
        return Kept(damaged=damaged)
    parts = tuple(read.content.get("parts", ()))  # older receipts have none
    n_parts = read.content.get("n_parts", 1)
    return Kept(Receipt(place, files, read.content["facts"], read.digest, parts, n_parts))


def parts_of_place(store: Store, place: str) -> tuple[str, ...]:
    """Return the places from which the place was composed, without reading its files."""
    read = read_sealed(store, f"{place}/{RECEIPT}")
    return () if read is None else tuple(read.content.get("parts", ()))


def damaged_files(store: Store, files: Mapping[str, Digest]) -> tuple[str, ...]:
    """Return the files that are missing or differ from what was written."""
    found = tuple(path for path, digest in files.items() if store.digest(path) != digest)
    for path in found:
        recent.forget(store.url, path)  # another process may write it again
    return found
