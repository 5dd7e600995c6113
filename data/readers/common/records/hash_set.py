"""Sets and maps of 64-bit hashes, eight bytes each, for names seen in any order."""

from __future__ import annotations

import numpy as np


class HashSet:
    """Recent hashes in a set, older ones in a sorted array."""

    def __init__(self, recent: int = 65_536) -> None:
        self._most = recent
        self._recent: set[int] = set()
        self._old = np.empty(0, dtype=np.int64)

    def __len__(self) -> int:
        return len(self._recent) + len(self._old)

    def add(self, value: int) -> bool:
        """Whether `value` (an int64, as `hash` gives) was not in the set; now it is."""
        if value in self._recent or self._is_old(value):
            return False
        self._recent.add(value)
        if len(self._recent) >= self._most:
            recent = np.fromiter(self._recent, np.int64, len(self._recent))
            self._old = np.sort(np.concatenate([self._old, recent]), kind="stable")
            self._recent.clear()
        return True

    def _is_old(self, value: int) -> bool:
        at = int(self._old.searchsorted(value))
        return at < len(self._old) and int(self._old[at]) == value


class HashMap:
    """Hashes to hashes, sixteen bytes an entry; recent ones in a dict, older in sorted arrays."""

    def __init__(self, recent: int = 65_536) -> None:
        self._most = recent
        self._recent: dict[int, int] = {}
        self._old = np.empty((2, 0), dtype=np.int64)  # keys, in order, and their values

    def __len__(self) -> int:
        return len(self._recent) + self._old.shape[1]

    def __getitem__(self, key: int) -> int | None:
        """The value of the key; None when it has none."""
        found = self._recent.get(key)
        if found is not None:
            return found
        keys, values = self._old
        at = int(keys.searchsorted(key))
        return int(values[at]) if at < len(keys) and keys[at] == key else None

    def __setitem__(self, key: int, value: int) -> None:
        """Give a value to a key that has none."""
        self._recent[key] = value
        if len(self._recent) >= self._most:
            recent = np.array([[*self._recent], [*self._recent.values()]], dtype=np.int64)
            joined = np.concatenate([self._old, recent], axis=1)
            self._old = joined[:, np.argsort(joined[0])]
            self._recent.clear()
