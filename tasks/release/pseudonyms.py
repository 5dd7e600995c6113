"""Annotators in a release, whom nobody can identify: keyed pseudonyms, demographic groups."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from ...data.errors import DataError
from ...data.store.store import Store
from ...data.untrusted.files import open_regular
from ...reports.results.release import Demographic

STORED_KEY = "release.key"
MIN_KEY_BYTES = 16
JOINED = ""  # name of the merged group


@dataclass(frozen=True, slots=True)
class Pseudonyms:
    """Pseudonyms, made of the first digits of HMAC-SHA-256 of the release version and the name.

    >>> names = Pseudonyms(b"0123456789abcdef", "1.0")
    >>> names.of("anna") == names.of("anna") != names.of("ben")
    True
    """

    key: bytes
    version: str

    def of(self, name: str) -> str:
        message = f"{self.version}\x1f{name}".encode()
        return "A" + hmac.new(self.key, message, hashlib.sha256).hexdigest()[:10]

    def column(self, names: pa.ChunkedArray) -> pa.Array:
        """Convert a column of names to pseudonyms."""
        encoded = names.combine_chunks().dictionary_encode()
        shown = [self.of(name) for name in encoded.dictionary.to_pylist()]
        return pa.array(shown, pa.string()).take(encoded.indices)


def release_key(store: Store, file: str) -> bytes:
    """Return the secret key of the file, or the store's own, which is created on first use.

    Raises DataError for a file that cannot be read or is too short to be a secret.
    """
    if file:
        try:
            with open_regular(file) as opened:
                key = opened.read().strip()
        except OSError as error:
            raise DataError(
                f"release.pseudonym_key: {file} cannot be read ({error.strerror})"
            ) from None
        if len(key) < MIN_KEY_BYTES:
            raise DataError(
                f"release.pseudonym_key: {file} has {len(key)} bytes and must have "
                f"{MIN_KEY_BYTES} or more: `openssl rand -hex 32` prints such a secret"
            )
        return key
    kept = store.content(STORED_KEY)
    if kept is None:
        kept = secrets.token_hex(32).encode()
        store.write_bytes(STORED_KEY, kept)
    return kept


def demographics_of(
    annotators: Sequence[Mapping[str, str]], minimum: int
) -> tuple[list[Demographic], list[str]]:
    """Return the groups of each attribute, and the withheld attributes.

    Groups smaller than `minimum` are merged, also with the next larger group if they are still
    too small; otherwise their size could be computed from the total. An attribute with only
    one remaining group is withheld. `annotators` holds each annotator's attribute values.

    >>> many = [{"first language": "French"}] * 6 + [{"first language": "English"}] * 5
    >>> demographics_of([*many, {"first language": "Breton"}], 5)[0][0].groups
    {'French': 6, '': 6}
    """
    found, withheld = [], []
    for attribute in dict.fromkeys(name for one in annotators for name in one):
        counts = Counter(one.get(attribute, JOINED) for one in annotators)
        joined = counts.pop(JOINED, 0)
        groups = sorted(counts.items(), key=lambda group: (-group[1], group[0]))
        while groups and (groups[-1][1] < minimum or 0 < joined < minimum):
            joined += groups.pop()[1]
        if not groups:
            withheld.append(attribute)
            continue
        shown = dict(groups) | ({JOINED: joined} if joined else {})
        found.append(Demographic(attribute=attribute, groups=shown))
    return found, withheld
