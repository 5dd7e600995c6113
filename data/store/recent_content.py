"""Content of finished files of object stores that this process wrote or read during a run.

A run reads what it has just written, and some files in several stages: each time would be two
requests. Only files in folders whose entries never change once they are written are held. The next
run starts without any, and so notices what was damaged meanwhile.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from .ownership import Folder

LARGEST = 4 << 20  # bytes of a file that is held
_ALL = 64 << 20  # bytes of all of them
_FINISHED = frozenset({*Folder, "reports", "audits"})  # a new run writes into a new folder


class RecentContent:
    """Contents by store and path, of which the least recently used are dropped."""

    def __init__(self, n_bytes: int = _ALL) -> None:
        self._most, self._n_bytes = n_bytes, 0
        self._contents: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._lock = threading.Lock()

    def hold(self, url: str, path: str, content: bytes) -> None:
        """Hold the content of a file if it is small and never changes."""
        if len(content) > LARGEST or path.partition("/")[0] not in _FINISHED:
            return
        with self._lock:
            self._n_bytes += len(content) - len(self._contents.pop((url, path), b""))
            self._contents[url, path] = content
            while self._n_bytes > self._most:
                _, dropped = self._contents.popitem(last=False)
                self._n_bytes -= len(dropped)

    def get(self, url: str, path: str) -> bytes | None:
        """Return the content of a file if it is held."""
        with self._lock:
            content = self._contents.get((url, path))
            if content is not None:
                self._contents.move_to_end((url, path))
            return content

    def forget(self, url: str, path: str | None = None) -> None:
        """Forget a file of a store, or all of its files."""
        with self._lock:
            for key in [one for one in self._contents if one[0] == url and path in (None, one[1])]:
                self._n_bytes -= len(self._contents.pop(key))


recent = RecentContent()
