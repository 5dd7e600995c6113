"""Codes of annotators in records that outlive a run, which neither name them nor can be guessed."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a quick look has no store
    from ..data.store.store import Store

STORED_KEY = "annotators.key"


@dataclass(frozen=True, slots=True)
class AnnotatorCodes:
    """Codes: the first digits of HMAC-SHA-256 of the names that annotators have in the exports.

    A pseudonym that is given, changed or removed later does not change a code.

    names  name in the tables → name in the exports, where these differ

    >>> AnnotatorCodes(b"secret", {"N1": "anna"}).of("N1") == AnnotatorCodes(b"secret").of("anna")
    True
    """

    key: bytes
    names: Mapping[str, str] = field(default_factory=dict)

    def of(self, annotator: str) -> str:
        name = self.names.get(annotator, annotator)
        return hmac.new(self.key, name.encode(), hashlib.sha256).hexdigest()[:16]

    def by_code(self, annotators: Iterable[str]) -> dict[str, str]:
        """Map the codes of annotators to their names in the tables."""
        return {self.of(name): name for name in annotators}


def codes_of_store(store: Store, names: Mapping[str, str]) -> AnnotatorCodes:
    """Return codes with the secret of the store, which is created on first use."""
    key = store.content(STORED_KEY)
    if key is None:
        key = secrets.token_hex(32).encode()
        store.write_bytes(STORED_KEY, key)
    return AnnotatorCodes(key, names)


def ledger_key(store: Store) -> str:
    """Return the secret of the store for hashes of what was exported; "" if it has none."""
    key = store.content(STORED_KEY)
    return "" if key is None else hmac.new(key, b"ledger", hashlib.sha256).hexdigest()[:16]


def existing_codes(store: Store, names: Mapping[str, str]) -> AnnotatorCodes | None:
    """Return codes with the secret of the store; None if it has none, as in a published bundle."""
    key = store.content(STORED_KEY)
    return None if key is None else AnnotatorCodes(key, names)
