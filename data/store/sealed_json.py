"""Sealed JSON: a file of the store that can be verified by itself.

The seal is a hash of the file's path and content, so that both a changed bit and the content of
another file are detected.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ..untrusted.documents import parse_json
from .hashes import Digest, settings_hash

_SEAL = "seal"


class Files(Protocol):
    """The methods of a store that sealed files need."""

    def content(self, path: str) -> bytes | None: ...
    def write_json(self, path: str, value: object) -> str: ...


@dataclass(frozen=True, slots=True)
class Sealed:
    """`digest` is the digest of the file."""

    content: dict[str, Any]
    digest: Digest


def write_sealed(store: Files, path: str, content: Mapping[str, Any], *, name: str = "") -> str:
    """Write a JSON object with its seal; return the path. `name` replaces the path in the seal."""
    return store.write_json(path, {**content, _SEAL: settings_hash(name or path, content)})


def read_sealed(store: Files, path: str, *, name: str = "") -> Sealed | None:
    """Read the object written to this path (under this name); None if missing or damaged."""
    return unsealed(store.content(path), path, name=name)


def unsealed(written: bytes | None, path: str, *, name: str = "") -> Sealed | None:
    """Return the object that a file with this path (and name) contains; None if damaged."""
    try:
        content = parse_json(written or b"", path)
        if content.pop(_SEAL) != settings_hash(name or path, content):
            return None
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return Sealed(content, Digest.of(written or b""))
