"""A map of hashes for one entry per document of a large source."""

from __future__ import annotations

import numpy as np


class HashMap:
    """Maps hashes to hashes, 16 bytes per entry; recent ones in a dict, older in sorted arrays."""

    def __init__(self, recent: int = 65_536) -> None:
        self._most = recent
        self._recent: dict[int, int] = {}
        self._old = np.empty((2, 0), dtype=np.int64)  # sorted keys, and their values

    def __len__(self) -> int:
        return len(self._recent) + self._old.shape[1]

    def __getitem__(self, key: int) -> int | None:
        """Return the value of the key; None when it has none."""
        found = self._recent.get(key)
        if found is not None:
            return found
        keys, values = self._old
        at = int(keys.searchsorted(key))
        return int(values[at]) if at < len(keys) and keys[at] == key else None

    def __setitem__(self, key: int, value: int) -> None:
        """Set the value of a key that has none."""
        self._recent[key] = value
        if len(self._recent) >= self._most:
            recent = np.array([[*self._recent], [*self._recent.values()]], dtype=np.int64)
            joined = np.concatenate([self._old, recent], axis=1)
            self._old = joined[:, np.argsort(joined[0])]
            self._recent.clear()
