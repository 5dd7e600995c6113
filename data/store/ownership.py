"""Whose a store is: made by Accordeur, and of which campaign file.

The first run writes `accordeur.json`, and only where none of the store's names is in use: whatever
is below these names later was therefore made by Accordeur, and may be deleted or replaced. Stores
of earlier versions are recognised by their sealed manifests and receipts.

The file also names the campaign file. Another campaign file that still stands beside it is refused,
because its runs would report the documents of the first as removed. If the first no longer exists,
it was renamed or moved, and the store follows.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from ..errors import DataError
from .sealed_json import Files, read_sealed, write_sealed

RECORD = "accordeur.json"
CONDITIONS = "conditions.json"  # of the gates, as they were last notified of
UNVALIDATED = "unvalidated"  # rows of private sources until they are validated; never kept


class Folder(StrEnum):
    """Folders of what runs and studies computed; each entry is named by what it depends on."""

    INGESTED = "ingested"
    ACCEPTED = "accepted"
    CONFIRMED = "confirmed"
    COUNTED = "counted"
    ALIGNED = "aligned"
    RELATIONS = "relations"
    CORPORA = "corpora"
    CHANCE = "chance"
    REFERENCES = "references"
    SCORED = "scored"
    SOFT = "soft"
    REPLACEMENT = "replacement"
    JUDGES = "judges"
    SUMMARISED = "summarised"
    DRAWN = "drawn"
    STUDIES = "studies"


NAMES = frozenset({
    *Folder, "adjudication", "annotators.key", "aside", "audits", "queue", "release.key", "reports",
    "tables", "withdrawn", CONDITIONS, RECORD, UNVALIDATED,
})  # fmt: skip
_UNFINISHED = re.compile(rb'\s*\{\s*"folder":\s*"(reports|audits)/[a-z]+-\d+"\s*\}\s*')


class Claimable(Files, Protocol):
    """The methods of a store that its ownership needs."""

    @property
    def is_local(self) -> bool: ...
    def list(self, folder: str) -> list[str]: ...
    def top_level(self) -> Sequence[str]: ...
    def location(self, path: str) -> str: ...
    def local_path(self, path: str) -> Path: ...


def require_claimable(store: Claimable, campaign: Path | None = None) -> None:
    """Raise DataError for a store of something else than Accordeur, or of another campaign file."""
    record = read_sealed(store, RECORD)
    if record is None and not _has_evidence(store):
        foreign = [name for name in store.top_level() if name in NAMES]
        if foreign:
            raise DataError(
                f"{store.location(foreign[0])} was not made by Accordeur, which needs this name: "
                "give [store] url another place, such as a new folder"
            )
    if record is not None and campaign is not None and record.content["campaign"]:
        base = _base(store, campaign)
        other = Path(os.path.normpath(base / record.content["campaign"]))
        if other.is_file() and not other.samefile(campaign):
            first, own = other.name, campaign.name
            if not other.parent.samefile(campaign.parent):
                first, own = str(other), f"{campaign.absolute().parent.name}/{own}"
            raise DataError(
                f"the store {store.location('').rstrip('/')} holds the runs of {first}: give "
                f'{own} a store of its own ([store] url = "runs-{campaign.stem}"); if it '
                f"replaces the other file, delete {RECORD} in the store"
            )


def claim(store: Claimable, campaign: Path | None = None) -> None:
    """Note that the store is Accordeur's, and of this campaign file. Raises DataError as above."""
    require_claimable(store, campaign)
    record = read_sealed(store, RECORD)
    before = "" if record is None else record.content["campaign"]
    now = before if campaign is None else _relative(campaign, _base(store, campaign))
    if record is None or now != before:
        write_sealed(store, RECORD, {"campaign": now})


def require_own(store: Claimable, path: str = "") -> None:
    """Raise DataError unless the store is Accordeur's; `path` is what would be replaced."""
    if read_sealed(store, RECORD) is None and not _has_evidence(store):
        raise DataError(
            f"{store.location(path)} exists already and was not made by Accordeur: move it, or "
            "give another place"
        )


def _has_evidence(store: Claimable) -> bool:
    """Whether runs of an earlier version wrote here: a sealed file holds a hash of its own path."""
    sealed = (
        path
        for folder in ("reports", "audits", "ingested")
        for path in store.list(folder)
        if path.endswith(("/manifest.json", "/receipt.json"))
    )
    if any(read_sealed(store, path) for path in sealed):
        return True
    return bool(_UNFINISHED.fullmatch(store.content("unfinished.json") or b""))


def _base(store: Claimable, campaign: Path) -> Path:
    """Return the folder to which the name of the campaign file is relative.

    A local store moves with its campaign; an object store is used from several machines.
    """
    return store.local_path("") if store.is_local else campaign.resolve().parent


def _relative(campaign: Path, base: Path) -> str:
    return Path(os.path.relpath(campaign.resolve(), base)).as_posix()
