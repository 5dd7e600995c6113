"""Checksums of a folder, in the format of `sha256sum --check`."""

from __future__ import annotations

import hashlib
import re
from enum import StrEnum

from ..errors import DataError
from .store import Store

CHECKSUMS = "SHA256SUMS"
SIGNATURE = f"{CHECKSUMS}.sig"  # name of the checksum file, which cannot list itself
_LINE = re.compile(r"^([0-9a-f]{64}) [ *](.+)$")


class Change(StrEnum):
    """How a file has changed since the checksums were written."""

    changed = "was changed"
    missing = "is missing"
    added = "was added"


def write_checksums(store: Store, folder: str) -> str:
    """Write `SHA256SUMS` over every file below the folder; return its own SHA-256.

    That one digest stands for the whole folder: publish it where the folder cannot be changed.
    """
    lines = [f"{digest}  {name}\n" for name, digest in _digests_by_name(store, folder).items()]
    content = "".join(lines).encode()
    store.write_bytes(path_below(folder, CHECKSUMS), content)
    return hashlib.sha256(content).hexdigest()


def broken_checksums(store: Store, folder: str) -> dict[str, Change]:
    """Return files that differ from `SHA256SUMS`, by name; empty when none does.

    Raises DataError when the file is missing or a line is malformed.
    """
    path = path_below(folder, CHECKSUMS)
    if not store.exists(path):
        raise DataError(
            f"{store.location(folder)}: holds no {CHECKSUMS}: give the folder that "
            "`accordeur audit` wrote"
        )
    declared = {}
    text = store.read_bytes(path).decode("utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        found = _LINE.match(line)
        if found is None:
            raise DataError(
                f"{store.location(path)} line {number}: is not a checksum: {line[:80]!r}"
            )
        declared[found[2]] = found[1]
    present = _digests_by_name(store, folder)
    changed = {
        name: Change.changed if name in present else Change.missing
        for name, digest in declared.items()
        if present.get(name) != digest
    }
    return changed | {name: Change.added for name in present if name not in declared}


def _sha256(store: Store, path: str) -> str:
    digest = store.digest(path)
    return "" if digest is None else digest.sha256


def path_below(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _digests_by_name(store: Store, folder: str) -> dict[str, str]:
    """Return SHA-256 by name relative to the folder, in the order of the names."""
    skip = len(folder) + 1 if folder else 0
    return {
        path[skip:]: _sha256(store, path)
        for path in store.list(folder)
        if path[skip:] not in (CHECKSUMS, SIGNATURE)
    }
