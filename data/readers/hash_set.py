"""A set of 64-bit hashes that takes eight bytes an entry, for names seen in any order."""

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
            self._old = np.sort(np.concatenate([self._old, recent]))
            self._recent.clear()
        return True

    def _is_old(self, value: int) -> bool:
        at = int(self._old.searchsorted(value))
        return at < len(self._old) and int(self._old[at]) == value
