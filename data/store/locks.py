"""Allow one run at a time on a store.

On a disk the operating system holds the lock and releases it when the process dies. An object store
has no locks: each run writes a claim below `locks/` and then lists the others. Listings include
everything written before, so of two runs at least one sees the other; a run that sees a live claim
withdraws, and both may do so. A run rewrites its claim with a growing number from its first second;
another run removes a claim whose number does not grow. Clocks of different machines are never
compared.
"""

from __future__ import annotations

import re
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from filelock import FileLock, Timeout

from ..errors import DataError, StoreBusyError, StoreError
from . import retries

CLAIMS = "locks"
BEAT = 5.0  # seconds between two updates of a claim
_BEATS_WATCHED = 4
_CLAIM = re.compile(rb'\s*\{\s*"beat":\s*\d+\s*\}\s*')


class ClaimStore(Protocol):
    """The methods of a store that a claim needs."""

    url: str

    def exists(self, path: str) -> bool: ...
    def list(self, folder: str) -> list[str]: ...
    def read_bytes(self, path: str) -> bytes: ...
    def write_json(self, path: str, value: object) -> str: ...
    def delete(self, path: str) -> None: ...


class Held(Protocol):
    def check(self) -> None:
        """Raise DataError when another run has taken over the store."""


class _Folder:
    def check(self) -> None:
        pass


@contextmanager
def lock_folder(lock: Path, store: str) -> Iterator[Held]:
    """Lock a folder. Raises StoreBusyError when another run holds it."""
    retries.attempt_once(lambda: lock.parent.mkdir(parents=True, exist_ok=True), store)
    held = FileLock(lock)

    def acquire() -> None:
        try:
            held.acquire(timeout=0)
        except Timeout:
            raise _store_is_busy_error(store) from None

    retries.attempt_once(acquire, store)
    try:
        yield _Folder()
    finally:
        held.release()


class _Claim:
    """A claim on an object store and the thread that keeps it alive."""

    def __init__(self, store: ClaimStore, beat: float) -> None:
        self.path = f"{CLAIMS}/{uuid.uuid4().hex}.json"
        self._store, self._beat = store, beat
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._keep_alive, daemon=True)
        store.write_json(self.path, {"beat": 0})
        self._thread.start()

    def _keep_alive(self) -> None:
        number = 0
        while not self._done.wait(self._beat):
            number += 1
            try:
                if not self._store.exists(self.path):
                    return  # taken over: `check` reports it
                self._store.write_json(self.path, {"beat": number})
            except (StoreError, OSError):
                continue  # the run's own requests report the same failure

    def check(self) -> None:
        if not self._store.exists(self.path):
            raise DataError(
                f"another run took over the store {retries.without_query(self._store.url)} while "
                "this run could not reach it; the results of this run are kept: start it again "
                "when the other run ends"
            )

    def release(self) -> None:
        self._done.set()
        self._thread.join()
        self._store.delete(self.path)


@contextmanager
def lock_object_store(store: ClaimStore, *, beat: float = BEAT) -> Iterator[Held]:
    """Lock an object store. Raises StoreBusyError when another run holds it."""
    claim = _Claim(store, beat)
    try:
        while others := _other_claims(store, claim):
            for path in others:
                if _is_alive(store, path, beat):
                    raise _store_is_busy_error(retries.without_query(store.url))
                store.delete(path)
        yield claim
    finally:
        claim.release()


def _other_claims(store: ClaimStore, claim: _Claim) -> list[str]:
    """Return the claims of other runs; whatever else is there is left alone."""
    found = [path for path in store.list(CLAIMS) if path != claim.path]
    return [path for path in found if _CLAIM.fullmatch(_content(store, path) or b"")]


def _is_alive(store: ClaimStore, path: str, beat: float) -> bool:
    """Return whether the claim changes while it is watched."""
    before = _content(store, path)
    for _ in range(_BEATS_WATCHED):
        time.sleep(beat)
        now = _content(store, path)
        if now is None:
            return False
        if now != before:
            return True
    return False


def _content(store: ClaimStore, path: str) -> bytes | None:
    try:
        return store.read_bytes(path)
    except FileNotFoundError:
        return None


def _store_is_busy_error(store: str) -> StoreBusyError:
    return StoreBusyError(
        f"another run is writing to the store {store}; wait for it, or give this run another store"
    )
