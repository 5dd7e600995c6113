"""Retries when the disk is full or an object store does not answer.

A failed request is repeated with growing pauses as long as the store itself does not answer, up to
`PATIENCE` seconds (`ACCORDEUR_STORE_PATIENCE`). If the store answers and the request still fails,
the cause is the file or the permissions, and waiting would not help. Pauses are measured by a
monotonic clock.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable
from typing import TypeVar

from ..errors import StoreError

PATIENCE = 300.0
_SURE = 3  # failures while the store answers
_LONGEST_PAUSE = 20.0
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_REFUSED = ("ACCESS_DENIED", "INVALID_ACCESS_KEY", "SIGNATURE_DOES_NOT_MATCH", "NO_SUCH_BUCKET")
_T = TypeVar("_T")


def attempt_once(attempt: Callable[[], _T], store: str) -> _T:
    """Return the attempt's result. Raises StoreError when the disk is full."""
    try:
        return attempt()
    except OSError as error:
        if error.errno in _FULL:
            raise StoreError(
                f"no space is left for the store {store}: free some space and start the run "
                "again; it continues where it stopped"
            ) from error
        raise


def until_it_answers(
    attempt: Callable[[], _T],
    store: str,
    probe: Callable[[], object],
    *,
    sleep: Callable[[float], object] = time.sleep,
) -> _T:
    """Return the attempt's result, retrying while `probe` fails too.

    Raises StoreError when the store did not answer for `PATIENCE` seconds or rejects the
    credentials; otherwise what the attempt raised.
    """
    patience = float(os.environ.get("ACCORDEUR_STORE_PATIENCE", PATIENCE))
    started, pause, n_answered = time.monotonic(), 0.5, 0
    while True:
        try:
            return attempt()
        except FileNotFoundError:
            raise
        except OSError as error:
            if any(word in str(error) for word in _REFUSED):
                raise StoreError(
                    f"the store {without_query(store)} refuses the request ({error}); check the "
                    "bucket's name and the credentials in the environment"
                ) from error
            n_answered += _store_answers(probe)
            if n_answered >= _SURE:
                raise
            if time.monotonic() - started > patience:
                raise StoreError(
                    f"the store {without_query(store)} has not answered for {patience:.0f} s "
                    f"({error}); start the run again when the store answers; it continues where it "
                    "stopped"
                ) from error
        sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


def without_query(store: str) -> str:
    """Return a store's URL without its options, which may contain credentials."""
    return store.partition("?")[0]


def _store_answers(probe: Callable[[], object]) -> bool:
    try:
        probe()
    except OSError:
        return False
    return True
