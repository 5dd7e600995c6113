"""Documents that killed their workers, remembered: the next run leaves them out at once.

A record holds for the document's rows as they were and this version of Accordeur: a document that
was changed is tried again, and so is every one after an update or with `--fresh`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow.compute as pc

from ...data.intake.spill import slot_of
from ...data.store.hashes import content_hash, settings_hash
from ...data.store.sealed import read_sealed, write_sealed
from ...data.store.store import Store
from ...data.validation.rules import Declared
from ...metrics.signature import VERSION
from ..intake.validate import Shard, ValidationSpec, raw_rows

FOLDER = "withdrawn"
_POSITION = ["slot", "row", "origin"]


def remember(store: Store, sources: Sequence[Mapping[str, Any]], why: Mapping[str, str]) -> None:
    """Record documents, and why each is left out. sources: what `ingest` returned of each."""
    for document, reason in why.items():
        found = {
            "document": document,
            "content": content_of(store, sources, document),
            "version": VERSION,
            "reason": reason,
        }
        write_sealed(store, f"{FOLDER}/{settings_hash(document)}.json", found)


def remembered(store: Store, sources: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Document → why it is left out, of those that are as they were when they killed.

    A record that is damaged is passed over: its document is tried again.
    """
    read = [read_sealed(store, path) for path in store.list(FOLDER)]
    records = [one.content for one in read if one is not None]
    return {
        one["document"]: one["reason"]
        for one in records
        if one["version"] == VERSION
        and one["content"] == content_of(store, sources, one["document"])
    }


def forget(store: Store) -> None:
    """Try every document again."""
    store.delete_folder(FOLDER)


def content_of(store: Store, sources: Sequence[Mapping[str, Any]], document: str) -> str:
    """Hash of all raw rows of a document."""
    slot = slot_of(document)
    raw, _ = raw_rows(store, sources, Shard(0, slot, slot + 1), ValidationSpec(Declared()))
    rows = [raw[name].filter(pc.equal(raw[name]["document"], document)) for name in sorted(raw)]
    return content_hash([table.drop_columns(_POSITION) for table in rows])
